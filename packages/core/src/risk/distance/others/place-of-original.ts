import { mean } from '../../../stats/sums.js'

/**
 * Where the original itself, released once, lies between the fair share of nearest released records and 1. A record with e equals
 * (itself among them) has e of 2 e - 1 nearest released; on the scale of a release of another size that is the same place
 * between ν and 1. It is 1 where all records differ, and near 0 where few coarse columns make most people alike: then even
 * the original itself tells hardly anybody apart.
 */
export function placeOfOriginal(equals: Int32Array, originals: number): number {
  const ofCopy = mean(Float64Array.from(equals, (equal) => equal / (2 * equal - 1))) ?? 1
  const chance = originals / (2 * originals - 1)
  return (ofCopy - chance) / (1 - chance)
}
