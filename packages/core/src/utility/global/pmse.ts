import { z } from 'zod'
import { lineChart, linesOver } from '../../chart/chart.js'
import { driversOf } from '../../evidence/drivers.js'
import { figureTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { count, fixed, precise } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { countMissing } from '../../table/column.js'
import { columnOf } from '../../table/table.js'
import { type Pair, withTables } from '../pair.js'
import { unknownColumns, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { asShares, givenAwayChart } from './propensity/column-shares.js'
import { withoutMissing } from './propensity/missing-values.js'
import { inClasses } from './propensity/number-classes.js'
import { densityCharts, densityTable, scoreDensities } from './propensity/propensity-densities.js'
import { logitNulls, permutedPmse, treeNulls } from './propensity/propensity-nulls.js'
import { propensityOptions } from './propensity/propensity-options.js'
import { propensityScores } from './propensity/propensity-scores.js'
import { meanSquare, type ScoreStatistics, scoreStatistics } from './propensity/propensity-statistics.js'
import { type PairRatios, pairRatios } from './propensity/synthesis-pairs.js'

/**
 * Can a model tell released records from original ones? With p_i the fitted probability that record i of both files
 * together is a released one and c the share of released records,
 *   pMSE = 1/N Σ (p_i - c)²,   S_pMSE = pMSE / E[pMSE]
 * (Woo, Reiter, Oganian and Karr 2009; Snoke, Raab, Nowok, Dibben and Slavkovic 2018). What is expected where nothing is
 * wrong depends on what one means by it; the three answers are kept apart in `nulls`. The headline is pMSE itself by
 * logistic regression; an honest release is one drawn from a correct model of the original. The model tells also which
 * columns and which kinds of records give the release away.
 * Blind to what the model cannot express: logistic regression sees means, shares and pairs.
 */
const options = z.object({ ...utilityOptions, ...propensityOptions })
export type Options = z.output<typeof options>

export const pmse = utilityMeasure({
  id: 'pmse',
  title: 'Propensity score mean squared error',
  summary: 'how well a model tells released records from original ones',
  orientation: 'distance',
  scale: 'joint',
  nothing: 'independent',
  mostRows: 10_000,
  nothingDraws: 4,
  subsampleSize: 'release',
  unit: 'score',
  range: [0, 0.25],
  blindTo: 'what the propensity model cannot express',
  options,
  statistic: async (pair, chosen, context) => {
    const { scores, originals } = await propensityScores(prepared(pair, chosen), chosen, context)
    return meanSquare(scores, 1 - originals / scores.length)
  },
  check: ({ variables }, { kept }) => unknownColumns(kept, variables),
  compute,
  citations: ['woo2009', 'snoke2018'],
  records: {
    propensity: { riskier: null, meaning: 'fitted probability of being a released record' },
  },
  sentence: ({ details: { nulls, columns, auc } }) => {
    const ratio = nulls.conditional.ratio
    const most = [...columns].sort((a, b) => b.value - a.value)[0]
    return `released records are told from original ones with an AUC of ${fixed(auc, 2)}; pMSE is ${ratio === null ? 'more than' : `${precise(ratio, 3)} times`} what a correct model of the original would give${most === undefined ? '' : `, most by ${most.name}`}`
  },
  tables: ({ details: { pmse, standardised, specks, po50, auc, u, densities } }) => [
    figureTable('figures', 'Figures of the propensity scores', {
      pMSE: pmse,
      S_pMSE: standardised,
      SPECKS: specks,
      PO50: po50,
      U: u,
      AUC: auc,
    }),
    ...(densities == null ? [] : [densityTable(densities)]),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'scores',
        title: `How released and original records score: ${name}`,
        x: 'probability of being a released record',
        y: 'share of records',
      },
      linesOver(details.scores, 'score', { original: 'original', released: 'release' }),
    ),
    ...(details.densities == null ? [] : densityCharts(details.densities, name)),
    givenAwayChart(details.columns, 'share of what the model finds', name),
  ],
})

const prepared = (pair: Pair, { missing, groups }: Options) => inClasses(withoutMissing(pair, missing), groups)

export async function compute(whole: Pair, chosen: Options, context: Context) {
  const pair = prepared(whole, chosen)
  const found = await propensityScores(pair, chosen, context)
  const { scores, originals, df } = found
  const released = scores.length - originals
  const c = released / scores.length
  const statistics = scoreStatistics(scores, originals)
  const permuted = df === null ? await permutedPmse(pair, chosen, context) : null
  const { nulls, z } =
    df === null ? treeNulls(statistics.pmse, permuted ?? [], c) : logitNulls(statistics.pmse, df, originals, released)
  const { artificial, lacking } = whoGivesAway(pair, scores, c)
  return {
    value: statistics.pmse,
    test:
      nulls.twoSample.p === null
        ? null
        : {
            p: nulls.twoSample.p,
            what:
              df === null
                ? `permuted labels, ${count(chosen.permutations, 'time')}`
                : `X² of the propensity model, ${df} df`,
          },
    expected:
      df === null
        ? {
            value: nulls.twoSample.expected,
            power: null,
            cv: (standardDeviation(permuted ?? []) ?? 0) / Math.max(nulls.twoSample.expected, Number.MIN_VALUE),
            what: 'another sample of the same population',
          }
        : {
            value: nulls.conditional.expected,
            power: 1,
            cv: Math.sqrt(2 / df),
            what: 'a release drawn from a correct model of the original',
          },
    details: {
      ...statistics,
      model: chosen.model,
      /** Logit: coefficients without the intercept, and whether products were taken. */
      df,
      order: found.order,
      /** Cart: leaves of the tree. */
      leaves: found.leaves,
      /** False when the files can be told apart without error. */
      converged: found.converged,
      /** Of a correct model of the original (conditional), two samples of one population, and two syntheses (pairs). */
      nulls,
      permutations:
        permuted === null
          ? null
          : { count: permuted.length, mean: mean(permuted) ?? 0, sd: standardDeviation(permuted) ?? 0 },
      /** Null where all scores are the same. */
      ...(chosen.densities ? { densities: scoreDensities(scores, originals) } : {}),
      /** With the option `pairs`, where several files were released. */
      pairs: await ratiosToPairs(whole, statistics, chosen, context),
      /** Logit: by how much X² falls without the column; trees: impurity. As shares of their sum. */
      columns: asShares(found.columns()),
      /** Released records that look made up, and original ones that the release lacks. */
      artificial,
      lacking,
      scores: distribution(scores, originals),
    },
    workings: { z },
    warnings: [
      ...found.warnings,
      ...(found.converged ? [] : ['the files can be told apart without error']),
      ...filledNumbers(pair, chosen.model),
    ],
    records: () => ({ propensity: recordScores(pair, scores) }),
  }
}

async function ratiosToPairs(
  pair: Pair,
  statistics: ScoreStatistics,
  chosen: Options,
  context: Context,
): Promise<PairRatios | null> {
  const files = pair.together
  if (!chosen.pairs || files.length < 2) return null
  const between: ScoreStatistics[] = []
  for (const [k, first] of files.entries())
    for (const second of files.slice(k + 1)) {
      const { scores, originals } = await propensityScores(
        prepared(withTables(pair, second, first), chosen),
        chosen,
        context,
      )
      between.push(scoreStatistics(scores, originals))
    }
  return pairRatios(statistics, between, pair.released.rows / (pair.original.rows + pair.released.rows))
}

/** Logistic regression fits the same with any value beside the column that tells which are missing; a tree does not. */
function filledNumbers({ original, released, variables }: Pair, model: Options['model']): string[] {
  const filled = variables.filter((name) =>
    [original, released].some((file) => {
      const column = columnOf(file, name)
      return column.kind !== 'categorical' && countMissing(column) > 0
    }),
  )
  return model === 'logit' || filled.length === 0
    ? []
    : [`missing numbers of ${filled.join(', ')} are filled by the median; synthpop fills 0, and its tree is another`]
}

/** Groups whose records score higher than others among the released, lower among the original ones. */
function whoGivesAway({ release, original, released }: Pair, scores: Float64Array, c: number) {
  const all = { ...release, keys: [], numericKeys: [] }
  return {
    artificial: driversOf(
      { ...all, original: released, released: [original] },
      scores.subarray(original.rows).map((score) => score - c),
    ),
    lacking: driversOf(
      { ...all },
      scores.subarray(0, original.rows).map((score) => c - score),
    ),
  }
}

const BINS = 20

function distribution(scores: Float64Array, originals: number) {
  const shares = (file: Float64Array) => histogram(file, BINS, 0, 1).map(({ count: n }) => n / file.length)
  const [original, released] = [shares(scores.subarray(0, originals)), shares(scores.subarray(originals))]
  return original.map((share, k) => ({ score: (k + 0.5) / BINS, original: share, released: released[k] }))
}

/** Of the original records that were looked at. */
function recordScores({ originalRows, original, rowsOfFile }: Pair, scores: Float64Array): Float64Array {
  const records = new Float64Array(rowsOfFile).fill(Number.NaN)
  for (let row = 0; row < original.rows; row++) records[originalRows === null ? row : originalRows[row]] = scores[row]
  return records
}
