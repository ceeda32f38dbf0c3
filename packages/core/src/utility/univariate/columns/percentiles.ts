import type { PanelPoint } from '../../../chart/comparison.js'
import { sampleQuantile } from '../../../stats/samples/summaries.js'
import type { Sample } from '../../../stats/samples/two-samples.js'
import { furthest } from './by-column.js'
import type { NumberPair } from './columns.js'

/**
 * What pictures of distributions are drawn from: the percentiles from the 1st to the 99th, in both files. The ends are left
 * out, for they are single people.
 */
export type Percentiles = {
  readonly name: string
  readonly original: readonly number[]
  readonly released: readonly number[]
}

const PERCENTS = Array.from({ length: 99 }, (_, k) => k + 1)

export function percentilesOf(
  pairs: readonly NumberPair[],
  columns: readonly { readonly name: string; readonly value: number }[],
): Percentiles[] {
  return furthest(pairs, columns).map(({ name, x, y }) => ({
    name,
    original: percentiles(x),
    released: percentiles(y),
  }))
}

function percentiles(sample: Sample): number[] {
  return PERCENTS.map((percent) => sampleQuantile(sample, percent / 100))
}

/** The distribution functions through the percentiles. */
export function percentilePoints(all: readonly Percentiles[]): PanelPoint[] {
  return all.flatMap(({ name, original, released }) =>
    PERCENTS.flatMap((percent, k) => [
      { panel: name, file: 'original' as const, x: original[k], y: percent / 100 },
      { panel: name, file: 'release' as const, x: released[k], y: percent / 100 },
    ]),
  )
}

/** Percentiles of the release against those of the original; the original against itself is the line on which they agree. */
export function percentilePairs(all: readonly Percentiles[]): PanelPoint[] {
  return all.flatMap(({ name, original, released }) =>
    original.flatMap((value, k) => [
      { panel: name, file: 'original' as const, x: value, y: value },
      { panel: name, file: 'release' as const, x: value, y: released[k] },
    ]),
  )
}
