import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Column, categorical, columnLength, numeric, valueAt } from '../table/column.js'
import { table } from '../table/table.js'
import { dateColumn } from './infer.js'
import { readTable } from './read.js'
import { toSpss } from './spss/write.js'
import { toStata } from './stata/write.js'

/** Any table comes back from SPSS and Stata, cell by cell: numbers to the last bit, times to the millisecond. */
const ROWS = 7
const STATA_LARGEST = 8.98e307

const cell = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(fc.option(value, { freq: 5 }), { minLength: ROWS, maxLength: ROWS })

/** A text that is not empty, has no NUL and no blank at its end, which these programs cannot tell from none. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((value) => value.replaceAll('\0', '').trim())
  .filter((value) => value !== '')
const longText = fc.tuple(text, fc.nat(400)).map(([value, times]) => value.repeat(1 + times))
const days = fc.integer({ min: -140_000, max: 400_000 })

const column = (name: string): fc.Arbitrary<Column> =>
  fc.oneof(
    cell(fc.double({ noNaN: true, min: -STATA_LARGEST, max: STATA_LARGEST }).map((value) => value + 0)).map((values) =>
      numeric(name, values),
    ),
    cell(fc.integer()).map((values) => numeric(name, values)),
    cell(fc.integer({ min: -130, max: 130 })).map((values) => numeric(name, values)),
    cell(text).map((values) => categorical(name, values)),
    cell(longText).map((values) => ({ ...categorical(name, values), codebook: { text: true, label: name } })),
    cell(days).map((values) => dateColumn(name, numeric(name, values).values)),
    cell(fc.tuple(days, fc.nat(86_399_999))).map((values) =>
      dateColumn(
        name,
        numeric(
          name,
          values.map((one) => one && one[0] + one[1] / 86_400_000),
        ).values,
      ),
    ),
  )

function cells(of: Column): (string | number | null)[] {
  const exact = (row: number) => (of.kind === 'date' ? Math.round(of.values[row] * 86_400_000) : valueAt(of, row))
  return Array.from({ length: columnLength(of) }, (_, row) => (valueAt(of, row) === null ? null : exact(row)))
}

it.each([
  ['a.sav', toSpss],
  ['a.dta', toStata],
] as const)('%s', async (name, write) => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(column('a'), column('größe'), column('c_3')), async (columns) => {
      const again = await readTable(name, write(table('t', columns)))
      expect(again.columns.map(cells)).toEqual(columns.map(cells))
      expect(again.columns.map((one) => one.codebook?.label)).toEqual(columns.map((one) => one.codebook?.label))
    }),
    { numRuns: 150, seed: 1 },
  )
})
