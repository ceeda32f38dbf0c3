import type { CaseInput } from '@scrim/core'
import { projectAfter } from '../project-after.js'
import type { Run } from './run.js'

/**
 * The Case of a run, which `scrim assess --config` repeats. Original and releases are named in the command; other files are
 * expected beside the configuration. `made` are files of a plan.
 */
export function configOf({ project: asked, plan, made }: Pick<Run, 'project' | 'plan' | 'made'>): string {
  const project = plan === null ? asked : projectAfter(asked, plan)
  const name = (role: 'holdout' | 'population' | 'attacker' | 'rules') =>
    made.find((one) => one.role === role)?.name ?? project[role]?.name
  const said: CaseInput = {
    ...project.case,
    holdout: name('holdout'),
    population: name('population'),
    attacker: name('attacker'),
    rules: name('rules'),
  }
  return `${JSON.stringify(Object.fromEntries(Object.entries(said).filter(([, value]) => saysSomething(value))), null, 2)}\n`
}

function saysSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined
}
