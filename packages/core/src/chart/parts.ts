import type { Json } from '../json.js'

/** A picture of a result: a Vega-Lite specification with its data inside, made from aggregates only. */
export interface Chart {
  /** File name without ending, unique within the measure. */
  readonly name: string
  readonly title: string
  readonly spec: Spec
  /** It would show one number, or nothing at all: `picturesOf` leaves it out. */
  readonly isBlank?: boolean
  /** Its letters would be too small in half the width of a page. */
  readonly isWide?: boolean
}

type Spec = Readonly<Record<string, Json>>

/** Two colours throughout: the original in grey, the release in blue; red marks what is over a limit. */
export const COLORS = {
  original: '#8a8f98',
  release: '#2f6db5',
  alarm: '#c0392b',
  rule: '#333333',
  limit: '#767c85',
} as const

/** Ink of numbers inside coloured cells: it belongs to the cell, not to the paper, and stays when the paper turns dark. */
export const CELL_INK = { onLight: '#111315', onDark: '#fdfdfd' } as const

/** Words and numbers, and lines that only help to read. */
const INK = '#1a1d21'
const QUIET = '#767c85'
const FAINT = '#e6e9ec'
/** Grey for letters: that of bars would be too faint. */
export const WRITTEN_GREY = '#6b7280'

/** For several series, after Okabe and Ito (2008): colours that readers with any colour vision tell apart, darkened where they would be faint. */
export const SERIES = ['#0072b2', '#b3520f', '#007a5a', '#a5437f', '#8a6d00', '#3a86c8', '#5b5b5b', '#000000'] as const

/**
 * What each colour of a picture becomes on dark paper: the style sheet of page and report takes it from here, so that no picture is
 * drawn twice.
 */
export const DARK_COLORS: Readonly<Record<string, string>> = {
  white: '#1e2227',
  [INK]: '#e8eaed',
  '#333333': '#c9ced5',
  [QUIET]: '#9aa2ac',
  [FAINT]: '#31373e',
  '#ffffff': '#1e2227',
  '#8a8f98': '#9aa2ac',
  '#2f6db5': '#7fb2ee',
  '#c0392b': '#ff8a80',
  '#b3261e': '#ff8a80',
  '#b26a00': '#ffc069',
  '#1b7f4b': '#7ed6a5',
  '#6b7280': '#b4bbc4',
  '#565d66': '#a8afb8',
  '#a8823a': '#e0bd72',
  '#14633a': '#7ed6a5',
  '#8a5200': '#ffc069',
  '#d5d9de': '#4a5159',
  '#bbbbbb': '#6b7280',
  '#0072b2': '#6fb7ea',
  '#d55e00': '#ff9a52',
  '#b3520f': '#ff9a52',
  '#007a5a': '#54cda6',
  '#a5437f': '#e893c6',
  '#8a6d00': '#dcbf4a',
  '#3a86c8': '#a3cdf2',
  '#5b5b5b': '#b4bbc4',
  '#000000': '#ffffff',
  '#a8201a': '#ff8a80',
  '#1f4e96': '#8ab8f0',
}

export const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json'

/** One look for every picture: letters of 11 pixels and more, faint lines upwards instead of an axis, the legend above and to the left, like a line of text. */
export const CONFIG = {
  view: { stroke: null },
  font: 'system-ui, sans-serif',
  title: { color: INK, subtitleColor: '#565d66', fontSize: 13, subtitleFontSize: 11, anchor: 'start', offset: 10 },
  axis: {
    grid: false,
    labelLimit: 300,
    labelColor: INK,
    titleColor: '#565d66',
    titleFontWeight: 'normal',
    domainColor: QUIET,
    tickColor: QUIET,
    gridColor: FAINT,
    labelFontSize: 11,
    titleFontSize: 11,
  },
  axisYQuantitative: { grid: true, domain: false, ticks: false, labelPadding: 6 },
  // The first label stands below its tick: pushed into the frame it would lie upon the second.
  axisXQuantitative: { labelFlush: false, labelSeparation: 6 },
  axisXBand: { ticks: false, labelPadding: 6 },
  axisYBand: { ticks: false, domain: false, labelPadding: 6 },
  legend: {
    orient: 'top',
    labelLimit: 300,
    labelColor: INK,
    titleColor: '#565d66',
    titleFontWeight: 'normal',
    labelFontSize: 11,
    titleFontSize: 11,
  },
  header: { labelColor: INK, labelFontSize: 11, labelFontWeight: 'bold', labelAnchor: 'start' },
  text: { color: INK, fontSize: 11 },
  range: { category: SERIES },
} as const
export const FRAME = { width: 420, height: 240, config: CONFIG } as const
/** For pictures that are put together from several, each of its own size. */
export const COMPOSED = { config: CONFIG } as const

export interface Heading {
  readonly name: string
  readonly title: string
  readonly subtitle?: string | readonly string[] | undefined
  /** From the title to the frame, where something is written between them. */
  readonly offset?: number
}

/** `spec` says what is in the frame, and where it differs from the usual one. */
export function chartOf({ name, title, subtitle, offset }: Heading, spec: Spec, frame: Spec = FRAME): Chart {
  const lines = typeof subtitle === 'string' ? subtitle : [...(subtitle ?? [])]
  const below = lines.length === 0 ? {} : { subtitle: lines.length === 1 ? lines[0] : lines }
  const heading =
    lines.length === 0 && offset === undefined ? title : { text: title, ...below, ...(offset ? { offset } : {}) }
  return { name, title, spec: { $schema: SCHEMA, title: heading, ...frame, ...spec } }
}

/** The same chart with a line below its title, before others that are there. */
export function withSubtitle(chart: Chart, line: string): Chart {
  const { title } = chart.spec
  const heading = typeof title === 'object' && title !== null && !Array.isArray(title) ? title : { text: chart.title }
  const below = 'subtitle' in heading ? [heading.subtitle ?? []].flat() : []
  return { ...chart, spec: { ...chart.spec, title: { ...heading, subtitle: [line, ...below] } } }
}

/** Neither the original, nor the release, nor an alarm. */
const NOTABLE = '#a8823a'

/** The same chart without red: what lies over a limit of the literature is marked, but is no alarm. */
export function withoutAlarm(chart: Chart): Chart {
  return { ...chart, spec: JSON.parse(JSON.stringify(chart.spec).replaceAll(COLORS.alarm, NOTABLE)) }
}

/** One layer; `values` where they are not those of the whole chart. */
export function layer(mark: Spec, encoding: Spec, values?: readonly Json[]): Spec {
  return { ...(values === undefined ? {} : { data: { values } }), mark, encoding }
}

/** An axis for this field. */
export function on(axis: Spec, field: string): Spec {
  return { ...axis, field }
}

export function quantity(title: string, more: Spec = {}): Spec {
  return { type: 'quantitative', title, ...shareAxis(title), ...more }
}

/** Labels without a title, in the order of the data. */
export function labelled(field: string, more: Spec = {}): Spec {
  return { field, type: 'nominal', sort: null, title: null, ...more }
}

/** What the values of a field are drawn as. */
export function scaled(field: string, domain: readonly Json[], range: readonly Json[], more: Spec = {}): Spec {
  return { field, type: 'nominal', title: null, scale: { domain, range }, ...more }
}

/** The original in grey, the release in blue. */
export function fileColors(field: string): Spec {
  return scaled(field, ['original', 'release'], [COLORS.original, COLORS.release])
}

const SHARES = /^(share|(mean |residual )?risk|success rate|guessed right|overlap|excess)\b/

export const isShare = (title: string): boolean => SHARES.test(title)

/** Shares in percent, as in the text; a logarithmic axis has ticks without a label. */
function shareAxis(title: string): Spec {
  return isShare(title)
    ? { axis: { labelExpr: "datum.label === '' ? '' : format(100 * datum.value, '~r') + ' %'" } }
    : {}
}

/** Ticks at these fractions, in percent. */
export function percentTicks(values: readonly number[]): Spec {
  return { values, labelExpr: "format(100 * datum.value, '~r') + ' %'" }
}
