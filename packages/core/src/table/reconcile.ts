import { byCodePoint, type CategoricalColumn, type Column, columnLength, type DateColumn, isMissing } from './column.js'

/**
 * Makes the same column of several tables mean the same: one kind, one list of levels, so that a code stands for one
 * value everywhere. Returns the columns in the order given, or a sentence that says why they do not fit together.
 * A column without a single value takes the kind of the others.
 */
export function reconcile(columns: readonly Column[], tables: readonly string[]): readonly Column[] | string {
  const speaking = columns.findIndex((column) => !isEmpty(column))
  if (speaking < 0) return columns.map((column) => asKind(column, columns[0]))
  const model = columns[speaking]
  const odd = columns.findIndex((column) => !isEmpty(column) && column.kind !== model.kind)
  if (odd >= 0) return kindsDiffer(model, tables[speaking], columns[odd], tables[odd])
  const alike = columns.map((column) => (column.kind === model.kind ? column : asKind(column, model)))
  if (model.kind === 'categorical') return unionLevels(alike as CategoricalColumn[])
  if (model.kind === 'date') return sameUnit(alike as DateColumn[])
  return alike
}

export function isEmpty(column: Column): boolean {
  const rows = columnLength(column)
  for (let row = 0; row < rows; row++) if (!isMissing(column, row)) return false
  return true
}

/** A column of missing values in the kind of `model`. */
function asKind(empty: Column, model: Column): Column {
  if (empty.kind === model.kind) return empty
  const rows = columnLength(empty)
  if (model.kind === 'categorical') return { ...model, name: empty.name, codes: new Int32Array(rows).fill(-1) }
  return { ...model, name: empty.name, values: new Float64Array(rows).fill(Number.NaN) }
}

function kindsDiffer(first: Column, oneTable: string, other: Column, otherTable: string): string {
  return (
    `column "${first.name}" is ${describe(first)} in ${oneTable} but ${describe(other)} in ${otherTable}; ` +
    `make the files agree or declare its type in types: ${first.name}=categorical`
  )
}

function describe(column: Column): string {
  if (column.kind !== 'categorical') return column.kind
  const isText = (code: number) => code >= 0 && Number.isNaN(Number(column.levels[code]))
  const bad = column.codes.findIndex(isText)
  const row = bad >= 0 ? bad : column.codes.findIndex((code) => code >= 0)
  return `text (row ${row + 1} has "${column.levels[column.codes[row]]}")`
}

function unionLevels(columns: readonly CategoricalColumn[]): readonly Column[] | string {
  const ordered = columns.some((column) => column.ordered)
  const levels = mergeOrders(columns) ?? (ordered ? undefined : sortedUnion(columns))
  if (levels === undefined)
    return `the levels of "${columns[0].name}" are ordered differently in the tables; declare one order as its type`
  return columns.map((column) => recode(column, levels, ordered))
}

function recode(column: CategoricalColumn, levels: readonly string[], ordered: boolean): CategoricalColumn {
  if (sameLevels(column.levels, levels)) return column.ordered === ordered ? column : { ...column, ordered }
  const codeOf = new Map(levels.map((level, code) => [level, code]))
  const newCode = column.levels.map((level) => codeOf.get(level) ?? -1)
  return { ...column, levels, ordered, codes: column.codes.map((code) => (code < 0 ? -1 : newCode[code])) }
}

function sameLevels(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((level, k) => level === b[k]))
}

function sortedUnion(columns: readonly CategoricalColumn[]): readonly string[] {
  return [...new Set(columns.flatMap((column) => column.levels))].sort(byCodePoint)
}

/** The longest list of levels, if every other one is a part of it in the same order. */
function mergeOrders(columns: readonly CategoricalColumn[]): readonly string[] | undefined {
  const longest = columns.map((column) => column.levels).reduce((a, b) => (b.length > a.length ? b : a))
  const place = new Map(longest.map((level, k) => [level, k]))
  const fits = columns.every(({ levels }) =>
    levels.every(
      (level, k) => place.has(level) && (k === 0 || (place.get(levels[k - 1]) ?? 0) < (place.get(level) ?? 0)),
    ),
  )
  return fits ? longest : undefined
}

function sameUnit(columns: readonly DateColumn[]): readonly Column[] {
  const unit = columns.some((column) => column.unit === 'time') ? 'time' : 'day'
  return columns.map((column) => (column.unit === unit ? column : { ...column, unit }))
}
