import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repu } from '../../peers/risk/attribution/repu.js'
import { stream } from '../../random/stream.js'
import { independentMarginals } from '../../synthesizers/independent.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceJson, referenceTable } from '../../testing/reference.js'
import { example } from '../../testing/scenes/example.js'

type Options = Parameters<typeof repu>[1]
const riskutility = { definition: 'riskutility' } as const

async function run(of: Parameters<typeof repu>[0], options: Options = {}) {
  const result = await repu(of, options, { records: true })
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

type Rows = readonly (readonly (string | number | null)[])[]
const pair = (o: Rows, s: Rows, names = ['a', 'b'], holdout?: Rows) =>
  release({
    original: tableOfRows('o', names, o),
    released: tableOfRows('s', names, s),
    ...(holdout === undefined ? {} : { holdout: tableOfRows('h', names, holdout) }),
    keys: names,
  })

it('the worked example: UiO, UiS, UiOiS, repU', async () => {
  const { value, details: d, controls, effect } = await run(example())
  expect([value, d.UiO, d.UiS, d.UiOiS, d.repU]).toEqual([0.0625, 0.125, 4 / 12, 0.125, 0.0625])
  expect(d.repUofReleased).toBeCloseTo(1 / 12, 12)
  // Of keys with two records in all one is in both files (b,x), one in the original alone (c,x), one in the release alone (e,x).
  expect(d.pairs).toEqual({ mixed: 1, inOriginal: 1, inReleased: 1 })
  expect(effect).toMatchObject({ value: -1 / 16, p: 0.875, ceiling: 0.125 })
  expect(controls).toMatchObject({
    fair: { value: 2 / 16, basis: 'leave-one-out' },
    everything: { value: 0.125 },
  })
})

describe('small examples by hand', () => {
  const people: Rows = [
    [25, 'M'],
    [25, 'M'],
    [30, 'F'],
    [35, 'M'],
    [40, 'F'],
  ]

  it('two released records: all identical, half of them to a unique one', async () => {
    const of = pair(people, [
      [25, 'M'],
      [30, 'F'],
    ])
    const { value, details: d } = await run(of, riskutility)
    expect([value, d.identical.toAny.share, d.counts.uniqueInOriginal]).toEqual([0.5, 1, 3])
    expect(d.identical.uniquesCopiedShare).toBeCloseTo(1 / 3, 12)
    expect((await run(of)).value).toBe(0.2)
    expect((await run(of, { ...riskutility, uniquesOnly: false })).value).toBe(1)
  })

  it('a unique record released twice is a copy for one definition and unique for neither', async () => {
    const of = pair(people, [
      [30, 'F'],
      [30, 'F'],
    ])
    expect([(await run(of, riskutility)).value, (await run(of)).value]).toEqual([1, 0])
  })

  it('replicated.uniques: counts and flags', async () => {
    const of = pair(
      [
        ['a', 'x'],
        ['b', 'x'],
        ['b', 'x'],
        ['c', 'y'],
      ],
      [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'y'],
        ['c', 'y'],
      ],
    )
    const { details: d, records } = await run(of)
    expect(Object.values(d.counts)).toEqual([2, 2, 2, 1])
    expect([d.UiO, d.UiS, d.repU]).toEqual([0.5, 0.5, 0.25])
    expect(Array.from(records?.replicated ?? [])).toEqual([1, 0, 0, 0])
    expect(Array.from(records?.uniqueInOriginal ?? [])).toEqual([1, 0, 0, 1])
    expect(Array.from(records?.uniqueAndFound ?? [])).toEqual([1, 0, 0, 1])
  })

  it('no unique record at all: the copied share is undefined', async () => {
    const twins: Rows = [
      ['a', 'x'],
      ['a', 'x'],
    ]
    expect((await run(pair(twins, twins), riskutility)).details.identical.uniquesCopiedShare).toBeNull()
  })
})

describe('where the references go wrong', () => {
  it('one key is enough, and mixed numbers and texts are not padded', async () => {
    const one = pair([['a'], ['b']], [['a'], ['a']], ['k'])
    expect((await run(one)).details.counts).toMatchObject({ uniqueInOriginal: 2, uniqueInReleased: 0 })
    expect((await run(pair([['a'], ['b']], [['a']], ['k']))).details.counts.replicated).toBe(1)
    const ages = pair(
      [
        [9, 'M'],
        [50, 'F'],
      ],
      [
        [9, 'M'],
        [100, 'F'],
      ],
    )
    expect((await run(ages)).details.counts.replicated).toBe(1)
  })

  it('a level that only the other file has is not there', async () => {
    expect((await run(pair([['a'], ['b'], ['b']], [['b'], ['b'], ['b']], ['k']))).details.UiOiS).toBe(0)
  })

  it('riskutility leaves records with a missing value out; scrim takes missing as a value unless told', async () => {
    const of = pair(
      [
        ['a', null],
        ['b', 'x'],
      ],
      [
        ['a', null],
        ['b', 'x'],
      ],
    )
    expect((await run(of)).details.counts.replicated).toBe(2)
    const { details, records } = await run(of, { missing: 'drop' })
    expect([details.counts.replicated, details.dropped]).toEqual([1, { original: 1, released: 1 }])
    expect(Array.from(records?.replicated ?? [])).toEqual([Number.NaN, 1])
    expect((await run(of, riskutility)).details.records).toEqual({ original: 1, released: 1 })
  })
})

it('compares with people who are not in the data', async () => {
  const people = (from: number, n: number): Rows => Array.from({ length: n }, (_, k) => [`a${from + k}`, 'x'])
  const copied = await run(pair(people(0, 50), people(0, 50), ['a', 'b'], people(100, 50)))
  expect([copied.leakage?.value, copied.leakage?.p, copied.people]).toEqual([1, expect.closeTo(0, 12), 50])
  expect(copied.leakage?.lower).toBeGreaterThan(0.9)
  expect([copied.details.holdout?.repU, copied.details.marginal?.difference]).toEqual([0, 1])
  const coincidence = await run(pair(people(0, 50), people(25, 50), ['a', 'b'], people(50, 50)))
  expect(coincidence.effect).toMatchObject({ value: 0, p: 0.5 })
  expect(coincidence.controls?.fair).toMatchObject({ value: 0.5, basis: 'outsiders' })
  // Of the pairs within the files there are none, so that the 25 mixed ones stand out.
  expect(coincidence.looks?.[0].effect).toMatchObject({ value: 0.5, p: expect.closeTo(0.5 ** 25, 12) })
})

it('independent columns give what is expected of them', async () => {
  const draw = stream(2, 'people')
  const original = tableOfRows(
    'o',
    ['a', 'b'],
    Array.from({ length: 60 }, () => [`a${draw.below(9)}`, `b${draw.below(12)}`]),
  )
  const found = await Promise.all(
    Array.from({ length: 400 }, async (_, seed) => {
      const released = independentMarginals(original, { rows: 45, seed })
      const of = release({ original, released, keys: ['a', 'b'] })
      return { own: await run(of), theirs: await run(of, riskutility) }
    }),
  )
  for (const definition of ['own', 'theirs'] as const) {
    const mean = found.reduce((sum, one) => sum + (one[definition].value ?? 0), 0) / found.length
    expect(Math.abs((found[0][definition].controls?.nothing?.value ?? 0) - mean)).toBeLessThan(0.01)
  }
})

it.each([40, 120, 360])('%i honest records raise no more alarms than chance, with a holdout or without', async (m) => {
  const alarms = { pairs: 0, outsiders: 0 }
  const runs = 100
  for (let seed = 0; seed < runs; seed++) {
    const draw = stream(seed, 'honest')
    const people = (name: string, n: number) =>
      tableOfRows(
        name,
        ['a', 'b'],
        Array.from({ length: n }, () => [`a${draw.below(15)}`, `b${Math.floor(20 * draw.uniform() ** 2)}`]),
      )
    const [original, released, holdout] = [people('o', 120), people('s', m), people('h', 60)]
    const { effect, looks } = await run(release({ original, released, holdout, keys: ['a', 'b'] }))
    if ((effect?.p ?? 1) < 0.05) alarms.outsiders++
    if ((looks?.[0].effect.p ?? 1) < 0.05) alarms.pairs++
  }
  expect(alarms.outsiders / runs).toBeLessThanOrEqual(0.1)
  expect(alarms.pairs / runs).toBeLessThanOrEqual(0.1)
})

it('looks at the variables it is told, and names the nearest when one is wrong', async () => {
  const one = tableOf('o', { k: ['a', 'b'], income: [1, 2] })
  const of = release({ original: one, released: one, keys: ['k'] })
  expect((await run(of, riskutility)).details.variables).toEqual(['k', 'income'])
  expect((await run(of, { variables: ['income'] })).details.repU).toBe(1)
  await expect(run(of, { variables: ['incom'] })).rejects.toThrow('did you mean "income"?')
})

it('repU <= UiOiS <= UiO; a copy gives all of UiO; a file written twice has no uniques', async () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', null), fc.constantFrom('x', 'y')), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(rows, rows, async (o, s) => {
      const { details: d } = await run(pair(o, s))
      expect(d.repU).toBeLessThanOrEqual(d.UiOiS)
      expect(d.UiOiS).toBeLessThanOrEqual(d.UiO)
      const copy = (await run(pair(o, o))).details
      expect([copy.repU, copy.UiOiS, copy.UiS]).toEqual([copy.UiO, copy.UiO, copy.UiO])
      expect((await run(pair(o, [...s, ...s]))).details).toMatchObject({ UiS: 0, repU: 0, UiO: d.UiO })
      expect((await run(pair([...o, ...o], s))).details).toMatchObject({ UiO: 0, UiOiS: 0, repU: 0 })
    }),
    { numRuns: 40 },
  )
})

it.skipIf(reference() === undefined)('SD2011: five syntheses as synthpop prints them', async () => {
  const golden = referenceJson('golden/sd2011/synthpop-1.9-3.json') as Record<
    string,
    { ident: Record<string, number>[] }
  >
  const released = await Promise.all([1, 2, 3, 4, 5].map((k) => referenceTable(`golden/sd2011/synthetic-${k}.csv`)))
  const original = await referenceTable('golden/sd2011/original.csv')
  const result = await repu(release({ original, released, keys: ['sex', 'age', 'region', 'placesize'] }))
  for (const [k, { details }] of result.releases.entries()) {
    const found = [details?.UiO, details?.UiS, details?.UiOiS, details?.repU].map((share) => 100 * (share ?? 0))
    for (const [at, name] of ['UiO', 'UiS', 'UiOiS', 'repU'].entries())
      expect(found[at]).toBeCloseTo(golden.five_depress.ident[k][name], 8)
  }
})

it('outsiders with the same keys are replicated together, and count as one', async () => {
  const four = (key: string) => Array.from({ length: 4 }, () => [key, 'x'])
  const original = [
    ['a', 'x'],
    ['b', 'x'],
  ]
  const released = [
    ['a', 'x'],
    ['z', 'x'],
  ]
  const { controls } = await run(pair(original, released, ['a', 'b'], [...four('z'), ...four('y')]))
  // Half of eight people, all of one key and none of the other: the variance of two classes is that of one person.
  expect(controls?.fair).toMatchObject({ value: 0.5, se: 0.5, basis: 'outsiders' })
})
