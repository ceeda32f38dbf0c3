import { choose } from '../../../stats/special.js'
import { AT_LEAST, AT_MOST, type IndexedTable } from '../../../table/predicates.js'

/** What a predicate can say of the value of a record: an operator of `predicates.ts`, or `EITHER`. */
export interface DescribedTable extends IndexedTable {
  /** Of each column, by code. */
  readonly operators: readonly Uint8Array[]
}

export function operatorAt({ columns, operators }: DescribedTable, row: number, column: number): number {
  return operators[column][columns[column].codes[row]]
}

/** Stands for an operator that is still to be drawn, "at most" or "at least". */
export const EITHER = 255

/** Which of the predicates that are drawn hold for one record alone, each once. */
export interface IsolatingSearch {
  /** The predicate made from a row that says `operators` of the first of some columns, which ascend. */
  isNew(row: number, columns: Int32Array, operators: Uint8Array): boolean
  /** Whether it is known that all have been found. */
  isOver(): boolean
}

/** Up to so many predicates, in bits of memory, it is remembered which were tried. */
const MOST_REMEMBERED = 2 ** 27

/** Of so many attempts, each at a predicate of this width. */
export function isolatingSearch(table: DescribedTable, width: number, attempts: number): IsolatingSearch {
  const distinct = distinctPredicates(table, width)
  const isRemembered = table.rows * choose(table.columns.length, width) * 2 ** width <= MOST_REMEMBERED
  return isRemembered && attempts >= 2 * distinct ? amongTried(table, width, distinct) : amongKept(table, width)
}

/**
 * What did not isolate a record once does not later. Where few predicates isolate anybody, most attempts are repeats; when
 * as many have been made as there are predicates, the others are tried too, so that the search can end with the last one
 * that isolates.
 */
function amongTried(table: DescribedTable, width: number, untilSettled: number): IsolatingSearch {
  const { rows, columns } = table
  const across = columns.length
  const isAlone = aloneIn(table, width)
  const tried = new Int32Array(Math.ceil((rows * choose(across, width) * 2 ** width) / 32))
  // The place of ascending columns c_1 < c_2 < ... among all choices of so many is Σ (c_k choose k).
  const ways = Int32Array.from({ length: width * across }, (_, at) => choose(at % across, Math.floor(at / across) + 1))
  let unsettled = untilSettled
  let left = Number.POSITIVE_INFINITY
  return { isNew, isOver: () => left === 0 }

  function isNew(row: number, order: Int32Array, operators: Uint8Array): boolean {
    if (unsettled-- === 0) left = settle()
    // Hot.
    let choice = 0
    let either = 0
    for (let k = 0; k < width; k++) {
      choice += ways[k * across + order[k]]
      either = 2 * either + (operators[k] === AT_LEAST ? 1 : 0)
    }
    const place = (((choice * rows + row) << width) | either) >>> 0
    const bit = 1 << (place & 31)
    if ((tried[place >>> 5] & bit) !== 0) return false
    tried[place >>> 5] |= bit
    if (left === Number.POSITIVE_INFINITY) return isAlone(row, order, operators)
    left--
    return true
  }

  /** Tries all others; those that isolate are not marked, and counted. */
  function settle(): number {
    let isolating = 0
    const order = Int32Array.from({ length: width }, (_, k) => k)
    const operators = new Uint8Array(width)
    for (let choice = 0, place = 0; choice < choose(across, width); choice++) {
      for (let row = 0; row < rows; row++) {
        for (let either = 0; either < 2 ** width; either++, place++) {
          const bit = 1 << (place & 31)
          if ((tried[place >>> 5] & bit) !== 0 || !describes(row, order, either, operators)) continue
          if (isAlone(row, order, operators)) isolating++
          else tried[place >>> 5] |= bit
        }
      }
      nextChoice(order)
    }
    return isolating
  }

  /** Writes the operators of a predicate of a row; false where the row cannot be described so. */
  function describes(row: number, order: Int32Array, either: number, operators: Uint8Array): boolean {
    for (let k = 0; k < width; k++) {
      const operator = operatorAt(table, row, order[k])
      const atLeast = ((either >> (width - 1 - k)) & 1) === 1
      if (operator === EITHER) operators[k] = atLeast ? AT_LEAST : AT_MOST
      else if ((operator === AT_LEAST) !== atLeast) return false
      else operators[k] = operator
    }
    return true
  }
}

/** The next choice of ascending columns, in the order in which they are numbered. */
function nextChoice(order: Int32Array): void {
  let k = 0
  while (k + 1 < order.length && order[k] + 1 === order[k + 1]) order[k] = k++
  order[k]++
}

/** How many predicates there are; equal records count each. */
function distinctPredicates(table: DescribedTable, width: number): number {
  const across = table.columns.length
  const rowsWith = new Float64Array(across + 1)
  for (const either of describedEitherWay(table)) rowsWith[either]++
  let predicates = 0
  for (let either = 0; either <= across; either++)
    for (let k = 0; k <= Math.min(either, width); k++)
      predicates += rowsWith[either] * choose(either, k) * choose(across - either, width - k) * 2 ** k
  return predicates
}

/** On how many columns each record may be described in two ways. */
export function describedEitherWay({ rows, columns, operators }: DescribedTable): Int32Array {
  const ways = new Int32Array(rows)
  for (const [j, { codes }] of columns.entries()) {
    if (!operators[j].includes(EITHER)) continue
    for (let row = 0; row < rows; row++) if (operators[j][codes[row]] === EITHER) ways[row]++
  }
  return ways
}

/** Too many predicates to try all, so that few attempts are repeats: only those that isolated a record are remembered. */
function amongKept(table: DescribedTable, width: number): IsolatingSearch {
  const isAlone = aloneIn(table, width)
  // A predicate that holds for one record was made from it, so it is known by the record, the columns and the operators.
  const kept = new Set<string>()
  return {
    isNew(row, order, operators) {
      if (!isAlone(row, order, operators)) return false
      const predicate = `${row} ${order.subarray(0, width)} ${operators}`
      const isKnown = kept.has(predicate)
      kept.add(predicate)
      return !isKnown
    },
    isOver: () => false,
  }
}

/** Whether a predicate that was made from a row holds for no other row. */
function aloneIn({ columns }: DescribedTable, width: number) {
  /** The conditions, those that fewest rows satisfy first. */
  const codes = Array.from({ length: width }, () => columns[0].codes)
  const places = new Int32Array(width)
  const low = new Int32Array(width)
  const high = new Int32Array(width)
  const lengths = new Int32Array(width)

  return function isAlone(row: number, order: Int32Array, operators: Uint8Array): boolean {
    for (let given = 0; given < width; given++) {
      const place = order[given]
      const { start, cardinality, codes: ofColumn } = columns[place]
      const code = ofColumn[row]
      const from = operators[given] === AT_MOST ? 0 : code
      const to = operators[given] === AT_LEAST ? cardinality : code + 1
      const length = start[to] - start[from]
      let k = given
      for (; k > 0 && lengths[k - 1] > length; k--) {
        codes[k] = codes[k - 1]
        places[k] = places[k - 1]
        low[k] = low[k - 1]
        high[k] = high[k - 1]
        lengths[k] = lengths[k - 1]
      }
      codes[k] = ofColumn
      places[k] = place
      low[k] = from
      high[k] = to
      lengths[k] = length
    }
    if (width === 1 || lengths[0] === 1) return lengths[0] === 1
    const { start, rows } = columns[places[0]]
    const [second, from, to] = [codes[1], low[1], high[1]]
    // Hot: among the rows that satisfy the narrowest condition.
    for (let i = start[low[0]], last = start[high[0]]; i < last; i++) {
      const other = rows[i]
      const code = second[other]
      if (code < from || code >= to || other === row) continue
      let k = 2
      while (k < width && codes[k][other] >= low[k] && codes[k][other] < high[k]) k++
      if (k === width) return false
    }
    return true
  }
}
