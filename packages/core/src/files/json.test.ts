import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { valueAt } from '../table/column.js'
import type { Table } from '../table/table.js'
import { type JsonOptions, readJson, readJsonLines } from './json.js'

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (text: string, options?: JsonOptions) => readJson('t.json', utf8(text), options)
const readLines = (text: string, options?: JsonOptions) => readJsonLines('t.jsonl', utf8(text), options)

function cells(table: Table): Record<string, (string | number | null)[]> {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, Array.from({ length: table.rows }, (_, row) => valueAt(column, row))]),
  )
}

describe('JSON', () => {
  it.each([
    ['records', '[{"a":1,"b":"x"},{"a":2.5,"b":"y"}]', { a: [1, 2.5], b: ['x', 'y'] }],
    ['columns', '{"a":[1,2.5],"b":["x",null]}', { a: [1, 2.5], b: ['x', null] }],
    ['absent keys and nulls', '[{"a":1},{"b":"x","a":null}]', { a: [1, null], b: [null, 'x'] }],
    ['numbers in strings', '[{"a":"1"},{"a":"2"}]', { a: [1, 2] }],
    ['numbers and words', '[{"a":1},{"a":"x"},{"a":"1"}]', { a: ['1', 'x', '1'] }],
    ['booleans', '[{"a":true},{"a":false}]', { a: ['true', 'false'] }],
    ['dates', '[{"a":"2024-01-31"}]', { a: ['2024-01-31'] }],
    ['NA among words', '[{"a":"NA"},{"a":"DE"},{"a":""}]', { a: ['NA', 'DE', null] }],
    ['NA among numbers, as jsonlite writes it', '[{"a":"NA"},{"a":3}]', { a: [null, 3] }],
    ['large floats', '[{"a":1e300}]', { a: [1e300] }],
    ['byte order mark', '\ufeff[{"a":1}]', { a: [1] }],
  ])('%s', (_, text, expected) => expect(cells(read(text))).toEqual(expected))

  it('takes declared types', () => {
    expect(read('[{"a":1},{"a":2}]', { types: { a: { kind: 'categorical' } } }).columns[0]).toMatchObject({
      kind: 'categorical',
      levels: ['1', '2'],
    })
  })

  it.each([
    ['[{"a":[1]}]', 't.json, row 1, column "a": a cell cannot hold an array; flatten it first'],
    ['[{"a":1},{"a":{"b":2}}]', 't.json, row 2, column "a": a cell cannot hold an object; flatten it first'],
    ['{"a":[[]]}', 't.json, row 1, column "a": a cell cannot hold an array; flatten it first'],
    ['{"a":{"0":1}}', 't.json: column "a" is an object; expected an array of records or an object of arrays'],
    ['[1]', 't.json, row 1: expected an object, found a number'],
    ['3', 't.json: expected an array of records or an object of columns, found a number'],
    ['[]', 't.json: has no records, so there are no columns'],
    ['{}', 't.json: has no columns'],
    [' ', 't.json is empty'],
    ['[{"":1}]', 't.json: column 1 of 1 has no name; for row names written by R, use row.names = FALSE'],
    ['{"a":[1],"b":[1,2]}', 't.json: column "b" has 2 values, the first column has 1'],
    [
      '[{"id":9007199254740993}]',
      't.json, row 1, column "id": the integer is too large to be read exactly from JSON; write it as a string',
    ],
  ])('%s', (text, problem) => expect(() => read(text)).toThrow(new UserError(problem)))

  it('names the line of a mistake where the engine tells it', () => {
    expect(() => read('[{"a":1},\n{"a" 2}]')).toThrow(/^t\.json: is not valid JSON \(line 2\): /)
  })
})

describe('JSON lines', () => {
  it('one record per line, blank lines skipped', () => {
    expect(cells(readLines('{"a":1,"b":"é"}\r\n\n{"a":2}\n'))).toEqual({ a: [1, 2], b: ['é', null] })
  })

  it.each([
    ['{"a":1}\n\n{"a":}\n', /^t\.jsonl, line 3: is not valid JSON/],
    ['{"a":1}\n\n[1]\n', /^t\.jsonl, line 3: expected an object, found an array$/],
    ['{"a":1}\n\n{"a":[]}\n', /^t\.jsonl, line 3, column "a": a cell cannot hold an array/],
    ['', /^t\.jsonl: has no records/],
  ])('%j', (text, problem) => expect(() => readLines(text)).toThrow(problem))
})
