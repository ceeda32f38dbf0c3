import { math } from '@scrim/kernels'
import type { Cells } from '../counts/cells.js'

/** Shares of released records and of others that are looked at. */
export interface KeptShares {
  readonly released: number
  readonly others: number
}

/**
 * A larger release has records with the keys of more people, and so tells more about everybody without leaking anything:
 * both sides are compared at the size of the smaller one.
 */
export function keptShares({ n, ns }: Pick<Cells, 'n' | 'ns'>): KeptShares {
  const others = n - 1
  return { released: Math.min(1, others / ns), others: Math.min(1, ns / Math.max(1, others)) }
}

/** As `keptShares` when the original itself is released. */
export function keptOfOriginal({ n }: Pick<Cells, 'n'>): KeptShares {
  return { released: (n - 1) / n, others: 1 }
}

/** Chance that at least one of so many records is left when each is kept with chance `share`; classes of a size are many. */
export function seenOf(share: number, largestClass: number): (records: number) => number {
  if (share === 1) return () => 1
  const known = new Float64Array(largestClass + 1).fill(-1)
  return (records) => {
    if (records <= 0) return 0
    if (known[records] < 0) known[records] = 1 - math.pow(1 - share, records)
    return known[records]
  }
}

export function largestOf(classes: Int32Array): number {
  return classes.reduce((most, records) => Math.max(most, records), 0)
}
