import { groupRows } from '@scrim/kernels'
import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import { choice, real } from '../../../option-kinds.js'
import {
  jointCodes,
  keyClasses,
  type Part,
  recordCount,
  remember,
  rowsOfPart,
  tableOfPart,
  timesOfPart,
  weightsOfPart,
} from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { completeRows } from '../../../table/table.js'

/**
 * How many records of a file share each record's key: the one number on which the whole frequency family rests.
 *
 * A missing key value has three readings. `drop`: the record is left out, which hides its risk. `category`: missing is
 * one more value. `wildcard`: it may stand for any value, the reading of local suppression; records are then compatible
 * when they agree wherever both are known, and a compatible record with a missing key counts `alpha` instead of 1.
 * `auto` is wildcard for a perturbed release and category otherwise, the cautious choice.
 */
export const missingOptions = {
  missing: choice(['auto', 'drop', 'category', 'wildcard'], 'auto').describe('how a missing key value is read'),
  alpha: real(1, { min: 0, max: 1 }).describe('what a compatible record with missing keys counts under wildcard'),
  definition: choice(['standard', 'sdcmicro'], 'standard').describe(
    "sdcmicro: count all-missing records as sdcMicro's freqCalc does (0 towards complete keys)",
  ),
}

export type MissingOptions = z.output<z.ZodObject<typeof missingOptions>>

/** Every compatible record counts in full under wildcard. */
export const PLAIN_COUNTS = { alpha: 1, definition: 'standard' } as const

type MissingPolicy = 'drop' | 'category' | 'wildcard'

export interface Frequencies {
  readonly policy: MissingPolicy
  /** Records counted, and those left out for a missing key. */
  readonly n: number
  readonly dropped: number
  /** Per row: records with the same key; NaN for a dropped record. */
  readonly f: Float64Array
  /** Per row: sum of their weights (= f without weights). */
  readonly weighted: Float64Array
  readonly hasWeights: boolean
  /** Per row: how many records it stands for; null where it is one each. */
  readonly times: Int32Array | null
  /** Equivalence classes, or null where `wildcard` meets missing values: compatibility is not transitive. */
  readonly classes: FileClasses | null
}

export interface FileClasses {
  /** Per row: dense class id by first appearance, -1 for a dropped record. */
  readonly ids: Int32Array
  readonly count: number
  readonly sizes: Int32Array
}

export function frequencies(
  release: Release,
  part: Part,
  keys: readonly string[],
  options: MissingOptions,
): Frequencies {
  const policy = policyOf(release, options.missing)
  const key = `frequencies ${JSON.stringify([part, keys, policy, options.alpha, options.definition])}`
  return remember(release, key, () => computeFrequencies(release, part, keys, { ...options, missing: policy }))
}

/** Models of whole classes have no meaning where compatibility takes their place: missing is then one more value. */
export function withClasses(
  release: Release,
  part: Part,
  keys: readonly string[],
  keyCounts: Frequencies,
  options: Pick<MissingOptions, 'alpha' | 'definition'>,
): { own: Frequencies & { readonly classes: FileClasses }; notes: string[] } {
  if (keyCounts.classes !== null) return { own: { ...keyCounts, classes: keyCounts.classes }, notes: [] }
  const coded = frequencies(release, part, keys, { ...options, missing: 'category' })
  if (coded.classes === null) throw new Error('missing as a category always gives classes')
  return {
    own: { ...coded, classes: coded.classes },
    notes: ['this method needs equivalence classes, so a missing key was read as one more value, not as a wildcard'],
  }
}

function policyOf(release: Release, missing: MissingOptions['missing']): MissingPolicy {
  if (missing !== 'auto') return missing
  return release.type === 'perturbed' ? 'wildcard' : 'category'
}

function computeFrequencies(
  release: Release,
  part: Part,
  keys: readonly string[],
  options: MissingOptions & { readonly missing: MissingPolicy },
): Frequencies {
  const policy = options.missing
  const flags = incompleteRows(release, part, keys)
  const times = timesOfPart(release, part)
  const incomplete = countWhere(flags, (flag) => flag === 1, times)
  const dropped = policy === 'drop' ? incomplete : 0
  const n = recordCount(release, part) - dropped
  if (n === 0) throw new NotApplicable(`every record of ${tableOfPart(release, part).name} has a missing key`)
  const classes = fileClasses(release, part, keys, policy === 'drop' ? flags : null)
  const weights = weightsOfPart(release, part)
  const counted = { policy, n, dropped, times, hasWeights: weights !== null }
  if (policy === 'wildcard' && incomplete > 0) {
    const patterns = patternsOf(release, part, keys, classes)
    const { f, weighted } = compatible(patterns, patterns, (a, b) => creditOf(a, b, keys.length, options))
    return { ...counted, f: spread(f, classes), weighted: spread(weighted, classes), classes: null }
  }
  const f = spread(classes.sizes, classes)
  const weighted = weights === null ? f : spread(sumByClass(weights, classes), classes)
  return { ...counted, f, weighted, classes }
}

/** Per row of a file: records of another that are compatible with it, one with a missing key counting `alpha`. */
export function compatibleRecords(
  release: Release,
  part: Part,
  other: Part,
  keys: readonly string[],
  alpha: number,
): Float64Array {
  const [here, there] = [part, other].map((file) => fileClasses(release, file, keys, null))
  const [own, theirs] = [patternsOf(release, part, keys, here), patternsOf(release, other, keys, there)]
  return spread(compatible(own, theirs, (_, { observed }) => (observed.length === keys.length ? 1 : alpha)).f, here)
}

/** Per row: 1 where one of the keys is missing. */
export function incompleteRows(release: Release, part: Part, keys: readonly string[]): Uint8Array {
  const data = tableOfPart(release, part)
  const flags = new Uint8Array(data.rows).fill(1)
  for (const row of completeRows(data, keys)) flags[row] = 0
  return flags
}

/** The classes of one file, numbered densely; rows flagged in `leaveOut` belong to none. */
function fileClasses(release: Release, part: Part, keys: readonly string[], leaveOut: Uint8Array | null): FileClasses {
  const joint = keyClasses(release, keys)
  const jointIds = rowsOfPart(release, joint, joint.ids, part)
  const ids = new Int32Array(jointIds.length)
  const times = timesOfPart(release, part)
  const numberOf = new Int32Array(joint.count)
  let count = 0
  for (let row = 0; row < ids.length; row++) {
    if (leaveOut !== null && leaveOut[row] === 1) ids[row] = -1
    else {
      if (numberOf[jointIds[row]] === 0) numberOf[jointIds[row]] = ++count
      ids[row] = numberOf[jointIds[row]] - 1
    }
  }
  const sizes = new Int32Array(count)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) sizes[ids[row]] += times?.[row] ?? 1
  return { ids, count, sizes }
}

/** Per row the value of its class, NaN for a dropped record. Hot: a loop, because `from` with a function is ten times slower. */
function spread(perClass: ArrayLike<number>, { ids }: FileClasses): Float64Array {
  const spreadOut = new Float64Array(ids.length)
  for (let row = 0; row < ids.length; row++) spreadOut[row] = ids[row] < 0 ? Number.NaN : perClass[ids[row]]
  return spreadOut
}

function sumByClass(values: Float64Array, { ids, count }: FileClasses): Float64Array {
  const sums = new Float64Array(count)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) sums[ids[row]] += values[row]
  return sums
}

/** The distinct key patterns of a file, missing values included. */
interface Patterns {
  readonly codes: readonly Int32Array[]
  readonly cardinalities: readonly number[]
  readonly count: Float64Array
  readonly weight: Float64Array
}

function patternsOf(release: Release, part: Part, keys: readonly string[], classes: FileClasses): Patterns {
  const firstRow = new Int32Array(classes.count)
  for (let row = classes.ids.length - 1; row >= 0; row--) firstRow[classes.ids[row]] = row
  const joints = keys.map((name) => jointCodes(release, name))
  const weights = weightsOfPart(release, part)
  const count = Float64Array.from(classes.sizes)
  return {
    codes: joints.map((joint) => {
      const codes = rowsOfPart(release, joint, joint.codes, part)
      return firstRow.map((row) => codes[row])
    }),
    cardinalities: joints.map((joint) => joint.cardinality),
    count,
    weight: weights === null ? count : sumByClass(weights, classes),
  }
}

/**
 * Per pattern of a file, the records of another that are compatible with it and their weight. Patterns are bucketed by which
 * keys they have; two buckets are compared on the keys that both have, by one grouping of their projections: no pair of
 * patterns is ever looked at.
 */
function compatible(
  here: Patterns,
  there: Patterns,
  credit: (a: Bucket, b: Bucket) => number,
): { f: Float64Array; weighted: Float64Array } {
  const buckets = bucketsByMask(here)
  const others = there === here ? buckets : bucketsByMask(there)
  const f = new Float64Array(here.count.length)
  const weighted = new Float64Array(here.count.length)
  for (const a of buckets) {
    for (const b of others) {
      const share = credit(a, b)
      if (share === 0) continue
      const shared = a.observed.filter((key) => b.observed.includes(key))
      const { left, right, groups } = project(here, there, a.members, b.members, shared)
      const counts = new Float64Array(groups)
      const sums = new Float64Array(groups)
      for (let k = 0; k < right.length; k++) {
        counts[right[k]] += there.count[b.members[k]]
        sums[right[k]] += there.weight[b.members[k]]
      }
      for (let k = 0; k < left.length; k++) {
        f[a.members[k]] += share * counts[left[k]]
        weighted[a.members[k]] += share * sums[left[k]]
      }
    }
  }
  return { f, weighted }
}

interface Bucket {
  readonly members: Int32Array
  /** Positions of the keys that are not missing. */
  readonly observed: readonly number[]
}

function creditOf(a: Bucket, b: Bucket, keyCount: number, { alpha, definition }: MissingOptions): number {
  if (a === b || a.observed.length === 0 || b.observed.length === keyCount) return 1
  const quirk = definition === 'sdcmicro' && keyCount >= 2 && b.observed.length === 0 && a.observed.length === keyCount
  return quirk ? 0 : alpha
}

function bucketsByMask({ codes, count }: Patterns): Bucket[] {
  const observed = codes.map((column) => ({ codes: column.map((code) => (code < 0 ? 0 : 1)), cardinality: 2 }))
  const masks = groupRows(observed, count.length)
  const members: number[][] = Array.from({ length: masks.count }, () => [])
  for (let pattern = 0; pattern < masks.ids.length; pattern++) members[masks.ids[pattern]].push(pattern)
  return members.map((list) => ({
    members: Int32Array.from(list),
    observed: codes.flatMap((column, key) => (column[list[0]] < 0 ? [] : [key])),
  }))
}

function project(here: Patterns, there: Patterns, a: Int32Array, b: Int32Array, keys: readonly number[]) {
  const columns = keys.map((key) => {
    const codes = new Int32Array(a.length + b.length)
    for (let k = 0; k < a.length; k++) codes[k] = here.codes[key][a[k]]
    for (let k = 0; k < b.length; k++) codes[a.length + k] = there.codes[key][b[k]]
    return { codes, cardinality: here.cardinalities[key] }
  })
  const { ids, count } = groupRows(columns, a.length + b.length)
  return { left: ids.subarray(0, a.length), right: ids.subarray(a.length), groups: count }
}

/** What all measures of the keys of one file declare. */
export const FILE_STRUCTURE = {
  family: 'frequency',
  threat: 'identity',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys'],
  unit: 'share',
} as const

export const CLASS_SIZE = { riskier: 'lower', meaning: 'records of the file with the same key' } as const

/** What was counted, for the result. */
export function countedDetails({ n, dropped, policy }: Frequencies) {
  return { records: n, dropped, missingPolicy: policy }
}

export function droppedWarning(dropped: number): string[] {
  return dropped > 0 ? [`${dropped} records with a missing key were dropped, which hides their risk`] : []
}

/** Values that fit, each counting once, or as often as `times` says. */
export function countWhere(
  values: ArrayLike<number>,
  fits: (value: number) => boolean,
  times: Int32Array | null = null,
): number {
  let count = 0
  for (let k = 0; k < values.length; k++) if (fits(values[k])) count += times?.[k] ?? 1
  return count
}
