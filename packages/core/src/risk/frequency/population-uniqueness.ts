import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { expected, percent } from '../../print.js'
import { type Interval, percentileInterval } from '../../stats/intervals.js'
import { standardDeviation } from '../../stats/sums.js'
import { weightsOfPart } from '../../table/classes.js'
import { throwIfAborted } from '../../tasks/task.js'
import { frequencies, missingOptions, spectrumOf } from './frequencies.js'
import {
  pitman,
  poissonGamma,
  type Sample,
  type Spectrum,
  slideNegativeBinomial,
  spectrumFrom,
  type UniquenessFit,
  type UniquenessModel,
  zayatz,
} from './population-models.js'
import {
  cliquesOf,
  keyCells,
  populationModel,
  recordRiskOptions,
  recordRiskProblems,
  withClasses,
} from './record-risk.js'
import {
  classFractions,
  type Sampling,
  type SamplingSummary,
  samplingOf,
  samplingOptions,
  summariseSampling,
} from './sampling.js'
import { fitSurveyModel, type SurveyModel } from './survey-log-linear.js'

/**
 * Population uniqueness: of the records that are unique in the sample, how many are unique in the population too, and so
 * certain to be identified by whoever knows their key? τ1 = c_1 P(F = 1 | f = 1); the headline is τ1/n.
 * Four models of the class sizes (population-models.ts) and two of single records answer, and disagree: on real files each
 * can be off by a factor of 2 to 4, so all are shown with their spread. On request one of three log-linear models that heed
 * survey weights answers too (survey-log-linear.ts). With a population table the answer is counted.
 * Blind to records that are not unique but in small classes, and to whether synthetic records are anybody's.
 */
const MODELS = { pitman, zayatz, snb: slideNegativeBinomial, pg: poissonGamma } as const
type SpectrumMethod = keyof typeof MODELS
type RecordMethod = 'nb' | 'poisson' | SurveyModel
type RiskutilityMethod = 'riskutility-pitman' | 'riskutility-zayatz'
type Method = SpectrumMethod | RecordMethod | RiskutilityMethod | 'population'

const options = z.object({
  method: z
    .enum([
      'default',
      'auto',
      'pitman',
      'zayatz',
      'snb',
      'pg',
      'nb',
      'poisson',
      'ce',
      'pml',
      'weighted',
      'riskutility-pitman',
      'riskutility-zayatz',
    ])
    .default('default')
    .describe(
      'headline; default counts in a population table, else pitman (zayatz if it fails); auto is the rule of Dankar et al.; ce, pml and weighted are log-linear models with survey weights',
    ),
  logLinear: recordRiskOptions.logLinear.describe(
    'model of the keys for poisson, ce, pml and weighted: independence, all two-way interactions, or the cliques given',
  ),
  cliques: recordRiskOptions.cliques,
  bootstrap: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(200)
    .describe('spectra drawn from the fitted model for the interval; 0 for none'),
  ...samplingOptions,
  ...missingOptions,
  definition: missingOptions.definition.describe(
    "sdcmicro: log-linear methods as sdcMicro's modRisk, whose gr1 is tau1 over the number of classes; all-missing records as its freqCalc",
  ),
})

/** Records simulated over all replicates at most: fewer replicates for large files. */
const BOOTSTRAP_BUDGET = 4e7
const FEWEST_REPLICATES = 40
/** Above this coefficient of variation of the weights, one sampling fraction for all is a poor summary. */
const UNEQUAL_WEIGHTS = 0.2
const ACCEPTED = 0.1

export const populationUniqueness = measure({
  id: 'population-uniqueness',
  version: 1,
  title: 'Population uniqueness',
  summary: 'expected share of records that are unique in the population by their keys',
  family: 'frequency',
  threat: 'identity',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys'],
  unit: 'share',
  varies: ['people'],
  blindTo: "records in small classes, and whether a synthetic record is anybody's",
  options,
  check: recordRiskProblems,
  compute,
  citations: ['bethlehem1990'],
  records: {
    populationUnique: { riskier: 'higher', meaning: 'probability that nobody else in the population has this key' },
  },
  thresholds: { literature: [{ value: ACCEPTED, meaning: 'usually accepted', source: 'riskutility 0.2.0' }] },
  sentence: ({ details }) =>
    `about ${expected(details.tau1)} of the ${details.sampleUniques} unique records (${percent(details.share, 2)} of the file) are unique in the population by ${details.method}; other methods say ${range(details.spread)}`,
  charts: ({ details }, { name }) => [
    barChart(
      {
        name: 'p-unique',
        title: `Unique in the population, given unique in the file: ${name}`,
        x: 'method',
        y: 'probability',
      },
      details.methods.flatMap(({ method, pUnique }) => (pUnique === null ? [] : [{ label: method, value: pUnique }])),
    ),
    barChart(
      {
        name: 'spectrum',
        red: 'unique',
        title: `Classes by size: ${name}`,
        x: 'records with the same key',
        y: 'classes',
      },
      details.spectrum.map(({ size, classes }) => ({ label: size, value: classes, alarm: size === '1' })),
    ),
  ],
})

function range({ lowest, highest }: Details['spread']): string {
  const [from, to] = [percent(lowest, 2), percent(highest, 2)]
  return from === to ? 'the same' : `${from} to ${to}`
}

async function compute(
  { release, part }: Subject,
  chosen: z.output<typeof options>,
  context: Context,
): Promise<Finding<Details>> {
  const given = frequencies(release, part, release.keys, chosen)
  const { own, notes } = withClasses(release, part, given, chosen)
  const sampling = samplingOf(release, part, own, { ...chosen, missing: own.policy })
  const warnings = [...notes, ...sampling.notes]
  const counts = spectrumOf(own.classes.sizes)
  const spectrum = spectrumFrom([...counts.keys()].slice(1), [...counts].slice(1))
  const sample = { spectrum, populationSize: sampling.populationSize, fraction: sampling.fraction }
  const cliques = cliquesOf(release.keys, chosen)
  const fraction = classFractions(own, sampling)
  const { fit, nu } = populationModel(release, part, own, sampling, cliques)
  warnings.push(...fit.notes)
  const asModRisk = chosen.definition === 'sdcmicro'
  const perRecord: Partial<Record<RecordMethod, Float64Array>> = {
    nb: fraction,
    poisson: nu.map((further, row) => math.exp(asModRisk ? -further * fraction[row] : -further)),
  }
  const methods: MethodResult[] = []
  for (const method of ['pitman', 'zayatz', 'snb', 'pg'] as const)
    methods.push(bySpectrum(method, sample, chosen.bootstrap, context))
  if (isOfSurvey(chosen.method)) {
    const { cells, firstRow } = keyCells(release, part, own.classes)
    const population = Float64Array.from(firstRow, (row) => sampling.populationFrequency[row])
    const survey = fitSurveyModel(chosen.method, cells, population, cliques, chosen.definition)
    if ('problem' in survey) methods.push(notFitted(chosen.method, spectrum, survey.problem))
    else
      perRecord[chosen.method] = Float64Array.from(own.classes.ids, (id) =>
        id < 0 ? Number.NaN : math.exp(-survey.nu[id]),
      )
  }
  for (const method of ['nb', 'poisson', 'ce', 'pml', 'weighted'] as const) {
    const probability = perRecord[method]
    if (probability !== undefined) methods.push(byRecord(method, own.f, probability, spectrum))
  }
  if (sampling.source === 'population') methods.unshift(byCounting(own.f, sampling, spectrum))
  if (chosen.method === 'riskutility-pitman' || chosen.method === 'riskutility-zayatz')
    methods.push(asRiskutility(chosen.method, sample))
  const headline = choose(chosen.method, methods, sample, warnings)
  if (sampling.source === 'weights' && isOfSpectrum(headline.method) && unequal(weightsOfPart(release, part))) {
    warnings.push('the weights differ much; methods of the class sizes see only their mean, nb and poisson see each')
  }
  if (own.dropped > 0) warnings.push(`${own.dropped} records with a missing key were dropped, which hides their risk`)
  const pUnique = headline.pUnique ?? 0
  const shares = methods.flatMap(({ method, tau1 }) => (tau1 === null || isOfRiskutility(method) ? [] : [tau1 / own.n]))
  const details: Details = {
    method: headline.method,
    share: (pUnique * spectrum.uniques) / own.n,
    tau1: pUnique * spectrum.uniques,
    pUnique,
    records: own.n,
    dropped: own.dropped,
    missingPolicy: own.policy,
    classes: spectrum.classCount,
    sampleUniques: spectrum.uniques,
    sampleUniqueShare: spectrum.uniques / own.n,
    sampling: summariseSampling(sampling),
    spread: { lowest: Math.min(...shares), highest: Math.max(...shares) },
    methods,
    spectrum: shownSpectrum(spectrum),
  }
  const uniqueRisk = isOfRecords(headline.method) ? (perRecord[headline.method] ?? null) : null
  return {
    value: details.share,
    interval: headline.interval === null ? null : shareOf(headline.interval, own.n),
    details,
    warnings,
    records: () => ({
      populationUnique: own.f.map((size, row) => (size === 1 ? (uniqueRisk?.[row] ?? pUnique) : size > 1 ? 0 : size)),
    }),
  }
}

type MethodResult = {
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

type Details = {
  readonly method: Method
  readonly share: number
  readonly tau1: number
  readonly pUnique: number
  readonly records: number
  readonly dropped: number
  readonly missingPolicy: string
  readonly classes: number
  readonly sampleUniques: number
  readonly sampleUniqueShare: number
  readonly sampling: SamplingSummary
  /** Smallest and largest τ1/n over all methods. */
  readonly spread: { readonly lowest: number; readonly highest: number }
  readonly methods: readonly MethodResult[]
  readonly spectrum: readonly { readonly size: string; readonly classes: number }[]
}

const NO_FIT = {
  parameters: {},
  logLikelihood: null,
  converged: true,
  interval: null,
  replicates: 0,
  note: null,
} as const

function result(method: Method, pUnique: number, spectrum: Spectrum, given: Partial<MethodResult> = {}): MethodResult {
  return {
    ...NO_FIT,
    method,
    pUnique,
    tau1: pUnique * spectrum.uniques,
    populationUniques: null,
    populationUniqueShare: null,
    ...given,
  }
}

function bySpectrum(method: SpectrumMethod, sample: Sample, replicates: number, context: Context): MethodResult {
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
  const { pUnique, converged } = fit
  const parameters = Object.fromEntries(Object.entries(fit.parameters).filter(([, value]) => Number.isFinite(value)))
  const [populationUniques, logLikelihood] = [fit.populationUniques, fit.logLikelihood].map((value) =>
    Number.isFinite(value) ? value : null,
  )
  const note = converged ? null : 'the maximum of the likelihood was not reached'
  return result(method, pUnique, spectrum, {
    ...share(populationUniques),
    parameters,
    logLikelihood,
    converged,
    note,
    ...bootstrap(method, model, sample, fit, replicates, context),
  })
}

function notFitted(method: Method, spectrum: Spectrum, note: string): MethodResult {
  return { ...result(method, 0, spectrum), pUnique: null, tau1: null, converged: false, note }
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

function byRecord(method: RecordMethod, f: Float64Array, probability: Float64Array, spectrum: Spectrum): MethodResult {
  let tau1 = 0
  for (let row = 0; row < f.length; row++) if (f[row] === 1) tau1 += probability[row]
  return result(method, spectrum.uniques === 0 ? 0 : tau1 / spectrum.uniques, spectrum, { tau1 })
}

function byCounting(
  f: Float64Array,
  { populationFrequency, populationSize }: Sampling,
  spectrum: Spectrum,
): MethodResult {
  let tau1 = 0
  for (let row = 0; row < f.length; row++) if (f[row] === 1 && populationFrequency[row] === 1) tau1++
  const note = populationSize === 0 ? null : 'counted in the population table'
  return result('population', spectrum.uniques === 0 ? 0 : tau1 / spectrum.uniques, spectrum, { tau1, note })
}

/** riskutility 0.2.0. Both are heuristics: the first falls where it should rise with the fraction, the second sees no data. */
function asRiskutility(method: RiskutilityMethod, { spectrum, fraction }: Sample): MethodResult {
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

function choose(
  chosen: z.output<typeof options>['method'],
  methods: readonly MethodResult[],
  { fraction }: Sample,
  warnings: string[],
): MethodResult {
  const of = (method: Method) => methods.find((one) => one.method === method)
  const fitted = (method: Method) => {
    const found = of(method)
    return found !== undefined && found.pUnique !== null && (found.converged || found.pUnique === 1) ? found : undefined
  }
  const fallBack = () => {
    warnings.push('pitman could not be fitted; zayatz is shown')
    return of('zayatz') ?? methods[0]
  }
  if (chosen === 'default') return of('population') ?? fitted('pitman') ?? fallBack()
  if (chosen !== 'auto') {
    const found = of(chosen)
    if (found !== undefined && found.pUnique !== null) return found
    if (isOfSpectrum(chosen)) return fallBack()
    warnings.push(`${chosen} could not be fitted (${found?.note ?? 'no reason'}); the default is shown`)
    return of('population') ?? fitted('pitman') ?? fallBack()
  }
  if (fraction <= 0.1) return fitted('pitman') ?? fallBack()
  const [z, s] = [of('zayatz') ?? methods[0], fitted('snb')]
  return s !== undefined && (s.pUnique ?? 1) < (z.pUnique ?? 1) ? s : z
}

function isOfSpectrum(method: Method): boolean {
  return method in MODELS
}

function isOfSurvey(method: string): method is SurveyModel {
  return method === 'ce' || method === 'pml' || method === 'weighted'
}

function isOfRecords(method: Method): method is RecordMethod {
  return method === 'nb' || method === 'poisson' || isOfSurvey(method)
}

function isOfRiskutility(method: Method): boolean {
  return method.startsWith('riskutility-')
}

function unequal(weights: Float64Array | null): boolean {
  if (weights === null) return false
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length
  return (standardDeviation(weights) ?? 0) / mean > UNEQUAL_WEIGHTS
}

function shareOf({ lower, upper, level, method }: Interval, n: number): Interval {
  return { lower: Math.min(1, lower / n), upper: Math.min(1, upper / n), level, method }
}

const LAST_SIZE_SHOWN = 10

function shownSpectrum({ sizes, classes }: Spectrum): Details['spectrum'] {
  const shown = Array.from({ length: LAST_SIZE_SHOWN }, (_, k) => ({
    size: k + 1 < LAST_SIZE_SHOWN ? String(k + 1) : `${k + 1}+`,
    classes: 0,
  }))
  for (const [k, size] of sizes.entries()) shown[Math.min(size, LAST_SIZE_SHOWN) - 1].classes += classes[k]
  return shown
}
