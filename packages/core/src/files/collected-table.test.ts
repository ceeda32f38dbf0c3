import { describe, expect, it } from 'vitest'
import { collectTable } from './collected-table.js'
import { readCsv } from './csv.js'

function cells(texts: readonly (string | null)[], options = {}) {
  const collector = collectTable('t.csv', [{ name: 'a', kind: 'cell' }], texts.length, options)
  collector.put(0, 0, texts)
  return collector.table()
}

/** As an engine hands the cells on: bare tokens are null, quotes are gone. */
describe('cells of a delimited file', () => {
  it.each([
    ['numbers', 'a\n1\nNA\n2.5\n', ['1', null, '2.5']],
    ['a quoted token among numbers', 'a\n1\n"NA"\n2\n', ['1', 'NA', '2']],
    ['a quoted token among texts', 'a\nx\n"NA"\nNA\n', ['x', 'NA', null]],
    ['a token with blanks around it', 'a,b\nx,1\n NA ,1\n', ['x', ' NA ']],
    ['codes', 'a\n007\n1\n', ['007', '1']],
    ['dates', 'a\n2020-01-01\nnull\n', ['2020-01-01', null]],
    ['truths', 'a\nTRUE\nfalse\n', ['TRUE', 'false']],
    ['nothing', 'a,b\n,1\n,1\n', [null, '']],
  ])('make the same column as the file: %s', (_, text, texts) => {
    const [column] = readCsv('t.csv', new TextEncoder().encode(text)).columns
    expect(cells(texts).columns).toEqual([column])
  })

  it('of declared types too', () => {
    const options = { types: { a: { kind: 'categorical' } as const }, missing: ['-'] }
    const [column] = readCsv('t.csv', new TextEncoder().encode('a\n1\nNA\n-\n'), options).columns
    expect(cells(['1', 'NA', null], options).columns).toEqual([column])
    expect(() => cells(['x'], { types: { a: { kind: 'numeric' } } })).toThrow(
      't.csv, column "a": 1 cell is not a number',
    )
    expect(() => cells(['x'], { types: { b: { kind: 'numeric' } } })).toThrow('"b"')
  })
})

it('columns without a name, or with the same, are refused', () => {
  const columns = ['a', 'a'].map((name) => ({ name, kind: 'number' as const }))
  expect(() => collectTable('t', columns, 0, {})).toThrow('the column name "a" occurs more than once')
})
