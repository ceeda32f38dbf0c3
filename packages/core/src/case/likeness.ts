import { groupRows } from '@scrim/kernels'
import { grouped } from '../print.js'
import { type Column, columnLength } from '../table/column.js'
import { countedValues } from '../table/counted-values.js'
import { codeJointly } from '../table/joint.js'
import { reconcile } from '../table/reconcile.js'
import type { Likeness } from '../table/release.js'
import { columnNames, columnOf, findColumn, type Table } from '../table/table.js'

/** From here on most of the original is in the release; and below it coarse records coincide by chance. */
const MOST = 0.5

/**
 * Whether a release is the original, or contains it, or most of it: a fact about two files that needs no measure.
 *
 * Records are compared as wholes over the columns that both files have, each used once. Where they do not coincide, the
 * files may still be the same up to the names of columns and values and the order of rows: then they have the same
 * pattern of equal values. The pattern is compared by refinement (Weisfeiler and Leman 1968): a value is known by how
 * often it occurs, a record by its values, a value anew by its records, and so on; equal files have equal records to the
 * end. Blind to copies that are renamed and changed as well, which the measures of memorisation see.
 */
export function likeness(original: Table, released: Table): Likeness | null {
  const names = columnNames(original).filter((name) => findColumn(released, name) !== undefined)
  const shared = names.length < 2 ? null : sharedRecords(original, released, names)
  const isTelling = shared !== null && shared.unique >= MOST * original.rows
  if (shared !== null && shared.found === original.rows && (isTelling || released.rows === original.rows))
    return { sentence: copyText(original, released, names), isCopy: isTelling }
  if (hasSamePattern(original, released))
    return {
      sentence: `${released.name} is ${original.name} with other names for columns or values: both have the same records once these are set aside`,
      isCopy: true,
    }
  if (!isTelling || shared.uniqueFound < MOST * shared.unique) return null
  return {
    sentence: `${released.name} contains most of ${original.name}: ${grouped(shared.uniqueFound)} of the ${grouped(shared.unique)} records that occur once are in it unchanged`,
    isCopy: false,
  }
}

function copyText(original: Table, released: Table, names: readonly string[]): string {
  const rest = original.columns.length - names.length
  const without = rest === 0 ? '' : `, without ${rest === 1 ? 'one column' : `${rest} columns`}`
  if (released.rows > original.rows)
    return `${released.name} contains ${original.name}: every record of it is there${without}`
  return `${released.name} is ${original.name} itself: every record of it is there${isInOrder(original, released, names) ? '' : ', in another order'}${without}`
}

function isInOrder(original: Table, released: Table, names: readonly string[]): boolean {
  return names.every((name) => {
    const joint = jointCodes(original, released, name)
    return (
      joint === null ||
      joint.codes.subarray(0, original.rows).every((code, row) => code === joint.codes[original.rows + row])
    )
  })
}

function jointCodes(original: Table, released: Table, name: string) {
  const columns = reconcile([columnOf(original, name), columnOf(released, name)], [original.name, released.name])
  return typeof columns === 'string' ? null : codeJointly(columns)
}

function sharedRecords(original: Table, released: Table, names: readonly string[]) {
  const columns = names.map((name) => jointCodes(original, released, name))
  const known = columns.flatMap((column) => column ?? [])
  if (known.length < names.length) return null
  const { ids, count } = groupRows(known, original.rows + released.rows)
  const there = new Int32Array(count)
  const here = new Int32Array(count)
  for (let row = 0; row < ids.length; row++) (row < original.rows ? here : there)[ids[row]]++
  let [found, unique, uniqueFound] = [0, 0, 0]
  for (let id = 0; id < count; id++) {
    found += Math.min(here[id], there[id])
    if (here[id] !== 1) continue
    unique++
    if (there[id] > 0) uniqueFound++
  }
  return { found, unique, uniqueFound }
}

const ROUNDS = 6
/** Below this two files may have one pattern by chance. */
const FEWEST_ROWS = 20

function hasSamePattern(original: Table, released: Table): boolean {
  if (original.rows !== released.rows || original.columns.length !== released.columns.length) return false
  if (original.rows < FEWEST_ROWS || original.columns.length < 2) return false
  if (!isSameList(distinctValues(original), distinctValues(released))) return false
  const [ours, theirs] = [signatures(original), signatures(released)]
  for (let round = 0; round < ROUNDS; round++) if (ours.refine() !== theirs.refine()) return false
  const [sorted, others] = [ours.records().sort(), theirs.records().sort()]
  // Where most records look alike in this way, the pattern says little.
  if (distinctCount(sorted) < MOST * original.rows) return false
  return sorted.every((signature, row) => signature === others[row])
}

/** How many values each column has, sorted: files of one pattern have as many, which is soon seen. */
function distinctValues({ columns }: Table): Int32Array {
  const counts = columns.map((column) => {
    const { values, known } = countedValues(column)
    return values.length + (known < columnLength(column) ? 1 : 0)
  })
  return Int32Array.from(counts).sort()
}

function isSameList(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k])
}

/** One number per record that depends on the pattern of equal values only. */
interface Signatures {
  /** Tells more records apart; returns a number that is the same for the same records in any order. */
  refine(): number
  records(): Float64Array
}

function signatures({ columns, rows }: Table): Signatures {
  const coded = columns.map(codes)
  let records = new Float64Array(rows).fill(1)
  return {
    records: () => records,
    refine() {
      const next = new Float64Array(rows)
      for (const { ids, count } of coded) {
        const values = new Float64Array(count)
        for (let row = 0; row < rows; row++) values[ids[row]] = sum(values[ids[row]], records[row])
        for (let code = 0; code < count; code++) values[code] = mixed(values[code])
        for (let row = 0; row < rows; row++) next[row] = sum(next[row], values[ids[row]])
      }
      let all = 0
      for (let row = 0; row < rows; row++) {
        next[row] = mixed((next[row] + 3 * records[row]) % MODULUS)
        all = sum(all, mixed(next[row]))
      }
      records = next
      return all
    },
  }
}

/** Sums below 2^53 are exact, so that their order does not matter. */
const MODULUS = 2 ** 51

/** Of two numbers below the modulus; the remainder of a division takes many times as long. */
function sum(a: number, b: number): number {
  return a + b >= MODULUS ? a + b - MODULUS : a + b
}

function mixed(value: number): number {
  let low = (value % 2 ** 32) >>> 0
  let high = Math.floor(value / 2 ** 32) >>> 0
  for (let turn = 0; turn < 2; turn++) {
    low = Math.imul(low ^ (low >>> 16) ^ high, 0x85ebca6b) >>> 0
    high = Math.imul(high ^ (high >>> 13) ^ low, 0xc2b2ae35) >>> 0
  }
  return (high % 2 ** 19) * 2 ** 32 + low
}

function codes(column: Column): { ids: Int32Array; count: number } {
  const { codes: own, cardinality } = codeJointly([column])
  // Missing is a value of its own here.
  return { ids: own.map((code) => code + 1), count: cardinality + 1 }
}

function distinctCount(sorted: Float64Array): number {
  let count = 0
  for (let k = 0; k < sorted.length; k++) if (k === 0 || sorted[k] !== sorted[k - 1]) count++
  return count
}
