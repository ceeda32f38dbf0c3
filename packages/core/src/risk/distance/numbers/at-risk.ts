import { peopleOutside, theOriginal } from '../../../evidence/controls.js'
import { shareEffect } from '../../../evidence/effects.js'
import type { Look } from '../../../evidence/evidence.js'
import { residualRisk } from '../../../stats/intervals.js'

/** Share of original and holdout records at risk from the same release, and what remains beyond the holdout. */
export type AtRisk = ReturnType<typeof atRisk>

/** How many of how many records; `held` is the number of holdout records, 0 without any. */
export interface AtRiskCounts {
  readonly hits: number
  readonly n: number
  readonly heldHits: number
  readonly held: number
}

export function atRisk({ hits, n, heldHits, held }: AtRiskCounts) {
  const found = residualRisk(hits, n, heldHits, held)
  return {
    original: hits / n,
    holdout: held === 0 ? null : heldHits / held,
    residual: found?.residual ?? null,
    interval: found?.interval ?? null,
    p: found?.p ?? null,
  }
}

/** Against people outside the release; null without any. Every original is at risk from itself. */
export function atRiskEvidence({ hits, n, heldHits, held }: AtRiskCounts): Omit<Look, 'what'> | null {
  if (held === 0) return null
  const outside = heldHits / held
  const effect = shareEffect(hits, n, heldHits, held)
  return {
    value: hits / n,
    controls: {
      fair: peopleOutside(outside, Math.sqrt((outside * (1 - outside)) / held)),
      everything: theOriginal(1),
    },
    effect,
  }
}
