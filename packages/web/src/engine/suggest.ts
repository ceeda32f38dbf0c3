import { suggestRoles, type Types } from '@scrim/core'
import { readSource } from './project.js'
import type { SourceFile, SuggestedRole } from './protocol.js'

/** Roles as names and counts suggest them: a start, in which everything is a guess. */
export async function suggestions(file: SourceFile, types: Types): Promise<readonly SuggestedRole[]> {
  const { table } = await readSource(file, types)
  const { keys, targets, weight, household, identifiers, columns } = suggestRoles(table)
  const as = (role: SuggestedRole['role']) => (guess: { readonly column: string; readonly reason: string }) => ({
    column: guess.column,
    role,
    reason: guess.reason,
    added: columns.find(({ column }) => column === guess.column)?.added ?? null,
  })
  return [
    ...identifiers.map(as('direct identifier')),
    ...keys.map(as('key')),
    ...targets.map(as('target')),
    ...(weight === null ? [] : [as('weight')(weight)]),
    ...(household === null ? [] : [as('household')(household)]),
  ]
}
