import { math } from '@scrim/kernels'
import type { Json } from '../json.js'
import { grouped, percent, significant } from '../print.js'
import { median } from '../stats/quantile.js'
import {
  CELL_INK,
  type Chart,
  COLORS,
  chartOf,
  FRAME,
  fileColors,
  type Heading,
  isShare,
  labelled,
  layer,
  on,
  quantity,
  SERIES,
  scaled,
  WRITTEN_GREY,
} from './parts.js'

export { type Chart, withoutAlarm, withSubtitle } from './parts.js'

export interface Rule {
  readonly value: number
  readonly label: string
}

export interface Bar {
  readonly label: string
  /** A bar without one is left out. */
  readonly value: number | null | undefined
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
  /** What grey and blue are, where they are not the original and the release. */
  readonly grey?: string
  readonly blue?: string
  readonly x: string
  readonly y: string
}

/**
 * Bars in the order given, one colour per table, red where `alarm`; `rules` are limits. Sizes and other numbers stand side by side
 * as columns; names lie below each other, each with its value at its end, so that none has to be tilted.
 */
export function barChart(labels: Labels, all: readonly Bar[], rules: readonly Rule[] = []): Chart {
  const bars = all.flatMap(({ value, ...bar }) => (value == null ? [] : [{ ...bar, value }]))
  const { red = OVER, grey = 'original', blue = 'release' } = labels
  const ends = bars.map(({ value, interval }) => ({ value, ...(interval ?? { lower: null, upper: null }) }))
  const { shown, isCut } = withinReach(ends)
  const names = [...new Set(bars.map(({ label }) => label))]
  const paired = names.length < bars.length && new Set(bars.map(({ series = 'release' }) => series)).size > 1
  const isRows = !names.every((name) => NUMBER.test(name))
  const data = bars.map(({ label, value, series = 'release', alarm, interval }, k) => ({
    label,
    value,
    series,
    meaning: alarm ? red : series === 'original' ? grey : blue,
    ...(interval ? { lower: shown[k].lower, upper: shown[k].upper } : {}),
    ...(isRows
      ? { end: Math.max(0, value, interval ? (shown[k].upper ?? value) : value), text: valueText(value, labels.y) }
      : {}),
  }))
  const color = colorBy(data, { grey, blue, red }, !paired)
  const above = isRows ? Math.max(rules.length, labels.x === '' ? 0 : 1) : 0
  const heading = above === 0 ? labels : { ...labels, offset: RULE_LABEL * above + 8 }
  const drawn = { labels, bars, rules, paired, color }
  const chart = layered(heading, data, isRows ? rowsOf(drawn) : columnsOf(drawn), isCut)
  const spec = { ...chart.spec, ...(isRows ? rowsFrame : columnsFrame)(names.length, paired) }
  // One bar, or nothing but zeros, is a number and no picture.
  const isBlank = bars.length < 2 || ends.every(({ value, upper }) => value === 0 && (upper ?? 0) === 0)
  return { ...chart, spec, ...(isBlank ? { isBlank } : {}) }
}

/** Bars of the same rows: by field the table that it is about. */
export function barsOver<Label extends string, Field extends string>(
  rows: readonly NoInfer<Readonly<Record<Label, string | number> & Record<Field, number | null>>>[],
  label: Label,
  series: Readonly<Record<Field, 'original' | 'release'>>,
): Bar[] {
  const bars: Bar[] = []
  for (const row of rows)
    for (const field in series) bars.push({ label: String(row[label]), value: row[field], series: series[field] })
  return bars
}

const OVER = 'over the limit'
/** "10+", "0.1 %": labels along a scale. */
const NUMBER = /^[<>≥]?\s?\d[\d.,]*\s?[+%]?$/
const [COLUMN_WIDTH, ROW_HEIGHT, LOW_ROW_HEIGHT, PAIR_HEIGHT, MANY_ROWS] = [56, 24, 17, 32, 12]

interface Drawn {
  readonly labels: Labels
  readonly bars: readonly Bar[]
  readonly rules: readonly Rule[]
  readonly paired: boolean
  readonly color: Json
}

const offset = (along: 'x' | 'y', paired: boolean) =>
  paired ? { [`${along}Offset`]: { field: 'series', sort: ['original', 'release'] } } : {}
const WHISKER = {
  transform: [{ filter: 'isValid(datum.lower)' }],
  mark: { type: 'rule', color: COLORS.rule, strokeWidth: 1.5 },
}

function columnsOf({ labels, bars, rules, paired, color }: Drawn): readonly Json[] {
  // Of many sizes every second is named, and none is tilted.
  const axis = { labelAngle: 0, labelOverlap: true, labelSeparation: 6 }
  const position = { x: labelled('label', { title: labels.x, axis }), ...offset('x', paired) }
  const whisker = { ...position, y: { field: 'lower', type: 'quantitative' }, y2: { field: 'upper' } }
  return [
    layer({ type: 'bar' }, { ...position, y: on(quantity(labels.y), 'value'), color }),
    ...(bars.some(({ interval }) => interval) ? [{ ...WHISKER, encoding: whisker }] : []),
    ...rules.map((rule, k) => ruleLayer('y', rule, k)),
  ]
}

function rowsOf({ labels, bars, rules, paired, color }: Drawn): readonly Json[] {
  const look = { labelLimit: ROW_LABEL, domain: false, ticks: false, labelPadding: 6 }
  const position = {
    y: labelled('label', { axis: { ...look, ...ABOVE }, title: labels.x === '' ? null : labels.x }),
    ...offset('y', paired),
  }
  const x = rowAxis(labels.y)
  const whisker = { ...position, x: on(x, 'lower'), x2: { field: 'upper' } }
  const value = { ...position, x: on(x, 'end'), text: { field: 'text' } }
  return [
    layer({ type: 'bar' }, { ...position, x: on(x, 'value'), color }),
    ...(bars.some(({ interval }) => interval) ? [{ ...WHISKER, encoding: whisker }] : []),
    // Above the rows, where no bar is.
    ...rules.map((rule, k) => ruleLayer('x', rule, -k, false, -8)),
    layer({ ...VALUE, stroke: 'white', strokeWidth: 4 }, value),
    layer(VALUE, value),
  ]
}

const ROW_LABEL = 260

const VALUE = { type: 'text', align: 'left', dx: 5 }

/** The title of rows stands level above them. */
const ABOVE = { titleAngle: 0, titleAlign: 'right', titleY: -7, titleX: -6 }

/** An axis below rows: quiet lines upwards instead of a line along it. */
function rowAxis(title: string) {
  const axis = quantity(title)
  const look = typeof axis.axis === 'object' && axis.axis !== null ? axis.axis : {}
  return { ...axis, axis: { ...look, grid: true, domain: false, ticks: false, tickCount: 4 } }
}

/** No wider than their number needs. */
function columnsFrame(columns: number, paired: boolean) {
  return { width: Math.min(FRAME.width, Math.max(3, columns) * COLUMN_WIDTH * (paired ? 1.25 : 1)) }
}

function rowsFrame(rows: number, paired: boolean) {
  return { width: ROWS_WIDTH, height: rows * (paired ? PAIR_HEIGHT : rows > MANY_ROWS ? LOW_ROW_HEIGHT : ROW_HEIGHT) }
}

const ROWS_WIDTH = 300

/** As on the axis: shares in percent. */
function valueText(value: number, axis: string): string {
  const text = isShare(axis)
    ? percent(value, Math.abs(value) < 0.1 && value !== 0 ? 1 : 0)
    : Number.isInteger(value)
      ? grouped(value)
      : String(significant(value))
  return text.replace('-', '−')
}

/** A legend of what labels and subtitle do not tell: red always, the two files where bars of both stand side by side. */
function colorBy(
  data: readonly { readonly meaning: string }[],
  {
    grey = 'original',
    blue = 'release',
    red,
  }: { readonly grey?: string; readonly blue?: string; readonly red: string },
  isTold = true,
) {
  const meanings = new Set(data.map(({ meaning }) => meaning))
  const known = [
    [grey, COLORS.original],
    [blue, COLORS.release],
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
      color: colorBy(data, { red }),
    },
  )
  const ends = [...bins.flatMap(({ lower, upper }) => [lower, upper]), ...rules.map(({ value }) => value)]
  const middle = (Math.min(...ends) + Math.max(...ends)) / 2
  const chart = layered(labels, data, [bars, ...rules.map((rule, k) => ruleLayer('x', rule, k, rule.value > middle))])
  return bins.every(({ count }) => count === 0) ? { ...chart, isBlank: true } : chart
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

/** Lines over the same rows: by field the name that its line has; a row without a value has no point. */
export function linesOver<X extends string, Field extends string>(
  rows: readonly NoInfer<Readonly<Record<X, number> & Record<Field, number | null>>>[],
  x: X,
  lines: Readonly<Record<Field, string>>,
): Point[] {
  const points: Point[] = []
  for (const row of rows)
    for (const field in lines) {
      const y = row[field]
      if (y !== null) points.push({ x: row[x], y, series: lines[field] })
    }
  return points
}

/** What a release is held against: grey in every picture. */
const GROUNDS = new Set([
  'original',
  'honest subsample',
  'ideal',
  'guessing',
  'by chance',
  'bound of chance',
  'at random',
  'a coin',
  'others',
  'other original',
  'to holdout',
  'released records at random',
  'random classes of the same size',
])

/** The colours of lines, and darker ones for what is written in them: blue and grey where one line is held against another. */
function seriesColors(names: readonly string[]): {
  readonly drawn: readonly string[]
  readonly written: readonly string[]
} {
  const isPlain = names.length < 3 && names.filter((name) => !GROUNDS.has(name)).length === 1
  const drawn = names.map((name, k) =>
    isPlain ? (GROUNDS.has(name) ? COLORS.original : COLORS.release) : SERIES[k % SERIES.length],
  )
  return { drawn, written: drawn.map((color) => (color === COLORS.original ? WRITTEN_GREY : color)) }
}

/** A label that begins beyond this part of the width would leave the picture on the right. */
const LEFT_FROM = 0.8
/** So many lines, with names of so many letters, are named at their ends; more have a legend. */
const [MOST_NAMED, LONGEST_NAME] = [4, 26]

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
  const names = [...new Set(points.map(({ series }) => series))]
  const { drawn, written } = seriesColors(names)
  const isNamed = names.length > 1 && names.length <= MOST_NAMED && names.every(({ length }) => length <= LONGEST_NAME)
  const legend = isNamed || names.length < 2 ? { legend: null } : {}
  const y = quantity(labels.y, zero === false ? { scale: { zero: false } } : {})
  const lines = layer(
    { type: 'line', interpolate: step ? 'step-after' : 'linear', point: !step },
    {
      x: on(quantity(labels.x, log ? { scale: { type: 'log' } } : {}), 'x'),
      y: on(y, 'y'),
      color: scaled('series', names, drawn, legend),
    },
  )
  const ends = layer(
    { type: 'text', align: 'left', dx: 6, x: 'width' },
    { y: on(y, 'y'), text: { field: 'series' }, color: { field: 'color', type: 'nominal', scale: null } },
    endsOfLines(names, points, zero !== false).map((end) => ({ ...end, color: written[names.indexOf(end.series)] })),
  )
  const data = points.map((point) => ({ ...point }))
  const ruled = rules.map((rule, k) => ruleLayer('x', rule, k, isFar(rule)))
  const layers = [lines, ...(isNamed ? [ends] : []), ...ruled]
  return { ...layered(labels, data, layers), ...(points.length < 2 ? { isBlank: true } : {}) }
}

/** Where each line ends on the right, moved apart where names would cover each other. */
function endsOfLines(names: readonly string[], points: readonly Point[], hasZero: boolean) {
  const heights = points.map(({ y }) => y)
  const lowest = Math.min(...heights, ...(hasZero ? [0] : []))
  const gap = ((Math.max(...heights, ...(hasZero ? [0] : [])) - lowest) * NAME_HEIGHT) / FRAME.height
  const ends = names
    .map((series) => ({ series, y: lastOf(points.filter((point) => point.series === series)) }))
    .sort((a, b) => a.y - b.y)
  let least = lowest
  const apart = ends.map(({ series, y }) => {
    const place = Math.max(y, least)
    least = place + gap
    return { series, y: place }
  })
  const over = Math.max(0, (apart.at(-1)?.y ?? 0) - Math.max(...heights))
  return apart.map(({ series, y }, k) => ({ series, y: Math.max(y - over, ends[k].y - over) }))
}

const NAME_HEIGHT = 15

function lastOf(points: readonly Point[]): number {
  return points.reduce((last, point) => (point.x >= last.x ? point : last)).y
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
      color: colorBy(data, { red }),
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
  const data = shown.map((one) => ({ ...one, meaning: one.value > 0 ? red : 'below' }))
  const color = colorBy(data, { blue: 'below', red }, false)
  const whisker = layer({ type: 'rule' }, { y, x: on(x, 'lower'), x2: { field: 'upper' }, color })
  const chart = chartOf(withCut(labels, isCut), {
    height: 22 * Math.max(estimates.length, 2),
    data: { values: data },
    layer: [
      layer({ type: 'rule', color: COLORS.rule }, { x: { ...x, datum: 0 } }, [{}]),
      { transform: HAS_INTERVAL, ...whisker },
      layer({ type: 'point', filled: true, size: 70 }, { y, x: on(x, 'value'), color }),
    ],
  })
  return estimates.length === 0 ? { ...chart, isBlank: true } : chart
}

export interface HeatCell {
  readonly x: string
  readonly y: string
  readonly value: number
  /** Written into the cell. */
  readonly text: string
}

/** One square per pair of labels, darker the larger, with what it stands for written in it; labels in the order in which they first occur. */
export function heatmapChart(labels: Labels, cells: readonly HeatCell[]): Chart {
  const names = [...new Set(cells.map(({ x }) => x))]
  const side = Math.max(200, Math.min(720, 48 * names.length))
  const largest = cells.reduce((most, { value }) => Math.max(most, value), 0)
  const place = {
    x: { field: 'x', type: 'nominal', sort: names, title: labels.x, axis: { labelAngle: -40 } },
    y: { field: 'y', type: 'nominal', sort: names, title: labels.y },
  }
  const scale = { range: ['#f4f4f4', COLORS.release], domain: [0, largest > 0 ? largest : 1] }
  const ink = {
    condition: { test: `datum.value > ${0.65 * largest}`, value: CELL_INK.onDark },
    value: CELL_INK.onLight,
  }
  const color = { field: 'value', type: 'quantitative', scale, legend: null }
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
  const x = on(quantity(along, { scale: { domainMin: 0 } }), 'value')
  const bars = { y, x: on(x, 'original'), x2: { field: 'release' } }
  const chart = chartOf(
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
  return isFlat ? { ...chart, isBlank: true } : chart
}

function layered(labels: Labels, values: readonly Json[], layers: readonly Json[], isCut = false): Chart {
  return chartOf(withCut(labels, isCut), { data: { values }, layer: layers })
}

const RULE_LABEL = 13

/** A dashed line with its label, on its left if asked for; labels of further lines stand lower, so that they do not cover each other. */
function ruleLayer(axis: 'x' | 'y', { value, label }: Rule, place: number, isLeft = false, top = 8): Json {
  const position = { datum: value, type: 'quantitative' }
  const text =
    axis === 'x'
      ? { type: 'text', align: isLeft ? 'right' : 'left', dx: isLeft ? -3 : 3, y: top + RULE_LABEL * place }
      : { type: 'text', align: 'right', dy: -5, x: 'width' }
  const encoding = { [axis]: position, text: { field: 'label' } }
  return {
    data: { values: [{ label }] },
    layer: [
      layer({ type: 'rule', strokeDash: [4, 3], color: COLORS.limit }, { [axis]: position }),
      // A white edge below the letters keeps them readable where they lie on a bar.
      layer({ ...text, stroke: 'white', strokeWidth: 4 }, encoding),
      layer(text, encoding),
    ],
  }
}
