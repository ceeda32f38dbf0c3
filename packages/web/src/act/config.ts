import type { RunState } from '../session.js'

/**
 * What `scrim assess --config` needs to repeat a run: everything that a number depends on, under the names of the flags. Files
 * are named in the command; a holdout is expected beside the configuration.
 */
export function configOf({ project, choice }: Pick<RunState, 'project' | 'choice'>, holdout: string | null): string {
  const { roles, types, type, matchLevels, seed } = project
  const { keys, numericKeys, targets, weight, household, identifier } = roles
  const config = {
    ...(keys.length === 0 ? {} : { keys }),
    ...(numericKeys.length === 0 ? {} : { numericKeys }),
    ...(targets.length === 0 ? {} : { target: targets }),
    ...(weight === null ? {} : { weight }),
    ...(household === null ? {} : { household }),
    ...(identifier === null ? {} : { identifier }),
    ...(holdout === null ? {} : { holdout }),
    ...(type === null ? {} : { type }),
    ...(matchLevels === null ? {} : { matchLevels }),
    ...(Object.keys(types).length === 0 ? {} : { types }),
    ...(choice.measures === null ? { profile: choice.profile } : { measures: choice.measures }),
    seed,
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
