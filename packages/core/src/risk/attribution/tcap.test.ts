import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tcap } from '../../peers/risk/attribution/tcap.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'

type Options = Parameters<typeof tcap>[1]
const riskutility = { definition: 'riskutility' } as const

async function run(of: Parameters<typeof tcap>[0], options: Options = {}) {
  const result = await tcap(of, options, { records: true })
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

/** Percent with four digits, as the reference prints; null where undefined. */
const kinds = ({ details: d }: Awaited<ReturnType<typeof run>>) =>
  [d.certain, d.matched, d.conditional].map(({ share }) => (share === null ? null : Number((100 * share).toFixed(4))))

const letters = (o: [string, string], s: [string, string]) =>
  keyAndTarget({ k: [...o[0]], t: [...o[1]] }, { k: [...s[0]], t: [...s[1]] })

describe('the worked example', () => {
  it('as riskutility computes it', async () => {
    const found = await run(example(), riskutility)
    expect(kinds(found)).toEqual([50, 58.3333, 77.7778])
    const { details: d } = found
    expect([d.certain.count, d.matched.count, d.conditional]).toEqual([6, 7, { share: 7 / 9, count: 7, of: 9 }])
    expect(d.levels).toEqual({ high: 7, medium: 3, low: 2 })
    expect(found.warnings.join()).toContain('disclosed for certain')
  })

  it('is DiSCO / DiS by default, with chance, prior knowledge and an interval', async () => {
    const { value, interval, details: d, controls, effect } = await run(example())
    expect(value).toBeCloseTo(8 / 11, 12)
    expect([d.iS, d.DiS, d.DiSCO]).toEqual([0.875, 0.6875, 0.5])
    expect(d.chance.expected).toBeCloseTo(0.2869318, 7)
    expect(d.baselines?.b2.mean).toBeCloseTo(0.6969697, 7)
    expect(interval).toMatchObject({ method: 'wilson' })
    // Eleven claims, eight right; everybody else's records would be right about them in 8 1/3 cases.
    expect(controls?.fair).toMatchObject({ value: expect.closeTo(8 / 11 + 1 / 33, 12), basis: 'leave-one-out' })
    expect(effect?.value).toBeCloseTo(-1 / 33, 12)
    expect([controls?.nothing?.value, controls?.everything?.value]).toEqual([d.baselines?.b1.mean, 1])
  })

  it('with a holdout', async () => {
    const { details: d, looks } = await run(example({ holdout: true }))
    // Of six people four are shown one value, two of them the right one.
    expect(d.marginal?.DiSCO.difference).toBeCloseTo(1 / 6, 12)
    expect([d.marginal?.ofKind?.holdout, looks?.[0].controls.fair?.value]).toEqual([0.5, 0.5])
    expect(looks?.[0].effect.value).toBeCloseTo(8 / 11 - 1 / 2, 12)
  })

  it('matched and certain: the same claims over other people', async () => {
    const matched = await run(example(), { kind: 'matched' })
    expect(matched.effect?.value).toBeCloseTo(-1 / 3 / 14, 12)
    expect([matched.controls?.everything?.value, matched.controls?.nothing?.value]).toEqual([
      0.5625,
      expect.closeTo((11 * (matched.details.baselines?.b1.mean ?? 0)) / 14, 12),
    ])
    const certain = await run(example(), { kind: 'certain' })
    expect([certain.effect, certain.notAssessed?.text]).toEqual([undefined, expect.stringContaining('no holdout')])
    expect((await run(example({ holdout: true }), { kind: 'certain' })).controls?.fair?.basis).toBe('outsiders')
  })
})

describe('small examples by hand: certain, matched, conditional', () => {
  it.each<[string, [string, string], [string, string], (number | null)[]]>([
    ['partly disclosive', ['AAABDD', '112234'], ['ABDD', '1234'], [16.6667, 50, 75]],
    ['one mixed class', ['AABBC', '12111'], ['AABC', '1211'], [60, 60, 100]],
    ['two targets in every class, S = O', ['AABB', '1212'], ['AABB', '1212'], [0, 0, null]],
    ['distinct keys, S = O', ['ABC', '123'], ['ABC', '123'], [100, 100, 100]],
    ['no overlap', ['A', '1'], ['B', '1'], [null, null, null]],
  ])('%s', async (_, o, s, expected) => {
    expect(kinds(await run(letters(o, s)))).toEqual(expected)
  })

  it('marks the records to whom one value is shown', async () => {
    const { records } = await run(letters(['AAABDD', '112234'], ['ABDD', '1234']))
    expect(Array.from(records?.oneValueShown ?? [])).toEqual([1, 1, 1, 1, 0, 0])
    expect(Array.from(records?.right ?? [])).toEqual([1, 1, 0, 1, 0, 0])
  })
})

describe('nothing claimed is undefined, not 0', () => {
  const mixed = letters(['AABB', '1212'], ['AABB', '1212'])

  it('null with a reason', async () => {
    const { value, reason, interval } = await run(mixed)
    expect([value, interval]).toEqual([null, null])
    expect(reason?.text).toContain('nothing is claimed')
  })

  it('0 only in the words of riskutility, and with a warning', async () => {
    const { value, warnings } = await run(mixed, riskutility)
    expect(value).toBe(0)
    expect(warnings.join()).toContain('undefined')
  })

  it('without a match the other two are undefined under both definitions', async () => {
    const none = letters(['A', '1'], ['B', '1'])
    for (const definition of ['scrim', 'riskutility'] as const)
      expect((await run(none, { definition, kind: 'matched' })).value).toBeNull()
  })
})

describe('matching by distance', () => {
  it('a right claim is certain as it is, so certain equals matched', async () => {
    const { details: d } = await run(example(), { matching: 'gower', threshold: 0.1 })
    expect(d.certain.count).toBe(d.matched.count)
    expect(d.baselines).toBeNull()
  })

  it('missing keys match anything there: (a, -) finds (a, x) and (a, y) as well', async () => {
    const { records } = await run(example(), { matching: 'gower', threshold: 0.1 })
    expect(Array.from(records?.matches ?? []).slice(12, 14)).toEqual([4, 4])
  })
})

it('does not rise when a record is copied or the release is written twice', async () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(rows, rows, async (o, s) => {
      const of = (times: number) =>
        release({
          original: tableOfRows('o', ['k', 't'], o),
          released: tableOfRows('s', ['k', 't'], Array<typeof s>(times).fill(s).flat()),
          keys: ['k'],
          target: 't',
        })
      const [once, twice] = [await run(of(1)), await run(of(2))]
      expect(kinds(twice)).toEqual(kinds(once))
      const { iS, DiS, DiSCO, conditional, matched, certain } = once.details
      expect(DiSCO).toBeLessThanOrEqual(DiS)
      expect(DiS).toBeLessThanOrEqual(iS)
      if (conditional.share !== null) expect(DiSCO).toBeLessThanOrEqual(conditional.share + 1e-12)
      if (matched.share !== null && certain.share !== null) expect(certain.share).toBeLessThanOrEqual(matched.share)
      if (matched.share !== null && conditional.share !== null)
        expect(matched.share).toBeLessThanOrEqual(conditional.share + 1e-12)
    }),
    { numRuns: 50 },
  )
})

describe.skipIf(reference() === undefined)('the running example of the riskutility vignette', async () => {
  if (reference() === undefined) return
  const table = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const original = await table('original')
  const keys = ['age', 'sex', 'education', 'region']

  it.each([
    ['synthetic', [5.1282, 7.6923, 9.7826], [6, 9, 92], { high: 9, medium: 5, low: 103 }],
    ['near-copy', [41.8972, 49.8024, 63], [106, 126, 200], null],
  ])('%s', async (name, percentages, counts, levels) => {
    const of = release({ original, released: await table(name), keys, target: 'income' })
    const found = await run(of, riskutility)
    expect(kinds(found)).toEqual(percentages)
    const { certain, conditional } = found.details
    expect([certain.count, conditional.count, conditional.of]).toEqual(counts)
    if (levels !== null) expect(found.details.levels).toEqual(levels)
  })
})
