import type { Column } from '../table/column.js'
import { MISSING_CODE } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { checkNames } from './csv.js'
import { declaredColumn, inferColumn, MISSING_TOKENS, type Reading } from './infer.js'
import { type ReadOptions, redeclaredColumn } from './read.js'
import { checkDeclaredColumns, declaredType } from './types.js'
import { collectValues, type ValueCollector, type ValueKind } from './values.js'

/**
 * A table whose values arrive in batches, from a database or another engine, so that it is the table that a file of the same
 * values makes. What the engine says of the type of a column counts as what Parquet says. A `cell` is the text of a delimited file:
 * the type of its column is inferred from all of its texts, as for CSV.
 */
export interface GivenColumn {
  readonly name: string
  readonly kind: ValueKind | 'cell'
}

export interface TableCollector {
  /** Values of one column, from a row on. */
  put(column: number, row: number, values: ArrayLike<unknown>): void
  table(): Table
}

/** `decimals` are the marks that cells may have, in the order in which they are tried. */
export function collectTable(
  name: string,
  columns: readonly GivenColumn[],
  rows: number,
  options: ReadOptions,
  decimals: Reading['decimals'] = ['.'],
): TableCollector {
  const names = columns.map((column) => column.name)
  checkNames(name, names)
  checkDeclaredColumns(name, names, options.types)
  const reading = { table: name, missing: options.missing ?? MISSING_TOKENS, decimals }
  const collectors = columns.map((column) =>
    column.kind === 'cell'
      ? collectCells(column.name, rows, options, reading)
      : collectValues(name, column.name, column.kind, rows),
  )
  return {
    put(column, row, values) {
      const collector = collectors[column]
      for (let at = 0; at < values.length; at++) collector.put(row + at, values[at])
    },
    table: () =>
      table(
        name,
        columns.map(({ kind }, k) => {
          const column = collectors[k].column()
          return kind === 'cell' ? column : redeclaredColumn(column, options, name)
        }),
      ),
  }
}

/** Null is a bare missing token, or no cell. What looks like a token all the same stood in quotes, unless blanks are around it. */
function collectCells(name: string, rows: number, { types }: ReadOptions, reading: Reading): ValueCollector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<string, number>()
  return {
    put(row, value) {
      if (value === null || value === undefined) return
      const text = String(value)
      codes[row] = codeOf.get(text) ?? codeOf.size
      if (codes[row] === codeOf.size) codeOf.set(text, codeOf.size)
    },
    column(): Column {
      const texts = [...codeOf.keys()]
      const cells = { name, codes, texts, quoted: (code: number) => texts[code] === texts[code].trim() }
      const spec = declaredType(types, name)
      return spec === undefined ? inferColumn(cells, reading) : declaredColumn(cells, spec, reading)
    },
  }
}
