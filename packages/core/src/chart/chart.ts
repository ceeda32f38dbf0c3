import { math } from '@scrim/kernels'
import type { Json } from '../json.js'
import { median } from '../stats/quantile.js'

/** A picture of a result: a Vega-Lite specification with its data inside, made from aggregates only. */
export interface Chart {
  /** File name without ending, unique within the measure. */
  readonly name: string
  readonly title: string
  readonly spec: Spec
}

type Spec = Readonly<Record<string, Json>>

/** Two colours throughout: the original in grey, the release in blue; red marks what is over a limit. */
export const COLORS = { original: '#8a8f98', release: '#2f6db5', alarm: '#c0392b', rule: '#333333' } as const

export const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json'
export const FRAME = {
  width: 420,
  height: 240,
  config: {
    view: { stroke: null },
    axis: { grid: false, labelLimit: 300 },
    legend: { labelLimit: 300 },
    font: 'sans-serif',
  },
} as const

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

interface Labels {
  readonly name: string
  readonly title: string
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
  const ends = bars.map(({ interval }) => interval ?? { lower: null, upper: null })
  const { shown, isCut } = withinReach(
    ends,
    bars.map(({ value }) => value),
  )
  const data = bars.map((bar, k) => ({
    label: bar.label,
    value: bar.value,
    series: bar.series ?? 'release',
    meaning: bar.alarm ? red : (bar.series ?? 'release'),
    ...(bar.interval ? shown[k] : {}),
  }))
  const names = [...new Set(bars.map((bar) => bar.label))]
  const paired = names.length < bars.length && new Set(data.map((bar) => bar.series)).size > 1
  const position = {
    x: { field: 'label', type: 'nominal', sort: null, title: labels.x, axis: { labelAngle: labelAngle(names) } },
    ...(paired ? { xOffset: { field: 'series', sort: ['original', 'release'] } } : {}),
  }
  const marks = {
    mark: { type: 'bar' },
    encoding: {
      ...position,
      // Nothing but zeros would be drawn in the middle of an axis without extent.
      y: {
        field: 'value',
        type: 'quantitative',
        title: labels.y,
        ...shareAxis(labels.y),
        ...(isFlat(bars) ? { scale: { domain: [0, 1] } } : {}),
      },
      color: colorBy(
        data.map(({ meaning }) => meaning),
        red,
      ),
    },
  }
  const whiskers = {
    transform: [{ filter: 'isValid(datum.lower)' }],
    mark: { type: 'rule', color: COLORS.rule, strokeWidth: 1.5 },
    encoding: { ...position, y: { field: 'lower', type: 'quantitative' }, y2: { field: 'upper' } },
  }
  const drawn = bars.some((bar) => bar.interval) ? [marks, whiskers] : [marks]
  return chart(labels, data, [...drawn, ...rules.map((rule, k) => ruleLayer('y', rule, k))], isCut)
}

const OVER = 'over the limit'
const CHARACTER_WIDTH = 6

/** Level while every label fits under its bar. */
function labelAngle(names: readonly string[]): number {
  if (names.length > 12) return -60
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  return longest * CHARACTER_WIDTH > FRAME.width / names.length ? -30 : 0
}

function isFlat(bars: readonly Bar[]): boolean {
  return bars.every(({ value, interval }) => value === 0 && (interval ?? { upper: 0 }).upper === 0)
}

/** A legend wherever there is more than one colour, or red. */
function colorBy(meanings: readonly string[], red: string) {
  const known: readonly (readonly [string, string])[] = [
    ['original', COLORS.original],
    ['release', COLORS.release],
    [red, COLORS.alarm],
  ]
  const shown = known.filter(([meaning]) => meanings.includes(meaning))
  return {
    field: 'meaning',
    type: 'nominal',
    title: null,
    scale: { domain: shown.map(([meaning]) => meaning), range: shown.map(([, color]) => color) },
    ...(shown.length > 1 || meanings.includes(red) ? {} : { legend: null }),
  }
}

const SHARES = /^(share|(mean |residual )?risk|success rate|guessed right|overlap|excess)\b/

/** Shares in percent, as in the text; a logarithmic axis has ticks without a label. */
export function shareAxis(title: string) {
  return SHARES.test(title)
    ? { axis: { labelExpr: "datum.label === '' ? '' : format(100 * datum.value, '~r') + ' %'" } }
    : {}
}

/** How many times as far as usual something may lie outside. */
const FAR = 6

/** Ends of intervals, those far outside put where they do not flatten the rest. */
function withinReach<Of extends { readonly lower: number | null; readonly upper: number | null }>(
  all: readonly Of[],
  values: readonly number[],
): { readonly shown: readonly Of[]; readonly isCut: boolean } {
  const sizes = [...values, ...all.flatMap(({ lower, upper }) => [lower ?? 0, upper ?? 0])].map(Math.abs)
  const usual = median(sizes.filter((size) => size > 0)) ?? 0
  const reach = Math.max(FAR * usual, ...values.map(Math.abs))
  const isCut = usual > 0 && sizes.some((size) => size > reach)
  const cut = (end: number | null) => (end === null ? null : Math.min(reach, Math.max(-reach, end)))
  return { shown: isCut ? all.map((one) => ({ ...one, lower: cut(one.lower), upper: cut(one.upper) })) : all, isCut }
}

const CUT = 'intervals that reach far outside are cut'

function headingOf({ title, subtitle }: Pick<Labels, 'title' | 'subtitle'>, isCut = false): Json {
  const lines = [...(subtitle === undefined ? [] : [subtitle]), ...(isCut ? [CUT] : [])]
  return lines.length === 0 ? title : { text: title, subtitle: lines.length === 1 ? lines[0] : lines }
}

/** The same chart with a line below its title, before others that are there. */
export function withSubtitle(of: Chart, line: string): Chart {
  const { title } = of.spec
  const is = typeof title === 'object' && title !== null && 'subtitle' in title ? title.subtitle : []
  const lines = [line, ...(Array.isArray(is) ? is : [is])]
  const heading = typeof title === 'object' && title !== null && !Array.isArray(title) ? title : { text: of.title }
  return { ...of, spec: { ...of.spec, title: { ...heading, subtitle: lines } } }
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
  const marks = {
    mark: { type: 'bar', stroke: 'white', strokeWidth: 0.5 },
    encoding: {
      x: { field: 'lower', type: 'quantitative', title: labels.x, bin: { binned: true }, ...shareAxis(labels.x) },
      x2: { field: 'upper' },
      y: { field: 'count', type: 'quantitative', title: labels.y, ...roomAbove(bins, rules) },
      color: colorBy(
        data.map(({ meaning }) => meaning),
        red,
      ),
    },
  }
  const ends = [...bins.flatMap(({ lower, upper }) => [lower, upper]), ...rules.map(({ value }) => value)]
  const middle = (Math.min(...ends) + Math.max(...ends)) / 2
  return chart(labels, data, [marks, ...rules.map((rule, k) => ruleLayer('x', rule, k, rule.value > middle))])
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
  given: { step?: boolean; log?: boolean; zero?: boolean; rules?: readonly Rule[] } = {},
): Chart {
  const along = (x: number) => (given.log ? math.log(x) : x)
  const places = points.map(({ x }) => along(x))
  const [from, to] = [Math.min(...places), Math.max(...places)]
  const isFar = ({ value }: Rule) => to > from && (along(value) - from) / (to - from) > LEFT_FROM
  const marks = {
    mark: { type: 'line', interpolate: given.step ? 'step-after' : 'linear', point: !given.step },
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        title: labels.x,
        ...shareAxis(labels.x),
        ...(given.log ? { scale: { type: 'log' } } : {}),
      },
      y: {
        field: 'y',
        type: 'quantitative',
        title: labels.y,
        ...shareAxis(labels.y),
        ...(given.zero === false ? { scale: { zero: false } } : {}),
      },
      color: seriesColor(points),
    },
  }
  return chart(
    labels,
    points.map((point) => ({ ...point })),
    [marks, ...(given.rules ?? []).map((rule, k) => ruleLayer('x', rule, k, isFar(rule)))],
  )
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
  const sized = points.some((point) => point.size !== undefined)
  const marks = {
    mark: { type: 'point', filled: true, opacity: 0.6 },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: labels.x, ...shareAxis(labels.x) },
      y: { field: 'y', type: 'quantitative', title: labels.y, ...shareAxis(labels.y) },
      color: colorBy(
        data.map(({ meaning }) => meaning),
        red,
      ),
      ...(sized ? { size: { field: 'size', type: 'quantitative', title: 'records' } } : {}),
    },
  }
  const shade = {
    data: { values: band.map((part) => ({ ...part })) },
    mark: { type: 'area', color: COLORS.original, opacity: 0.25 },
    encoding: {
      x: { field: 'x', type: 'quantitative' },
      y: { field: 'lower', type: 'quantitative' },
      y2: { field: 'upper' },
    },
  }
  const layers = [...(band.length === 0 ? [] : [shade]), marks, ...rules.map((rule, k) => ruleLayer('y', rule, k))]
  return chart(labels, data, layers)
}

export interface Estimate {
  readonly label: string
  readonly value: number
  readonly lower: number | null
  readonly upper: number | null
}

/** A forest plot: one row per label, a point with its interval, red right of zero and blue left of it. */
export function intervalChart(labels: Labels, estimates: readonly Estimate[]): Chart {
  const y = { field: 'label', type: 'nominal', sort: null, title: labels.y }
  const x = { type: 'quantitative', title: labels.x, ...shareAxis(labels.x) }
  const { red = 'above 0' } = labels
  const { shown, isCut } = withinReach(
    estimates,
    estimates.map(({ value }) => value),
  )
  const data = shown.map((one) => ({ ...one, meaning: one.value > 0 ? red : 'below' }))
  const color = {
    field: 'meaning',
    type: 'nominal',
    title: null,
    scale: { domain: [red, 'below'], range: [COLORS.alarm, COLORS.release] },
  }
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: headingOf(labels, isCut),
      ...FRAME,
      height: 22 * Math.max(estimates.length, 2),
      data: { values: data },
      layer: [
        { data: { values: [{}] }, mark: { type: 'rule', color: COLORS.rule }, encoding: { x: { ...x, datum: 0 } } },
        {
          transform: [{ filter: 'isValid(datum.lower) && isValid(datum.upper)' }],
          mark: { type: 'rule' },
          encoding: { y, x: { ...x, field: 'lower' }, x2: { field: 'upper' }, color },
        },
        { mark: { type: 'point', filled: true, size: 70 }, encoding: { y, x: { ...x, field: 'value' }, color } },
      ],
    },
  }
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
  const side = Math.max(200, Math.min(560, 44 * names.length))
  const largest = cells.reduce((most, { value }) => Math.max(most, value), 0)
  const place = {
    x: { field: 'x', type: 'nominal', sort: names, title: labels.x, axis: { labelAngle: -40 } },
    y: { field: 'y', type: 'nominal', sort: names, title: labels.y },
  }
  const square = {
    mark: { type: 'rect', stroke: 'white' },
    encoding: {
      ...place,
      color: {
        field: 'value',
        type: 'quantitative',
        title: null,
        scale: { range: ['#f4f4f4', COLORS.alarm], domain: [0, largest > 0 ? largest : 1] },
      },
    },
  }
  const text = {
    mark: { type: 'text', fontSize: names.length > 12 ? 8 : 10 },
    encoding: {
      ...place,
      text: { field: 'text' },
      color: { condition: { test: `datum.value > ${0.65 * largest}`, value: 'white' }, value: COLORS.rule },
    },
  }
  const picture = chart(
    labels,
    cells.map((cell) => ({ ...cell })),
    [square, text],
  )
  return { ...picture, spec: { ...picture.spec, width: side, height: side } }
}

export interface PairedEstimate extends Estimate {
  readonly series: 'original' | 'release'
}

/** A forest plot of two tables: per label a point with its interval for the original and, below it, one for the release. */
export function pairedIntervalChart(labels: Labels, estimates: readonly PairedEstimate[]): Chart {
  const y = { field: 'label', type: 'nominal', sort: null, title: labels.y === '' ? null : labels.y }
  const yOffset = { field: 'series', sort: ['original', 'release'] }
  const x = { type: 'quantitative', title: labels.x }
  const color = {
    field: 'series',
    type: 'nominal',
    title: null,
    scale: { domain: ['original', 'release'], range: [COLORS.original, COLORS.release] },
  }
  const rows = new Set(estimates.map(({ label }) => label)).size
  const { shown, isCut } = withinReach(
    estimates,
    estimates.map(({ value }) => value),
  )
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: headingOf(labels, isCut),
      ...FRAME,
      height: 28 * Math.max(rows, 2),
      data: { values: shown.map((one) => ({ ...one })) },
      layer: [
        {
          data: { values: [{}] },
          mark: { type: 'rule', color: COLORS.rule, strokeDash: [4, 3] },
          encoding: { x: { ...x, datum: 0 } },
        },
        {
          transform: [{ filter: 'isValid(datum.lower) && isValid(datum.upper)' }],
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { y, yOffset, x: { ...x, field: 'lower' }, x2: { field: 'upper' }, color },
        },
        {
          mark: { type: 'point', filled: true, size: 60 },
          encoding: { y, yOffset, x: { ...x, field: 'value' }, color },
        },
      ],
    },
  }
}

export interface Dumbbell {
  readonly label: string
  readonly original: number
  readonly release: number
  /** What chance alone would give. */
  readonly reference?: number
}

/** One row per label, from the original to the release, with chance as a tick: how far did the release move? */
export function dumbbellChart(labels: Labels, rows: readonly Dumbbell[]): Chart {
  const dots = rows.flatMap(({ label, original, release }) => [
    { label, value: original, series: 'original' },
    { label, value: release, series: 'release' },
  ])
  const y = { field: 'label', type: 'nominal', sort: null, title: null, axis: { labelLimit: 420 } }
  const isFlat = dots.every(({ value }) => value === 0)
  const x = {
    field: 'value',
    type: 'quantitative',
    title: labels.x,
    ...shareAxis(labels.x),
    scale: isFlat ? { domain: [0, 1] } : { domainMin: 0 },
  }
  const layers: Json[] = [
    {
      data: { values: rows.map((row) => ({ ...row })) },
      mark: { type: 'rule', color: '#bbbbbb' },
      encoding: { y, x: { ...x, field: 'original' }, x2: { field: 'release' } },
    },
    {
      data: { values: dots },
      mark: { type: 'point', filled: true, size: 90 },
      encoding: {
        y,
        x,
        color: {
          field: 'series',
          type: 'nominal',
          title: null,
          scale: { domain: ['original', 'release'], range: [COLORS.original, COLORS.release] },
        },
      },
    },
  ]
  const ticks = rows.flatMap(({ label, reference }) => (reference === undefined ? [] : [{ label, value: reference }]))
  if (ticks.length > 0)
    layers.push({
      data: { values: ticks },
      mark: { type: 'tick', color: COLORS.rule, thickness: 2 },
      encoding: { y, x },
    })
  return {
    name: labels.name,
    title: labels.title,
    spec: { $schema: SCHEMA, title: labels.title, ...FRAME, height: 28 * Math.max(rows.length, 2), layer: layers },
  }
}

function chart(labels: Labels, values: readonly Json[], layer: readonly Json[], isCut = false): Chart {
  const { name, title } = labels
  return { name, title, spec: { $schema: SCHEMA, title: headingOf(labels, isCut), ...FRAME, data: { values }, layer } }
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
      { mark: { type: 'rule', strokeDash: [4, 3], color: COLORS.rule }, encoding: { [axis]: position } },
      // A white edge below the letters keeps them readable where they lie on a bar.
      { mark: { ...text, stroke: 'white', strokeWidth: 4 }, encoding },
      { mark: text, encoding },
    ],
  }
}
