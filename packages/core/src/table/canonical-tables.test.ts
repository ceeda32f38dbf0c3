import fc from 'fast-check'
import { expect, it } from 'vitest'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { type CodedTable, canonicalTables } from './canonical-tables.js'

function coded(numbers: readonly number[], levels: readonly number[], codes = 9): CodedTable {
  return {
    rows: Int32Array.from(levels.keys()),
    columns: [
      { name: 'number', numeric: true, cardinality: codes, codes: Int32Array.from(numbers) },
      { name: 'level', numeric: false, cardinality: codes, codes: Int32Array.from(levels) },
    ],
  }
}

const codesOf = (tables: readonly CodedTable[]) =>
  tables.map(({ columns }) => columns.map(({ codes, cardinality }) => [cardinality, ...codes]))

it('keeps the records, the order of numbers and what is missing', () => {
  const [{ rows, columns }] = canonicalTables([coded([7, 3, -1, 3, 5], [2, 2, 0, -1, 0])])
  const [number, level] = columns
  expect([number.cardinality, level.cardinality]).toEqual([3, 2])
  // 3, 5 and 7 are now 0, 1 and 2.
  expect(Array.from(rows, (row) => [2, 0, -1, 0, 1][row])).toEqual([...number.codes])
  expect(level.codes[rows.indexOf(0)]).toBe(level.codes[rows.indexOf(1)])
  expect(level.codes[rows.indexOf(2)]).toBe(level.codes[rows.indexOf(4)])
  expect(level.codes[rows.indexOf(0)]).not.toBe(level.codes[rows.indexOf(2)])
  expect(level.codes[rows.indexOf(3)]).toBe(-1)
})

it('writes the same records in the same way', () => {
  const cells = (length: number) => fc.array(fc.integer({ min: -1, max: 8 }), { minLength: length, maxLength: length })
  fc.assert(
    fc.property(cells(20), cells(20), cells(10), cells(10), fc.nat(), (n1, l1, n2, l2, seed) => {
      // Numbers spread out, and levels and rows in another order.
      const names = permutation(stream(seed, 'names'), 20)
      const moved = (numbers: readonly number[], levels: readonly number[], table: number) => {
        const order = Array.from(permutation(stream(seed, 'rows', table), numbers.length))
        return coded(
          order.map((row) => (numbers[row] < 0 ? -1 : 2 * numbers[row] + 1)),
          order.map((row) => (levels[row] < 0 ? -1 : names[levels[row]])),
          20,
        )
      }
      expect(codesOf(canonicalTables([moved(n1, l1, 1), moved(n2, l2, 2)]))).toEqual(
        codesOf(canonicalTables([coded(n1, l1), coded(n2, l2)])),
      )
    }),
    { numRuns: 200 },
  )
})
