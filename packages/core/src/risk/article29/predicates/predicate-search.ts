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
  NAIVE_MISSING,
  NAIVE_NOMINAL,
  NAIVE_NUMERIC,
  type Predicates,
} from '../../../table/predicates.js'
import {
  type DescribedTable,
  describedEitherWay,
  EITHER,
  type IsolatingSearch,
  isolatingSearch,
  operatorAt,
} from './isolating-search.js'

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

/** Predicates that were drawn, and how many had been tried when each was. */
interface Drawn {
  readonly predicates: Predicates
  readonly attemptOf: Int32Array
  /** Random predicates tried so far, those of earlier draws included; all that are allowed where no more can be found. */
  readonly attempts: number
}

/** So many predicates, or as many as there are. */
export function drawPredicates(
  released: IndexedTable,
  search: Search,
  random: Stream,
  check: (found: number) => void,
): Drawn {
  return predicateDraws(released, search, random, check)(search.wanted)
}

/**
 * Random released records described on random columns: missing where the value is, equality for levels, and for numbers
 * "at least" above the released median and "at most" below it. On the median itself either is drawn, so that numbers with
 * the other sign are described alike; the published definitions say "at most". One draw goes on where the last one ended; together
 * they make no more attempts than are allowed.
 */
export function predicateDraws(
  released: IndexedTable,
  { width, wanted: most, mostAttempts, isolating, medians }: Search,
  random: Stream,
  check: (found: number) => void,
): (wanted: number) => Drawn {
  const { columns } = released
  const across = columns.length
  const described = describe(released, medians === 'at most' ? AT_MOST : EITHER)
  const mostEither = describedEitherWay(described).reduce((most, either) => Math.max(most, either), 0)
  const possible = released.rows * choose(across, width) * 2 ** Math.min(width, mostEither)
  const limit = isolating ? Math.min(mostAttempts, ATTEMPTS_PER_PREDICATE * possible) : most
  const search = isolating ? isolatingSearch(described, width, limit) : ANYTHING
  const order = Int32Array.from(columns, (_, j) => j)
  const operators = new Uint8Array(width)
  let attempts = 0
  return (wanted) => {
    const predicates = room(width, wanted)
    const attemptOf = new Int32Array(wanted)
    let count = 0
    for (; attempts < limit && count < wanted; attempts++) {
      // What is left to try is in vain once all are found.
      if (search.isOver()) {
        attempts = limit
        break
      }
      if (attempts % CHECK_EVERY === 0) check(count)
      const row = random.below(released.rows)
      drawColumns(random, order, width)
      for (let k = 0; k < width; k++) {
        const operator = operatorAt(described, row, order[k])
        operators[k] = operator === EITHER ? EITHER_WAY[random.below(2)] : operator
      }
      if (!search.isNew(row, order, operators)) continue
      for (let k = 0; k < width; k++) {
        predicates.column[count * width + k] = order[k]
        predicates.operator[count * width + k] = operators[k]
        predicates.code[count * width + k] = columns[order[k]].codes[row]
      }
      attemptOf[count++] = attempts + 1
    }
    return { predicates: firstOf(predicates, count), attemptOf: attemptOf.subarray(0, count), attempts }
  }
}

const ANYTHING: IsolatingSearch = { isNew: () => true, isOver: () => false }

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
export function samplePredicates(predicates: Predicates, wanted: number, random: Stream): Predicates {
  const { count } = predicates
  return pickPredicates(predicates, sampleWithoutReplacement(random, count, Math.min(wanted, count)))
}

/** Those at some places. */
export function pickPredicates({ width, column, operator, code }: Predicates, chosen: Int32Array): Predicates {
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

const EITHER_WAY = [AT_MOST, AT_LEAST] as const

/** What is said of every value of a table. */
function describe(table: IndexedTable, onMedian: typeof AT_MOST | typeof EITHER): DescribedTable {
  return { ...table, operators: table.columns.map((column) => operatorsByCode(column, onMedian)) }
}

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
