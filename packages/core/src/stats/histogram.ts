/** Counts of finite values in `bins` equal bins of [lower, upper]; bins are right-open but for the last. NaN is left out. */
export function histogram(
  values: Float64Array,
  bins: number,
  lower: number,
  upper: number,
): { lower: number; upper: number; count: number }[] {
  const width = upper > lower ? (upper - lower) / bins : 1
  const counts = new Int32Array(bins)
  for (const value of values) {
    if (value >= lower && value <= upper) counts[Math.min(bins - 1, Math.floor((value - lower) / width))]++
  }
  return Array.from(counts, (count, k) => ({ lower: lower + k * width, upper: lower + (k + 1) * width, count }))
}
