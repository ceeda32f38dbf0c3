import { type Chart, COMPOSED, chartOf, FRAME } from '../../chart/parts.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import type { Json } from '../../json.js'
import { clamp, heatLayers, isPlaced, scoreName, scoreOf } from './scales.js'

const BLOCKS = { risk: 'risk', relations: 'utility: relations', columns: 'utility: columns' } as const
/** Room for the names of candidates, the same beside every block. */
const NAMES = 130
const [RED, BLUE] = ['#a8201a', '#1f4e96']

/** Every score of every candidate: dark red is always bad, dark blue always good; a star is significant, hatched is unknown. */
export function heatmapChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  return chartOf(
    {
      name: 'heatmap',
      title: 'Every score: risk in red, utility in blue',
      subtitle: 'percent; 0 and 100 are the anchors of each scale; *: significant; ///: not assessed',
    },
    {
      config: { ...FRAME.config, view: { stroke: '#d5d9de' } },
      vconcat: (['risk', 'relations', 'columns'] as const)
        .filter((block) => shown.some((score) => score.block === block))
        .map((block) => panel(candidates, shown, block)),
      spacing: 14,
      resolve: { scale: { color: 'independent' } },
    },
    COMPOSED,
  )
}

function panel(candidates: readonly Candidate[], shown: readonly Score[], block: Score['block']): Json {
  const columns = shown.filter((score) => score.block === block)
  const cells = candidates.flatMap((candidate) =>
    columns.map((column) => {
      const score = scoreOf(candidate, column)
      const place = isPlaced(score?.place) ? score.place.value : null
      return {
        candidate: candidate.name,
        measure: scoreName(column),
        share: place === null ? null : clamp(place),
        text: place === null ? '///' : `${Math.round(100 * place) + 0}${score?.significant === true ? ' *' : ''}`,
      }
    }),
  )
  const x = {
    field: 'measure',
    type: 'nominal',
    sort: columns.map(scoreName),
    title: BLOCKS[block],
    axis: { labelAngle: -20, orient: 'top', labelLimit: 260 },
  }
  const y = {
    field: 'candidate',
    type: 'nominal',
    sort: candidates.map(({ name }) => name),
    title: null,
    axis: { labelLimit: 320, minExtent: NAMES },
  }
  return {
    width: 66 * columns.length,
    height: 30 * candidates.length,
    data: { values: cells },
    layer: heatLayers({ x, y }, cells, block === 'risk' ? RED : BLUE, '#ffffff'),
  }
}
