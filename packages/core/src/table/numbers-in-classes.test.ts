import { describe, expect, it } from 'vitest'
import { type Column, valueAt } from './column.js'
import { release } from './release.js'
import { columnOf, type Table, tableOf } from './table.js'

const original = tableOf('people', { sex: ['f', 'm', 'f', 'm', 'f'], age: [23, 29.5, 30, 85, null] })
const coarse = (name: string, age: readonly (string | null)[]) => tableOf(name, { sex: ['m', 'f', 'm', 'f', 'f'], age })
const valuesIn = ({ columns, rows }: Table) => {
  const age = columns.find(({ name }) => name === 'age') as Column
  return Array.from({ length: rows }, (_, row) => valueAt(age, row))
}
const built = (...released: Table[]) => release({ original, released, keys: ['age'] })

describe('numbers of the original beside classes of the release', () => {
  it.each([
    [
      ['20-29', '30-39', '80+', '20-29', null],
      ['20-29', '20-29', '30-39', '80+', null],
    ],
    [
      ['[20,30)', '[30,40)', '[80,90]', '[30,40)', null],
      ['[20,30)', '[20,30)', '[30,40)', '[80,90]', null],
    ],
    [
      ['(20,30]', '(30,90]', '(30,90]', '(30,90]', null],
      ['(20,30]', '(20,30]', '(20,30]', '(30,90]', null],
    ],
    [
      ['20-30', '30-40', '80-90', '80-90', null],
      ['20-30', '20-30', '30-40', '80-90', null],
    ],
    [
      ['23', '29.5', '>=30', '>=30', null],
      ['23', '29.5', '>=30', '>=30', null],
    ],
    [
      ['<25', '30-39', '30-39', '<25', null],
      ['<25', '29.5', '30-39', '85', null],
    ],
  ])('%j', (age, expected) => {
    const { original: own, released, inClasses, notes } = built(coarse('classes', age))
    expect(valuesIn(own)).toEqual(expected)
    expect(valuesIn(released[0])).toEqual(age)
    expect(columnOf(own, 'age')).toMatchObject({ ordered: true })
    expect(inClasses).toEqual([{ column: 'age', original: 4, released: new Set(age).size - 1 }])
    expect(notes[0].internal).toContain('the 4 numbers of the original are compared in these')
  })

  it('levels are in the order of the numbers', () => {
    const { original: own } = built(coarse('classes', ['80+', '30-39', '<10', '10-29', null]))
    expect(columnOf(own, 'age')).toMatchObject({ levels: ['<10', '10-29', '30-39', '80+'] })
  })

  it('people outside the release are put into the classes too', () => {
    const holdout = tableOf('outside', { sex: ['f'], age: [34] })
    const released = coarse('classes', ['20-29', '30-39', '80+', '20-29', null])
    expect(valuesIn(release({ original, released, holdout }).holdout ?? original)).toEqual(['30-39'])
  })

  it.each([
    ['labels that are no numbers', [coarse('odd', ['20-29', 'old', '80+', '20-29', null])]],
    ['classes that overlap', [coarse('odd', ['20-29', '25-39', '80+', '20-29', null])]],
    ['numbers with a comma, which may be thousands', [coarse('odd', ['1,234', '5,678', '1,234', '5,678', null])]],
    [
      'another release with numbers, whose answer would change',
      [coarse('odd', ['20-29', '30-39', '80+', '20-29', null]), { ...original, name: 'as it was' }],
    ],
  ])('are left as they are beside %s', (_, released) => {
    expect(() => built(...released)).toThrow('column "age" is numeric in people but text')
  })
})
