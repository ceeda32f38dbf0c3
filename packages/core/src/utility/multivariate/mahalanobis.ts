import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { count, inUnit } from '../../print.js'
import { chiMean, fUpper } from '../../stats/distributions.js'
import { symmetricEigen } from '../../stats/matrices/eigen.js'
import type { Pair } from '../pair.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { coordinates } from './axes/principal-axes.js'
import { comparedColumns } from './pairs/compared.js'

/**
 * Distance of the mean vectors (Mahalanobis 1936), D = √((μ_X - μ_Y)ᵀ S⁻¹ (μ_X - μ_Y)) with S the pooled covariance of both files: means in
 * standard deviations, what correlated columns share counted once. Its test is Hotelling's T² = n₁ n₂ D² / N. Directions
 * without variance are left out. Numbers only; records with a missing value count with the original's mean there. Blind to
 * everything but means.
 */
export const mahalanobis = utilityMeasure({
  id: 'mahalanobis',
  title: 'Mahalanobis distance of the means',
  summary: 'how far the mean vectors of all numbers lie apart, in standard deviations',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'everything but means of numbers',
  options: plainOptions,
  statistic: (pair) => meansOf(pair).d,
  compute: (pair) => {
    const { d, rank, differences, n1, n2 } = meansOf(pair)
    const n = n1 + n2
    const t2 = (n1 * n2 * d * d) / n
    const free = n - rank - 1
    return {
      value: d,
      test:
        free < 1 || rank < 1
          ? null
          : {
              p: fUpper((t2 * free) / (rank * (n - 2)), rank, free),
              what: `Hotelling's T², ${rank} and ${free} df`,
            },
      expected:
        rank < 1
          ? null
          : {
              value: chiMean(rank) / Math.sqrt(n2),
              power: 0.5,
              cv: Math.sqrt(rank - chiMean(rank) ** 2) / chiMean(rank),
              what: 'an honest sample of the same size',
            },
      details: { columns: differences, rank, t2 },
    }
  },
  sentence: ({ value, details: { columns } }) =>
    `the means of ${count(columns.length, 'number')} lie ${inUnit(value ?? 0, 'distance')} standard deviations apart together`,
  tables: ({ details: { columns } }) => [
    findingTable('columns', 'Difference of the means in standard deviations', columns, [
      [column.text('column'), ({ name }) => name],
      [column.number('difference'), ({ difference }) => difference],
    ]),
  ],
  charts: ({ details: { columns } }, { name }) => [
    distanceChart(
      {
        name: 'means',
        title: `Difference of means: ${name}`,
        x: 'release less original, in standard deviations of the original',
      },
      [...columns]
        .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
        .map((column) => ({ label: column.name, value: column.difference })),
    ),
  ],
})

/** An eigenvalue below this share of the largest is 0 but for rounding. */
const NO_VARIANCE = 1e-10

function meansOf(pair: Pair) {
  const { labels, original, released, width, weights } = coordinates(pair, comparedColumns(pair, 'numbers'), true)
  if (width === 0) throw new NotApplicable('no numeric column varies in the original')
  const [x, y] = [momentsOf(original, width, weights[0]), momentsOf(released, width, weights[1])]
  const freedom = x.total + y.total - 2
  if (!(freedom > 0)) throw new NotApplicable('it takes more than two records')
  const pooled = x.products.map((value, k) => (value + y.products[k]) / freedom)
  const { values, vectors } = symmetricEigen(pooled, width)
  const gap = x.centre.map((value, j) => y.centre[j] - value)
  let [square, rank] = [0, 0]
  for (let k = 0; k < width; k++) {
    if (!(values[k] > NO_VARIANCE * values[0])) continue
    rank++
    square += vectors[k].reduce((sum, value, j) => sum + value * gap[j], 0) ** 2 / values[k]
  }
  return {
    d: Math.sqrt(square),
    rank,
    n1: pair.original.rows,
    n2: pair.released.rows,
    differences: labels.map((name, j) => ({ name, difference: gap[j] })),
  }
}

function momentsOf(rows: Float64Array, width: number, weights: Float64Array | null) {
  const n = rows.length / width
  const centre = new Float64Array(width)
  let total = 0
  for (let row = 0; row < n; row++) {
    const weight = weights === null ? 1 : weights[row]
    total += weight
    for (let j = 0; j < width; j++) centre[j] += weight * rows[row * width + j]
  }
  for (let j = 0; j < width; j++) centre[j] /= total || 1
  const products = new Float64Array(width * width)
  for (let row = 0; row < n; row++) {
    const weight = weights === null ? 1 : weights[row]
    for (let i = 0; i < width; i++)
      for (let j = 0; j < width; j++)
        products[i * width + j] += weight * (rows[row * width + i] - centre[i]) * (rows[row * width + j] - centre[j])
  }
  return { centre, products, total }
}
