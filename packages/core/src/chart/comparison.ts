import type { Json } from '../json.js'
import {
  CELL_INK,
  type Chart,
  COLORS,
  COMPOSED,
  chartOf,
  FRAME,
  fileColors,
  type Heading,
  labelled,
  layer,
  on,
  quantity,
} from './parts.js'

/** Pictures that lay a release beside its original. */

export interface DistanceRow {
  readonly label: string
  readonly value: number
  /** What an honest sample would give: a tick. */
  readonly expected?: number | null
  readonly alarm?: boolean
}

const MOST_ROWS = 40

/** One bar per row, longest first as given, red where `alarm`, with a tick where an honest sample would end. */
export function distanceChart(
  labels: Heading & { readonly x: string; readonly red?: string },
  rows: readonly DistanceRow[],
): Chart {
  const shown = rows.slice(0, MOST_ROWS)
  const ticks = shown.flatMap(({ label, expected }) =>
    expected === null || expected === undefined ? [] : [{ label, expected }],
  )
  const { subtitle, red } = labels
  const meanings = [
    ...(ticks.length > 0 ? ['tick: an honest sample of the same size'] : []),
    ...(shown.some(({ alarm }) => alarm) ? [`red: ${red ?? 'more than chance'}`] : []),
  ].join('; ')
  const y = labelled('label', { axis: { labelLimit: 420 } })
  const x = quantity(labels.x, { scale: { domainMin: Math.min(0, ...shown.map(({ value }) => value)) } })
  const bars = shown.map(({ label, value, alarm }) => ({ label, value, color: alarm ? COLORS.alarm : COLORS.release }))
  const color = { field: 'color', type: 'nominal', scale: null }
  const tick = { type: 'tick', color: COLORS.rule, thickness: 2 }
  const isFlat = shown.every(({ value, expected }) => value === 0 && (expected ?? 0) === 0)
  const chart = chartOf(
    { ...labels, subtitle: subtitle ?? meanings },
    {
      height: 20 * Math.max(shown.length, 2),
      layer: [
        layer({ type: 'bar' }, { y, x: on(x, 'value'), color }, bars),
        ...(ticks.length > 0 ? [layer(tick, { y, x: on(x, 'expected') }, ticks)] : []),
      ],
    },
  )
  return isFlat ? { ...chart, isBlank: true } : chart
}

type Labels = Heading & { readonly x: string; readonly y: string }

/** Which of the two files: the original in grey, the release in blue. */
type File = 'original' | 'release'

const fileColor = fileColors('file')

const MOST_PANELS = 12
const PANEL = { width: 170, height: 110 } as const

export interface PanelPoint {
  readonly panel: string
  readonly file: File
  readonly x: number
  readonly y: number
}

/** One small panel per column, in the order given: a wide line for the original, a thin one for the release upon it. */
export function panelLines(labels: Labels, points: readonly PanelPoint[]): Chart {
  const place = {
    x: on(quantity(labels.x), 'x'),
    y: on(quantity(labels.y, { scale: { zero: false } }), 'y'),
    color: fileColor,
  }
  const line = (file: File, strokeWidth: number) => ({
    transform: [{ filter: { field: 'file', equal: file } }],
    ...layer({ type: 'line', strokeWidth }, place),
  })
  return panels(labels, points, { layer: [line('original', 4), line('release', 1.5)] })
}

export interface PanelBar {
  readonly panel: string
  readonly file: File
  readonly lower: number
  readonly upper: number
  readonly share: number
}

/** Histograms with common bins, one over the other. */
export function panelHistograms(labels: Labels, bars: readonly PanelBar[]): Chart {
  const encoding = {
    x: { field: 'lower', type: 'quantitative', bin: { binned: true }, title: labels.x },
    x2: { field: 'upper' },
    y: on(quantity(labels.y, { stack: null }), 'share'),
    color: fileColor,
  }
  return panels(labels, bars, layer({ type: 'bar', opacity: 0.5 }, encoding))
}

export interface PanelBox {
  readonly panel: string
  readonly file: File
  readonly low: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly high: number
}

/** Boxes from quartile to quartile, whiskers to `low` and `high`. */
export function panelBoxes(labels: Labels, boxes: readonly PanelBox[]): Chart {
  const place = { y: { field: 'file', type: 'nominal', title: null }, color: fileColor }
  const x = { type: 'quantitative', title: labels.x, scale: { zero: false } }
  const median = { type: 'tick', color: 'white', thickness: 2, size: 16 }
  return panels(labels, boxes, {
    height: 50,
    layer: [
      layer({ type: 'rule' }, { ...place, x: on(x, 'low'), x2: { field: 'high' } }),
      layer({ type: 'bar', size: 16 }, { ...place, x: on(x, 'q1'), x2: { field: 'q3' } }),
      layer(median, { y: place.y, x: on(x, 'median') }),
    ],
  })
}

export interface PanelLevel {
  readonly panel: string
  readonly file: File
  readonly level: string
  readonly share: number
}

/** Shares of categories side by side. */
export function panelLevels(labels: Labels, levels: readonly PanelLevel[]): Chart {
  const encoding = {
    y: labelled('level', { axis: { labelLimit: 160 } }),
    yOffset: { field: 'file', sort: ['original', 'release'] },
    x: on(quantity(labels.y), 'share'),
    color: fileColor,
  }
  return panels(labels, levels, { height: { step: 9 }, ...layer({ type: 'bar' }, encoding) })
}

function panels(
  { name, title }: Labels,
  values: readonly { readonly panel: string }[],
  spec: Readonly<Record<string, Json>>,
): Chart {
  const all = [...new Set(values.map(({ panel }) => panel))]
  const shown = new Set(all.slice(0, MOST_PANELS))
  const subtitle = all.length > shown.size ? `${shown.size} of ${all.length}, those that differ most` : undefined
  return chartOf(
    { name, title, subtitle },
    {
      data: { values: values.filter(({ panel }) => shown.has(panel)).map((value) => ({ ...value })) },
      facet: { field: 'panel', type: 'nominal', title: null, sort: [...shown] },
      columns: Math.min(3, shown.size),
      spec: { ...PANEL, ...spec },
      resolve: { scale: { x: 'independent', y: 'independent' } },
    },
    COMPOSED,
  )
}

export interface MatrixCell {
  readonly row: string
  readonly column: string
  readonly value: number
}

/**
 * A cell per pair of columns, darker the further from 0, its value printed where there is room. Colours are full at `span`
 * at the earliest, so that small differences do not look large.
 */
export function matrixChart(
  labels: Heading & { readonly subtitle?: string; readonly legend: string | null; readonly span?: number },
  cells: readonly MatrixCell[],
  names: readonly string[],
): Chart {
  const most = Math.max(labels.span ?? 1e-12, ...cells.map(({ value }) => Math.abs(value)))
  const size = Math.max(22, Math.min(MOST_CELL, 480 / Math.max(1, names.length)))
  const axis = (field: string, look: Readonly<Record<string, Json>>) => ({
    field,
    type: 'nominal',
    sort: [...names],
    title: null,
    axis: { ...look, labelLimit: 130 },
  })
  const place = { x: axis('column', { labelAngle: -45 }), y: axis('row', {}) }
  const scale = cells.some(({ value }) => value < 0)
    ? { domain: [-most, 0, most], range: ['#d55e00', '#f5f5f5', '#0072b2'] }
    : { domain: [0, most], range: ['#f5f5f5', '#0072b2'] }
  const legend = labels.legend === null ? { legend: null } : {}
  const color = { field: 'value', type: 'quantitative', title: labels.legend, scale, ...legend }
  const text = { field: 'value', type: 'quantitative', format: '.2f' }
  const ink = { condition: { test: 'datum.dark', value: CELL_INK.onDark }, value: CELL_INK.onLight }
  const numbers = {
    transform: [{ calculate: `abs(datum.value) > ${0.6 * most}`, as: 'dark' }],
    ...layer({ type: 'text', fontSize: 11 }, { ...place, text, color: ink }),
  }
  const chart = chartOf(
    labels,
    {
      width: { step: size },
      height: { step: Math.min(size, LINE) },
      data: { values: cells.map((cell) => ({ ...cell })) },
      layer: [layer({ type: 'rect' }, { ...place, color }), ...(names.length <= 16 ? [numbers] : [])],
    },
    COMPOSED,
  )
  return names.length > MOST_IN_HALF ? { ...chart, isWide: true } : chart
}

/** Room for a number of two digits and its sign; six columns still fit on a phone. */
const MOST_CELL = 36
/** As high as a line, so that two maps of sixteen columns fit on a page. */
const LINE = 22
/** More columns than this would shrink in half the width of a page. */
const MOST_IN_HALF = 6

export interface CloudCell {
  readonly file: File
  readonly x: number
  readonly y: number
  readonly share: number
}

/** Where the records of each file lie in two directions: squares, darker where there are more. */
export function cloudChart(
  { name, title, x: right, y: up }: Labels,
  cells: readonly CloudCell[],
  step: { readonly x: number; readonly y: number },
): Chart {
  const scale = { range: ['#e8eef6', COLORS.release, '#12305a'] }
  const encoding = {
    x: { field: 'x', type: 'quantitative', title: right, scale: { zero: false } },
    x2: { field: 'x2' },
    y: { field: 'y', type: 'quantitative', title: up, scale: { zero: false } },
    y2: { field: 'y2' },
    color: { field: 'share', type: 'quantitative', title: 'share', scale },
  }
  return chartOf(
    { name, title },
    {
      data: { values: cells.map(({ file, x, y, share }) => ({ file, share, x, x2: x + step.x, y, y2: y + step.y })) },
      facet: { field: 'file', type: 'nominal', title: null },
      columns: 2,
      spec: { width: 230, height: 230, ...layer({ type: 'rect' }, encoding) },
    },
    COMPOSED,
  )
}

type Whisker = { readonly value: number; readonly lower: number; readonly upper: number }

/** One row per estimate: the original's interval above, the release's below. */
export function intervalPairsChart(
  { name, title, x: along }: { readonly name: string; readonly title: string; readonly x?: string },
  rows: readonly { readonly label: string; readonly original: Whisker; readonly release: Whisker }[],
): Chart {
  const values = rows.flatMap(({ label, original, release }) => [
    { label, file: 'original', ...original },
    { label, file: 'release', ...release },
  ])
  const place = {
    y: labelled('label'),
    yOffset: { field: 'file', sort: ['original', 'release'] },
    color: fileColor,
  }
  const x = { type: 'quantitative', title: along ?? '' }
  return chartOf(
    { name, title },
    {
      width: FRAME.width,
      height: { step: 11 },
      data: { values },
      layer: [
        layer({ type: 'rule', strokeWidth: 2 }, { ...place, x: on(x, 'lower'), x2: { field: 'upper' } }),
        layer({ type: 'point', filled: true, size: 35 }, { ...place, x: on(x, 'value') }),
      ],
    },
    COMPOSED,
  )
}
