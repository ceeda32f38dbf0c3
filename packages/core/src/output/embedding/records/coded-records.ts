import { math } from '@scrim/kernels'
import { countBelow } from '../../../stats/sorted.js'
import { type Column, categorical, MISSING_CODE, numeric } from '../../../table/column.js'
import { type Table, table } from '../../../table/table.js'

/**
 * Records as small whole numbers, one after the other: what a search changes millions of times. A code stands for a level of a
 * category or for one of the values that a number may have; missing is a code of its own where it occurs.
 */
export type Codes = Uint8Array | Uint16Array

export interface CodedVariable {
  readonly name: string
  readonly kind: 'category' | 'number'
  /** One per code, as people read it. */
  readonly labels: readonly string[]
  /** One per code: the number, also of a category whose labels are numbers; NaN where there is none. */
  readonly values: Float64Array
  /** The code for missing; -1 where nothing is missing. */
  readonly missing: number
  /** Share of the records of the data with each code; without records, each code alike. */
  readonly shares: Float64Array
}

export interface CodedTable {
  readonly variables: readonly CodedVariable[]
  /** Row after row, `variables.length` codes each. */
  readonly codes: Codes
  readonly rows: number
}

const MISSING_TEXT = '(missing)'
const MOST_CODES = 65_536

/** Values that a number may publicly have besides those of the data: a grid from `min` to `max`. */
export interface NumberRange {
  readonly min: number
  readonly max: number
  readonly decimals: number
}

/**
 * A table in codes. The codes of a number are its values in ascending order, those of `ranges` among them; where there are
 * more than 65,536, as many of them evenly spaced by rank.
 */
export function codedTable(data: Table, ranges: ReadonlyMap<string, NumberRange> = new Map()): CodedTable {
  const plain = data.columns.map((column) => ({
    ...(column.kind === 'categorical' ? codedCategory(column) : codedNumber(column, ranges.get(column.name))),
    shares: new Float64Array(),
  }))
  const { codes, rows } = coded(data, plain)
  const variables = plain.map((variable, j) => {
    const shares = new Float64Array(variable.labels.length)
    if (rows === 0) return { ...variable, shares: shares.fill(1 / shares.length) }
    for (let at = j; at < codes.length; at += plain.length) shares[codes[at]]++
    return { ...variable, shares: shares.map((count) => count / rows) }
  })
  return { variables, codes, rows }
}

type Plain = Omit<CodedVariable, 'shares'>

function codedCategory({ name, levels, codes }: Extract<Column, { kind: 'categorical' }>): Plain {
  const hasMissing = codes.includes(MISSING_CODE)
  const labels = hasMissing ? [...levels, MISSING_TEXT] : levels
  const values = Float64Array.from(labels, (label, code) =>
    code < levels.length && label !== '' ? Number(label) : Number.NaN,
  )
  return { name, kind: 'category', labels, values, missing: hasMissing ? levels.length : -1 }
}

function codedNumber(column: Exclude<Column, { kind: 'categorical' }>, range: NumberRange | undefined): Plain {
  const known = column.values.filter((value) => !Number.isNaN(value)).sort()
  const kept = thinned(distinct(known), MOST_CODES - 1)
  const grid = range === undefined ? new Float64Array() : gridOf(range, MOST_CODES - 1 - kept.length)
  const all = distinct(Float64Array.from([...kept, ...grid]).sort())
  const hasMissing = known.length < column.values.length
  const values = hasMissing ? Float64Array.from([...all, Number.NaN]) : all
  const labels = Array.from(values, (value) => (Number.isNaN(value) ? MISSING_TEXT : String(value)))
  return { name: column.name, kind: 'number', labels, values, missing: hasMissing ? all.length : -1 }
}

function distinct(sorted: Float64Array): Float64Array {
  return sorted.filter((value, k) => k === 0 || value !== sorted[k - 1])
}

/** At most `most` of the values, the first and the last among them. */
function thinned(values: Float64Array, most: number): Float64Array {
  if (values.length <= most) return values
  return Float64Array.from({ length: most }, (_, k) => values[Math.round((k * (values.length - 1)) / (most - 1))])
}

function gridOf({ min, max, decimals }: NumberRange, room: number): Float64Array {
  const scale = math.pow(10, decimals)
  const steps = Math.round((max - min) * scale)
  const count = Math.min(steps, Math.max(0, room - 1))
  return Float64Array.from({ length: count + 1 }, (_, k) => {
    const step = count === 0 ? 0 : Math.round((k * steps) / count)
    return Math.round((min + step / scale) * scale) / scale
  })
}

/** Room for `rows` records of these variables. */
export function emptyCodes(variables: readonly CodedVariable[], rows: number): Codes {
  const isSmall = variables.every(({ labels }) => labels.length <= 256)
  const cells = rows * variables.length
  return isSmall ? new Uint8Array(cells) : new Uint16Array(cells)
}

/** The records of a table that has these variables; a number between two codes gets the nearer one. */
function coded(data: Table, variables: readonly CodedVariable[]): CodedTable {
  const codes = emptyCodes(variables, data.rows)
  const width = variables.length
  variables.forEach((variable, j) => {
    const column = data.columns.find(({ name }) => name === variable.name)
    if (column === undefined) throw new Error(`${data.name} has no column "${variable.name}"`)
    const codeAt = coder(column, variable)
    for (let row = 0; row < data.rows; row++) codes[row * width + j] = codeAt(row)
  })
  return { variables, codes, rows: data.rows }
}

function coder(column: Column, { labels, values, missing }: CodedVariable): (row: number) => number {
  if (column.kind === 'categorical') {
    const codeOf = new Map(labels.map((label, code) => [label, code]))
    const levelCodes = column.levels.map((level) => codeOf.get(level) ?? missing)
    return (row) => (column.codes[row] === MISSING_CODE ? missing : levelCodes[column.codes[row]])
  }
  const known = missing < 0 ? values : values.subarray(0, missing)
  return (row) => (Number.isNaN(column.values[row]) ? missing : nearest(known, column.values[row]))
}

/** Place of the value nearest to x among ascending ones. */
export function nearest(ascending: Float64Array, x: number): number {
  const from = countBelow(ascending, x, 0, ascending.length - 1)
  return from > 0 && x - ascending[from - 1] <= ascending[from] - x ? from - 1 : from
}

/** Coded records as a table. */
export function decoded(name: string, { variables, codes, rows }: CodedTable): Table {
  const width = variables.length
  return table(
    name,
    variables.map((variable, j) => {
      if (variable.kind === 'number') {
        const values = new Float64Array(rows)
        for (let row = 0; row < rows; row++) values[row] = variable.values[codes[row * width + j]]
        return numeric(variable.name, values)
      }
      const levels = variable.missing < 0 ? variable.labels : variable.labels.slice(0, variable.missing)
      const column = new Int32Array(rows)
      for (let row = 0; row < rows; row++) {
        const code = codes[row * width + j]
        column[row] = code === variable.missing ? MISSING_CODE : code
      }
      return { ...categorical(variable.name, [], { levels }), codes: column }
    }),
  )
}

/** Some of the records, in this order. */
export function selectRecords({ variables, codes }: CodedTable, rows: ArrayLike<number>): CodedTable {
  const width = variables.length
  const chosen = emptyCodes(variables, rows.length)
  for (let k = 0; k < rows.length; k++)
    for (let j = 0; j < width; j++) chosen[k * width + j] = codes[rows[k] * width + j]
  return { variables, codes: chosen, rows: rows.length }
}
