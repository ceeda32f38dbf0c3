import { type Chart, COMPOSED, chartOf } from '../../chart/parts.js'
import type { Comparison } from '../../compare/comparison.js'
import { heatLayers } from './scales.js'

/** The share of draws in which the row dominates the column. */
export function dominanceChart({ names, probabilities }: Comparison['dominance']): Chart {
  const data = names.flatMap((row, i) =>
    names.map((column, j) => ({
      row,
      column,
      share: i === j ? null : probabilities[i][j],
      text: i === j ? '' : `${Math.round(100 * probabilities[i][j])} %`,
    })),
  )
  const x = {
    field: 'column',
    type: 'nominal',
    sort: [...names],
    title: 'is dominated',
    axis: { labelAngle: -30, labelLimit: 320 },
  }
  const y = { field: 'row', type: 'nominal', sort: [...names], title: null, axis: { labelLimit: 320 } }
  return chartOf(
    { name: 'dominance', title: 'The row dominates the column', subtitle: 'share of draws' },
    {
      width: Math.max(120, 52 * names.length),
      height: Math.max(80, 34 * names.length),
      data: { values: data },
      layer: heatLayers({ x, y }, data, '#444b54', '#d5d9de'),
    },
    COMPOSED,
  )
}
