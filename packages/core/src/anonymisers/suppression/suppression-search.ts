import { groupRows } from '@scrim/kernels'
import { bitCount } from '../../risk/frequency/counts/minimal-uniques.js'
import { MISSING_CODE } from '../../table/column.js'
import type { JointColumn } from '../../table/joint.js'
import { throwIfAborted } from '../../tasks/task.js'
import type { AnonymiserContext } from '../method/anonymiser.js'
import { type WildcardCounts, wildcardCounts } from './wildcard-counts.js'

/**
 * Which key values to suppress until every record agrees with k, in four steps per combination of keys:
 *
 * 1. Records that one suppressed value brings to k, as the file is, lose the least important such key.
 * 2. The others follow one by one, the rarest first, with the counts as they are by then: of the keys left, the least
 *    important one that brings k, or else that lets the record agree with more, and so on until k.
 * 3. Within the record, values whose suppression proved needless are given back, the most important first.
 * 4. Over the whole file, values are given back whose suppression nobody needs any more, own or other record.
 *
 * The smallest number of values is a set cover problem, which nobody solves exactly; no step here looks ahead.
 */
export interface SuppressionRule {
  readonly k: number
  /** Least important keys first, or the smallest set of keys that will do in step 2. */
  readonly search: 'importance' | 'fewest'
  /** Every rare record loses a value; or step 1 is left out, and who has k by then keeps all. */
  readonly counting: 'pass' | 'running'
  readonly alpha: number
}

/** Codes after suppression, and how many records violated k-anonymity before. */
export function suppressToK(
  coded: readonly JointColumn[],
  combinations: readonly (readonly number[])[],
  rule: SuppressionRule,
  context: AnonymiserContext,
): { readonly now: readonly Int32Array[]; readonly violating: number } {
  const now = coded.map(({ codes }) => codes.slice())
  const violators = new Set<number>()
  for (let first = true, settled = false; !settled; first = false) {
    settled = true
    for (const keys of combinations) {
      const columns = keys.map((key) => ({ ...coded[key], codes: now[key].slice() }))
      const counts = wildcardCounts(columns, rule.alpha)
      const rare = rareRecords(columns, counts, rule.k)
      if (first) for (const row of rare) violators.add(row)
      if (rare.length === 0) continue
      // With alpha 1 a suppression never lowers anybody's count, so one pass is enough.
      settled = rule.alpha === 1
      protect({ columns, counts, rare, before: rare.map((row) => counts.maskOf(row)) }, rule, context)
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

/** The rare records of a combination of keys, with the keys they had; bit 0 of a mask is the most important key. */
interface Rare {
  readonly columns: readonly JointColumn[]
  readonly counts: WildcardCounts
  readonly rare: Int32Array
  readonly before: Int32Array
}

function protect(records: Rare, rule: SuppressionRule, context: AnonymiserContext): void {
  const { counts, rare, before } = records
  const alone = rule.counting === 'pass' ? onesThatWillDo(records, rule.k) : new Int32Array(rare.length).fill(-1)
  for (const [at, row] of rare.entries()) if (alone[at] >= 0) counts.move(row, alone[at])
  for (const [at, row] of rare.entries()) {
    report(at, rare.length, context)
    if (alone[at] >= 0) continue
    if (rule.counting === 'running' && counts.count(row, before[at]) >= rule.k) continue
    counts.move(row, protectiveMask(row, before[at], records, rule))
  }
  if (rule.alpha === 1) giveBack(records, rule, context)
}

const ROWS_PER_REPORT = 1024

function report(done: number, total: number, { signal, progress }: AnonymiserContext): void {
  if (done % ROWS_PER_REPORT !== 0) return
  throwIfAborted(signal)
  progress(done, total)
}

/** Per rare record its keys without the least important one that brings k when it alone is suppressed; -1 where none does. */
function onesThatWillDo({ columns, counts, rare, before }: Rare, k: number): Int32Array {
  return rare.map((row, at) => withoutOne(row, before[at], counts, columns.length, (f) => f >= k))
}

/** The mask without the least important key after whose loss the count is `enough`; -1 if there is none. */
function withoutOne(
  row: number,
  mask: number,
  counts: WildcardCounts,
  keys: number,
  enough: (f: number) => boolean,
): number {
  for (let key = keys - 1; key >= 0; key--) {
    const without = mask & ~(1 << key)
    if (without !== mask && enough(counts.count(row, without))) return without
  }
  return -1
}

/** The keys that a record may keep so that it agrees with k; at least one is lost. */
function protectiveMask(row: number, before: number, rare: Rare, { k, search }: SuppressionRule): number {
  const { counts, columns } = rare
  return search === 'fewest'
    ? fewestMask(row, before, counts, columns.length, k)
    : greedyMask(row, before, counts, columns.length, k)
}

function greedyMask(row: number, before: number, counts: WildcardCounts, keys: number, k: number): number {
  let mask = before
  for (let f = 0; mask !== 0 && f < k; ) {
    const held = counts.count(row, mask)
    const bringing = withoutOne(row, mask, counts, keys, (count) => count >= k)
    const helping = bringing >= 0 ? bringing : withoutOne(row, mask, counts, keys, (count) => count > held)
    mask = helping >= 0 ? helping : mask & ~(1 << (31 - Math.clz32(mask)))
    f = counts.count(row, mask)
  }
  for (let key = 0; key < keys; key++) {
    const restored = mask | (before & (1 << key))
    if (restored !== mask && restored !== before && counts.count(row, restored) >= k) mask = restored
  }
  return mask
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
  const made = Array.from({ length: 2 ** keys - 1 }, (_, k) => k + 1).sort((a, b) => bitCount(a) - bitCount(b) || b - a)
  subsetLists.set(keys, made)
  return made
}

/**
 * Gives values back while nobody falls below k, from the records that lost most. Only rare records can fall: the counts of
 * the others never go below what they were in the beginning (alpha is 1).
 */
function giveBack(records: Rare, { k, counting }: SuppressionRule, context: AnonymiserContext): void {
  const { columns, counts, rare, before } = records
  const fewest = counting === 'pass' ? 1 : 0
  const lost = (at: number) => bitCount(before[at] & ~counts.maskOf(rare[at]))
  for (let improved = true; improved; ) {
    improved = false
    const touched = [...rare.keys()].filter((at) => lost(at) > fewest).sort((a, b) => lost(b) - lost(a) || a - b)
    for (const [done, at] of touched.entries()) {
      report(done, touched.length, context)
      for (let key = 0; key < columns.length && lost(at) > fewest; key++) {
        const mask = counts.maskOf(rare[at])
        const fuller = mask | (before[at] & (1 << key))
        if (fuller === mask || counts.count(rare[at], fuller) < k || isNeeded(rare[at], key, records, k)) continue
        counts.move(rare[at], fuller)
        improved = true
      }
    }
  }
}

/** Whether a record would have fewer than k if `row` had its value of `key` again. Hot: all rare records are looked at. */
function isNeeded(row: number, key: number, { columns, counts, rare }: Rare, k: number): boolean {
  const { codes } = columns[key]
  const mask = counts.maskOf(row)
  for (const other of rare) {
    const its = counts.maskOf(other)
    if (((its >> key) & 1) === 0 || codes[other] === codes[row] || other === row) continue
    if (agree(row, other, mask & its, columns) && counts.count(other, its) <= k) return true
  }
  return false
}

function agree(row: number, other: number, mask: number, columns: readonly JointColumn[]): boolean {
  for (let key = 0; key < columns.length; key++)
    if (((mask >> key) & 1) === 1 && columns[key].codes[row] !== columns[key].codes[other]) return false
  return true
}
