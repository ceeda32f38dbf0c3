import { z } from 'zod'
import { type PairedEstimate, pairedIntervalChart } from '../../chart/chart.js'
import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable, UserError } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { choice, flag, openText, real } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import { type Pair, weightsOf } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type CoefficientComparison,
  coefficientOverlap,
  type OverlapRule,
  OWN_RULE,
} from './regression/coefficient-overlap.js'
import { type Formula, parseFormula } from './regression/formula.js'
import { type ModelDesign, modelDesign } from './regression/model-matrix.js'
import { fitRegression, isSeparatedByLevel, type RegressionFamily } from './regression/regression-fit.js'
import { familyOf, formulaOf } from './regression/wanted-model.js'

/**
 * Does a regression on the release lead where it leads on the original? The same model is fitted to both, and the headline is
 * the mean overlap of the confidence intervals of its coefficients; `coefficient-overlap.ts` has the formulas (Karr, Kohnen,
 * Oganian, Reiter and Sanil 2006). Two samples of one population overlap by about 0.78, never by 1: what an honest sample of
 * this original gives stands beside the value. The Wald statistic tests all coefficients together.
 *
 * Without a formula the target is modelled by the keys, or by all other columns; a target with more than two levels is its
 * most common level against the others. It sees what this model sees, and nothing else.
 */
const options = z.object({
  ...utilityOptions,
  formula: openText().describe(
    'the model, as R writes it: log(income) ~ age + sex + age:sex; by default the target on the keys',
  ),
  family: choice(['auto', 'linear', 'logistic', 'poisson'], 'auto').describe(
    'kind of regression; auto: logistic for two levels or 0 and 1, otherwise linear',
  ),
  level: real(INTERVAL_LEVEL, { above: 0, below: 1 }).describe('level of the confidence intervals'),
  intercept: flag(false).describe('count the intercept among the coefficients'),
})

export type Options = z.output<typeof options>

export const regressionFidelity = utilityMeasure({
  id: 'regression-fidelity',
  title: 'Regression fidelity',
  summary: 'overlap of the confidence intervals of a regression on original and release',
  orientation: 'utility',
  scale: 'joint',
  nothing: 'independent',
  standardised: true,
  needs: [],
  unit: 'share',
  range: [-100, 1],
  blindTo: 'everything that the model does not contain',
  options,
  check: (release, chosen) => problemsOf(release, chosen),
  ...regressionsBy(OWN_RULE),
  citations: ['karr2006'],
  literature: [
    { value: 0.9, meaning: 'above: excellent', source: 'riskutility' },
    { value: 0.7, meaning: 'above: good', source: 'riskutility' },
  ],
  sentence: ({ details }) =>
    `confidence intervals of ${details.formula} overlap by ${percent(details.overlap)}; ${percent(details.agreement, 0)} of ${count(details.coefficients.length, 'coefficient')} lead to the same conclusion`,
  tables: ({ details }) => [
    findingTable('coefficients', `Coefficients of ${details.formula}`, details.coefficients, [
      [column.text('term'), ({ term }) => term],
      [column.number('original'), ({ original }) => original.estimate],
      [column.number('error'), ({ original }) => original.standardError],
      [column.number('release'), ({ release }) => release?.estimate],
      [column.number('release error'), ({ release }) => release?.standardError],
      [column.number('standardised bias'), ({ standardisedBias }) => standardisedBias],
      [column.share('overlap'), ({ overlap }) => overlap],
    ]),
  ],
  charts: ({ details }, { name }) => [
    pairedIntervalChart(
      {
        name: 'coefficients',
        title: `Coefficients of ${details.formula}: ${name}`,
        x: 'estimate and confidence interval, in standard errors of the original',
        y: '',
      },
      estimatesOf(details.coefficients),
    ),
    distanceChart(
      {
        name: 'overlap',
        title: `Overlap of confidence intervals: ${name}`,
        red: 'only one of the files finds it different from 0',
        x: 'overlap',
      },
      shown(details.coefficients).map(({ term, overlap, agrees }) => ({ label: term, value: overlap, alarm: !agrees })),
    ),
  ],
})

/** A regression of each file, coefficients held against each other by a rule. */
export function regressionsBy(rule: OverlapRule) {
  return {
    statistic: (pair: Pair, chosen: Options) => overlapOf(pair, chosen, rule).found.overlap,
    compute: (pair: Pair, chosen: Options) => {
      const { formula, family, original, released, found, shrunk } = overlapOf(pair, chosen, rule)
      const warnings = [
        ...(shrunk
          ? [
              'some coefficients grow without end (a level without cases, or one that separates the outcomes): all were shrunk a little',
            ]
          : []),
        ...(found.lost.length > 0 ? [`the release cannot estimate ${found.lost.join(', ')}`] : []),
      ]
      return {
        value: found.overlap,
        interval: null,
        test:
          found.wald === null ? null : { p: found.wald.p, what: `Wald test of ${count(found.wald.df, 'coefficient')}` },
        details: {
          formula: formula.text,
          family,
          ...found,
          records: { original: original.records, release: released.records },
          /** Whether coefficients were shrunk because some grew without end. */
          shrunk,
        },
        warnings,
      }
    },
  }
}

const MOST_SHOWN = 25
const SMALL_RIDGE = 1

function shown(coefficients: readonly CoefficientComparison[]): readonly CoefficientComparison[] {
  if (coefficients.length <= MOST_SHOWN) return coefficients
  return coefficients.toSorted((a, b) => a.overlap - b.overlap).slice(0, MOST_SHOWN)
}

/** Both intervals in standard errors of the original, so that coefficients of any unit fit into one picture. */
function estimatesOf(coefficients: readonly CoefficientComparison[]): PairedEstimate[] {
  return shown(coefficients).flatMap(({ term, original, release }) => {
    const scale = original.standardError > 0 ? original.standardError : 1
    const row = (fits: typeof original, series: 'original' | 'release') => ({
      label: term,
      series,
      value: fits.estimate / scale,
      lower: fits.lower / scale,
      upper: fits.upper / scale,
    })
    return [row(original, 'original'), ...(release === null ? [] : [row(release, 'release')])]
  })
}

function problemsOf(release: Release, chosen: Options): string[] {
  if (chosen.formula === null) return []
  try {
    const columns = release.variables.map((name) => columnOf(release.original, name))
    const data: Table = { ...release.original, columns }
    const formula = parseFormula(chosen.formula, data)
    familyOf(formula, data, chosen)
    return []
  } catch (error) {
    if (error instanceof UserError) return [...error.problems]
    throw error
  }
}

function overlapOf(pair: Pair, chosen: Options, rule: OverlapRule) {
  const formula = formulaOf(pair, chosen)
  const design = modelDesign(formula, [pair.original, pair.released])
  const family = familyOf(formula, pair.original, chosen)
  const [x, y] = design.frames
  if (x.rows.length === 0 || y.rows.length === 0)
    throw new NotApplicable('one of the files has no record in which nothing of the model is missing')
  const fits = fitBoth(pair, design, formula, family)
  const found = coefficientOverlap(design.termNames, fits.original, fits.released, {
    level: chosen.level,
    withIntercept: chosen.intercept,
    rule,
  })
  if (found === null) throw new NotApplicable(`the original estimates no coefficient of ${formula.text}`)
  return { formula, family, found, ...fits }
}

/** Both files by the same estimator: where coefficients of one grow without end, those of both are shrunk. */
function fitBoth(
  pair: Pair,
  { frames, termNames }: ModelDesign,
  { intercept, text }: Formula,
  family: RegressionFamily,
) {
  const fit = (k: 0 | 1, ridge: number) => {
    const data = k === 0 ? pair.original : pair.released
    return fitRegression(frames[k], { family, intercept, ridge, weights: weightsOf(data, pair.weight, frames[k].rows) })
  }
  const original = (ridge: number) =>
    remember(pair.original, JSON.stringify(['fit', text, termNames, family, ridge, pair.weight]), () => fit(0, ridge))
  if (!frames.some((frame) => isSeparatedByLevel(frame, family))) {
    const plain = { original: original(0), released: fit(1, 0), shrunk: false }
    if (!plain.original.separated && !plain.released.separated) return plain
  }
  return { original: original(SMALL_RIDGE), released: fit(1, SMALL_RIDGE), shrunk: true }
}
