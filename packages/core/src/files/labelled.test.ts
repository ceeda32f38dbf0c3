import { describe, expect, it } from 'vitest'
import { type Column, columnLength, valueAt } from '../table/column.js'
import { type LabelledVariable, labelledColumn } from './labelled.js'

const SEX: LabelledVariable = {
  name: 'sex',
  values: Float64Array.of(2, 1, 9, 3, Number.NaN, Number.NaN),
  kinds: Uint8Array.of(0, 0, 0, 0, 0, 97),
  label: 'Sex of the person',
  valueLabels: [
    { value: 1, label: 'male' },
    { value: 2, label: 'female' },
    { value: 9, label: 'no answer' },
    { value: '.a', label: 'refused' },
  ],
  missing: { values: [9] },
  ordered: true,
}

function cells(column: Column): (string | number | null)[] {
  return Array.from({ length: columnLength(column) }, (_, row) => valueAt(column, row))
}

describe('a labelled variable', () => {
  it('becomes levels in the order of its values; codes for missing are missing', () => {
    const column = labelledColumn('a.sav', SEX)
    expect(column).toMatchObject({ kind: 'categorical', levels: ['male', 'female', '3'], ordered: true })
    expect(cells(column)).toEqual(['female', 'male', null, '3', null, null])
    expect(column.codebook).toEqual({
      label: 'Sex of the person',
      values: SEX.valueLabels,
      missing: { values: [9] },
    })
  })

  it('has a level for each kind of missing where these are kept', () => {
    const column = labelledColumn('a.sav', SEX, { keepMissingCodes: true })
    expect(column).toMatchObject({ levels: ['male', 'female', '3', 'no answer', 'refused'] })
    expect(cells(column)).toEqual(['female', 'male', 'no answer', '3', null, 'refused'])
  })

  it('keeps its numbers where asked', () => {
    const numbers = [2, 1, null, 3, null, null]
    expect(cells(labelledColumn('a.sav', SEX, { labels: 'codes' }))).toEqual(numbers)
    expect(cells(labelledColumn('a.sav', SEX, { types: { sex: { kind: 'numeric' } } }))).toEqual(numbers)
    expect(cells(labelledColumn('a.sav', SEX, { labels: 'codes', keepMissingCodes: true }))).toEqual([
      2,
      1,
      9,
      3,
      null,
      null,
    ])
  })

  it('stays a number where labels explain fewer than half of the values', () => {
    const age: LabelledVariable = {
      name: 'age',
      values: Float64Array.of(31, 98, 44),
      valueLabels: [{ value: 98, label: '98 or older' }],
    }
    expect(labelledColumn('a.sav', age).kind).toBe('numeric')
    const declared = labelledColumn('a.sav', age, { types: { age: { kind: 'categorical' } } })
    expect(declared).toMatchObject({ levels: ['31', '44', '98 or older'] })
  })

  it('stays a number where labels explain missing values only', () => {
    const income: LabelledVariable = {
      name: 'income',
      values: Float64Array.of(100, -8),
      valueLabels: [{ value: -8, label: "don't know" }],
      missing: { values: [], range: { low: -9, high: -1 } },
    }
    expect(cells(labelledColumn('a.sav', income))).toEqual([100, null])
    expect(cells(labelledColumn('a.sav', income, { keepMissingCodes: true }))).toEqual([100, -8])
  })

  it('tells values with one label apart, and numbers from labels that look like them', () => {
    const column = labelledColumn('a.sav', {
      name: 'x',
      values: Float64Array.of(1, 2, 3, 4),
      valueLabels: [
        { value: 1, label: 'other' },
        { value: 2, label: 'other' },
        { value: 3, label: '4' },
      ],
    })
    expect(column).toMatchObject({ levels: ['other (1)', 'other (2)', '4', '4 (4)'] })
  })

  it('may hold dates; a date beyond the calendar is refused', () => {
    const born: LabelledVariable = {
      name: 'born',
      values: Float64Array.of(1, Number.NaN),
      toDays: (value) => value - 1,
    }
    expect(cells(labelledColumn('a.dta', born))).toEqual(['1970-01-01', null])
    expect(() => labelledColumn('a.dta', { ...born, values: Float64Array.of(1e9) })).toThrow(
      'a.dta, column "born", row 1: expected a date, found one beyond the calendar',
    )
  })

  it('may hold texts, with labels and codes for missing', () => {
    const region: LabelledVariable = {
      name: 'region',
      values: { codes: Int32Array.of(0, 1, 2, 3, 0), texts: ['N', '', 'X', 'B'] },
      valueLabels: [
        { value: 'S', label: 'South' },
        { value: 'N', label: 'North' },
      ],
      missing: { values: ['X'] },
    }
    const column = labelledColumn('a.sav', region)
    expect(column).toMatchObject({ levels: ['South', 'North', 'B'] })
    expect(cells(column)).toEqual(['North', null, null, 'B', 'North'])
    expect(cells(labelledColumn('a.sav', region, { labels: 'codes', keepMissingCodes: true }))).toEqual([
      'N',
      null,
      'X',
      'B',
      'N',
    ])
  })

  it('refuses infinity', () => {
    expect(() => labelledColumn('a.rds', { name: 'x', values: Float64Array.of(1, Infinity) })).toThrow(
      'a.rds, column "x", row 2: expected a number, found Infinity',
    )
  })
})
