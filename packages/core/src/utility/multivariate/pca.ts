import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { cloudChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { choice, flag, real } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import type { Eigen } from '../../stats/matrices/eigen.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { cloudOf } from './axes/cloud.js'
import { axesFor, type Coordinates, coordinates, principalAxes, subspaceLikeness } from './axes/principal-axes.js'
import { comparedColumns } from './pairs/compared.js'

/**
 * Do both files spread in the same directions? Principal axes of each, numbers and categories together, in the original's
 * units; the headline is Krzanowski's (1979) likeness of the spaces of the first q axes, (1/q) Σ cos² of their angles, with q
 * the axes that explain 80 % of the original's variance: 1 for the same space. The details have the explained shares, the
 * difference of these profiles and the congruence of single axes. Of unrelated columns no direction stands out, and the
 * axes of an honest sample differ too: read it beside what that gives. Blind to means and to all but linear relations.
 */
const options = z.object({
  ...utilityOptions,
  columns: choice(['all', 'numbers'], 'all').describe('numbers: categories are left out, as riskutility does'),
  scale: flag(true).describe("divide numbers by the original's sd"),
  explained: real(0.8, { above: 0, max: 1 }).describe('share of the variance that the compared axes explain'),
})

type Options = z.output<typeof options>

const SHOWN_AXES = 10
const SHOWN_LOADINGS = 12

export const pca = utilityMeasure({
  id: 'pca',
  title: 'Principal axes',
  summary: 'how alike the main directions are in which both files spread',
  orientation: 'utility',
  nothing: 'independent',
  mostRows: 5000,
  unit: 'share',
  blindTo: 'means, and all but linear relations',
  options,
  ...axesBy((pair, { columns, scale }) => coordinates(pair, comparedColumns(pair, columns), scale)),
  sentence: ({ value, details: { axes, profileDifference } }) =>
    `the first ${count(axes, 'axis', 'axes')} of both files share ${percent(value ?? 0, 0)} of their directions; their explained shares differ by ${percent(profileDifference)}`,
  charts: ({ details: { cloud, explained } }, { name }) => [
    cloudChart(
      { name: 'cloud', title: `Records on the original's first two axes: ${name}`, x: 'first axis', y: 'second axis' },
      cloud.cells,
      cloud.step,
    ),
    barChart(
      { name: 'explained', title: `Variance explained by each axis: ${name}`, x: 'axis', y: 'share' },
      explained.original.flatMap((share, k) => [
        { label: String(k + 1), value: share, series: 'original' as const },
        { label: String(k + 1), value: explained.released[k], series: 'release' as const },
      ]),
    ),
  ],
})

/** @param coordinatesOf the records whose axes are compared */
export function axesBy(coordinatesOf: (pair: Pair, options: Options) => Coordinates) {
  const axesOf = (pair: Pair, options: Options) => {
    const points = coordinatesOf(pair, options)
    if (points.width < 2 || pair.original.rows < 3 || pair.released.rows < 2)
      throw new NotApplicable('it takes two columns that vary, and three records')
    const x = principalAxes(points.original, points.width, points.weights[0])
    const y = principalAxes(points.released, points.width, points.weights[1])
    const q = Math.min(points.width - 1, axesFor(x, options.explained))
    return { points, x, y, q, value: subspaceLikeness(x.vectors.slice(0, q), y.vectors.slice(0, q)) }
  }
  return {
    statistic: (pair: Pair, options: Options) => axesOf(pair, options).value,
    compute: (pair: Pair, options: Options) => {
      const { points, x, y, q, value } = axesOf(pair, options)
      const [first, second] = [shares(x), shares(y)]
      const details = {
        axes: q,
        coordinates: points.width,
        /** Eigenvalues as shares of their sum, of the first axes. */
        explained: { original: first.slice(0, SHOWN_AXES), released: second.slice(0, SHOWN_AXES) },
        eigenvalues: {
          original: [...x.values.slice(0, SHOWN_AXES)],
          released: [...y.values.slice(0, SHOWN_AXES)],
        },
        /** ½ Σ |difference of explained shares|. */
        profileDifference: first.reduce((sum, share, k) => sum + Math.abs(share - second[k]), 0) / 2,
        /** |cosine| between the k-th axes. */
        congruence: x.vectors
          .slice(0, SHOWN_AXES)
          .map((axis, k) => math.pow(subspaceLikeness([axis], [y.vectors[k]]), 0.5)),
        /** Coordinates that weigh most on the original's first two axes. */
        loadings: loadingsOf(points, x),
        cloud: cloudOf(points, x),
      }
      return { value, details }
    },
  }
}

function shares({ values }: Eigen): number[] {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  return Array.from(values, (value) => (total > 0 ? Math.max(0, value) / total : 0))
}

function loadingsOf({ labels }: Coordinates, { vectors }: Eigen) {
  return labels
    .map((label, j) => ({ label, first: vectors[0][j], second: vectors[1][j] }))
    .sort((a, b) => Math.hypot(b.first, b.second) - Math.hypot(a.first, a.second))
    .slice(0, SHOWN_LOADINGS)
}
