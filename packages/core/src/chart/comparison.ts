import type { Json } from '../json.js'
import { type Chart, COLORS, FRAME, SCHEMA, shareAxis } from './chart.js'

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
  labels: { readonly name: string; readonly title: string; readonly x: string; readonly subtitle?: string },
  rows: readonly DistanceRow[],
): Chart {
  const shown = rows.slice(0, MOST_ROWS)
  const hasTicks = shown.some(({ expected }) => expected !== null && expected !== undefined)
  const hasAlarm = shown.some(({ alarm }) => alarm)
  const subtitle =
    labels.subtitle ??
    [
      ...(hasTicks ? ['tick: an honest sample of the same size'] : []),
      ...(hasAlarm ? ['red: more than chance'] : []),
    ].join('; ')
  const y = { field: 'label', type: 'nominal', sort: null, title: null, axis: { labelLimit: 420 } }
  const x = {
    type: 'quantitative',
    title: labels.x,
    ...shareAxis(labels.x),
    scale: { domainMin: Math.min(0, ...shown.map(({ value }) => value)) },
  }
  const layer: Json[] = [
    {
      data: {
        values: shown.map(({ label, value, alarm }) => ({
          label,
          value,
          color: alarm ? COLORS.alarm : COLORS.release,
        })),
      },
      mark: { type: 'bar' },
      encoding: { y, x: { ...x, field: 'value' }, color: { field: 'color', type: 'nominal', scale: null } },
    },
  ]
  if (hasTicks)
    layer.push({
      data: {
        values: shown.flatMap(({ label, expected }) =>
          expected === null || expected === undefined ? [] : [{ label, expected }],
        ),
      },
      mark: { type: 'tick', color: COLORS.rule, thickness: 2 },
      encoding: { y, x: { ...x, field: 'expected' } },
    })
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: subtitle === '' ? labels.title : { text: labels.title, subtitle },
      ...FRAME,
      height: 20 * Math.max(shown.length, 2),
      layer,
    },
  }
}

type Labels = { readonly name: string; readonly title: string; readonly x: string; readonly y: string }

/** Which of the two files: the original in grey, the release in blue. */
type File = 'original' | 'release'

const fileColor = {
  field: 'file',
  type: 'nominal',
  title: null,
  scale: { domain: ['original', 'release'], range: [COLORS.original, COLORS.release] },
} as const

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
  const line = (file: File, strokeWidth: number) => ({
    transform: [{ filter: { field: 'file', equal: file } }],
    mark: { type: 'line', strokeWidth },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: labels.x, ...shareAxis(labels.x) },
      y: { field: 'y', type: 'quantitative', title: labels.y, ...shareAxis(labels.y), scale: { zero: false } },
      color: fileColor,
    },
  })
  return panels(labels, points, [...new Set(points.map(({ panel }) => panel))], {
    layer: [line('original', 4), line('release', 1.5)],
  })
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
  return panels(labels, bars, [...new Set(bars.map(({ panel }) => panel))], {
    mark: { type: 'bar', opacity: 0.5 },
    encoding: {
      x: { field: 'lower', type: 'quantitative', bin: { binned: true }, title: labels.x },
      x2: { field: 'upper' },
      y: { field: 'share', type: 'quantitative', stack: null, title: labels.y, ...shareAxis(labels.y) },
      color: fileColor,
    },
  })
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
  const y = { field: 'file', type: 'nominal', title: null }
  const x = { type: 'quantitative', title: labels.x, scale: { zero: false } }
  return panels(labels, boxes, [...new Set(boxes.map(({ panel }) => panel))], {
    height: 50,
    layer: [
      { mark: { type: 'rule' }, encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' }, color: fileColor } },
      {
        mark: { type: 'bar', size: 16 },
        encoding: { y, x: { ...x, field: 'q1' }, x2: { field: 'q3' }, color: fileColor },
      },
      { mark: { type: 'tick', color: 'white', thickness: 2, size: 16 }, encoding: { y, x: { ...x, field: 'median' } } },
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
  return panels(labels, levels, [...new Set(levels.map(({ panel }) => panel))], {
    height: { step: 9 },
    mark: { type: 'bar' },
    encoding: {
      y: { field: 'level', type: 'nominal', sort: null, title: null, axis: { labelLimit: 160 } },
      yOffset: { field: 'file', sort: ['original', 'release'] },
      x: { field: 'share', type: 'quantitative', title: labels.y, ...shareAxis(labels.y) },
      color: fileColor,
    },
  })
}

function panels(
  { name, title }: Labels,
  values: readonly { readonly panel: string }[],
  all: readonly string[],
  spec: Readonly<Record<string, Json>>,
): Chart {
  const shown = new Set(all.slice(0, MOST_PANELS))
  const subtitle = all.length > shown.size ? `${shown.size} of ${all.length}, those that differ most` : undefined
  return {
    name,
    title,
    spec: {
      $schema: SCHEMA,
      title: subtitle === undefined ? title : { text: title, subtitle },
      config: FRAME.config,
      data: { values: values.filter(({ panel }) => shown.has(panel)).map((value) => ({ ...value })) },
      facet: { field: 'panel', type: 'nominal', title: null, sort: [...shown] },
      columns: Math.min(3, shown.size),
      spec: { ...PANEL, ...spec },
      resolve: { scale: { x: 'independent', y: 'independent' } },
    },
  }
}

export interface MatrixCell {
  readonly row: string
  readonly column: string
  readonly value: number
}

/**
 * A square per pair of columns, darker the further from 0, its value printed where there is room. Colours are full at `span`
 * at the earliest, so that small differences do not look large.
 */
export function matrixChart(
  labels: {
    readonly name: string
    readonly title: string
    readonly subtitle?: string
    readonly legend: string
    readonly span?: number
  },
  cells: readonly MatrixCell[],
  names: readonly string[],
): Chart {
  const most = Math.max(labels.span ?? 1e-12, ...cells.map(({ value }) => Math.abs(value)))
  const signed = cells.some(({ value }) => value < 0)
  const size = Math.max(22, Math.min(48, 480 / Math.max(1, names.length)))
  const axis = (field: string) => ({ field, type: 'nominal', sort: [...names], title: null, axis: { labelLimit: 120 } })
  const place = { x: { ...axis('column'), axis: { labelAngle: -45, labelLimit: 120 } }, y: axis('row') }
  const squares = {
    mark: { type: 'rect' },
    encoding: {
      ...place,
      color: {
        field: 'value',
        type: 'quantitative',
        title: labels.legend,
        scale: signed
          ? { domain: [-most, 0, most], range: [COLORS.alarm, '#f5f5f5', COLORS.release] }
          : { domain: [0, most], range: ['#f5f5f5', COLORS.alarm] },
      },
    },
  }
  const numbers = {
    transform: [{ calculate: `abs(datum.value) > ${0.6 * most}`, as: 'dark' }],
    mark: { type: 'text', fontSize: 9 },
    encoding: {
      ...place,
      text: { field: 'value', type: 'quantitative', format: '.2f' },
      color: { condition: { test: 'datum.dark', value: 'white' }, value: 'black' },
    },
  }
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: labels.subtitle === undefined ? labels.title : { text: labels.title, subtitle: labels.subtitle },
      config: FRAME.config,
      width: { step: size },
      height: { step: size },
      data: { values: cells.map((cell) => ({ ...cell })) },
      layer: names.length <= 16 ? [squares, numbers] : [squares],
    },
  }
}

export interface CloudCell {
  readonly file: File
  readonly x: number
  readonly y: number
  readonly share: number
}

/** Where the records of each file lie in two directions: squares, darker where there are more. */
export function cloudChart(
  labels: Labels,
  cells: readonly CloudCell[],
  step: { readonly x: number; readonly y: number },
): Chart {
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: labels.title,
      config: FRAME.config,
      data: {
        values: cells.map(({ file, x, y, share }) => ({ file, share, x, x2: x + step.x, y, y2: y + step.y })),
      },
      facet: { field: 'file', type: 'nominal', title: null },
      columns: 2,
      spec: {
        width: 230,
        height: 230,
        mark: { type: 'rect' },
        encoding: {
          x: { field: 'x', type: 'quantitative', title: labels.x, scale: { zero: false } },
          x2: { field: 'x2' },
          y: { field: 'y', type: 'quantitative', title: labels.y, scale: { zero: false } },
          y2: { field: 'y2' },
          color: {
            field: 'share',
            type: 'quantitative',
            title: 'share',
            scale: { range: ['#e8eef6', COLORS.release, '#12305a'] },
          },
        },
      },
    },
  }
}

type Whisker = { readonly value: number; readonly lower: number; readonly upper: number }

/** One row per estimate: the original's interval above, the release's below. */
export function intervalPairsChart(
  labels: { readonly name: string; readonly title: string; readonly x?: string },
  rows: readonly { readonly label: string; readonly original: Whisker; readonly release: Whisker }[],
): Chart {
  const values = rows.flatMap(({ label, original, release }) => [
    { label, file: 'original', ...original },
    { label, file: 'release', ...release },
  ])
  const place = {
    y: { field: 'label', type: 'nominal', sort: null, title: null },
    yOffset: { field: 'file', sort: ['original', 'release'] },
    color: fileColor,
  }
  const x = { type: 'quantitative', title: labels.x ?? '' }
  return {
    name: labels.name,
    title: labels.title,
    spec: {
      $schema: SCHEMA,
      title: labels.title,
      config: FRAME.config,
      width: FRAME.width,
      height: { step: 11 },
      data: { values },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { ...place, x: { ...x, field: 'lower' }, x2: { field: 'upper' } },
        },
        { mark: { type: 'point', filled: true, size: 35 }, encoding: { ...place, x: { ...x, field: 'value' } } },
      ],
    },
  }
}
