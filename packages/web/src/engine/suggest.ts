import { suggestRoles, type Types } from '@scrim/core'
import { readSource } from './project.js'
import type { SourceFile, SuggestedRole } from './protocol.js'

/** Roles as names and counts suggest them: a start, in which everything is a guess. */
export async function suggestions(file: SourceFile, types: Types): Promise<readonly SuggestedRole[]> {
  const { table } = await readSource(file, types)
  const { keys, targets, weight, household, identifiers, columns } = suggestRoles(table)
  const as =
    (role: SuggestedRole['role']) =>
    ({ column, reason }: { readonly column: string; readonly reason: string }) => ({
      column,
      role,
      reason,
      added: null,
    })
  // Where the guess rests on uniqueness, its reason says how much it adds.
  const added = ({ column, by }: (typeof keys)[number]) =>
    by === 'name' ? (columns.find((one) => one.column === column)?.added ?? null) : null
  return [
    ...identifiers.map(as('direct identifier')),
    ...keys.map((key) => ({ ...as('key')(key), added: added(key) })),
    ...targets.map(as('target')),
    ...(weight === null ? [] : [as('weight')(weight)]),
    ...(household === null ? [] : [as('household')(household)]),
  ]
}
