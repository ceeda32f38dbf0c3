import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../json.js'
import { parseOptions } from '../options.js'
import { stream } from '../random/stream.js'
import { categorical, columnLength, isMissing, valueAt } from '../table/column.js'
import { columnNames, columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { type Synthesizer, synthesize, synthesizeSets } from './synthesizer.js'
import { findSynthesizer, synthesizers } from './synthesizers.js'

const ROWS = 400
const of = (make: (row: number) => string | number | null) => Array.from({ length: ROWS }, (_, row) => make(row))
const noise = stream(1, 'test')
const sex = of((row) => (row % 2 === 0 ? 'f' : 'm'))
const grades = of(() => ['low', 'mid', 'high'][noise.below(3)])

/** All kinds of columns, with and without missing values. */
const mixed = table('mixed', [
  ...tableOf('plain', {
    sex,
    age: of((row) => 20 + ((row * 7) % 45)),
    region: of((row) => (row % 13 === 0 ? null : `r${(row * row) % 5}`)),
    income: of((row) => (row % 9 === 0 ? null : 1000 + 25 * ((row * 31) % 80) + (sex[row] === 'f' ? 0 : 500))),
    score: of(() => Math.round(100 * noise.uniform()) / 4),
  }).columns,
  categorical('grade', grades.map(String), { levels: ['low', 'mid', 'high'], ordered: true }),
  {
    kind: 'date' as const,
    name: 'birth',
    unit: 'day' as const,
    values: Float64Array.from({ length: ROWS }, (_, k) => 3000 + 11 * k),
  },
])

const values = (from: Table, name: string) =>
  Array.from({ length: from.rows }, (_, row) => valueAt(columnOf(from, name), row))
const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const list: readonly Synthesizer[] = synthesizers

describe.each(list.map((synthesizer) => [synthesizer.id, synthesizer] as const))('%s', (_, synthesizer) => {
  const fit = async (data: Table, options: object = {}) =>
    synthesizer.fit(data, parseOptions(synthesizer.id, synthesizer.options, options), streams(1))

  it('makes tables like the original, as long as asked for', async () => {
    for (const rows of [1, 17, 500]) {
      const made = await synthesize(synthesizer, mixed, { seed: 1, rows })
      expect(made.rows).toBe(rows)
      expect(columnNames(made)).toEqual(columnNames(mixed))
      for (const [k, column] of made.columns.entries()) {
        const original = mixed.columns[k]
        expect(columnLength(column)).toBe(rows)
        expect(column.kind).toBe(original.kind)
        if (column.kind === 'categorical' && original.kind === 'categorical') {
          expect(column.levels).toEqual(original.levels)
          expect(column.codes.every((code) => code >= -1 && code < original.levels.length)).toBe(true)
        }
      }
    }
  })

  it('keeps whole numbers whole and missing values about as frequent', async () => {
    const made = await synthesize(synthesizer, mixed, { seed: 2, rows: 2000 })
    expect(values(made, 'age').every(Number.isInteger)).toBe(true)
    expect(values(made, 'birth').every((date) => /^\d{4}-\d\d-\d\d$/.test(String(date)))).toBe(true)
    for (const name of ['region', 'income']) {
      const share = (from: Table) => values(from, name).filter((value) => value === null).length / from.rows
      expect(Math.abs(share(made) - share(mixed))).toBeLessThan(0.04)
    }
    expect(made.columns.every((column) => ['region', 'income'].includes(column.name) || !anyMissing(column))).toBe(true)
  })

  it('gives the same bits for the same seed, however many syntheses', async () => {
    const three = await synthesizeSets(synthesizer, mixed, { seed: 3, sets: 3, rows: 50 })
    const one = await synthesizeSets(synthesizer, mixed, { seed: 3, sets: 1, rows: 50 })
    expect(three.sets[0]).toEqual(one.sets[0])
    expect(three.sets[1]).not.toEqual(one.sets[0])
    expect(three.description).toEqual(one.description)
    expect(await synthesize(synthesizer, mixed, { seed: 4, rows: 50 })).not.toEqual(one.sets[0])
  })

  it('describes itself in JSON, without values of records or the seed', async () => {
    const description = (await fit(mixed)).describe()
    expect(nonFinitePath(description)).toBeUndefined()
    const { variables, warnings } = description as {
      variables: { variable: string; method: string }[]
      warnings: string[]
    }
    expect(new Set(variables.map(({ variable }) => variable))).toEqual(new Set(columnNames(mixed)))
    expect(variables.every(({ method }) => method.length > 0)).toBe(true)
    expect(warnings).toEqual([])
  })

  it('gives every record that it makes a probability, and none to what it cannot make', async () => {
    const fitted = await fit(mixed)
    const made = await fitted.sample(200, streams(5))
    const logs = fitted.logProb?.(made)
    expect(logs?.every((log) => Number.isFinite(log) && log <= 1e-9)).toBe(true)
    const impossible = table(
      'other',
      made.columns.map((column) =>
        column.name === 'sex'
          ? categorical(
              'sex',
              Array.from({ length: 200 }, () => 'x'),
            )
          : column,
      ),
    )
    expect(fitted.logProb?.(impossible).every((log) => log === Number.NEGATIVE_INFINITY)).toBe(true)
  })

  it('has probabilities that sum to 1 and agree with what it makes', async () => {
    const small = tableOf('small', {
      a: of((row) => (row % 3 === 0 ? 'x' : row % 7 === 0 ? null : 'y')),
      b: of((row) => (row % 3 === 0 ? row % 2 : (row * 5) % 4 === 0 ? 3 : null)),
      c: of((row) => ['p', 'q', 'r'][(row * row + (row % 3)) % 3]),
    })
    const cells = ['x', 'y', null].flatMap((a) =>
      [0, 1, 2, 3, null].flatMap((b) => ['p', 'q', 'r'].map((c) => ({ a, b, c }))),
    )
    const all = tableOf('cells', {
      a: cells.map(({ a }) => a),
      b: cells.map(({ b }) => b),
      c: cells.map(({ c }) => c),
    })
    const fitted = await fit(small)
    const chances = Array.from(fitted.logProb?.(all) ?? [], Math.exp)
    const total = chances.reduce((sum, chance) => sum + chance, 0)
    expect(total).toBeCloseTo(1, 6)
    const draws = 20_000
    const made = await fitted.sample(draws, streams(6))
    const key = (a: unknown, b: unknown, c: unknown) => `${a}/${b}/${c}`
    const counts = new Map<string, number>()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => values(made, name))
    for (let row = 0; row < draws; row++)
      counts.set(key(a[row], b[row], c[row]), (counts.get(key(a[row], b[row], c[row])) ?? 0) + 1)
    cells.forEach((cell, k) => {
      const share = (counts.get(key(cell.a, cell.b, cell.c)) ?? 0) / draws
      const error = Math.sqrt((chances[k] * (1 - chances[k])) / draws)
      // Two records anywhere are no news, where there may be any.
      expect(Math.abs(share - chances[k])).toBeLessThanOrEqual(5 * error + (chances[k] > 0 ? 2 / draws : 0))
    })
  })

  it('copes with one record, constant columns and columns without a value', async () => {
    const one = selectRows(mixed, [1])
    expect(values(await synthesize(synthesizer, one, { seed: 1 }), 'age')).toEqual(values(one, 'age'))
    const odd = tableOf('odd', { same: of(() => 'x'), none: of(() => null), y: of((row) => row), five: of(() => 5) })
    const made = await synthesize(synthesizer, odd, { seed: 1 })
    expect(new Set(values(made, 'same'))).toEqual(new Set(['x']))
    expect(new Set(values(made, 'none'))).toEqual(new Set([null]))
    expect(new Set(values(made, 'five'))).toEqual(new Set([5]))
  })

  it('refuses unknown options', async () => {
    await expect(synthesize(synthesizer, mixed, { seed: 1, options: { nonsense: 1 } })).rejects.toThrow(
      `${synthesizer.id}: unknown option "nonsense"`,
    )
    await expect(synthesize(synthesizer, mixed, { seed: 1, rows: 0 })).rejects.toThrow('at least 1, but it is 0')
  })
})

function anyMissing(column: Table['columns'][number]): boolean {
  return Array.from({ length: columnLength(column) }, (_, row) => isMissing(column, row)).includes(true)
}

it('synthesizers are found by name', () => {
  expect(findSynthesizer('cart').id).toBe('cart')
  expect(() => findSynthesizer('carts')).toThrow('unknown synthesizer "carts"; did you mean "cart"?')
})
