import { math } from '@scrim/kernels'
/** Distribution functions, quantiles and probabilities, accurate in both tails. */
import { binomialTerm, incompleteBeta, logGamma, lowerGamma, upperGamma } from './special.js'

const SQRT_32 = Math.sqrt(32)
const ONE_OVER_SQRT_2PI = 0.3989422804014327
/** The upper quartile of the standard normal: up to here Cody's central approximation holds. */
const UPPER_QUARTILE = 0.67448975

/**
 * Φ(x), the standard normal distribution function, with full relative precision for negative x; above, `normalUpper` has
 * it. Cody (1969), "Rational Chebyshev approximation for the error function", in three ranges.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x)
  if (size <= UPPER_QUARTILE) return 0.5 + x * rational(CENTRAL_AREA, x * x)
  if (Number.isNaN(x)) return x
  const tail = size > 40 ? 0 : gaussian(size) * (size < SQRT_32 ? rational(MIDDLE_RATIO, size) : outerRatio(size))
  return x < 0 ? tail : 1 - tail
}

/** 1 - Φ(x), the p-value of a one-sided z test, by symmetry: the difference from 1 has no digits left beyond x = 8. */
export function normalUpper(x: number): number {
  return normalCdf(-x)
}

/** φ(x), the standard normal density. */
export function normalDensity(x: number): number {
  return math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** Φ(b) - Φ(a) for a <= b, in the lower tail, where no digits are lost. */
export function normalBetween(a: number, b: number): number {
  return a > 0 ? normalCdf(-a) - normalCdf(-b) : normalCdf(b) - normalCdf(a)
}

/**
 * The x with Φ(x) = p, to about 1 part in 10^16. Wichura (1988), Algorithm AS 241 (PPND16). The upper quantile of a
 * small q is -normalQuantile(q).
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * rational(CENTRAL_QUANTILE, 0.180625 - q * q)
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN
  const r = Math.sqrt(-math.log(q < 0 ? p : 1 - p))
  const size = r <= 5 ? rational(MIDDLE_QUANTILE, r - 1.6) : rational(OUTER_QUANTILE, r - 5)
  return q < 0 ? -size : size
}

/** P(T <= t) for Student's t with `df` degrees of freedom (any positive number; Infinity is the normal). */
export function studentTCdf(t: number, df: number): number {
  if (df === Infinity) return normalCdf(t)
  const square = t * t
  if (square === Infinity) return t < 0 ? 0 : 1
  const tail = 0.5 * incompleteBeta(df / (df + square), df / 2, 0.5, square / (df + square))
  return t < 0 ? tail : 1 - tail
}

/** The t with P(T <= t) = p: df / (df + t²) is Beta(df / 2, 1 / 2). */
export function studentTQuantile(p: number, df: number): number {
  if (df === Infinity) return normalQuantile(p)
  if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN
  if (p === 0.5) return 0
  const tail = Math.min(p, 1 - p)
  const { x, y } = solveBeta(2 * tail, 1 - 2 * tail, df / 2, 0.5)
  const size = Math.sqrt((df * y) / x)
  return p < 0.5 ? -size : size
}

/** P(X <= x) for Beta(a, b). */
export function betaCdf(x: number, a: number, b: number): number {
  return incompleteBeta(x, a, b)
}

/** The x with P(X <= x) = p for Beta(a, b). */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1 && a > 0 && b > 0)) return Number.NaN
  return solveBeta(p, 1 - p, a, b).x
}

/** P(X <= x) for chi-squared with `df` degrees of freedom. */
export function chiSquaredCdf(x: number, df: number): number {
  return lowerGamma(df / 2, x / 2)
}

/** P(X > x) for chi-squared: the p-value of a chi-squared test. */
export function chiSquaredUpper(x: number, df: number): number {
  return upperGamma(df / 2, x / 2)
}

/** P(X > x) for F with (df1, df2) degrees of freedom: the p-value of an F test. */
export function fUpper(x: number, df1: number, df2: number): number {
  if (x <= 0) return 1
  const scaled = df1 * x
  return incompleteBeta(df2 / (df2 + scaled), df2 / 2, df1 / 2, scaled / (df2 + scaled))
}

/** P(X = k) for the number of successes in n trials. */
export function binomialPmf(k: number, n: number, p: number): number {
  if (!Number.isInteger(k) || k < 0 || k > n) return 0
  return binomialTerm(k, n - k, p, 1 - p)
}

/** P(X <= k) for the number of successes in n trials: I_{1-p}(n - k, k + 1). */
export function binomialCdf(k: number, n: number, p: number): number {
  const whole = Math.floor(k)
  if (whole < 0) return 0
  if (whole >= n) return 1
  return incompleteBeta(1 - p, n - whole, whole + 1, p)
}

/**
 * P(X = k) for the number of marked members among `draws` drawn without replacement from a population with `marked`
 * marked ones. As a ratio of three binomial probabilities (Loader 2000), which holds for any size of population.
 */
export function hypergeometricPmf(k: number, population: number, marked: number, draws: number): number {
  const unmarked = population - marked
  if (!Number.isInteger(k) || k < Math.max(0, draws - unmarked) || k > Math.min(marked, draws)) return 0
  if (draws === 0 || draws === population) return 1
  const p = draws / population
  const q = (population - draws) / population
  const numerator = binomialTerm(k, marked - k, p, q) * binomialTerm(draws - k, unmarked - draws + k, p, q)
  return numerator / binomialTerm(draws, population - draws, p, q)
}

/** A point of the unit interval with its complement, both to full precision. */
interface UnitPoint {
  readonly x: number
  readonly y: number
}

const MOST_NEWTON_STEPS = 200
/** Beyond this log-odds, exp leaves the range of doubles. */
const LARGEST_LOGIT = 744

/**
 * The point that leaves `lower` probability of Beta(a, b) below and `upper` above it (they sum to 1; the smaller one is
 * solved for). Newton's method in the log-odds of x on the logarithm of the tail, which is nearly straight far out;
 * bisection whenever a step would leave the bracket; a last step in x itself.
 */
function solveBeta(lower: number, upper: number, a: number, b: number): UnitPoint {
  if (lower <= 0) return { x: 0, y: 1 }
  if (upper <= 0) return { x: 1, y: 0 }
  const fromBelow = lower <= upper
  const mirrored = fromBelow ? solveLowerBeta(lower, a, b) : solveLowerBeta(upper, b, a)
  return fromBelow ? mirrored : { x: mirrored.y, y: mirrored.x }
}

function solveLowerBeta(p: number, a: number, b: number): UnitPoint {
  let left = -LARGEST_LOGIT
  let right = LARGEST_LOGIT
  let logit = math.log(a / b)
  for (let step = 0; step < MOST_NEWTON_STEPS; step++) {
    const { x, y } = atLogit(logit)
    const tail = incompleteBeta(x, a, b, y)
    const excess = math.log(tail / p)
    if (excess > 0) right = logit
    else left = logit
    const newton = logit - (excess * tail) / logitDensity(x, y, a, b)
    if (Math.abs(newton - logit) <= 1e-10 * Math.max(1, Math.abs(logit))) break
    logit = newton > left && newton < right ? newton : (left + right) / 2
  }
  return polish(atLogit(logit), p, a, b)
}

/** One Newton step in the smaller of x and 1 - x; the logit cannot hold all digits of either. */
function polish({ x, y }: UnitPoint, p: number, a: number, b: number): UnitPoint {
  const density = logitDensity(x, y, a, b)
  if (density === 0) return { x, y }
  const relative = (p - incompleteBeta(x, a, b, y)) / density
  if (x <= y) {
    const better = x + x * y * relative
    return { x: better, y: 1 - better }
  }
  const better = y - x * y * relative
  return { x: 1 - better, y: better }
}

function atLogit(logit: number): UnitPoint {
  const odds = math.exp(logit)
  const inverse = math.exp(-logit)
  return { x: 1 / (1 + inverse), y: 1 / (1 + odds) }
}

/** x^a y^b / B(a, b): the density of the log-odds. */
function logitDensity(x: number, y: number, a: number, b: number): number {
  return (binomialTerm(a, b, x, y) * a * b) / (a + b)
}

/** exp(-x²/2), squaring a 4-bit fraction exactly so that the error of x² is not magnified. */
function gaussian(x: number): number {
  const coarse = Math.trunc(x * 16) / 16
  return math.exp(-0.5 * coarse * coarse) * math.exp(-0.5 * (x - coarse) * (x + coarse))
}

/** Φ(-x) exp(x²/2) for x >= √32. */
function outerRatio(x: number): number {
  const s = 1 / (x * x)
  return (ONE_OVER_SQRT_2PI - s * rational(OUTER_RATIO, s)) / x
}

/** A ratio of two polynomials, coefficients from the constant up. */
interface Rational {
  readonly top: readonly number[]
  readonly bottom: readonly number[]
}

/** Both polynomials by Horner's rule. */
function rational({ top, bottom }: Rational, x: number): number {
  return polynomial(top, x) / polynomial(bottom, x)
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + coefficients[i]
  return value
}

/** Cody: (Φ(x) - 1/2) / x in x², |x| up to the quartile. */
const CENTRAL_AREA: Rational = {
  top: [18154.98125334356, 1067.6894854603709, 161.02823106855587, 2.2352520354606837, 0.06568233791820745],
  bottom: [45507.78933502673, 10260.932208618979, 976.0985517377767, 47.202581904688245, 1],
}

/** Cody: Φ(-x) exp(x²/2) in x, up to √32. */
const MIDDLE_RATIO: Rational = {
  top: [
    9842.714838383978, 11602.65143764735, 6848.190450536283, 2494.5375852903726, 597.2702763948002, 93.50665613217785,
    8.883149794388377, 0.39894151208813466, 1.0765576773720192e-8,
  ],
  bottom: [
    19685.429676859992, 38912.00328609327, 34900.95272114598, 18615.571640885097, 6485.558298266761, 1519.3775994075547,
    235.387901782625, 22.266688044328117, 1,
  ],
}

/** Cody: (1/√(2π) - x Φ(-x) exp(x²/2)) x² in 1/x², beyond √32. */
const OUTER_RATIO: Rational = {
  top: [
    2.9112874951168793e-5, 0.0014216191932278934, 0.022235277870649807, 0.12740116116024736, 0.215898534057957,
    0.023073441764940174,
  ],
  bottom: [7.297515550839662e-5, 0.0037823963320275824, 0.06598813786892856, 0.4682382124808651, 1.284260096144911, 1],
}

/** AS 241: quantile / (p - 1/2) in 0.425² - (p - 1/2)². */
const CENTRAL_QUANTILE: Rational = {
  top: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  bottom: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
}

/** AS 241: quantile in √(-log tail) - 1.6, up to √(-log tail) = 5. */
const MIDDLE_QUANTILE: Rational = {
  top: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  bottom: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
}

/** AS 241: quantile in √(-log tail) - 5, beyond. */
const OUTER_QUANTILE: Rational = {
  top: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  bottom: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
}

/** Mean of the root of χ² with df degrees of freedom, √2 Γ((df + 1) / 2) / Γ(df / 2). */
export function chiMean(df: number): number {
  return df < 1 ? 0 : Math.SQRT2 * math.exp(logGamma((df + 1) / 2) - logGamma(df / 2))
}
