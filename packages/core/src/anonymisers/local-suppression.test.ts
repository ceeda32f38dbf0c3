import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { type Column, isMissing, valueAt } from '../table/column.js'
import { columnNames, columnOf, type Table, tableOf, tableOfRows } from '../table/table.js'
import { localSuppression } from './local-suppression.js'
import { anonymise } from './method/anonymiser.js'

function masked(data: Table, options: object = {}, keys = columnNames(data)) {
  return anonymise(localSuppression, data, { seed: 1, roles: { keys }, options })
}

function rowsOf(of: Table): (string | number | null)[][] {
  return Array.from({ length: of.rows }, (_, row) => of.columns.map((column) => valueAt(column, row)))
}

/** The count of each record by looking at all pairs: an agreeing record counts 1 if complete or if it lacks the same keys, else alpha. */
function bruteCounts(columns: readonly Column[], rows: number, alpha: number): number[] {
  const pattern = (row: number) => columns.map((column) => isMissing(column, row)).join()
  const complete = (row: number) => columns.every((column) => !isMissing(column, row))
  const agree = (a: number, b: number) =>
    columns.every((column) => isMissing(column, a) || isMissing(column, b) || valueAt(column, a) === valueAt(column, b))
  return Array.from({ length: rows }, (_, a) => {
    if (columns.every((column) => isMissing(column, a))) return rows
    let f = 0
    for (let b = 0; b < rows; b++) if (agree(a, b)) f += complete(b) || pattern(a) === pattern(b) ? 1 : alpha
    return f
  })
}

function leastCount(of: Table, names: readonly string[], alpha = 1): number {
  const columns = names.map((name) => columnOf(of, name))
  return Math.min(...bruteCounts(columns, of.rows, alpha))
}

const ISSUE_352 = tableOfRows(
  'issue 352',
  ['province', 'activity', 'sex', 'income'],
  [
    ['2', 'A', 'Female', 'high'],
    ['3', 'A', 'Female', 'low'],
    ['3', 'A', 'Female', 'low'],
    ['2', 'A', 'Male', 'low'],
    ['4', 'B', 'Female', 'high'],
    ['2', 'B', 'Female', 'medium'],
    ['4', 'B', 'Female', 'high'],
    ['2', 'B', 'Female', 'low'],
    ['2', 'A', 'Male', 'high'],
    ['3', 'A', 'Male', 'medium'],
  ],
)

const PAIRS = ['province', 'activity', 'sex', 'income'].flatMap((a, i, all) => all.slice(i + 1).map((b) => [a, b]))

describe('local suppression', () => {
  it('suppresses one cell where one is enough', () => {
    const data = tableOfRows(
      't',
      ['x', 'y'],
      [
        ['a', 'x'],
        ['a', 'x'],
        ['b', 'x'],
      ],
    )
    const { table, description } = masked(data)
    expect(rowsOf(table)).toEqual([
      ['a', 'x'],
      ['a', 'x'],
      [null, 'x'],
    ])
    expect(description).toMatchObject({ violating: 1, records: 1, cells: 1, reached: 3, reachedAsCategory: 1 })
    expect(description.suppressed).toEqual([
      { variable: 'x', cells: 1 },
      { variable: 'y', cells: 0 },
    ])
  })

  it('suppresses in every rare record, or only while it is needed', () => {
    const data = tableOfRows(
      't',
      ['x', 'y'],
      [
        ['a', 'x'],
        ['b', 'x'],
      ],
    )
    const pass = masked(data)
    expect(rowsOf(pass.table)).toEqual([
      [null, 'x'],
      [null, 'x'],
    ])
    expect(pass.description).toMatchObject({ reachedAsCategory: 2, restingOnMissing: 0 })
    const running = masked(data, { counting: 'running' })
    expect(rowsOf(running.table)).toEqual([
      [null, 'x'],
      ['b', 'x'],
    ])
    expect(running.description).toMatchObject({ reachedAsCategory: 1, restingOnMissing: 1 })
  })

  it('suppresses the least important key: by default that with more levels, or as told', () => {
    const square = tableOfRows(
      't',
      ['x', 'y'],
      [
        ['a', '1'],
        ['a', '2'],
        ['b', '1'],
        ['b', '2'],
      ],
    )
    const cells = (importance: string[]) =>
      masked(square, { importance }).description.suppressed.map((one) => one.cells)
    expect(cells(['x'])).toEqual([0, 4])
    expect(cells(['y'])).toEqual([4, 0])
    const wide = tableOfRows(
      't',
      ['many', 'few'],
      [
        ['1', 'a'],
        ['2', 'a'],
        ['3', 'b'],
        ['4', 'b'],
      ],
    )
    expect(masked(wide).description).toMatchObject({
      importance: ['few', 'many'],
      suppressed: [{ cells: 4 }, { cells: 0 }],
    })
  })

  it('gives back a suppression that proved needless', () => {
    // The first record needs three: without z it agrees with the second record, without z and y with all; but y alone will do.
    const data = tableOfRows(
      't',
      ['x', 'y', 'z'],
      [
        ['a', '2', 'q'],
        ['a', '2', 'p'],
        ['a', '1', 'q'],
        ['a', '1', 'q'],
      ],
    )
    expect(rowsOf(masked(data, { k: 3, importance: ['x', 'y', 'z'] }).table)[0]).toEqual(['a', null, 'q'])
    expect(rowsOf(masked(data, { k: 3, importance: ['x', 'y', 'z'], search: 'fewest' }).table)[0]).toEqual([
      'a',
      null,
      'q',
    ])
  })

  it('takes missing values for wildcards from the start and treats numbers as any key', () => {
    const data = tableOf('t', { age: [30, 31, null, 50], sex: ['f', 'f', 'f', 'm'] })
    const { table, description } = masked(data)
    expect(description.violating).toBe(1)
    expect(rowsOf(table)[2]).toEqual([null, 'f'])
    expect(leastCount(table, ['age', 'sex'])).toBeGreaterThanOrEqual(2)
  })

  it('leaves a table that is k-anonymous already and columns that are no keys alone', () => {
    const data = tableOf('t', { x: ['a', 'a', 'b', 'b'], name: ['p', 'q', 'r', 's'] })
    const { table, description, changed } = masked(data, {}, ['x'])
    expect(rowsOf(table)).toEqual(rowsOf(data))
    expect(columnOf(table, 'name')).toBe(columnOf(data, 'name'))
    expect(description.cells).toBe(0)
    expect(changed).toEqual([{ column: 'x', cells: 0, suppressed: 0 }])
  })

  it('protects every combination asked for (sdcMicro issue 352, where province and activity stay below 3)', () => {
    for (const alpha of [0, 0.5, 1]) {
      const { table, description } = masked(ISSUE_352, { k: 3, combinations: [2], alpha })
      for (const pair of PAIRS) expect(leastCount(table, pair, alpha)).toBeGreaterThanOrEqual(3)
      expect(description.reached).toBeGreaterThanOrEqual(3)
    }
    const all = masked(ISSUE_352, { k: 3, alpha: 0 })
    expect(leastCount(all.table, columnNames(ISSUE_352), 0)).toBeGreaterThanOrEqual(3)
  })

  it('reaches k for any table, key order, search and alpha; suppresses only; and never suppresses without need', () => {
    const cell = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null, freq: 8 })
    const rows = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 5, maxLength: 30 })
    const how = fc.record({
      k: fc.integer({ min: 2, max: 5 }),
      search: fc.constantFrom('importance', 'fewest'),
      counting: fc.constantFrom('pass', 'running'),
      alpha: fc.constantFrom(0, 0.5, 1),
      combinations: fc.constantFrom([], [2], [1, 3]),
    })
    fc.assert(
      fc.property(rows, how, (cells, options) => {
        const names = ['a', 'b', 'c', 'd']
        const data = tableOf('t', Object.fromEntries(names.map((name, j) => [name, cells.map((row) => row[j])])))
        const { table, description } = masked(data, options)
        if (options.combinations.length === 0) expect(leastCount(table, names, options.alpha)).toBe(description.reached)
        expect(description.reached).toBeGreaterThanOrEqual(options.k)
        const before = rowsOf(data)
        for (const [row, after] of rowsOf(table).entries())
          for (const [j, value] of after.entries()) if (value !== null) expect(value).toBe(before[row][j])
        if (description.violating === 0) expect(description.cells).toBe(0)
        expect(description.cells).toBe(
          rowsOf(table)
            .flat()
            .filter((value) => value === null).length - before.flat().filter((value) => value === null).length,
        )
      }),
      { numRuns: 200 },
    )
  })

  it('leaves no value suppressed that could be given back alone', () => {
    const cell = fc.option(fc.integer({ min: 0, max: 2 }), { nil: null, freq: 9 })
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 4, maxLength: 12 })
    const how = fc.record({
      k: fc.integer({ min: 2, max: 4 }),
      search: fc.constantFrom('importance', 'fewest'),
      counting: fc.constantFrom('pass', 'running'),
    })
    fc.assert(
      fc.property(rows, how, (cells, options) => {
        const before = tableOfRows('t', ['a', 'b', 'c'], cells)
        const after = rowsOf(masked(before, options).table)
        for (const [row, values] of after.entries()) {
          const lost = [...values.keys()].filter((j) => values[j] === null && cells[row][j] !== null)
          if (lost.length <= (options.counting === 'pass' ? 1 : 0)) continue
          for (const j of lost) {
            const given = after.map((one, at) => (at === row ? one.with(j, cells[row][j]) : one))
            expect(leastCount(tableOfRows('t', ['a', 'b', 'c'], given), ['a', 'b', 'c'])).toBeLessThan(options.k)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('looks for agreeing records in the own stratum only', () => {
    // Together each x occurs twice; in the strata once each.
    const data = tableOfRows(
      't',
      ['x', 'region'],
      [
        ['a', 'north'],
        ['b', 'north'],
        ['a', 'south'],
        ['b', 'south'],
      ],
    )
    expect(masked(data, {}, ['x']).description).toMatchObject({ violating: 0, cells: 0, strata: 1 })
    const within = masked(data, { strata: ['region'] }, ['x'])
    expect(within.description).toMatchObject({ violating: 4, cells: 4, reached: 2, strata: 2 })
    const alone = tableOfRows('t', ['x', 'region'], [...rowsOf(data), ['a', 'east']])
    expect(() => masked(alone, { strata: ['region'] }, ['x'])).toThrow('k is 2, but the stratum east has only 1 record')
    expect(() => masked(data, { strata: ['x'] }, ['x'])).toThrow(/"x" cannot be suppressed within its own strata/)
  })

  it('counts each stratum as a file of its own', () => {
    const names = ['a', 'b', 'region']
    const rows = Array.from({ length: 60 }, (_, i) => [`${i % 3}`, `${(i * i) % 7}`, `${i % 2}`])
    const whole = masked(tableOfRows('t', names, rows), { k: 3, strata: ['region'] }, ['a', 'b'])
    for (const region of ['0', '1']) {
      const own = rows.filter((row) => row[2] === region)
      expect(rowsOf(whole.table).filter((row) => row[2] === region)).toEqual(
        rowsOf(masked(tableOfRows('t', names, own), { k: 3 }, ['a', 'b']).table),
      )
    }
  })

  it('lets ghosts follow their keys, also where a key was missing before', () => {
    const data = tableOf('t', {
      age: [30, 30, 41, null],
      sex: ['f', 'f', 'm', 'm'],
      born: [1990, 1990, 1979, 1950],
      class: ['x', 'y', 'x', 'y'],
    })
    const ghosts = { age: ['born', 'class'], sex: ['class'] }
    const { table, description } = masked(data, { k: 3, ghosts, importance: ['sex'] }, ['age', 'sex'])
    const missing = (name: string) => [0, 1, 2, 3].map((row) => isMissing(columnOf(table, name), row))
    const [age, sex] = [missing('age'), missing('sex')]
    expect(missing('born')).toEqual(age)
    expect(missing('class')).toEqual(age.map((gone, row) => gone || sex[row]))
    expect(missing('born')[3]).toBe(true)
    expect(description.ghosts).toEqual([
      { variable: 'born', follows: ['age'], cells: age.filter(Boolean).length },
      { variable: 'class', follows: ['age', 'sex'], cells: missing('class').filter(Boolean).length },
    ])
    expect(description.cells).toBe(age.filter(Boolean).length - 1 + sex.filter(Boolean).length)
  })

  it('refuses ghosts that are keys, that follow no key or that there are not', () => {
    const data = tableOf('t', { x: ['a', 'b'], y: ['c', 'd'] })
    expect(() => masked(data, { ghosts: { x: ['y'] } })).toThrow('ghosts: "y" is a key itself')
    expect(() => masked(data, { ghosts: { z: ['y'] } }, ['x'])).toThrow(/can follow a key only, which "z" is not/)
    expect(() => masked(data, { ghosts: { x: ['yy'] } }, ['x'])).toThrow(/ghosts: .*did you mean "y"/)
  })

  it('refuses what cannot be done', () => {
    const data = tableOf('t', { x: ['a', 'b'], y: ['c', 'd'] })
    expect(() => masked(data, {}, [])).toThrow(/needs key variables/)
    expect(() => masked(data, { k: 3 })).toThrow(/k is 3, but t has only 2 records/)
    expect(() => masked(data, { k: 1 })).toThrow(UserError)
    expect(() => masked(data, { importance: ['z'] })).toThrow(/"z", which is not a key/)
    expect(() => masked(data, { combinations: [3] })).toThrow(/no combination of 3 out of 2/)
    expect(() => masked(data, { variables: ['x', 'x'] })).toThrow(/named twice/)
    expect(() => masked(tableOf('t', { x: ['a'] }))).toThrow(/only 1 records/)
  })
})
