import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { dateLabel, valueAt } from '../../table/column.js'
import { columnNames, type Table } from '../../table/table.js'

/** Files of other programs, written by `scripts/validation/fixtures-r.R`, and what R sees in them. */
const FOLDER = process.env.SCRIM_R_FILES ?? import.meta.dirname

export function fixture(name: string, folder = FOLDER): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, name)))
}

interface Seen {
  readonly rows: number
  readonly names: readonly string[]
  readonly columns: readonly SeenColumn[]
}

interface SeenColumn {
  readonly kind: 'factor' | 'labelled' | 'date' | 'time' | 'logical' | 'text' | 'number'
  readonly levels?: readonly string[]
  readonly ordered?: boolean
  readonly values: readonly (string | number | boolean | null)[]
}

/** Every cell, every level and its place, as R sees them. */
export function expectSeen(table: Table, name: string, folder = FOLDER): void {
  const seen: Seen = JSON.parse(new TextDecoder().decode(fixture(`${name}.json`, folder)))
  expect(columnNames(table)).toEqual(seen.names)
  expect(table.rows).toBe(seen.rows)
  seen.columns.forEach(({ kind, levels, ordered, values }, j) => {
    const column = table.columns[j]
    const cells = values.map((value) =>
      value === null
        ? null
        : kind === 'date'
          ? dateLabel(Number(value), 'day')
          : kind === 'time'
            ? dateLabel(Number(value) / 86_400, 'time')
            : kind === 'number'
              ? Number(value)
              : String(value),
    )
    expect(
      cells.map((_, row) => valueAt(column, row)),
      column.name,
    ).toEqual(cells)
    if (kind === 'number') expect(column.kind, column.name).toBe('numeric')
    if (levels !== undefined)
      expect(column, column.name).toMatchObject({ kind: 'categorical', levels, ordered: ordered ?? false })
  })
}
