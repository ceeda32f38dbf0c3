import { type Chart, FRAME, SCHEMA } from '../chart/chart.js'
import type { RiskutilityMap } from '../compare/riskutility.js'

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
  const at = { x: { ...x, field: 'utility' }, y: { ...y, field: 'risk' } }
  const title = 'The map of riskutility'
  return {
    name: 'rumap',
    title,
    spec: {
      $schema: SCHEMA,
      ...FRAME,
      height: 320,
      title: {
        text: title,
        subtitle: 'relative to these candidates; filled: not dominated; crosses: SD over measures',
      },
      data: { values: data },
      layer: [
        {
          data: { values: [{ at: 0.5 }] },
          mark: { type: 'rule', color: '#d5d9de' },
          encoding: { x: { ...x, field: 'at' } },
        },
        {
          data: { values: [{ at: 0.5 }] },
          mark: { type: 'rule', color: '#d5d9de' },
          encoding: { y: { ...y, field: 'at' } },
        },
        {
          mark: { type: 'rule', color: '#8a8f98' },
          encoding: { x: { ...x, field: 'utility' }, y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
        {
          mark: { type: 'rule', color: '#8a8f98' },
          encoding: { y: { ...y, field: 'risk' }, x: { ...x, field: 'left' }, x2: { field: 'right' } },
        },
        ...[true, false].map((filled) => ({
          data: { values: data.filter(({ pareto }) => pareto === filled) },
          mark: { type: 'point', filled, size: 90, color: '#2f6db5', opacity: 1 },
          encoding: at,
        })),
        ...['left', 'right'].map((align) => ({
          data: { values: data.filter((one) => one.align === align) },
          mark: { type: 'text', align, dx: align === 'left' ? 8 : -8, dy: -8 },
          encoding: { ...at, text: { field: 'name' } },
        })),
      ],
    },
  }
}
