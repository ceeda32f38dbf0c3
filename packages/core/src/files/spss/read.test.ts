import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { valueAt } from '../../table/column.js'
import { tableOf } from '../../table/table.js'
import { readTable } from '../read.js'
import { toSpss } from './write.js'

/** Labels, dates and kinds of missing are held to what R sees in `labelled-files.test.ts`; here is what R does not write. */
const people = tableOf('people', { age: [31, 44, null], sex: ['m', 'f', 'm'] })
const zipped = () => new Uint8Array(readFileSync(join(import.meta.dirname, '../../testing/labelled/people.zsav')))

/** A file of another machine: the big end first, texts in windows-1252, nothing compressed, no number of cases. */
function foreignFile(encoding = 'windows-1252'): Uint8Array {
  const parts: number[] = []
  const int = (...values: number[]) => {
    for (const value of values) parts.push((value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255)
  }
  const text = (value: string, width: number) => {
    for (const character of value.padEnd(width)) parts.push(character.charCodeAt(0))
  }
  const double = (value: number) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setFloat64(0, value)
    parts.push(...new Uint8Array(view.buffer))
  }
  text('$FL2', 4)
  text('@(#) SPSS DATA FILE', 60)
  int(2, 2, 0, 0, -1)
  double(100)
  text('', 9 + 8 + 64 + 3)
  int(2, 0, 0, 1, 0x050802, 0x050802)
  text('GR\xd6SSE', 8)
  double(-1)
  int(2, 3, 1, 0, 0x010300, 0x010300)
  text('ORT', 8)
  int(4)
  text('Stra', 4)
  int(7, 20, 1, encoding.length)
  text(encoding, encoding.length)
  int(999, 0)
  for (const [size, place] of [
    [1.5, 'K\xf6l'],
    [-1, '\x80'],
    [-Number.MAX_VALUE, ''],
  ] as const) {
    double(size)
    text(place, 8)
  }
  return Uint8Array.from(parts)
}

it('reads the big end first, old encodings and files without a number of cases', async () => {
  const { columns, rows } = await readTable('a.sav', foreignFile())
  expect(columns.map((column) => [column.name, column.codebook?.label])).toEqual([
    ['GRÖSSE', undefined],
    ['ORT', 'Stra'],
  ])
  expect(columns.map((column) => Array.from({ length: rows }, (_, row) => valueAt(column, row)))).toEqual([
    [1.5, null, null],
    ['Köl', '€', null],
  ])
})

it('names an encoding that it does not know; another can be asked for', async () => {
  await expect(readTable('a.sav', foreignFile('EBCDIC-US'))).rejects.toThrow(
    'a.sav: its texts are in the encoding "EBCDIC-US", which is not known here; save it as UTF-8',
  )
  const { columns } = await readTable('a.sav', foreignFile('EBCDIC-US'), { encoding: 'latin1' })
  expect(columns[0].name).toBe('GRÖSSE')
})

it('refuses a file whose number of cases is wrong', async () => {
  const bytes = toSpss(people)
  const changed = bytes.slice()
  new DataView(changed.buffer).setInt32(80, 4, true)
  await expect(readTable('a.sav', changed)).rejects.toThrow(
    'a.sav: cannot be read as SPSS: the file says it has 4 records in one place and 3 in another',
  )
  await expect(readTable('a.sav', bytes.subarray(0, bytes.length - 16))).rejects.toThrow(
    /cut short|says it has 3 records/,
  )
})

it('refuses a packed file of which a byte has changed, unless it unpacks to the same', async () => {
  const bytes = zipped()
  const whole = JSON.stringify(await readTable('a.zsav', bytes))
  const trailer = bytes.length - 48
  const packed = Number(new DataView(bytes.buffer).getBigInt64(trailer + 32, true))
  let refused = 0
  for (let at = packed; at < trailer; at += 7) {
    const changed = bytes.slice()
    changed[at] ^= 16
    try {
      expect(JSON.stringify(await readTable('a.zsav', changed)), String(at)).toBe(whole)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      refused++
    }
  }
  expect(refused).toBeGreaterThan(0.9 * ((trailer - packed) / 7))
})

it('says what is no SPSS file', async () => {
  await expect(readTable('a.sav', new TextEncoder().encode('sex,age\n1,2\n'))).rejects.toThrow(
    'a.sav: cannot be read as SPSS: it does not begin as an SPSS file does',
  )
})
