import { describe, expect, it } from 'vitest'
import { identicalMatches } from '../../peers/risk/distance/identical-matches.js'
import { type Stream, stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'

type Rows = readonly (readonly (string | number | null)[])[]
const rows = (name: string, of: Rows) => tableOfRows(name, ['age', 'sex'], of)
const of = (original: Rows, released: Rows, holdout?: Rows) =>
  release({
    original: rows('original', original),
    released: rows('released', released),
    holdout: holdout === undefined ? undefined : rows('holdout', holdout),
  })

async function detailsOf(...args: Parameters<typeof identicalMatches>) {
  const { details, reason } = (await identicalMatches(...args)).releases[0]
  if (details === null) throw new Error(reason?.text)
  return details
}

const FIVE: Rows = [
  [25, 'M'],
  [30, 'F'],
  [35, 'M'],
  [40, 'F'],
  [45, 'M'],
]

describe('identical-matches', () => {
  it('of a copy is 1, and found without anybody outside', async () => {
    const { value, controls, effect, leakage } = (await identicalMatches(of(FIVE, FIVE))).releases[0]
    expect(value).toBe(1)
    expect(controls).toMatchObject({ fair: { value: 0, basis: 'leave-one-out' }, everything: { value: 1 } })
    // Fisher: one of C(10, 5); Newcombe from the Wilson ends 5 / (5 + z²) and z² / (5 + z²), z = 1.645
    expect(effect?.p).toBeCloseTo(1 / 252, 12)
    expect(effect?.lower).toBeCloseTo(1 - Math.SQRT2 * (2.705543 / 7.705543), 6)
    expect(leakage?.value).toBe(1)
  })

  it('expects as many equals as the originals have among themselves', async () => {
    const original: Rows = [
      [25, 'M'],
      [25, 'M'],
      [30, 'F'],
      [30, 'F'],
      [30, 'F'],
      [35, 'M'],
    ]
    const { value, controls, effect, details } = (
      await identicalMatches(
        of(original, [
          [25, 'M'],
          [35, 'M'],
          [99, 'F'],
        ]),
      )
    ).releases[0]
    expect(value).toBeCloseTo(2 / 3, 12)
    // Five of six have an equal; one row is there once (N1), one twice (N2).
    expect(details?.repeated).toEqual({ count: 5, share: 5 / 6 })
    expect(controls?.fair?.se).toBeCloseTo(Math.sqrt((5 / 36 + 2 / 6) / 6), 12)
    expect(effect?.value).toBeCloseTo(2 / 3 - 5 / 6, 12)
  })

  it('is not fooled by coarse data, nor does it miss copies in them', async () => {
    const runs = 200
    let [found, sum, copies] = [0, 0, 0]
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'coarse')
      const original = coarse(150 + (run % 2) * 150, random)
      const fresh = coarse(200, random)
      const { effect } = (await identicalMatches(of(original, fresh))).releases[0]
      sum += (effect?.value ?? 1) / runs
      if ((effect?.p ?? 0) < 0.05) found++
      const mixed = [...original.slice(0, 100), ...fresh.slice(100)]
      if (((await identicalMatches(of(original, mixed))).releases[0].effect?.p ?? 1) < 0.05) copies++
    }
    expect(found / runs).toBeLessThanOrEqual(0.07)
    expect(Math.abs(sum)).toBeLessThan(0.01)
    expect(copies / runs).toBeGreaterThan(0.5)
  })

  it('counts the released records that equal an original one', async () => {
    const released: Rows = [
      [25, 'M'],
      [30, 'F'],
      [99, 'X'],
      [99, 'Y'],
    ]
    const result = await identicalMatches(of(FIVE, released))
    expect(result.value).toBe(0.5)
    expect(result.releases[0].details).toMatchObject({
      identical: { count: 2, share: 0.5 },
      riskutility: { imsPass: false, level: 'SERIOUS', repuPass: false },
    })
  })

  it('tells matches of unique records from those of frequent ones', async () => {
    const original: Rows = [
      [25, 'M'],
      [25, 'M'],
      [30, 'F'],
      [35, 'M'],
      [40, 'F'],
    ]
    const { identical, identicalToUnique, copied, matchCounts } = await detailsOf(
      of(original, [
        [25, 'M'],
        [30, 'F'],
      ]),
    )
    expect(identical.count).toBe(2)
    expect(identicalToUnique.count).toBe(1)
    expect(copied).toEqual({ records: { count: 3, share: 0.6 }, uniques: 1, uniquesShare: 1 / 3 })
    expect(matchCounts).toEqual({
      mean: 1.5,
      max: 2,
      distribution: [
        { originals: 1, released: 1 },
        { originals: 2, released: 1 },
      ],
    })
  })

  it('compares with people outside, and splits a match over all equal real records', async () => {
    const holdout: Rows = [
      [25, 'M'],
      [30, 'F'],
      [50, 'F'],
      [51, 'F'],
    ]
    const released: Rows = [
      [25, 'M'],
      [35, 'M'],
      [50, 'F'],
      [99, 'F'],
    ]
    const { identical, identicalToHoldout, outsiders, labels } = await detailsOf(of(FIVE, released, holdout))
    expect(identical).toEqual({ count: 2, share: 0.5 })
    expect(identicalToHoldout).toEqual({ count: 2, share: 0.5 })
    expect(outsiders).toMatchObject({ count: 2, share: 0.5, excess: 0 })
    // Half of (25, M), all of (35, M), none of (50, F).
    expect(labels?.share).toBeCloseTo(1.5 / 3, 12)
    expect(labels?.expected).toBeCloseTo(5 / 9, 12)
    const { looks } = (await identicalMatches(of(FIVE, released, holdout))).releases[0]
    expect(looks).toMatchObject([
      {
        value: labels?.share,
        // Of the original itself 25 and 30 would share their credit with an outsider: (3 + 2 / 2) / 5.
        controls: { fair: { value: 5 / 9, basis: 'outsiders' }, everything: { value: expect.closeTo(0.8, 12) } },
        effect: { value: expect.closeTo(0.5 - 5 / 9, 12), p: labels?.p },
      },
    ])
  })

  it('takes missing for a value, or leaves the record out', async () => {
    const gap: Rows = [
      [25, null],
      [30, 'F'],
    ]
    expect((await identicalMatches(of(gap, gap))).value).toBe(1)
    const dropped = await identicalMatches(of(gap, [...gap, [31, 'F']]), { missing: 'drop' })
    expect(dropped.value).toBe(0.5)
    expect(dropped.releases[0].warnings).toHaveLength(2)
  })

  it('flags the original records that stand in the release', async () => {
    const original: Rows = [
      [25, 'M'],
      [25, 'M'],
      [30, 'F'],
      [35, 'M'],
    ]
    const released: Rows = [
      [25, 'M'],
      [30, 'F'],
      [30, 'F'],
    ]
    const { releases } = await identicalMatches(of(original, released), {}, { records: true })
    expect(Array.from(releases[0].records?.identicalReleased ?? [])).toEqual([1, 1, 2, 0])
    expect(Array.from(releases[0].records?.uniqueCopied ?? [])).toEqual([0, 0, 1, 0])
  })

  it('looks at people outside only where something is identical', async () => {
    const [{ looks, effect }] = (await identicalMatches(of(FIVE, [[99, 'F']], [[50, 'F']]))).releases
    expect(looks).toBeUndefined()
    expect(effect).toMatchObject({ value: 0, p: 1 })
    expect(effect?.upper).toBeGreaterThan(0.5)
  })
})

/** Some 250 kinds of people, a few of them frequent. */
function coarse(rows: number, random: Stream): Rows {
  return Array.from({ length: rows }, () => [
    Math.floor(25 * (random.uniform() * random.uniform())),
    'abcdefghij'[random.below(10)],
  ])
}

describe.skipIf(reference() === undefined)('identical-matches on reference data', () => {
  const vignette = (name: string) => referenceTable(`golden/vignette/${name}.csv`)

  it.each(['synthetic', 'near-copy'])('vignette, %s: none', async (name) => {
    const found = await identicalMatches(
      release({ original: await vignette('original'), released: await vignette(name) }),
    )
    expect(found.value).toBe(0)
  })

  it.each([
    ['case-a-independent', 6],
    ['case-b-bootstrap-noise', 2],
    ['case-c-near-copy', 1],
  ])('case study, %s: %i', async (name, identical) => {
    const found = await detailsOf(
      release({ original: await vignette('case-original'), released: await vignette(name) }),
    )
    expect(found.identical.count).toBe(identical)
    expect(found.identicalToUnique.count).toBe(identical)
  })

  it('Adult with and without the weight column', async () => {
    const adult = (name: string) => referenceTable(`data/adult/adults_${name}.csv`)
    const [original, holdout, released] = await Promise.all(['train', 'control', 'syn_ctgan'].map(adult))
    const all = release({ original, holdout, released })
    expect(await detailsOf(all)).toMatchObject({ identical: { count: 0 }, identicalToHoldout: { count: 0 } })
    const without = await detailsOf(all, { variables: all.variables.filter((name) => name !== 'fnlwgt') })
    expect(without).toMatchObject({
      identical: { count: 560 },
      identicalToUnique: { count: 260 },
      identicalToHoldout: { count: 214 },
      outsiders: { count: 1796 },
      riskutility: { imsPass: false, level: 'ELEVATED' },
    })
    expect(without.identical.share).toBeCloseTo(0.01434, 5)
    expect(without.outsiders?.share).toBeCloseTo(0.184, 3)
    const { effect } = (await identicalMatches(all, { variables: all.variables.filter((name) => name !== 'fnlwgt') }))
      .releases[0]
    // Originals equal each other as often as people outside equal one of them: far more often than these records.
    expect(without.repeated.share).toBeCloseTo(0.184, 2)
    expect(effect?.upper).toBeLessThan(-0.15)
  })
})
