import type { Json } from '../json.js'

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
const CONFIG = {
  view: { stroke: null },
  axis: { grid: false, labelLimit: 300 },
  legend: { labelLimit: 300 },
  font: 'sans-serif',
} as const
export const FRAME = { width: 420, height: 240, config: CONFIG } as const
/** For pictures that are put together from several, each of its own size. */
export const COMPOSED = { config: CONFIG } as const

export interface Heading {
  readonly name: string
  readonly title: string
  readonly subtitle?: string | readonly string[] | undefined
}

/** `spec` says what is in the frame, and where it differs from the usual one. */
export function chartOf({ name, title, subtitle }: Heading, spec: Spec, frame: Spec = FRAME): Chart {
  const lines = typeof subtitle === 'string' ? subtitle : [...(subtitle ?? [])]
  const heading = lines.length === 0 ? title : { text: title, subtitle: lines.length === 1 ? lines[0] : lines }
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

/** Shares in percent, as in the text; a logarithmic axis has ticks without a label. */
function shareAxis(title: string): Spec {
  return SHARES.test(title)
    ? { axis: { labelExpr: "datum.label === '' ? '' : format(100 * datum.value, '~r') + ' %'" } }
    : {}
}

/** Ticks at these fractions, in percent. */
export function percentTicks(values: readonly number[]): Spec {
  return { values, labelExpr: "format(100 * datum.value, '~r') + ' %'" }
}
