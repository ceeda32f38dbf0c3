import { type Bar, barChart, type Chart, histogramChart, lineChart, linesOver } from '../../chart/chart.js'
import type { Controls } from '../../evidence/evidence.js'
import type { Interval } from '../../stats/intervals.js'
import type { Claims } from './claims.js'
import type { Summary } from './summary.js'

interface Drawn {
  readonly value: number | null
  readonly interval: Interval | null
  readonly controls?: Controls
  readonly details: {
    readonly summary: Summary | null
    readonly suite: readonly { readonly attack: string; readonly value: number }[]
  }
}

/** The finds beside chance and the original, the costs of right and wrong links, what claims are worth, and the rank of the own record. */
export function linkageCharts({ value, interval, controls, details }: Drawn, name: string): readonly Chart[] {
  const { summary, suite } = details
  if (summary === null) return []
  const own = suite.length === 0 ? [{ attack: 'this release', value: value ?? 0 }] : suite
  return [
    foundChart(
      `People whose released record is named: ${name}`,
      own.map((one, k) => ({ label: one.attack, value: one.value, ...(k === 0 ? { interval } : {}) })),
      controls,
    ),
    histogramChart(
      {
        name: 'scores',
        title: `Costs of the best links: ${name}`,
        red: 'wrong links',
        x: 'cost of the best link',
        y: 'people',
      },
      summary.scores.flatMap(({ lower, upper, right, wrong }) => [
        { lower, upper, count: right },
        { lower, upper, count: wrong, alarm: true },
      ]),
    ),
    lineChart(
      {
        name: 'claims',
        title: `If only links that stand out are claimed: ${name}`,
        x: 'share of people found by the claims',
        y: 'share of claims that are right',
      },
      summary.claims.map(({ recall, precision }) => ({ x: recall, y: precision, series: 'claims' })),
    ),
    rankChart(summary, name),
  ]
}

/** Shares of people found, beside chance and the original. */
export function foundChart(title: string, bars: readonly Bar[], controls: Controls | undefined): Chart {
  return barChart({ name: 'found', title, x: '', y: 'share of people' }, [
    ...bars,
    { label: 'at random', value: controls?.fair?.value ?? 0, series: 'original' },
    { label: 'the original', value: controls?.everything?.value ?? 1, series: 'original' },
  ])
}

export function rankChart({ amongNearest }: Pick<Summary, 'amongNearest'>, name: string): Chart {
  return lineChart(
    {
      name: 'rank',
      title: `How near the own record is: ${name}`,
      x: 'nearest released records that are looked at',
      y: 'share of people found among them',
    },
    linesOver(amongNearest, 'k', { share: 'this release', chance: 'at random' }),
  )
}

export function claimCharts({ right, rightOfOthers, rightOfOriginal }: Claims, name: string): readonly Chart[] {
  return [
    barChart(
      {
        name: 'claimed',
        title: `Nearest record agrees on everything else: ${name}`,
        x: '',
        y: 'share of people',
      },
      [
        { label: 'this release', value: right },
        { label: 'other people’s records', value: rightOfOthers, series: 'original' },
        { label: 'the original', value: rightOfOriginal, series: 'original' },
      ],
    ),
  ]
}
