import { quantiles } from '../stats/quantile.js'
import { type Chart, COLORS, chartOf, type Heading, labelled, layer, on, quantity } from './parts.js'

/** How a figure spreads over repetitions: a line in its band, or a box for each setting. */
interface Labels extends Heading {
  readonly x: string
  readonly y: string
}

export interface BandPoint {
  readonly x: number
  readonly y: number
  readonly lower: number
  readonly upper: number
  readonly series: string
}

/** Lines with what lies between `lower` and `upper` shaded in their colour. */
export function bandChart(labels: Labels, points: readonly BandPoint[]): Chart {
  const x = on(quantity(labels.x), 'x')
  const y = quantity(labels.y)
  const color = { field: 'series', type: 'nominal', sort: null, title: null }
  return chartOf(labels, {
    data: { values: points.map((point) => ({ ...point })) },
    layer: [
      layer({ type: 'area', opacity: 0.25 }, { x, y: on(y, 'lower'), y2: { field: 'upper' }, color }),
      layer({ type: 'line' }, { x, y: on(y, 'y'), color }),
    ],
  })
}

export interface Repeated {
  readonly label: string
  readonly values: readonly number[]
}

/** A box from quartile to quartile with the median in it, whiskers to the least and the largest value. */
export function boxChart(labels: Labels, settings: readonly Repeated[]): Chart {
  const boxes = settings.flatMap(({ label, values }) => {
    const [low, q1, median, q3, high] = quantiles(Float64Array.from(values), [0, 0.25, 0.5, 0.75, 1]) ?? []
    return low === undefined ? [] : [{ label, low, q1, median, q3, high }]
  })
  const x = labelled('label', { title: labels.x })
  const y = quantity(labels.y, { scale: { zero: false } })
  return chartOf(labels, {
    data: { values: boxes },
    layer: [
      layer({ type: 'rule' }, { x, y: on(y, 'low'), y2: { field: 'high' } }),
      layer({ type: 'bar', size: 16, color: COLORS.release }, { x, y: on(y, 'q1'), y2: { field: 'q3' } }),
      layer({ type: 'tick', color: 'white', thickness: 2, size: 16 }, { x, y: on(y, 'median') }),
    ],
  })
}
