import { significant } from '../../print.js'
import type { Appetite } from './appetite.js'
import { people } from './cells.js'
import { type Finding, finding } from './finding.js'

/**
 * Least and largest values are those of somebody, unless many share them; a quantile near the end is nearly one: records at or beyond it
 * are counted. `sorted` holds the values of one group in ascending order.
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
    const sharing = sorted.filter((one) => one === value).length
    if (sharing >= threshold) return []
    return [
      finding(
        'extreme',
        'fail',
        id,
        name,
        `the ${statistic} of ${element}, ${significant(value, 6)}, is the value of ${people(sharing)}; the least is ${threshold}`,
        sharing,
        threshold,
      ),
    ]
  }
  const share = TAILS[statistic]
  if (share === undefined) return []
  const beyond = Math.floor(sorted.length * share)
  return beyond >= threshold
    ? []
    : [
        finding(
          'extreme',
          'review',
          id,
          name,
          `${people(beyond)} lie beyond the ${statistic} of ${element}; the least is ${threshold}`,
          beyond,
          threshold,
        ),
      ]
}

/** Share of the records beyond a quantile, on its shorter side. The median stands in the middle. */
const TAILS: Readonly<Record<string, number | undefined>> = {
  p1: 0.01,
  p5: 0.05,
  p10: 0.1,
  q1: 0.25,
  q3: 0.25,
  p90: 0.1,
  p95: 0.05,
  p99: 0.01,
}
