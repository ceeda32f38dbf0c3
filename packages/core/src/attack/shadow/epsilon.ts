import { math } from '@scrim/kernels'
import { clopperPearson } from '../../stats/intervals.js'
import { BOUND_LEVEL } from '../../stats/levels.js'

/**
 * What releases with and without a person say about (ε, δ). Under (ε, δ)-differential privacy every test that accuses the
 * person has TPR <= e^ε FPR + δ and 1 - FPR <= e^ε (1 - TPR) + δ (Kairouz, Oh and Viswanath 2015), so that
 *
 *   ε >= log max((TPR⁻ - δ) / FPR⁺, (1 - FPR⁺ - δ) / (1 - TPR⁻))
 *
 * with a confidence of 95 %, TPR⁻ and FPR⁺ being ends of 95 % intervals of Clopper and Pearson: 2.5 % for either side
 * (Jagielski, Ullman and Oprea 2020). The test must have been chosen on other releases. Where the largest of several bounds
 * is reported, each takes its share of the 5 % (Bonferroni).
 */
export interface Accused {
  /** Of so many releases with the person, and of so many without. */
  readonly withPerson: number
  readonly truePositives: number
  readonly withoutPerson: number
  readonly falsePositives: number
}

export function epsilonLowerBound(
  { withPerson, truePositives, withoutPerson, falsePositives }: Accused,
  delta = 0,
  comparisons = 1,
): number {
  const level = 1 - (1 - BOUND_LEVEL) / comparisons
  const least = clopperPearson(truePositives, withPerson, level)?.lower ?? 0
  const most = clopperPearson(falsePositives, withoutPerson, level)?.upper ?? 1
  const ratio = Math.max((least - delta) / most, (1 - most - delta) / (1 - least))
  return ratio > 1 ? math.log(ratio) : 0
}

/** The largest bound that so many releases can give: every one with the person accused, none without. */
export function largestEpsilonBound(withPerson: number, withoutPerson: number, delta = 0, comparisons = 1): number {
  const all = { withPerson, truePositives: withPerson, withoutPerson, falsePositives: 0 }
  return epsilonLowerBound(all, delta, comparisons)
}

/** Accuses where the score is above the cut, or below it. */
export interface ThresholdTest {
  readonly cut: number
  readonly side: 'above' | 'below'
}

export function accused({ cut, side }: ThresholdTest, inside: Float64Array, outside: Float64Array): Accused {
  const isAccused = (score: number) => (side === 'above' ? score > cut : score < cut)
  return {
    withPerson: inside.length,
    truePositives: inside.filter(isAccused).length,
    withoutPerson: outside.length,
    falsePositives: outside.filter(isAccused).length,
  }
}

export interface ChosenTest {
  readonly test: ThresholdTest
  readonly bound: number
  /** True-positive less false-positive rate: what decides between tests that bound nothing. */
  readonly advantage: number
}

/** The test of a score with the largest bound on these releases, and of equal ones that with the largest advantage. */
export function bestTest(inside: Float64Array, outside: Float64Array, delta = 0): ChosenTest {
  let best: ChosenTest = { test: { cut: Number.POSITIVE_INFINITY, side: 'above' }, bound: 0, advantage: 0 }
  for (const cut of new Set([...inside, ...outside]))
    for (const side of ['above', 'below'] as const) {
      const test = { cut, side }
      const accusations = accused(test, inside, outside)
      const advantage =
        accusations.truePositives / accusations.withPerson - accusations.falsePositives / accusations.withoutPerson
      best = better({ test, bound: epsilonLowerBound(accusations, delta), advantage }, best)
    }
  return best
}

/** The second unless the first is better. */
export function better<Test extends ChosenTest>(first: Test, second: Test): Test {
  const isBetter = first.bound > second.bound || (first.bound === second.bound && first.advantage > second.advantage)
  return isBetter ? first : second
}
