import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categorical, numeric } from '../table/column.js'
import { type Table, table, tableOf } from '../table/table.js'
import { readCsv } from './csv.js'
import type { TypeSpec } from './types.js'
import { csvChunks, toCsv } from './write.js'

const reread = (csv: string, types?: Record<string, TypeSpec>) => readCsv('t', new TextEncoder().encode(csv), { types })

describe('toCsv', () => {
  it('quotes only where it must', () => {
    const data = { 'a;b': [1.5, null, -2], c: ['x', 'say "hi", twice', null], d: ['NA', ' ', 'l1\nl2'] }
    expect(toCsv(tableOf('t', data))).toBe('"a;b",c,d\n1.5,x,"NA"\n,"say ""hi"", twice"," "\n-2,,"l1\nl2"\n')
  })

  it('a missing value in a table of one column is a record', () => {
    const lone = tableOf('t', { a: [1, null] })
    expect(toCsv(lone)).toBe('a\n1\n""\n')
    expect(reread(toCsv(lone))).toEqual(lone)
  })

  it('dates keep milliseconds', () => {
    const day = { kind: 'date', name: 'day', values: Float64Array.of(1, Number.NaN), unit: 'day' } as const
    const time = { kind: 'date', name: 'time', values: Float64Array.of(1.5, 1 / 86_400_000), unit: 'time' } as const
    const dates = table('t', [day, time])
    expect(toCsv(dates)).toBe('day,time\n1970-01-02,1970-01-02T12:00:00\n,1970-01-01T00:00:00.001Z\n')
    expect(reread(toCsv(dates))).toEqual(dates)
  })

  it('comes in pieces that join to the whole', () => {
    const long = tableOf('t', { a: Array.from({ length: 25_000 }, (_, row) => row) })
    const pieces = [...csvChunks(long)]
    expect(pieces.length).toBe(4)
    expect(reread(pieces.join(''))).toEqual(long)
  })
})

describe('what is written is read back', () => {
  const character = fc.constantFrom(
    'a',
    'Z',
    '0',
    '1',
    '.',
    '-',
    ',',
    ';',
    '\t',
    '|',
    '"',
    "'",
    '\n',
    '\r',
    ' ',
    'é',
    '日',
    '😀',
    '\ufeff',
  )
  const awkward = fc.oneof(
    fc.array(character, { minLength: 1, maxLength: 6 }).map((characters) => characters.join('')),
    fc.constantFrom('NA', 'null', 'NaN', 'N/A', '007', '1e5', 'true', '2024-01-01', ' NA ', '""'),
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
  )
  const column = (rows: number) =>
    fc.oneof(
      fc
        .array(fc.option(awkward, { freq: 4 }), { minLength: rows, maxLength: rows })
        .map((labels) => categorical('', labels)),
      fc
        .array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { freq: 4 }), {
          minLength: rows,
          maxLength: rows,
        })
        .map((values) =>
          numeric(
            '',
            values.map((value) => (value === null ? null : value + 0)),
          ),
        ),
    )
  const name = awkward.map((text) => text.trim()).filter((text) => text !== '')
  const tables: fc.Arbitrary<Table> = fc
    .tuple(fc.nat(8), fc.uniqueArray(name, { minLength: 1, maxLength: 4 }))
    .chain(([rows, names]) =>
      fc
        .tuple(...names.map((own) => column(rows).map((values) => ({ ...values, name: own }))))
        .map((columns) => table('t', columns)),
    )

  it('whatever is in it, the types being declared', () =>
    fc.assert(
      fc.property(tables, (written) => {
        const types = Object.fromEntries(written.columns.map((own) => [own.name, { kind: own.kind }]))
        expect(reread(toCsv(written), types)).toEqual(written)
      }),
      { numRuns: 2000 },
    ))

  it('and without types, where the texts look like nothing else', () => {
    const worded = fc.uniqueArray(
      awkward.map((text) => `x${text}`),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(worded, (labels) => {
        const written = table('t', [
          categorical('a', labels),
          numeric(
            'b',
            labels.map((_, row) => row / 3),
          ),
        ])
        expect(reread(toCsv(written))).toEqual(written)
      }),
      { numRuns: 1000 },
    )
  })
})

it('marks what a spreadsheet would take for a formula on request, and nothing else', () => {
  const people = table('people', [
    categorical('=name', ['=1+1', '+a', '-b', '@c', '\uff1dd', '-5', 'e=f', null]),
    numeric('gain', [-1, 2, -3.5, 4, 5, 6, 7, 8]),
  ])
  const safe = [...csvChunks(people, { unlikeFormulas: true })].join('')
  expect(safe).toBe("'=name,gain\n'=1+1,-1\n'+a,2\n'-b,-3.5\n'@c,4\n'\uff1dd,5\n-5,6\ne=f,7\n,8\n")
  expect(toCsv(people)).toContain('\n=1+1,-1\n')
})
