import { significant } from '../../print.js'
import { sum } from '../../stats/sums.js'
import type { Appetite } from './appetite.js'
import { people } from './cells.js'
import { type Finding, finding } from './finding.js'

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
  appetite: Appetite,
): Finding[] {
  const { dominanceN, dominanceK, pRatio: least, largest } = appetite
  if (contributions.length === 0) return []
  const first = contributions[0]
  const same =
    contributions.length > 1 && contributions.every((value) => value === first)
      ? [
          finding(
            'all-same',
            'fail',
            id,
            element,
            `all ${people(contributions.length)} of ${element} have the value ${first}`,
            first,
          ),
        ]
      : []
  if (contributions.some((value) => value < 0))
    return [
      ...same,
      finding(
        'negative',
        'review',
        id,
        element,
        `${element} has contributions below 0, so that dominance has no meaning`,
      ),
    ]
  const share = topShare(contributions, dominanceN)
  const ratio = pRatio(contributions)
  const one = topShare(contributions, 1)
  return [
    ...same,
    ...(dominanceK !== null && share !== null && share >= dominanceK
      ? [
          finding(
            'dominance',
            'fail',
            id,
            element,
            `the ${dominanceN} largest make ${significant(share)} of ${element}; the most is ${dominanceK}`,
            share,
            dominanceK,
          ),
        ]
      : []),
    ...(least !== null && ratio !== null && ratio < least
      ? [
          finding(
            'p-ratio',
            'fail',
            id,
            element,
            `without the two largest ${significant(ratio)} of the largest is left in ${element}; the least is ${least}`,
            ratio,
            least,
          ),
        ]
      : []),
    ...(largest !== null && one !== null && one > largest
      ? [
          finding(
            'largest',
            'fail',
            id,
            element,
            `one record makes ${significant(one)} of ${element}; the most is ${largest}`,
            one,
            largest,
          ),
        ]
      : []),
  ]
}

/** A spread of n values has n - 1 degrees of freedom. */
export function spreadFreedom(id: string, element: string, count: number, { df }: Appetite): Finding[] {
  return count - 1 >= df
    ? []
    : [
        finding(
          'df',
          'fail',
          id,
          element,
          `the spread of ${element} has ${count - 1} degrees of freedom; the least is ${df}`,
          count - 1,
          df,
        ),
      ]
}

function descending(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort().reverse()
}
