import { math } from '@scrim/kernels'
import { normalCdf } from '../../../stats/distributions.js'
import { countMissing } from '../../../table/column.js'
import { columnOf } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { AssociationPair, Options } from '../associations.js'

/** Variance of atanh of Spearman's correlation, relative to Pearson's (Fieller, Hartley and Pearson 1957). */
const SPEARMAN_VARIANCE = 1.06

export function fisherP(
  { original, released }: Pair,
  { a, b, original: x, released: y }: Omit<AssociationPair, 'p' | 'adjusted'>,
  method: Options['method'],
) {
  const known = (file: Pair['original']) =>
    file.rows - Math.max(countMissing(columnOf(file, a)), countMissing(columnOf(file, b)))
  const [n1, n2] = [known(original), known(released)]
  if (n1 < 5 || n2 < 5 || Math.abs(x) >= 1 || Math.abs(y) >= 1) return null
  const factor = method === 'spearman' ? SPEARMAN_VARIANCE : 1
  const z = (math.atanh(y) - math.atanh(x)) / Math.sqrt(factor / (n1 - 3) + factor / (n2 - 3))
  return 2 * normalCdf(-Math.abs(z))
}

export function matrixDistance(pairs: readonly AssociationPair[], columns: number): number {
  let [xy, xx, yy] = [columns, columns, columns]
  for (const { original, released } of pairs) {
    xy += 2 * original * released
    xx += 2 * original * original
    yy += 2 * released * released
  }
  return Math.max(0, 1 - xy / Math.sqrt(xx * yy))
}
