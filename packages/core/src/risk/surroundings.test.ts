import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { independentMarginals } from '../synthesizers/independent.js'
import { synthesize } from '../synthesizers/synthesizer.js'
import { categorical, numeric, stackColumns } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { sharedInformation } from './shared-information/shared-information.js'
import { againstSurroundings, shareAround } from './surroundings.js'

describe('the share of released records around a person', () => {
  it('is that of ranks 6 to 20', () => {
    const ranks = (from: number, to: number, released: number) =>
      Array.from({ length: to - from + 1 }, () => ({ released, records: 1 }))
    expect(shareAround([...ranks(1, 5, 1), ...ranks(6, 20, 0), ...ranks(21, 30, 1)])).toBe(0)
    expect(shareAround([...ranks(1, 5, 0), ...ranks(6, 11, 1), ...ranks(12, 20, 0)])).toBeCloseTo(6 / 15, 12)
  })

  it('takes of ties what falls inside, in equal parts', () => {
    // Ranks 1 to 8 tie, 2 of them released: three of them are inside, a quarter of each is released.
    const groups = [
      { released: 2, records: 8 },
      { released: 12, records: 100 },
    ]
    expect(shareAround(groups)).toBeCloseTo((3 * (2 / 8) + 12 * (12 / 100)) / 15, 12)
    expect(shareAround([{ released: 1, records: 4 }])).toBe(0)
  })
})

describe('the comparison', () => {
  const given = (nearest: number, around: number, chance: number) => ({
    nearest: Float64Array.from({ length: 1000 }, (_, k) => (k < 1000 * nearest ? 1 : 0)),
    around: new Float64Array(1000).fill(around),
    chance,
    designEffect: 1,
    originals: 1000,
    ofOriginal: 1,
  })
  const leakage = (look: ReturnType<typeof againstSurroundings>) =>
    look === null
      ? null
      : look.effect.value / ((look.controls.everything?.value ?? 0) - (look.controls.fair?.value ?? 0))

  it('is made where fewer released records are around people than in a sample', () => {
    expect(againstSurroundings(given(0.5, 0.5, 0.5))).toBeNull()
    expect(againstSurroundings(given(0.9, 0.79, 0.8))).toBeNull()
    expect(againstSurroundings(given(0.9, 0.7, 0.8))).not.toBeNull()
  })

  it('is by odds, at no more released records than there are people', () => {
    // Odds of 3 where 2 are around: one more, and with odds of 1 around it would be 2, a share of 2/3.
    const look = againstSurroundings(given(3 / 4, 2 / 3, 0.8))
    expect(look?.value).toBeCloseTo(2 / 3, 9)
    expect(leakage(look)).toBeCloseTo(1 / 3, 9)
    expect(look?.people).toBe(83)
    // Fewer than people are around: shares as they are.
    expect(leakage(againstSurroundings(given(0.6, 0.2, 0.5)))).toBeCloseTo(0.4 / 0.8, 9)
  })

  it('is 1 for copies and not above 0 for what stands elsewhere', () => {
    expect(leakage(againstSurroundings(given(1, 0.7, 0.9)))).toBeCloseTo(1, 6)
    const elsewhere = againstSurroundings(given(0.6, 0.7, 0.9))
    expect(leakage(elsewhere)).toBeLessThan(0)
    expect(elsewhere?.effect.p).toBeGreaterThan(0.99)
  })
})

/** Weakly related columns, some of them coarse: records drawn column by column look much like real ones. */
function people(name: string, rows: number): Table {
  const random = stream(6, name)
  const records = Array.from({ length: rows }, () => {
    const age = 18 + random.below(60)
    const sex = random.below(2)
    return {
      sex: 'fm'[sex],
      age,
      region: `r${random.below(12)}`,
      score: Math.floor((age / 8) * random.uniform() + 4 * sex * random.uniform()),
      income: 50 * Math.round(10 + age * random.uniform() * (1 + sex)),
    }
  })
  return table(name, [
    categorical(
      'sex',
      records.map(({ sex }) => sex),
    ),
    numeric(
      'age',
      records.map(({ age }) => age),
    ),
    categorical(
      'region',
      records.map(({ region }) => region),
    ),
    numeric(
      'score',
      records.map(({ score }) => score),
    ),
    numeric(
      'income',
      records.map(({ income }) => income),
    ),
  ])
}

const padded = (of: Table, times: number) => {
  const noise = Array.from({ length: times }, (_, k) => independentMarginals(of, { seed: 20 + k }))
  return table(
    'release',
    of.columns.map((column, j) => stackColumns([column, ...noise.map(({ columns }) => columns[j])])),
  )
}

describe('a release among noise', () => {
  const original = people('original', 500)
  const looks = async (released: Table) => {
    const [{ leakage, looks = [] }] = (await sharedInformation(release({ original, released, type: 'synthetic' })))
      .releases
    return { whole: leakage, around: looks.find(({ what }) => what === 'against the records around people')?.leakage }
  }

  it('leaks as it did alone', async () => {
    const alone = await synthesize(cartSynthesizer, original, { seed: 1 })
    const before = (await looks(alone)).whole?.value ?? 0
    const { whole, around } = await looks(padded(alone, 3))
    expect(whole?.value).toBeLessThan(0.7 * before)
    expect(around?.value).toBeGreaterThan(before - 2 * (around?.se ?? 0))
    expect(around?.p).toBeLessThan(0.01)
  })

  it('shows nothing when it is made from other people', async () => {
    const honest = padded(people('others', 500), 3)
    const { around } = await looks(honest)
    expect(around?.p).toBeGreaterThan(0.1)
  })
})
