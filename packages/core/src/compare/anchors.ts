import { sampleWithReplacement, split } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import type { Release } from '../table/release.js'
import { selectRows } from '../table/table.js'

/**
 * What the two axes of the map are made of, drawn on it. Two ends are known without a computation: independent marginals
 * keep no relation and say nothing of anybody, the original keeps and says all. Of the other two, one side each is known:
 * a bootstrap of the original is what utility of 1 means, and its risk is measured; of a fair sample, other people of the same
 * population, leakage of 0 is what the scale says, and its utility is that of one random half of the original against the
 * other. No candidate enters.
 */
export interface Anchor {
  readonly name: string
  readonly utility: number
  readonly risk: number
  readonly how: string
}

export const KNOWN_ANCHORS: readonly Anchor[] = [
  {
    name: 'independent marginals',
    utility: 0,
    risk: 0,
    how: 'the zero of both scales',
  },
  { name: 'the original', utility: 1, risk: 1, how: 'the one of both scales' },
]

/** The original released as a bootstrap of itself. */
export function bootstrapRelease(base: Release, seed: number): Release {
  const { original } = base
  const rows = sampleWithReplacement(stream(seed, 'compare/bootstrap'), original.rows, original.rows)
  return { ...base, released: [{ ...selectRows(original, rows), name: 'a bootstrap' }], ...ALONE }
}

/** One half of the people released as a sample of the population of the other half. */
export function fairRelease(base: Release, seed: number): Release {
  const { chosen, rest } = split(stream(seed, 'compare/halves'), base.original.rows, 0.5)
  const half = (rows: Int32Array, name: string) => ({ ...selectRows(base.original, rows), name })
  return {
    ...base,
    original: half(rest, 'one half of the original'),
    released: [half(chosen, 'the other half')],
    holdout: null,
    population: null,
    ...ALONE,
  }
}

const ALONE = {
  type: 'synthetic',
  likeness: [],
  identifiers: [],
  notCovered: [],
  ungrouped: null,
  generator: null,
  notes: [],
} as const
