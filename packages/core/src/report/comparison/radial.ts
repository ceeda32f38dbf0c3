import { math } from '@scrim/kernels'
import { type Chart, chartOf, layer, on } from '../../chart/parts.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import { candidateLooks, goodness, scoreName } from './scales.js'

/** A small circle in the middle stands for the worst end, so that lines that meet there can still be told apart. */
const INNER = 0.2
const CIRCLE = 72

/** The profile around a circle, with the rings of the two anchors; out is good. For three to ten measures. */
export function radialChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  const angle = (k: number, of: number) => (2 * Math.PI * k) / of
  const point = (good: number, turn: number) => {
    const radius = INNER + (1 - INNER) * good
    return { x: radius * math.sin(turn), y: radius * math.cos(turn) }
  }
  const lines = candidates.flatMap((candidate) =>
    [...shown, shown[0]].map((score, k) => ({
      candidate: candidate.name,
      order: k,
      ...point(goodness(candidate, score) ?? 0, angle(k, shown.length)),
    })),
  )
  const rings = [0, 1].flatMap((good) =>
    Array.from({ length: CIRCLE + 1 }, (_, k) => ({ ring: String(good), order: k, ...point(good, angle(k, CIRCLE)) })),
  )
  const spokes = shown.map((_, k) => {
    const [from, to] = [point(0, angle(k, shown.length)), point(1, angle(k, shown.length))]
    return { x: from.x, y: from.y, x2: to.x, y2: to.y }
  })
  const labels = shown.map((score, k) => {
    const turn = angle(k, shown.length)
    const side = math.sin(turn)
    return {
      text: scoreName(score),
      x: 1.08 * side,
      y: 1.08 * math.cos(turn),
      align: Math.abs(side) < 0.1 ? 'center' : side > 0 ? 'left' : 'right',
    }
  })
  const x = { type: 'quantitative', axis: null, scale: { domain: [-2.1, 2.1] } }
  const y = { type: 'quantitative', axis: null, scale: { domain: [-1.2, 1.2] } }
  const at = { x: on(x, 'x'), y: on(y, 'y') }
  const order = { field: 'order' }
  const ring = { type: 'line', color: '#8a8f98', strokeDash: [4, 3], strokeWidth: 1 }
  const profile = { type: 'line', strokeWidth: 2, point: { filled: true, size: 30 } }
  return chartOf(
    { name: 'radial', title: 'Profiles around a circle: out is good', subtitle: 'rings: the two ends of every scale' },
    {
      width: 455,
      height: 260,
      layer: [
        layer(ring, { ...at, detail: { field: 'ring' }, order }, rings),
        layer({ type: 'rule', color: '#d5d9de' }, { ...at, x2: { field: 'x2' }, y2: { field: 'y2' } }, spokes),
        layer(profile, { ...at, order, color: candidateLooks(candidates).color }, lines),
        ...['left', 'center', 'right'].map((align) =>
          layer(
            { type: 'text', align, fontSize: 11, color: '#1a1d21' },
            { ...at, text: { field: 'text' } },
            labels.filter((label) => label.align === align),
          ),
        ),
      ],
    },
  )
}
