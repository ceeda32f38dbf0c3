import { math } from '@scrim/kernels'
/**
 * Scores of the literature on information disclosure, of numbers that somebody assigned rather than of files. Kept because
 * riskutility has them.
 */

/**
 * Positive information disclosure: the largest relative gain of a belief, max (posterior - prior) / prior. Above 1 a belief has more
 * than doubled. Priors must be positive.
 */
export function positiveDisclosure(prior: ArrayLike<number>, posterior: ArrayLike<number>): number {
  if (prior.length !== posterior.length)
    throw new RangeError(`${prior.length} beliefs before and ${posterior.length} after cannot be compared`)
  let largest = Number.NEGATIVE_INFINITY
  for (let k = 0; k < prior.length; k++) {
    if (!(prior[k] > 0)) throw new RangeError(`a prior belief is positive, but one is ${prior[k]}`)
    largest = Math.max(largest, (posterior[k] - prior[k]) / prior[k])
  }
  return largest
}

export interface PrivacyScore {
  readonly score: number
  /** Score over that of items that are all as visible as the most visible one; null when nothing is visible. */
  readonly normalised: number | null
}

/** Σ sensitivity x visibility (Liu and Terzi 2010). */
export function privacyScore(sensitivities: ArrayLike<number>, visibilities: ArrayLike<number>): PrivacyScore {
  if (sensitivities.length !== visibilities.length)
    throw new RangeError(`${sensitivities.length} sensitivities but ${visibilities.length} visibilities`)
  let score = 0
  let sensitivity = 0
  let most = 0
  for (let k = 0; k < sensitivities.length; k++) {
    score += sensitivities[k] * visibilities[k]
    sensitivity += sensitivities[k]
    most = Math.max(most, visibilities[k])
  }
  const full = sensitivity * most
  return { score, normalised: full > 0 ? score / full : null }
}

const MOST_USERS = 24

/**
 * System anonymity level (Edman, Sivrikaya and Yener 2007): log perm(A) / log U! of the U x U matrix that says which message may
 * come from whom, row after row. 1 when everybody may have sent everything, 0 when only one assignment is possible, or none.
 * The permanent by Ryser's formula (1963) in Gray-code order, O(2^U U), so for at most 24 users.
 */
export function systemAnonymity(possible: ArrayLike<number>, users: number): number {
  if (possible.length !== users * users)
    throw new RangeError(`${possible.length} entries are no ${users} x ${users} matrix`)
  if (users > MOST_USERS)
    throw new RangeError(`the permanent is computed for at most ${MOST_USERS} users, not ${users}`)
  if (users < 2) return 0
  let logFactorial = 0
  for (let k = 2; k <= users; k++) logFactorial += math.log(k)
  const ways = permanent(possible, users)
  return ways >= 1 ? math.log(ways) / logFactorial : 0
}

/** Σ over sets of columns of (-1)^(n - |S|) Π over rows of the sum in S; sets differ by one column from each to the next. */
function permanent(matrix: ArrayLike<number>, n: number): number {
  const sums = new Float64Array(n)
  const isIn = new Uint8Array(n)
  let size = 0
  let total = 0
  for (let step = 1; step < 2 ** n; step++) {
    const column = 31 - Math.clz32(step & -step)
    const sign = isIn[column] === 1 ? -1 : 1
    isIn[column] ^= 1
    size += sign
    let product = 1
    for (let row = 0; row < n; row++) {
      sums[row] += sign * matrix[row * n + column]
      product *= sums[row]
    }
    total += (n - size) % 2 === 0 ? product : -product
  }
  return Math.round(total)
}
