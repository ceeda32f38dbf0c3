import { describe, expect, it } from 'vitest'
import { permutation } from '../../random/sampling.js'
import { type Stream, stream } from '../../random/stream.js'
import { categorical } from '../../table/column.js'
import { type Release, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { memorisation } from './memorisation.js'
import { memorisationTail } from './memorisation-tail.js'

async function find(of: Release, options = {}, how = {}) {
  const { details, ...finding } = (await memorisationTail(of, options, how)).releases[0]
  if (details === null) throw new Error('no details')
  return { ...finding, details }
}

const numbers = (original: readonly number[], released: readonly number[]) =>
  release({ original: tableOf('original', { x: original }), released: tableOf('released', { x: released }) })

describe('memorisation-tail', () => {
  it('looks at equal records alone, with the chance of as many', async () => {
    // four of ten are copied, and by chance each of the four would be released with 10 / 19
    const original = Array.from({ length: 10 }, (_, k) => 100 * k)
    const released = original.map((x, k) => (k < 4 ? x : x + 37))
    const twice = (name: string, x: readonly number[]) => tableOf(name, { x, y: x.map((value) => -value) })
    const of = release({ original: twice('original', original), released: twice('released', released) })
    const [equal] = (await find(of)).looks ?? []
    expect(equal).toMatchObject({ what: 'equal records alone', value: 0.4, narrow: true })
    expect(equal.effect.value).toBeCloseTo(0.4 * (9 / 19), 6)
    expect(equal.leakage?.value).toBeCloseTo(0.4, 6)
    expect(equal.effect.p).toBeCloseTo((10 / 19) ** 4, 4)
  })

  it('does not take values of a column that were drawn again for copies of records', async () => {
    // ten values drawn ten times: one person in ten misses e⁻¹ of the draws
    const values = Array.from({ length: 10 }, (_, k) => 100 * k)
    const [equal] = (await find(numbers(values, [0, 0, 100, 200, 300, 300, 400, 600, 700, 800]))).looks ?? []
    expect(equal.controls.fair?.value).toBeCloseTo(1 - Math.exp(-1), 12)
    expect(equal.effect.p).toBeGreaterThan(0.1)
    const more = Array.from({ length: 60 }, (_, k) => 100 * k)
    const [copy] = (await find(numbers(more, more))).looks ?? []
    expect(copy.leakage?.value).toBeCloseTo(1, 9)
  })

  it('finds who has a twin, and the share of copies behind it', async () => {
    // 0 has a released record at 1, all others are 100 away or more; of the four records around it two are released
    const { value, controls, effect, leakage, people, records } = await find(
      numbers([0, 100, 200], [1, 500]),
      {},
      { records: true },
    )
    expect(value).toBeCloseTo(1 / 3, 12)
    expect(controls?.fair).toMatchObject({ value: expect.closeTo(0.5 / 3, 12), basis: 'leave-one-out' })
    expect(effect).toMatchObject({ value: expect.closeTo(0.5 / 3, 12), ceiling: 0.5 })
    expect(leakage?.value).toBeCloseTo(1 / 3, 12)
    expect(people).toBe(1)
    expect(Array.from(records?.twin ?? [])).toEqual([1, 0, 0])
    expect(Array.from(records?.twinBeyondChance ?? [])).toEqual([0.5, 0, 0])
  })

  it('is strict: a duplicate among the originals is as near as a copy', async () => {
    const { value, details, effect } = await find(numbers([5, 5, 80], [5, 5, 40]))
    expect(value).toBe(0)
    // Of the three only 80 can have a twin.
    expect(details.unequalled).toBeCloseTo(1 / 3, 12)
    expect(effect?.ceiling).toBeCloseTo((1 / 3) * (2 / 5), 12)
    // for a 5: its duplicate and two copies at 0, of five records around it three are released: 3/5 · 2/4 · 1/3
    expect(details.chance).toBeCloseTo((2 * (3 / 5) * (2 / 4) * (1 / 3)) / 3, 12)
  })

  it.each([
    [[0, 1, 30, 31, 90, 400], 3],
    [[0, 0, 1, 40, 1000, 1001, 3000], 3],
    [[0, 0, 0, 10, 500, 501, 502], 5],
  ])('has as many twins as expected over all ways to call %j originals and released', async (points, originals) => {
    let [twins, chance] = [0, 0]
    for (const chosen of subsets(points.length, originals)) {
      const { details } = await find(
        numbers(
          points.filter((_, i) => chosen.includes(i)),
          points.filter((_, i) => !chosen.includes(i)),
        ),
      )
      twins += details.twins
      chance += details.chance
    }
    expect(chance).toBeCloseTo(twins, 9)
    expect(twins).toBeGreaterThan(0)
  })

  it('is 1 for the original itself, among those who can have a twin', async () => {
    // A third of the records comes twice.
    const spread = Array.from({ length: 600 }, (_, i) => (i % 6 < 2 ? 100 * (i - (i % 6)) : 100 * i + 50))
    const { value, leakage, details } = await find(numbers(spread, spread))
    expect(value).toBeCloseTo(2 / 3, 2)
    expect(details.unequalled).toBeCloseTo(2 / 3, 2)
    expect(leakage?.p).toBeLessThan(1e-12)
    expect(Math.abs((leakage?.value ?? 0) - 1)).toBeLessThan(0.15)
  })

  it('is sound for two records and for copies of them', async () => {
    const { details, effect, people } = await find(numbers([0, 10], [0, 10]))
    expect(details).toMatchObject({ twins: 1, halves: { twins: 1, leakage: null, standardError: null } })
    expect(effect).toMatchObject({ value: expect.closeTo(1 / 3, 12), ceiling: expect.closeTo(1 / 3, 12) })
    expect(effect?.p).toBeGreaterThan(0.05)
    expect(effect?.lower).toBeLessThan(0)
    expect(people, 'two people are too few for a scale').toBeNull()
  })

  it('says so where nobody can have a twin: every original has an equal', async () => {
    const twice = numbers([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3])
    expect(await find(twice)).toMatchObject({
      value: 0,
      leakage: null,
      notAssessed: { code: 'no-scale' },
    })
  })

  // Halves of the original have fewer equal records than original and release together, and another balance: against
  // them nearly all of these honest releases would raise an alarm (the third has few, since the release is small).
  it.each([
    [250, 250],
    [200, 600],
    [300, 100],
  ])('raises few alarms on coarse honest releases of %i and %i records', async (n, m) => {
    const runs = repeats(40, 100)
    let [alarms, againstHalves] = [0, 0]
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'coarse')
      const { effect, details } = await find(release({ original: coarse(n, random), released: coarse(m, random) }))
      if ((effect?.p ?? 1) < 0.025) alarms++
      const { leakage, standardError } = details.halves
      if ((leakage ?? 0) > 1.645 * (standardError ?? 1)) againstHalves++
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.06)
    if (m >= n) expect(againstHalves / runs).toBeGreaterThan(0.5)
  })
})

/** 864 kinds of people: equal records are common, but not the rule. */
function coarse(rows: number, random: Stream): Table {
  const letters = (kinds: number) => Array.from({ length: rows }, () => String(random.below(kinds)))
  return table(
    'coarse',
    [6, 6, 6, 4].map((kinds, j) => categorical(`c${j}`, letters(kinds))),
  )
}

function subsets(n: number, size: number): number[][] {
  if (size === 0) return [[]]
  if (n < size) return []
  return [...subsets(n - 1, size), ...subsets(n - 1, size - 1).map((rest) => [...rest, n - 1])]
}

describe.skipIf(reference() === undefined)('on the case study of the vignette', () => {
  const load = (name: string) => referenceTable('golden', 'vignette', `case-${name}.csv`)

  it.each([
    // One-sided p, and from where to where the one-sided bounds of the leakage reach.
    ['a-independent', 0.045, 0.083, [0.5, 1], [-0.05, 0.05]],
    ['b-bootstrap-noise', 0.074, 0.124, [0, 0.025], [0, 0.1]],
    ['c-near-copy', 0.142, 0.255, [0, 1e-6], [0.05, 0.3]],
    ['original', 1, 1, [0, 1e-12], [0.9, 1.1]],
  ] as const)('%s', async (name, twins, twinsAtTenth, p, bounds) => {
    const of = release({ original: await load('original'), released: await load(name) })
    const { value, details, leakage } = await find(of)
    expect(value).toBeCloseTo(twins, 12)
    expect(details.curve.find(({ ratio }) => ratio === 0.1)?.twins).toBeCloseTo(twinsAtTenth, 12)
    expect((await find(of, { ratio: 0.1 })).value).toBeCloseTo(twinsAtTenth, 12)
    // 20 random halves gave 0.054; this is the mean over all of them
    expect(Math.abs(details.halves.twins - 0.054)).toBeLessThan(0.004)
    expect(leakage?.p).toBeGreaterThanOrEqual(p[0])
    expect(leakage?.p).toBeLessThan(p[1])
    expect(leakage?.lower).toBeGreaterThan(bounds[0])
    expect(leakage?.upper).toBeLessThan(bounds[1])
  })

  it('has the mean over halves in closed form', async () => {
    const original = await load('original')
    const exact = (await find(release({ original, released: original }))).details.halves.twins
    const random = stream(1, 'halves')
    const runs = 30
    let sum = 0
    for (let run = 0; run < runs; run++) {
      const order = permutation(random, original.rows)
      const [first, second] = [order.subarray(0, 500), order.subarray(500)].map((rows) => selectRows(original, rows))
      sum += (await find(release({ original: first, released: second }))).details.twins
    }
    expect(Math.abs(sum / runs - exact)).toBeLessThan(0.004)
  })

  it('sees copies that are masked by poor data', async () => {
    const { original, released } = release({
      original: await load('original'),
      released: await load('a-independent'),
    })
    const place = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k)
    const masked = table(
      'masked',
      released[0].columns.map((column, j) => {
        const copied = original.columns[j]
        if (column.kind === 'categorical' && copied.kind === 'categorical')
          return { ...column, codes: Int32Array.from([...column.codes.slice(0, 900), ...copied.codes.slice(0, 100)]) }
        if (column.kind === 'numeric' && copied.kind === 'numeric')
          return {
            ...column,
            values: Float64Array.from([...column.values.slice(0, 900), ...copied.values.slice(0, 100)]),
          }
        return column
      }),
    )
    expect(selectRows(masked, place(900, 1000)).rows).toBe(100)
    const of = release({ original, released: masked })
    const bulk = (await memorisation(of)).releases[0]
    expect(bulk.leakage?.p).toBeGreaterThan(0.025)
    expect(bulk.leakage?.upper).toBeLessThan(0.3)
    const { value, leakage, people } = await find(of)
    expect(value).toBeCloseTo(0.138, 12)
    expect(Math.abs((leakage?.value ?? 0) - 0.1)).toBeLessThan(0.02)
    expect(Math.abs((people ?? 0) - 100)).toBeLessThan(20)
    expect(leakage?.p).toBeLessThan(1e-6)
    expect(leakage?.lower).toBeGreaterThan(0.05)
  })
})
