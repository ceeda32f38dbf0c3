import { math } from '@scrim/kernels'
import { z } from 'zod'
import { histogramChart, lineChart, linesOver } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { unlessMostAreComplete } from '../../evidence/incomplete.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems, toRows } from '../../neighbors/release-space.js'
import { choice, columnNames, real } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { SCALINGS } from '../../stats/matrices/robust-covariance.js'
import { interquartileRange } from '../../stats/quantile.js'
import { tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { findColumn } from '../../table/table.js'
import { DISTANCE_MEASURE } from './declaration.js'
import { type AtRiskCounts, atRisk, atRiskEvidence } from './numbers/at-risk.js'
import { closestBoxes } from './numbers/closest-boxes.js'
import { type CompleteNumbers, completeNumbers } from './numbers/complete-numbers.js'
import { type RobustDistances, robustDistances } from './numbers/robust-distances.js'

/**
 * Distance-based disclosure risk of numeric columns, by two closenesses.
 * Interval (Templ and Meindl 2008): record x is at risk when some released s has |x_v - s_v| <= d_v in every column v,
 *   d_v = outlierPar · IQR(X_v) / (2n)^(1/3).
 * RMD: the least robust Mahalanobis distance from x to a released record, with the covariance of the minimum covariance
 *   determinant; at risk below τ, the distance that a share q of the holdout has to its nearest original (riskutility
 *   takes √χ²_{p, 0.95}, the radius of 95 % of the population, within which nearly everybody has somebody).
 * Both are asked of the holdout too: the same release, people who are not in it. Blind to categories, and the interval
 * to copies with noise: its width shrinks as the file grows.
 */
const options = z.object({
  variables: columnNames().describe(
    'numeric columns to compare; all that original, release and holdout share when not given',
  ),
  outlierPar: real(0.01, { above: 0 }).describe(
    'width of the intervals, in interquartile ranges over the cube root of 2n',
  ),
  alpha: real(0.05, { above: 0, below: 1 }).describe(
    'riskutility: records below the 1 - alpha quantile of the chi distribution are at risk by RMD',
  ),
  quantile: real(0.05, { above: 0, below: 1 }).describe(
    'share of the holdout that is as near to an original as RMD calls close',
  ),
  scaling: choice(SCALINGS, 'majority').describe(
    'the quantile at which robust distances are made those of a normal before outliers are cut off: majority (MASS::cov.rob, riskutility) or median (FAST-MCD)',
  ),
})

export type Options = z.output<typeof options>

const CURVE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

export const drisk = measure({
  id: 'drisk',
  title: 'Distance-based disclosure risk (dRisk)',
  summary: 'share of people with a released record inside a small interval around all their numbers',
  ...DISTANCE_MEASURE,
  threat: 'memorisation-tail',
  role: 'supports',
  needs: [],
  blindTo: 'categories, and copies with noise beyond a narrow interval',
  fooledBy: {
    'leave the step': 'a narrow interval around a moved number holds nobody',
    'append noise': 'an interval around a number of noise is missed like any other',
  },
  options,
  check: (release, { variables }) => [
    ...distanceProblems(release, { variables }),
    ...categoryProblems(release, variables),
  ],
  compute,
  citations: ['templ2008'],
  records: {
    atRisk: { riskier: 'higher', meaning: '1: at risk by the measure’s own rule' },
    robustDistance: { riskier: 'lower', meaning: 'robust Mahalanobis distance to the nearest released record' },
  },
  sentence: ({ details: { box, rmd } }) =>
    `${percent(box.original)} of people have a released record inside the interval around their numbers${box.holdout === null ? '' : ` (${percent(box.holdout)} of people outside the release)`}${rmd === null || rmd.calibrated === null ? '' : `; ${percent(rmd.calibrated.original)} have one as near as ${percent(rmd.calibrated.q, 0)} of outsiders are to an original (${percent(rmd.calibrated.holdout ?? 0)} of outsiders)`}`,
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'widths',
        title: `At risk by width of the interval: ${name}`,
        x: 'width of the interval, in interquartile ranges over the cube root of 2n',
        y: 'share at risk',
      },
      linesOver(details.curve, 'outlierPar', { original: 'original', holdout: 'holdout' }),
      { log: true, rules: [{ value: details.outlierPar, label: 'chosen' }] },
    ),
    ...(details.rmd === null
      ? []
      : [
          histogramChart(
            {
              name: 'robust-distances',
              title: `Nearest released record: ${name}`,
              x: 'robust Mahalanobis distance',
              y: 'original records',
            },
            details.rmd.histogram,
            details.rmd.calibrated === null ? [] : [{ value: details.rmd.calibrated.tau, label: 'close' }],
          ),
        ]),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { release, part } = subject
  const names = numericNames(release, chosen.variables)
  const original = completeNumbers(release.original, names)
  const released = completeNumbers(tableOfPart(release, part), names)
  const holdout = release.holdout === null ? null : completeNumbers(release.holdout, names)
  const n = original.rows.length

  const unit = original.columns.map((column) => interquartileRange(column) / math.cbrt(2 * n))
  const most = Math.max(chosen.outlierPar, ...CURVE)
  const boxes = closestBoxes(original.columns, released.columns, unit, most)
  const heldBoxes = holdout === null ? null : closestBoxes(holdout.columns, released.columns, unit, most)
  const within = (scores: Float64Array, limit: number) => scores.filter((score) => score <= limit).length
  const countsAt = (limit: number): AtRiskCounts => ({
    hits: within(boxes, limit),
    n,
    heldHits: heldBoxes === null ? 0 : within(heldBoxes, limit),
    held: heldBoxes?.length ?? 0,
  })

  const box = atRisk(countsAt(chosen.outlierPar))
  const robust = await robustDistances(original, released, holdout, chosen, context)
  const rmd = typeof robust === 'string' ? null : robust.found
  const byRobustDistance = typeof robust === 'string' || robust.counts === null ? null : atRiskEvidence(robust.counts)
  return {
    value: box.original,
    interval: wilson(box.original * n, n),
    ...(atRiskEvidence(countsAt(chosen.outlierPar)) ?? { notAssessed: { code: 'no-outsiders' as const } }),
    ...unlessMostAreComplete([
      { name: release.original.name, kept: original.rows.length, rows: original.fileRows },
      { name: tableOfPart(release, part).name, kept: released.rows.length, rows: released.fileRows },
    ]),
    ...(byRobustDistance === null ? {} : { looks: [{ what: 'by robust distance', ...byRobustDistance }] }),
    added: () =>
      toRows(
        original,
        boxes.map((score) => (score <= chosen.outlierPar ? 1 : 0)),
      ),
    details: {
      columns: names,
      widths: unit.map((width) => chosen.outlierPar * width),
      outlierPar: chosen.outlierPar,
      box,
      /** Shares at risk by width. */
      curve: CURVE.map((outlierPar) => {
        const { original: share, holdout: held } = atRisk(countsAt(outlierPar))
        return { outlierPar, original: share, holdout: held }
      }),
      rmd,
      rmdReason: typeof robust === 'string' ? robust : null,
      dropped: { original: original.dropped, released: released.dropped, holdout: holdout?.dropped ?? 0 },
    },
    warnings: warningsOf(release, names, [original, released, ...(holdout === null ? [] : [holdout])], rmd),
    records: () => ({
      atRisk: toRows(
        original,
        boxes.map((score) => (score <= chosen.outlierPar ? 1 : 0)),
      ),
      ...(typeof robust === 'string' ? {} : { robustDistance: toRows(original, robust.distances) }),
    }),
  }
}

function isNumeric({ original }: Release, name: string): boolean {
  return findColumn(original, name)?.kind !== 'categorical'
}

function categoryProblems(release: Release, variables: readonly string[] | null): string[] {
  return (variables ?? [])
    .filter((name) => !isNumeric(release, name))
    .map((name) => `compares numbers only, but "${name}" holds categories`)
}

/** Numbers and dates. */
export function numericNames(release: Release, variables: readonly string[] | null): readonly string[] {
  const names = (variables ?? release.variables).filter((name) => isNumeric(release, name))
  if (names.length === 0) throw new NotApplicable('there is no numeric column')
  return names
}

function warningsOf(
  release: Release,
  names: readonly string[],
  files: readonly CompleteNumbers[],
  rmd: RobustDistances | null,
): string[] {
  const incomplete = files.reduce((sum, { dropped }) => sum + dropped, 0)
  const categories = release.variables.filter((name) => !names.includes(name)).length
  return [
    ...(categories > 0 ? [`${categories} columns that hold no numbers, or were not chosen, are not compared`] : []),
    ...(incomplete > 0 ? [`${incomplete} records with a missing number left out`] : []),
    ...(rmd?.singular
      ? [
          'most records lie in a plane (a column with mostly one value?): the ordinary covariance was used instead of the robust one',
        ]
      : []),
  ]
}
