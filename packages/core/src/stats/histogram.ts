/**
 * Counts of finite values in `bins` equal bins of [lower, upper]; bins are right-open but for the last. NaN is left out. A value
 * counts once, or as often as `times` says.
 */
export function histogram(
  values: Float64Array,
  bins: number,
  lower: number,
  upper: number,
  times?: ArrayLike<number> | null,
): { lower: number; upper: number; count: number }[] {
  const width = upper > lower ? (upper - lower) / bins : 1
  const counts = new Int32Array(bins)
  for (const [k, value] of values.entries()) {
    if (value >= lower && value <= upper)
      counts[Math.min(bins - 1, Math.floor((value - lower) / width))] += times?.[k] ?? 1
  }
  return Array.from(counts, (count, k) => ({ lower: lower + k * width, upper: lower + (k + 1) * width, count }))
}
