import { z } from 'zod'
import { type JointRows, jointCodes, type Part, remember, rowsOfPart, timesOfPart } from '../../../table/classes.js'
import { binNumbers, type Grouping } from '../../../table/grouping.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'

/**
 * The target as an intruder guesses it. A number with many distinct values is guessed by class: with more than 30
 * distinct values it is grouped at the original's deciles (`auto`); `none` takes every value as it is. Grouping with other
 * styles is a matter of the release, so that all measures see the same classes.
 */
export const targetGroups = targetGroupsBy('auto')

/** The option with another default. */
export function targetGroupsBy(preset: 'auto' | 'none') {
  return z
    .union([z.enum(['auto', 'none']), z.number().int().min(2)])
    .default(preset)
    .describe('groups of a numeric target: auto (10 if it has more than 30 values), none, or a number')
}

export type TargetGroups = z.output<typeof targetGroups>

const MOST_VALUES_UNGROUPED = 30
export const DEFAULT_GROUPS = 10

export interface PreparedTarget {
  /** Names the column and its grouping: what is counted with it is remembered by this. */
  readonly id: string
  readonly name: string
  /** Per row of the parts in `rows`: level; a missing value is the last level, `missingLevel`. */
  readonly codes: Int32Array
  readonly rows: JointRows
  readonly levels: readonly (string | null)[]
  readonly missingLevel: number
  /** How it was grouped, for the result. */
  readonly grouping: string
}

export function prepareTarget(release: Release, name: string, groups: TargetGroups): PreparedTarget {
  const id = `target ${JSON.stringify([name, groups])}`
  return remember(release, id, () => {
    const joint = jointCodes(release, name)
    return groupedTarget(release, id, name, groupingFor(joint.kind === 'categorical' ? 0 : joint.cardinality, groups))
  })
}

/** The target grouped by the quantiles of the values seen in some parts; null: as it is. */
export function groupedTarget(
  release: Release,
  id: string,
  name: string,
  grouping: Grouping | null,
  seen: readonly Part[] = ['original'],
): PreparedTarget {
  const joint = jointCodes(release, name)
  if (grouping === null) return withMissingLevel(id, name, joint, joint.codes, labelsOf(joint), 'none')
  const counts = new Float64Array(joint.cardinality)
  for (const part of seen) {
    const times = timesOfPart(release, part)
    for (const [row, code] of rowsOfPart(release, joint, joint.codes, part).entries())
      if (code >= 0) counts[code] += times?.[row] ?? 1
  }
  const { bins, labels } = binNumbers({ numbers: joint.numbers, counts }, grouping)
  const codes = joint.codes.map((code) => (code < 0 ? -1 : bins[code]))
  return withMissingLevel(id, name, joint, codes, labels, `${grouping.style} ${grouping.n}`)
}

/** A target that is the same for everybody, for figures of identity; `like` is a column that all parts have. */
export function nothingToLearn(release: Release, like: string): PreparedTarget {
  const joint = jointCodes(release, like)
  return withMissingLevel(`nothing like ${like}`, '', joint, new Int32Array(joint.codes.length), [''], 'none')
}

function withMissingLevel(
  id: string,
  name: string,
  rows: JointRows,
  codes: Int32Array,
  labels: readonly string[],
  grouping: string,
): PreparedTarget {
  const missingLevel = labels.length
  return {
    id,
    name,
    codes: codes.map((code) => (code < 0 ? missingLevel : code)),
    rows,
    levels: [...labels, null],
    missingLevel,
    grouping,
  }
}

function groupingFor(distinctNumbers: number, groups: TargetGroups): Grouping | null {
  if (distinctNumbers === 0 || groups === 'none') return null
  if (groups !== 'auto') return { style: 'quantile', n: groups }
  return distinctNumbers > MOST_VALUES_UNGROUPED ? { style: 'quantile', n: DEFAULT_GROUPS } : null
}
