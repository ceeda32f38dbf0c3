import { significant } from '../../print.js'
import { QUANTILES } from '../numbers/recompute.js'
import type { Appetite } from './appetite.js'
import { below, type Finding, people } from './finding.js'

/**
 * Least and largest values are those of somebody, unless many share them; a quantile near the end is nearly one: records at or beyond it,
 * on its shorter side, are counted. The median stands in the middle. `sorted` holds the values of one group in ascending order.
 */
export function extremeValues(
  id: string,
  element: string,
  statistic: string,
  sorted: Float64Array,
  { threshold }: Appetite,
): Finding[] {
  if (sorted.length === 0) return []
  const name = `${element} ${statistic}`
  if (statistic === 'min' || statistic === 'max') {
    const value = statistic === 'min' ? sorted[0] : sorted[sorted.length - 1]
    const sharing = sorted.filter((other) => other === value).length
    if (sharing >= threshold) return []
    const what = `the ${statistic} of ${element}, ${significant(value, 6)}, is the value of ${people(sharing)}`
    return [below('extreme', 'fail', id, name, what, sharing, threshold)]
  }
  const probability = QUANTILES[statistic]
  if (probability === undefined || statistic === 'median') return []
  const tail = significant(Math.min(probability, 1 - probability), 6)
  const beyond = Math.floor(sorted.length * tail)
  if (beyond >= threshold) return []
  const what = `${people(beyond)} lie beyond the ${statistic} of ${element}`
  return [below('extreme', 'review', id, name, what, beyond, threshold)]
}
