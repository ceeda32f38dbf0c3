import { math } from '@scrim/kernels'
import type { z } from 'zod'
import { UserError } from '../../errors.js'
import { choice, real } from '../../option-kinds.js'
import type { Stream } from '../../random/stream.js'

/**
 * Noise on counts, so that what is made of them is differentially private. With sensitivity S (by how much one person
 * moves the counts in all, 1 if people are added or removed, 2 if one is replaced by another, times the number of tables
 * that are counted):
 *
 *   Laplace            noise with scale S / ε: pure ε (Dwork, McSherry, Nissim and Smith 2006);
 *   discrete Gaussian  whole numbers with P(x) ∝ exp(-x² / 2σ²), σ² = S / 2ρ, ρ = (√(L + ε) - √L)², L = log 1/δ:
 *                      ρ-zCDP, hence (ε, δ) (Canonne, Kamath and Steinke 2020). S is its squared sensitivity, too.
 *
 * Negative counts become 0. What it does not hide: the levels and groups themselves, the numbers drawn within groups, and
 * columns that are not in the table. Numbers are doubles, so the attack of Mironov (2012) on Laplace noise is possible.
 */
export const PRIVACY_OPTIONS = {
  noise: choice(['none', 'laplace', 'discrete-gaussian'], 'none').describe(
    'noise on the counts for differential privacy: none, laplace or discrete-gaussian',
  ),
  epsilon: real(1, { above: 0 }).describe('privacy budget of each synthesis, where there is noise'),
  delta: real(1e-6, { above: 0, below: 1 }).describe('discrete-gaussian: the chance that epsilon does not hold'),
  neighbours: choice(['add-remove', 'replace'], 'add-remove').describe(
    'tables that noise makes alike: one person more or less (sensitivity 1), or another person (2)',
  ),
}

type PrivacyOptions = z.output<z.ZodObject<typeof PRIVACY_OPTIONS>>

const SENSITIVITY = { 'add-remove': 1, replace: 2 } as const

/** Several tables of the same records, which share the budget. */
export function privateCounts(
  tables: readonly Float64Array[],
  variables: readonly string[],
  options: PrivacyOptions,
  random: Stream,
) {
  const { noise, epsilon, delta, neighbours } = options
  if (noise === 'none') return { counts: tables, warnings: [], details: { noise } }
  const sensitivity = SENSITIVITY[neighbours] * tables.length
  const sigma = discreteGaussianSigma(sensitivity, epsilon, delta)
  const scale = sensitivity / epsilon
  const draw = noise === 'laplace' ? () => drawLaplace(random, scale) : () => drawDiscreteGaussian(random, sigma)
  const counts = tables.map((table) => table.map((value) => Math.max(0, value + draw())))
  if (counts.some((table) => table.every((value) => value === 0)))
    throw new UserError('epsilon is so small that the noise has left no count above 0; raise it')
  const budget = noise === 'laplace' ? `epsilon ${epsilon}` : `epsilon ${epsilon}, delta ${delta}`
  return {
    counts,
    /** What is private and what is not, in words. */
    warnings: [
      `the counts of ${variables.map((name) => `"${name}"`).join(', ')} are private (${budget} for each synthesis, neighbours ${neighbours}, sensitivity ${SENSITIVITY[neighbours]}); their levels, numbers drawn within groups and other columns are not`,
    ],
    details: {
      noise,
      epsilon,
      neighbours,
      sensitivity,
      ...(noise === 'laplace' ? { scale } : { delta, sigma }),
    },
  }
}

export function discreteGaussianSigma(sensitivity: number, epsilon: number, delta: number): number {
  const log = math.log(1 / delta)
  const rho = (Math.sqrt(log + epsilon) - Math.sqrt(log)) ** 2
  return Math.sqrt(sensitivity / (2 * rho))
}

export function drawLaplace(random: Stream, scale: number): number {
  const u = random.openUniform() - 0.5
  return -scale * Math.sign(u) * math.log1p(-2 * Math.abs(u))
}

/** By rejection from the discrete Laplace distribution with scale t = ⌊σ⌋ + 1 (Canonne, Kamath and Steinke, algorithm 3). */
export function drawDiscreteGaussian(random: Stream, sigma: number): number {
  const t = Math.floor(sigma) + 1
  for (;;) {
    const y = drawDiscreteLaplace(random, t)
    if (random.uniform() < math.exp(-((Math.abs(y) - sigma ** 2 / t) ** 2) / (2 * sigma ** 2))) return y
  }
}

/** P(x) ∝ exp(-|x| / t): a geometric number with a sign, a negative 0 drawn again. */
function drawDiscreteLaplace(random: Stream, t: number): number {
  for (;;) {
    const size = Math.floor(-t * math.log(random.openUniform()))
    const negative = random.below(2) === 1
    if (!negative) return size
    if (size > 0) return -size
  }
}
