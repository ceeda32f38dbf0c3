import type { Part, Project } from '../engine/protocol.js'
import { projectAfter } from '../project-after.js'
import type { RunState } from '../session.js'

/**
 * What `scrim assess --config` needs to repeat a run: everything that a number depends on, under the names of the flags. Original
 * and releases are named in the command; other files are expected beside the configuration. `made` are files of a plan.
 */
export function configOf(
  { project: asked, choice, plan }: Pick<RunState, 'project' | 'choice' | 'plan'>,
  made: readonly { readonly role: string; readonly name: string }[] = [],
): string {
  const project = plan === null ? asked : projectAfter(asked, plan)
  const { roles, types, type, matchLevels, seed, attackerColumns } = project
  const { keys, numericKeys, targets, weight, household, identifier } = roles
  const file = (role: 'holdout' | 'population' | 'attacker' | 'rules') => {
    const name = made.find((one) => one.role === role)?.name ?? project[role]?.name
    return name === undefined ? {} : { [role]: name }
  }
  const config = {
    ...some({ keys, numericKeys, target: targets }),
    ...(weight === null ? {} : { weight }),
    ...(household === null ? {} : { household }),
    ...(identifier === null ? {} : { identifier }),
    ...file('holdout'),
    ...file('population'),
    ...file('attacker'),
    ...some({ attackerColumns }),
    ...file('rules'),
    ...(type === null ? {} : { type }),
    ...(matchLevels === null ? {} : { matchLevels }),
    ...some({ types, group: groupText(project, 'classes'), codes: groupText(project, 'codes') }),
    ...some({ object: chosen(project, 'object'), sheet: chosen(project, 'sheet') }),
    ...(choice.measures === null ? { profile: choice.profile } : { measures: choice.measures }),
    ...some({ options: choice.options }),
    seed,
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

/** Those that have something in them. */
function some(fields: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0))
}

function groupText({ groups }: Project, of: 'classes' | 'codes'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([column, group]) => (group[of].trim() === '' ? [] : [[column, group[of].trim()]])),
  )
}

/** Parts of files by name, the original's first. */
function chosen({ original, releases, holdout, population, attacker }: Project, kind: Part['kind']): readonly string[] {
  const files = [original, ...releases, holdout, population, attacker]
  return [...new Set(files.flatMap((file) => (file?.part?.kind === kind ? [file.part.name] : [])))]
}
