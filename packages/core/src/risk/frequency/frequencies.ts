import { countIds, groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { sum } from '../../stats/sums.js'
import {
  jointCodes,
  keyClasses,
  type Part,
  remember,
  rowsOfPart,
  tableOfPart,
  weightsOfPart,
} from '../../table/classes.js'
import type { Release } from '../../table/release.js'

/**
 * How many records of a file share each record's key: the one number on which the whole frequency family rests.
 *
 * A missing key value has three readings. `drop`: the record is left out, which hides its risk. `category`: missing is
 * one more value. `wildcard`: it may stand for any value, the reading of local suppression; records are then compatible
 * when they agree wherever both are known, and a compatible record with a missing key counts `alpha` instead of 1.
 * `auto` is wildcard for a perturbed release and category otherwise, the cautious choice.
 */
export const missingOptions = {
  missing: z.enum(['auto', 'drop', 'category', 'wildcard']).default('auto').describe('how a missing key value is read'),
  alpha: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('what a compatible record with missing keys counts under wildcard'),
  definition: z
    .enum(['standard', 'sdcmicro'])
    .default('standard')
    .describe("sdcmicro: count all-missing records as sdcMicro's freqCalc does (0 towards complete keys)"),
}

export interface MissingOptions {
  readonly missing: 'auto' | MissingPolicy
  readonly alpha: number
  readonly definition: 'standard' | 'sdcmicro'
}

export type MissingPolicy = 'drop' | 'category' | 'wildcard'

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
  const incomplete = incompleteRows(release, part, keys)
  const dropped = policy === 'drop' ? incomplete.count : 0
  const n = incomplete.flags.length - dropped
  if (n === 0) throw new NotApplicable(`every record of ${tableOfPart(release, part).name} has a missing key`)
  const classes = fileClasses(release, part, keys, policy === 'drop' ? incomplete.flags : null)
  const weights = weightsOfPart(release, part)
  const hasWeights = weights !== null
  if (policy === 'wildcard' && incomplete.count > 0) {
    const patterns = patternsOf(release, part, keys, classes, weights)
    const { f, weighted } = compatible(patterns, options)
    return { policy, n, dropped, f: spread(f, classes), weighted: spread(weighted, classes), hasWeights, classes: null }
  }
  const f = spread(classes.sizes, classes)
  const weighted = weights === null ? f : spread(sumByClass(weights, classes), classes)
  return { policy, n, dropped, f, weighted, hasWeights, classes }
}

export function incompleteRows(
  release: Release,
  part: Part,
  keys: readonly string[],
): { flags: Uint8Array; count: number } {
  const flags = new Uint8Array(tableOfPart(release, part).rows)
  for (const name of keys) {
    const joint = jointCodes(release, name)
    const codes = rowsOfPart(release, joint, joint.codes, part)
    for (let row = 0; row < codes.length; row++) if (codes[row] < 0) flags[row] = 1
  }
  return { flags, count: flags.reduce((sum, flag) => sum + flag, 0) }
}

/** The classes of one file, numbered densely; rows flagged in `leaveOut` belong to none. */
function fileClasses(release: Release, part: Part, keys: readonly string[], leaveOut: Uint8Array | null): FileClasses {
  const joint = keyClasses(release, keys)
  const jointIds = rowsOfPart(release, joint, joint.ids, part)
  const ids = new Int32Array(jointIds.length)
  const numberOf = new Int32Array(joint.count)
  let count = 0
  for (let row = 0; row < ids.length; row++) {
    if (leaveOut !== null && leaveOut[row] === 1) ids[row] = -1
    else {
      if (numberOf[jointIds[row]] === 0) numberOf[jointIds[row]] = ++count
      ids[row] = numberOf[jointIds[row]] - 1
    }
  }
  return { ids, count, sizes: countIds(ids, count) }
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

function patternsOf(
  release: Release,
  part: Part,
  keys: readonly string[],
  classes: FileClasses,
  weights: Float64Array | null,
): Patterns {
  const firstRow = new Int32Array(classes.count)
  for (let row = classes.ids.length - 1; row >= 0; row--) firstRow[classes.ids[row]] = row
  const joints = keys.map((name) => jointCodes(release, name))
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
 * f and weighted f per pattern under `wildcard`. Patterns are bucketed by which keys they have; two buckets are compared
 * on the keys that both have, by one grouping of their projections: no pair of patterns is ever looked at.
 */
function compatible(patterns: Patterns, options: MissingOptions): { f: Float64Array; weighted: Float64Array } {
  const buckets = bucketsByMask(patterns)
  const keyCount = patterns.codes.length
  const f = new Float64Array(patterns.count.length)
  const weighted = new Float64Array(patterns.count.length)
  const total = sum(patterns.count)
  const totalWeight = sum(patterns.weight)
  for (const a of buckets) {
    if (a.observed.length === 0) {
      for (const pattern of a.members) {
        f[pattern] = total
        weighted[pattern] = totalWeight
      }
      continue
    }
    for (const b of buckets) {
      const credit = creditOf(a, b, keyCount, options)
      if (credit === 0) continue
      const shared = a.observed.filter((key) => b.observed.includes(key))
      const { left, right, groups } = project(patterns, a.members, b.members, shared)
      const counts = new Float64Array(groups)
      const sums = new Float64Array(groups)
      for (let k = 0; k < right.length; k++) {
        counts[right[k]] += patterns.count[b.members[k]]
        sums[right[k]] += patterns.weight[b.members[k]]
      }
      for (let k = 0; k < left.length; k++) {
        f[a.members[k]] += credit * counts[left[k]]
        weighted[a.members[k]] += credit * sums[left[k]]
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
  if (a === b || b.observed.length === keyCount) return 1
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

function project(patterns: Patterns, a: Int32Array, b: Int32Array, keys: readonly number[]) {
  const columns = keys.map((key) => {
    const codes = new Int32Array(a.length + b.length)
    for (let k = 0; k < a.length; k++) codes[k] = patterns.codes[key][a[k]]
    for (let k = 0; k < b.length; k++) codes[a.length + k] = patterns.codes[key][b[k]]
    return { codes, cardinality: patterns.cardinalities[key] }
  })
  const { ids, count } = groupRows(columns, a.length + b.length)
  return { left: ids.subarray(0, a.length), right: ids.subarray(a.length), groups: count }
}

/** Counts of classes by size; index 0 is unused, `spectrum[1]` are the sample uniques. */
export function spectrumOf(sizes: Int32Array): Int32Array {
  const spectrum = new Int32Array(sizes.reduce((a, b) => Math.max(a, b), 0) + 1)
  for (const size of sizes) spectrum[size]++
  return spectrum
}
