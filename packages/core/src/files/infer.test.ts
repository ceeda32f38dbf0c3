import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { type Column, columnLength, valueAt } from '../table/column.js'
import { type Cells, type DecimalMark, declaredColumn, inferColumn, MISSING_TOKENS } from './infer.js'
import type { TypeSpec } from './types.js'

/** Bare cells; a cell written as `"NA"`, with its quotes, stood in quotes. */
function cells(...written: string[]): Cells {
  const texts = [...new Set(written)]
  return {
    name: 'x',
    codes: Int32Array.from(written, (text) => texts.indexOf(text)),
    texts: texts.map((text) => text.replace(/^"(.*)"$/s, '$1')),
    quoted: (code) => texts[code].startsWith('"'),
  }
}

const reading = (decimals: DecimalMark[] = ['.']) => ({ table: 't', missing: MISSING_TOKENS, decimals })
const infer = (...written: string[]) => inferColumn(cells(...written), reading())
const declare = (spec: TypeSpec, ...written: string[]) => declaredColumn(cells(...written), spec, reading())
const values = (column: Column) => Array.from({ length: columnLength(column) }, (_, row) => valueAt(column, row))

describe('numeric', () => {
  it.each([
    [
      ['1', '-2', '+3'],
      [1, -2, 3],
    ],
    [
      ['1.5', '.5', '5.', '1e3', '2E-1', '-0.0'],
      [1.5, 0.5, 5, 1000, 0.2, 0],
    ],
    [
      [' 1', '2 ', '\t3'],
      [1, 2, 3],
    ],
    [
      ['1', 'NA', '', '"NA"', 'NaN', ' null ', '2'],
      [1, null, null, null, null, null, 2],
    ],
    [
      ['0', '0.5', '-0'],
      [0, 0.5, 0],
    ],
    [
      ['9007199254740991', '1'],
      [9007199254740991, 1],
    ],
    [
      ['0.12345678901234567890', '3'],
      [0.12345678901234568, 3],
    ],
  ])('%j', (written, expected) => {
    const column = infer(...written)
    expect(column.kind).toBe('numeric')
    expect(values(column)).toEqual(expected)
  })

  it('minus zero is zero', () => expect(infer('-0')).toMatchObject({ values: Float64Array.of(0) }))

  it.each([
    ['a hexadecimal number', ['0x10', '1']],
    ['an infinite number', ['Infinity', '1']],
    ['a number beyond the largest double', ['1e999', '1']],
    ['a leading zero, which makes codes', ['01', '2', '10']],
    ['an identifier that a double cannot hold', ['9007199254740993', '1']],
    ['a thousands separator', ['1,000', '2']],
    ['a lone sign', ['-', '1']],
    ['one word among many numbers', [...Array.from({ length: 999 }, (_, k) => String(k)), 'refused']],
  ])('not with %s', (_, written) => {
    const column = infer(...written)
    expect(column.kind).toBe('categorical')
    expect(values(column)).toEqual(written)
  })

  it('a column without a value is numeric', () => {
    expect(infer('', 'NA')).toEqual({ kind: 'numeric', name: 'x', values: Float64Array.of(Number.NaN, Number.NaN) })
    expect(infer()).toEqual({ kind: 'numeric', name: 'x', values: new Float64Array(0) })
  })

  it('a decimal comma holds for a whole column', () => {
    const both = reading(['.', ','])
    expect(values(inferColumn(cells('1,5', '2', '-,5e1'), both))).toEqual([1.5, 2, -5])
    expect(values(inferColumn(cells('1.5', '2'), both))).toEqual([1.5, 2])
    expect(inferColumn(cells('1,5', '1.5'), both).kind).toBe('categorical')
    expect(inferColumn(cells('1,5', '2'), reading()).kind).toBe('categorical')
  })
})

describe('date', () => {
  it('days', () => {
    expect(infer('1970-01-02', 'NA', '2024-02-29', '0001-01-01')).toEqual({
      kind: 'date',
      name: 'x',
      values: Float64Array.of(1, Number.NaN, 19782, -719162),
      unit: 'day',
    })
  })

  it('times, as UTC unless they say otherwise', () => {
    const column = infer('1970-01-02T12:00', '1970-01-02 06:00:00', '1970-01-02T00:00:00Z', '1970-01-02 02:00:00+02:00')
    expect(column).toMatchObject({ kind: 'date', values: Float64Array.of(1.5, 1.25, 1, 1), unit: 'time' })
    expect(infer('1970-01-01 00:00:00.5')).toMatchObject({ values: Float64Array.of(500 / 86_400_000) })
  })

  it('midnights only are days', () => {
    expect(infer('1970-01-02 00:00:00')).toMatchObject({ kind: 'date', unit: 'day' })
  })

  it.each(['2023-02-29', '2024-13-01', '2024-1-1', '2024-01-01T25:00', '20240101x', '2024-01-01 10:00.5'])(
    'not %s',
    (text) => expect(infer(text, '2024-01-01').kind).toBe('categorical'),
  )
})

describe('categorical', () => {
  it('levels are sorted by code point, texts kept as they are', () => {
    expect(infer('b', ' a', 'Z', 'b', 'NA', 'é')).toEqual({
      kind: 'categorical',
      name: 'x',
      codes: Int32Array.of(2, 0, 1, 2, -1, 3),
      levels: [' a', 'Z', 'b', 'é'],
      ordered: false,
    })
  })

  it('booleans have both levels', () => {
    const column = infer('TRUE', 'True', 'NA', 'true')
    expect(column).toMatchObject({ kind: 'categorical', codes: Int32Array.of(1, 1, -1, 1), levels: ['false', 'true'] })
    expect(infer('T', 'F')).toMatchObject({ levels: ['F', 'T'] })
  })

  it('a quoted token is a text among texts: Namibia is not missing', () => {
    expect(values(infer('"NA"', 'DE', 'NA', '""'))).toEqual(['NA', 'DE', null, null])
  })

  it('quoted and bare are the same text', () => {
    expect(infer('"a"', 'a', 'b')).toMatchObject({ codes: Int32Array.of(0, 0, 1), levels: ['a', 'b'] })
  })
})

describe('declared', () => {
  it('numeric takes leading zeros, and names what is no number', () => {
    expect(values(declare({ kind: 'numeric' }, '007', 'NA', '1'))).toEqual([7, null, 1])
    expect(() => declare({ kind: 'numeric' }, '1', 'a', 'b', 'a', 'c')).toThrow(
      new UserError('t, column "x": 4 cells are not numbers: row 2 "a", row 3 "b", row 4 "a", ...'),
    )
  })

  it('numeric with points and commas is ambiguous', () => {
    expect(() => declaredColumn(cells('1,5', '1.5'), { kind: 'numeric' }, reading(['.', ',']))).toThrow(
      new UserError('t, column "x": mixes decimal points and decimal commas'),
    )
  })

  it('categorical keeps numbers as they are written', () => {
    expect(declare({ kind: 'categorical' }, '1.50', '1.5', '')).toMatchObject({
      codes: Int32Array.of(1, 0, -1),
      levels: ['1.5', '1.50'],
    })
  })

  it('ordered has the levels given', () => {
    const spec = { kind: 'ordered', levels: ['low', 'mid', 'high'] } as const
    expect(declare(spec, 'high', 'low', 'NA')).toEqual({
      kind: 'categorical',
      name: 'x',
      codes: Int32Array.of(2, 0, -1),
      levels: ['low', 'mid', 'high'],
      ordered: true,
    })
    expect(() => declare(spec, 'low', 'hihg')).toThrow(
      new UserError(
        't, column "x": 1 cell is none of its levels: row 2 "hihg"; unknown level "hihg"; did you mean "high"?',
      ),
    )
  })

  it('categorical may have its levels in order, which means nothing', () => {
    expect(declare({ kind: 'categorical', levels: ['yes', 'no', ''] }, 'no', '', 'yes')).toEqual({
      kind: 'categorical',
      name: 'x',
      codes: Int32Array.of(1, 2, 0),
      levels: ['yes', 'no', ''],
      ordered: false,
    })
    expect(() => declare({ kind: 'categorical', levels: ['yes'] }, 'no')).toThrow(/1 cell is none of its levels/)
  })

  it('a missing token that is a declared level is a value', () => {
    expect(values(declare({ kind: 'ordered', levels: ['NA', 'yes'] }, 'yes', 'NA', ''))).toEqual(['yes', 'NA', null])
  })

  it('date names what is no date', () => {
    expect(() => declare({ kind: 'date' }, '2024-01-01', '1.2.2024')).toThrow(
      /1 cell is not an ISO date: row 2 "1\.2\.2024"/,
    )
  })
})
