import type { Reason } from '../reason.js'
import type { Subject } from './classes.js'
import type { Column } from './column.js'
import { countedValues } from './counted-values.js'
import { columnOf } from './table.js'

/**
 * Keys and target must have values in common in release and original: where they have none, as after recoding or
 * renaming, no record matches any other, and every attack that matches them finds nothing, which is no protection. Null
 * where all have.
 */
export function nothingMatches(needs: readonly string[], { release, part, target }: Subject): Reason | null {
  if (typeof part !== 'number') return null
  const roles = [
    ...(needs.includes('keys') ? release.keys.map((name) => ({ name, role: 'key' as const })) : []),
    ...(needs.includes('target') ? [{ name: target, role: 'target' as const }] : []),
  ]
  const [original, released] = [release.original, release.released[part]]
  const apart = roles.find(({ name }) => !shareValues(columnOf(original, name), columnOf(released, name)))
  return apart === undefined
    ? null
    : {
        code: 'nothing-matches',
        role: apart.role,
        column: apart.name,
        original: original.name,
        released: released.name,
      }
}

/** Numbers may be near without being equal; an empty column has nothing to differ by. */
function shareValues(a: Column, b: Column): boolean {
  if (a.kind !== 'categorical' || b.kind !== 'categorical') return true
  const ours = new Set(countedValues(a).values)
  const theirs = countedValues(b).values
  return ours.size === 0 || theirs.length === 0 || theirs.some((code) => ours.has(code))
}
