import {
  dateDay,
  decimal,
  dictionary,
  float64,
  int32,
  int64,
  list,
  tableFromArrays,
  tableToIPC,
  timestamp,
  utf8,
} from '@uwdata/flechette'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { columnNames, columnOf } from '../../table/table.js'
import { readTable } from '../read.js'
import { readArrow } from './arrow.js'

type Types = NonNullable<NonNullable<Parameters<typeof tableFromArrays>[1]>['types']>

function ipc(data: Record<string, unknown[]>, types: Types, format: 'file' | 'stream' = 'file'): Uint8Array {
  const bytes = tableToIPC(tableFromArrays(data, { types }), { format })
  if (bytes === null) throw new Error('flechette wrote nothing')
  return bytes
}

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

describe('arrow', () => {
  it.each(['file', 'stream'] as const)('reads a %s', (format) => {
    const bytes = ipc({ a: [1, null, 3], b: ['y', 'x', null] }, { a: int32(), b: utf8() }, format)
    expect(readArrow('t', bytes).columns).toEqual([
      { kind: 'numeric', name: 'a', values: Float64Array.of(1, Number.NaN, 3) },
      { kind: 'categorical', name: 'b', codes: Int32Array.of(1, 0, -1), levels: ['x', 'y'], ordered: false },
    ])
  })

  it('keeps the order of a dictionary, and whether it means something', () => {
    const labels = ['mid', null, 'low', 'mid']
    const bytes = ipc(
      { factor: labels, scale: labels },
      { factor: dictionary(utf8(), int32()), scale: dictionary(utf8(), int32(), true) },
    )
    const read = readArrow('t', bytes)
    const expected = { kind: 'categorical', codes: Int32Array.of(0, -1, 1, 0), levels: ['mid', 'low'] }
    expect(columnOf(read, 'factor')).toEqual({ ...expected, name: 'factor', ordered: false })
    expect(columnOf(read, 'scale')).toEqual({ ...expected, name: 'scale', ordered: true })
  })

  it('takes declared levels in their order, and no others', async () => {
    const bytes = ipc({ a: ['f', 'm', null] }, { a: utf8() })
    const reading = (levels: readonly string[]) =>
      readTable('t', bytes, { format: 'arrow', types: { a: { kind: 'categorical', levels } } })
    const { columns } = await reading(['m', 'x', 'f'])
    expect(columns[0]).toMatchObject({ codes: Int32Array.of(2, 0, -1), levels: ['m', 'x', 'f'], ordered: false })
    await expect(reading(['m'])).rejects.toThrow('t, column "a"')
  })

  it('reads dates, times, decimals, booleans and long integers', () => {
    const day = new Date('2024-02-29')
    const noon = new Date('1970-01-02T12:00:00Z')
    const read = readArrow(
      't',
      ipc(
        { day: [day, null], noon: [noon, null], price: [0.3, null], yes: [true, null], id: [9007199254740993n, 1n] },
        { day: dateDay(), noon: timestamp(), price: decimal(10, 1), id: int64() },
      ),
    )
    expect(read.columns).toEqual([
      { kind: 'date', name: 'day', values: Float64Array.of(19782, Number.NaN), unit: 'day' },
      { kind: 'date', name: 'noon', values: Float64Array.of(1.5, Number.NaN), unit: 'time' },
      { kind: 'numeric', name: 'price', values: Float64Array.of(0.3, Number.NaN) },
      { kind: 'categorical', name: 'yes', codes: Int32Array.of(1, -1), levels: ['false', 'true'], ordered: false },
      {
        kind: 'categorical',
        name: 'id',
        codes: Int32Array.of(1, 0),
        levels: ['1', '9007199254740993'],
        ordered: false,
      },
    ])
  })

  it('reads bytes that begin anywhere in a buffer', () => {
    const bytes = ipc({ a: [1.5, 2.5] }, { a: float64() })
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(readArrow('t', shifted.subarray(3)).rows).toBe(2)
  })

  it.each(['LZ4', 'ZSTD'] as const)('reads %s compression', (codec) => {
    const read = readArrow('t', bytesOf(COMPRESSED[codec]))
    const expected = Float64Array.from({ length: 64 }, (_, row) => (row % 8 === 7 ? Number.NaN : row % 8))
    expect(columnNames(read)).toEqual(['i'])
    expect(read.columns[0]).toMatchObject({ values: expected })
  })

  it('refuses nested columns and infinite numbers by name', () => {
    expect(() => readArrow('t', ipc({ xs: [[1]] }, { xs: list(int32()) }))).toThrow(
      new UserError('t: column "xs" has the Arrow type List, which is not a number, text or date'),
    )
    expect(() => readArrow('t', ipc({ x: [1, Number.POSITIVE_INFINITY] }, { x: float64() }))).toThrow(
      new UserError('t, column "x", row 2: expected a number, found Infinity'),
    )
  })

  it('a lying row count is an error, not an array of billions', async () => {
    const bytes = ipc({ a: [1, 2, 3] }, { a: int32() })
    // A field node of the record batch: 3 values and 0 nulls, as two 64-bit integers.
    const node = bytes.findIndex(
      (byte, at) => byte === 3 && bytes.subarray(at + 1, at + 16).every((next) => next === 0),
    )
    bytes[node + 3] = 0x7f
    await expect(readTable('t', bytes, { format: 'arrow' })).rejects.toThrow(
      /^t: cannot be read as Arrow: a batch of 2130706435 values has room for/,
    )
  })

  it('a file cut short is one clear error', async () => {
    const whole = ipc({ a: [1, 2, 3], b: ['x', 'y', 'x'] }, { a: int32(), b: dictionary(utf8(), int32()) })
    for (let length = 0; length < whole.length; length++) {
      await expect(readTable('t', whole.subarray(0, length), { format: 'arrow' })).rejects.toThrow(UserError)
    }
  })
})

/** One column `i` of 64 int32: 0 to 6 and null, over and over; written by flechette with lz4js and the zstd command. */
const COMPRESSED = {
  LZ4: '/////3AAAAAQAAAAAAAKAAwACgAJAAQACgAAABAAAAAAAQQACAAIAAAABAAIAAAABAAAAAEAAAAQAAAADAAQAAwACwAKAAQADAAAABwAAAAAAAIBBAAAAAEAAABpAAAACAAMAAgABwAIAAAAAAAAASAAAAAAAAAA/////5gAAAAUAAAAAAAAAAwAGAAWABUAEAAEAAwAAABYAAAAAAAAAAAAAAAUAAAAAAMEAAwAJAAYABQAEAAEAAwAAAAIAAAABAAEAAQAAAAUAAAAOAAAAEAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAABAAAAAAAAAAEAAAAAAAAABBAAAAAAAAAAAAAAABAAAAQAAAAAAAAAAIAAAAAAAAAP//////////f39/f39/f38AAQAAAAAAAAQiTRhAcN8qAAAA8AoAAAAAAQAAAAIAAAADAAAABAAAAAUAAAAGGQADBAAPIADEUAAAAAAAAAAAAAAAAAAAAAD/////AAAAAA==',
  ZSTD: '/////3AAAAAQAAAAAAAKAAwACgAJAAQACgAAABAAAAAAAQQACAAIAAAABAAIAAAABAAAAAEAAAAQAAAADAAQAAwACwAKAAQADAAAABwAAAAAAAIBBAAAAAEAAABpAAAACAAMAAgABwAIAAAAAAAAASAAAAAAAAAA/////6AAAAAUAAAAAAAAAAwAGAAWABUAEAAEAAwAAABIAAAAAAAAAAAAAAAUAAAAAAMEAAwALAAgABwAGAAEAAwAAAAMAAAAAAAGAAgABwAGAAAAAAAAARQAAAA4AAAAQAAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAAADgAAAAAAAAAAAAAAAEAAABAAAAAAAAAAAgAAAAAAAAA//////////9/f39/f39/fwABAAAAAAAAKLUv/QRYHQEA0AAAAAABAAAAAgAAAAMAAAAEAAAABQAAAAYAAgDZoShwA2OREBG+/////wAAAAA=',
}
