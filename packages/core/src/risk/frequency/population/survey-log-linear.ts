import { math } from '@scrim/kernels'
import { sum } from '../../../stats/sums.js'
import { type Cells, type Clique, type Exposure, fitLogLinear, fitWithExposure } from './log-linear.js'

/**
 * Log-linear models of the keys that heed survey weights. f_k records of the sample are in cell k, F_k persons of the
 * population by the sum of weights; π_k = f_k/F_k, and n/N in empty cells. All give ν_k, how many further persons are expected
 * in the cell; a sample unique is unique in the population with probability e^(-ν).
 *
 * - `ce` (Clogg and Eliason 1987): f_k ~ Poisson(π_k λ_k), log λ = model. ν = (1 - π_k) λ_k.
 * - `pml`, pseudo maximum likelihood (Rao and Thomas 2003): log λ = model, fitted to the F_k. ν = (1 - π_k) λ_k.
 * - `weighted`: the weights are a predictor, log μ = model - γ log π_k. ν = (1 - π_k) μ_k/π_k. `ce` is γ = -1, a model without
 *   weights γ = 0.
 *
 * With equal weights all are the model without weights. As sdcMicro 5.8.2's modRisk computes them, found by comparing results:
 * `ce` has the exposure π_k + 0.1 (0.1 in empty cells), `pml` is fitted to F_k n/N rounded, `weighted` has F_k itself for
 * predictor (0 in empty cells); and ν = (1 - π_k) μ_k always, with the expected count of the sample where that of the
 * population belongs, so that far too many look unique.
 */
export type SurveyModel = 'ce' | 'pml' | 'weighted'

export type SurveyFit = { readonly nu: Float64Array; readonly gamma: number | null } | { readonly problem: string }

const MODRISK_SHIFT = 0.1
/** Every step of γ is one fit over the grid. */
const LARGEST_GRID_OF_STEPS = 1e6
const FARTHEST_GAMMA = 64
const MOST_STEPS = 100
/** Of the scale of the predictor. */
const GAMMA_TOLERANCE = 1e-9

export function fitSurveyModel(
  model: SurveyModel,
  cells: Cells,
  population: Float64Array,
  cliques: readonly Clique[],
  definition: 'standard' | 'sdcmicro',
): SurveyFit {
  const counts = Float64Array.from(cells.counts)
  const fraction = counts.map((f, cell) => Math.min(1, f / population[cell]))
  const overall = Math.min(1, sum(counts) / sum(population))
  const asModRisk = definition === 'sdcmicro'
  const further = (mu: Float64Array) =>
    mu.map((expected, cell) => (1 - fraction[cell]) * (asModRisk ? expected : expected / fraction[cell]))

  if (model === 'pml') {
    const scaled = population.map((F) => (asModRisk ? roundHalfEven(F * overall) : F))
    const { expected } = fitLogLinear({ ...cells, counts: scaled }, cliques)
    return { nu: asModRisk ? further(expected) : expected.map((lambda, k) => (1 - fraction[k]) * lambda), gamma: null }
  }
  if (model === 'ce') {
    const shift = asModRisk ? MODRISK_SHIFT : 0
    const exposure = { ofCell: fraction.map((pi) => pi + shift), elsewhere: asModRisk ? shift : overall }
    const fit = fitWithExposure(cells, cliques, exposure)
    return fit === null ? tooLarge() : { nu: further(fit.expected), gamma: null }
  }
  const predictor = asModRisk
    ? { ofCell: population, elsewhere: 0 }
    : { ofCell: fraction.map((pi) => -math.log(pi)), elsewhere: -math.log(overall) }
  const found = fitPredictor(cells, cliques, predictor)
  return 'problem' in found ? found : { nu: further(found.expected), gamma: found.gamma }
}

function tooLarge(): { readonly problem: string } {
  return { problem: 'the grid of all keys has too many cells for this model' }
}

/** As R rounds. */
function roundHalfEven(x: number): number {
  const down = Math.floor(x)
  if (x - down !== 0.5) return Math.round(x)
  return down % 2 === 0 ? down : down + 1
}

/**
 * log μ = model + γ x by maximum likelihood: for each γ the model is fitted with exposure e^(γx), and γ is where the score
 * Σ x (f - μ) is 0. The score falls with γ, so a bracket and the Illinois rule find it.
 */
function fitPredictor(
  cells: Cells,
  cliques: readonly Clique[],
  { ofCell, elsewhere }: Exposure,
): { readonly expected: Float64Array; readonly gamma: number } | { readonly problem: string } {
  const counts = Float64Array.from(cells.counts)
  const total = sum(counts)
  const scale = ofCell.reduce((most, x) => Math.max(most, Math.abs(x - elsewhere)), 0)
  // Centred at the empty cells: a constant belongs to the model, and these then add nothing to the score.
  const x = ofCell.map((value) => (scale === 0 ? 0 : (value - elsewhere) / scale))
  const fitAt = (gamma: number) =>
    fitWithExposure(
      cells,
      cliques,
      { ofCell: x.map((value) => math.exp(gamma * value)), elsewhere: 1 },
      LARGEST_GRID_OF_STEPS,
    )
  const scoreAt = (gamma: number): number => {
    const fit = fitAt(gamma)
    return fit === null ? Number.NaN : sum(x.map((value, cell) => value * (counts[cell] - fit.expected[cell])))
  }
  const start = fitAt(0)
  if (start === null) return tooLarge()
  if (scale === 0) return { expected: start.expected, gamma: 0 }
  const root = fallingRoot(scoreAt, GAMMA_TOLERANCE * total)
  const fit = root === null ? null : fitAt(root)
  if (root === null || fit === null) return { problem: 'no finite effect of the weights fits: they separate the cells' }
  return { expected: fit.expected, gamma: root / scale }
}

/**
 * Where a falling function is 0 within `tolerance`, between -64 and 64; null if it does not change its sign there. Regula
 * falsi; an end that stays twice counts half as much (the Illinois rule), which draws the next point towards it.
 */
function fallingRoot(valueAt: (at: number) => number, tolerance: number): number | null {
  let low = { at: -1, value: valueAt(-1) }
  let high = { at: 1, value: valueAt(1) }
  while (low.value < 0 && low.at > -FARTHEST_GAMMA) {
    high = low
    low = { at: 2 * low.at, value: valueAt(2 * low.at) }
  }
  while (high.value > 0 && high.at < FARTHEST_GAMMA) {
    low = high
    high = { at: 2 * high.at, value: valueAt(2 * high.at) }
  }
  if (!(low.value >= 0 && high.value <= 0)) return null
  let stayed: 'low' | 'high' | null = null
  for (let step = 0; step < MOST_STEPS; step++) {
    const at =
      high.value === low.value
        ? (low.at + high.at) / 2
        : (low.at * high.value - high.at * low.value) / (high.value - low.value)
    const value = valueAt(at)
    if (Math.abs(value) <= tolerance) return at
    if (value > 0) {
      low = { at, value }
      if (stayed === 'high') high = { at: high.at, value: high.value / 2 }
      stayed = 'high'
    } else {
      high = { at, value }
      if (stayed === 'low') low = { at: low.at, value: low.value / 2 }
      stayed = 'low'
    }
  }
  return null
}
