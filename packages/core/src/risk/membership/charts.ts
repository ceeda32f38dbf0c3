import { barChart, type Chart, lineChart, linesOver } from '../../chart/chart.js'
import { column, type FindingTable, findingTable } from '../../evidence/finding-table.js'
import { fixed } from '../../print.js'
import type { MembershipScore } from './scores/membership-score.js'

/** The curve of one score beside that of a coin. */
export function rocChart({ name: what, auc, interval, roc }: MembershipScore, name: string): Chart {
  const between = interval === null ? '' : ` (${fixed(interval.lower, 3)} to ${fixed(interval.upper, 3)})`
  return lineChart(
    {
      name: 'roc',
      title: `Who was in the data? AUC ${fixed(auc, 3)}${between}: ${name}`,
      x: 'share of others taken for members',
      y: 'share of training records found',
    },
    [
      ...roc.map((point) => ({ x: point.falsePositiveRate, y: point.truePositiveRate, series: what })),
      { x: 0, y: 0, series: 'a coin' },
      { x: 1, y: 1, series: 'a coin' },
    ],
  )
}

export function scoresChart({ name: what, distribution }: MembershipScore, name: string): Chart {
  const last = distribution[distribution.length - 1]
  const steps = [...distribution, { ...last, lower: last.upper }]
  return lineChart(
    { name: 'scores', title: `Scores of training records and others: ${name}`, x: what, y: 'share of records' },
    linesOver(steps, 'lower', { training: 'training', others: 'others' }),
    { step: true },
  )
}

/** Few are found with certainty before the average moves. */
export function lowFalsePositivesChart({ lowFalsePositives }: MembershipScore, name: string): Chart {
  return barChart(
    {
      name: 'low-false-positives',
      title: `Training records found while few others are accused: ${name}`,
      grey: 'others accused wrongly',
      blue: 'training records found',
      x: 'share of others accused',
      y: 'share of records',
    },
    lowFalsePositives.flatMap(({ at, falsePositiveRate, truePositiveRate, interval }) => [
      { label: `${100 * at} %`, value: falsePositiveRate, series: 'original' as const },
      { label: `${100 * at} %`, value: truePositiveRate, series: 'release' as const, interval },
    ]),
  )
}

type Scored = Pick<MembershipScore, 'name' | 'auc' | 'interval' | 'p'>

export function scoredTable(name: string, title: string, what: string, scores: readonly Scored[]): FindingTable {
  return findingTable(name, title, scores, [
    [column.text(what), (score) => score.name],
    [column.number('AUC'), ({ auc }) => auc],
    [column.number('from'), ({ interval }) => interval?.lower],
    [column.number('to'), ({ interval }) => interval?.upper],
    [column.p('p'), ({ p }) => p],
  ])
}

export function scoredChart(name: string, title: string, scores: readonly Scored[]): Chart {
  return barChart(
    { name, title, x: '', y: 'AUC' },
    scores.map((score) => ({ label: score.name, value: score.auc, interval: score.interval })),
    [{ value: 0.5, label: 'a coin' }],
  )
}

/** How many are found while few others are accused. */
export function lowFalsePositivesTable({ lowFalsePositives }: MembershipScore): FindingTable {
  return findingTable('low-false-positives', 'Training records found while few others are accused', lowFalsePositives, [
    [column.share('others accused', 1), ({ at }) => at],
    [column.share('found'), ({ truePositiveRate }) => truePositiveRate],
    [column.share('from'), ({ interval }) => interval?.lower],
    [column.share('to'), ({ interval }) => interval?.upper],
  ])
}
