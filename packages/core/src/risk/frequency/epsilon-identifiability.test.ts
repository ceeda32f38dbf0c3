import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { type Table, tableOf } from '../../table/table.js'
import { epsilonIdentifiability } from './epsilon-identifiability.js'

type Options = Parameters<typeof epsilonIdentifiability>[1]

async function identify(
  original: Table,
  released: Table,
  options: Options = {},
  given: Partial<ReleaseInput> = {},
  seed = 1,
) {
  const [found] = (
    await epsilonIdentifiability(release({ original, released, ...given }), options, { records: true, seed })
  ).releases
  if (found.details === null) throw new Error(found.reason?.text)
  return { ...found, details: found.details, records: Array.from(found.records?.['closerToRelease'] ?? []) }
}

const original = tableOf('original', { x: [0, 10, 20], g: ['a', 'a', 'b'] })
const released = tableOf('released', { x: [14, 20], g: ['a', 'b'] })

describe('epsilon-identifiability', () => {
  it('weighs by inverse entropy and counts originals closer to the release', async () => {
    const { details, value, records } = await identify(original, released)
    expect(details.variables[0].entropy).toBeCloseTo(1.0986123, 7)
    expect(details.variables[1].entropy).toBeCloseTo(0.6365142, 7)
    expect(details.variables[0].weight).toBeCloseTo(0.3668402, 7)
    expect(details.variables[1].weight).toBeCloseTo(0.6331598, 7)
    expect(details.closer.strictRate).toBeCloseTo(2 / 3, 12)
    expect(details.closer.chance).toBe(0.5)
    expect(details.closer.excess).toBeCloseTo((2 / 3 - 0.5) / 0.5, 12)
    expect(value).toBeCloseTo(2 / 3, 12)
    expect(records).toEqual([0, 1, 1])
  })

  it('a copy is as close as can be; twins in the original make it a tie', async () => {
    const { details, value } = await identify(original, original)
    expect(details.closer.strictRate).toBe(1)
    expect(value).toBe(1)
    const twins = tableOf('twins', { x: [1, 1, 2, 2] })
    const copied = await identify(twins, twins)
    expect(copied.details.closer).toMatchObject({ strictRate: 0, adjustedRate: 2 / 3, chance: 4 / 7 })
    expect(copied.controls?.everything?.value, 'the original can do no better').toBeCloseTo(2 / 3, 14)
  })

  it('by hand: effect, bounds and people of a copy', async () => {
    const n = 100
    const file = tableOf('original', { x: Array.from({ length: n }, (_, k) => k * k) })
    const { value, controls, effect, leakage, people, looks } = await identify(file, file)
    const chance = n / (2 * n - 1)
    expect(value).toBe(1)
    expect(controls).toMatchObject({ fair: { value: chance, basis: 'leave-one-out' }, everything: { value: 1 } })
    expect(effect).toMatchObject({ value: 1 - chance, upper: 1 - chance, se: 0 })
    expect(effect?.p).toBeLessThan(1e-10)
    expect(leakage).toMatchObject({ value: 1, upper: 1 })
    expect(leakage?.lower).toBeGreaterThan(0.85)
    expect(people).toBe(n)
    expect(looks).toBeUndefined()
  })

  it('leaves out records with a missing value in each file, and says so', async () => {
    const some = tableOf('original', { x: [0, 10, 20, null], g: ['a', 'a', 'b', 'b'] })
    const { details, records, warnings } = await identify(
      some,
      tableOf('released', { x: [14, 20, 3], g: ['a', 'b', null] }),
    )
    expect([details.originals, details.released, details.droppedOriginals, details.droppedReleased]).toEqual([
      3, 2, 1, 1,
    ])
    expect(records).toEqual([0, 1, 1, Number.NaN])
    expect(warnings.length).toBe(2)
    const none = tableOf('original', { x: [null, 1], g: ['a', null] })
    expect((await epsilonIdentifiability(release({ original: none, released }))).status).toBe('not applicable')
  })

  it('constant variables have no weight; if all are constant, all weigh the same', async () => {
    const { details } = await identify(
      tableOf('original', { x: [1, 2, 3], k: [5, 5, 5] }),
      tableOf('released', { x: [1, 2], k: [5, 6] }),
    )
    expect(details.variables.map(({ weight }) => weight)).toEqual([1, 0])
    const constant = await identify(tableOf('original', { k: [5, 5] }), tableOf('released', { k: [5, 6] }))
    expect(constant.details.variables[0].weight).toBe(1)
    expect(constant.warnings.some((text) => text.includes('constant'))).toBe(true)
  })

  it('caps a weight that a near-constant variable would take', async () => {
    const n = 50
    const file = tableOf('original', {
      rare: Array.from({ length: n }, (_, k) => (k === 0 ? 'y' : 'n')),
      x: Array.from({ length: n }, (_, k) => k),
      z: Array.from({ length: n }, (_, k) => (7 * k) % n),
    })
    const free = await identify(file, file)
    const capped = await identify(file, file, { weightCap: 1.5 })
    expect(free.details.variables[0].weight).toBeGreaterThan(0.9)
    expect(capped.details.variables[0].weight).toBeCloseTo(0.5, 12)
    expect(capped.details.variables.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
    const equal = await identify(file, file, { weightCap: 0.1 })
    for (const { weight } of equal.details.variables) expect(weight).toBeCloseTo(1 / 3, 12)
  })

  it('one original record is not enough', async () => {
    const one = tableOf('original', { x: [1], g: ['a'] })
    expect((await epsilonIdentifiability(release({ original: one, released }))).status).toBe('not applicable')
  })
})

/** The definition, pair by pair. */
function bruteForce(x: readonly (readonly number[])[], y: readonly (readonly number[])[], weights: readonly number[]) {
  const range = Math.max(...[...x, ...y].map((row) => row[0])) - Math.min(...[...x, ...y].map((row) => row[0])) || 1
  const d = (a: readonly number[], b: readonly number[]) => {
    const parts = [(Math.abs(a[0] - b[0]) * weights[0]) / range, a[1] === b[1] ? 0 : weights[1]]
    return Math.round((parts[0] + parts[1]) * 1e9)
  }
  let strict = 0
  let adjusted = 0
  for (const [i, row] of x.entries()) {
    const inside = x.flatMap((other, j) => (i === j ? [] : [d(row, other)]))
    const outside = y.map((other) => d(row, other))
    const least = Math.min(...inside, ...outside)
    const a = inside.filter((one) => one === least).length
    const b = outside.filter((one) => one === least).length
    if (a === 0) strict++
    adjusted += b / (a + b)
  }
  return { strict: strict / x.length, adjusted: adjusted / x.length }
}

describe('properties', () => {
  const rows = (least: number) =>
    fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 })), {
      minLength: least,
      maxLength: 30,
    })
  const toTable = (name: string, list: readonly (readonly number[])[]) =>
    tableOf(name, { x: list.map((r) => r[0]), g: list.map((r) => `g${r[1]}`) })

  it('equals the definition pair by pair, ties included', async () => {
    await fc.assert(
      fc.asyncProperty(rows(2), rows(1), async (x, y) => {
        const { details } = await identify(toTable('original', x), toTable('released', y))
        const expected = bruteForce(
          x,
          y,
          details.variables.map(({ weight }) => weight),
        )
        expect(details.closer.strictRate).toBeCloseTo(expected.strict, 9)
        expect(details.closer.adjustedRate).toBeCloseTo(expected.adjusted, 9)
      }),
    )
  })

  it('the adjusted rate of fresh draws is m/(m + n - 1) on average, ties or not; the strict rate is not', async () => {
    const random = stream(3, 'test')
    let adjusted = 0
    let strict = 0
    let alarms = 0
    const runs = 300
    const draw = (name: string, n: number) =>
      tableOf(name, {
        x: Array.from({ length: n }, () => random.below(12)),
        g: Array.from({ length: n }, () => `g${random.below(3)}`),
      })
    for (let run = 0; run < runs; run++) {
      const { details, effect } = await identify(draw('original', 20), draw('released', 15))
      adjusted += details.closer.adjustedRate / runs
      strict += details.closer.strictRate / runs
      if ((effect?.p ?? 0) < 0.05) alarms++
    }
    expect(alarms).toBeLessThanOrEqual(0.08 * runs)
    expect(adjusted).toBeCloseTo(15 / 34, 1)
    expect(Math.abs(adjusted - 15 / 34)).toBeLessThan(0.015)
    expect(strict).toBeLessThan(15 / 34 - 0.05)
  })
})

describe('with a holdout', () => {
  const random = stream(9, 'test')
  const draw = (name: string, n: number) =>
    tableOf(name, {
      x: Array.from({ length: n }, () => random.uniform()),
      z: Array.from({ length: n }, () => random.uniform()),
    })

  it('a copy of the original loses privacy, independent data do not', async () => {
    const people = draw('original', 120)
    const holdout = draw('holdout', 100)
    const copy = await identify(people, people, {}, { holdout })
    expect(copy.details.holdout).toMatchObject({ records: 100, originalRate: 1 })
    expect(copy.details.holdout?.privacyLoss ?? 0).toBeGreaterThan(0.3)
    expect(copy.details.holdout?.pValue).toBeCloseTo(1 / 200, 12)
    expect(copy.looks?.[0]).toMatchObject({
      value: 1,
      controls: { fair: { value: copy.details.holdout?.holdoutRate, basis: 'outsiders' }, everything: { value: 1 } },
      effect: { value: copy.details.holdout?.privacyLoss, p: copy.details.holdout?.pValue },
      leakage: { value: expect.closeTo(1, 12) },
    })
    const fresh = await identify(people, draw('released', 120), {}, { holdout })
    expect(Math.abs(fresh.details.holdout?.privacyLoss ?? 1)).toBeLessThan(0.25)
    expect(fresh.details.holdout?.pValue ?? 0).toBeGreaterThan(0.01)
    expect(fresh.looks?.[0].effect.lower).toBeLessThan(0)
    expect(fresh.effect?.p).toBeGreaterThan(0.01)
  })

  it('rates are shares of their own file, also when the files differ in size', async () => {
    const { details } = await identify(
      draw('original', 200),
      draw('released', 50),
      {},
      { holdout: draw('holdout', 20) },
    )
    expect(details.holdout?.records).toBe(20)
    expect(details.holdout?.holdoutRate ?? 2).toBeLessThanOrEqual(1)
  })
})

it('samples queries from large files, with an interval and the same draw for the same seed', async () => {
  const random = stream(4, 'test')
  const draw = (name: string, n: number) =>
    tableOf(name, {
      x: Array.from({ length: n }, () => random.uniform()),
      g: Array.from({ length: n }, () => `g${random.below(4)}`),
    })
  const [a, b] = [draw('original', 3000), draw('released', 3000)]
  const exact = await identify(a, b)
  const sampled = await identify(a, b, { exactUpTo: 1000, queries: 500 })
  const width = (of: typeof exact) => (of.interval?.upper ?? 1) - (of.interval?.lower ?? 0)
  expect(width(exact)).toBeLessThan(width(sampled) / 2)
  expect(sampled.details.closer).toMatchObject({ queries: 500, sampled: true })
  expect(sampled.interval?.method).toBe('wilson')
  expect(sampled.interval?.lower ?? 1).toBeLessThanOrEqual((exact.value ?? 0) + 1e-12)
  expect(sampled.interval?.upper ?? 0).toBeGreaterThanOrEqual(exact.value ?? 1)
  expect((await identify(a, b, { exactUpTo: 1000, queries: 500 })).details.closer).toEqual(sampled.details.closer)
  expect(sampled.records.filter((score) => !Number.isNaN(score)).length).toBe(500)
})

it('says nothing where most records are incomplete', async () => {
  const holes = (name: string, missing: number) =>
    tableOf(name, {
      a: Array.from({ length: 40 }, (_, row) => (row < missing ? null : row % 7)),
      b: Array.from({ length: 40 }, (_, row) => (row * 3) % 11),
    })
  const at = async (missing: number) =>
    (await epsilonIdentifiability(release({ original: holes('o', missing), released: holes('r', 0) }))).releases[0]
  expect((await at(30)).notAssessed).toEqual({ code: 'incomplete', file: 'o', complete: 10, records: 40 })
  expect((await at(30)).leakage).toBeNull()
  expect((await at(10)).notAssessed).toBeUndefined()
})
