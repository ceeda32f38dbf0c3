import type { ReleaseAssessment } from '../../assess/assessment.js'
import type { Level } from '../../assess/judge.js'
import { type Chart, chartOf, layer, on, percentTicks } from '../../chart/parts.js'
import { type Anchor, KNOWN_ANCHORS } from '../../compare/anchors.js'
import { EPSILON } from '../../compare/dominance.js'
import { lookScale } from './overview-chart.js'

/**
 * Risk against utility on two absolute scales, with the anchors that the scales are made of, so that a further release moves
 * nothing. Verdicts are colour and shape; bars are intervals; the front of candidates, where there are several, is a
 * step line: what is left of it and above it is dominated. A candidate fades as it is surely dominated; the faint tick
 * above a point is its exposure, including what any useful data would reveal.
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
  const opacity = { field: 'opacity', type: 'quantitative', scale: null }
  const at = { x: on(x, 'utility'), y: on(y, 'risk') }
  const seen = { color: lookScale('color', levels), opacity }
  const front = frontOf(dots)
  const apart = isLarge ? 0.06 : 0.08
  const labels = labelsOf(dots, anchors, apart)
  const exposed = dots.flatMap(({ exposure, utility }) => (exposure === null ? [] : [{ utility, exposure }]))
  const bar = { type: 'rule', strokeWidth: 1.5 }
  const step = { type: 'line', interpolate: 'step-before', color: DARK_GREY, strokeDash: [5, 3], strokeWidth: 1.2 }
  const tick = { type: 'tick', orient: 'horizontal', color: GREY, thickness: 1.5, width: 12, opacity: 0.7 }
  const line = front.map(({ utility, risk }) => ({ utility, risk }))
  const squares = anchors.map((anchor) => ({ ...anchor }))
  const moved = labels.filter((label) => Math.abs(label.y - label.from) > 1.2 * apart)
  const names = (['left', 'right'] as const).flatMap((align) =>
    [true, false].map((isAnchor) =>
      layer(
        {
          type: 'text',
          align,
          dx: align === 'left' ? 9 : -9,
          fontSize: 11,
          color: isAnchor ? DARK_GREY : '#1a1d21',
          fontWeight: isAnchor ? 'normal' : 'bold',
        },
        { x: on(x, 'x'), y: on(y, 'y'), text: { field: 'name' } },
        labels.filter((label) => label.align === align && label.isAnchor === isAnchor),
      ),
    ),
  )
  const subtitle = [
    ...(front.length < 2 ? [] : ['dashed: front']),
    ...(exposed.length > 0 ? ['grey tick: exposure'] : []),
    'bars: intervals',
    'squares: anchors',
  ].join('; ')
  return chartOf(
    { name: 'map', title: 'Risk and utility', subtitle },
    {
      width: isLarge ? 400 : 320,
      height: isLarge ? 300 : 240,
      data: { values: dots.map((dot) => ({ ...dot })) },
      layer: [
        layer({ type: 'point', shape: 'square', size: 50, color: GREY }, at, squares),
        ...(front.length < 2 ? [] : [layer(step, at, line)]),
        layer(bar, { x: at.x, y: on(y, 'riskLower'), y2: { field: 'riskUpper' }, ...seen }),
        layer(bar, { x: on(x, 'utilityLower'), x2: { field: 'utilityUpper' }, y: at.y, ...seen }),
        layer(tick, { x: at.x, y: on(y, 'exposure') }, exposed),
        layer({ type: 'point', filled: true, size: 110 }, { ...at, ...seen, shape: lookScale('shape', levels) }),
        layer(
          { type: 'rule', color: GREY, strokeWidth: 0.6 },
          { x: on(x, 'x'), y: on(y, 'from'), y2: { field: 'y' } },
          moved,
        ),
        ...names,
      ],
    },
  )
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
    ...[...dots].sort((a, b) => a.risk - b.risk).map((dot) => ({ ...dot, isAnchor: false })),
    ...anchors.map((anchor) => ({ ...anchor, isAnchor: true })),
  ]
  for (const { name, utility: x, risk: y, isAnchor } of wanted) {
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
    axis: percentTicks([0, 0.25, 0.5, 0.75, 1]),
  }
}
