import { type Chart, FRAME, SCHEMA } from '../../chart/chart.js'
import type { Comparison } from '../../compare/comparison.js'

/** The share of draws in which the row dominates the column. */
export function dominanceChart({ names, probabilities }: Comparison['dominance']): Chart {
  const title = 'The row dominates the column'
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
  return {
    name: 'dominance',
    title,
    spec: {
      $schema: SCHEMA,
      title: { text: title, subtitle: 'share of draws' },
      config: FRAME.config,
      width: Math.max(120, 52 * names.length),
      height: Math.max(80, 34 * names.length),
      data: { values: data },
      layer: [
        {
          data: { values: data.filter(({ share }) => share === null) },
          mark: { type: 'rect', stroke: '#ffffff', color: '#eceff2' },
          encoding: { x, y },
        },
        {
          data: { values: data.filter(({ share }) => share !== null) },
          mark: { type: 'rect', stroke: '#d5d9de' },
          encoding: {
            x,
            y,
            color: {
              field: 'share',
              type: 'quantitative',
              scale: { domain: [0, 1], range: ['#ffffff', '#444b54'], interpolate: 'rgb' },
              legend: null,
            },
          },
        },
        {
          mark: { type: 'text', fontSize: 12 },
          encoding: {
            x,
            y,
            text: { field: 'text' },
            color: { condition: { test: 'datum.share > 0.55', value: '#ffffff' }, value: '#1a1d21' },
          },
        },
      ],
    },
  }
}
