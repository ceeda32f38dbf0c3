import { keyClasses, type Release, rowsOfPart } from '@scrim/core'

/**
 * Three shares that are easily mistaken for each other: of the distinct keys of a release those that the original has not,
 * of its records those whose key the original has, and of the original's distinct keys those that the release has.
 */
export interface Novelty {
  readonly distinct: number
  readonly novelKeys: number
  readonly recordsWithKnownKey: number
  readonly keysThatReappear: number
}

/** @param k which of the released tables */
export function novelty(release: Release, k: number, keys: readonly string[]): Novelty {
  const classes = keyClasses(release, keys)
  const original = new Set(rowsOfPart(release, classes, classes.ids, 'original'))
  const released = rowsOfPart(release, classes, classes.ids, k)
  const distinct = new Set(released)
  const novel = [...distinct].filter((id) => !original.has(id)).length
  return {
    distinct: distinct.size,
    novelKeys: novel / distinct.size,
    recordsWithKnownKey: released.filter((id) => original.has(id)).length / released.length,
    keysThatReappear: (distinct.size - novel) / original.size,
  }
}
