import { totalVariation as distance } from '../tables/table-tests.js'
import { categoryDistance } from './category-distance.js'

/**
 * Total variation ½ Σ |p - q| of the shares of each category: the share of records that would have to change theirs. The
 * headline is the mean over columns. Of an honest sample of m records, E = Σ √(p (1 - p) / m) / √(2π).
 */
export const TOTAL_VARIATION = {
  distance,
  expected: (shares: Float64Array, m: number) =>
    shares.reduce((sum, share) => sum + Math.sqrt((share * (1 - share)) / m), 0) / Math.sqrt(2 * Math.PI),
}

export const totalVariation = categoryDistance({
  ...TOTAL_VARIATION,
  id: 'total-variation',
  title: 'Total variation of each category',
  said: 'total variation',
  summary: 'the share of records that would have to change their category',
  scale: 'marginal',
  axis: 'total variation',
})
