import { countIds, math } from '@scrim/kernels'
import type { Stream } from '../../../random/stream.js'
import { normalQuantile } from '../../../stats/distributions.js'
import { type Minimum, nelderMead } from '../../../stats/nelder-mead.js'
import { logFallingFactorial, logGamma } from '../../../stats/special.js'

/**
 * Superpopulation models of the class sizes of a file. Each is fitted to the spectrum (how many classes have 1, 2, 3 ...
 * records) and answers: what is the chance that a record which is unique in the sample is unique in the population?
 * All of them can be off by a factor of 2 to 4 on real files; none should be shown without the others.
 */
export interface Spectrum {
  /** Class sizes that occur, ascending, and how many classes have each. */
  readonly sizes: readonly number[]
  readonly classes: readonly number[]
  readonly records: number
  readonly classCount: number
  readonly uniques: number
}

export interface Sample {
  readonly spectrum: Spectrum
  readonly populationSize: number
  /** n / N, below 1. */
  readonly fraction: number
}

export interface UniquenessFit {
  /** P(unique in the population | unique in the sample). */
  readonly pUnique: number
  /** Expected number of uniques in the whole population. */
  readonly populationUniques: number | null
  readonly parameters: Readonly<Record<string, number>>
  readonly logLikelihood: number | null
  readonly converged: boolean
  /** Where the likelihood is highest, to start the fits to resampled spectra from. */
  readonly optimum: readonly number[]
}

export interface UniquenessModel {
  fit(sample: Sample, start?: readonly number[]): UniquenessFit
  /** A spectrum drawn from the fitted model. */
  draw(sample: Sample, fit: UniquenessFit, random: Stream): Spectrum
}

export function spectrumFrom(sizes: readonly number[], classes: readonly number[]): Spectrum {
  const occurring = sizes.flatMap((_, k) => (classes[k] > 0 ? [k] : []))
  const kept = { sizes: occurring.map((k) => sizes[k]), classes: occurring.map((k) => classes[k]) }
  const records = kept.sizes.reduce((sum, size, k) => sum + size * kept.classes[k], 0)
  const uniques = kept.sizes[0] === 1 ? kept.classes[0] : 0
  return { ...kept, records, classCount: kept.classes.reduce((a, b) => a + b, 0), uniques }
}

/** Above this the ratio of gamma functions is its asymptotic form to double precision, and the logarithms would cancel. */
const ASYMPTOTIC_FROM = 1e5

/**
 * Ewens-Pitman sampling formula (Pitman 1995; Hoshino 2001). With u classes and n records,
 * ℓ = Σ_{i<u} log(θ + iα) - Σ_{i<n} log(θ + i) + Σ_s c_s Σ_{i<s} log(i - α), 0 <= α < 1, θ > -α.
 * The conditional is exact: P = Γ(N+θ+α-1) Γ(n+θ) / (Γ(n+θ+α-1) Γ(N+θ)).
 */
export const pitman: UniquenessModel = {
  fit(sample, start) {
    const { spectrum } = sample
    const starts = start === undefined ? [-2, 0, 2].flatMap((a) => [0, 3, 6].map((b) => [a, b])) : [start]
    const found = bestOf(starts, (at) => -pitmanLogLikelihood(spectrum, ...pitmanParameters(at)))
    const [alpha, theta] = pitmanParameters(found.at)
    return {
      ...pitmanUniqueness(sample, alpha, theta),
      parameters: { alpha, theta },
      logLikelihood: -found.value,
      converged: found.converged && spectrum.classCount < spectrum.records,
      optimum: found.at,
    }
  },
  draw: ({ spectrum }, { parameters }, random) =>
    drawPitman(spectrum.records, parameters['alpha'], parameters['theta'], random),
}

/** α = logistic(a), θ = -α + exp(b), so that every pair of numbers is allowed. */
function pitmanParameters(at: readonly number[]): [alpha: number, theta: number] {
  const alpha = 1 / (1 + math.exp(-at[0]))
  return [alpha, math.exp(at[1]) - alpha]
}

export function pitmanLogLikelihood(
  { sizes, classes, records, classCount }: Spectrum,
  alpha: number,
  theta: number,
): number {
  const newClasses =
    alpha < 1e-12
      ? (classCount - 1) * math.log(theta)
      : (classCount - 1) * math.log(alpha) + logRising(theta / alpha + 1, classCount - 1)
  let within = 0
  for (let k = 0; k < sizes.length; k++) within += classes[k] * logRising(1 - alpha, sizes[k] - 1)
  return newClasses - logRising(theta + 1, records - 1) + within
}

/** log of x (x + 1) ... (x + k - 1), x > 0. */
function logRising(x: number, k: number): number {
  if (k === 0) return 0
  return x < 1 ? math.log(x) + logRising(x + 1, k - 1) : logFallingFactorial(x + k - 1, k)
}

export function pitmanUniqueness(
  { spectrum, populationSize: N }: Sample,
  alpha: number,
  theta: number,
): { pUnique: number; populationUniques: number } {
  const n = spectrum.records
  const pUnique = gammaRatio(n + theta, N + theta, alpha)
  const unseen = ((N - n) * (theta + spectrum.classCount * alpha) * pUnique) / (n + theta + alpha - 1)
  return { pUnique, populationUniques: spectrum.uniques * pUnique + unseen }
}

/** Γ(b + α - 1) Γ(a) / (Γ(a + α - 1) Γ(b)), the chance that a unique record stays unique while a grows to b. */
function gammaRatio(a: number, b: number, alpha: number): number {
  if (a > ASYMPTOTIC_FROM) return math.pow((a - 1 + alpha / 2) / (b - 1 + alpha / 2), 1 - alpha)
  return math.exp(logGamma(b + alpha - 1) - logGamma(b) + logGamma(a) - logGamma(a + alpha - 1))
}

/**
 * The Chinese restaurant: record i opens a class with probability (θ + uα)/(θ + i), else joins one with weight s - α. The
 * weight is split into 1 - α for the first record of a class and 1 for each other, so one uniform number and no search.
 */
function drawPitman(n: number, alpha: number, theta: number, random: Stream): Spectrum {
  const sizes = new Int32Array(n)
  const classOfFollower = new Int32Array(n)
  let classCount = 1
  let followers = 0
  sizes[0] = 1
  for (let i = 1; i < n; i++) {
    const mark = random.uniform() * (theta + i)
    const opening = theta + classCount * alpha
    if (mark < opening) {
      sizes[classCount++] = 1
      continue
    }
    const rest = mark - opening
    const joined =
      rest < followers
        ? classOfFollower[Math.floor(rest)]
        : Math.min(classCount - 1, Math.floor((rest - followers) / (1 - alpha)))
    sizes[joined]++
    classOfFollower[followers++] = joined
  }
  return spectrumOf(sizes.subarray(0, classCount))
}

/** How many classes have each size. */
export function spectrumOf(sizes: Int32Array): Spectrum {
  const counts = countIds(sizes, sizes.reduce((a, b) => Math.max(a, b), 0) + 1)
  return spectrumFrom([...counts.keys()].slice(1), [...counts].slice(1))
}

/**
 * Zayatz (1991): population class sizes are distributed as those of the sample. With h(s) the chance that exactly one of
 * s persons is sampled, P = c_1 h(1) / Σ c_s h(s). It needs no fit and is usually too high.
 */
export const zayatz: UniquenessModel = {
  fit({ spectrum, populationSize: N }) {
    const n = spectrum.records
    let once = 0
    let others = 0
    let product = 1
    let step = 0
    for (let k = 0; k < spectrum.sizes.length && product > 0; k++) {
      const size = spectrum.sizes[k]
      for (; step < size - 1 && product > 0; step++) product *= Math.max(0, N - n - step) / (N - 1 - step)
      const weight = spectrum.classes[k] * size * product
      if (size === 1) once = weight
      else others += weight
    }
    const pUnique = once / (once + others)
    return {
      pUnique,
      populationUniques: (spectrum.uniques * pUnique * N) / n,
      parameters: {},
      logLikelihood: null,
      converged: true,
      optimum: [],
    }
  },
  draw: ({ spectrum }, _fit, random) =>
    spectrumFrom(
      spectrum.sizes,
      spectrum.classes.map((mean) => poisson(mean, random)),
    ),
}

/**
 * Slide negative binomial (Chen and Keller-McNulty 1998): F = 1 + NB(α, β). A class then has s sampled records with
 * probability P(s) = (1 - π) g(s) + π g(s - 1), g = NB(α, β/(β + π(1 - β))). Fitted by zero-truncated maximum likelihood.
 */
export const slideNegativeBinomial: UniquenessModel = {
  fit(sample, start) {
    const { spectrum, fraction } = sample
    const starts = start === undefined ? [-2, 0, 2].flatMap((a) => [-4, -1, 1].map((b) => [a, b])) : [start]
    const found = bestOf(
      starts,
      (at) => -truncated(spectrum, (size) => slideLogProbability(size, fraction, ...slideParameters(at))),
    )
    const [alpha, beta] = slideParameters(found.at)
    const cells = spectrum.classCount / -math.expm1(slideLogProbability(0, fraction, alpha, beta))
    const logUnique = alpha * math.log(beta)
    return {
      pUnique: math.exp(math.log(fraction) + logUnique - slideLogProbability(1, fraction, alpha, beta)),
      populationUniques: cells * math.exp(logUnique),
      parameters: { alpha, beta, cells },
      logLikelihood: -found.value,
      converged: found.converged && Number.isFinite(cells),
      optimum: found.at,
    }
  },
  draw({ spectrum, fraction }, { parameters }, random) {
    const { alpha, beta, cells } = parameters
    return drawCells(spectrum, cells, (size) => math.exp(slideLogProbability(size, fraction, alpha, beta)), random)
  },
}

function slideParameters(at: readonly number[]): [alpha: number, beta: number] {
  return [math.exp(clamp(at[0], 14)), 1 / (1 + math.exp(-clamp(at[1], 30)))]
}

function slideLogProbability(size: number, fraction: number, alpha: number, beta: number): number {
  const rho = beta / (beta + fraction * (1 - beta))
  const stays = math.log1p(-fraction) + negativeBinomialLog(size, alpha, rho)
  if (size === 0) return stays
  const sampled = math.log(fraction) + negativeBinomialLog(size - 1, alpha, rho)
  const larger = Math.max(stays, sampled)
  return larger + math.log(math.exp(stays - larger) + math.exp(sampled - larger))
}

/**
 * Poisson-gamma (Bethlehem, Keller and Pannekoek 1990): the rate of a class is Gamma(r, b), so f ~ NB(r, b/(b + π)),
 * zero-truncated, and F - f | f ~ NB(r + f, q) with q = (b + π)/(b + 1): P = q^(r+1). The limit r = 0 is legitimate.
 */
export const poissonGamma: UniquenessModel = {
  fit(sample, start) {
    const { spectrum, fraction } = sample
    const starts = start === undefined ? [-6, -2, 1].flatMap((a) => [-5, -2, 1].map((b) => [a, b])) : [start]
    const found = bestOf(starts, (at) => {
      const [r, b] = gammaParameters(at)
      return -truncated(spectrum, (size) => negativeBinomialLog(size, r, b / (b + fraction)))
    })
    const [r, b] = gammaParameters(found.at)
    const q = (b + fraction) / (b + 1)
    const cells = spectrum.classCount / -math.expm1(r * math.log(b / (b + fraction)))
    return {
      pUnique: math.pow(q, r + 1),
      populationUniques: math.exp(math.log(cells) + negativeBinomialLog(1, r, b / (b + 1))),
      parameters: { r, b, cells },
      logLikelihood: -found.value,
      converged: found.converged && Number.isFinite(cells),
      optimum: found.at,
    }
  },
  draw({ spectrum, fraction }, { parameters }, random) {
    const { r, b, cells } = parameters
    return drawCells(spectrum, cells, (size) => math.exp(negativeBinomialLog(size, r, b / (b + fraction))), random)
  },
}

function gammaParameters(at: readonly number[]): [r: number, b: number] {
  return [math.exp(clamp(at[0], 20)), math.exp(clamp(at[1], 20))]
}

/** log of Γ(r + k)/(k! Γ(r)) ρ^r (1 - ρ)^k, written so that r near 0 loses nothing. */
function negativeBinomialLog(k: number, r: number, rho: number): number {
  const empty = r * math.log(rho)
  if (k === 0) return empty
  return empty + k * math.log1p(-rho) + math.log(r / k) + logGamma(r + k) - logGamma(r + 1) - logGamma(k)
}

/** Log-likelihood of a spectrum given that classes without records are not seen. */
function truncated({ sizes, classes, classCount }: Spectrum, logProbability: (size: number) => number): number {
  const seen = math.log(-math.expm1(logProbability(0)))
  let sum = 0
  for (let k = 0; k < sizes.length; k++) sum += classes[k] * logProbability(sizes[k])
  return sum - classCount * seen
}

/** Class counts are independent Poisson when the number of cells is; sizes go on until no class is expected any more. */
function drawCells(spectrum: Spectrum, cells: number, probability: (size: number) => number, random: Stream): Spectrum {
  const sizes: number[] = []
  const classes: number[] = []
  const longest = 20 * spectrum.sizes[spectrum.sizes.length - 1] + 100
  for (let size = 1; size <= longest; size++) {
    const mean = cells * probability(size)
    if (mean < 1e-9 && size > spectrum.records / spectrum.classCount) break
    const drawn = poisson(mean, random)
    if (drawn > 0) {
      sizes.push(size)
      classes.push(drawn)
    }
  }
  return spectrumFrom(sizes, classes)
}

/** From here on the normal approximation is off by less than the bootstrap can see. */
const NORMAL_FROM = 500

function poisson(mean: number, random: Stream): number {
  if (mean > NORMAL_FROM) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normalQuantile(random.openUniform())))
  const limit = math.exp(-mean)
  let product = random.uniform()
  let drawn = 0
  while (product > limit) {
    product *= random.uniform()
    drawn++
  }
  return drawn
}

function bestOf(starts: readonly (readonly number[])[], f: (at: readonly number[]) => number): Minimum {
  const found = starts.map((start) => nelderMead(f, start))
  return found.reduce((best, next) => (next.value < best.value ? next : best))
}

function clamp(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value))
}
