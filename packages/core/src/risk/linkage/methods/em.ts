/**
 * Fellegi and Sunter's (1969) model by EM on patterns of agreement (Winkler 1988): a pair is a match with probability λ;
 * given that, key v agrees to level l with probability m_vl, otherwise u_vl, keys independently. With c_g pairs of pattern g,
 *   w_g = λ Π m / (λ Π m + (1 - λ) Π u),   m_vl <- Σ_{g: level l} c_g w_g / Σ_{g: known} c_g w_g.
 * λ and u are known well without EM (how many people, how often strangers agree) and stay fixed: with all free, the same limit
 * takes thousands of steps. A missing comparison takes no part.
 */
export interface Patterns {
  /** Pairs of each pattern. */
  readonly counts: ArrayLike<number>
  /** Per pattern the level of each key, -1 for missing. */
  readonly levels: readonly (readonly number[])[]
}

export interface EmStart {
  /** By key, then level. */
  readonly m: readonly (readonly number[])[]
  readonly u: readonly (readonly number[])[]
  readonly lambda: number
  readonly mostIterations?: number
}

export interface EmFit {
  readonly m: readonly (readonly number[])[]
  readonly iterations: number
  readonly converged: boolean
}

const CLOSE = 1e-8
const MOST_ITERATIONS = 5000
const LEAST = 1e-6

export function emFit({ counts, levels }: Patterns, start: EmStart): EmFit {
  const { u, lambda, mostIterations = MOST_ITERATIONS } = start
  let { m } = start
  let iterations = 0
  let converged = false
  while (!converged && iterations < mostIterations) {
    iterations++
    const matched = m.map((rates) => rates.map(() => 0))
    for (const [g, pattern] of levels.entries()) {
      const weight = counts[g] * matchProbability(pattern, m, u, lambda)
      for (const [v, level] of pattern.entries()) if (level >= 0) matched[v][level] += weight
    }
    const next = matched.map((sums, v) => sharesOf(sums, m[v]))
    converged = largestChange(m, next) < CLOSE
    m = next
  }
  return { m, iterations, converged }
}

function matchProbability(
  pattern: readonly number[],
  m: readonly (readonly number[])[],
  u: readonly (readonly number[])[],
  lambda: number,
): number {
  let [match, other] = [lambda, 1 - lambda]
  for (const [v, level] of pattern.entries()) {
    if (level < 0) continue
    match *= m[v][level]
    other *= u[v][level]
  }
  return match + other > 0 ? match / (match + other) : 0
}

/** Shares of sums, kept away from 0 and 1; what it was where nothing is known. */
function sharesOf(sums: readonly number[], before: readonly number[]): number[] {
  const total = sums.reduce((a, b) => a + b, 0)
  return total > 0 ? sums.map((sum) => Math.min(1 - LEAST, Math.max(LEAST, sum / total))) : [...before]
}

function largestChange(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  let most = 0
  for (const [v, one] of a.entries())
    for (const [k, value] of one.entries()) most = Math.max(most, Math.abs(value - b[v][k]))
  return most
}
