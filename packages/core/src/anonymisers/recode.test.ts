import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { type Column, categorical, valueAt } from '../table/column.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { recode } from './recode.js'

function masked(data: Table, options: object) {
  return anonymise(recode, data, { seed: 1, options })
}

function labels(of: Table, name: string): (string | number | null)[] {
  const column = columnOf(of, name)
  return Array.from({ length: of.rows }, (_, row) => valueAt(column, row))
}

describe('recode', () => {
  it('groups numbers between breaks, with open ends and missing kept', () => {
    const { table: result, description } = masked(tableOf('t', { age: [3, 18, 40, 65, 101, null] }), {
      groups: { age: 'fixed:0|18|65|99' },
    })
    expect(labels(result, 'age')).toEqual(['<18', '[18,65)', '[18,65)', '>=65', '>=65', null])
    expect(columnOf(result, 'age')).toMatchObject({ kind: 'categorical', ordered: true })
    expect(description).toMatchObject({ variables: [{ variable: 'age', kind: 'grouped', before: 5, after: 3 }] })
  })

  it('never tells the smallest and the largest value in a label', () => {
    const data = tableOf('t', { x: [17, 20, 25, 31, 44, 58, 60, 97] })
    for (const style of ['quantile:3', 'equal:3', 'fisher:3', 'riskutility:3', 'box:4', 4]) {
      const column = columnOf(masked(data, { groups: { x: style } }).table, 'x')
      const levels = column.kind === 'categorical' ? column.levels.join(' ') : ''
      expect(levels).not.toMatch(/17|97/)
    }
  })

  it('keeps codes apart', () => {
    const { table: result } = masked(tableOf('t', { x: [-8, 1, 2, 3, 4] }), {
      groups: { x: 'equal:2' },
      codes: { x: [-8] },
    })
    expect(labels(result, 'x')).toEqual(['code -8', '<2.5', '<2.5', '>=2.5', '>=2.5'])
  })

  it('labels classes of dates by dates', () => {
    const born: Column = { kind: 'date', name: 'born', unit: 'day', values: Float64Array.of(0, 10, 20, 30) }
    const { table: result } = masked(table('t', [born]), { groups: { born: 'fixed:0|15|30' } })
    expect(labels(result, 'born')).toEqual(['<1970-01-16', '<1970-01-16', '>=1970-01-16', '>=1970-01-16'])
  })

  it('merges levels where the first of them stood', () => {
    const marital = categorical('marital', ['single', 'married', 'divorced', null, 'widowed'])
    const { table: result, description } = masked(table('t', [marital]), {
      merge: { marital: { alone: ['single', 'divorced', 'widowed'] } },
    })
    expect(labels(result, 'marital')).toEqual(['alone', 'married', 'alone', null, 'alone'])
    expect(columnOf(result, 'marital')).toMatchObject({ levels: ['alone', 'married'] })
    expect(description).toMatchObject({ variables: [{ kind: 'merged', before: 4, after: 2 }] })
  })

  it('says when the order of levels is lost', () => {
    const grade = categorical('grade', ['low', 'mid', 'high'], { levels: ['low', 'mid', 'high'], ordered: true })
    const notes = (members: string[]) => masked(table('t', [grade]), { merge: { grade: { some: members } } }).notes
    expect(notes(['low', 'mid'])).toEqual([])
    expect(notes(['low', 'high'])).toHaveLength(1)
  })

  it('manages constants, one row and columns without values', () => {
    expect(labels(masked(tableOf('t', { x: [5] }), { groups: { x: 3 } }).table, 'x')).toEqual(['5'])
    expect(labels(masked(tableOf('t', { x: [5, 5] }), { groups: { x: 'equal:3' } }).table, 'x')).toEqual(['5', '5'])
    expect(labels(masked(tableOf('t', { x: [null, null] }), { groups: { x: 3 } }).table, 'x')).toEqual([null, null])
  })

  it('refuses what does not fit, all at once', () => {
    const data = tableOf('t', { age: [1, 2], sex: ['f', 'm'] })
    expect(() => masked(data, {})).toThrow(/recode needs the option groups/)
    expect(() => masked(data, { groups: { sex: 3 } })).toThrow(/"sex" is not numeric; merge its levels/)
    expect(() => masked(data, { groups: { age: 'fixed:5|1' } })).toThrow(/must ascend/)
    expect(() => masked(data, { groups: { age: 'oops:5' } })).toThrow(UserError)
    expect(() => masked(data, { groups: { years: 5 } })).toThrow(/unknown column "years"/)
    expect(() => masked(data, { codes: { age: [1] } })).toThrow(/which is not grouped/)
    expect(() => masked(data, { merge: { age: { young: ['1'] } } })).toThrow(/"age" is not categorical/)
    expect(() => masked(data, { merge: { sex: { all: ['f', 'x'] } } })).toThrow(/unknown level "x"/)
    expect(() => masked(data, { merge: { sex: { a: ['f'], b: ['f'] } } })).toThrow(/"f" is merged twice/)
    expect(() => masked(data, { merge: { sex: { m: ['f'] } } })).toThrow(/"m" is a level already/)
  })
})
