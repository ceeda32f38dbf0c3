import { type Interval, residualRisk } from '../../stats/intervals.js'

/** Share of original and holdout records at risk from the same release, and what remains beyond the holdout. */
export type AtRisk = {
  readonly original: number
  readonly holdout: number | null
  readonly residual: number | null
  readonly interval: Interval | null
  readonly p: number | null
}

/** `held` is the number of holdout records, 0 without any. */
export function atRisk(hits: number, n: number, heldHits: number, held: number): AtRisk {
  const found = residualRisk(hits, n, heldHits, held)
  return {
    original: hits / n,
    holdout: held === 0 ? null : heldHits / held,
    residual: found?.residual ?? null,
    interval: found?.interval ?? null,
    p: found?.p ?? null,
  }
}
