import { z } from 'zod'
import { unknownName } from '../../../errors.js'
import { whole } from '../../../option-kinds.js'
import { jointCodes } from '../../../table/classes.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { type Cells, keyLevelOfClass } from './cells.js'
import type { PreparedTarget } from './target.js'

/**
 * Cells that a custodian does not count as disclosure: a harmless target level, a missing target or key, a pair of key
 * level and target level that everybody knows ("19-year-olds are single"), or a count so large that it is no secret.
 */
const level = z.union([z.string(), z.number()])

export const exclusionOptions = {
  excludeTarget: z
    .union([level, z.record(z.string(), level)])
    .nullable()
    .default(null)
    .describe(
      'one target level whose cells do not count, or one for some targets by name (synthpop: not.targetlev, not.targetslev)',
    ),
  useMissingTarget: z
    .union([z.boolean(), z.record(z.string(), z.boolean())])
    .default(true)
    .describe(
      'false, or false for some targets by name: a missing target does not count (synthpop: usetargetNA, usetargetsNA)',
    ),
  useMissingKeys: z
    .union([z.boolean(), z.record(z.string(), z.boolean())])
    .default(true)
    .describe(
      'false, or false for some keys by name: classes where the key is missing do not count (synthpop: usekeysNA)',
    ),
  exclude: z
    .array(
      z.object({
        key: z.string(),
        level,
        target: level,
        in: z.string().optional(),
      }),
    )
    .readonly()
    .default([])
    .describe(
      'pairs of a key level and a target level that do not count, `in` one of several targets or in all (synthpop: exclude.keys, exclude.keylevs, exclude.targetlevs)',
    ),
  denominatorLimit: whole(null, { min: 1 }).describe(
    'cells with a larger count do not count (synthpop: denom_lim with exclude_ov_denom_lim)',
  ),
}

export type ExclusionOptions = z.output<z.ZodObject<typeof exclusionOptions>>

/** The rules in the order in which they act; a cell is removed by the first that fits. */
export const RULES = ['target level', 'missing target', 'missing key', 'listed pair', 'over the limit'] as const

/** Stands in the place of a rule for a cell that counts. */
export const COUNTS = RULES.length
const OVER_LIMIT = RULES.indexOf('over the limit')

/** Per cell the rule that removes it, or `COUNTS`; the limit acts on the counts of the truth and of the release apart. */
export interface Exclusions {
  readonly truth: Uint8Array
  readonly release: Uint8Array
}

export function exclusionsFrom(release: Release, cells: Cells, options: ExclusionOptions): Exclusions {
  const { name, levels: targetLevels, missingLevel } = cells.target
  const { harmless, isMissingUsed, pairs } = exclusionsOfTarget(options, name)
  const rules = new Uint8Array(cells.level.length).fill(COUNTS)
  const mark = (rule: (typeof RULES)[number], fits: (cell: number) => boolean) => {
    for (let cell = 0; cell < rules.length; cell++)
      if (rules[cell] === COUNTS && fits(cell)) rules[cell] = RULES.indexOf(rule)
  }
  const ofTarget = (label: string | number) => {
    const level = targetLevels.indexOf(String(label))
    return (cell: number) => cells.level[cell] === level
  }
  if (harmless !== undefined) mark('target level', ofTarget(harmless))
  if (!isMissingUsed) mark('missing target', (cell) => cells.level[cell] === missingLevel)
  for (const key of keysWithoutMissing(release, options.useMissingKeys)) {
    const levels = keyLevelOfClass(release, cells, jointCodes(release, key))
    mark('missing key', (cell) => levels[cells.classOf[cell]] < 0)
  }
  for (const { key, level, target } of pairs) {
    const joint = jointCodes(release, key)
    const keyLevel = labelsOf(joint).indexOf(String(level))
    const levels = keyLevelOfClass(release, cells, joint)
    const fits = ofTarget(target)
    mark('listed pair', (cell) => fits(cell) && levels[cells.classOf[cell]] === keyLevel)
  }
  const limit = options.denominatorLimit ?? Number.POSITIVE_INFINITY
  const limited = (counts: Int32Array) =>
    rules.map((rule, cell) => (rule === COUNTS && counts[cell] > limit ? OVER_LIMIT : rule))
  return { truth: limited(cells.dCount), release: limited(cells.s) }
}

/** What of the options is said of one target. */
function exclusionsOfTarget({ excludeTarget, useMissingTarget, exclude }: ExclusionOptions, target: string) {
  return {
    harmless:
      (typeof excludeTarget === 'object' && excludeTarget !== null ? excludeTarget[target] : excludeTarget) ??
      undefined,
    isMissingUsed: typeof useMissingTarget === 'boolean' ? useMissingTarget : (useMissingTarget[target] ?? true),
    pairs: exclude.filter((pair) => pair.in === undefined || pair.in === target),
  }
}

export function nothingExcluded({ level }: Cells): Exclusions {
  const all = new Uint8Array(level.length).fill(COUNTS)
  return { truth: all, release: all }
}

function keysWithoutMissing(release: Release, use: ExclusionOptions['useMissingKeys']): readonly string[] {
  if (typeof use === 'boolean') return use ? [] : release.keys
  return release.keys.filter((name) => use[name] === false)
}

/** Exclusions of what is not there; a target level must be one of some target, or of the target that it is said of. */
export function exclusionProblems(
  release: Release,
  { excludeTarget, useMissingTarget, useMissingKeys, exclude }: ExclusionOptions,
  targets: readonly PreparedTarget[],
): string[] {
  const names = targets.map(({ name }) => name)
  const unknownTarget = (name: string) => (names.includes(name) ? [] : [unknownName('target', name, names)])
  const unknownLevel = (label: string | number, name?: string) => {
    const among = targets.filter((target) => name === undefined || target.name === name)
    const levels = [...new Set(among.flatMap((target) => target.levels.flatMap((one) => one ?? [])))]
    return among.length === 0 || levels.includes(String(label))
      ? []
      : [unknownName(`level of ${among.map((target) => target.name).join(', ')}`, String(label), levels)]
  }
  const harmless =
    typeof excludeTarget === 'object' && excludeTarget !== null
      ? Object.entries(excludeTarget).flatMap(([name, label]) => [...unknownTarget(name), ...unknownLevel(label, name)])
      : unknownLevel(excludeTarget ?? '').filter(() => excludeTarget !== null)
  return [
    ...harmless.map((problem) => `excludeTarget: ${problem}`),
    ...(typeof useMissingTarget === 'boolean' ? [] : Object.keys(useMissingTarget))
      .flatMap(unknownTarget)
      .map((problem) => `useMissingTarget: ${problem}`),
    ...(typeof useMissingKeys === 'boolean' ? [] : Object.keys(useMissingKeys))
      .filter((name) => !release.keys.includes(name))
      .map((name) => `useMissingKeys: ${unknownName('key', name, release.keys)}`),
    ...exclude.flatMap(({ key, level, target, in: within }) => {
      if (!release.keys.includes(key)) return [`exclude: ${unknownName('key', key, release.keys)}`]
      const labels = labelsOf(jointCodes(release, key))
      const ofKey = labels.includes(String(level)) ? [] : [unknownName(`level of ${key}`, String(level), labels)]
      const ofTarget = within === undefined ? [] : unknownTarget(within)
      return [...ofKey, ...ofTarget, ...unknownLevel(target, within)].map((problem) => `exclude: ${problem}`)
    }),
  ]
}
