import { math } from '@scrim/kernels'

/**
 * Special functions to (nearly) full double precision. They are written here because no kept library fits: jStat stops
 * its incomplete beta at 3e-7, @stdlib's beta quantile pulls in 224 packages, and the others are under GPL-like terms.
 */

const LOG_SQRT_2PI = 0.9189385332046728
const TWO_PI = 2 * Math.PI
/** A step of a series or continued fraction that changes the value by less than this is the last one. */
const PRECISION = 2 ** -51
/** Never reached for parameters up to 1e9; there so that a loop has an end. */
const MOST_STEPS = 1e6
/** Stands for 0 in a denominator of a continued fraction (modified Lentz). */
const TINY = 1e-300
/** Below this, Stirling's series does not reach double precision. */
const STIRLING_FROM = 10
/** Up to this many factors, a falling factorial is multiplied out. */
const FEW_FACTORS = 30

/**
 * log Γ(x) for x > 0; infinite at 0, NaN below.
 *
 * x >= 10: Stirling, (x - 1/2) log x - x + log √(2π) + correction (Abramowitz and Stegun 6.1.40).
 * Otherwise moved by Γ(x + 1) = x Γ(x) to [3/2, 5/2], where log Γ(2 + z) is a fast power series with a simple zero at
 * z = 0; around 1 it keeps its zero too, so relative precision holds next to both roots.
 */
export function logGamma(x: number): number {
  if (x >= STIRLING_FROM) return x === Infinity ? x : (x - 0.5) * math.log(x) - x + LOG_SQRT_2PI + stirlingSeries(x)
  if (!(x >= 0)) return Number.NaN
  if (x < 0.5) return logGammaNearTwo(x) - math.log(x) - math.log1p(x)
  if (x < 1.5) return logGammaNearTwo(x - 1) - math.log1p(x - 1)
  let product = 1
  while (x > 2.5) {
    x -= 1
    product *= x
  }
  return math.log(product) + logGammaNearTwo(x - 2)
}

/** log B(a, b) = log Γ(a) + log Γ(b) - log Γ(a + b), with the large parts of Stirling's formula cancelled by hand. */
export function logBeta(a: number, b: number): number {
  const p = Math.min(a, b)
  const q = Math.max(a, b)
  if (q < STIRLING_FROM) return logGamma(p) + (logGamma(q) - logGamma(p + q))
  const share = math.log1p(-p / (p + q))
  const correction = stirlingSeries(q) - stirlingSeries(p + q)
  if (p < STIRLING_FROM) return logGamma(p) + correction + p - p * math.log(p + q) + (q - 0.5) * share
  const odds = math.log(p / (p + q))
  return -0.5 * math.log(q) + LOG_SQRT_2PI + stirlingSeries(p) + correction + (p - 0.5) * odds + q * share
}

/** Ways to choose k of n, exact while they are below 2^53. */
export function choose(n: number, k: number): number {
  let ways = 1
  for (let j = 0; j < k; j++) ways = (ways * (n - j)) / (j + 1)
  return Math.round(ways)
}

/** All subsets of a size, in the order of the items. */
export function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, k) => subsets(items.slice(k + 1), size - 1).map((rest) => [item, ...rest]))
}

/** Logarithm of the binomial coefficient "n choose k" for whole 0 <= k <= n; -Infinity (no such choice) otherwise. */
export function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return -Infinity
  if (k === 0 || k === n) return 0
  return -math.log(n + 1) - logBeta(n - k + 1, k + 1)
}

/** log of n (n - 1) ... (n - k + 1) for 0 <= k <= n, k whole; the logarithm of the number of ordered draws of k from n. */
export function logFallingFactorial(n: number, k: number): number {
  if (k < 0 || k > n) return -Infinity
  if (k <= FEW_FACTORS) return logOfFactors(n, k)
  const left = n - k
  if (left < STIRLING_FROM) return logGamma(n + 1) - logGamma(left + 1)
  const series = stirlingSeries(n) - stirlingSeries(left)
  return k * math.log(n) - (left + 0.5) * math.log1p(-k / n) - k + series
}

/**
 * Regularised incomplete beta function I_x(a, b), the distribution function of Beta(a, b); a, b > 0.
 *
 * Continued fraction of DiDonato and Morris (1992), "Algorithm 708", by the modified Lentz method, on whichever side of
 * the mean it converges fast. Where 1 - x is known more exactly than from x (x near 1), pass it as `y`.
 */
export function incompleteBeta(x: number, a: number, b: number, y = 1 - x): number {
  if (!(a > 0 && b > 0) || Number.isNaN(x)) return Number.NaN
  if (x <= 0) return 0
  if (y <= 0) return 1
  return x <= (a + 1) / (a + b + 2) ? betaTail(x, y, a, b) : 1 - betaTail(y, x, b, a)
}

/** Regularised lower incomplete gamma function P(a, x), the distribution function of Gamma(a, 1); a > 0. */
export function lowerGamma(a: number, x: number): number {
  if (!(a > 0) || Number.isNaN(x)) return Number.NaN
  if (x <= 0) return 0
  return x < a + 1 ? gammaSeries(a, x) : 1 - gammaFraction(a, x)
}

/** Regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), without cancellation where it is small. */
export function upperGamma(a: number, x: number): number {
  if (!(a > 0) || Number.isNaN(x)) return Number.NaN
  if (x <= 0) return 1
  return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x)
}

/**
 * Γ(n + 1) / (Γ(k + 1) Γ(m + 1)) p^k q^m with n = k + m and q = 1 - p: the binomial probability of k successes and m
 * failures, for real k, m >= 0.
 *
 * Loader (2000), "Fast and accurate computation of binomial probabilities": Stirling's remainders and the deviances
 * of k from np and m from nq instead of large logarithms that cancel.
 */
export function binomialTerm(k: number, m: number, p: number, q: number): number {
  const n = k + m
  if (k === 0) return math.exp(q > 0.5 ? n * math.log1p(-p) : n * math.log(q))
  if (m === 0) return math.exp(p > 0.5 ? n * math.log1p(-q) : n * math.log(p))
  const remainders = stirlingRemainder(n) - stirlingRemainder(k) - stirlingRemainder(m)
  const exponent = remainders - deviance(k, n * p) - deviance(m, n * q)
  return math.exp(exponent) * Math.sqrt(n / (TWO_PI * k) / m)
}

/** x^a e^-x / Γ(a + 1), the Poisson probability of (real) a >= 0 at mean x, by the same decomposition. */
export function poissonTerm(a: number, x: number): number {
  if (a === 0) return math.exp(-x)
  return math.exp(-stirlingRemainder(a) - deviance(a, x)) / Math.sqrt(TWO_PI * a)
}

/** x log(x / m) + m - x, by its series around x = m where the terms cancel. */
function deviance(x: number, m: number): number {
  const difference = x - m
  if (Math.abs(difference) >= 0.1 * (x + m)) return x * math.log(x / m) - difference
  const v = difference / (x + m)
  const square = v * v
  let sum = difference * v
  let power = 2 * x * v
  for (let odd = 3; odd <= 21; odd += 2) {
    power *= square
    sum += power / odd
  }
  return sum
}

/** log Γ(x + 1) - (x + 1/2) log x + x - log √(2π), what Stirling's formula leaves over. */
function stirlingRemainder(x: number): number {
  if (x >= STIRLING_FROM) return stirlingSeries(x)
  return logGamma(x + 1) - (x + 0.5) * math.log(x) + x - LOG_SQRT_2PI
}

/** Σ B_2k / (2k (2k - 1) x^(2k - 1)), for x >= 10. */
function stirlingSeries(x: number): number {
  const r = 1 / (x * x)
  const tail = 1 / 1260 + r * (-1 / 1680 + r * (1 / 1188 + r * (-691 / 360360 + r * (1 / 156 + r * (-3617 / 122400)))))
  return (1 / 12 + r * (-1 / 360 + r * tail)) / x
}

/** (-1)^k (ζ(k) - 1) / k for k = 2, 3, ... */
const ZETA_SERIES = [
  0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986, 0.0028905103307415234,
  -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-5, -4.492623673813314e-5,
  2.050721277567069e-5, -9.439488275268397e-6, 4.374866789907488e-6, -2.039215753801366e-6, 9.55141213040742e-7,
  -4.492469198764566e-7, 2.1207184805554665e-7, -1.0043224823968099e-7, 4.7698101693639804e-8, -2.2711094608943164e-8,
  1.0838659214896955e-8, -5.183475041970047e-9, 2.4836745438024785e-9, -1.1921401405860912e-9, 5.731367241678862e-10,
]
const ONE_MINUS_EULER = 0.42278433509846713

/** log Γ(2 + z) = (1 - γ) z + Σ_k (-1)^k (ζ(k) - 1) z^k / k (Abramowitz and Stegun 6.1.33), for |z| <= 1/2. */
function logGammaNearTwo(z: number): number {
  let sum = 0
  for (let k = ZETA_SERIES.length - 1; k >= 0; k--) sum = sum * z + ZETA_SERIES[k]
  return z * (ONE_MINUS_EULER + z * sum)
}

function logOfFactors(n: number, k: number): number {
  let sum = 0
  let product = 1
  for (let i = 0; i < k; i++) {
    product *= n - i
    if (product > 1e150) {
      sum += math.log(product)
      product = 1
    }
  }
  return sum + math.log(product)
}

/** I_x(a, b) for x below about the mean: x^a y^b / B(a, b) over the continued fraction. */
function betaTail(x: number, y: number, a: number, b: number): number {
  const term = (binomialTerm(a, b, x, y) * a * b) / (a + b)
  return term === 0 ? 0 : term / betaFraction(x, y, a, b)
}

/** Even part of the fraction in DLMF 8.17.22: its terms do not cancel, even for x next to 1. */
function betaFraction(x: number, y: number, a: number, b: number): number {
  const towardsMean = a * y - b * x
  let value = (a * (towardsMean + 1)) / (a + 1)
  let c = value
  let d = 0
  for (let m = 1; m <= MOST_STEPS; m++) {
    const before = a + 2 * m - 1
    const share = (m * (b - m) * x) / before
    const numerator = (((a + m - 1) * (a + b + m - 1)) / before) * share * x
    const denominator = m + share + ((a + m) * (towardsMean + 1 + m * (1 + y))) / (before + 2)
    d = 1 / awayFromZero(denominator + numerator * d)
    c = awayFromZero(denominator + numerator / c)
    value *= c * d
    if (Math.abs(c * d - 1) <= PRECISION) break
  }
  return value
}

/** P(a, x) = x^a e^-x / Γ(a + 1) (1 + x / (a + 1) + x² / ((a + 1)(a + 2)) + ...), for x < a + 1. */
function gammaSeries(a: number, x: number): number {
  let term = 1
  let sum = 1
  for (let n = 1; n <= MOST_STEPS && term > sum * PRECISION; n++) {
    term *= x / (a + n)
    sum += term
  }
  return poissonTerm(a, x) * sum
}

/** Q(a, x) by its continued fraction (Abramowitz and Stegun 6.5.31, even part), for x >= a + 1. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1 / TINY
  let d = 1 / b
  let value = d
  for (let n = 1; n <= MOST_STEPS; n++) {
    const numerator = n * (a - n)
    b += 2
    d = 1 / awayFromZero(b + numerator * d)
    c = awayFromZero(b + numerator / c)
    value *= c * d
    if (Math.abs(c * d - 1) <= PRECISION) break
  }
  return poissonTerm(a, x) * a * value
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
