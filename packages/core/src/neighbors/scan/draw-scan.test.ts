import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DrawQuestion, drawCoder, drawLists, drawScan } from './draw-scan.js'
import { leastOf, nothingFound } from './least.js'
import { recordHashes } from './record-hash.js'
import type { Records } from './record-scan.js'

const columns = [
  { name: 'age', isNumber: true },
  { name: 'town', isNumber: false },
]
const values = [
  [0, -0, 1, 1.5, null, Number.NaN, 10n],
  ['a', 'b', 'ä', '', null, true, 'true'],
] as const
const records = fc.array(fc.tuple(fc.constantFrom(...values[0]), fc.constantFrom(...values[1])), { maxLength: 40 })

function asRecords(given: readonly (readonly unknown[])[]): Records {
  return { rows: given.length, columns: columns.map((_, j) => given.map((record) => record[j])) }
}

/** As the record is told apart from others. */
function told([age, town]: readonly unknown[]): string {
  return `${age === null ? Number.NaN : Number(age) + 0} ${town === null ? 'nothing' : `"${town}"`}`
}

it('equal records, however they come, have one hash, and others another', () => {
  fc.assert(
    fc.property(records, (given) => {
      const hashes = recordHashes(columns, 1, [asRecords(given)], given.length)
      expect(hashes.every((hash) => hash >= 0 && hash < 1)).toBe(true)
      const first = given.map((record) => given.findIndex((other) => told(other) === told(record)))
      expect([...hashes].map((hash) => hashes.indexOf(hash))).toEqual(first)
    }),
  )
})

it('hashes are spread evenly, and others with another seed', () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => [row, null])
  const [ours, theirs] = [1, 2].map((seed) => recordHashes(columns, seed, [asRecords(rows)], rows.length))
  const counts = new Array(10).fill(0)
  for (const hash of ours) counts[Math.floor(10 * hash)]++
  // Five standard errors of 2,000 in each tenth.
  for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.1 * 0.9))
  const both = ours.filter((hash, row) => hash < 0.1 && theirs[row] < 0.1).length
  expect(Math.abs(both - 200)).toBeLessThan(5 * Math.sqrt(200))
})

it('the same are drawn in parts as in one, each once, and those that come first', () => {
  fc.assert(
    fc.property(records, fc.nat(40), fc.integer({ min: 1, max: 12 }), (given, cut, draw) => {
      const question: DrawQuestion = { columns, draw, seed: 3 }
      const [code, scan] = [drawCoder(question), drawScan(question)]
      const look = (some: typeof given, least = nothingFound(drawLists(question))) =>
        scan(code([asRecords(some)], some.length), least)
      const hashes = [...recordHashes(columns, 3, [asRecords(given)], given.length)]
      const drawn = [...new Set(hashes)].sort((a, b) => a - b).slice(0, draw)
      const whole = look(given)
      expect([...whole.rows]).toEqual(drawn.map((hash) => hashes.indexOf(hash)).sort((a, b) => a - b))
      expect([...whole.least].filter(Number.isFinite)).toEqual(drawn)
      const parts = [given.slice(0, cut), given.slice(cut)]
      const first = look(parts[0])
      const second = look(parts[1], first.least)
      expect(leastOf(drawLists(question), [first.least, second.least])).toEqual(whole.least)
      const named = [...first.rows, ...Array.from(second.rows, (row) => row + parts[0].length)]
      const again = look(named.map((row) => given[row]))
      expect(Array.from(again.rows, (row) => named[row])).toEqual([...whole.rows])
    }),
  )
})
