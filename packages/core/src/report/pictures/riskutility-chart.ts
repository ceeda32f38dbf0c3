import { type Chart, chartOf, layer, on } from '../../chart/parts.js'
import type { RiskutilityMap } from '../../compare/riskutility-map.js'

/**
 * The composite scatter of riskutility's `rumap`: both axes scaled from the least to the greatest candidate, crosses of one
 * standard deviation over measures (disagreement, not error), guides at one half; filled is not dominated.
 */
export function riskutilityChart({ candidates }: RiskutilityMap): Chart {
  const data = candidates.map(({ name, risk, utility, riskSd, utilitySd, pareto }) => ({
    name,
    risk,
    utility,
    low: Math.max(0, risk - (riskSd ?? 0)),
    high: Math.min(1, risk + (riskSd ?? 0)),
    left: Math.max(0, utility - (utilitySd ?? 0)),
    right: Math.min(1, utility + (utilitySd ?? 0)),
    pareto,
    align: utility > 0.5 ? 'right' : 'left',
  }))
  const x = { type: 'quantitative', title: 'utility, scaled over these candidates', scale: { domain: [-0.03, 1.03] } }
  const y = { type: 'quantitative', title: 'risk, scaled over these candidates', scale: { domain: [-0.03, 1.03] } }
  const at = { x: on(x, 'utility'), y: on(y, 'risk') }
  const half = { type: 'rule', color: '#d5d9de' }
  const cross = { type: 'rule', color: '#8a8f98' }
  return chartOf(
    {
      name: 'rumap',
      title: 'The map of riskutility',
      subtitle: 'relative to these candidates; filled: not dominated; crosses: SD over measures',
    },
    {
      height: 320,
      data: { values: data },
      layer: [
        layer(half, { x: on(x, 'at') }, [{ at: 0.5 }]),
        layer(half, { y: on(y, 'at') }, [{ at: 0.5 }]),
        layer(cross, { x: on(x, 'utility'), y: on(y, 'low'), y2: { field: 'high' } }),
        layer(cross, { y: on(y, 'risk'), x: on(x, 'left'), x2: { field: 'right' } }),
        ...[true, false].map((filled) =>
          layer(
            { type: 'point', filled, size: 90, color: '#2f6db5', opacity: 1 },
            at,
            data.filter(({ pareto }) => pareto === filled),
          ),
        ),
        ...['left', 'right'].map((align) =>
          layer(
            { type: 'text', align, dx: align === 'left' ? 8 : -8, dy: -8 },
            { ...at, text: { field: 'name' } },
            data.filter((dot) => dot.align === align),
          ),
        ),
      ],
    },
  )
}
