import type { ReleaseAssessment } from '../assess/assessment.js'
import type { Level } from '../assess/judge.js'
import { type Chart, FRAME, SCHEMA } from '../chart/chart.js'
import { type Anchor, KNOWN_ANCHORS } from '../compare/anchors.js'
import { EPSILON } from '../compare/dominance.js'
import type { Json } from '../json.js'
import { LOOKS } from './overview-chart.js'

/**
 * Risk against utility on two absolute scales, with the anchors that the scales are made of, so that a further release moves
 * nothing. Verdicts are colour and shape; bars are intervals; the front of candidates, where there are several, is a
 * step line: what is left of it and above it is dominated. A candidate fades as it is surely dominated; the faint tick
 * above a point is its exposure, science included.
 */
export interface MapPoint {
  readonly name: string
  readonly level: Level
  readonly risk: Range | null
  readonly utility: Range | null
  readonly exposure: number | null
  readonly front: { readonly probability: number } | null
}

interface Range {
  readonly value: number
  readonly lower: number
  readonly upper: number
}

/** Where there is one release, a fair sample is drawn where its scales say: it leaks nothing, and is as useful as a sample. */
const SIMPLE_ANCHORS: readonly Anchor[] = [
  ...KNOWN_ANCHORS,
  { name: 'a fair sample', utility: 1, risk: 0, how: 'the ends of the scales' },
]

/** Null where the risk or the utility is not known. */
export function mapPoint({ name, verdict, threats, utility }: ReleaseAssessment): MapPoint | null {
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const known = threats.flatMap(({ leakage, interval, exposure }) =>
    leakage === null || interval === null ? [] : [{ leakage, exposure, ...interval }],
  )
  const [worst] = known.sort((a, b) => b.leakage - a.leakage)
  if (worst === undefined || utility === null || utility.score === null) return null
  const score = clamp(utility.score)
  return {
    name,
    level: verdict.level,
    risk: { value: clamp(worst.leakage), lower: clamp(worst.lower), upper: clamp(worst.upper) },
    utility: { value: score, lower: score, upper: score },
    exposure: null,
    front: null,
  }
}

interface Dot {
  readonly name: string
  readonly level: Level
  readonly risk: number
  readonly riskLower: number
  readonly riskUpper: number
  readonly utility: number
  readonly utilityLower: number
  readonly utilityUpper: number
  readonly exposure: number | null
  readonly opacity: number
}

const LEAST_OPACITY = 0.35
const GREY = '#8a8f98'
const DARK_GREY = '#565d66'

export function mapChart(points: readonly MapPoint[], anchors: readonly Anchor[] = SIMPLE_ANCHORS): Chart {
  const dots = points.flatMap(dotOf)
  const isLarge = dots.length > 1
  const x = scaleOf('utility')
  const y = scaleOf('risk')
  const levels = [...new Set(dots.map(({ level }) => level))]
  const look = (of: 'color' | 'shape') => ({
    field: 'level',
    type: 'nominal',
    title: 'verdict',
    scale: { domain: levels, range: levels.map((level) => LOOKS[level][of]) },
    legend: { orient: 'bottom' },
  })
  const opacity = { field: 'opacity', type: 'quantitative', scale: null }
  const at = { x: { ...x, field: 'utility' }, y: { ...y, field: 'risk' } }
  const front = frontOf(dots)
  const label = { x: { ...x, field: 'x' }, y: { ...y, field: 'y' }, text: { field: 'name' } }
  const apart = isLarge ? 0.06 : 0.08
  const labels = labelsOf(dots, anchors, apart)
  const layer: Json[] = [
    {
      data: { values: anchors.map((anchor) => ({ ...anchor })) },
      mark: { type: 'point', shape: 'square', size: 50, color: GREY },
      encoding: at,
    },
    ...(front.length < 2
      ? []
      : [
          {
            data: { values: front.map(({ utility, risk }) => ({ utility, risk })) },
            mark: { type: 'line', interpolate: 'step-before', color: DARK_GREY, strokeDash: [5, 3], strokeWidth: 1.2 },
            encoding: at,
          },
        ]),
    {
      mark: { type: 'rule', strokeWidth: 1.5 },
      encoding: {
        x: { ...x, field: 'utility' },
        y: { ...y, field: 'riskLower' },
        y2: { field: 'riskUpper' },
        color: look('color'),
        opacity,
      },
    },
    {
      mark: { type: 'rule', strokeWidth: 1.5 },
      encoding: {
        x: { ...x, field: 'utilityLower' },
        x2: { field: 'utilityUpper' },
        y: { ...y, field: 'risk' },
        color: look('color'),
        opacity,
      },
    },
    {
      data: { values: dots.flatMap(({ exposure, utility }) => (exposure === null ? [] : [{ utility, exposure }])) },
      mark: { type: 'tick', orient: 'horizontal', color: GREY, thickness: 1.5, width: 12, opacity: 0.7 },
      encoding: { x: { ...x, field: 'utility' }, y: { ...y, field: 'exposure' } },
    },
    {
      mark: { type: 'point', filled: true, size: 110 },
      encoding: { ...at, color: look('color'), shape: look('shape'), opacity },
    },
    {
      data: { values: labels.filter((one) => Math.abs(one.y - one.from) > 1.2 * apart) },
      mark: { type: 'rule', color: GREY, strokeWidth: 0.6 },
      encoding: { x: { ...x, field: 'x' }, y: { ...y, field: 'from' }, y2: { field: 'y' } },
    },
    ...(['left', 'right'] as const).flatMap((align) =>
      [true, false].map((isAnchor) => ({
        data: { values: labels.filter((one) => one.align === align && one.isAnchor === isAnchor) },
        mark: {
          type: 'text',
          align,
          dx: align === 'left' ? 9 : -9,
          fontSize: 11,
          color: isAnchor ? DARK_GREY : '#1a1d21',
          fontWeight: isAnchor ? 'normal' : 'bold',
        },
        encoding: label,
      })),
    ),
  ]
  const subtitle = [
    ...(front.length < 2 ? [] : ['dashed: front']),
    ...(dots.some(({ exposure }) => exposure !== null) ? ['grey tick: exposure'] : []),
    'bars: intervals',
    'squares: anchors',
  ].join('; ')
  return {
    name: 'map',
    title: 'Risk and utility',
    spec: {
      $schema: SCHEMA,
      ...FRAME,
      title: { text: 'Risk and utility', subtitle },
      width: isLarge ? 400 : 320,
      height: isLarge ? 300 : 240,
      data: { values: dots.map((dot) => ({ ...dot })) },
      layer,
    },
  }
}

function dotOf({ name, level, risk, utility, exposure, front }: MapPoint): Dot[] {
  if (risk === null || utility === null) return []
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  return [
    {
      name,
      level,
      risk: risk.value,
      riskLower: risk.lower,
      riskUpper: risk.upper,
      utility: utility.value,
      utilityLower: utility.lower,
      utilityUpper: utility.upper,
      exposure: exposure === null ? null : clamp(exposure),
      opacity: Math.max(LEAST_OPACITY, front?.probability ?? 1),
    },
  ]
}

/** The candidates that no other dominates where they stand, by utility. */
function frontOf(dots: readonly Dot[]): readonly Dot[] {
  const isBetter = (a: Dot, b: Dot) =>
    a.risk <= b.risk + EPSILON &&
    a.utility >= b.utility - EPSILON &&
    (b.risk - a.risk > EPSILON || a.utility - b.utility > EPSILON)
  return dots
    .filter((dot) => !dots.some((other) => isBetter(other, dot)))
    .sort((a, b) => a.utility - b.utility || a.risk - b.risk)
}

type Label = {
  readonly name: string
  readonly x: number
  readonly y: number
  /** Where the point is. */
  readonly from: number
  readonly align: 'left' | 'right'
  readonly isAnchor: boolean
}

/** Names beside their points, on the side that has room, moved up or down until none covers another. */
function labelsOf(dots: readonly Dot[], anchors: readonly Anchor[], apart: number): Label[] {
  const placed: Label[] = []
  const wanted = [
    ...[...dots]
      .sort((a, b) => a.risk - b.risk)
      .map(({ name, utility, risk }) => ({
        name,
        x: utility,
        y: risk,
        isAnchor: false,
      })),
    ...anchors.map(({ name, utility, risk }) => ({ name, x: utility, y: risk, isAnchor: true })),
  ]
  for (const { name, x, y, isAnchor } of wanted) {
    const align = x > 0.5 ? 'right' : 'left'
    const isFree = (at: number) =>
      !placed.some((one) => one.align === align && Math.abs(one.x - x) < 0.5 && Math.abs(one.y - at) < apart - 1e-9)
    const steps = [0, 1, -1, 2, -2, 3, -3, 4, 5, 6, 7, 8, 9, 10]
    // Above its own interval, which would strike it through.
    const from = isAnchor ? y : y + 0.55 * apart
    const upward = isAnchor ? steps : steps.filter((step) => step >= 0)
    const at = upward.map((step) => from + step * apart).find((one) => one > -0.04 && isFree(one)) ?? from
    placed.push({ name, x, y: at, from: y, align, isAnchor })
  }
  return placed
}

function scaleOf(title: 'utility' | 'risk') {
  return {
    type: 'quantitative',
    title: title === 'risk' ? 'risk (largest leakage)' : 'utility',
    scale: { domain: title === 'risk' ? [-0.05, 1.08] : [-0.05, 1.05] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1], labelExpr: "format(100 * datum.value, '~r') + ' %'" },
  }
}
