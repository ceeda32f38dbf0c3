import { z } from 'zod'
import { type Column, isMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { changedCells, nameProblems, withMissing } from './anonymiser.js'

/**
 * Ghosts of a key say the same in other words, as a year of birth beside an age. They take no part in any count and follow
 * their key: missing wherever it is, whether suppressed or missing before, because a ghost that is known would tell it.
 */
export const ghostsOption = z
  .record(z.string(), z.array(z.string()).readonly())
  .default({})
  .describe('columns that follow a key, missing wherever the key then is: {"age": ["birth_year"]}')

type Ghosts = z.output<typeof ghostsOption>

export type Ghost = { readonly variable: string; readonly follows: readonly string[]; readonly cells: number }

/** Ghosts that there are not, that follow no key, or that are a key or a stratum themselves. */
export function ghostProblems(
  data: Table,
  ghosts: Ghosts,
  keys: readonly string[],
  strata: readonly string[],
): string[] {
  const named = [...new Set(Object.values(ghosts).flat())]
  const problems = nameProblems(data, named).map((problem) => `ghosts: ${problem}`)
  for (const key of Object.keys(ghosts))
    if (!keys.includes(key)) problems.push(`ghosts: columns can follow a key only, which "${key}" is not`)
  for (const name of named)
    if (keys.includes(name) || strata.includes(name))
      problems.push(`ghosts: "${name}" is a ${keys.includes(name) ? 'key' : 'stratum'} itself`)
  return problems
}

/** The ghosts after their keys: missing wherever one of them is. */
export function followKeys(
  data: Table,
  ghosts: Ghosts,
  keys: readonly Column[],
): { readonly column: Column; readonly about: Ghost }[] {
  return [...new Set(Object.values(ghosts).flat())].map((variable) => {
    const before = columnOf(data, variable)
    const followed = keys.filter(({ name }) => ghosts[name]?.includes(variable) === true)
    const column = withMissing(before, (row) => followed.some((key) => isMissing(key, row)))
    const follows = followed.map(({ name }) => name)
    return { column, about: { variable, follows, cells: changedCells(before, column).cells } }
  })
}
