import { expect, it } from 'vitest'
import { valueAt } from '../../table/column.js'
import { table, tableOf } from '../../table/table.js'
import { readTable } from '../read.js'
import { toStata } from './write.js'

/** Labels, dates and kinds of missing are held to what R sees in `labelled-files.test.ts`; here is what R does not write. */
const TYPES = { byte: 251, int: 252, long: 253, float: 254, double: 255 }

/** A file of Stata 10 on another machine: the big end first, texts in windows-1252. */
function foreignFile(release = 114): Uint8Array {
  const parts: number[] = []
  const text = (value: string, width: number) => {
    for (const character of value.padEnd(width, '\0')) parts.push(character.charCodeAt(0))
  }
  const number = (bytes: number, put: (view: DataView) => void) => {
    const view = new DataView(new ArrayBuffer(bytes))
    put(view)
    parts.push(...new Uint8Array(view.buffer))
  }
  const int16 = (value: number) => number(2, (view) => view.setInt16(0, value))
  const int32 = (value: number) => number(4, (view) => view.setInt32(0, value))
  parts.push(release, 1, 1, 0)
  const names = ['b', 'i', 'l', 'f', 'd', 'ort', 'monat']
  const formats = ['%8.0g', '%8.0g', '%8.0g', '%9.0g', '%9.0g', '%5s', '%tm']
  int16(names.length)
  int32(2)
  text('', 81 + 18)
  parts.push(TYPES.byte, TYPES.int, TYPES.long, TYPES.float, TYPES.double, 5, TYPES.int)
  for (const name of names) text(name, 33)
  text('', 2 * (names.length + 1))
  for (const format of formats) text(format, 49)
  for (const _ of names) text('', 33)
  for (const name of names) text(name === 'ort' ? 'Stra\xdfe' : '', 81)
  text('', 5)
  parts.push(100)
  int16(32_740)
  int32(2_147_483_620)
  number(4, (view) => view.setFloat32(0, 0.5))
  number(8, (view) => view.setFloat64(0, -1e300))
  text('K\xf6ln', 5)
  int16(721)
  parts.push(102)
  int16(32_741)
  int32(2_147_483_647)
  int32(0x7f000800)
  int32(0x7fe00200)
  int32(0)
  text('', 5)
  int16(-1)
  return Uint8Array.from(parts)
}

it('reads the big end first, the largest numbers, months and old encodings', async () => {
  const { columns, rows } = await readTable('a.dta', foreignFile())
  expect(columns[5].codebook?.label).toBe('Straße')
  expect(columns.map((column) => Array.from({ length: rows }, (_, row) => valueAt(column, row)))).toEqual([
    [100, null],
    [32_740, null],
    [2_147_483_620, null],
    [0.5, null],
    [-1e300, null],
    ['Köln', null],
    ['2020-02-01', '1959-12-01'],
  ])
})

it('writes dates in the units that they came in, where they fit', async () => {
  const first = await readTable('a.dta', foreignFile())
  const again = await readTable('b.dta', toStata(first))
  expect(again.columns[6]).toMatchObject({ kind: 'date', codebook: { format: '%tm' } })
  const [month] = first.columns.slice(6)
  if (month.kind !== 'date') throw new Error('not a date')
  const moved = table('t', [{ ...month, values: month.values.map((days) => days + 1) }])
  const third = await readTable('b.dta', toStata(moved))
  expect(third.columns[0]).toMatchObject({ kind: 'date', codebook: { format: '%td' } })
  expect([0, 1].map((row) => valueAt(third.columns[0], row))).toEqual(['2020-02-02', '1959-12-02'])
})

it('says which releases it reads', async () => {
  await expect(readTable('a.dta', foreignFile(105))).rejects.toThrow(
    'a.dta: is a Stata file of release 105; scrim reads 113 (Stata 8) to 119 (Stata 15 and later), so save it anew',
  )
})

it('refuses a file whose number of records is wrong', async () => {
  const bytes = toStata(tableOf('t', { age: [31, 44, 52], sex: ['m', 'f', 'm'] }))
  const at = String.fromCharCode(...bytes).indexOf('<N>') + '<N>'.length
  for (const rows of [2, 4, 2 ** 20]) {
    const changed = bytes.slice()
    new DataView(changed.buffer).setInt32(at, rows, true)
    await expect(readTable('a.dta', changed), String(rows)).rejects.toThrow(/^a\.dta: cannot be read as Stata: /)
  }
})

it('refuses numbers that Stata takes for missing', () => {
  expect(() => toStata(tableOf('t', { x: [1e308] }))).toThrow(
    'column "x" has the number 1e+308; Stata takes it for missing',
  )
})

it('says what is no Stata file', async () => {
  await expect(readTable('a.dta', new TextEncoder().encode('sex,age\n1,2\n'))).rejects.toThrow(
    'a.dta: cannot be read as Stata: it does not begin as a Stata file does',
  )
})
