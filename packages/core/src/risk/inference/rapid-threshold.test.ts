import { describe, expect, it } from 'vitest'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { type Release, release } from '../../table/release.js'
import { selectRows, tableOf } from '../../table/table.js'
import { simulateHealth } from '../../testing/scenes/health.js'
import { rapid } from './rapid.js'
import { rapidThreshold } from './rapid-threshold.js'

type Options = Parameters<typeof rapidThreshold>[1]

async function run(of: Release, options: Options, seed = 1) {
  const [finding] = (await rapidThreshold(of, options, { seed })).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

describe('three records by hand', () => {
  /** Keys a, b, c give A with probability 0.9, 0.6 and 0.2 in the release. */
  const released = tableOf('s', {
    k: Array.from('abc').flatMap((level) => Array.from({ length: 100 }, () => level)),
    t: [0.9, 0.6, 0.2].flatMap((share) => Array.from({ length: 100 }, (_, row) => (row < 100 * share ? 'A' : 'B'))),
  })
  const of = release({
    original: tableOf('o', { k: ['a', 'b', 'c'], t: ['A', 'A', 'B'] }),
    released,
    keys: ['k'],
    target: 't',
  })
  const options = { attackers: ['cart'], hyper: { cart: { cp: 0, collapse: 'gain' } }, grid: [0.3] }

  it('the null gives 0, 1/3 and 2/3 equally often, so 2/3 is not significant', async () => {
    const { value, reason, details } = await run(of, options)
    const [row] = details.table
    expect(row.observed).toBeCloseTo(2 / 3, 12)
    expect(row.chance).toBeCloseTo(1 / 3, 12)
    expect(row.chanceSd).toBeCloseTo(0.272166, 6)
    expect(row.chanceQuantile).toBeCloseTo(2 / 3, 12)
    expect(row.significant).toBe(false)
    expect(value).toBeNull()
    expect(reason?.text).toBe('at no threshold are more people at risk than by chance')
    expect((await run(of, { ...options, control: 'pointwise' })).details.table[0].significant).toBe(false)
  })
})

describe('a target that the keys give away', () => {
  const rows = Array.from({ length: 60 }, (_, row) => row)
  const copy = tableOf('copy', {
    sex: rows.map((row) => (row % 2 === 0 ? 'm' : 'f')),
    ill: rows.map((row) => (row % 2 === 0 ? 'yes' : 'no')),
  })
  const of = release({ original: copy, released: copy, keys: ['sex'], target: 'ill' })

  it('is significant everywhere, so the largest threshold of the grid is taken', async () => {
    const { value, details, warnings, controls } = await run(of, { attackers: ['cart'] })
    expect(details.table).toHaveLength(19)
    expect(details.table.map(({ threshold }) => Number(threshold.toFixed(2)))).toEqual(
      Array.from({ length: 19 }, (_, k) => Number((0.05 * (k + 1)).toFixed(2))),
    )
    expect(details.table.every(({ significant }) => significant)).toBe(true)
    expect(details.threshold).toBe(0.95)
    expect(value).toBe(1)
    expect(controls?.nothing?.value).toBeCloseTo(0.5, 12)
    expect(warnings).toContain('the threshold was chosen from these data; do not test at it on the same data')
  })

  it('but no threshold brings chance below the floor', async () => {
    const { value, reason } = await run(of, { attackers: ['cart'], rule: 'null-floor' })
    expect(value).toBeNull()
    expect(reason?.text).toBe('chance alone puts more than 5.0 % of people at risk at every threshold')
    const lax = await run(of, { attackers: ['cart'], rule: 'null-floor', floor: 0.7 })
    expect(lax.details.threshold).toBe(0.05)
  })

  it('needs enough permutations for alpha', async () => {
    await expect(rapidThreshold(of, { attackers: ['cart'], permutations: 10 })).rejects.toThrow(
      'permutations: alpha 0.05 needs at least 19, not 10',
    )
    expect((await run(of, { attackers: ['cart'], permutations: 19 })).details.threshold).toBe(0.95)
  })
})

describe('the simulated health data', () => {
  const file = simulateHealth({ n: 500, kappa: 2, seed: 4 })
  const fresh = simulateHealth({ n: 500, kappa: 2, seed: 5 })
  const keys = ['gender', 'age', 'education', 'income', 'health_score']
  const of = release({ original: file, released: fresh, keys, target: 'disease_status' })
  const options = { attackers: ['multinomial'] }

  it('rates fall with the threshold and are those of RAPID', async () => {
    const { details, value } = await run(of, options)
    for (let k = 1; k < details.table.length; k++)
      expect(details.table[k].observed).toBeLessThanOrEqual(details.table[k - 1].observed)
    const row = details.table[5]
    const { releases } = await rapid(of, { ...options, tau: row.threshold, bootstrap: 0, permutations: 0 })
    expect(releases[0].value).toBe(row.observed)
    expect(releases[0].details?.chance.expected).toBeCloseTo(row.chance, 12)
    expect(value).toBe(details.table.findLast(({ significant }) => significant)?.observed)
  })

  it('one bound for all thresholds is above the bound for each', async () => {
    const all = (await run(of, options)).details.table
    const each = (await run(of, { ...options, control: 'pointwise' })).details.table
    const stricter = all.filter(({ bound }, k) => bound >= each[k].bound)
    expect(stricter.length).toBeGreaterThan(15)
    expect(each.every(({ bound, chanceQuantile }) => bound === chanceQuantile)).toBe(true)
  })

  it('permuted rates have the exact mean and spread of chance', async () => {
    const { table } = (await run(of, { ...options, permutations: 999 })).details
    for (const { chance, chanceSd, chanceQuantile } of table)
      expect(Math.abs(chanceQuantile - chance - 1.645 * chanceSd)).toBeLessThan(0.4 * chanceSd + 1 / 500)
  })

  it('the floor: the first threshold that chance passes rarely', async () => {
    const { details } = await run(of, { ...options, rule: 'null-floor', floor: 0.2 })
    const place = details.table.findIndex(({ threshold }) => threshold === details.threshold)
    expect(details.table[place].chanceQuantile).toBeLessThanOrEqual(0.2)
    if (place > 0) expect(details.table[place - 1].chanceQuantile).toBeGreaterThan(0.2)
  })

  it('20,000 records stand for more of them', async () => {
    const many = simulateHealth({ n: 25_000, kappa: 1, seed: 6 })
    const large = release({ original: many, released: fresh, keys, target: 'disease_status' })
    const { table, criticalValue } = (await run(large, options)).details
    expect(criticalValue).toBeGreaterThan(1.6)
    expect(criticalValue).toBeLessThan(4)
    for (const { chance, chanceSd, chanceQuantile } of table)
      expect(Math.abs(chanceQuantile - chance - 1.645 * chanceSd)).toBeLessThan(0.6 * chanceSd + 1e-4)
  })

  it('does not depend on the order of rows', async () => {
    const order = permutation(stream(1, 'order'), 500)
    const turned = release({ original: selectRows(file, order), released: fresh, keys, target: 'disease_status' })
    const found = (await run(turned, options)).details.table
    expect(found.map(({ chanceQuantile }) => chanceQuantile)).toEqual(
      (await run(of, options)).details.table.map(({ chanceQuantile }) => chanceQuantile),
    )
  })
})

describe('numbers', () => {
  const line = (name: string, seed: number, slope: number, n = 200) => {
    const random = stream(seed, 'line')
    const x = Array.from({ length: n }, () => random.below(100))
    return tableOf(name, { x, y: x.map((value) => 1000 + slope * value + 100 * drawNormal(random)) })
  }
  const pair = (slope: number, seed = 1, n = 200) =>
    release({
      original: line('o', seed, slope, n),
      released: line('s', seed + 1000, slope, n),
      keys: ['x'],
      target: 'y',
    })

  it('the smallest significant tolerance, not the largest', async () => {
    const { details, value } = await run(pair(30), { attackers: ['lm'] })
    expect(details.table).toHaveLength(25)
    expect([details.table[0].threshold, details.table[24].threshold]).toEqual([0.01, 0.49])
    const significant = details.table.filter((row) => row.significant)
    expect(significant.length).toBeGreaterThan(5)
    expect(details.threshold).toBe(significant[0].threshold)
    expect(value).toBe(significant[0].observed)
    for (let k = 1; k < details.table.length; k++)
      expect(details.table[k].observed).toBeGreaterThanOrEqual(details.table[k - 1].observed)
  })

  it('the floor takes the largest tolerance that chance meets rarely', async () => {
    const { details } = await run(pair(30), { attackers: ['lm'], rule: 'null-floor', floor: 0.1 })
    const rare = details.table.filter(({ chanceQuantile }) => chanceQuantile <= 0.1)
    expect(details.threshold).toBe(rare.at(-1)?.threshold)
  })

  it('absolute errors: up to their 95th percentile', async () => {
    const { details } = await run(pair(30), { attackers: ['lm'], error: 'absolute', epsilon: 50 })
    expect(details.table).toHaveLength(19)
    expect(details.table[18].observed).toBeGreaterThan(0.9)
  })

  it('errs over the whole grid about as rarely as alpha says; pointwise more often', async () => {
    const count = { simultaneous: 0, pointwise: 0 }
    const files = 150
    for (let seed = 1; seed <= files; seed++) {
      const of = pair(0, seed, 40)
      for (const control of ['simultaneous', 'pointwise'] as const) {
        const { value } = await run(of, { attackers: ['lm'], control, permutations: 99 }, seed)
        if (value !== null) count[control]++
      }
    }
    expect(count.simultaneous / files).toBeLessThan(0.11)
    expect(count.pointwise / files).toBeGreaterThan(0.1)
  })
})

it('a constant target has nothing to infer', async () => {
  const one = tableOf('o', { k: ['a', 'b'], t: ['x', 'x'] })
  const result = await rapidThreshold(release({ original: one, released: one, keys: ['k'], target: 't' }), {
    attackers: ['cart'],
  })
  expect(result).toMatchObject({ status: 'not applicable', reason: { text: 'the target is constant in the original' } })
})
