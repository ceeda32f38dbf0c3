import type { Plan, Project } from './engine/protocol.js'

/** Columns that a plan puts into classes. */
function recodedBy({ changes }: Plan): readonly string[] {
  return changes.flatMap(({ method, options }) =>
    method === 'recode' ? [options.groups, options.merge].flatMap((rules) => Object.keys((rules ?? {}) as object)) : [],
  )
}

/** What still holds of a project when a plan was carried out: recoded columns are no longer what was said of them. */
export function projectAfter(project: Project, plan: Plan): Project {
  const recoded = recodedBy(plan)
  // The page writes values by column, never the text of a flag.
  const left = <Value>(byColumn: string | Readonly<Record<string, Value>>) =>
    typeof byColumn === 'string'
      ? byColumn
      : Object.fromEntries(Object.entries(byColumn).filter(([name]) => !recoded.includes(name)))
  const { types = {}, group = {}, codes = {}, attackerColumns: _, ...said } = project.case
  return {
    ...project,
    attacker: null,
    rules: null,
    case: { ...said, types: left(types), group: left(group), codes: left(codes) },
  }
}
