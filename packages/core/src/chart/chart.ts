import { math } from '@scrim/kernels'
import type { Json } from '../json.js'
import { median } from '../stats/quantile.js'
import {
  CELL_INK,
  type Chart,
  COLORS,
  chartOf,
  FRAME,
  fileColors,
  type Heading,
  labelled,
  layer,
  on,
  quantity,
  scaled,
} from './parts.js'

export { type Chart, withoutAlarm, withSubtitle } from './parts.js'

export interface Rule {
  readonly value: number
  readonly label: string
}

export interface Bar {
  readonly label: string
  readonly value: number
  /** Which of the two tables it is about; drawn side by side. */
  readonly series?: 'original' | 'release'
  readonly alarm?: boolean
  /** Drawn as a whisker. */
  readonly interval?: { readonly lower: number; readonly upper: number } | null
}

interface Labels extends Heading {
  /** What the colours mean, where labels do not tell. */
  readonly subtitle?: string
  /** What red means; over the limit unless said otherwise. */
  readonly red?: string
  readonly x: string
  readonly y: string
}

/** Bars in the order given, one colour per table, red where `alarm`; `rules` are horizontal lines. */
export function barChart(labels: Labels, bars: readonly Bar[], rules: readonly Rule[] = []): Chart {
  const { red = OVER } = labels
  const ends = bars.map(({ value, interval }) => ({ value, ...(interval ?? { lower: null, upper: null }) }))
  const { shown, isCut } = withinReach(ends)
  const data = bars.map((bar, k) => ({
    label: bar.label,
    value: bar.value,
    series: bar.series ?? 'release',
    meaning: bar.alarm ? red : (bar.series ?? 'release'),
    ...(bar.interval ? { lower: shown[k].lower, upper: shown[k].upper } : {}),
  }))
  const names = [...new Set(bars.map((bar) => bar.label))]
  const paired = names.length < bars.length && new Set(data.map((bar) => bar.series)).size > 1
  const position = {
    x: labelled('label', { title: labels.x, axis: { labelAngle: labelAngle(names) } }),
    ...(paired ? { xOffset: { field: 'series', sort: ['original', 'release'] } } : {}),
  }
  // Nothing but zeros would be drawn in the middle of an axis without extent.
  const isFlat = ends.every(({ value, upper }) => value === 0 && (upper ?? 0) === 0)
  const y = on(quantity(labels.y, isFlat ? { scale: { domain: [0, 1] } } : {}), 'value')
  const whiskers = {
    transform: [{ filter: 'isValid(datum.lower)' }],
    mark: { type: 'rule', color: COLORS.rule, strokeWidth: 1.5 },
    encoding: { ...position, y: { field: 'lower', type: 'quantitative' }, y2: { field: 'upper' } },
  }
  return layered(
    labels,
    data,
    [
      layer({ type: 'bar' }, { ...position, y, color: colorBy(data, red, !paired || labels.subtitle !== undefined) }),
      ...(bars.some((bar) => bar.interval) ? [whiskers] : []),
      ...rules.map((rule, k) => ruleLayer('y', rule, k)),
    ],
    isCut,
  )
}

const OVER = 'over the limit'
const CHARACTER_WIDTH = 6

/** Level while every label fits under its bar. */
function labelAngle(names: readonly string[]): number {
  if (names.length > 12) return -60
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  return longest * CHARACTER_WIDTH > FRAME.width / names.length ? -30 : 0
}

/** A legend of what labels and subtitle do not tell: red always, the two files where bars of both stand side by side. */
function colorBy(data: readonly { readonly meaning: string }[], red: string, isTold = true) {
  const meanings = new Set(data.map(({ meaning }) => meaning))
  const known = [
    ['original', COLORS.original],
    ['release', COLORS.release],
    [red, COLORS.alarm],
  ].filter(([meaning]) => meanings.has(meaning))
  const shown = known.map(([meaning]) => meaning).filter((meaning) => meaning === red || !isTold)
  return scaled(
    'meaning',
    known.map(([meaning]) => meaning),
    known.map(([, color]) => color),
    { legend: shown.length === 0 ? null : { values: shown } },
  )
}

/** How many times as far as usual something may lie outside. */
const FAR = 6

type Interval = { readonly value: number; readonly lower: number | null; readonly upper: number | null }

/** Ends of intervals, those far outside put where they do not flatten the rest. */
function withinReach<Of extends Interval>(
  all: readonly Of[],
): { readonly shown: readonly Of[]; readonly isCut: boolean } {
  const values = all.map(({ value }) => Math.abs(value))
  const sizes = [...values, ...all.flatMap(({ lower, upper }) => [Math.abs(lower ?? 0), Math.abs(upper ?? 0)])]
  const usual = median(sizes.filter((size) => size > 0)) ?? 0
  const reach = Math.max(FAR * usual, ...values)
  const isCut = usual > 0 && sizes.some((size) => size > reach)
  const cut = (end: number | null) => (end === null ? null : Math.min(reach, Math.max(-reach, end)))
  return { shown: isCut ? all.map((one) => ({ ...one, lower: cut(one.lower), upper: cut(one.upper) })) : all, isCut }
}

const CUT = 'intervals that reach far outside are cut'

function withCut(labels: Labels, isCut: boolean): Heading {
  return { ...labels, subtitle: [...(labels.subtitle === undefined ? [] : [labels.subtitle]), ...(isCut ? [CUT] : [])] }
}

export interface Bin {
  readonly lower: number
  readonly upper: number
  readonly count: number
  readonly alarm?: boolean
}

/** Of the height, what the label of one line takes above the bars. */
const LABEL_ROOM = 0.1

/** Adjacent bars over numeric bins, with vertical lines; bins that coincide are stacked, red where `alarm`. */
export function histogramChart(labels: Labels, bins: readonly Bin[], rules: readonly Rule[] = []): Chart {
  const { red = OVER } = labels
  const data = bins.map(({ alarm, ...bin }) => ({ ...bin, meaning: alarm ? red : 'release' }))
  const bars = layer(
    { type: 'bar', stroke: 'white', strokeWidth: 0.5 },
    {
      x: on(quantity(labels.x, { bin: { binned: true } }), 'lower'),
      x2: { field: 'upper' },
      y: { field: 'count', type: 'quantitative', title: labels.y, ...roomAbove(bins, rules) },
      color: colorBy(data, red),
    },
  )
  const ends = [...bins.flatMap(({ lower, upper }) => [lower, upper]), ...rules.map(({ value }) => value)]
  const middle = (Math.min(...ends) + Math.max(...ends)) / 2
  return layered(labels, data, [bars, ...rules.map((rule, k) => ruleLayer('x', rule, k, rule.value > middle))])
}

/** Labels of lines stand above the highest bar, not on it. */
function roomAbove(bins: readonly Bin[], rules: readonly Rule[]): { scale?: Json } {
  const heights = new Map<number, number>()
  for (const { lower, count } of bins) heights.set(lower, (heights.get(lower) ?? 0) + count)
  const highest = Math.max(0, ...heights.values())
  return rules.length === 0 || highest === 0
    ? {}
    : { scale: { domainMax: highest / (1 - LABEL_ROOM * rules.length), nice: false } }
}

export interface Point {
  readonly x: number
  readonly y: number
  readonly series: string
}

/** Series that every picture draws alike: the release in blue, what it is held against in grey. */
const RELEASES = new Set(['release', 'this release'])
const GROUNDS = new Set(['original', 'honest subsample', 'ideal', 'guessing', 'by chance', 'at random', 'a coin'])

function seriesColor(points: readonly Point[]): Json {
  const all = [...new Set(points.map(({ series }) => series))]
  const isKnown = all.every((series) => RELEASES.has(series) || GROUNDS.has(series))
  const range = all.map((series) => (RELEASES.has(series) ? COLORS.release : COLORS.original))
  const scale = isKnown && all.length > 1 && new Set(range).size === all.length ? { scale: { domain: all, range } } : {}
  return { field: 'series', type: 'nominal', title: null, ...scale }
}

/** A label that begins beyond this part of the width would leave the picture on the right. */
const LEFT_FROM = 0.8

/** One line per series; `step` for functions that jump, `log` for x over several powers of ten, `zero: false` where y need not show 0. */
export function lineChart(
  labels: Labels,
  points: readonly Point[],
  { step, log, zero, rules = [] }: { step?: boolean; log?: boolean; zero?: boolean; rules?: readonly Rule[] } = {},
): Chart {
  const along = (x: number) => (log ? math.log(x) : x)
  const places = points.map(({ x }) => along(x))
  const [from, to] = [Math.min(...places), Math.max(...places)]
  const isFar = ({ value }: Rule) => to > from && (along(value) - from) / (to - from) > LEFT_FROM
  const lines = layer(
    { type: 'line', interpolate: step ? 'step-after' : 'linear', point: !step },
    {
      x: on(quantity(labels.x, log ? { scale: { type: 'log' } } : {}), 'x'),
      y: on(quantity(labels.y, zero === false ? { scale: { zero: false } } : {}), 'y'),
      color: seriesColor(points),
    },
  )
  const data = points.map((point) => ({ ...point }))
  return layered(labels, data, [lines, ...rules.map((rule, k) => ruleLayer('x', rule, k, isFar(rule)))])
}

/** What lies between `lower` and `upper` along x. */
export interface Band {
  readonly x: number
  readonly lower: number
  readonly upper: number
}

/** Dots without lines, red where `alarm`, as large as `size`; `rules` are horizontal lines, `band` is shaded behind the dots. */
export function scatterChart(
  labels: Labels,
  points: readonly (Omit<Point, 'series'> & { size?: number; alarm?: boolean })[],
  rules: readonly Rule[] = [],
  band: readonly Band[] = [],
): Chart {
  const { red = OVER } = labels
  const data = points.map(({ x, y, size = 1, alarm }) => ({ x, y, size, meaning: alarm ? red : 'release' }))
  const isSized = points.some((point) => point.size !== undefined)
  const dots = layer(
    { type: 'point', filled: true, opacity: 0.6 },
    {
      x: on(quantity(labels.x), 'x'),
      y: on(quantity(labels.y), 'y'),
      color: colorBy(data, red),
      ...(isSized ? { size: { field: 'size', type: 'quantitative', title: 'records' } } : {}),
    },
  )
  const number = { type: 'quantitative' }
  const shade = layer(
    { type: 'area', color: COLORS.original, opacity: 0.25 },
    { x: on(number, 'x'), y: on(number, 'lower'), y2: { field: 'upper' } },
    band.map((part) => ({ ...part })),
  )
  const behind = band.length === 0 ? [] : [shade]
  return layered(labels, data, [...behind, dots, ...rules.map((rule, k) => ruleLayer('y', rule, k))])
}

export interface Estimate {
  readonly label: string
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
}

const HAS_INTERVAL = [{ filter: 'isValid(datum.lower) && isValid(datum.upper)' }]

/** A forest plot: one row per label, a point with its interval, red right of zero and blue left of it. */
export function intervalChart(labels: Labels, estimates: readonly Estimate[]): Chart {
  const y = { field: 'label', type: 'nominal', sort: null, title: labels.y }
  const x = quantity(labels.x)
  const { red = 'above 0' } = labels
  const { shown, isCut } = withinReach(estimates)
  const color = scaled('meaning', [red, 'below'], [COLORS.alarm, COLORS.release])
  const whisker = layer({ type: 'rule' }, { y, x: on(x, 'lower'), x2: { field: 'upper' }, color })
  return chartOf(withCut(labels, isCut), {
    height: 22 * Math.max(estimates.length, 2),
    data: { values: shown.map((one) => ({ ...one, meaning: one.value > 0 ? red : 'below' })) },
    layer: [
      layer({ type: 'rule', color: COLORS.rule }, { x: { ...x, datum: 0 } }, [{}]),
      { transform: HAS_INTERVAL, ...whisker },
      layer({ type: 'point', filled: true, size: 70 }, { y, x: on(x, 'value'), color }),
    ],
  })
}

export interface HeatCell {
  readonly x: string
  readonly y: string
  readonly value: number
  /** Written into the cell. */
  readonly text: string
}

/** One square per pair of labels, the redder the larger; labels in the order in which they first occur. */
export function heatmapChart(labels: Labels, cells: readonly HeatCell[]): Chart {
  const names = [...new Set(cells.map(({ x }) => x))]
  const side = Math.max(200, Math.min(720, 48 * names.length))
  const largest = cells.reduce((most, { value }) => Math.max(most, value), 0)
  const place = {
    x: { field: 'x', type: 'nominal', sort: names, title: labels.x, axis: { labelAngle: -40 } },
    y: { field: 'y', type: 'nominal', sort: names, title: labels.y },
  }
  const scale = { range: ['#f4f4f4', COLORS.alarm], domain: [0, largest > 0 ? largest : 1] }
  const ink = {
    condition: { test: `datum.value > ${0.65 * largest}`, value: CELL_INK.onDark },
    value: CELL_INK.onLight,
  }
  const color = { field: 'value', type: 'quantitative', title: null, scale }
  return chartOf(labels, {
    width: side,
    height: side,
    data: { values: cells.map((cell) => ({ ...cell })) },
    layer: [
      layer({ type: 'rect', stroke: 'white' }, { ...place, color }),
      layer({ type: 'text', fontSize: 11 }, { ...place, text: { field: 'text' }, color: ink }),
    ],
  })
}

export interface PairedEstimate extends Estimate {
  readonly series: 'original' | 'release'
}

/** A forest plot of two tables: per label a point with its interval for the original and, below it, one for the release. */
export function pairedIntervalChart(labels: Labels, estimates: readonly PairedEstimate[]): Chart {
  const x = { type: 'quantitative', title: labels.x }
  const place = {
    y: { field: 'label', type: 'nominal', sort: null, title: labels.y === '' ? null : labels.y },
    yOffset: { field: 'series', sort: ['original', 'release'] },
    color: fileColors('series'),
  }
  const rows = new Set(estimates.map(({ label }) => label)).size
  const { shown, isCut } = withinReach(estimates)
  const whisker = layer({ type: 'rule', strokeWidth: 2 }, { ...place, x: on(x, 'lower'), x2: { field: 'upper' } })
  return chartOf(withCut(labels, isCut), {
    height: 28 * Math.max(rows, 2),
    data: { values: shown.map((one) => ({ ...one })) },
    layer: [
      layer({ type: 'rule', color: COLORS.rule, strokeDash: [4, 3] }, { x: { ...x, datum: 0 } }, [{}]),
      { transform: HAS_INTERVAL, ...whisker },
      layer({ type: 'point', filled: true, size: 60 }, { ...place, x: on(x, 'value') }),
    ],
  })
}

export interface Dumbbell {
  readonly label: string
  readonly original: number
  readonly release: number
  /** What chance alone would give. */
  readonly reference?: number
}

/** One row per label, from the original to the release, with chance as a tick: how far did the release move? */
export function dumbbellChart({ name, title, x: along }: Labels, rows: readonly Dumbbell[]): Chart {
  const dots = rows.flatMap(({ label, original, release }) => [
    { label, value: original, series: 'original' },
    { label, value: release, series: 'release' },
  ])
  const ticks = rows.flatMap(({ label, reference }) => (reference === undefined ? [] : [{ label, value: reference }]))
  const y = labelled('label', { axis: { labelLimit: 420 } })
  const isFlat = dots.every(({ value }) => value === 0)
  const x = on(quantity(along, { scale: isFlat ? { domain: [0, 1] } : { domainMin: 0 } }), 'value')
  const bars = { y, x: on(x, 'original'), x2: { field: 'release' } }
  return chartOf(
    { name, title },
    {
      height: 28 * Math.max(rows.length, 2),
      layer: [
        layer(
          { type: 'rule', color: '#bbbbbb' },
          bars,
          rows.map((row) => ({ ...row })),
        ),
        layer({ type: 'point', filled: true, size: 90 }, { y, x, color: fileColors('series') }, dots),
        ...(ticks.length > 0 ? [layer({ type: 'tick', color: COLORS.rule, thickness: 2 }, { y, x }, ticks)] : []),
      ],
    },
  )
}

function layered(labels: Labels, values: readonly Json[], layers: readonly Json[], isCut = false): Chart {
  return chartOf(withCut(labels, isCut), { data: { values }, layer: layers })
}

/** A dashed line with its label, on its left if asked for; labels of further lines stand lower, so that they do not cover each other. */
function ruleLayer(axis: 'x' | 'y', { value, label }: Rule, place: number, isLeft = false): Json {
  const position = { datum: value, type: 'quantitative' }
  const text =
    axis === 'x'
      ? { type: 'text', align: isLeft ? 'right' : 'left', dx: isLeft ? -3 : 3, y: 8 + 13 * place }
      : { type: 'text', align: 'right', dy: -5, x: 'width' }
  const encoding = { [axis]: position, text: { field: 'label' } }
  return {
    data: { values: [{ label }] },
    layer: [
      layer({ type: 'rule', strokeDash: [4, 3], color: COLORS.rule }, { [axis]: position }),
      // A white edge below the letters keeps them readable where they lie on a bar.
      layer({ ...text, stroke: 'white', strokeWidth: 4 }, encoding),
      layer(text, encoding),
    ],
  }
}
