import { math } from '@scrim/kernels'
import { significant } from '../../print.js'
import { firstWhere } from '../../stats/sorted.js'
import { type CategoricalColumn, type Column, categoriesOf, dateLabel } from '../../table/column.js'
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
export interface LearntRule {
  /** A range is one rule, the zeros of two columns are as many as there are cells. */
  readonly count: number
  /** The rules of a table with the same levels that are broken; their rows are marked. */
  breaks(data: Table, rows: Int32Array, any: Uint8Array): readonly BrokenRule[]
}

type BrokenRule = {
  /** As it would be written in a file of rules. */
  readonly rule: string
  readonly kind: 'range' | 'levels' | 'zero' | 'bound'
  readonly broken: number
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
): LearntRule[] {
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
  const orderOf = ({ name }: Column) => sorted.get(name) ?? new Int32Array()
  return [
    ...numbers.flatMap((column) => rangeRule(column, orderOf(column)) ?? []),
    ...categories.flatMap((column) => levelsRule(column, rows) ?? []),
    ...few.flatMap((a, i) => few.slice(i + 1).flatMap((b) => zeroRules(a, b, rows, enough) ?? [])),
    ...few.flatMap((given) => numbers.flatMap((column) => boundRules(given, column, orderOf(column), enough) ?? [])),
  ]
}

/** The records of a table, or of some of its rows, that break learnt rules. */
export function findBreaks(learnt: readonly LearntRule[], data: Table, rows: Int32Array | null = null): Breaks {
  const any = new Uint8Array(data.rows)
  const chosen = rows ?? Int32Array.from(any.keys())
  const rules = learnt.flatMap((rule) => rule.breaks(data, chosen, any))
  return { any, rules: rules.sort((a, b) => b.broken - a.broken) }
}

export interface Breaks {
  /** 1 for records that break some rule. */
  readonly any: Uint8Array
  /** Rules that are broken, most often broken first. */
  readonly rules: readonly BrokenRule[]
}

/** Counts the broken rows of each of several rules, and marks them; -1 where a row breaks none. */
function broken(
  kind: BrokenRule['kind'],
  rules: number,
  {
    rows,
    any,
    ruleOf,
    text,
  }: {
    readonly rows: Int32Array
    readonly any: Uint8Array
    ruleOf(row: number): number
    text(rule: number): string
  },
): BrokenRule[] {
  const counts = new Int32Array(rules)
  for (const row of rows) {
    const rule = ruleOf(row)
    if (rule < 0) continue
    counts[rule]++
    any[row] = 1
  }
  return [...counts.keys()]
    .filter((rule) => counts[rule] > 0)
    .map((rule) => ({ kind, broken: counts[rule], rule: text(rule) }))
}

function inOrder(values: Float64Array): Int32Array {
  const rows = Float64Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
  return Int32Array.from(rows.sort((i, j) => values[i] - values[j] || i - j))
}

function rangeRule({ name, values }: NumberColumn, order: Int32Array): LearntRule | null {
  const n = order.length
  if (n < FEWEST_RECORDS) return null
  const at = (k: number) => values[order[k]]
  const [lower, upper] = [widened(at(0), at(SUPPORT - 1)), widened(at(n - 1), at(n - SUPPORT))]
  return {
    count: 1,
    breaks: (data, rows, any) => {
      const column = numberIn(data, name)
      const ruleOf = (row: number) => (column.values[row] < lower || column.values[row] > upper ? 0 : -1)
      const text = () => `${word(name)} >= ${written(column, lower)} & ${word(name)} <= ${written(column, upper)}`
      return broken('range', 1, { rows, any, ruleOf, text })
    },
  }
}

/** x1 - (x5 - x1), rounded away from x5 to the first digit of the difference. */
function widened(extreme: number, inner: number): number {
  const gap = extreme - inner
  if (gap === 0) return extreme
  const step = math.pow(10, Math.floor(math.log10(Math.abs(gap))))
  const beyond = (extreme + gap) / step
  return significant((gap > 0 ? Math.ceil(beyond) : Math.floor(beyond)) * step, 12)
}

function levelsRule({ name, codes, levels }: CategoricalColumn, rows: Int32Array): LearntRule | null {
  const allowed = new Uint8Array(levels.length)
  let known = 0
  for (const row of rows) {
    if (codes[row] < 0) continue
    allowed[codes[row]] = 1
    known++
  }
  if (known < FEWEST_RECORDS) return null
  return {
    count: 1,
    breaks: (data, chosen, any) => {
      const column = categoriesOf(columnOf(data, name))
      const ruleOf = (row: number) => (column.codes[row] >= 0 && allowed[column.codes[row]] === 0 ? 0 : -1)
      return broken('levels', 1, { rows: chosen, any, ruleOf, text: () => levelsText(column, allowed) })
    },
  }
}

function zeroRules(a: CategoricalColumn, b: CategoricalColumn, rows: Int32Array, enough: number): LearntRule | null {
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
  if (!forbidden.includes(1)) return null
  return {
    count: forbidden.filter((flag) => flag === 1).length,
    breaks: (data, chosen, any) => {
      const [first, second] = [categoriesOf(columnOf(data, a.name)), categoriesOf(columnOf(data, b.name))]
      const ruleOf = (row: number) => {
        const [i, j] = [first.codes[row], second.codes[row]]
        return i >= 0 && j >= 0 && forbidden[i * width + j] === 1 ? i * width + j : -1
      }
      const text = (cell: number) =>
        `never ${word(a.name)} = ${quoted(first.levels[Math.floor(cell / width)])} & ${word(b.name)} = ${quoted(second.levels[cell % width])}`
      return broken('zero', forbidden.length, { rows: chosen, any, ruleOf, text })
    },
  }
}

function boundRules(
  groups: CategoricalColumn,
  { name, values }: NumberColumn,
  order: Int32Array,
  enough: number,
): LearntRule | null {
  const known = order.filter((row) => groups.codes[row] >= 0)
  const levels = groups.levels.length
  const sizes = new Float64Array(levels)
  for (const row of known) sizes[groups.codes[row]]++
  const lower = oneSide(groups.codes, values, known, sizes, enough, Number.NEGATIVE_INFINITY)
  const upper = oneSide(groups.codes, values, known.toReversed(), sizes, enough, Number.POSITIVE_INFINITY)
  const count = [...lower, ...upper].filter(Number.isFinite).length
  if (known.length === 0 || count === 0) return null
  return {
    count,
    breaks: (data, rows, any) => {
      const [category, number] = [categoriesOf(columnOf(data, groups.name)), numberIn(data, name)]
      const ruleOf = (row: number) => {
        const code = category.codes[row]
        const value = number.values[row]
        if (code < 0) return -1
        return value < lower[code] ? code : value > upper[code] ? levels + code : -1
      }
      const text = (rule: number) => {
        const bound =
          rule < levels ? `>= ${written(number, lower[rule])}` : `<= ${written(number, upper[rule - levels])}`
        return `${word(groups.name)} = ${quoted(category.levels[rule % levels])} => ${word(name)} ${bound}`
      }
      return broken('bound', 2 * levels, { rows, any, ruleOf, text })
    },
  }
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

const MOST_LISTED = 12

function levelsText({ name, levels }: CategoricalColumn, allowed: Uint8Array): string {
  const known = levels.filter((_, code) => allowed[code] === 1)
  return known.length <= MOST_LISTED
    ? `${word(name)} in (${known.map(quoted).join(', ')})`
    : `${word(name)} is one of the ${known.length} levels of the original`
}

function word(name: string): string {
  return /^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) ? name : `\`${name}\``
}

function quoted(level: string): string {
  return level.includes('"') ? `'${level}'` : `"${level}"`
}

function written(column: Column, value: number): string {
  return column.kind === 'date' ? `"${dateLabel(value, column.unit)}"` : String(value)
}

type NumberColumn = Exclude<Column, CategoricalColumn>

function numberIn(data: Table, name: string): NumberColumn {
  const column = columnOf(data, name)
  if (column.kind === 'categorical') throw new Error(`${name} holds categories`)
  return column
}
