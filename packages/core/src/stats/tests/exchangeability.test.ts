import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shuffle } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { exchangeability } from './exchangeability.js'
import { leastP } from './tests.js'

/** One record per row; the first `training` of them are in T. */
function records(credit: readonly number[], training: number) {
  return {
    credit: Float64Array.from(credit),
    inTraining: credit.map((_, i) => (i < training ? 1 : 0)),
    inHoldout: credit.map((_, i) => (i < training ? 0 : 1)),
  }
}

const random = () => stream(1, 'test')

describe('exchangeability', () => {
  it('of the credits 2, 1 | 0, 1', () => {
    const found = exchangeability(records([2, 1, 0, 1], 2), random())
    expect(found?.expected).toBe(0.5)
    expect((found?.sd ?? 0) ** 2).toBeCloseTo(0.0416667, 7)
    expect(found?.share).toBe(0.75)
    expect(found?.excess).toBe(0.5)
    expect(found?.z).toBeCloseTo(0.25 / Math.sqrt(1 / 24), 12)
    // Two of the six labellings give T both 2 and a 1.
    expect(Math.abs((found?.p ?? 0) - 2 / 6)).toBeLessThan(0.02)
    expect(found?.minimalDetectable).toBeCloseTo(((2.3263479 + 0.8416212) * Math.sqrt(1 / 24)) / 0.5, 6)
  })

  it('has the mean, variance and p of all labellings', () => {
    const tables = fc.integer({ min: 2, max: 8 }).chain((n) =>
      fc.tuple(
        fc.array(
          fc.integer({ min: 0, max: 4 }).map((half) => half / 2),
          { minLength: n, maxLength: n },
        ),
        fc.integer({ min: 1, max: n - 1 }),
      ),
    )
    fc.assert(
      fc.property(tables, ([credit, training]) => {
        fc.pre(credit.some((one) => one > 0))
        const found = exchangeability(records(credit, training), random(), 2000)
        const shares = allShares(credit, training)
        const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
        const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length
        expect(found?.expected).toBeCloseTo(mean, 12)
        expect((found?.sd ?? 0) ** 2).toBeCloseTo(variance, 12)
        const observed = found?.share ?? 0
        const p = shares.filter((share) => share >= observed - 1e-9).length / shares.length
        if (found?.pMethod === 'permutation') expect(Math.abs(found.p - p)).toBeLessThan(0.06)
      }),
      { numRuns: 50 },
    )
  })

  it.each([5, 10, 100])('is no surer of a full copy than %i outsiders allow', (outsiders) => {
    // Every training record has its credit of 1, no outsider has any: of n outsiders a share 1 - 0.05^(1/n) might.
    const training = 2000
    const credit = Array.from({ length: training + outsiders }, (_, i) => (i < training ? 1 : 0))
    const found = exchangeability(records(credit, training), random())
    expect(found?.excess).toBe(1)
    expect(found?.p).toBeLessThan(1e-3)
    expect(found?.p).toBeGreaterThanOrEqual(leastP(training, outsiders))
    const most = 1 - 0.05 ** (1 / outsiders)
    const n = training + outsiders
    expect(found?.bounds.lower).toBeCloseTo(1 - (n * most) / (training + outsiders * most), 6)
    expect(found?.bounds.upper).toBe(1)
  })

  it('has bounds of the excess that hold, also for few outsiders with uneven credit', () => {
    for (const outsiders of [8, 200]) {
      const runs = 300
      let [below, above] = [0, 0]
      for (let run = 0; run < runs; run++) {
        const draw = stream(run, 'uneven')
        // Members get 1.5 times the credit of outsiders, in lumps: mean 0.75 and 0.5.
        const lump = () => (draw.below(4) === 0 ? 2 : 0)
        const credit = Array.from({ length: 200 + outsiders }, (_, i) => (i < 200 ? 1.5 : 1) * lump())
        const found = exchangeability(records(credit, 200), stream(run, 'labels'), 99)
        const truth = 1 - ((200 + outsiders) * 0.5) / (200 * 0.75 + outsiders * 0.5)
        if ((found?.bounds.lower ?? 1) > truth) below++
        if ((found?.bounds.upper ?? 0) < truth) above++
      }
      expect(below / runs).toBeLessThanOrEqual(0.07)
      expect(above / runs).toBeLessThanOrEqual(0.07)
    }
  })

  it('draws large groups of equal credit as it draws single records', () => {
    // 60 of 100 records have credit 1; P(at least 35 of them among 50 labels) is hypergeometric.
    const credit = Array.from({ length: 100 }, (_, i) => (i < 35 || (i >= 50 && i < 75) ? 1 : 0))
    const found = exchangeability(records(credit, 50), random())
    expect(found?.p).toBeCloseTo(0.0327888414271, 2)
  })

  it('takes distinct rows with their multiplicities', () => {
    const one = exchangeability(
      { credit: Float64Array.of(2, 0.5, 0), inTraining: [1, 3, 2], inHoldout: [1, 0, 4] },
      random(),
    )
    const spelled = exchangeability(
      {
        credit: Float64Array.of(2, 2, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0),
        inTraining: [1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0],
        inHoldout: [0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1],
      },
      random(),
    )
    expect(one).toEqual(spelled)
  })

  it('finds p = 1 where labels cannot matter', () => {
    const found = exchangeability(records([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 3), random())
    expect(found).toMatchObject({ sd: 0, z: 0, p: 1, pMethod: 'degenerate', excess: 0, minimalDetectable: 0 })
    expect(found?.share).toBe(3 / 7)
  })

  it('goes on with the normal tail where permutations end', () => {
    const credit = Array.from({ length: 200 }, (_, i) => (i < 100 ? 1 : 0))
    const found = exchangeability(records(credit, 100), random(), 999)
    expect(found).toMatchObject({ share: 1, excess: 1, pMethod: 'permutation' })
    const more = exchangeability(records(credit, 100), random())
    expect(more?.pMethod).toBe('normal tail')
    expect(more?.p).toBeLessThan(1e-40)
    expect(more?.interval.upper).toBe(1)
  })

  it('holds for a single released record', () => {
    const found = exchangeability(records([1, 0, 0, 0], 3), random())
    expect(found).toMatchObject({ share: 1, expected: 0.75, excess: 1 })
    expect((found?.sd ?? 0) ** 2).toBeCloseTo(0.75 * 0.25, 12)
    expect(Math.abs((found?.p ?? 0) - 0.75)).toBeLessThan(0.02)
  })

  it('is null without holdout, training records or credit', () => {
    expect(exchangeability(records([1, 1], 2), random())).toBeNull()
    expect(exchangeability(records([1, 1], 0), random())).toBeNull()
    expect(exchangeability(records([0, 0], 1), random())).toBeNull()
  })

  it('has an interval that holds the excess and keeps its level for honest labels', () => {
    const credit = Array.from({ length: 300 }, (_, i) => (i % 7 === 0 ? 5 : i % 3))
    let covered = 0
    let rejected = 0
    const rounds = 300
    for (let round = 0; round < rounds; round++) {
      const shuffled = credit.slice()
      shuffle(stream(2, 'shuffle', round), shuffled)
      const found = exchangeability(records(shuffled, 200), random(), 199)
      if (found === null) throw new Error('there is credit')
      if (found.interval.lower <= 0 && found.interval.upper >= 0) covered++
      if (found.p <= 0.05) rejected++
    }
    expect(covered / rounds).toBeGreaterThan(0.91)
    expect(rejected / rounds).toBeLessThan(0.09)
  })
})

function allShares(credit: readonly number[], training: number): number[] {
  const m = credit.reduce((sum, one) => sum + one, 0)
  const shares: number[] = []
  for (let chosen = 0; chosen < 2 ** credit.length; chosen++) {
    const inside = credit.filter((_, i) => (chosen >> i) & 1)
    if (inside.length === training) shares.push(inside.reduce((sum, one) => sum + one, 0) / m)
  }
  return shares
}
