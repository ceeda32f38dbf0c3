/**
 * How far two vectors of shares p and q lie apart; they must be of the same length and sum to 1 (the compositional ones:
 * be positive). Logarithms are natural.
 */

/** √(½ Σ (√p - √q)²), in [0, 1]. */
export function hellinger(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let squares = 0
  for (let k = 0; k < p.length; k++) squares += (Math.sqrt(p[k]) - Math.sqrt(q[k])) ** 2
  return Math.sqrt(squares / 2)
}

/** ½ Σ |p - q|: the share that would have to change its category. */
export function totalVariation(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let total = 0
  for (let k = 0; k < p.length; k++) total += Math.abs(p[k] - q[k])
  return total / 2
}

/** Kullback and Leibler's Σ p ln(p / q); infinite where q lacks what p has. */
export function kullbackLeibler(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let total = 0
  for (let k = 0; k < p.length; k++) if (p[k] > 0) total += p[k] * Math.log(p[k] / q[k])
  return total
}

/** Jensen and Shannon's ½ KL(p, m) + ½ KL(q, m) with m = (p + q) / 2, in [0, ln 2]: finite whatever is missing where. */
export function jensenShannon(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const middle = middleOf(p, q)
  return Math.max(0, (kullbackLeibler(p, middle) + kullbackLeibler(q, middle)) / 2)
}

/** -Σ p ln q. */
export function crossEntropy(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let total = 0
  for (let k = 0; k < p.length; k++) if (p[k] > 0) total -= p[k] * Math.log(q[k])
  return total
}

/**
 * Divergence of compositions, (D / 2) ln(mean(p / q) mean(q / p)): unmoved by a common factor. Martín-Fernández, Bren,
 * Barceló-Vidal and Pawlowsky-Glahn (1999). Parts must be positive.
 */
export function compositionalDivergence(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let [there, back] = [0, 0]
  for (let k = 0; k < p.length; k++) {
    there += p[k] / q[k]
    back += q[k] / p[k]
  }
  return (p.length / 2) * Math.log((there / p.length) * (back / p.length))
}

/** The mean compositional divergence of p and q from their middle. */
export function compositionalJensenShannon(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const middle = middleOf(p, q)
  return (compositionalDivergence(p, middle) + compositionalDivergence(q, middle)) / 2
}

/** Aitchison's distance √Σ (clr p - clr q)²; parts must be positive, counts get a half added first. */
export function aitchison(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const ratios = Float64Array.from(p, (part, k) => Math.log(part / q[k]))
  const centre = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  return Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - centre) ** 2, 0))
}

/** Counts as shares of their sum; all 0 when that is 0. */
export function sharesOf(counts: ArrayLike<number>): Float64Array {
  let total = 0
  for (let k = 0; k < counts.length; k++) total += counts[k]
  return Float64Array.from(counts, (count) => (total === 0 ? 0 : count / total))
}

function middleOf(p: ArrayLike<number>, q: ArrayLike<number>): Float64Array {
  return Float64Array.from(p, (share, k) => (share + q[k]) / 2)
}
