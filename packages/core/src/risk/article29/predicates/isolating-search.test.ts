import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { AT_LEAST, AT_MOST, EQUAL, indexTable, matcher } from '../../../table/predicates.js'
import { type DescribedTable, EITHER, isolatingSearch, operatorAt } from './isolating-search.js'

const ROWS = 9
const CODES = 4

/** Three columns; every value is described by any operator, the same for equal values. */
const tables = fc
  .array(
    fc.record({
      codes: fc.array(fc.nat({ max: CODES - 1 }), { minLength: ROWS, maxLength: ROWS }),
      operators: fc.array(fc.constantFrom(EQUAL, AT_MOST, AT_LEAST, EITHER), { minLength: CODES, maxLength: CODES }),
    }),
    { minLength: 3, maxLength: 3 },
  )
  .map((columns): DescribedTable => {
    const table = indexTable(
      'released',
      columns.map(({ codes }, j) => ({
        name: `${j}`,
        numeric: true,
        cardinality: CODES,
        codes: Int32Array.from(codes),
      })),
    )
    return { ...table, operators: columns.map(({ operators }) => Uint8Array.from(operators)) }
  })

/** What is said about each of many drawn predicates: one that is new and isolates is 1. */
function searched(table: DescribedTable, attempts: number) {
  const search = isolatingSearch(table, 2, attempts)
  const random = stream(1, 'test')
  const match = matcher(table)
  const isolating = new Set<string>()
  const found: boolean[] = []
  const over: boolean[] = []
  for (let attempt = 0; attempt < 3000; attempt++) {
    const row = random.below(ROWS)
    const order = Int32Array.from(
      [
        [0, 1, 2],
        [0, 2, 1],
        [1, 2, 0],
      ][random.below(3)],
    )
    const operators = Uint8Array.from([0, 1], (k) => {
      const operator = operatorAt(table, row, order[k])
      return operator === EITHER ? [AT_MOST, AT_LEAST][random.below(2)] : operator
    })
    over.push(search.isOver())
    found.push(search.isNew(row, order, operators))
    const code = Int32Array.from([0, 1], (k) => table.columns[order[k]].codes[row])
    const predicate = { width: 2, count: 1, column: order.slice(0, 2), operator: operators, code }
    if (match(predicate, 0, new Int32Array(0)) === 1) isolating.add(`${row} ${order} ${operators}`)
  }
  return { found, over, isolating: isolating.size }
}

it('says the same whether it tries all predicates or remembers what it found', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const all = searched(table, 1_000_000)
      const { found } = searched(table, 0)
      expect(all.found.join()).toBe(found.join())
      // Each that isolates was found once, and the search was over when the last one was.
      expect(found.filter(Boolean).length).toBe(all.isolating)
      const last = found.lastIndexOf(true)
      expect(all.over.indexOf(true)).toBeGreaterThan(last)
      expect(all.over.at(-1)).toBe(true)
    }),
    { numRuns: 5 },
  )
})
