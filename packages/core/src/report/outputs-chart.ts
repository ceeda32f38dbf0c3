import { type Chart, COLORS, FRAME, SCHEMA } from '../chart/chart.js'
import type { CheckedOutput } from '../output/verdict/check.js'

/** Colours of verdicts, as in the report. */
const VERDICT_COLORS = { release: '#14633a', review: '#8a5200', refuse: '#b3261e' } as const

/** Where no record is drawn on a logarithmic axis. */
const NOBODY = 0.5

/** The smallest number of records behind any number of each output, beside the least that is allowed. */
export function thinnestChart(outputs: readonly CheckedOutput[], threshold: number): Chart | null {
  const rows = outputs.flatMap(({ id, verdict, support, findings }) => {
    const records = support.map((one) => one.records)
    const differences = findings.flatMap(({ rule, found }) =>
      rule === 'differencing' && found !== null ? [found] : [],
    )
    return records.length === 0
      ? []
      : [{ output: id, verdict, records: Math.max(NOBODY, Math.min(...records, ...differences)) }]
  })
  if (rows.length === 0) return null
  const title = 'Records behind the smallest number of each output, differences included'
  return {
    name: 'thinnest',
    title,
    spec: {
      $schema: SCHEMA,
      ...FRAME,
      height: Math.max(60, 26 * rows.length),
      title: { text: title, anchor: 'start' },
      data: { values: rows },
      layer: [
        {
          mark: { type: 'point', filled: true, size: 110, opacity: 1 },
          encoding: {
            y: { field: 'output', type: 'nominal', sort: null, title: null },
            x: {
              field: 'records',
              type: 'quantitative',
              scale: {
                type: 'log',
                domain: [NOBODY, Math.max(10 * threshold, ...rows.map(({ records }) => 1.5 * records))],
                nice: false,
              },
              axis: { values: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000], format: ',d' },
              title: 'records (logarithmic; none at the left edge)',
            },
            color: {
              field: 'verdict',
              type: 'nominal',
              title: null,
              scale: { domain: Object.keys(VERDICT_COLORS), range: Object.values(VERDICT_COLORS) },
            },
            shape: {
              field: 'verdict',
              type: 'nominal',
              title: null,
              scale: { domain: Object.keys(VERDICT_COLORS), range: ['circle', 'triangle-up', 'cross'] },
            },
          },
        },
        ...thresholdRule('x', threshold),
      ],
    },
  }
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
  const title = `Records behind ${which} of ${id}`
  return {
    name: `cells-${id}`,
    title,
    spec: {
      $schema: SCHEMA,
      ...FRAME,
      height: Math.max(60, 18 * shown.length),
      title: { text: title, anchor: 'start' },
      data: {
        values: shown.map((one) => ({ element: labelOf(one), records: one.records, low: one.records < threshold })),
      },
      layer: [
        {
          mark: { type: 'bar' },
          encoding: {
            y: { field: 'element', type: 'nominal', sort: null, title: null },
            x: { field: 'records', type: 'quantitative', title: 'records' },
            color: {
              field: 'low',
              type: 'nominal',
              title: null,
              legend: null,
              scale: { domain: [false, true], range: [COLORS.release, COLORS.alarm] },
            },
          },
        },
        ...thresholdRule('x', threshold),
      ],
    },
  }
}

/** Levels without the names of their variables, which the title has. */
function labelOf({ element, cell }: CheckedOutput['support'][number]): string {
  const levels = Object.values(cell ?? {})
  return levels.length === 0 ? element : levels.join(', ')
}

function thresholdRule(axis: 'x', threshold: number) {
  return [
    {
      data: { values: [{ least: threshold, label: `least: ${threshold}` }] },
      mark: { type: 'rule', color: COLORS.rule, strokeDash: [4, 3] },
      encoding: { [axis]: { field: 'least', type: 'quantitative' } },
    },
    {
      data: { values: [{ least: threshold, label: `least: ${threshold}` }] },
      mark: { type: 'text', align: 'left', baseline: 'bottom', dx: 4, y: 0, dy: -2, color: COLORS.rule },
      encoding: { [axis]: { field: 'least', type: 'quantitative' }, text: { field: 'label' } },
    },
  ]
}
