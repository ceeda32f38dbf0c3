import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { valueAt } from '../table/column.js'
import type { Table } from '../table/table.js'
import { type CsvOptions, readCsv } from './csv.js'

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const read = (text: string, options?: CsvOptions) => readCsv('t.csv', utf8(text), options)

function cells(table: Table): Record<string, (string | number | null)[]> {
  return Object.fromEntries(
    table.columns.map((column) => [column.name, Array.from({ length: table.rows }, (_, row) => valueAt(column, row))]),
  )
}

function problems(text: string, options?: CsvOptions): readonly string[] {
  try {
    read(text, options)
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

it('reading takes time for cells, not for pairs of columns', { timeout: 30_000 }, () => {
  const names = Array.from({ length: 100_000 }, (_, k) => `c${k}`)
  const read = readCsv('t', new TextEncoder().encode(`${names.join()}\n${names.map(() => 1).join()}\n`))
  expect([read.columns.length, read.rows]).toEqual([100_000, 1])
})

describe('cells', () => {
  it.each([
    ['plain', 'a,b\n1,x\n2,y\n', { a: [1, 2], b: ['x', 'y'] }],
    ['no line end at the end', 'a,b\n1,x\n2,y', { a: [1, 2], b: ['x', 'y'] }],
    ['CRLF', 'a,b\r\n1,x\r\n2,y\r\n', { a: [1, 2], b: ['x', 'y'] }],
    ['CR', 'a,b\r1,x\r2,y\r', { a: [1, 2], b: ['x', 'y'] }],
    ['mixed line ends', 'a,b\r\n1,x\n2,y\r3,z', { a: [1, 2, 3], b: ['x', 'y', 'z'] }],
    ['byte order mark', '\ufeffa,b\n1,x\n', { a: [1], b: ['x'] }],
    ['quotes', '"a","b"\n"1","x, y"\n', { a: [1], b: ['x, y'] }],
    ['doubled quotes', 'a\n"say ""hi"""\n""""\n', { a: ['say "hi"', '"'] }],
    ['line ends in quotes', 'a,b\n1,"x\ny"\n2,"p\r\nq"\n', { a: [1, 2], b: ['x\ny', 'p\r\nq'] }],
    ['a quote inside a bare cell', 'a,b\n5" pipe,x""y\n', { a: ['5" pipe'], b: ['x""y'] }],
    ['quoted and bare doubled quotes differ', 'a\n"x""y"\nx""y\n', { a: ['x"y', 'x""y'] }],
    ['empty cells', 'a,b,c\n,,\n1,,x\n', { a: [null, 1], b: [null, null], c: [null, 'x'] }],
    ['blanks stay in texts', 'a,b\n x ,1\n', { a: [' x '], b: [1] }],
    ['blanks around names go', 'a, b\n1,2\n', { a: [1], b: [2] }],
    ['header only', 'a,b\n', { a: [], b: [] }],
    ['blank lines at the end', 'a,b\n1,2\n\n\r\n', { a: [1], b: [2] }],
    ['a blank line in one column is missing', 'a\n1\n\n2\n\n', { a: [1, null, 2] }],
    ['a quoted empty cell in one column', 'a\n1\n""\n', { a: [1, null] }],
    ['beyond ASCII', 'größe,名\n1,é\n2,日本\n', { größe: [1, 2], 名: ['é', '日本'] }],
    ['names of object properties', 'constructor,__proto__x\n1,2\n', { constructor: [1], __proto__x: [2] }],
  ])('%s', (_, text, expected) => expect(cells(read(text))).toEqual(expected))

  it('tells a quoted NA from a bare one, as R writes them', () => {
    expect(cells(read('"country","n"\n"NA",1\nNA,NA\n"DE",3\n'))).toEqual({
      country: ['NA', null, 'DE'],
      n: [1, null, 3],
    })
  })

  it('takes other missing tokens', () => {
    expect(cells(read('a,b\n-9,x\n1,\nNA,.\n', { missing: ['-9', '.'] }))).toEqual({
      a: [null, '1', 'NA'],
      b: ['x', null, null],
    })
  })
})

describe('delimiter', () => {
  it.each([
    ['semicolon', 'a;b\n1;2\n'],
    ['tab', 'a\tb\n1\t2\n'],
    ['pipe', 'a|b\n1|2\n'],
    ['comma', 'a,b\n1,2\n'],
    ['semicolon, commas inside quotes', '"a";"b"\n"1";"2"\n'],
  ])('finds %s', (_, text) => expect(cells(read(text))).toEqual({ a: [1], b: [2] }))

  it('is not misled by decimal commas or by texts', () => {
    expect(cells(read('a;b;c\n1,5;2,5;x,y\n2;3;z\n'))).toEqual({ a: [1.5, 2], b: [2.5, 3], c: ['x,y', 'z'] })
    expect(cells(read('a,";;b"\n'))).toEqual({ a: [], ';;b': [] })
    expect(cells(read('a,b\n"x;y;z",1\n"p;q;r",2\n'))).toEqual({ a: ['x;y;z', 'p;q;r'], b: [1, 2] })
  })

  it('can be given, and must be one ASCII character', () => {
    expect(cells(read('a:b\n1:2\n', { delimiter: ':' }))).toEqual({ a: [1], b: [2] })
    for (const delimiter of ['', '::', '"', '\n', 'é']) {
      expect(() => read('a\n1\n', { delimiter })).toThrow(/^delimiter: .* cannot separate cells/)
    }
  })

  it('leaves decimal commas alone unless told', () => {
    expect(cells(read('a,b\n"1,5",2\n'))).toEqual({ a: ['1,5'], b: [2] })
    expect(cells(read('a,b\n"1,5",2\n', { decimal: ',' }))).toEqual({ a: [1.5], b: [2] })
  })
})

describe('encoding', () => {
  it('falls back to windows-1252', () => {
    expect(cells(readCsv('t', latin1('a,b\nM\xfcller,\x80 5\n')))).toEqual({ a: ['Müller'], b: ['€ 5'] })
  })

  it('does as it is told', () => {
    expect(cells(readCsv('t', utf8('a\né\n'), { encoding: 'latin1' }))).toEqual({ a: ['Ã©'] })
    expect(() => readCsv('t', latin1('a\n\xe9\n'), { encoding: 'utf-8' })).toThrow(
      new UserError('t: is not valid UTF-8; try the encoding latin1'),
    )
  })
})

describe('errors', () => {
  it.each([
    ['', ['t.csv is empty; expected a header line with column names']],
    ['\n\r\n', ['t.csv is empty; expected a header line with column names']],
    [
      'a,b,c\n1,2\n3,4,5\n6,7,8,9\n',
      ['t.csv, line 2: 2 fields, the header has 3', 't.csv, line 4: 4 fields, the header has 3'],
    ],
    ['a,b\n1,2\n3\n', ['t.csv, line 3: 1 field, the header has 2']],
    ['a,b\n"x\ny",2\n3\n', ['t.csv, line 4: 1 field, the header has 2']],
    ['a,b\n1,2\n\n3,4\n', ['t.csv, line 3: 1 field, the header has 2']],
    [
      'a,b\n1\n2\n3\n4\n',
      [
        't.csv, line 2: 1 field, the header has 2',
        't.csv, line 3: 1 field, the header has 2',
        't.csv, line 4: 1 field, the header has 2',
        't.csv: 4 lines in all do not fit the header',
      ],
    ],
    [
      'a,b,a,b\n1,2,3,4\n',
      ['t.csv: the column name "a" occurs more than once', 't.csv: the column name "b" occurs more than once'],
    ],
    ['"",age\n1,2\n', ['t.csv: column 1 of 2 has no name; for row names written by R, use row.names = FALSE']],
    ['a,,c\n1,2,3\n', ['t.csv: column 2 of 3 has no name']],
    ['a,b\n1,"x\n2,y\n', ['t.csv, line 2: a quote is opened and never closed']],
    ['a,b\n1,"x"y\n', ['t.csv, line 2: text follows a closing quote; a quote inside a quoted cell is doubled']],
    ['a,b\n1,\0\n', ['t.csv: does not look like a CSV file: NUL byte at offset 6']],
  ])('%j', (text, expected) => expect(problems(text)).toEqual(expected))

  it('types of columns that are not there', () => {
    expect(problems('age,sex\n1,m\n', { types: { aeg: { kind: 'numeric' } } })).toEqual([
      't.csv: unknown column "aeg"; did you mean "age"?',
    ])
  })

  it('cells that do not fit a declared type', () => {
    expect(problems('age\n12\n?\n', { types: { age: { kind: 'numeric' } } })).toEqual([
      't.csv, column "age": 1 cell is not a number: row 2 "?"',
    ])
  })

  it('UTF-16', () => {
    expect(() => readCsv('t', latin1('\xff\xfea\0'))).toThrow(
      new UserError('t: is encoded in UTF-16; save it as UTF-8'),
    )
  })
})

it('reads more distinct texts than the tables begin with', () => {
  const texts = Array.from({ length: 50_000 }, (_, k) => `person ${(k * 7919) % 50_000}`)
  const read = readCsv('t', utf8(`id\n${texts.join('\n')}\n`))
  expect(cells(read)).toEqual({ id: texts })
})
