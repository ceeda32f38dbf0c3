import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jointCodes, keyClasses } from '../../../table/classes.js'
import { categorical, numeric } from '../../../table/column.js'
import { type Release, release } from '../../../table/release.js'
import { type Table, table, tableOf } from '../../../table/table.js'
import type { Side } from './attack.js'
import { type Cells, countCells } from './cells.js'
import { forgivesMismatch, gowerMatches } from './gower-matches.js'
import { prepareTarget } from './target.js'

function cellsOf(of: Release, target = 't'): Cells {
  const keys = keyClasses(of, [...of.keys, ...of.numericKeys])
  return countCells(of, 'original', 0, keys, prepareTarget(of, target, 'none'))
}

/** Per record of one side: matching records of the other, those with its target, and whether all have one target. */
function perRecord(of: Release, side: Side, threshold: number): number[][] {
  const cells = cellsOf(of)
  const { records, agreeing, homogeneous } = gowerMatches(of, cells, side, threshold)
  const rows = side === 'truth' ? cells.cellOfTruth : cells.cellOfReleased
  return Array.from(rows, (cell) => [records[cells.classOf[cell]], agreeing[cell], homogeneous[cells.classOf[cell]]])
}

/** The definition, pair by pair. */
function bruteForce(of: Release, side: Side, threshold: number): number[][] {
  const [own, other] = side === 'truth' ? (['original', 0] as const) : ([0, 'original'] as const)
  const names = [...of.keys, ...of.numericKeys]
  const columns = names.map((name) => jointCodes(of, name))
  const at = (joint: (typeof columns)[number], part: 'original' | 0, row: number) =>
    joint.codes[(joint.start.get(part) ?? 0) + row]
  const ranges = columns.map(({ kind, numbers, cardinality }) =>
    kind === 'categorical' ? cardinality - 1 : numbers[numbers.length - 1] - numbers[0],
  )
  const distance = (i: number, j: number) => {
    let sum = 0
    let known = 0
    for (const [k, joint] of columns.entries()) {
      const [a, b] = [at(joint, own, i), at(joint, other, j)]
      if (a < 0 || b < 0) continue
      known++
      if (joint.kind === 'categorical' && !joint.ordered) sum += a === b ? 0 : 1
      else if (ranges[k] > 0)
        sum += Math.abs(joint.kind === 'categorical' ? a - b : joint.numbers[a] - joint.numbers[b]) / ranges[k]
    }
    return known === 0 ? Number.POSITIVE_INFINITY : sum / known
  }
  const target = prepareTarget(of, 't', 'none')
  const level = (part: 'original' | 0, row: number) => target.codes[(target.rows.start.get(part) ?? 0) + row]
  const rows = (part: 'original' | 0) => (part === 'original' ? of.original : of.released[0]).rows
  return Array.from({ length: rows(own) }, (_, i) => {
    const found = Array.from({ length: rows(other) }, (_, j) => j).filter((j) => distance(i, j) <= threshold + 1e-12)
    const levels = found.map((j) => level(other, j))
    return [
      found.length,
      levels.filter((one) => one === level(own, i)).length,
      found.length > 0 && new Set(levels).size === 1 ? 1 : 0,
    ]
  })
}

describe('the distance', () => {
  const scale = ['lo', 'mid', 'hi']
  const one = (name: string, n: string | null, o: string | null, x: number | null) =>
    table(name, [
      categorical('n', [n], { levels: ['A', 'B', 'D'] }),
      categorical('o', [o], { levels: scale, ordered: true }),
      numeric('x', [x]),
      categorical('t', ['y']),
    ])
  /** Both ends of the numeric range stand in the release, so that the pooled range is 4. */
  const matchesAt = (released: [string | null, string | null, number | null], threshold: number) => {
    const of = release({
      original: one('o', 'A', 'lo', 1),
      released: table('s', [
        categorical('n', [released[0], null], { levels: ['A', 'B', 'D'] }),
        categorical('o', [released[1], null], { levels: scale, ordered: true }),
        numeric('x', [released[2], 5]),
        categorical('t', ['y', 'y']),
      ]),
      keys: ['n', 'o'],
      numericKeys: ['x'],
      target: 't',
    })
    return perRecord(of, 'truth', threshold)[0][0]
  }

  it.each<[[string | null, string | null, number | null], number]>([
    // A, lo, 1 against: B, mid, 2 -> (1 + 1/2 + 1/4) / 3; D is as far from A as B is.
    [['B', 'mid', 2], 1.75 / 3],
    [['D', 'mid', 2], 1.75 / 3],
    [['A', 'mid', 2], 0.25],
    [['A', null, null], 0],
    [['A', 'hi', null], 0.5],
  ])('%j', (released, expected) => {
    expect(matchesAt(released, expected)).toBe(1)
    if (expected > 0) expect(matchesAt(released, expected - 1e-9)).toBe(0)
  })

  it('nominal labels are compared as labels, whatever their order in each file', () => {
    const of = release({
      original: tableOf('o', { k: ['A', 'B'], t: ['x', 'y'] }),
      released: tableOf('s', { k: ['B', 'D'], t: ['y', 'x'] }),
      keys: ['k'],
      target: 't',
    })
    expect(perRecord(of, 'truth', 0.1)).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })

  it('without a key known in both there is no match, not even with itself', () => {
    const of = release({
      original: tableOf('o', { k: [null, 'a'], t: ['x', 'y'] }),
      released: tableOf('s', { k: [null, 'a'], t: ['x', 'y'] }),
      keys: ['k'],
      target: 't',
    })
    expect(perRecord(of, 'truth', 1)).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })

  it('a constant number does not separate', () => {
    const of = release({
      original: tableOf('o', { k: [3], t: ['x'] }),
      released: tableOf('s', { k: [3, 3], t: ['x', 'y'] }),
      keys: ['k'],
      target: 't',
    })
    expect(perRecord(of, 'truth', 0)).toEqual([[2, 1, 0]])
  })
})

const nominal = fc.constantFrom('a', 'b', 'c', null)
const number = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
const row = fc.tuple(nominal, nominal, nominal, number, number, fc.constantFrom('x', 'y', 'z'))
const rows = fc.array(row, { minLength: 1, maxLength: 12 })

function tableOfRandom(name: string, records: readonly (readonly (string | number | null)[])[]): Table {
  const texts = (k: number) => records.map((record) => (record[k] === null ? null : String(record[k])))
  const numbers = (k: number) => records.map((record) => (record[k] === null ? null : Number(record[k])))
  return table(name, [
    categorical('n1', texts(0), { levels: ['a', 'b', 'c'] }),
    categorical('n2', texts(1), { levels: ['a', 'b', 'c'] }),
    categorical('o', texts(2), { levels: ['a', 'b', 'c'], ordered: true }),
    numeric('x1', numbers(3)),
    numeric('x2', numbers(4)),
    categorical('t', texts(5), { levels: ['x', 'y', 'z'] }),
  ])
}

it('equals the comparison of all pairs, from either side, with missing values and any threshold', () => {
  fc.assert(
    fc.property(
      rows,
      rows,
      fc.constantFrom(0, 0.05, 0.1, 0.2, 0.35, 0.5, 1),
      fc.subarray(['n1', 'n2', 'o', 'x1'], { minLength: 1 }),
      fc.boolean(),
      (o, s, threshold, keys, withNumericKey) => {
        const of = release({
          original: tableOfRandom('o', o),
          released: tableOfRandom('s', s),
          keys,
          numericKeys: withNumericKey ? ['x2'] : [],
          target: 't',
        })
        for (const side of ['truth', 'release'] as const)
          expect(perRecord(of, side, threshold)).toEqual(bruteForce(of, side, threshold))
      },
    ),
    { numRuns: 400 },
  )
})

it('with a threshold of 0 and no missing values it is exact matching', () => {
  const complete = fc.array(
    fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'y')),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  fc.assert(
    fc.property(complete, complete, (o, s) => {
      const tableFrom = (name: string, of: readonly (readonly [string, number, string])[]) =>
        tableOf(name, { k: of.map(([k]) => k), x: of.map(([, x]) => x), t: of.map(([, , t]) => t) })
      const of = release({ original: tableFrom('o', o), released: tableFrom('s', s), keys: ['k', 'x'], target: 't' })
      const cells = cellsOf(of)
      const { records, agreeing } = gowerMatches(of, cells, 'truth', 0)
      for (const cell of cells.cellOfTruth) {
        expect(records[cells.classOf[cell]]).toBe(cells.sClass[cells.classOf[cell]])
        expect(agreeing[cell]).toBe(cells.s[cell])
      }
    }),
  )
})

it('ten keys and a threshold of 0.1 forgive a nominal mismatch, nine do not', () => {
  const names = Array.from({ length: 10 }, (_, k) => `k${k}`)
  const all = tableOf('o', Object.fromEntries([...names, 't'].map((name) => [name, ['a', 'b']])))
  const of = release({ original: all, released: all, keys: names, target: 't' })
  expect([forgivesMismatch(of, names, 0.1), forgivesMismatch(of, names.slice(1), 0.1)]).toEqual([true, false])
})
