import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, whole } from '../../option-kinds.js'
import { expected, percent } from '../../print.js'
import type { Interval } from '../../stats/intervals.js'
import { standardDeviation } from '../../stats/sums.js'
import { weightsOfPart } from '../../table/classes.js'
import {
  countedDetails,
  droppedWarning,
  FILE_STRUCTURE,
  frequencies,
  missingOptions,
  withClasses,
} from './counts/frequencies.js'
import { sumBySize } from './counts/sizes.js'
import { type Sample, spectrumOf } from './population/population-models.js'
import {
  cliquesOf,
  keyCells,
  populationModel,
  recordRiskOptions,
  recordRiskProblems,
} from './population/record-risk.js'
import { classFractions, samplingOf, samplingOptions, summariseSampling } from './population/sampling.js'
import { fitSurveyModel } from './population/survey-log-linear.js'
import {
  asRiskutility,
  byCounting,
  byRecord,
  bySpectrum,
  type Method,
  type MethodResult,
  MODELS,
  notFitted,
  RECORD_METHODS,
  type RecordMethod,
  SPECTRUM_METHODS,
  SURVEY_METHODS,
} from './population/uniqueness-estimates.js'

/**
 * Population uniqueness: of the records that are unique in the sample, how many are unique in the population too, and so
 * certain to be identified by whoever knows their key? τ1 = c_1 P(F = 1 | f = 1); the headline is τ1/n.
 * Four models of the class sizes (population-models.ts) and two of single records answer, and disagree: on real files each
 * can be off by a factor of 2 to 4, so all are shown with their spread. On request one of three log-linear models that heed
 * survey weights answers too (survey-log-linear.ts). With a population table the answer is counted.
 * Blind to records that are not unique but in small classes, and to whether synthetic records are anybody's.
 */
const options = z.object({
  method: choice(
    ['default', 'auto', ...SPECTRUM_METHODS, ...RECORD_METHODS, 'riskutility-pitman', 'riskutility-zayatz'],
    'default',
  ).describe(
    'headline; default counts in a population table, else pitman (zayatz if it fails); auto is the rule of Dankar et al.; ce, pml and weighted are log-linear models with survey weights',
  ),
  logLinear: recordRiskOptions.logLinear.describe(
    'model of the keys for poisson, ce, pml and weighted: independence, all two-way interactions, or the cliques given',
  ),
  cliques: recordRiskOptions.cliques,
  bootstrap: whole(200, { min: 0, max: 10_000 }).describe(
    'spectra drawn from the fitted model for the interval; 0 for none',
  ),
  ...samplingOptions,
  ...missingOptions,
  definition: missingOptions.definition.describe(
    "sdcmicro: log-linear methods as sdcMicro's modRisk, whose gr1 is tau1 over the number of classes; all-missing records as its freqCalc",
  ),
})
/** Above this coefficient of variation of the weights, one sampling fraction for all is a poor summary. */
const UNEQUAL_WEIGHTS = 0.2
const ACCEPTED = 0.1

export const populationUniqueness = measure({
  ...FILE_STRUCTURE,
  id: 'population-uniqueness',
  title: 'Population uniqueness',
  summary: 'expected share of records that are unique in the population by their keys',
  varies: ['people'],
  blindTo: "records in small classes, and whether a synthetic record is anybody's",
  isOfCounts: () => true,
  options,
  check: recordRiskProblems,
  compute,
  citations: ['bethlehem1990'],
  records: {
    populationUnique: { riskier: 'higher', meaning: 'probability that nobody else in the population has this key' },
  },
  literature: [{ value: ACCEPTED, meaning: 'usually accepted', source: 'riskutility 0.2.0' }],
  sentence: ({ details }) =>
    `about ${expected(details.tau1)} of the ${details.sampleUniques} unique records (${percent(details.share, 2)} of the file) are unique in the population by ${details.method}; other methods say ${range(details.spread)}`,
  tables: ({ details }) => [
    findingTable('methods', 'Population uniques by method', details.methods, [
      [column.text('method'), ({ method }) => method],
      [column.number('population uniques'), ({ populationUniques }) => populationUniques],
      [column.share('share'), ({ populationUniqueShare }) => populationUniqueShare],
      [column.share('sample uniques unique'), ({ pUnique }) => pUnique],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      {
        name: 'p-unique',
        title: `Unique in the population, given unique in the file: ${name}`,
        x: 'method',
        y: 'probability',
      },
      details.methods.map(({ method, pUnique }) => ({ label: method, value: pUnique })),
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

function range({ lowest, highest }: { readonly lowest: number; readonly highest: number }): string {
  const [from, to] = [percent(lowest, 2), percent(highest, 2)]
  return from === to ? 'the same' : `${from} to ${to}`
}

function compute({ release, part }: Subject, chosen: z.output<typeof options>, context: Context) {
  const counted = frequencies(release, part, release.keys, chosen)
  const { own, notes } = withClasses(release, part, release.keys, counted, chosen)
  const sampling = samplingOf(release, part, own, { ...chosen, missing: own.policy })
  const spectrum = spectrumOf(own.classes.sizes)
  const sample = { spectrum, populationSize: sampling.populationSize, fraction: sampling.fraction }
  const cliques = cliquesOf(release.keys, chosen)
  const fraction = classFractions(own, sampling)
  const { fit, nu } = populationModel(release, part, own, sampling, cliques)
  const warnings = [...notes, ...sampling.notes, ...fit.notes]
  const asModRisk = chosen.definition === 'sdcmicro'
  const perRecord: Partial<Record<RecordMethod, Float64Array>> = {
    nb: fraction,
    poisson: nu.map((further, row) => math.exp(asModRisk ? -further * fraction[row] : -further)),
  }
  const methods = SPECTRUM_METHODS.map((method) => bySpectrum(method, sample, chosen.bootstrap, context))
  const surveyModel = SURVEY_METHODS.find((method) => method === chosen.method)
  if (surveyModel !== undefined) {
    const { cells, firstRow } = keyCells(release, part, own.classes)
    const population = Float64Array.from(firstRow, (row) => sampling.populationFrequency[row])
    const survey = fitSurveyModel(surveyModel, cells, population, cliques, chosen.definition)
    if ('problem' in survey) methods.push(notFitted(surveyModel, spectrum, survey.problem))
    else
      perRecord[surveyModel] = Float64Array.from(own.classes.ids, (id) =>
        id < 0 ? Number.NaN : math.exp(-survey.nu[id]),
      )
  }
  for (const method of RECORD_METHODS) {
    const probability = perRecord[method]
    if (probability !== undefined) methods.push(byRecord(method, own.f, probability, spectrum))
  }
  if (sampling.source === 'population') methods.unshift(byCounting(own.f, sampling, spectrum))
  if (chosen.method === 'riskutility-pitman' || chosen.method === 'riskutility-zayatz')
    methods.push(asRiskutility(chosen.method, sample))
  const headline = choose(chosen.method, methods, sample, warnings)
  if (sampling.source === 'weights' && headline.method in MODELS && unequal(weightsOfPart(release, part)))
    warnings.push('the weights differ much; methods of the class sizes see only their mean, nb and poisson see each')
  const pUnique = headline.pUnique ?? 0
  const tau1 = pUnique * spectrum.uniques
  const shares = methods.flatMap(({ method, tau1: uniques }) =>
    uniques === null || method.startsWith('riskutility-') ? [] : [uniques / own.n],
  )
  const ofRecords = RECORD_METHODS.find((method) => method === headline.method)
  const uniqueRisk = ofRecords === undefined ? undefined : perRecord[ofRecords]
  return {
    value: tau1 / own.n,
    interval: headline.interval === null ? null : shareOf(headline.interval, own.n),
    details: {
      method: headline.method,
      share: tau1 / own.n,
      tau1,
      pUnique,
      ...countedDetails(own),
      classes: spectrum.classCount,
      sampleUniques: spectrum.uniques,
      sampleUniqueShare: spectrum.uniques / own.n,
      sampling: summariseSampling(sampling),
      /** Smallest and largest τ1/n over all methods. */
      spread: { lowest: Math.min(...shares), highest: Math.max(...shares) },
      methods,
      spectrum: sumBySize(spectrum.sizes.map((size, k) => [size, spectrum.classes[k]])).map(({ label, count }) => ({
        size: label,
        classes: count,
      })),
    },
    warnings: [...warnings, ...droppedWarning(own.dropped)],
    records: () => ({
      populationUnique: own.f.map((size, row) => (size === 1 ? (uniqueRisk?.[row] ?? pUnique) : size > 1 ? 0 : size)),
    }),
  }
}

function choose(
  chosen: z.output<typeof options>['method'],
  methods: readonly MethodResult[],
  { fraction }: Sample,
  warnings: string[],
): MethodResult {
  const resultOf = (method: Method) => methods.find((other) => other.method === method)
  const fitted = (method: Method) => {
    const found = resultOf(method)
    return found !== undefined && found.pUnique !== null && (found.converged || found.pUnique === 1) ? found : undefined
  }
  const fallBack = () => {
    warnings.push('pitman could not be fitted; zayatz is shown')
    return resultOf('zayatz') ?? methods[0]
  }
  if (chosen === 'default') return resultOf('population') ?? fitted('pitman') ?? fallBack()
  if (chosen !== 'auto') {
    const found = resultOf(chosen)
    if (found !== undefined && found.pUnique !== null) return found
    if (chosen in MODELS) return fallBack()
    warnings.push(`${chosen} could not be fitted (${found?.note ?? 'no reason'}); the default is shown`)
    return resultOf('population') ?? fitted('pitman') ?? fallBack()
  }
  if (fraction <= 0.1) return fitted('pitman') ?? fallBack()
  const [z, s] = [resultOf('zayatz') ?? methods[0], fitted('snb')]
  return s !== undefined && (s.pUnique ?? 1) < (z.pUnique ?? 1) ? s : z
}

function unequal(weights: Float64Array | null): boolean {
  if (weights === null) return false
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length
  return (standardDeviation(weights) ?? 0) / mean > UNEQUAL_WEIGHTS
}

function shareOf({ lower, upper, level, method }: Interval, n: number): Interval {
  return { lower: Math.min(1, lower / n), upper: Math.min(1, upper / n), level, method }
}
