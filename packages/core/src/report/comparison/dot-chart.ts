import { type Chart, FRAME, SCHEMA } from '../../chart/chart.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import { colorScale, isPlaced, nameLegend, scoreName, scoreOf, shapeScale } from './scales.js'

/** Beyond these ends a place says no more, and would flatten the others. */
const [LEAST, MOST] = [-0.3, 1.5]
const within = (value: number) => Math.min(MOST, Math.max(LEAST, value))

/** Every score with its interval, one row per threat or measure; risk above, utility below. */
export function dotChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  const title = 'Every score with its interval'
  const panels = [
    { title: 'leakage (0: as of other people; 100 %: the original)', blocks: ['risk'] },
    { title: 'utility (0: keeps nothing; 100 %: an honest sample)', blocks: ['relations', 'columns'] },
  ]
  return {
    name: 'dots',
    title,
    spec: {
      $schema: SCHEMA,
      title,
      config: FRAME.config,
      vconcat: panels.flatMap((panel) => {
        const rows = shown.filter(({ block }) => panel.blocks.includes(block))
        return rows.length === 0 ? [] : [panelOf(candidates, rows, panel.title)]
      }),
      resolve: { scale: { color: 'shared', shape: 'shared' } },
    },
  }
}

function panelOf(candidates: readonly Candidate[], rows: readonly Score[], title: string) {
  const data = rows.flatMap((row) =>
    candidates.flatMap((candidate) => {
      const place = scoreOf(candidate, row)?.place
      if (!isPlaced(place)) return []
      return [
        {
          measure: scoreName(row),
          candidate: candidate.name,
          value: within(place.value),
          lower: within(place.lower),
          upper: within(place.upper),
        },
      ]
    }),
  )
  const x = {
    type: 'quantitative',
    title,
    scale: { domain: [LEAST, MOST] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5], labelExpr: "format(100 * datum.value, '~r') + ' %'" },
  }
  const y = { field: 'measure', type: 'nominal', sort: null, title: null, axis: { labelLimit: 320 } }
  const yOffset = { field: 'candidate', type: 'nominal', sort: candidates.map(({ name }) => name) }
  const color = { field: 'candidate', type: 'nominal', scale: colorScale(candidates), legend: nameLegend }
  const shape = { field: 'candidate', type: 'nominal', scale: shapeScale(candidates), legend: nameLegend }
  return {
    width: 340,
    height: Math.max(40, rows.length * (12 + 11 * candidates.length)),
    data: { values: data },
    layer: [
      {
        data: { values: [{ at: 0 }, { at: 1 }] },
        mark: { type: 'rule', color: '#8a8f98', strokeDash: [4, 3] },
        encoding: { x: { ...x, field: 'at' } },
      },
      {
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { y, yOffset, x: { ...x, field: 'lower' }, x2: { field: 'upper' }, color },
      },
      {
        mark: { type: 'point', filled: true, size: 55, opacity: 1 },
        encoding: { y, yOffset, x: { ...x, field: 'value' }, color, shape },
      },
    ],
  }
}
