import { math } from '@scrim/kernels'
import { firstWhere } from '../../stats/sorted.js'
import { type CategoricalColumn, type Column, dateLabel, isMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'

/**
 * Rules that the original itself suggests, because they hold without an exception although chance would have made some:
 *
 *   range    a number stays within its bounds
 *   levels   a category has no level that the original lacks
 *   zero     two levels never meet: never sex = "M" & pregnant = "YES"
 *   bound    with this level a number stays above or below something: marital = "MARRIED" => age >= 18
 *
 * A zero is believed when independent columns would leave that cell empty with a probability of less than 5 % over all cells
 * looked at: expected count E = n_a n_b / n with exp(-E) <= 0.05 / cells. A bound is believed likewise, E being the number of
 * records beyond it that independence would give.
 *
 * Bounds are not the least and greatest values, which the next record may pass, and which belong to somebody: with x1 <= ... <= x5
 * the five least ones the bound is x1 - (x5 - x1), rounded outwards; where five share the least value it is that value.
 */
export interface LearntRules {
  readonly ranges: readonly Range[]
  readonly levels: readonly Levels[]
  readonly zeros: readonly Zeros[]
  readonly bounds: readonly Bounds[]
}

interface Range {
  readonly column: string
  readonly lower: number
  readonly upper: number
}

interface Levels {
  readonly column: string
  /** By code. */
  readonly allowed: Uint8Array
}

interface Zeros {
  readonly a: string
  readonly b: string
  readonly width: number
  /** 1 for the code of a times width plus that of b. */
  readonly forbidden: Uint8Array
}

interface Bounds {
  readonly given: string
  readonly column: string
  /** By code of `given`; infinite where nothing was learnt. */
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/** Columns with more levels are names, not categories. */
const MOST_LEVELS = 100
const FEWEST_RECORDS = 20
const SUPPORT = 5
const FALSE_RULES = 0.05

/** Rows of every number by its value, where it is known: sorted once for all parts of a table that are learnt from. */
export type SortedRows = ReadonlyMap<string, Int32Array>

export function sortRows(data: Table, variables: readonly string[]): SortedRows {
  return new Map(
    variables.flatMap((name) => {
      const column = columnOf(data, name)
      return column.kind === 'categorical' ? [] : [[name, inOrder(column.values)] as const]
    }),
  )
}

/** Learns from the given rows of a table. */
export function learnRules(
  data: Table,
  variables: readonly string[],
  rows: Int32Array,
  sortedRows: SortedRows = sortRows(data, variables),
): LearntRules {
  const columns = variables.map((name) => columnOf(data, name))
  const categories = columns.filter((column): column is CategoricalColumn => column.kind === 'categorical')
  const few = categories.filter(({ levels }) => levels.length <= MOST_LEVELS)
  const numbers = columns.filter((column) => column.kind !== 'categorical')
  const isChosen = new Uint8Array(data.rows)
  for (const row of rows) isChosen[row] = 1
  const sorted = new Map([...sortedRows].map(([name, order]) => [name, order.filter((row) => isChosen[row] === 1)]))
  const cells = few.reduce(
    (sum, a, i) =>
      sum +
      few.slice(i + 1).reduce((all, b) => all + a.levels.length * b.levels.length, 0) +
      2 * numbers.length * a.levels.length,
    0,
  )
  const enough = math.log(Math.max(1, cells) / FALSE_RULES)
  return {
    ranges: numbers.flatMap((column) => rangeOf(column, sorted.get(column.name) ?? new Int32Array()) ?? []),
    levels: categories.flatMap((column) => levelsOf(column, rows) ?? []),
    zeros: few.flatMap((a, i) => few.slice(i + 1).flatMap((b) => zerosOf(a, b, rows, enough) ?? [])),
    bounds: few.flatMap((given) =>
      numbers.flatMap((column) => boundsOf(given, column, sorted.get(column.name) ?? new Int32Array(), enough) ?? []),
    ),
  }
}

function inOrder(values: Float64Array): Int32Array {
  const rows = Float64Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
  return Int32Array.from(rows.sort((i, j) => values[i] - values[j] || i - j))
}

function rangeOf({ name, values }: { name: string; values: Float64Array }, order: Int32Array): Range | null {
  const n = order.length
  if (n < FEWEST_RECORDS) return null
  const at = (k: number) => values[order[k]]
  return {
    column: name,
    lower: widened(at(0), at(SUPPORT - 1)),
    upper: widened(at(n - 1), at(n - SUPPORT)),
  }
}

/** x1 - (x5 - x1), rounded away from x5 to the first digit of the difference. */
function widened(extreme: number, inner: number): number {
  const gap = extreme - inner
  if (gap === 0) return extreme
  const step = math.pow(10, Math.floor(math.log10(Math.abs(gap))))
  const beyond = (extreme + gap) / step
  return Number(((gap > 0 ? Math.ceil(beyond) : Math.floor(beyond)) * step).toPrecision(12))
}

function levelsOf({ name, codes, levels }: CategoricalColumn, rows: Int32Array): Levels | null {
  const allowed = new Uint8Array(levels.length)
  let known = 0
  for (const row of rows) {
    if (codes[row] < 0) continue
    allowed[codes[row]] = 1
    known++
  }
  return known < FEWEST_RECORDS ? null : { column: name, allowed }
}

function zerosOf(a: CategoricalColumn, b: CategoricalColumn, rows: Int32Array, enough: number): Zeros | null {
  const width = b.levels.length
  const counts = new Float64Array(a.levels.length * width)
  const ofA = new Float64Array(a.levels.length)
  const ofB = new Float64Array(width)
  let n = 0
  for (const row of rows) {
    const [i, j] = [a.codes[row], b.codes[row]]
    if (i < 0 || j < 0) continue
    counts[i * width + j]++
    ofA[i]++
    ofB[j]++
    n++
  }
  const forbidden = new Uint8Array(counts.length)
  for (let i = 0; i < ofA.length; i++)
    for (let j = 0; j < width; j++)
      if (counts[i * width + j] === 0 && ofA[i] * ofB[j] >= enough * n && n > 0) forbidden[i * width + j] = 1
  return forbidden.includes(1) ? { a: a.name, b: b.name, width, forbidden } : null
}

function boundsOf(
  given: CategoricalColumn,
  { name, values }: { name: string; values: Float64Array },
  order: Int32Array,
  enough: number,
): Bounds | null {
  const known = order.filter((row) => given.codes[row] >= 0)
  const n = known.length
  const sizes = new Float64Array(given.levels.length)
  for (const row of known) sizes[given.codes[row]]++
  const lower = oneSide(given.codes, values, known, sizes, enough, Number.NEGATIVE_INFINITY)
  const upper = oneSide(given.codes, values, known.toReversed(), sizes, enough, Number.POSITIVE_INFINITY)
  const learnt = (bound: number) => Number.isFinite(bound)
  return n > 0 && (lower.some(learnt) || upper.some(learnt)) ? { given: given.name, column: name, lower, upper } : null
}

/** Of each level the bound where its values begin, from the side from which `order` comes. */
function oneSide(
  codes: Int32Array,
  values: Float64Array,
  order: Int32Array,
  sizes: Float64Array,
  enough: number,
  none: number,
): Float64Array {
  const seen = new Int32Array(sizes.length)
  const first = new Float64Array(sizes.length)
  const bounds = new Float64Array(sizes.length).fill(none)
  for (const row of order) {
    const code = codes[row]
    seen[code]++
    if (seen[code] === 1) first[code] = values[row]
    if (seen[code] === SUPPORT) bounds[code] = widened(first[code], values[row])
  }
  const isBeyond =
    none < 0 ? (value: number, bound: number) => value < bound : (value: number, bound: number) => value > bound
  return bounds.map((bound, code) => {
    if (bound === none) return none
    const beyond = firstWhere(0, order.length, (place) => !isBeyond(values[order[place]], bound))
    return (beyond * sizes[code]) / order.length >= enough ? bound : none
  })
}

type LearntKind = 'range' | 'levels' | 'zero' | 'bound'

export type BrokenRule = {
  /** As it would be written in a file of rules. */
  readonly rule: string
  readonly kind: LearntKind
  readonly broken: number
}

export interface Breaks {
  /** 1 for records that break some rule. */
  readonly any: Uint8Array
  /** Rules that are broken, most often broken first. */
  readonly rules: readonly BrokenRule[]
}

export function countRules({ ranges, levels, zeros, bounds }: LearntRules): number {
  const finite = (values: Float64Array) => values.filter(Number.isFinite).length
  return (
    ranges.length +
    levels.length +
    zeros.reduce((sum, { forbidden }) => sum + forbidden.filter((one) => one === 1).length, 0) +
    bounds.reduce((sum, { lower, upper }) => sum + finite(lower) + finite(upper), 0)
  )
}

/** The records of a table, or of some of its rows, that break rules learnt from a table with the same levels. */
export function findBreaks(learnt: LearntRules, data: Table, rows: Int32Array | null = null): Breaks {
  const any = new Uint8Array(data.rows)
  const chosen = rows ?? Int32Array.from({ length: data.rows }, (_, row) => row)
  const rules: BrokenRule[] = []
  const add = (kind: LearntKind, broken: number, rule: () => string) => {
    if (broken > 0) rules.push({ kind, broken, rule: rule() })
  }
  for (const { column: name, lower, upper } of learnt.ranges) {
    const column = columnOf(data, name)
    if (column.kind === 'categorical') continue
    let broken = 0
    for (const row of chosen)
      if (column.values[row] < lower || column.values[row] > upper) {
        any[row] = 1
        broken++
      }
    add(
      'range',
      broken,
      () => `${word(name)} >= ${written(column, lower)} & ${word(name)} <= ${written(column, upper)}`,
    )
  }
  for (const { column: name, allowed } of learnt.levels) {
    const column = columnOf(data, name)
    if (column.kind !== 'categorical') continue
    let broken = 0
    for (const row of chosen)
      if (column.codes[row] >= 0 && allowed[column.codes[row]] === 0) {
        any[row] = 1
        broken++
      }
    add('levels', broken, () => levelsText(column, allowed))
  }
  for (const zeros of learnt.zeros) breakZeros(zeros, data, chosen, any, add)
  for (const bounds of learnt.bounds) breakBounds(bounds, data, chosen, any, add)
  return { any, rules: rules.sort((a, b) => b.broken - a.broken) }
}

type Add = (kind: LearntKind, broken: number, rule: () => string) => void

function breakZeros({ a, b, width, forbidden }: Zeros, data: Table, rows: Int32Array, any: Uint8Array, add: Add): void {
  const [first, second] = [columnOf(data, a), columnOf(data, b)]
  if (first.kind !== 'categorical' || second.kind !== 'categorical') return
  const broken = new Int32Array(forbidden.length)
  for (const row of rows) {
    const [i, j] = [first.codes[row], second.codes[row]]
    if (i < 0 || j < 0 || forbidden[i * width + j] === 0) continue
    any[row] = 1
    broken[i * width + j]++
  }
  broken.forEach((times, cell) => {
    add('zero', times, () => {
      const [i, j] = [Math.floor(cell / width), cell % width]
      return `never ${word(a)} = ${text(first.levels[i])} & ${word(b)} = ${text(second.levels[j])}`
    })
  })
}

function breakBounds(
  { given, column, lower, upper }: Bounds,
  data: Table,
  rows: Int32Array,
  any: Uint8Array,
  add: Add,
): void {
  const [category, number] = [columnOf(data, given), columnOf(data, column)]
  if (category.kind !== 'categorical' || number.kind === 'categorical') return
  const below = new Int32Array(lower.length)
  const above = new Int32Array(lower.length)
  for (const row of rows) {
    const code = category.codes[row]
    if (code < 0 || isMissing(number, row)) continue
    const value = number.values[row]
    if (value < lower[code]) below[code]++
    else if (value > upper[code]) above[code]++
    else continue
    any[row] = 1
  }
  const rule = (code: number, symbol: string, bound: number) => () =>
    `${word(given)} = ${text(category.levels[code])} => ${word(column)} ${symbol} ${written(number, bound)}`
  below.forEach((times, code) => {
    add('bound', times, rule(code, '>=', lower[code]))
  })
  above.forEach((times, code) => {
    add('bound', times, rule(code, '<=', upper[code]))
  })
}

const MOST_LISTED = 12

function levelsText({ name, levels }: CategoricalColumn, allowed: Uint8Array): string {
  const known = levels.filter((_, code) => allowed[code] === 1)
  return known.length <= MOST_LISTED
    ? `${word(name)} in (${known.map(text).join(', ')})`
    : `${word(name)} is one of the ${known.length} levels of the original`
}

function word(name: string): string {
  return /^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) ? name : `\`${name}\``
}

function text(level: string): string {
  return level.includes('"') ? `'${level}'` : `"${level}"`
}

function written(column: Column, value: number): string {
  return column.kind === 'date' ? `"${dateLabel(value, column.unit)}"` : String(value)
}
