import { UserError } from '../errors.js'
import { byCodePoint, type Column, categorical, MISSING_CODE } from '../table/column.js'
import { BOOLEAN_LEVELS, dateColumn } from './infer.js'

/**
 * Columns from formats that know their types (Parquet, Arrow): values arrive one at a time, in any order, and become
 * what the format says they are. Null and NaN are missing; infinite numbers are refused, so that a numeric column is
 * always finite or missing. Integers beyond 2^53 are codes and make the column categorical, every digit kept.
 */
export interface ValueCollector {
  put(row: number, value: unknown): void
  column(): Column
}

/** `date` values are days since 1970-01-01. */
export type ValueKind = 'number' | 'text' | 'boolean' | 'date'

export function collectValues(table: string, name: string, kind: ValueKind, rows: number): ValueCollector {
  const fail = (row: number, value: string): never => {
    throw new UserError(`${table}, column "${name}", row ${row + 1}: expected a ${kind}, found ${value}`)
  }
  switch (kind) {
    case 'number':
      return collectNumbers(name, rows, fail)
    case 'date':
      return collectDays(name, rows, fail)
    case 'text':
      return collectTexts(name, rows, fail)
    case 'boolean':
      return collectBooleans(name, rows, fail)
  }
}

type Fail = (row: number, found: string) => never

function collectNumbers(name: string, rows: number, fail: Fail): ValueCollector {
  const values = new Float64Array(rows).fill(Number.NaN)
  const tooLong = new Map<number, bigint>()
  return {
    put(row, value) {
      if (value === null || value === undefined) return
      if (typeof value === 'bigint') {
        values[row] = Number(value)
        if (!Number.isSafeInteger(values[row])) tooLong.set(row, value)
      } else if (typeof value === 'number' && Math.abs(value) !== Number.POSITIVE_INFINITY) values[row] = value + 0
      else fail(row, describe(value))
    },
    column() {
      if (tooLong.size === 0) return { kind: 'numeric', name, values }
      const text = (value: number, row: number) => (Number.isNaN(value) ? null : String(tooLong.get(row) ?? value))
      return categorical(name, Array.from(values, text))
    },
  }
}

function collectDays(name: string, rows: number, fail: Fail): ValueCollector {
  const values = new Float64Array(rows).fill(Number.NaN)
  return {
    put(row, value) {
      if (value === null || value === undefined) return
      values[row] = typeof value === 'number' ? value : fail(row, describe(value))
    },
    column: () => dateColumn(name, values),
  }
}

function collectTexts(name: string, rows: number, fail: Fail): ValueCollector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<string, number>()
  return {
    put(row, value) {
      if (value === null || value === undefined) return
      if (typeof value !== 'string') return fail(row, describe(value))
      const known = codeOf.get(value)
      codes[row] = known ?? codeOf.size
      if (known === undefined) codeOf.set(value, codeOf.size)
    },
    column() {
      const levels = [...codeOf.keys()].sort(byCodePoint)
      const sorted = new Int32Array(levels.length)
      levels.forEach((level, code) => {
        sorted[codeOf.get(level) ?? 0] = code
      })
      const recoded = codes.map((code) => (code === MISSING_CODE ? MISSING_CODE : sorted[code]))
      return { kind: 'categorical', name, codes: recoded, levels, ordered: false }
    },
  }
}

function collectBooleans(name: string, rows: number, fail: Fail): ValueCollector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  return {
    put(row, value) {
      if (value === null || value === undefined) return
      codes[row] = typeof value === 'boolean' ? Number(value) : fail(row, describe(value))
    },
    column: () => ({ kind: 'categorical', name, codes, levels: BOOLEAN_LEVELS, ordered: false }),
  }
}

function describe(value: unknown): string {
  if (value instanceof Uint8Array) return 'binary data'
  return typeof value === 'object' ? 'a nested value' : String(value)
}
