import { z } from 'zod'
import { type JointRows, jointCodes, type Part, remember, rowsOfPart } from '../../table/classes.js'
import { binNumbers, type Grouping } from '../../table/grouping.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'

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
const DEFAULT_GROUPS = 10

export interface PreparedTarget {
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
  return remember(release, `target ${JSON.stringify([name, groups])}`, () => {
    const joint = jointCodes(release, name)
    const grouping = groupingFor(joint.kind === 'categorical' ? 0 : joint.cardinality, groups)
    const { codes, labels } =
      grouping === null ? { codes: joint.codes, labels: labelsOf(joint) } : grouped(release, name, grouping)
    return withMissingLevel(name, joint, codes, labels, grouping)
  })
}

/**
 * The target as riskutility groups it: plain quantiles of the original and the attacked release together, classes closed on
 * the right. Heavy codes may merge, a 0/1 target into one class. Other than numbers are taken as they are. synthpop does
 * the same with all releases together, and closes classes on the left.
 */
export function pooledTarget(
  release: Release,
  part: Part,
  name: string,
  groups: TargetGroups,
  style: 'riskutility' | 'synthpop' = 'riskutility',
): PreparedTarget {
  return remember(release, `pooled target ${JSON.stringify([part, name, groups, style])}`, () => {
    const joint = jointCodes(release, name)
    if (joint.kind !== 'numeric' || groups === 'none')
      return withMissingLevel(name, joint, joint.codes, labelsOf(joint), null)
    const grouping: Grouping = { style, n: groups === 'auto' ? DEFAULT_GROUPS : groups }
    const { codes, labels } = grouped(release, name, grouping, [...new Set<Part>(['original', part])])
    return withMissingLevel(name, joint, codes, labels, grouping)
  })
}

/** A target that is the same for everybody, for figures of identity; `like` is a column that all parts have. */
export function nothingToLearn(release: Release, like: string): PreparedTarget {
  const joint = jointCodes(release, like)
  return withMissingLevel('', joint, new Int32Array(joint.codes.length), [''], null)
}

function withMissingLevel(
  name: string,
  rows: JointRows,
  codes: Int32Array,
  labels: readonly string[],
  grouping: Grouping | null,
): PreparedTarget {
  const missingLevel = labels.length
  return {
    name,
    codes: codes.map((code) => (code < 0 ? missingLevel : code)),
    rows,
    levels: [...labels, null],
    missingLevel,
    grouping: grouping === null ? 'none' : `${grouping.style} ${grouping.n}`,
  }
}

function groupingFor(distinctNumbers: number, groups: TargetGroups): Grouping | null {
  if (distinctNumbers === 0 || groups === 'none') return null
  if (groups !== 'auto') return { style: 'quantile', n: groups }
  return distinctNumbers > MOST_VALUES_UNGROUPED ? { style: 'quantile', n: DEFAULT_GROUPS } : null
}

function grouped(
  release: Release,
  name: string,
  grouping: Grouping,
  seen: readonly Part[] = ['original'],
): { codes: Int32Array; labels: readonly string[] } {
  const joint = jointCodes(release, name)
  const counts = new Float64Array(joint.cardinality)
  for (const part of seen)
    for (const code of rowsOfPart(release, joint, joint.codes, part)) if (code >= 0) counts[code]++
  const { bins, labels } = binNumbers({ numbers: joint.numbers, counts }, grouping)
  return { codes: joint.codes.map((code) => (code < 0 ? -1 : bins[code])), labels }
}
