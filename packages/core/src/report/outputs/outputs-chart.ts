import { type Chart, COLORS, chartOf, labelled, layer, scaled } from '../../chart/parts.js'
import type { Json } from '../../json.js'
import type { CheckedOutput } from '../../output/verdict/check-schema.js'

/** Colours of verdicts, as in the report. */
const VERDICT_COLORS = { release: '#14633a', review: '#8a5200', refuse: '#b3261e' } as const

/** Where no record is drawn on a logarithmic axis. */
const NOBODY = 0.5

/** Records behind the numbers of an output, and behind differences with others. */
export function recordsBehind({ support, findings }: CheckedOutput): readonly number[] {
  const differences = findings.flatMap(({ rule, found }) => (rule === 'differencing' && found !== null ? [found] : []))
  return support.length === 0 ? [] : [...support.map(({ records }) => records), ...differences]
}

/** The smallest number of records behind any number of each output, beside the least that is allowed. */
export function thinnestChart(outputs: readonly CheckedOutput[], threshold: number): Chart | null {
  const rows = outputs.flatMap((output) => {
    const { id, verdict } = output
    const records = recordsBehind(output)
    return records.length === 0 ? [] : [{ output: id, verdict, records: Math.max(NOBODY, Math.min(...records)) }]
  })
  if (rows.length === 0) return null
  const domain = [NOBODY, Math.max(10 * threshold, ...rows.map(({ records }) => 1.5 * records))]
  const x = {
    field: 'records',
    type: 'quantitative',
    scale: { type: 'log', domain, nice: false },
    axis: { values: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000], format: ',d' },
    title: 'records (none at the left edge)',
  }
  const verdicts = Object.keys(VERDICT_COLORS)
  const legend = { values: verdicts.filter((one) => rows.some(({ verdict }) => verdict === one)) }
  const color = scaled('verdict', verdicts, Object.values(VERDICT_COLORS), { legend })
  const shape = scaled('verdict', verdicts, ['circle', 'triangle-up', 'cross'])
  const dots = layer({ type: 'point', filled: true, size: 110, opacity: 1 }, { y: labelled('output'), x, color, shape })
  const title = 'Fewest records behind each output, differences included'
  return withThreshold('thinnest', title, 26, rows, dots, threshold)
}

const MOST_CELLS = 40
const FEWEST_CELLS = 2

/** Records behind each element of an output; those below the threshold in red. The smallest where there are many. */
export function cellsChart({ id, description, support }: CheckedOutput, threshold: number): Chart | null {
  const parts = support.filter(({ element, cell }) => cell !== null || element !== 'all')
  if (parts.length < FEWEST_CELLS) return null
  const sorted = parts.map((one, k) => ({ ...one, k })).sort((a, b) => a.records - b.records || a.k - b.k)
  const shown = sorted.slice(0, MOST_CELLS).sort((a, b) => a.k - b.k)
  const what = description.kind === 'regression' ? 'term' : description.kind === 'summary' ? 'group' : 'cell'
  const which = sorted.length > MOST_CELLS ? `the ${MOST_CELLS} smallest of ${sorted.length} ${what}s` : `each ${what}`
  const values = shown.map((one) => ({ element: labelOf(one), records: one.records, low: one.records < threshold }))
  const color = scaled('low', [false, true], [COLORS.release, COLORS.alarm], { legend: null })
  const x = { field: 'records', type: 'quantitative', title: 'records', axis: { tickCount: 5 } }
  const bars = layer({ type: 'bar' }, { y: labelled('element'), x, color })
  return withThreshold(`cells-${id}`, `Records behind ${which} of ${id}`, 18, values, bars, threshold)
}

/** Levels without the names of their variables, which the title has. */
function labelOf({ element, cell }: CheckedOutput['support'][number]): string {
  const levels = Object.values(cell ?? {})
  return levels.length === 0 ? element : levels.join(', ')
}

/** Rows of this height, with a line where the least number of records is. */
function withThreshold(
  name: string,
  title: string,
  height: number,
  values: readonly Json[],
  marks: Json,
  threshold: number,
): Chart {
  const least = [{ least: threshold, label: `minimum ${threshold}` }]
  const x = { field: 'least', type: 'quantitative' }
  const text = { type: 'text', align: 'left', baseline: 'bottom', dx: 4, y: 0, dy: -2, color: COLORS.rule }
  return chartOf(
    { name, title },
    {
      height: Math.max(60, height * values.length),
      title: { text: title, anchor: 'start' },
      data: { values },
      layer: [
        marks,
        layer({ type: 'rule', color: COLORS.rule, strokeDash: [4, 3] }, { x }, least),
        layer(text, { x, text: { field: 'label' } }, least),
      ],
    },
  )
}
