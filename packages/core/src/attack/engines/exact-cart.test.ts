import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { simulateHealth } from '../../testing/scenes/health.js'
import { cellTable, ORIGINAL_CELLS } from '../../testing/scenes/unique-record.js'
import { CART_DEFAULTS, type CartSettings, fitCart, logProbabilities } from '../generator/cart-generator.js'
import { codeRecords, recordAt, releasedSets, replaceRecord, sumOverSets, variablesOf } from '../generator/records.js'
import { exactCart } from './exact-cart.js'

/** Worlds in which record `row` becomes that of `other`, of the first `variables` variables or of all. */
function expectTheSame(data: Table, released: Table, settings: CartSettings, worlds: [row: number, other: number][]) {
  const names = data.columns.map(({ name }) => name)
  const variables = variablesOf(names, [data, released])
  const base = codeRecords(variables, data)
  const sets = releasedSets(variables, [codeRecords(variables, released), base])
  const engine = exactCart(variables, base, settings, sets)
  for (const [row, other] of worlds) {
    const whole = recordAt(base, other)
    const single = variables.map((_, j) => recordAt(base, row).map((code, i) => (i === j ? whole[i] : code)))
    for (const candidate of [whole, ...single]) {
      const anew = fitCart(variables, replaceRecord(base, row, candidate), settings)
      const expected = sumOverSets(sets, logProbabilities(anew, sets.distinct))
      engine.of(row, candidate).forEach((log, s) => {
        if (expected[s] === Number.NEGATIVE_INFINITY) expect(log).toBe(expected[s])
        else expect(Math.abs(log - expected[s])).toBeLessThan(1e-7)
      })
    }
  }
}

const some = (rows: number, many: number): [number, number][] =>
  Array.from({ length: many }, (_, k) => [(37 * k) % rows, (101 * k + 13) % rows])

describe('worlds that share the trees of a base are those that are fitted anew', () => {
  it('with numbers of many values, too many to be counted', () => {
    const health = simulateHealth({ n: 260, kappa: 10, seed: 3 })
    const half = selectRows(
      health,
      Array.from({ length: 130 }, (_, k) => 2 * k),
    )
    expectTheSame(health, half, CART_DEFAULTS, some(260, 5))
    expectTheSame(health, half, { ...CART_DEFAULTS, cp: 0.01, minbucket: 12 }, some(260, 4))
  })

  it('with more levels than can be tried in all ways, and missing numbers', () => {
    const n = 240
    const wide = tableOf('wide', {
      region: Array.from({ length: n }, (_, k) => `r${(k * k + 3 * k) % 16}`),
      age: Array.from({ length: n }, (_, k) => (k % 13 === 0 ? null : (k * 17) % 61)),
      job: Array.from({ length: n }, (_, k) => `j${(k + ((k * 17) % 61 > 30 ? 2 : 0)) % 5}`),
      pay: Array.from({ length: n }, (_, k) => (k % 19 === 0 ? null : ((k * k) % 83) * ((k % 5) + 1))),
    })
    for (const settings of [CART_DEFAULTS, { ...CART_DEFAULTS, collapse: 'gain' as const, cp: 0.002 }])
      expectTheSame(wide, selectRows(wide, [1, 5, 9, 13, 26, 40, 77, 120, 121]), settings, some(n, 5))
  })

  it('where one record decides about a split (minbucket 67, cp 0.02)', () => {
    const original = cellTable('original', ORIGINAL_CELLS)
    for (const settings of [
      { ...CART_DEFAULTS, minbucket: 67 },
      { ...CART_DEFAULTS, cp: 0.02 },
      { ...CART_DEFAULTS, cp: 0.005 },
    ])
      expectTheSame(original, original, settings, [
        [999, 0],
        [999, 998],
        [0, 999],
        [500, 999],
      ])
  })

  it('on random tables, also with the cost of splits above that of the bound', () => {
    const value = fc.integer({ min: 0, max: 8 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value, value, value), { minLength: 30, maxLength: 90 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(1e-8, 0.003, 0.03),
        (rows, minbucket, cp) => {
          const data = tableOf('random', {
            a: rows.map((row) => row[0]),
            b: rows.map((row) => `b${row[1]}`),
            c: rows.map((row) => row[2] ** 3),
            d: rows.map((row, k) => `d${(row[3] + (row[0] > 4 ? k % 2 : 0)) % 4}`),
          })
          expectTheSame(data, selectRows(data, [0, 1, 2, 3, 4, 5, 6]), { ...CART_DEFAULTS, minbucket, cp }, [
            [3, rows.length - 1],
            [rows.length - 2, 1],
          ])
        },
      ),
      { numRuns: 60 },
    )
  })
})

it('many worlds of one base, which share branches that only worlds have, are those that are fitted anew', () => {
  const value = fc.integer({ min: 0, max: 11 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, value, value), { minLength: 180, maxLength: 220 }),
      fc.constantFrom(2, 5, 9),
      fc.constantFrom(1e-8, 0.004),
      (rows, minbucket, cp) => {
        const data = tableOf('random', {
          a: rows.map((row) => row[0]),
          b: rows.map((row) => `b${row[1] % 5}`),
          c: rows.map((row, k) => row[2] ** 2 + 3 * row[0] + (k === 7 ? 400 : 0)),
          d: rows.map((row) => (row[3] + row[0] * (row[1] % 5)) / 7),
        })
        const worlds = Array.from({ length: 14 }, (_, k): [number, number] => [11 * k, k % 2 === 0 ? 7 : 9 * k + 1])
        expectTheSame(data, selectRows(data, [0, 7, 20, 40, 60]), { ...CART_DEFAULTS, minbucket, cp }, worlds)
      },
    ),
    { numRuns: 10 },
  )
})

it('the screen keeps the trees: as the exact engine where these stay, blind where they do not', () => {
  const original = cellTable('original', ORIGINAL_CELLS)
  const variables = variablesOf(['var1', 'var2', 'var3', 'var4'], [original])
  const base = codeRecords(variables, original)
  const sets = releasedSets(variables, [base])
  const stays = exactCart(variables, base, CART_DEFAULTS, sets)
  const other = recordAt(base, 0)
  expect(stays.frozen(500, other)[0]).toBeCloseTo(stays.of(500, other)[0], 9)
  const flips = exactCart(variables, base, { ...CART_DEFAULTS, minbucket: 67 }, sets)
  expect(flips.isNearThreshold(recordAt(base, 999))).toBe(true)
  expect(Math.abs(flips.frozen(999, other)[0] - flips.of(999, other)[0])).toBeGreaterThan(1)
  expect(exactCart(variables, base, { ...CART_DEFAULTS, minbucket: 20 }, sets).isNearThreshold(other)).toBe(false)
})
