import { type Chart, COMPOSED, chartOf, labelled, layer, on, percentTicks } from '../../chart/parts.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import { candidateLooks, isPlaced, scoreName, scoreOf } from './scales.js'

/** Beyond these ends a place says no more, and would flatten the others. */
const [LEAST, MOST] = [-0.3, 1.5]
const within = (value: number) => Math.min(MOST, Math.max(LEAST, value))

/** Every score with its interval, one row per threat or measure; risk above, utility below. */
export function dotChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  const panels = [
    { title: 'leakage (0: as of other people; 100 %: the original)', blocks: ['risk'] },
    { title: 'utility (0: keeps nothing; 100 %: an honest sample)', blocks: ['relations', 'columns'] },
  ]
  return chartOf(
    { name: 'dots', title: 'Every score with its interval' },
    {
      vconcat: panels.flatMap((panel) => {
        const rows = shown.filter(({ block }) => panel.blocks.includes(block))
        return rows.length === 0 ? [] : [panelOf(candidates, rows, panel.title)]
      }),
      resolve: { scale: { color: 'shared', shape: 'shared' } },
    },
    COMPOSED,
  )
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
    axis: percentTicks([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5]),
  }
  const place = {
    y: labelled('measure', { axis: { labelLimit: 320 } }),
    yOffset: { field: 'candidate', type: 'nominal', sort: candidates.map(({ name }) => name) },
  }
  const { color, shape } = candidateLooks(candidates)
  return {
    width: 340,
    height: Math.max(40, rows.length * (12 + 11 * candidates.length)),
    data: { values: data },
    layer: [
      layer({ type: 'rule', color: '#8a8f98', strokeDash: [4, 3] }, { x: on(x, 'at') }, [{ at: 0 }, { at: 1 }]),
      layer({ type: 'rule', strokeWidth: 2 }, { ...place, x: on(x, 'lower'), x2: { field: 'upper' }, color }),
      layer({ type: 'point', filled: true, size: 55, opacity: 1 }, { ...place, x: on(x, 'value'), color, shape }),
    ],
  }
}
