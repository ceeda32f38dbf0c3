import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { count } from '../print.js'
import { frequencies } from '../risk/frequency/frequencies.js'
import { type Column, MISSING_CODE } from '../table/column.js'
import { codeJointly, type JointColumn } from '../table/joint.js'
import { release } from '../table/release.js'
import { columnOf, type Table } from '../table/table.js'
import { throwIfAborted } from '../tasks/task.js'
import {
  type Anonymiser,
  type AnonymiserContext,
  type AnonymiserRoles,
  changedCells,
  type Masked,
  nameProblems,
  variablesOption,
  withColumns,
} from './anonymiser.js'
import { type WildcardCounts, wildcardCounts } from './wildcard-counts.js'

/**
 * Local suppression to k-anonymity: single key values of records at risk become missing until every record agrees with
 * at least k records, itself included, on all keys that both have (missing may stand for any value).
 *
 * In each record with fewer than k the least important key is suppressed that lets it agree with more records, and so
 * on until k is reached; then keys whose suppression proved needless are given back, the most important first. `fewest`
 * instead looks for the smallest set of keys that will do, the least important ones among
 * equally small. Unless told otherwise the key with more levels is less important, of equals the one named later.
 *
 * With `counting` pass, every record that had fewer than k loses something, as in sdcMicro. With `running` the records are
 * taken one after the other, the rarest first, with the counts as they are by then: a record that an earlier suppression
 * has brought to k is left alone. That suppresses far less and satisfies the definition, but protects less: many records
 * with all their keys then rest on a few with missing ones, which cannot stand for all of them (`restingOnMissing`).
 *
 * With `combinations` every combination of so many keys is made k-anonymous instead of all keys together. All of them
 * are checked again until none is violated: what is suppressed for one combination may undo another when `alpha` is
 * below 1 (sdcMicro's issue 352). The result is checked by an independent count before it is returned.
 *
 * Blind to who reads a missing value as a value of its own, and to what is not a key.
 */
const options = z.object({
  variables: variablesOption('key variables, of any kind; null for the keys'),
  k: z.number().int().min(2).default(2).describe('fewest records that agree on the keys'),
  importance: z
    .array(z.string())
    .readonly()
    .default([])
    .describe('keys from the most important on: suppressed last; keys not named are less important, by their levels'),
  search: z
    .enum(['importance', 'fewest'])
    .default('importance')
    .describe('least important keys first, or as few cells per record as possible'),
  counting: z
    .enum(['pass', 'running'])
    .default('pass')
    .describe('pass: every rare record is suppressed; running: only those that earlier suppressions have not helped'),
  combinations: z
    .array(z.number().int().min(1))
    .readonly()
    .default([])
    .describe('sizes of the key combinations to make k-anonymous; none: all keys together'),
  alpha: z.number().min(0).max(1).default(1).describe('what an agreeing record with missing keys counts'),
})

type Options = z.output<typeof options>

const MOST_KEYS = 30
const MOST_KEYS_FEWEST = 12

export type LocalSuppressionDescription = {
  readonly k: number
  /** Keys from the most important on. */
  readonly importance: readonly string[]
  /** Records with fewer than k before, and with a suppressed cell now. */
  readonly violating: number
  readonly records: number
  readonly suppressed: readonly { readonly variable: string; readonly cells: number }[]
  readonly cells: number
  /** The smallest count of a record afterwards, by an independent count. */
  readonly reached: number
  /** Records that have k only thanks to records with other keys missing than theirs. */
  readonly restingOnMissing: number
  /** The smallest class if a missing value is read as a value of its own. */
  readonly reachedAsCategory: number
}

export const localSuppression = {
  id: 'local-suppression',
  title: 'Local suppression',
  summary: 'Makes single key values missing until every key combination is shared by at least k records.',
  options,
  apply(
    data: Table,
    roles: AnonymiserRoles,
    chosen: Options,
    context: AnonymiserContext,
  ): Masked<LocalSuppressionDescription> {
    const keys = chosen.variables ?? roles.keys
    const problems = optionProblems(data, keys, chosen)
    if (problems.length > 0) throw new UserError(problems)
    const before = keys.map((name) => columnOf(data, name))
    const coded = before.map((column) => codeJointly([column]))
    const order = byImportance(coded, chosen.importance)
    const combinations = combinationsOf(order, chosen.combinations)
    const { now, violating } = suppress(coded, combinations, chosen, context)
    const after = before.map((column, key) => blank(column, now[key]))
    const table = withColumns(data, after)
    const { reached, restingOnMissing } = verified(table, keys, combinations, chosen)
    const suppressed = keys.map((variable, key) => ({ variable, cells: changedCells(before[key], after[key]).cells }))
    const reachedAsCategory = smallestClass(after)
    return {
      table,
      description: {
        k: chosen.k,
        importance: order.map((key) => keys[key]),
        violating,
        records: touchedRecords(coded, now),
        suppressed,
        cells: suppressed.reduce((total, { cells }) => total + cells, 0),
        reached,
        restingOnMissing,
        reachedAsCategory,
      },
      notes: suppressionNotes(chosen.k, restingOnMissing, reachedAsCategory),
    }
  },
} satisfies Anonymiser<typeof options, LocalSuppressionDescription>

function suppressionNotes(k: number, restingOnMissing: number, reachedAsCategory: number): string[] {
  const notes: string[] = []
  if (restingOnMissing > 0)
    notes.push(
      `${count(restingOnMissing, 'record')} reach ${k} only together with records whose missing keys may stand for theirs`,
    )
  if (reachedAsCategory < k)
    notes.push(`read as a value of its own instead, missing leaves a smallest class of ${reachedAsCategory}`)
  return notes
}

function optionProblems(data: Table, keys: readonly string[], chosen: Options): string[] {
  const { k, importance, search, combinations } = chosen
  if (keys.length === 0) return ['local-suppression needs key variables']
  const problems = nameProblems(data, keys)
  const most = search === 'fewest' ? MOST_KEYS_FEWEST : MOST_KEYS
  if (keys.length > most) problems.push(`local-suppression takes at most ${most} keys, there are ${keys.length}`)
  if (k > data.rows) problems.push(`k is ${k}, but ${data.name} has only ${data.rows} records`)
  for (const [at, name] of importance.entries()) {
    if (!keys.includes(name)) problems.push(`importance names "${name}", which is not a key`)
    else if (importance.indexOf(name) < at) problems.push(`importance names "${name}" twice`)
  }
  for (const size of combinations)
    if (size > keys.length) problems.push(`there is no combination of ${size} out of ${keys.length} keys`)
  return problems
}

/** Keys from the most important on: those named, then those with fewer levels first. */
function byImportance(keys: readonly JointColumn[], named: readonly string[]): readonly number[] {
  const place = (key: number) => {
    const at = named.indexOf(keys[key].name)
    return at < 0 ? named.length : at
  }
  const levels = keys.map(({ codes }) => new Set(codes.filter((code) => code >= 0)).size)
  return [...keys.keys()].sort((a, b) => place(a) - place(b) || levels[a] - levels[b] || a - b)
}

/** Combinations of the given sizes, smaller ones first; each lists its keys from the most important on. */
function combinationsOf(order: readonly number[], sizes: readonly number[]): readonly (readonly number[])[] {
  if (sizes.length === 0) return [order]
  return [...new Set(sizes)].sort((a, b) => a - b).flatMap((size) => subsetsOfSize(order, size))
}

function subsetsOfSize(items: readonly number[], size: number): number[][] {
  if (size === 0) return [[]]
  return items.flatMap((first, at) => subsetsOfSize(items.slice(at + 1), size - 1).map((rest) => [first, ...rest]))
}

/** Codes after suppression, and how many records violated k-anonymity before. */
function suppress(
  coded: readonly JointColumn[],
  combinations: readonly (readonly number[])[],
  chosen: Options,
  context: AnonymiserContext,
): { readonly now: readonly Int32Array[]; readonly violating: number } {
  const now = coded.map(({ codes }) => codes.slice())
  const violators = new Set<number>()
  for (let first = true, settled = false; !settled; first = false) {
    settled = true
    for (const keys of combinations) {
      const columns = keys.map((key) => ({ ...coded[key], codes: now[key].slice() }))
      const counts = wildcardCounts(columns, chosen.alpha)
      const rare = rareRecords(columns, counts, chosen.k)
      if (first) for (const row of rare) violators.add(row)
      if (rare.length === 0) continue
      // With alpha 1 a suppression never lowers anybody's count, so one pass is enough.
      settled = chosen.alpha === 1
      const protect = chosen.counting === 'pass' ? protectTogether : protectOneByOne
      protect(rare, counts, keys.length, chosen, context)
      for (const row of rare) {
        const mask = counts.maskOf(row)
        for (const [place, key] of keys.entries()) if (((mask >> place) & 1) === 0) now[key][row] = MISSING_CODE
      }
    }
  }
  return { now, violating: violators.size }
}

/** Records that agree with fewer than k, those with the fewest first. Equal records have equal counts, so one of each is counted. */
function rareRecords(columns: readonly JointColumn[], counts: WildcardCounts, k: number): Int32Array {
  const rows = columns[0].codes.length
  const { ids, count: classes } = groupRows(columns, rows)
  const f = new Float64Array(classes)
  for (let row = 0; row < rows; row++) if (f[ids[row]] === 0) f[ids[row]] = counts.count(row, counts.maskOf(row))
  const rare = Int32Array.from({ length: rows }, (_, row) => row).filter((row) => f[ids[row]] < k)
  return rare.sort((a, b) => f[ids[a]] - f[ids[b]] || a - b)
}

type Protect = (
  rare: Int32Array,
  counts: WildcardCounts,
  keys: number,
  chosen: Options,
  context: AnonymiserContext,
) => void

/** Finds what to suppress in every record while all are as they were, and only then suppresses it. */
const protectTogether: Protect = (rare, counts, keys, chosen, context) => {
  const masks = rare.map((row, done) => {
    report(done, rare.length, context)
    return protectiveMask(row, counts, keys, chosen)
  })
  for (const [place, row] of rare.entries()) counts.move(row, masks[place])
}

/** Suppresses in one record after the other; who has k by then keeps all keys. */
const protectOneByOne: Protect = (rare, counts, keys, chosen, context) => {
  for (const [done, row] of rare.entries()) {
    report(done, rare.length, context)
    counts.move(row, protectiveMask(row, counts, keys, chosen))
  }
}

const ROWS_PER_REPORT = 1024

function report(done: number, total: number, { signal, progress }: AnonymiserContext): void {
  if (done % ROWS_PER_REPORT !== 0) return
  throwIfAborted(signal)
  progress(done, total)
}

/** The keys that a record may keep so that it agrees with k; bit 0 of a mask is the most important key. */
function protectiveMask(row: number, counts: WildcardCounts, keys: number, { k, search }: Options): number {
  const before = counts.maskOf(row)
  if (counts.count(row, before) >= k) return before
  return search === 'fewest' ? fewestMask(row, before, counts, keys, k) : greedyMask(row, before, counts, keys, k)
}

function greedyMask(row: number, before: number, counts: WildcardCounts, keys: number, k: number): number {
  let mask = before
  let f = counts.count(row, mask)
  while (f < k && mask !== 0) {
    mask = withoutLeastImportant(row, mask, f, counts, keys)
    f = counts.count(row, mask)
  }
  for (let key = 0; key < keys; key++) {
    const given = mask | (before & (1 << key))
    if (given !== mask && counts.count(row, given) >= k) mask = given
  }
  return mask
}

/** Takes away the least important key whose suppression helps; the least important one if none helps alone. */
function withoutLeastImportant(row: number, mask: number, f: number, counts: WildcardCounts, keys: number): number {
  for (let key = keys - 1; key >= 0; key--) {
    const without = mask & ~(1 << key)
    if (without !== mask && counts.count(row, without) > f) return without
  }
  return mask & ~(1 << (31 - Math.clz32(mask)))
}

/** The mask that keeps most keys; of equals the one that loses the least important keys. */
function fewestMask(row: number, before: number, counts: WildcardCounts, keys: number, k: number): number {
  for (const lost of subsetsBySize(keys)) {
    if ((lost & before) === lost && counts.count(row, before & ~lost) >= k) return before & ~lost
  }
  return 0
}

const subsetLists = new Map<number, readonly number[]>()

/** All sets of keys, small ones first, of equals the one with less important keys first. */
function subsetsBySize(keys: number): readonly number[] {
  const known = subsetLists.get(keys)
  if (known !== undefined) return known
  const size = (set: number) => {
    let bits = 0
    for (let rest = set; rest > 0; rest &= rest - 1) bits++
    return bits
  }
  const made = Array.from({ length: 2 ** keys - 1 }, (_, k) => k + 1).sort((a, b) => size(a) - size(b) || b - a)
  subsetLists.set(keys, made)
  return made
}

function blank(column: Column, codes: Int32Array): Column {
  if (column.kind === 'categorical') return { ...column, codes }
  return { ...column, values: column.values.map((value, row) => (codes[row] < 0 ? Number.NaN : value)) }
}

function touchedRecords(before: readonly JointColumn[], now: readonly Int32Array[]): number {
  let records = 0
  for (let row = 0; row < now[0].length; row++) {
    if (now.some((codes, key) => codes[row] !== before[key].codes[row])) records++
  }
  return records
}

/** The smallest count over all records and combinations, counted as the measures count; throws if it is below k. */
function verified(
  table: Table,
  keys: readonly string[],
  combinations: readonly (readonly number[])[],
  { k, alpha }: Options,
): { readonly reached: number; readonly restingOnMissing: number } {
  const own = release({ original: table, released: table, keys, type: 'perturbed' })
  const resting = new Uint8Array(table.rows)
  let reached = Number.POSITIVE_INFINITY
  for (const combination of combinations) {
    const names = combination.map((key) => keys[key])
    const counted = (weight: number) =>
      frequencies(own, 'original', names, { missing: 'wildcard', alpha: weight, definition: 'standard' }).f
    reached = counted(alpha).reduce((a, b) => Math.min(a, b), reached)
    for (const [row, f] of counted(0).entries()) if (f < k) resting[row] = 1
  }
  if (reached < k) throw new Error(`local suppression reached ${reached} instead of ${k}`)
  return { reached, restingOnMissing: resting.reduce((total, flag) => total + flag, 0) }
}

function smallestClass(columns: readonly Column[]): number {
  const coded = columns.map((column) => codeJointly([column]))
  const { ids, count: classes } = groupRows(coded, coded[0].codes.length)
  const sizes = new Int32Array(classes)
  for (const id of ids) sizes[id]++
  return sizes.reduce((a, b) => Math.min(a, b))
}
