import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { choose } from '../../../stats/special.js'
import {
  AT_LEAST,
  AT_MOST,
  EQUAL,
  type IndexedColumn,
  type IndexedTable,
  MISSING,
  matcher,
  NAIVE_MISSING,
  NAIVE_NOMINAL,
  NAIVE_NUMERIC,
  type Predicates,
} from './predicates.js'

/**
 * The attacker's predicates, made from the released table alone. One that holds for a single released record is hoped to
 * hold for a single person as well: Giomi, Boenisch, Wehmeyer and Tasnádi (2023), section 4.1.
 */
export interface Search {
  readonly width: number
  readonly wanted: number
  readonly mostAttempts: number
  /** Keep those only that hold for one released record, each once. */
  readonly isolating: boolean
  /** What is said of a number that is the released median: as published, or one or the other at random. */
  readonly medians: 'at most' | 'either way'
}

/** How often the loop looks whether it shall stop. */
const CHECK_EVERY = 4096
/** With this many attempts per possible predicate, hardly one is missed. */
const ATTEMPTS_PER_PREDICATE = 20

/**
 * Random released records described on random columns: missing where the value is, equality for levels, and for numbers
 * "at least" above the released median and "at most" below it. On the median itself either is drawn, so that numbers with
 * the other sign are described alike; the published definitions say "at most".
 */
export function drawPredicates(
  released: IndexedTable,
  { width, wanted, mostAttempts, isolating, medians }: Search,
  random: Stream,
  check: (found: number) => void,
): { readonly predicates: Predicates; readonly attempts: number } {
  const { columns, cells } = released
  const describe = columns.map((column) => operatorsByCode(column, medians === 'at most' ? AT_MOST : EITHER))
  const predicates = room(width, wanted)
  const match = matcher(released)
  const none = new Int32Array(0)
  const repeats = isolating ? repeatsOfRow(released.rows, predicates) : () => false
  const tried = isolating ? triedBefore(released.rows, columns.length, predicates) : () => false
  const possible = released.rows * choose(columns.length, width) * 2 ** mostEither(released, describe, width)
  const limit = isolating ? Math.min(mostAttempts, ATTEMPTS_PER_PREDICATE * possible) : wanted
  const order = Int32Array.from(columns, (_, j) => j)
  let count = 0
  let attempts = 0
  for (; attempts < limit && count < wanted; attempts++) {
    if (attempts % CHECK_EVERY === 0) check(count)
    const row = random.below(released.rows)
    drawColumns(random, order, width)
    for (let k = 0; k < width; k++) {
      const code = cells[row * columns.length + order[k]]
      const operator = describe[order[k]][code]
      predicates.column[count * width + k] = order[k]
      predicates.operator[count * width + k] = operator === EITHER ? EITHER_WAY[random.below(2)] : operator
      predicates.code[count * width + k] = code
    }
    if (tried(row, count)) continue
    if (isolating && (match(predicates, count, none, 1) !== 1 || repeats(row, count))) continue
    count++
  }
  return { predicates: firstOf(predicates, count), attempts }
}

/** Every predicate on one column that holds for one released record: missing, smallest, largest, and values of one record. */
export function allSingleColumnPredicates({ columns }: IndexedTable): Predicates {
  const found: { column: number; operator: number; code: number }[] = []
  for (const [column, { start, cardinality, numeric }] of columns.entries()) {
    const holds = (code: number) => start[code + 1] - start[code]
    if (holds(cardinality) === 1) found.push({ column, operator: MISSING, code: cardinality })
    const present = Array.from({ length: cardinality }, (_, code) => code).filter((code) => holds(code) > 0)
    const ends = [
      { operator: AT_MOST, code: present.at(0) },
      { operator: AT_LEAST, code: present.at(-1) },
    ]
    for (const { operator, code } of numeric ? ends : [])
      if (code !== undefined && holds(code) === 1) found.push({ column, operator, code })
    for (const code of present) if (holds(code) === 1) found.push({ column, operator: EQUAL, code })
  }
  return {
    width: 1,
    count: found.length,
    column: Int32Array.from(found, (one) => one.column),
    operator: Uint8Array.from(found, (one) => one.operator),
    code: Int32Array.from(found, (one) => one.code),
  }
}

/** At most `wanted` of the predicates, at random. */
export function samplePredicates(
  { width, count, column, operator, code }: Predicates,
  wanted: number,
  random: Stream,
): Predicates {
  const chosen = sampleWithoutReplacement(random, count, Math.min(wanted, count))
  const places = Int32Array.from(
    { length: chosen.length * width },
    (_, i) => chosen[Math.floor(i / width)] * width + (i % width),
  )
  return {
    width,
    count: chosen.length,
    column: places.map((at) => column[at]),
    operator: Uint8Array.from(places, (at) => operator[at]),
    code: places.map((at) => code[at]),
  }
}

/** What somebody tries who does not think: random columns, a random value that the release shows, a random operator. */
export function drawNaivePredicates(
  { columns }: IndexedTable,
  width: number,
  wanted: number,
  random: Stream,
): Predicates {
  const predicates = room(width, wanted)
  const shown = columns.map(({ start, cardinality }) =>
    Int32Array.from({ length: cardinality + 1 }, (_, code) => code).filter((code) => start[code + 1] > start[code]),
  )
  const order = Int32Array.from(columns, (_, j) => j)
  for (let q = 0; q < wanted; q++) {
    drawColumns(random, order, width)
    for (let k = 0; k < width; k++) {
      const { numeric, cardinality } = columns[order[k]]
      const code = shown[order[k]][random.below(shown[order[k]].length)]
      const operators = code === cardinality ? NAIVE_MISSING : numeric ? NAIVE_NUMERIC : NAIVE_NOMINAL
      predicates.column[q * width + k] = order[k]
      predicates.operator[q * width + k] = operators[random.below(operators.length)]
      predicates.code[q * width + k] = code
    }
  }
  return predicates
}

/** Stands for an operator that is still to be drawn. */
const EITHER = 255
const EITHER_WAY = [AT_MOST, AT_LEAST] as const

/** For every code the operator that describes it. The median lies between two codes that occur, or on one. */
function operatorsByCode(
  { numeric, cardinality, codes, rows, start }: IndexedColumn,
  onMedian: typeof AT_MOST | typeof EITHER,
): Uint8Array {
  const present = start[cardinality]
  const operators = new Uint8Array(cardinality + 1).fill(EQUAL)
  if (numeric && present > 0) {
    const below = codes[rows[(present - 1) >> 1]]
    const above = codes[rows[present >> 1]]
    operators.fill(AT_MOST).fill(AT_LEAST, above)
    if (below === above) operators[above] = onMedian
  }
  operators[cardinality] = MISSING
  return operators
}

/** On how many of `width` columns a record may be described in two ways, at most. */
function mostEither({ columns, rows }: IndexedTable, describe: readonly Uint8Array[], width: number): number {
  let most = 0
  for (let row = 0; row < rows && most < width; row++) {
    let either = 0
    for (let j = 0; j < columns.length; j++) if (describe[j][columns[j].codes[row]] === EITHER) either++
    most = Math.max(most, Math.min(width, either))
  }
  return most
}

/**
 * Whether the predicate at `count` was kept before. A predicate that holds for one released record was made from that
 * record, so it is the same exactly if the record, the columns and the operators are.
 */
function repeatsOfRow(rows: number, { width, column, operator }: Predicates): (row: number, count: number) => boolean {
  const latest = new Int32Array(rows).fill(-1)
  const earlier = new Int32Array(width === 0 ? 0 : column.length / width)
  const same = (a: number, b: number) => {
    for (let k = 0; k < width; k++) {
      const [at, other] = [a * width + k, b * width + k]
      if (column[at] !== column[other] || operator[at] !== operator[other]) return false
    }
    return true
  }
  return (row, count) => {
    for (let q = latest[row]; q >= 0; q = earlier[q]) if (same(q, count)) return true
    earlier[count] = latest[row]
    latest[row] = count
    return false
  }
}

/** Up to so many predicates, in bits of memory, it is remembered which were tried. */
const MOST_REMEMBERED = 2 ** 27

/**
 * Whether the predicate at `count`, made from this row, was tried before: what did not isolate a record then does not now. Where
 * few predicates isolate anybody, most attempts are repeats. Says no where there are too many predicates to remember.
 */
function triedBefore(
  rows: number,
  across: number,
  { width, column, operator }: Predicates,
): (row: number, count: number) => boolean {
  const predicates = rows * choose(across, width) * 2 ** width
  if (predicates > MOST_REMEMBERED) return () => false
  const tried = new Int32Array(Math.ceil(predicates / 32))
  // The place of ascending columns c_1 < c_2 < ... among all choices of so many is Σ (c_k choose k).
  const ways = Array.from({ length: width }, (_, k) => Int32Array.from({ length: across }, (_, c) => choose(c, k + 1)))
  return (row, count) => {
    let choice = 0
    let either = 0
    for (let k = 0; k < width; k++) {
      choice += ways[k][column[count * width + k]]
      either = 2 * either + (operator[count * width + k] === AT_LEAST ? 1 : 0)
    }
    const place = (choice * rows + row) * 2 ** width + either
    const bit = 1 << (place % 32)
    const word = Math.floor(place / 32)
    if ((tried[word] & bit) !== 0) return true
    tried[word] |= bit
    return false
  }
}

/** Moves `width` random columns to the front, ascending. */
function drawColumns(random: Stream, order: Int32Array, width: number): void {
  for (let k = 0; k < width; k++) {
    const other = k + random.below(order.length - k)
    const column = order[other]
    order[other] = order[k]
    let place = k
    for (; place > 0 && order[place - 1] > column; place--) order[place] = order[place - 1]
    order[place] = column
  }
}

function room(width: number, count: number): Predicates {
  const length = width * count
  return {
    width,
    count,
    column: new Int32Array(length),
    operator: new Uint8Array(length),
    code: new Int32Array(length),
  }
}

function firstOf({ width, column, operator, code }: Predicates, count: number): Predicates {
  const length = width * count
  return {
    width,
    count,
    column: column.subarray(0, length),
    operator: operator.subarray(0, length),
    code: code.subarray(0, length),
  }
}
