import { math } from '@scrim/kernels'
import type { Context } from '../../../measure.js'
import { type Interval, percentileInterval } from '../../../stats/intervals.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { countWhere } from '../counts/frequencies.js'
import {
  pitman,
  poissonGamma,
  type Sample,
  type Spectrum,
  slideNegativeBinomial,
  type UniquenessFit,
  type UniquenessModel,
  zayatz,
} from './population-models.js'
import type { Sampling } from './sampling.js'

/** Estimates of the uniques of a population from a sample, by spectrum and by record. */
export const MODELS = { pitman, zayatz, snb: slideNegativeBinomial, pg: poissonGamma } as const

export const SPECTRUM_METHODS = ['pitman', 'zayatz', 'snb', 'pg'] as const

export const SURVEY_METHODS = ['ce', 'pml', 'weighted'] as const

export const RECORD_METHODS = ['nb', 'poisson', ...SURVEY_METHODS] as const

type SpectrumMethod = (typeof SPECTRUM_METHODS)[number]

export type RecordMethod = (typeof RECORD_METHODS)[number]

type RiskutilityMethod = 'riskutility-pitman' | 'riskutility-zayatz'

export type Method = SpectrumMethod | RecordMethod | RiskutilityMethod | 'population'

/** Records simulated over all replicates at most: fewer replicates for large files. */
const BOOTSTRAP_BUDGET = 4e7

const FEWEST_REPLICATES = 40

export type MethodResult = {
  readonly method: Method
  /** P(unique in the population | unique in the sample); null with a reason. */
  readonly pUnique: number | null
  readonly tau1: number | null
  readonly populationUniques: number | null
  readonly populationUniqueShare: number | null
  readonly parameters: Readonly<Record<string, number>>
  readonly logLikelihood: number | null
  readonly converged: boolean
  /** Of τ1, by parametric bootstrap of the spectrum. */
  readonly interval: Pick<Interval, keyof Interval> | null
  readonly replicates: number
  readonly note: string | null
}

function result(method: Method, pUnique: number, spectrum: Spectrum, more: Partial<MethodResult> = {}): MethodResult {
  return {
    parameters: {},
    logLikelihood: null,
    converged: true,
    interval: null,
    replicates: 0,
    note: null,
    method,
    pUnique,
    tau1: pUnique * spectrum.uniques,
    populationUniques: null,
    populationUniqueShare: null,
    ...more,
  }
}

export function bySpectrum(method: SpectrumMethod, sample: Sample, replicates: number, context: Context): MethodResult {
  const { spectrum, populationSize } = sample
  const share = (uniques: number | null) =>
    uniques === null ? {} : { populationUniques: uniques, populationUniqueShare: uniques / populationSize }
  if (spectrum.uniques === 0) return result(method, 0, spectrum, { note: 'no record is unique in the sample' })
  if (populationSize <= spectrum.records)
    return result(method, 1, spectrum, { ...share(spectrum.uniques), note: 'the file is the population' })
  if (spectrum.uniques === spectrum.records) {
    return result(method, 1, spectrum, {
      converged: false,
      note: 'not identifiable: every record is unique, the likelihood has no maximum',
    })
  }
  const model: UniquenessModel = MODELS[method]
  const fit = model.fit(sample)
  if (!Number.isFinite(fit.pUnique)) return notFitted(method, spectrum, 'the likelihood could not be maximised')
  const finite = (value: number | null) => (Number.isFinite(value) ? value : null)
  return result(method, fit.pUnique, spectrum, {
    ...share(finite(fit.populationUniques)),
    parameters: Object.fromEntries(Object.entries(fit.parameters).filter(([, value]) => Number.isFinite(value))),
    logLikelihood: finite(fit.logLikelihood),
    converged: fit.converged,
    note: fit.converged ? null : 'the maximum of the likelihood was not reached',
    ...bootstrap(method, model, sample, fit, replicates, context),
  })
}

export function notFitted(method: Method, spectrum: Spectrum, note: string): MethodResult {
  return result(method, 0, spectrum, { pUnique: null, tau1: null, converged: false, note })
}

/** 2.5 and 97.5 percent points of τ1 over spectra drawn from the fitted model and fitted again. */
function bootstrap(
  method: string,
  model: UniquenessModel,
  sample: Sample,
  fit: UniquenessFit,
  wanted: number,
  { random, signal }: Context,
) {
  const affordable = Math.max(FEWEST_REPLICATES, Math.floor(BOOTSTRAP_BUDGET / sample.spectrum.records))
  const replicates = Math.min(wanted, affordable)
  if (replicates === 0) return { interval: null, replicates }
  const tau1 = new Float64Array(replicates)
  for (let replicate = 0; replicate < replicates; replicate++) {
    throwIfAborted(signal)
    const spectrum = model.draw(sample, fit, random(`${method} bootstrap`, replicate))
    tau1[replicate] = tau1Of(model, { ...sample, spectrum }, fit)
  }
  return { interval: percentileInterval(tau1), replicates }
}

function tau1Of(model: UniquenessModel, sample: Sample, { optimum }: UniquenessFit): number {
  const { spectrum } = sample
  if (spectrum.uniques === 0) return 0
  if (spectrum.uniques === spectrum.records) return spectrum.uniques
  const populationSize = Math.max(sample.populationSize, spectrum.records)
  const { pUnique } = model.fit({ ...sample, populationSize }, optimum)
  return spectrum.uniques * (Number.isFinite(pUnique) ? pUnique : 1)
}

export function byRecord(
  method: RecordMethod,
  f: Float64Array,
  probability: Float64Array,
  spectrum: Spectrum,
): MethodResult {
  let tau1 = 0
  for (let row = 0; row < f.length; row++) if (f[row] === 1) tau1 += probability[row]
  return result(method, spectrum.uniques === 0 ? 0 : tau1 / spectrum.uniques, spectrum, { tau1 })
}

export function byCounting(
  f: Float64Array,
  { populationFrequency, populationSize }: Sampling,
  spectrum: Spectrum,
): MethodResult {
  const tau1 = countWhere(
    populationFrequency.filter((_, row) => f[row] === 1),
    (people) => people === 1,
  )
  const note = populationSize === 0 ? null : 'counted in the population table'
  return result('population', spectrum.uniques === 0 ? 0 : tau1 / spectrum.uniques, spectrum, { tau1, note })
}

/** riskutility 0.2.0. Both are heuristics: the first falls where it should rise with the fraction, the second sees no data. */
export function asRiskutility(method: RiskutilityMethod, { spectrum, fraction }: Sample): MethodResult {
  const pairs = spectrum.sizes.indexOf(2)
  const doubles = pairs < 0 ? 0 : spectrum.classes[pairs]
  const c1 = spectrum.uniques
  const unseen = doubles === 0 ? (c1 * (c1 - 1)) / 2 : c1 ** 2 / (2 * doubles)
  const p =
    method === 'riskutility-zayatz'
      ? math.pow(1 - fraction, 1 / fraction - 1)
      : unseen / (unseen + spectrum.records * fraction)
  return result(method, c1 === 0 ? 0 : p, spectrum, { note: 'heuristic of riskutility, for comparison only' })
}
