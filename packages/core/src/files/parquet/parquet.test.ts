import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { valueAt } from '../../table/column.js'
import { columnOf } from '../../table/table.js'
import { readTable } from '../read.js'
import { readParquet } from './parquet.js'

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

describe('parquet', () => {
  /** Columns i int, f double, d decimal(5,1), s text, b boolean, day date, time timestamp, long and big bigint. */
  it.each(['snappy', 'zstd'] as const)('reads every type, with nulls (%s)', async (compression) => {
    const read = await readParquet('t.parquet', bytesOf(WRITTEN_BY_DUCKDB[compression]))
    const cells = Object.fromEntries(
      read.columns.map((column) => [column.name, [0, 1, 2].map((row) => valueAt(column, row))]),
    )
    expect(cells).toEqual({
      i: [1, null, -3],
      f: [1.5, null, -0.25],
      d: [0.3, null, 12.7],
      s: ['ab', null, 'é'],
      b: ['true', null, 'false'],
      day: ['2024-02-29', null, '1969-12-31'],
      time: ['2024-01-01T12:00:00', null, '2024-01-02T00:00:00'],
      long: ['9007199254740993', null, '1'],
      big: [7, null, 8],
    })
    expect(columnOf(read, 'b')).toMatchObject({ levels: ['false', 'true'] })
    expect(columnOf(read, 'day')).toMatchObject({ kind: 'date', unit: 'day' })
    expect(columnOf(read, 'time')).toMatchObject({ kind: 'date', unit: 'time' })
    expect(columnOf(read, 'long')).toMatchObject({ kind: 'categorical' })
  })

  it('takes declared types and missing tokens', async () => {
    const bytes = bytesOf(WRITTEN_BY_DUCKDB.snappy)
    const read = await readTable('t', bytes, { types: { i: { kind: 'categorical' } }, missing: ['7', 'ab'] })
    expect(columnOf(read, 'i')).toMatchObject({ kind: 'categorical', levels: ['-3', '1'] })
    expect(valueAt(columnOf(read, 'big'), 0)).toBeNull()
    expect(columnOf(read, 's')).toMatchObject({ levels: ['é'], codes: Int32Array.of(-1, -1, 0) })
  })

  it('refuses nested columns by name', async () => {
    await expect(readParquet('n.parquet', bytesOf(NESTED))).rejects.toThrow(
      new UserError('n.parquet: column "xs" is nested; flatten it first'),
    )
  })

  it('a file cut short is one clear error', async () => {
    const whole = bytesOf(WRITTEN_BY_DUCKDB.snappy)
    for (let length = 4; length < whole.length; length++) {
      await expect(readTable('t', whole.subarray(0, length))).rejects.toThrow(/^t: cannot be read as Parquet/)
    }
  })

  it('damaged bytes give a table or a UserError', async () => {
    const whole = bytesOf(WRITTEN_BY_DUCKDB.snappy)
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    // The seed is fixed: some damage has hyparquet make arrays without end, which is not for scrim to mend.
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const bytes = whole.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        await readTable('t', bytes, { format: 'parquet' }).catch((error: unknown) =>
          expect(error).toBeInstanceOf(UserError),
        )
      }),
      { numRuns: 200, seed: 1 },
    )
  })
})

const WRITTEN_BY_DUCKDB = {
  snappy:
    'UEFSMRUAFVoVKiwVBhUAFQYVBgAALRghAAAAQQUAdgEAHAEAAAD9////FQAVahUuLBUGFQAVBhUGAAA1GCEAAABBBQCOAQAk+D8AAAAAAADQvxUAFVoVKiwVBhUAFQYVBgAALRghAAAAQQUAdgEAHAMAAAB/AAAAFQAVYhUyLBUGFQAVBhUGAAAxGCEAAABBBQB2AQAsAgAAAGFiAgAAAMOpFQAVTBUcLBUGFQAVBhUGAAAmGCEAAABBBQB2AQAAARUAFVoVKiwVBhUAFQYVBgAALRghAAAAQQUAdgEAHEZNAAD/////FQAVahU4LBUGFQAVBhUGAAA1GCEAAABBBQB6AQA40Awf4Q0GAACA+C3rDQYAFQAVahU6LBUGFQAVBhUGAAA1GCEAAABBBQB2AQA8AQAAAAAAIAABAAAAAAAAABUAFWoVOiwVBhUAFQYVBgAANRghAAAAQQUAdgEAPAcAAAAAAAAACAAAAAAAAAAVAhmsNQAYDWR1Y2tkYl9zY2hlbWEVEgAVAiUCGAFpJSIAFQolAhgBZgAVAiUCGAFkJQoVAhUKLFwVAhUKAAAAFQwlAhgBcyUAABUAJQIYAWIAFQIlAhgDZGF5JQwAFQQlAhgEdGltZSUUTIwSHCwAAAAAABUEJQIYBGxvbmclJAAVBCUCGANiaWclJAAWBhkcGZwmABwVAhkVABkYAWkVAhYGFnwWTCYIPBgEAQAAABgE/f///xYCKAQBAAAAGAT9////EREAAAAmABwVChkVABkYAWYVAhYGFowBFlAmVDwYCAAAAAAAAPg/GAgAAAAAAADQvxYCKAgAAAAAAAD4PxgIAAAAAAAA0L8REQAAACYAHBUCGRUAGRgBZBUCFgYWfBZMJqQBPBgEfwAAABgEAwAAABYCKAR/AAAAGAQDAAAAEREAAAAmABwVDBkVABkYAXMVAhYGFoQBFlQm8AE8GALDqRgCYWIWAigCw6kYAmFiEREAAAAmABwVABkVABkYAWIVAhYGFm4WPibEAjwYAQEYAQAWAigBARgBABERAAAAJgAcFQIZFQAZGANkYXkVAhYGFnwWTCaCAzwYBEZNAAAYBP////8WAigERk0AABgE/////xERAAAAJgAcFQQZFQAZGAR0aW1lFQIWBhaMARZaJs4DPBgIAID4LesNBgAYCADQDB/hDQYAFgIoCACA+C3rDQYAGAgA0Awf4Q0GABERAAAAJgAcFQQZFQAZGARsb25nFQIWBhaMARZcJqgEPBgIAQAAAAAAIAAYCAEAAAAAAAAAFgIoCAEAAAAAACAAGAgBAAAAAAAAABERAAAAJgAcFQQZFQAZGANiaWcVAhYGFowBFlwmhAU8GAgIAAAAAAAAABgIBwAAAAAAAAAWAigICAAAAAAAAAAYCAcAAAAAAAAAEREAAAAWlgkWBiYIFtgFACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRmcHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAAA4DAABQQVIx',
  zstd: 'UEFSMRUAFVoVPCwVBhUAFQYVBgAAKLUv/SAtrQAAeCEAAABBBQABAAAA/f///wEAIjACFQAVahVALBUGFQAVBhUGAAAotS/9IDW9AACIIQAAAEEFAPg/AAAAAAAA0L8BAElgBBUAFVoVPCwVBhUAFQYVBgAAKLUv/SAtrQAAeCEAAABBBQADAAAAfwAAAAEAIjACFQAVYhVELBUGFQAVBhUGAAAotS/9IDHNAACYIQAAAEEFAAIAAABhYgIAAADDqQEAIjACFQAVTBUuLBUGFQAVBhUGAAAotS/9ICZ1AABAIQAAAEEFAAEBACIwAhUAFVoVPCwVBhUAFQYVBgAAKLUv/SAtrQAAeCEAAABBBQBGTQAA/////wEAIjACFQAVahVKLBUGFQAVBhUGAAAotS/9IDXlAACwIQAAAEEFANAMH+ENBgAAgPgt6w0GAAEADTACFQAVahU+LBUGFQAVBhUGAAAotS/9IDW1AABgIQAAAEEFAAEAIAAAAwArKYCFRWAEFQAVahVELBUGFQAVBhUGAAAotS/9IDXNAACIIQAAAEEFAAcACAAAAAAAAAACAGDAIjACFQIZrDUAGA1kdWNrZGJfc2NoZW1hFRIAFQIlAhgBaSUiABUKJQIYAWYAFQIlAhgBZCUKFQIVCixcFQIVCgAAABUMJQIYAXMlAAAVACUCGAFiABUCJQIYA2RheSUMABUEJQIYBHRpbWUlFEyMEhwsAAAAAAAVBCUCGARsb25nJSQAFQQlAhgDYmlnJSQAFgYZHBmcJgAcFQIZFQAZGAFpFQwWBhZ8Fl4mCDwYBAEAAAAYBP3///8WAigEAQAAABgE/f///xERAAAAJgAcFQoZFQAZGAFmFQwWBhaMARZiJmY8GAgAAAAAAAD4PxgIAAAAAAAA0L8WAigIAAAAAAAA+D8YCAAAAAAAANC/EREAAAAmABwVAhkVABkYAWQVDBYGFnwWXibIATwYBH8AAAAYBAMAAAAWAigEfwAAABgEAwAAABERAAAAJgAcFQwZFQAZGAFzFQwWBhaEARZmJqYCPBgCw6kYAmFiFgIoAsOpGAJhYhERAAAAJgAcFQAZFQAZGAFiFQwWBhZuFlAmjAM8GAEBGAEAFgIoAQEYAQAREQAAACYAHBUCGRUAGRgDZGF5FQwWBhZ8Fl4m3AM8GARGTQAAGAT/////FgIoBEZNAAAYBP////8REQAAACYAHBUEGRUAGRgEdGltZRUMFgYWjAEWbCa6BDwYCACA+C3rDQYAGAgA0Awf4Q0GABYCKAgAgPgt6w0GABgIANAMH+ENBgAREQAAACYAHBUEGRUAGRgEbG9uZxUMFgYWjAEWYCamBTwYCAEAAAAAACAAGAgBAAAAAAAAABYCKAgBAAAAAAAgABgIAQAAAAAAAAAREQAAACYAHBUEGRUAGRgDYmlnFQwWBhaMARZmJoYGPBgICAAAAAAAAAAYCAcAAAAAAAAAFgIoCAgAAAAAAAAAGAgHAAAAAAAAABERAAAAFpYJFgYmCBbkBgAoKER1Y2tEQiB2ZXJzaW9uIHYxLjUuNiAoYnVpbGQgMDY5Y2M5ZjliNSkZnBwAABwAABwAABwAABwAABwAABwAABwAABwAAAAOAwAAUEFSMQ==',
}

const NESTED =
  'UEFSMRUAFRQVGCwVAhUAFQYVBgAACiQCAAAAAgEBAAAAFQAVZhU2LBUEFQAVBhUGAAAzGCEAAABBAgB2AQA0AgAAAAQDAQAAAAIAAAAVAhlcNQAYDWR1Y2tkYl9zY2hlbWEVBAAVAiUCGAFhJSIANQIYAnhzFQIVBgA1BBgEbGlzdBUCABUCJQIYB2VsZW1lbnQlIgAWAhkcGSwmABwVAhkVABkYAWEVAhYCFjYWOiYIPBgEAQAAABgEAQAAABYAKAQBAAAAGAQBAAAAEREAAAAmABwVAhkVABk4AnhzBGxpc3QHZWxlbWVudBUCFgQWiAEWWCZCPBgEAgAAABgEAQAAABYAKAQCAAAAGAQBAAAAEREAAAAWvgEWAiYIFpIBACgoRHVja0RCIHZlcnNpb24gdjEuNS42IChidWlsZCAwNjljYzlmOWI1KRksHAAAHAAAAAcBAABQQVIx'
