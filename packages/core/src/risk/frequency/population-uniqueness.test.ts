import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { populationUniqueness } from './population-uniqueness.js'

type Options = Parameters<typeof populationUniqueness>[1]

/** A column in which `classes[k]` values occur `sizes[k]` times each. */
function keysWithSpectrum(spectrum: Readonly<Record<number, number>>): string[] {
  const keys: string[] = []
  for (const [size, classes] of Object.entries(spectrum)) {
    for (let one = 0; one < classes; one++) for (let k = 0; k < Number(size); k++) keys.push(`${size}-${one}`)
  }
  return keys
}

async function uniqueness(
  key: readonly (string | null)[],
  options: Options = {},
  given: Partial<ReleaseInput> & { w?: number[] } = {},
) {
  const { w, ...roles } = given
  const file = tableOf('file', w === undefined ? { key } : { key, w })
  const input = release({
    original: file,
    released: file,
    keys: ['key'],
    ...(w === undefined ? {} : { weight: 'w' }),
    ...roles,
  })
  const { original, value } = await populationUniqueness(input, { bootstrap: 0, ...options }, { records: true })
  if (original === null || original.details === null) throw new Error(original?.reason?.text)
  const p = Object.fromEntries(original.details.methods.map(({ method, pUnique }) => [method, pUnique]))
  return { ...original, details: original.details, value, p }
}

const published = keysWithSpectrum({ 1: 30, 2: 8, 3: 4, 5: 2, 10: 1 })
const small = keysWithSpectrum({ 1: 8, 2: 3, 3: 2 })

describe('population uniqueness', () => {
  it('shows every method, with pitman for the headline', async () => {
    const { p, details, value } = await uniqueness(published, { samplingFraction: 0.1 })
    expect(p['pitman']).toBeCloseTo(0.25269, 5)
    expect(p['zayatz']).toBeCloseTo(0.46403, 5)
    expect(p['snb']).toBeCloseTo(0.38608, 5)
    expect(p['pg']).toBeCloseTo(0.14841, 5)
    expect(p['nb']).toBeCloseTo(0.1, 12)
    expect(details.method).toBe('pitman')
    expect(details.sampleUniques).toBe(30)
    expect(value).toBeCloseTo((30 * 0.25269) / 78, 5)
    expect(details.tau1).toBeCloseTo(30 * 0.25269, 3)
    expect(details.spread.lowest).toBeLessThan(details.share)
    expect(details.spread.highest).toBeCloseTo((30 * 0.46403) / 78, 5)
    expect(details.methods.find(({ method }) => method === 'pitman')?.populationUniques).toBeCloseTo(76.011, 2)
  })

  it('has the heuristics of riskutility for comparison: the first falls with the fraction, the second sees no data', async () => {
    for (const [fraction, expected] of [
      [0.01, 0.98],
      [0.1, 0.84],
      [0.9, 0.37],
    ]) {
      const { p, details } = await uniqueness(small, { samplingFraction: fraction, method: 'riskutility-pitman' })
      expect(p['riskutility-pitman']).toBeCloseTo(expected, 2)
      expect(details.method).toBe('riskutility-pitman')
    }
    const zayatz = await uniqueness(small, { samplingFraction: 0.001, method: 'riskutility-zayatz' })
    expect(zayatz.p['riskutility-zayatz']).toBeGreaterThan(Math.exp(-1))
    expect(zayatz.p['riskutility-zayatz']).toBeCloseTo(Math.exp(-1), 3)
  })

  it('rises with the sampling fraction, to 1', async () => {
    let last = 0
    for (const samplingFraction of [0.01, 0.1, 0.5, 0.95]) {
      const { p } = await uniqueness(small, { samplingFraction })
      expect(p['pitman'] ?? 0).toBeGreaterThan(last)
      last = p['pitman'] ?? 0
    }
    expect(last).toBeGreaterThan(0.9)
  })

  it('auto: pitman up to 10 %, the smaller of zayatz and snb above', async () => {
    expect((await uniqueness(published, { method: 'auto', samplingFraction: 0.1 })).details.method).toBe('pitman')
    const half = await uniqueness(published, { method: 'auto', samplingFraction: 0.5 })
    expect(half.details.pUnique).toBeCloseTo(Math.min(half.p['zayatz'] ?? 1, half.p['snb'] ?? 1), 12)
  })

  it('nb and poisson use the weight of each record', async () => {
    const { details, records } = await uniqueness(['a', 'b', 'c', 'c'], { method: 'nb' }, { w: [2, 50, 10, 10] })
    expect(details.tau1).toBeCloseTo(0.5 + 0.02, 12)
    expect(Array.from(records?.['populationUnique'] ?? [])).toEqual([0.5, 0.02, 0, 0])
    const { warnings } = await uniqueness(['a', 'b', 'c', 'c'], {}, { w: [2, 50, 10, 10] })
    expect(warnings.some((text) => text.includes('weights differ'))).toBe(true)
  })
})

describe('degenerate files', () => {
  it('no sample uniques: 0 by every method', async () => {
    const { value, p } = await uniqueness(['a', 'a', 'b', 'b'], { samplingFraction: 0.1 })
    expect(value).toBe(0)
    for (const method of ['pitman', 'zayatz', 'snb', 'pg', 'nb', 'poisson']) expect(p[method]).toBe(0)
  })

  it('all unique: 1, not identifiable, whatever the optimiser would do', async () => {
    const { value, details } = await uniqueness(['a', 'b', 'c', 'd'], { samplingFraction: 0.1 })
    expect(value).toBe(1)
    expect(details.methods.find(({ method }) => method === 'pitman')).toMatchObject({
      pUnique: 1,
      converged: false,
      note: expect.stringContaining('not identifiable'),
    })
  })

  it('one record', async () => {
    expect((await uniqueness(['a'], { samplingFraction: 0.5 })).value).toBe(1)
  })

  it('nothing known: the file is the population, and says so', async () => {
    const { value, p, warnings } = await uniqueness(small)
    expect(value).toBeCloseTo(8 / 20, 12)
    for (const method of ['pitman', 'zayatz', 'snb', 'pg', 'nb', 'poisson']) expect(p[method]).toBe(1)
    expect(warnings[0]).toContain('taken to be the whole population')
  })

  it('missing keys: dropped, a category, or a category instead of a wildcard', async () => {
    const keys = ['a', null, 'b', 'b']
    expect((await uniqueness(keys, { missing: 'drop', samplingFraction: 0.5 })).details.sampleUniques).toBe(1)
    expect((await uniqueness(keys, { samplingFraction: 0.5 })).details.sampleUniques).toBe(2)
    const wildcard = await uniqueness(keys, { missing: 'wildcard', samplingFraction: 0.5 })
    expect(wildcard.details.missingPolicy).toBe('category')
    expect(wildcard.warnings[0]).toContain('equivalence classes')
  })

  it('one class besides the uniques, or classes all of one size', async () => {
    for (const spectrum of [
      { 1: 1, 2: 100 },
      { 1: 50, 1000: 1 },
      { 1: 99, 2: 1 },
    ]) {
      const { value, details } = await uniqueness(keysWithSpectrum(spectrum), { samplingFraction: 0.05, bootstrap: 5 })
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThanOrEqual(1)
      for (const { pUnique } of details.methods) {
        expect(pUnique).toBeGreaterThanOrEqual(0)
        expect(pUnique).toBeLessThanOrEqual(1 + 1e-12)
      }
    }
  })
})

it('counts in a population table what the models guess', async () => {
  const people = Array.from({ length: 2000 }, (_, k) => String(Math.floor(k ** 1.5) % 900))
  const file = tableOf('file', { key: people.filter((_, k) => k % 10 === 0) })
  const input = release({
    original: file,
    released: file,
    population: tableOf('population', { key: people }),
    keys: ['key'],
  })
  const { original } = await populationUniqueness(input, { bootstrap: 0 })
  const details = original?.details
  const counts = new Map<string, number>()
  for (const key of people) counts.set(key, (counts.get(key) ?? 0) + 1)
  const inFile = new Map<string, number>()
  for (const [k, key] of people.entries()) if (k % 10 === 0) inFile.set(key, (inFile.get(key) ?? 0) + 1)
  const truth = [...inFile].filter(([key, n]) => n === 1 && counts.get(key) === 1).length
  expect(details?.method).toBe('population')
  expect(details?.tau1).toBeCloseTo(truth, 9)
  expect(details?.sampling.fraction).toBeCloseTo(0.1, 12)
})

describe('bootstrap', () => {
  it('surrounds the estimate, with the same bits for the same seed', async () => {
    const one = await uniqueness(published, { samplingFraction: 0.1, bootstrap: repeats(60, 200) })
    const two = await uniqueness(published, { samplingFraction: 0.1, bootstrap: repeats(60, 200) })
    expect(one.interval).toEqual(two.interval)
    expect(one.interval?.lower ?? 1).toBeLessThan(one.value ?? 0)
    expect(one.interval?.upper ?? 0).toBeGreaterThan(one.value ?? 1)
    expect(one.interval?.method).toBe('percentile bootstrap')
    expect(one.details.methods.filter(({ interval }) => interval !== null).map(({ method }) => method)).toEqual([
      'pitman',
      'zayatz',
      'snb',
      'pg',
    ])
  })

  it('covers the truth when the data come from the model', async () => {
    // 3000 cells with exponential rates of mean 2, that is r = 1 and b = 1/2, each person sampled with 10 %.
    const random = stream(11, 'test/superpopulation')
    let covered = 0
    const runs = repeats(3, 6)
    for (let run = 0; run < runs; run++) {
      const file: string[] = []
      let truth = 0
      for (let cell = 0; cell < 3000; cell++) {
        const rate = -Math.log(random.openUniform()) * 2
        let F = 0
        let time = -Math.log(random.openUniform())
        while (time < rate) {
          F++
          time -= Math.log(random.openUniform())
        }
        let f = 0
        for (let k = 0; k < F; k++) if (random.uniform() < 0.1) f++
        for (let k = 0; k < f; k++) file.push(String(cell))
        if (F === 1 && f === 1) truth++
      }
      const { interval } = await uniqueness(file, { method: 'pg', samplingFraction: 0.1, bootstrap: repeats(50, 100) })
      const share = truth / file.length
      if (interval !== null && interval.lower <= share && share <= interval.upper) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(runs / 2)
  })
})
