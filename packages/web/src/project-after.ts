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
  const left = <Value>(of: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !recoded.includes(name)))
  return {
    ...project,
    attacker: null,
    attackerColumns: {},
    rules: null,
    types: left(project.types),
    groups: left(project.groups),
  }
}
