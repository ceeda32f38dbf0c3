import { describe, expect, it } from 'vitest'
import { categorical, numeric } from '../../table/column.js'
import { table } from '../../table/table.js'
import { readTable } from '../read.js'
import { toParquet } from './write-parquet.js'

describe('toParquet', () => {
  it('comes back with the same types, values and missing cells', async () => {
    const made = table('people', [
      categorical('sex', ['f', null, 'm', '']),
      numeric('age', [30, -1, null, 0]),
      numeric('income', [0.1, 1e300, null, -2.5]),
      { kind: 'date', name: 'born', unit: 'day', values: Float64Array.of(0, -365, Number.NaN, 20_000) },
      { kind: 'date', name: 'seen', unit: 'time', values: Float64Array.of(0.5, 1.25, Number.NaN, 2) },
    ])
    const read = await readTable('people', toParquet(made))
    expect(read).toEqual(made)
  })

  it('writes a table of many groups of rows', async () => {
    const values = Float64Array.from({ length: 5000 }, (_, row) => row % 97)
    const read = await readTable('n', toParquet(table('n', [numeric('n', values)])))
    expect(read.columns[0]).toEqual(numeric('n', values))
  })
})
