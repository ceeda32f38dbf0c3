import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { type Table, tableOf } from '../../table/table.js'
import { fitMargins, ipfSynthesizer } from './ipf.js'

const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const fit = (data: Table, options: object = {}, seed = 1) =>
  ipfSynthesizer.fit(data, ipfSynthesizer.options.parse(options), streams(seed))

/** 2 x 3 x 2 cells, the last axis fastest. */
const COUNTS = [5, 2, 0, 7, 1, 3, 4, 6, 2, 1, 0, 8]
const records = (counts: readonly number[]) => {
  const cells = counts.flatMap((n, cell) => Array.from({ length: n }, () => cell))
  return tableOf('records', {
    a: cells.map((cell) => (cell < 6 ? 'p' : 'q')),
    b: cells.map((cell) => Math.floor(cell / 2) % 3),
    c: cells.map((cell) => (cell % 2 === 0 ? 'no' : 'yes')),
  })
}
const each = records(COUNTS.map(() => 1))
const expected = (data: Table, options: object, n: number) =>
  Array.from(fit(data, { tol: 1e-9, ...options }).logProb?.(each) ?? [], (log) => n * Math.exp(log))

/** What R's loglin (eps 1e-10) gives for the counts + 1/12. */
describe('as loglin in R', () => {
  const total = 40
  it.each([
    [
      'all two-way margins',
      {},
      [
        4.1488091433, 3.0178575234, 1.6225619989, 5.5441046677, 0.4786288578, 3.6880378089, 5.0178575234, 5.1488091433,
        0.5441046677, 2.6225619989, 0.6880378089, 7.4786288578,
      ],
    ],
    [
      'margin a, b; c by itself, because it is in none',
      { margins: [['a', 'b']] },
      [
        2.2395833333, 4.9270833333, 2.2395833333, 4.9270833333, 1.3020833333, 2.8645833333, 3.1770833333, 6.9895833333,
        0.9895833333, 2.1770833333, 2.5520833333, 5.6145833333,
      ],
    ],
  ])('%s', (_, options, wanted) => {
    expected(records(COUNTS), options, total).forEach((value, cell) => {
      expect(value).toBeCloseTo(wanted[cell], 7)
    })
  })

  it('a structural zero', () => {
    const possible = [
      5.0909090909, 2.090909091, 1.0181880693, 6.1636301125, 0.1636301125, 4.0181880693, 0, 6.0909090909, 1.1636301125,
      2.0181880694, 1.0181880693, 7.1636301125,
    ]
    const options = { structuralZeros: ["a == 'q' & b == 0 & c == 'no'"] }
    expected(records(COUNTS), options, 36).forEach((value, cell) => {
      expect(value).toBeCloseTo(possible[cell], 6)
    })
    expect(fit(records(COUNTS), options).describe()).toMatchObject({
      structuralZeros: 1,
      warnings: ['4 original records in structural zeros left out'],
    })
  })

  it('the 16 cells: the lonely record is expected 27.3137 times', () => {
    const original = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
    const bits = (of: readonly number[], bit: number) =>
      of.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> bit) & 1))
    const cells = (of: readonly number[]) =>
      tableOf('cells', { var1: bits(of, 3), var2: bits(of, 2), var3: bits(of, 1), var4: bits(of, 0) })
    const logs = fit(cells(original), { tol: 1e-9 }).logProb?.(cells(original.map(() => 1))) ?? new Float64Array()
    expect(1000 * Math.exp(logs[15])).toBeCloseTo(27.3137254983, 6)
    expect(1000 * Math.exp(logs[0])).toBeCloseTo(56.5917866321, 6)
  })
})

it('one-way margins are independence', () => {
  const [first] = expected(records(COUNTS), { margins: 'oneway', priorn: 0 }, 39)
  expect(first).toBeCloseTo((18 * 17 * 12) / 39 ** 2, 9)
})

it('tells when it has not settled', () => {
  expect(fit(records(COUNTS), { iterations: 1 }).describe().warnings).toEqual([
    expect.stringContaining('did not settle in 1 round'),
  ])
  expect(fit(records(COUNTS)).describe()).toMatchObject({
    warnings: [],
    margins: [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ],
  })
})

it('margins that contradict each other settle, too, and empty ones empty the table there', () => {
  const { table, settled } = fitMargins(
    Float64Array.of(1, 1, 1, 1),
    [2, 2],
    [
      { axes: [0], totals: Float64Array.of(3, 7) },
      { axes: [1], totals: Float64Array.of(0, 20) },
    ],
    { tol: 1e-9, iterations: 100 },
  )
  expect(settled).toBe(true)
  expect(Array.from(table)).toEqual([0, 6, 0, 14])
})

it.each([
  [{ margins: [['a', 'd']] }, 'margins: unknown column "d"'],
  [{ margins: [[]] }, 'margins: a margin has no variable'],
])('%j is a mistake', (options, message) => {
  expect(() => fit(records(COUNTS), options)).toThrow(message)
})

it('noise: margins share the budget, and their sum is made to agree', () => {
  const { sensitivity, scale, warnings } = fit(records(COUNTS), { noise: 'laplace', epsilon: 3 }).describe()
  expect({ sensitivity, scale }).toEqual({ sensitivity: 3, scale: 1 })
  expect(warnings).toEqual([expect.stringContaining('"a", "b", "c" are private')])
})
