/**
 * Exponentials, logarithms, powers, sines and cosines from sums, products and quotients alone, which every engine rounds alike.
 * The language leaves the last bits of `Math.exp` and its kin to the engine, and browsers and versions of Node do differ in them:
 * with these functions one seed gives one result everywhere. Errors are below one unit in the last
 * place for `exp`, `log` and `log1p`, below three for the others, and grow with the logarithm of the result for `pow`.
 */

const LN2 = Math.LN2
/** ln 2 in two parts, the first short enough that its multiples by exponents are exact. */
const LN2_HIGH = highPart(LN2, 32)
const LN2_LOW = 4.236521365809284e-10
const LN10 = Math.LN10

function highPart(value: number, bits: number): number {
  const scale = 2 ** (bits - 1)
  return Math.floor(value * scale) / scale
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

/** 2^k for -1022 <= k <= 1023. */
function powerOfTwo(k: number): number {
  words[HIGH] = (k + 1023) << 20
  words[1 - HIGH] = 0
  return double[0]
}

/** x 2^k, rounded once where it underflows. */
function scaled(x: number, k: number): number {
  if (k > 1023) return x * powerOfTwo(1023) * powerOfTwo(Math.min(k - 1023, 1023))
  return k < -1022 ? x * powerOfTwo(Math.max(k + 54, -1022)) * powerOfTwo(-54) : x * powerOfTwo(k)
}

/**
 * With x = k ln 2 + r, |r| <= ln 2 / 2, and r coth(r/2) = 2 + r²/6 - r⁴/360 + ... (Bernoulli numbers), c = r - (r coth(r/2) - 2):
 * exp r = 1 + r + r c / (2 - c).
 */
export function exp(x: number): number {
  if (x > 709.79) return x > 709.782712893384 ? Number.POSITIVE_INFINITY : scaledExp(x)
  if (!(x > -745.14)) return x < 0 ? 0 : Number.NaN
  return scaledExp(x)
}

function scaledExp(x: number): number {
  const k = Math.floor(x / LN2 + 0.5)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const t = r * r
  const c = r - t * cothTail(t)
  const value = 1 - (low - (r * c) / (2 - c) - high)
  return k > -1021 && k < 1024 ? value * powerOfTwo(k) : scaled(value, k)
}

/** (r coth(r/2) - 2) / t for t = r² up to 0.121. */
function cothTail(t: number): number {
  return (
    1 / 6 -
    t *
      (1 / 360 -
        t * (1 / 15120 - t * (1 / 604800 - t * (1 / 23950080 - t * (691 / 653837184000 - t * (1 / 37362124800))))))
  )
}

/** exp x - 1 without cancellation: 2^k (exp r - 1) + 2^k - 1. */
export function expm1(x: number): number {
  if (!(Math.abs(x) < 38)) return x < 0 || x > 0 ? exp(x) - 1 : x
  const k = Math.floor(x / LN2 + 0.5)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const t = r * r
  const c = r - t * cothTail(t)
  const correction = (r * c) / (2 - c) - low
  if (k === 0) return high + correction
  const scale = powerOfTwo(k)
  const shift = 1 - powerOfTwo(-k)
  return k > 0 ? scale * (shift + high + correction) : scale * (correction + high) + (scale - 1)
}

/**
 * x = 2^k m with m between √½ and √2, f = m - 1 and s = f / (2 + f):
 * log m = 2 (s + s³/3 + s⁵/5 + ...) = f - (f²/2 - s (f²/2 + R)), R = 2 (s²/3 + s⁴/5 + ...), in which the large part is exact.
 */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  const k = exponentOf(x)
  return logOf(double[0] - 1, k, 0)
}

/** log(1 + f) + k ln 2 + extra, for 1 + f between √½ and √2. */
function logOf(f: number, k: number, extra: number): number {
  const s = f / (2 + f)
  const half = 0.5 * f * f
  const rest = s * (half + atanhTail(s * s))
  return k === 0 ? f - (half - (rest + extra)) : k * LN2_HIGH - (half - (rest + (k * LN2_LOW + extra)) - f)
}

/** 2 (z/3 + z²/5 + ...) for z = s² up to 0.0295. */
function atanhTail(z: number): number {
  const w = z * z
  const even = 2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21))))
  const odd = 2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19 + w * (2 / 23)))))
  return z * (odd + z * even)
}

const TINY = 2.2250738585072014e-308
const SUBNORMAL_BITS = 54

/** The exponent k of a positive finite number x = 2^k m; leaves m in `double`. */
function exponentOf(x: number): number {
  double[0] = x < TINY ? x * 2 ** SUBNORMAL_BITS : x
  const high = words[HIGH]
  // The mantissa is above √2 from this word on.
  const above = (high & 0xfffff) >= 0x6a09e ? 1 : 0
  words[HIGH] = (high & 0xfffff) | (above === 1 ? 0x3fe00000 : 0x3ff00000)
  return (high >>> 20) - 1023 + above - (x < TINY ? SUBNORMAL_BITS : 0)
}

/** log(1 + x); the rounding error of 1 + x is made good. */
export function log1p(x: number): number {
  if (!(x > -1) || x === Number.POSITIVE_INFINITY) return x === -1 ? Number.NEGATIVE_INFINITY : x < 0 ? Number.NaN : x
  if (x > -0.29 && x < 0.41) return Math.abs(x) < 1e-300 ? x : logOf(x, 0, 0)
  const whole = 1 + x
  const lost = x >= 1 ? 1 - (whole - x) : x - (whole - 1)
  const k = exponentOf(whole)
  return logOf(double[0] - 1, k, lost / whole)
}

export function atanh(x: number): number {
  return 0.5 * (log1p(x) - log1p(-x))
}

/** Exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return log(x)
  const k = exponentOf(x)
  const f = double[0] - 1
  return f === 0 ? k : k + logOf(f, 0, 0) / LN2
}

/** Exact for powers of ten. */
export function log10(x: number): number {
  const found = log(x) / LN10
  const whole = Math.round(found)
  return Math.abs(found - whole) < 1e-10 && tenTo(whole) === x ? whole : found
}

const tens = Array.from({ length: 633 }, (_, k) => Number(`1e${k - 324}`))

/** 10^k as it is read from text; 0 and infinity beyond what there is. */
export function tenTo(k: number): number {
  return k < -324 ? 0 : k > 308 ? Number.POSITIVE_INFINITY : tens[k + 324]
}

const MOST_MULTIPLIED = 1023

/** Whole powers by multiplication, of ten as they are read, others by logarithms. */
export function pow(x: number, y: number): number {
  if (Number.isInteger(y)) {
    if (x === 10) return tenTo(y)
    if (Math.abs(y) <= MOST_MULTIPLIED) return y < 0 ? 1 / wholePower(x, -y) : wholePower(x, y)
  }
  if (x > 0 && x < Number.POSITIVE_INFINITY && Math.abs(y) < Number.POSITIVE_INFINITY) return exp(y * log(x))
  // What is left are signs, zeros and infinities, about which the language leaves no choice, and large powers
  // of negative numbers.
  return x < 0 && Number.isFinite(x) && Number.isInteger(y) ? (y % 2 === 0 ? 1 : -1) * exp(y * log(-x)) : x ** y
}

function wholePower(x: number, y: number): number {
  let power = 1
  for (let factor = x, rest = y; rest > 0; rest = Math.floor(rest / 2), factor *= factor)
    if (rest % 2 === 1) power *= factor
  return power
}

export function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x
  const size = Math.abs(x)
  const near = exp(log(size) / 3)
  const root = near - (near - size / (near * near)) / 3
  return x < 0 ? -root : root
}

/** π/2 in three parts, the first two short enough that their multiples up to 2^20 are exact. */
const QUARTER_1 = highPart(Math.PI / 2, 33)
const QUARTER_2 = 6.077100506303966e-11
const QUARTER_3 = 2.0222662487959506e-21
const MOST_REDUCED = 2 ** 20

export function sin(x: number): number {
  return turned(x, 0)
}

export function cos(x: number): number {
  return turned(x, 1)
}

/** sin(x + quarters π/2). Beyond a million turns nothing is left of an angle in a double, which is taken for 0. */
function turned(x: number, quarters: number): number {
  if (!Number.isFinite(x)) return Number.NaN
  const n = Math.floor(x / (Math.PI / 2) + 0.5)
  if (Math.abs(n) > MOST_REDUCED) return quarters
  const high = x - n * QUARTER_1 - n * QUARTER_2
  const r = high - n * QUARTER_3
  const low = high - r - n * QUARTER_3
  const quadrant = (((n + quarters) % 4) + 4) % 4
  const value = quadrant % 2 === 0 ? sine(r, low) : cosine(r, low)
  return quadrant < 2 ? value : -value
}

function sine(r: number, low: number): number {
  const t = r * r
  const tail =
    -1 / 6 +
    t *
      (1 / 120 +
        t *
          (-1 / 5040 +
            t *
              (1 / 362880 +
                t * (-1 / 39916800 + t * (1 / 6227020800 + t * (-1 / 1307674368000 + t / 355687428096000))))))
  return r + (low * (1 - t / 2) + r * t * tail)
}

function cosine(r: number, low: number): number {
  const t = r * r
  const tail =
    1 / 24 +
    t *
      (-1 / 720 +
        t *
          (1 / 40320 +
            t *
              (-1 / 3628800 +
                t * (1 / 479001600 + t * (-1 / 87178291200 + t * (1 / 20922789888000 - t / 6402373705728000))))))
  const half = 0.5 * t
  const rest = 1 - half
  return rest + (1 - rest - half + (t * t * tail - r * low))
}
