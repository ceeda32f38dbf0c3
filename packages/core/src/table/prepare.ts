import { UserError } from '../errors.js'
import { type InspectInput, inspect } from './inspect.js'
import { type Release, type ReleaseInput, release } from './release.js'
import type { Table } from './table.js'

/** What files and roles are given for an assessment, as the command line and the page take them. */
export interface PrepareInput extends Omit<ReleaseInput, 'released' | 'likeness'> {
  readonly released: readonly Table[]
  readonly matchLevels: InspectInput['matchLevels']
}

/**
 * The release of these tables, with what an inspection of them tells among its warnings. Throws `LevelsDiffer` where somebody
 * must say whether levels that are written otherwise are the same.
 */
export function prepareRelease({ matchLevels, attackerColumns, ...input }: PrepareInput): Release {
  const { original, released, holdout, population, attacker } = input
  const { keys = [], numericKeys = [], weight, household, identifier } = input
  const targets = typeof input.target === 'string' ? [input.target] : (input.target ?? [])
  const inspected = inspect({
    original,
    released,
    holdout,
    population,
    attacker,
    attackerColumns,
    inRole: new Set([...keys, ...numericKeys, ...targets, weight ?? '', household ?? '', identifier ?? '']),
    matchLevels,
  })
  const { notes, findings, likeness } = inspected
  const built = releaseOrCopy({ ...input, ...inspected })
  return { ...built, warnings: [...findings, ...notes, ...built.warnings], likeness }
}

/** Whatever else is wrong with the files, that one is the other is said first. */
function releaseOrCopy(input: ReleaseInput): Release {
  try {
    return release(input)
  } catch (error) {
    const copies = (input.likeness ?? []).flatMap((one) => (one?.isCopy ? [one.sentence] : []))
    if (!(error instanceof UserError) || copies.length === 0) throw error
    throw new UserError([...copies, ...error.problems])
  }
}
