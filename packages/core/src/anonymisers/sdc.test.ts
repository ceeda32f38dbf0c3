import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { valueAt } from '../table/column.js'
import { columnNames, columnOf, type Table, tableOf, tableOfRows } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { sdc } from './sdc.js'

function masked(synthetic: Table, original: Table | undefined, options: object = {}, keys: string[] = []) {
  return anonymise(sdc, synthetic, { seed: 1, original, options, roles: { keys } })
}

function rowsOf(of: Table): (string | number | null)[][] {
  return Array.from({ length: of.rows }, (_, row) => of.columns.map((column) => valueAt(column, row)))
}

const ORIGINAL = tableOfRows(
  'original',
  ['sex', 'age'],
  [
    ['f', 30],
    ['f', 40],
    ['f', 40],
    ['m', 50],
    ['m', null],
  ],
)
/** (f, 30) and (m, missing) are unique in both; (f, 40) is unique here only; (m, 60) is nobody's; (m, 50) occurs twice here. */
const SYNTHETIC = tableOfRows(
  'synthetic',
  ['sex', 'age'],
  [
    ['f', 30],
    ['f', 40],
    ['m', 50],
    ['m', 50],
    ['m', 60],
    ['m', null],
  ],
)

describe('sdc', () => {
  it('removes synthetic uniques that are unique in the original', () => {
    const { table, removed, changed, description, notes, type } = masked(SYNTHETIC, ORIGINAL)
    expect(rowsOf(table)).toEqual([
      ['f', 40],
      ['m', 50],
      ['m', 50],
      ['m', 60],
    ])
    expect([removed, changed, type]).toEqual([2, null, 'synthetic'])
    expect(description.removal).toEqual({
      keys: ['sex', 'age'],
      rows: 6,
      uniquesInOriginal: 3,
      uniquesInSynthetic: 4,
      presentInOriginal: 3,
      replicated: 2,
      removed: 2,
    })
    expect(notes[0]).toMatch(/^2 records of 6 removed/)
  })

  it('removes synthetic uniques that occur in the original at all', () => {
    expect(rowsOf(masked(SYNTHETIC, ORIGINAL, { remove: 'in-original' }).table)).toEqual([
      ['m', 50],
      ['m', 50],
      ['m', 60],
    ])
  })

  it('looks at the keys only when there are some', () => {
    const { removed } = masked(SYNTHETIC, ORIGINAL, {}, ['sex'])
    expect(removed).toBe(0)
    expect(masked(SYNTHETIC, ORIGINAL, {}, ['age']).removed).toBe(2)
  })

  it('compares after the same top coding of the original', () => {
    const original = tableOf('original', { x: [1, 2, 80, 90] })
    const synthetic = tableOf('synthetic', { x: [1, 85, 3, 4] })
    const { table, description } = masked(synthetic, original, { bounds: { x: [null, 50] } })
    expect(rowsOf(table)).toEqual([[50], [3], [4]])
    expect(description).toMatchObject({
      recoded: [{ variable: 'x', lowered: 1, raised: 0 }],
      removal: { uniquesInOriginal: 2 },
    })
  })

  it('smooths numbers, codes and missing values aside, to the decimals they had', () => {
    const data = tableOf('s', { x: [9, -8, 1, null, 2, 20, 7, 6] })
    const { table, description, changed } = masked(data, undefined, {
      remove: 'none',
      smooth: { x: 'rmean' },
      exclude: { x: [-8] },
    })
    // Sorted 1 2 6 7 9 20 become 1 3 5 9 12 20.
    expect(rowsOf(table).flat()).toEqual([12, -8, 1, null, 3, 20, 9, 5])
    expect(description).toMatchObject({
      removal: null,
      smoothed: [{ variable: 'x', method: 'rmean', exempt: 2 }],
    })
    expect(changed).toEqual([{ column: 'x', cells: 4, suppressed: 0 }])
    const { table: blurred, notes } = masked(data, undefined, { remove: 'none', smooth: { x: 'density' } })
    expect(
      rowsOf(blurred)
        .flat()
        .map((value) => value === null),
    ).toEqual(
      rowsOf(data)
        .flat()
        .map((value) => value === null),
    )
    expect(notes).toEqual([])
  })

  it('names columns and labels the table', () => {
    const { table } = masked(SYNTHETIC, ORIGINAL, { prefix: 's_', suffix: '_syn', label: 'synthetic data' })
    expect(columnNames(table)).toEqual(['s_sex_syn', 's_age_syn', 'flag'])
    expect(valueAt(columnOf(table, 'flag'), 3)).toBe('synthetic data')
  })

  it('manages one row, and refuses what does not fit', () => {
    const one = tableOf('s', { x: [1] })
    expect(masked(one, tableOf('o', { x: [2] })).removed).toBe(0)
    expect(() => masked(one, one)).toThrow(/every record of s would be removed/)
    expect(() => masked(one, undefined)).toThrow(/give the synthetic table as the released one/)
    expect(() => masked(one, one, { remove: 'some' })).toThrow(UserError)
    expect(() => masked(one, one, { smooth: { y: 'spline' } })).toThrow(/unknown column "y"/)
    expect(() => masked(one, one, { exclude: { x: [1] } })).toThrow(/neither coded nor smoothed/)
    expect(() => masked(one, one, { label: 'a', labelColumn: 'x' })).toThrow(/a column "x" already/)
  })
})
