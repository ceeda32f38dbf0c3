import { significant } from '../../print.js'
import { sum } from '../../stats/sums.js'
import type { Appetite } from './appetite.js'
import { above, below, type Finding, finding, people } from './finding.js'

/** Share of the n largest contributions in their total; null where the total is 0. */
export function topShare(contributions: ArrayLike<number>, n: number): number | null {
  const total = sum(contributions)
  return total > 0 ? sum(descending(contributions).slice(0, n)) / total : null
}

/** (total - two largest) / largest: how far the second largest contributor is from knowing the largest; null without one. */
export function pRatio(contributions: ArrayLike<number>): number | null {
  const sorted = descending(contributions)
  return sorted.length > 0 && sorted[0] > 0 ? sum(sorted.slice(2)) / sorted[0] : null
}

/**
 * The rules about means and sums, on the contributions of one cell: (n,k) dominance, p ratio, the largest one, values below 0 (then
 * shares of the total say nothing) and values that are all the same. A cell of zeros has no contributor to protect.
 */
export function contributionRules(
  id: string,
  element: string,
  contributions: Float64Array,
  { dominanceN, dominanceK, pRatio: leastRatio, largest }: Appetite,
): Finding[] {
  const findings: Finding[] = []
  const [first] = contributions
  if (contributions.length > 1 && contributions.every((value) => value === first)) {
    const sentence = `all ${people(contributions.length)} of ${element} have the value ${first}`
    findings.push(finding('all-same', 'fail', id, element, sentence, first))
  }
  if (contributions.some((value) => value < 0)) {
    const sentence = `${element} has contributions below 0, so that dominance has no meaning`
    return [...findings, finding('negative', 'review', id, element, sentence)]
  }
  const share = topShare(contributions, dominanceN)
  if (dominanceK !== null && share !== null && share >= dominanceK) {
    const what = `the ${dominanceN} largest make ${significant(share)} of ${element}`
    findings.push(above('dominance', id, element, what, share, dominanceK))
  }
  const ratio = pRatio(contributions)
  if (leastRatio !== null && ratio !== null && ratio < leastRatio) {
    const what = `without the two largest ${significant(ratio)} of the largest is left in ${element}`
    findings.push(below('p-ratio', 'fail', id, element, what, ratio, leastRatio))
  }
  const top = topShare(contributions, 1)
  if (largest !== null && top !== null && top > largest)
    findings.push(above('largest', id, element, `one record makes ${significant(top)} of ${element}`, top, largest))
  return findings
}

/** Degrees of freedom of a spread, a correlation or a model. */
export function tooFree(id: string, element: string, what: string, freedom: number, { df }: Appetite): Finding[] {
  return freedom >= df ? [] : [below('df', 'fail', id, element, `${what} degrees of freedom`, freedom, df)]
}

/** A spread of n values has n - 1 degrees of freedom. */
export function spreadFreedom(id: string, element: string, count: number, appetite: Appetite): Finding[] {
  return tooFree(id, element, `the spread of ${element} has ${count - 1}`, count - 1, appetite)
}

function descending(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort().reverse()
}
