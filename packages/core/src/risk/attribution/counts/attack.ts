import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import type { Subject } from '../../../measure.js'
import { choice, real } from '../../../option-kinds.js'
import {
  jointCodes,
  type Part,
  recordCount,
  remember,
  rowCount,
  rowsOfPart,
  tableOfPart,
} from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { completeRows, findColumn, selectRows, table } from '../../../table/table.js'
import { type Cells, cellsOf, homogeneousInRelease, isWholeClassInTruth } from './cells.js'
import { forgivesMismatch, gowerMatches } from './gower-matches.js'
import { type PreparedTarget, prepareTarget, type TargetGroups, targetGroups } from './target.js'

/**
 * The attack that all attribution measures count: somebody looks the keys of people up in the release and reads the target
 * off the records that match. What happens to the tables before anything is counted is here too, so that the measures agree
 * on the same data.
 */
export const attackOptions = {
  matching: choice(['exact', 'gower'], 'exact').describe(
    'exact: equal keys; gower: keys and numeric keys within a Gower distance',
  ),
  threshold: real(0.1, { min: 0, max: 1 }).describe('largest Gower distance that is a match'),
}

export const preparationOptions = {
  targetGroups,
  missing: choice(['auto', 'drop', 'category'], 'auto').describe(
    'records with a missing key or target: left out, or missing is a value; auto: left out under riskutility',
  ),
}

type MatchingOptions = z.output<z.ZodObject<typeof attackOptions>>
type AttackOptions = z.output<z.ZodObject<typeof preparationOptions>> & Partial<MatchingOptions>

/** What all measures of a target that is read off keys declare, and what those of such an attack add. */
export const ATTRIBUTE = {
  family: 'attribution',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
} as const

export const ATTRIBUTE_ATTACK = {
  ...ATTRIBUTE,
  role: 'supports',
  varies: ['people', 'release'],
  pools: true,
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'pad with noise': 'a class with one noisy record no longer shows one value',
  },
} as const

/** What the scores of single records mean, for all measures that give them. */
export const ATTACK_SCORES = {
  cap: { riskier: 'higher', meaning: 'share of released records with this key that have the person’s target value' },
  matches: { riskier: null, meaning: 'released records that match the keys' },
  others: { riskier: null, meaning: 'the same from other people’s records' },
  disclosed: {
    riskier: 'higher',
    meaning: '1: the release shows one target value for the key, and it is the person’s',
  },
  oneValueShown: { riskier: 'higher', meaning: '1: the released records with this key have one target value' },
  classSizeOriginal: { riskier: 'lower', meaning: 'original records with the same key' },
  classSizeReleased: { riskier: null, meaning: 'released records with the same key' },
} as const

/**
 * Whom an intruder takes for the person looked up: with `exact` the records with the same keys, with `gower` all records
 * within a distance. The searcher's side is `truth` when people of the original are looked up in the release, and
 * `release` when released records are looked up in the original.
 */
export interface Matches {
  /** Per class of the searcher: records of the other side that match, as counted. */
  readonly records: Int32Array
  /** Per cell: those among them with this cell's target level. */
  readonly agreeing: Int32Array
  /** Per class: 1 if there are any and all have one target level. */
  readonly homogeneous: Uint8Array
}

export type Side = 'truth' | 'release'

/** People of a file who are looked up in the release, and whom the intruder takes for them. */
export interface Attacked {
  readonly cells: Cells
  readonly matches: Matches
}

export interface Attack extends Attacked {
  /** The release as it is attacked, without the records left out. */
  readonly release: Release
  readonly exact: boolean
  /** The matches where these are neighbourhoods that overlap, not classes. */
  readonly near: Matches | undefined
  /** How records are matched, for the result. */
  readonly matching: string
  /** People of the holdout; null without one. */
  readonly outsiders: Attacked | null
  /** The truth looked up in itself, as if it were the release. */
  readonly itself: () => Attacked
  /** Released records looked up in the truth. */
  readonly reversed: (counted?: Cells) => Matches
  /** Records of the truth and of the release that were left out. */
  readonly dropped: { readonly original: number; readonly released: number }
  readonly warnings: readonly string[]
  /** Scores of the truth's records, put back to the rows of the file; NaN for a record left out. */
  toRows(scores: ArrayLike<number>): Float64Array
}

/** How tables are read before they are attacked. scrim takes a missing value as a value and groups a target at the original's quantiles. */
export interface Convention {
  readonly dropsMissing: boolean
  readonly knowsWeights: boolean
  targetOf(release: Release, part: Part, name: string, groups: TargetGroups): PreparedTarget
}

const SCRIM: Convention = {
  dropsMissing: false,
  knowsWeights: true,
  targetOf: (release, _part, name, groups) => prepareTarget(release, name, groups),
}

export function attackOn(
  { release, part, target }: Subject,
  { matching = 'exact', threshold = 0, missing, targetGroups: groups }: AttackOptions,
  convention = SCRIM,
  truth: Part = 'original',
): Attack {
  const exact = matching === 'exact'
  const keys = exact ? release.keys : [...release.keys, ...release.numericKeys]
  const drop = missing === 'drop' || (missing === 'auto' && convention.dropsMissing)
  const weighed = convention.knowsWeights ? release : withoutWeights(release)
  const complete = drop ? completeCases(weighed, [...keys, target]) : undefined
  const attacked = complete?.release ?? weighed
  const level = convention.targetOf(attacked, part, target, groups)
  const matchesOf = (cells: Cells, side: Side) =>
    exact ? exactMatches(cells, side) : gowerMatches(attacked, cells, side, threshold)
  const lookUp = (people: Part, file: Part = part): Attacked => {
    const cells = cellsOf(attacked, people, file, level, keys)
    return { cells, matches: matchesOf(cells, 'truth') }
  }
  const { cells, matches } = lookUp(truth)
  const fileRows = rowCount(release, truth)
  return {
    release: attacked,
    cells,
    matches,
    exact,
    near: exact ? undefined : matches,
    matching: exact ? 'exact' : `gower ${threshold}`,
    outsiders: release.holdout === null || truth !== 'original' ? null : lookUp('holdout'),
    itself: () => lookUp(truth, truth),
    reversed: (counted = cells) => matchesOf(counted, 'release'),
    dropped: {
      original: recordCount(release, truth) - cells.n,
      released: recordCount(release, part) - cells.ns,
    },
    warnings: [
      ...(isConstant(cells)
        ? [`${target} is constant in ${truth === 'original' ? 'the original' : 'the file'}: it carries no information`]
        : []),
      ...(exact ? mostlyDistinct(release, keys) : []),
      ...(!exact && forgivesMismatch(release, keys, threshold)
        ? ['with this threshold records match although a nominal key differs']
        : []),
    ],
    toRows: (scores) => spreadOver(scores, complete?.kept.get(truth), fileRows),
  }
}

/** Has the truth one single target value? */
export function isConstant({ dLevel }: Cells): boolean {
  return dLevel.filter((people) => people > 0).length === 1
}

function exactMatches(cells: Cells, side: Side): Matches {
  return side === 'truth'
    ? { records: cells.sClass, agreeing: cells.s, homogeneous: homogeneousInRelease(cells) }
    : { records: cells.dClassCount, agreeing: cells.dCount, homogeneous: homogeneousInTruth(cells) }
}

/** Per class: does the truth have one single target value? */
function homogeneousInTruth(cells: Cells): Uint8Array {
  const flags = new Uint8Array(cells.classes)
  for (let cell = 0; cell < cells.dCount.length; cell++)
    if (isWholeClassInTruth(cells, cell)) flags[cells.classOf[cell]] = 1
  return flags
}

/** Do all records that match a record of this cell have its target level? */
export function isRightForSure({ cells, matches }: Attacked, cell: number): boolean {
  return matches.homogeneous[cells.classOf[cell]] === 1 && matches.agreeing[cell] > 0
}

/**
 * How far an intruder gets, as sums over people (by weight): matched; one target value shown; that value is right; and the
 * class has one value in the truth too (`known`). `records` are the people behind the first two as counted; `homogeneous`
 * are those whose class has one value in the truth, whatever the release shows.
 */
export function intruderSteps(attacked: Attacked) {
  const { cells, matches } = attacked
  const steps = { matched: 0, shown: 0, right: 0, known: 0, homogeneous: 0, records: { matched: 0, shown: 0 } }
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    const d = cells.d[cell]
    if (d === 0) continue
    const inTruth = isWholeClassInTruth(cells, cell)
    if (inTruth) steps.homogeneous += d
    if (matches.records[q] === 0) continue
    steps.matched += d
    steps.records.matched += cells.dCount[cell]
    if (matches.homogeneous[q] === 1) {
      steps.shown += d
      steps.records.shown += cells.dCount[cell]
    }
    if (!isRightForSure(attacked, cell)) continue
    steps.right += d
    if (inTruth) steps.known += d
  }
  return steps
}

export type IntruderSteps = ReturnType<typeof intruderSteps>

/** Scores of the rows that were kept, put back to a file of `length` rows, NaN elsewhere; `kept` undefined: all were. */
export function spreadOver(scores: ArrayLike<number>, kept: Int32Array | undefined, length: number): Float64Array {
  if (kept === undefined) return Float64Array.from(scores)
  const spread = new Float64Array(length).fill(Number.NaN)
  for (let k = 0; k < kept.length; k++) spread[kept[k]] = scores[k]
  return spread
}

function withoutWeights(release: Release): Release {
  if (release.weight === null) return release
  return remember(release, 'without weights', () => ({ ...release, weight: null }))
}

/** The release with only the records that have no missing value on `names`, and per part the rows that were kept. */
export function completeCases(
  release: Release,
  names: readonly string[],
): { readonly release: Release; readonly kept: ReadonlyMap<Part, Int32Array> } {
  return remember(release, `complete cases ${JSON.stringify(names)}`, () => {
    const kept = new Map<Part, Int32Array>()
    const keep = (part: Part) => {
      const { name: file, columns, times } = tableOfPart(release, part)
      const rows = completeRows(tableOfPart(release, part), names)
      if (rows.length === 0)
        throw new NotApplicable(`every record of ${file} has a missing value on ${names.join(', ')}`)
      kept.set(part, rows)
      const wanted = new Set([...names, release.weight])
      const few = columns.filter(({ name }) => wanted.has(name))
      return selectRows(table(file, few, times), rows)
    }
    return {
      release: {
        ...release,
        original: keep('original'),
        released: release.released.map((_, part) => keep(part)),
        holdout: release.holdout === null ? null : keep('holdout'),
        population: null,
        variables: names,
      },
      kept,
    }
  })
}

const MOSTLY = 0.5

/** Exact matching on a number that hardly ever repeats finds nobody, which is no protection. */
function mostlyDistinct(release: Release, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    if (findColumn(release.original, key)?.kind === 'categorical') return []
    const joint = jointCodes(release, key)
    const codes = rowsOfPart(release, joint, joint.codes, 'original')
    const distinct = new Set(codes.filter((code) => code >= 0)).size
    const records = recordCount(release, 'original')
    return distinct > MOSTLY * records && records > 2
      ? [`most values of the key ${key} occur once, so exact matching says little; group it`]
      : []
  })
}
