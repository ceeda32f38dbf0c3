import type { ReleaseAssessment } from '../assess/assessment.js'
import type { Level } from '../assess/judge.js'
import type { Chart } from '../chart/chart.js'
import { LOOKS } from './overview-chart.js'

/**
 * Risk against utility on two absolute scales. Risk is the largest leakage of a threat, cut off at 0 and 1: no threat makes
 * up for another. Utility is the score of the release. The anchors are what the two scales are made of, so that a further
 * release moves nothing: independent marginals at 0 and 0, a fair sample of the same people's population at 0 and 1, the
 * original itself at 1 and 1.
 */
export interface MapPoint {
  readonly name: string
  readonly level: Level
  readonly utility: number
  readonly risk: number
  readonly lower: number
  readonly upper: number
}

const ANCHORS = [
  { name: 'independent marginals', utility: 0, risk: 0 },
  { name: 'a fair sample', utility: 1, risk: 0 },
  { name: 'the original', utility: 1, risk: 1 },
]

/** Null where the risk or the utility is not known. */
export function mapPoint({ name, verdict, threats, utility }: ReleaseAssessment): MapPoint | null {
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const known = threats.flatMap(({ leakage, interval }) =>
    leakage === null || interval === null ? [] : [{ leakage, ...interval }],
  )
  const [worst] = known.sort((a, b) => b.leakage - a.leakage)
  if (worst === undefined || utility === null || utility.score === null) return null
  return {
    name,
    level: verdict.level,
    utility: clamp(utility.score),
    risk: clamp(worst.leakage),
    lower: clamp(worst.lower),
    upper: clamp(worst.upper),
  }
}

export function mapChart(points: readonly MapPoint[]): Chart {
  const x = scaleOf('utility')
  const y = scaleOf('risk')
  const levels = [...new Set(points.map(({ level }) => level))]
  const look = (of: 'color' | 'shape') => ({
    field: 'level',
    type: 'nominal',
    title: 'verdict',
    scale: { domain: levels, range: levels.map((level) => LOOKS[level][of]) },
    legend: { orient: 'bottom' },
  })
  return {
    name: 'map',
    title: 'Risk and utility',
    spec: {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      config: { view: { stroke: null }, axis: { grid: false }, font: 'sans-serif' },
      title: 'Risk and utility',
      width: 320,
      height: 240,
      data: { values: points.map((point) => ({ ...point })) },
      layer: [
        {
          data: { values: ANCHORS },
          mark: { type: 'point', shape: 'square', size: 50, color: '#8a8f98' },
          encoding: { x: { ...x, field: 'utility' }, y: { ...y, field: 'risk' } },
        },
        {
          data: { values: ANCHORS },
          mark: { type: 'text', color: '#565d66', dy: -9, align: { expr: "datum.utility > 0.5 ? 'right' : 'left'" } },
          encoding: { x: { ...x, field: 'utility' }, y: { ...y, field: 'risk' }, text: { field: 'name' } },
        },
        {
          mark: { type: 'rule', strokeWidth: 1.5 },
          encoding: {
            x: { ...x, field: 'utility' },
            y: { ...y, field: 'lower' },
            y2: { field: 'upper' },
            color: look('color'),
          },
        },
        {
          mark: { type: 'point', filled: true, size: 110 },
          encoding: {
            x: { ...x, field: 'utility' },
            y: { ...y, field: 'risk' },
            color: look('color'),
            shape: look('shape'),
          },
        },
        {
          mark: { type: 'text', dy: 14, fontWeight: 'bold', align: { expr: "datum.utility > 0.5 ? 'right' : 'left'" } },
          encoding: { x: { ...x, field: 'utility' }, y: { ...y, field: 'risk' }, text: { field: 'name' } },
        },
      ],
    },
  }
}

function scaleOf(title: 'utility' | 'risk') {
  return {
    type: 'quantitative',
    title,
    scale: { domain: [-0.05, 1.05] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1], labelExpr: "format(100 * datum.value, '~r') + ' %'" },
  }
}
