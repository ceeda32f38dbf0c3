import { math } from '@scrim/kernels'

/**
 * E(1/F | f): the chance of picking the right person among the F of the population who share the key of a record, when
 * F is not known but a model says how many more than the f seen in the sample there are. Exact for every real f > 0; no
 * alternating sums, so nothing cancels.
 */

/** A step of a continued fraction or series that changes the value by less than this is the last one. */
const PRECISION = 1e-16
const MOST_STEPS = 1e7
/** Up to these, the forward recursion is short and damps its own rounding errors. */
const RECURSION_UP_TO_F = 64
const RECURSION_UP_TO_P = 0.25

/**
 * F | f ~ f + NegBin(f, p), the model of Benedetti and Franconi (1998): E(1/F) = (p/f) 2F1(1, 1; f + 1; 1 - p).
 * `p` in (0, 1] is the sampling fraction of the class, estimated by f over the sum of weights.
 */
export function negativeBinomialReciprocal(f: number, p: number): number {
  if (p >= 1) return 1 / f
  if (f === 1) return (-p * math.log(p)) / (1 - p)
  if (p <= RECURSION_UP_TO_P && Number.isInteger(f) && f <= RECURSION_UP_TO_F) return byRecursion(f, p)
  return (p / f) * hypergeometric(1, f + 1, 1 - p)
}

/** r(f + 1) = p/(1 - p) (1/f - r(f)); each step shrinks an error by p/(1 - p) <= 1/3. */
function byRecursion(f: number, p: number): number {
  const odds = p / (1 - p)
  let r = -odds * math.log(p)
  for (let size = 1; size < f; size++) r = odds * (1 / size - r)
  return r
}

/** sdcMicro's default for f > 2, p/(f - (1 - p)): slightly too high. As there, f up to 2 is exact. */
export function approximateReciprocal(f: number, p: number): number {
  return f > 2 ? p / (f - (1 - p)) : negativeBinomialReciprocal(f, p)
}

/**
 * F - f | f ~ NegBin(r + f, q), the Poisson-gamma model of Bethlehem, Keller and Pannekoek (1990):
 * E(1/F) = (q/f) 2F1(1, 1 - r; f + 1; 1 - q). With r = 0 it is `negativeBinomialReciprocal`.
 */
export function poissonGammaReciprocal(f: number, r: number, q: number): number {
  return q >= 1 ? 1 / f : (q / f) * hypergeometric(1 - r, f + 1, 1 - q)
}

/**
 * F | f ~ f + Poisson(nu), the model of Skinner and Holmes (1998): E(1/F) = E 1/(f + X) = ∫ t^(f-1) e^(-nu (1-t)) dt
 * over [0, 1]. For whole f <= nu by the recursion I(f) = (1 - (f - 1) I(f - 1))/nu, which damps errors there;
 * otherwise by the expectation itself, summed outwards from the mode of the Poisson distribution.
 */
export function poissonReciprocal(f: number, nu: number): number {
  if (nu === 0) return 1 / f
  if (f === 1) return -math.expm1(-nu) / nu
  if (Number.isInteger(f) && f <= nu && f <= RECURSION_UP_TO_F) {
    let integral = -math.expm1(-nu) / nu
    for (let size = 2; size <= f; size++) integral = (1 - (size - 1) * integral) / nu
    return integral
  }
  return overPoisson(f, nu)
}

/** Σ P(X = k)/(f + k), with the probabilities relative to that of the mode, so that none underflows. */
function overPoisson(f: number, nu: number): number {
  const mode = Math.floor(nu)
  let sum = 1 / (f + mode)
  let mass = 1
  for (let k = mode, term = 1; term > PRECISION; k++) {
    term *= nu / (k + 1)
    sum += term / (f + k + 1)
    mass += term
  }
  for (let k = mode, term = 1; k > 0 && term > PRECISION; k--) {
    term *= k / nu
    sum += term / (f + k - 1)
    mass += term
  }
  return sum / mass
}

/**
 * 2F1(1, b; c; z) for 0 <= z < 1 by Gauss's continued fraction 1/(1 + k1 z/(1 + k2 z/(1 + ...))), evaluated by the
 * modified Lentz method. It needs of the order of 1/√(1 - z) steps where the power series needs 1/(1 - z).
 */
function hypergeometric(b: number, c: number, z: number): number {
  const g = c - 1
  let value = 1
  let upper = 1
  let lower = 0
  for (let step = 1; step < MOST_STEPS; step++) {
    const n = step >> 1
    const k =
      step % 2 === 1
        ? (-(g + n) * (b + n)) / ((g + 2 * n) * (g + 2 * n + 1))
        : ((b - g - n) * n) / ((g + 2 * n - 1) * (g + 2 * n))
    lower = 1 / (1 + k * z * lower)
    upper = 1 + (k * z) / upper
    value *= upper * lower
    if (Math.abs(upper * lower - 1) <= 2 * PRECISION) break
  }
  return 1 / value
}
