import { math } from '@scrim/kernels'
/**
 * How far numbers y lie from numbers x, pair by pair; pairs with a missing value are left out.
 *
 *   mae, mse, rmse   mean |x - y|, mean (x - y)², its root
 *   mape             100 mean |x - y| / |x|; null where some x is 0
 *   smape            100 mean 2 |x - y| / (|x| + |y|), 0 where both are 0
 *   aitchison        √Σ (ln(y / x) - mean ln(y / x))² / 2n, for positive numbers only (riskutility's `ait`); null otherwise
 */
export type ErrorStatistics = {
  readonly n: number
  readonly mae: number | null
  readonly mse: number | null
  readonly rmse: number | null
  readonly mape: number | null
  readonly smape: number | null
  readonly aitchison: number | null
}

export function errorStatistics(x: ArrayLike<number>, y: ArrayLike<number>): ErrorStatistics {
  const pairs = Array.from({ length: Math.min(x.length, y.length) }, (_, k) => [x[k], y[k]] as const).filter(
    ([a, b]) => !Number.isNaN(a) && !Number.isNaN(b),
  )
  const n = pairs.length
  const over = (term: (a: number, b: number) => number) =>
    n === 0 ? null : pairs.reduce((sum, [a, b]) => sum + term(a, b), 0) / n
  const mse = over((a, b) => (a - b) ** 2)
  const isPositive = n > 0 && pairs.every(([a, b]) => a > 0 && b > 0)
  const centre = isPositive ? (over((a, b) => math.log(b / a)) ?? 0) : 0
  const scatter = isPositive ? (over((a, b) => (math.log(b / a) - centre) ** 2) ?? 0) : 0
  return {
    n,
    mae: over((a, b) => Math.abs(a - b)),
    mse,
    rmse: mse === null ? null : Math.sqrt(mse),
    mape: pairs.some(([a]) => a === 0) ? null : over((a, b) => (100 * Math.abs(a - b)) / Math.abs(a)),
    smape: over((a, b) => (a === b ? 0 : (200 * Math.abs(a - b)) / (Math.abs(a) + Math.abs(b)))),
    aitchison: isPositive ? Math.sqrt(n * scatter) / (2 * n) : null,
  }
}
