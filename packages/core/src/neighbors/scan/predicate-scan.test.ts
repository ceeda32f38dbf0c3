import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OPERATORS } from '../../table/predicates.js'
import { leastOf, nothingFound } from './least.js'
import {
  type AskedPredicates,
  type PredicateQuestion,
  predicateCoder,
  predicateLists,
  predicateScan,
  rowsMatched,
} from './predicate-scan.js'
import { recordHashes } from './record-hash.js'
import type { Records } from './record-scan.js'

const columns = [
  { name: 'age', isNumber: true, values: [-1.5, 0, 2] },
  { name: 'town', isNumber: false, values: ['b', 'a'] },
]
type Record = readonly [number | null, string | null]
const record = fc.tuple(fc.constantFrom(-2, -1.5, -1, 0, 1, 2, 3, null), fc.constantFrom('a', 'b', 'c', null))
const [MISSING, NOT_MISSING] = [OPERATORS.indexOf('missing'), OPERATORS.indexOf('not missing')]
const ofAge = fc.oneof(
  fc.tuple(fc.constantFrom(0, 1, 2, 4, 5, 6), fc.nat(2)),
  fc.tuple(fc.constantFrom(MISSING, NOT_MISSING), fc.constant(3)),
)
const ofTown = fc.oneof(
  fc.tuple(fc.constantFrom(0, 4), fc.nat(1)),
  fc.tuple(fc.constantFrom(MISSING, NOT_MISSING), fc.constant(2)),
)

/** By the words of the operators. */
function holds([operator, code]: readonly [number, number], j: number, given: Record): boolean {
  const [value, other] = [given[j], columns[j].values[code]]
  switch (OPERATORS[operator]) {
    case '=':
      return value === other
    case '≠':
      return value !== other
    case 'missing':
      return value === null
    case 'not missing':
      return value !== null
    case '≤':
      return value !== null && value <= other
    case '≥':
      return value !== null && value >= other
    case '<':
      return value !== null && value < other
    case '>':
      return value !== null && value > other
  }
}

function asRecords(given: readonly Record[]): Records {
  return { rows: given.length, columns: columns.map((_, j) => given.map((one) => one[j])) }
}

it('counts and names, in parts as in one, the records that each predicate holds for', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 30 }),
      fc.array(fc.tuple(ofAge, ofTown, fc.nat(29)), { minLength: 1, maxLength: 5 }),
      fc.nat(30),
      (given, asked, cut) => {
        const predicates = {
          width: 2,
          count: asked.length,
          column: asked.flatMap(() => [0, 1]),
          operator: asked.flatMap(([age, town]) => [age[0], town[0]]),
          code: asked.flatMap(([age, town]) => [age[1], town[1]]),
        }
        const hashes = recordHashes(columns, 1, [asRecords(given)], given.length)
        const madeFrom = asked.map(([, , row]) => row % given.length)
        const groups: AskedPredicates[] = [
          { ...predicates, isNamed: true },
          { ...predicates, isNamed: false, enough: 1 },
          { ...predicates, isNamed: false, enough: 0, madeFrom: madeFrom.map((row) => hashes[row]) },
        ]
        const question: PredicateQuestion = { columns, seed: 1, groups }
        const [code, scan, lists] = [predicateCoder(question), predicateScan(question), predicateLists(question)]
        let least = nothingFound(lists)
        const counts = new Float64Array(3 * asked.length)
        const named: number[] = []
        for (const [from, to] of [
          [0, cut],
          [cut, given.length],
        ]) {
          const part = given.slice(from, to)
          const found = scan(code([asRecords(part)], part.length), least)
          least = leastOf(lists, [least, found.least])
          for (const [q, count] of found.equal.entries()) counts[q] += count
          named.push(...Array.from(found.rows, (row) => from + row))
        }
        const rowsOf = rowsMatched(question, code([asRecords(named.map((row) => given[row]))], named.length))(groups[0])
        for (const [q, [age, town]] of asked.entries()) {
          const matching = given.flatMap((one, row) => (holds(age, 0, one) && holds(town, 1, one) ? [row] : []))
          const others = matching.filter((row) => String(given[row]) !== String(given[madeFrom[q]]))
          expect(counts[q]).toBe(matching.length)
          expect(Array.from(rowsOf(q), (row) => named[row])).toEqual(matching)
          expect(Math.min(2, counts[asked.length + q])).toBe(Math.min(2, matching.length))
          expect(Math.min(1, counts[2 * asked.length + q])).toBe(Math.min(1, others.length))
        }
      },
    ),
  )
})

it('names no records for a predicate that many have', () => {
  const rows = 200
  const given = Array.from({ length: rows }, (_, row): Record => [row < 65 ? 0 : row < 70 ? 2 : -2, null])
  const ages = { width: 1, count: 2, column: [0, 0], operator: [0, 0], code: [1, 2] }
  const question = { columns, seed: 1, groups: [{ ...ages, isNamed: true }] }
  const { rows: named, equal } = predicateScan(question)(
    predicateCoder(question)([asRecords(given)], rows),
    nothingFound(predicateLists(question)),
  )
  expect([...equal]).toEqual([65, 5])
  expect([...named]).toEqual([65, 66, 67, 68, 69])
})
