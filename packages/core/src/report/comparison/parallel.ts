import { type Chart, chartOf, layer, percentTicks } from '../../chart/parts.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import { candidateLooks, goodness, scoreName } from './scales.js'

const STEP = 46

/** One line per candidate over all threats and measures; up is good, families are separated. */
export function parallelChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  const data = candidates.flatMap((candidate) =>
    shown.flatMap((score) => {
      const good = goodness(candidate, score)
      const weight = candidate.front?.label === 'dominated' ? 1 : 2.5
      return good === null ? [] : [{ candidate: candidate.name, measure: scoreName(score), good, weight }]
    }),
  )
  const names = shown.map(scoreName)
  const borders = shown.flatMap((score, k) => (k > 0 && shown[k - 1].block !== score.block ? [names[k]] : []))
  const x = {
    field: 'measure',
    type: 'nominal',
    sort: names,
    title: 'risks, then relations, then columns',
    axis: { labelAngle: -30, labelLimit: 320 },
    scale: { type: 'point', padding: 0.5 },
  }
  const y = {
    field: 'good',
    type: 'quantitative',
    title: '100 % − leakage; place',
    scale: { domain: [0, 1] },
    axis: percentTicks([0, 0.25, 0.5, 0.75, 1]),
  }
  const { color, shape } = candidateLooks(candidates)
  const strokeWidth = { field: 'weight', type: 'quantitative', scale: null }
  const border = { type: 'rule', color: '#8a8f98', strokeDash: [2, 3], xOffset: -STEP / 2 }
  const between = borders.map((measure) => ({ measure }))
  return chartOf(
    { name: 'parallel', title: 'Profiles: up is good', subtitle: 'thin: dominated; a dotted line separates families' },
    {
      width: Math.max(360, STEP * shown.length),
      data: { values: data },
      layer: [
        layer(border, { x }, between),
        layer({ type: 'line' }, { x, y, color, strokeWidth }),
        layer({ type: 'point', filled: true, size: 55, opacity: 1 }, { x, y, color, shape }),
      ],
    },
  )
}
