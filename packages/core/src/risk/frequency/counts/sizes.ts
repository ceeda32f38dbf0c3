/** Sizes as pictures show them: 1 to 9 each, 10 and more together. */
const LAST_SIZE = 10
const LABELS = Array.from({ length: LAST_SIZE }, (_, k) => (k + 1 < LAST_SIZE ? String(k + 1) : `${k + 1}+`))

/** The sums of what has each size. */
export function sumBySize(counts: Iterable<readonly [size: number, count: number]>) {
  const sums = new Float64Array(LAST_SIZE)
  for (const [size, count] of counts) sums[Math.min(Math.floor(size), LAST_SIZE) - 1] += count
  return LABELS.map((label, k) => ({ label, size: k + 1, count: sums[k] }))
}

/** Bars of the shares of records with each size, of the original and of a release; those of a release below the limit are alarming. */
export function sizeBars<Details extends { readonly records: number }>(
  details: Details,
  original: Details | undefined,
  limit: number,
  countsOf: (details: Details) => Iterable<readonly [size: number, count: number]>,
) {
  const bars = (own: Details, series: 'original' | 'release') =>
    sumBySize(countsOf(own)).map(({ label, size, count }) => ({
      label,
      value: count / own.records,
      series,
      alarm: series === 'release' && size < limit,
    }))
  return [...(original === undefined ? [] : bars(original, 'original')), ...bars(details, 'release')]
}

/** Mean value by size, and how many there are; a missing value (NaN) is left out. */
export function meanBySize(sizes: ArrayLike<number>, values: Float64Array, times: Int32Array | null) {
  const records = (k: number) => times?.[k] ?? 1
  const known = Array.from(values.keys()).filter((k) => !Number.isNaN(values[k]))
  const counts = sumBySize(known.map((k) => [sizes[k], records(k)]))
  const sums = sumBySize(known.map((k) => [sizes[k], records(k) * values[k]]))
  return counts
    .map(({ label, count }, k) => ({ size: label, count, mean: sums[k].count / count }))
    .filter((group) => group.count > 0)
}
