import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { repeats } from '../../testing/long.js'
import { drawNormal } from '../draws.js'
import { auc, jointAucTest, placementInterval, placements, spreadOf } from './auc.js'

const WITH_TIES = {
  members: Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6),
  others: Float64Array.of(2, 7, 1, 8, 2, 8, 1, 0, 3),
}
const WAVES = {
  members: Float64Array.from({ length: 30 }, (_, i) => Math.sin(i * 1.3) * 2 + 0.7),
  others: Float64Array.from({ length: 45 }, (_, j) => Math.sin(j * 0.9 + 0.2) * 2),
}

describe('auc', () => {
  it('counts pairs, equals half', () => {
    // 2 > 1; 2 = 2; 3 > both.
    expect(auc(Float64Array.of(2, 3), Float64Array.of(1, 2))?.auc).toBe(3.5 / 4)
  })

  it('is that of wilcox.test and pROC in R', () => {
    const tied = auc(WITH_TIES.members, WITH_TIES.others)
    expect(tied?.auc).toBe(0.5625)
    expect(tied?.nullSd).toBeCloseTo(0.142915487619, 12)
    expect(tied?.p).toBeCloseTo(0.330939141701, 12)
    expect(tied?.interval?.lower).toBeCloseTo(0.270432270457, 11)
    expect(tied?.interval?.upper).toBeCloseTo(0.854567729543, 11)
    const waves = auc(WAVES.members, WAVES.others)
    expect(waves?.p).toBeCloseTo(0.0227107009064, 12)
    expect(waves?.interval?.lower).toBeCloseTo(0.507033286823, 11)
    expect(waves?.interval?.upper).toBeCloseTo(0.767040787251, 11)
  })

  it('of equal scores is one half without evidence; of separate groups it is 1', () => {
    expect(auc(Float64Array.of(1, 1, 1), Float64Array.of(1, 1))).toMatchObject({
      auc: 0.5,
      nullSd: 0,
      z: 0,
      p: 1,
      interval: null,
    })
    const separate = auc(Float64Array.of(3, 4), Float64Array.of(1, 2))
    expect(separate).toMatchObject({ auc: 1, standardError: 0, interval: { upper: 1, method: 'wilson' } })
    // Wilson for 2 of 2: z² / (2 + z²) of the failures remain.
    expect(separate?.interval?.lower).toBeCloseTo(2 / (2 + 1.959964 ** 2), 6)
  })

  it('has no standard error for one member, and is null without any', () => {
    expect(auc(Float64Array.of(3), Float64Array.of(1, 2))).toMatchObject({
      auc: 1,
      standardError: null,
      interval: { upper: 1, method: 'wilson' },
    })
    expect(auc(new Float64Array(), Float64Array.of(1))).toBeNull()
    expect(auc(Float64Array.of(1), new Float64Array())).toBeNull()
  })

  it('equals the count of pairs and mirrors when the groups change places', () => {
    const scores = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 })
      .map((values) => Float64Array.from(values))
    fc.assert(
      fc.property(scores, scores, (members, others) => {
        let pairs = 0
        for (const a of members) for (const b of others) pairs += a > b ? 1 : a === b ? 0.5 : 0
        expect(auc(members, others)?.auc).toBeCloseTo(pairs / (members.length * others.length), 12)
        expect(auc(others, members)?.auc).toBeCloseTo(1 - pairs / (members.length * others.length), 12)
      }),
    )
  })
})

describe('placementInterval', () => {
  const numbers = (n: number, from = 0) => Float64Array.from({ length: n }, (_, i) => from + i)
  const of = (members: Float64Array, others: Float64Array, level = 0.9) =>
    placementInterval(placements(members, others), level)

  it('has means of placements equal to the AUC', () => {
    const { members, others } = placements(WITH_TIES.members, WITH_TIES.others)
    for (const group of [members, others])
      expect(group.reduce((sum, one) => sum + one, 0) / group.length).toBeCloseTo(0.5625, 12)
  })

  it.each([1, 3, 10, 50])('from %i others below all members is no surer than they allow', (n) => {
    const lower = of(numbers(5000, 1000), numbers(n))?.lower ?? 1
    expect(lower).toBeLessThanOrEqual(0.05 ** (1 / n))
    expect(lower).toBeGreaterThan(0.05 ** (1 / n) - 0.001)
    expect(of(numbers(n, 1000), numbers(5000, -5000))?.lower).toBeCloseTo(lower, 9)
    expect(of(numbers(5000), numbers(n, 9000))?.upper).toBeCloseTo(1 - lower, 9)
  })

  it("is DeLong's for many records", () => {
    const random = stream(4, 'many')
    const members = Float64Array.from({ length: 3000 }, () => random.uniform() + 0.1)
    const others = Float64Array.from({ length: 2000 }, () => random.uniform())
    const [found, deLong] = [of(members, others, 0.95), auc(members, others)?.interval]
    expect(found?.lower).toBeCloseTo(deLong?.lower ?? Number.NaN, 3)
    expect(found?.upper).toBeCloseTo(deLong?.upper ?? Number.NaN, 3)
  })

  it('bounds the AUC from below 95 times of 100 with few others, where DeLong does not', () => {
    const random = stream(5, 'few')
    const runs = 1000
    let [covered, byDeLong] = [0, 0]
    for (let run = 0; run < runs; run++) {
      // One other in ten lies above all members.
      const members = Float64Array.from({ length: 300 }, () => random.uniform())
      const others = Float64Array.from({ length: 12 }, () => (random.below(10) === 0 ? 2 : -random.uniform()))
      if ((of(members, others)?.lower ?? 1) <= 0.9) covered++
      const { auc: area = 1, standardError } = auc(members, others) ?? {}
      if (area - 1.644854 * (standardError ?? 0) <= 0.9) byDeLong++
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.945)
    expect(byDeLong / runs).toBeLessThan(0.8)
  })
})

describe('true positives at low false-positive rates', () => {
  const others = Float64Array.from({ length: 100 }, (_, i) => i)

  it('cut at the scores of the others', () => {
    const members = Float64Array.of(50, 89.5, 98.5, 99, 99.5)
    // None, one (99) and ten (90 to 99) of the others may lie above the cut: 99, 98 and 89.
    expect(
      auc(members, others)?.lowFalsePositives.map(({ at, falsePositiveRate, truePositiveRate }) => [
        at,
        falsePositiveRate,
        truePositiveRate,
      ]),
    ).toEqual([
      [0.001, 0, 0.2],
      [0.01, 0.01, 0.6],
      [0.1, 0.1, 0.8],
    ])
  })

  it('stay below the rate asked for when the others are tied', () => {
    const [, , tenPercent] = auc(Float64Array.of(1, 2), new Float64Array(100).fill(1))?.lowFalsePositives ?? []
    expect(tenPercent).toMatchObject({ falsePositiveRate: 0, truePositiveRate: 0.5, advantage: 0.5 })
    expect(tenPercent?.interval).toMatchObject({ method: 'wilson' })
  })
})

describe('jointAucTest', () => {
  it('agrees with all labellings of a small table', () => {
    const scores = [Float64Array.of(9, 7, 8, 1, 2, 3, 4), Float64Array.of(1, 5, 2, 2, 4, 0, 3)]
    const exact = enumerate(scores, 3)
    const found = jointAucTest(scores, 3, stream(1, 'test'), 20_000)
    for (const k of [0, 1]) expect(Math.abs(found.scores[k].p - exact[k])).toBeLessThan(0.015)
    expect(found.p).toBe(Math.min(found.scores[0].p, found.scores[1].p))
  })

  it('has the z of each score, for more members than others too', () => {
    const { members, others } = WITH_TIES
    const pooled = Float64Array.from([...members, ...others])
    const found = jointAucTest([pooled], members.length, stream(1, 'test'), 20_000)
    expect(found.scores[0].z).toBeCloseTo(auc(members, others)?.z ?? Number.NaN, 12)
    const swapped = jointAucTest([Float64Array.from([...others, ...members])], others.length, stream(1, 'test'), 20_000)
    expect(swapped.scores[0].z).toBeCloseTo(-found.scores[0].z, 12)
    // Both tails hold the observed labelling.
    expect(found.p + swapped.p).toBeGreaterThan(1)
    expect(Math.abs(found.p - (auc(members, others)?.p ?? 0))).toBeLessThan(0.04)
  })

  it('is the same for the same seed, and 1 for equal scores', () => {
    const score = Float64Array.of(1, 2, 3, 4)
    expect(jointAucTest([score], 2, stream(3, 'test'))).toEqual(jointAucTest([score], 2, stream(3, 'test')))
    expect(jointAucTest([new Float64Array(4)], 2, stream(3, 'test')).p).toBe(1)
  })

  it('is never surer than the number of labellings allows, however many are tied', () => {
    // Two outsiders below a thousand equal members: one labelling of C(1002, 2).
    const scores = new Float64Array(1002).fill(1, 0, 1000)
    const least = 2 / (1002 * 1001)
    expect(auc(scores.subarray(0, 1000), scores.subarray(1000))?.z).toBeGreaterThan(30)
    expect(auc(scores.subarray(0, 1000), scores.subarray(1000))?.p).toBeCloseTo(least, 15)
    expect(jointAucTest([scores], 1000, stream(3, 'test'), 999).p).toBeCloseTo(least, 15)
  })

  it('goes on with the normal tail where permutations run out', () => {
    const apart = Float64Array.from({ length: 200 }, (_, i) => -i)
    const { p, scores } = jointAucTest([apart, apart.map((value) => -value)], 100, stream(3, 'test'), 999)
    expect(p).toBeLessThan(1e-20)
    expect(scores[1].p).toBe(1)
  })
})

describe('people who live together', () => {
  /** Every record twice, and who belongs to whom. */
  const twice = (scores: Float64Array) => Float64Array.from({ length: 2 * scores.length }, (_, i) => scores[i >> 1])
  const pairs = (n: number) => Int32Array.from({ length: 2 * n }, (_, i) => i >> 1)

  it('are drawn together: of pairs that score alike p is that of single people', () => {
    const scores = Float64Array.of(9, 7, 3, 1, 2, 8, 4)
    const [exact] = enumerate([scores], 3)
    const found = jointAucTest([twice(scores)], 6, stream(1, 'test'), 20_000, pairs(7))
    expect(Math.abs(found.p - exact)).toBeLessThan(0.015)
    expect(jointAucTest([twice(scores)], 6, stream(1, 'test'), 20_000).p).toBeLessThan(exact - 0.05)
  })

  it('make the AUC as uncertain as that of so many households', () => {
    const [members, others] = [Float64Array.of(9, 7, 3, 5), Float64Array.of(1, 2, 8, 4)]
    const households = pairs(8)
    const placed = placements(twice(members), twice(others))
    // Of n households on either side the variance is (2n - 1) / (n - 1) times that of 2n independent people.
    const spread = spreadOf(placed, households)
    expect(spread).toBeCloseTo(Math.sqrt(7 / 3), 12)
    expect(spreadOf(placed, Int32Array.from(households.keys()))).toBeCloseTo(1, 12)
    const alone = auc(members, others)
    const together = auc(twice(members), twice(others), spread)
    expect(together?.auc).toBe(alone?.auc)
    expect(together?.standardError).toBeCloseTo(alone?.standardError ?? 0, 12)
  })

  it('say nothing about others where all of one side live together', () => {
    const [members, others] = [Float64Array.of(9, 7, 6, 5), Float64Array.of(1, 2, 3, 4)]
    const households = Int32Array.of(0, 0, 0, 0, 1, 2, 3, 4)
    expect(spreadOf(placements(members, others), households)).toBe(2)
    const pooled = Float64Array.from([...members, ...others])
    expect(jointAucTest([pooled], 4, stream(1, 'test'), 999, households).p).toBeGreaterThan(0.15)
  })

  it('of different sizes keep the level of the test', () => {
    let rejected = 0
    let alone = 0
    const runs = repeats(200, 1000)
    for (let seed = 1; seed <= runs; seed++) {
      const random = stream(seed, 'households')
      const households: number[] = []
      const scores: number[] = []
      let members = 0
      for (let household = 0; household < 60; household++) {
        const shared = drawNormal(random)
        for (let person = 1 + random.below(5); person > 0; person--) {
          households.push(household)
          scores.push(2 * shared + drawNormal(random))
          if (household < 30) members++
        }
      }
      const score = [Float64Array.from(scores)]
      const test = (who: Int32Array | null) => jointAucTest(score, members, stream(seed, 'labels'), 199, who).p
      if (test(Int32Array.from(households)) < 0.05) rejected++
      if (test(null) < 0.05) alone++
    }
    expect(rejected / runs).toBeLessThan(0.09)
    // As if everybody were alone, it would reject far too often.
    expect(alone / runs).toBeGreaterThan(0.12)
  })
})

/** For each score, the share of labellings whose largest z reaches its observed one. */
function enumerate(scores: readonly Float64Array[], members: number): number[] {
  const n = scores[0].length
  const zOf = (score: Float64Array, chosen: number) => {
    const inside = score.filter((_, i) => (chosen >> i) & 1)
    const outside = score.filter((_, i) => !((chosen >> i) & 1))
    return auc(inside, outside)?.z ?? Number.NaN
  }
  const observed = scores.map((score) => zOf(score, 2 ** members - 1))
  const largest: number[] = []
  for (let chosen = 0; chosen < 2 ** n; chosen++) {
    const size = Array.from({ length: n }, (_, i) => (chosen >> i) & 1).reduce((sum, bit) => sum + bit, 0)
    if (size === members) largest.push(Math.max(...scores.map((score) => zOf(score, chosen))))
  }
  return observed.map((z) => largest.filter((one) => one >= z - 1e-9).length / largest.length)
}
