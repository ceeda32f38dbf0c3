import { type Chart, FRAME, SCHEMA } from '../../chart/chart.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import { colorScale, goodness, nameLegend, scoreName, shapeScale } from './scales.js'

const STEP = 46

/** One line per candidate over all threats and measures; up is good, families are separated. */
export function parallelChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart {
  const title = 'Profiles: up is good'
  const data = candidates.flatMap((candidate) =>
    shown.flatMap((score) => {
      const good = goodness(candidate, score)
      return good === null
        ? []
        : [
            {
              candidate: candidate.name,
              measure: scoreName(score),
              good,
              weight: candidate.front?.label === 'dominated' ? 1 : 2.5,
            },
          ]
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
    axis: { labelExpr: "format(100 * datum.value, '~r') + ' %'", values: [0, 0.25, 0.5, 0.75, 1] },
  }
  const color = { field: 'candidate', type: 'nominal', scale: colorScale(candidates), legend: nameLegend }
  const shape = { field: 'candidate', type: 'nominal', scale: shapeScale(candidates), legend: nameLegend }
  return {
    name: 'parallel',
    title,
    spec: {
      $schema: SCHEMA,
      title: { text: title, subtitle: 'thin: dominated; a dotted line separates families' },
      ...FRAME,
      width: Math.max(360, STEP * shown.length),
      data: { values: data },
      layer: [
        {
          data: { values: borders.map((measure) => ({ measure })) },
          mark: { type: 'rule', color: '#8a8f98', strokeDash: [2, 3], xOffset: -STEP / 2 },
          encoding: { x },
        },
        {
          mark: { type: 'line' },
          encoding: { x, y, color, strokeWidth: { field: 'weight', type: 'quantitative', scale: null } },
        },
        { mark: { type: 'point', filled: true, size: 55, opacity: 1 }, encoding: { x, y, color, shape } },
      ],
    },
  }
}
