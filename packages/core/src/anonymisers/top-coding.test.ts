import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { anonymise } from './anonymiser.js'
import { topCoding } from './top-coding.js'

function masked(data: Table, options: object) {
  return anonymise(topCoding, data, { seed: 1, options })
}

function values(of: Table, name: string): number[] {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? [] : [...column.values]
}

describe('top coding', () => {
  it('replaces values beyond a bound by it, codes and missing values aside', () => {
    const {
      table: result,
      description,
      changed,
    } = masked(tableOf('t', { x: [-8, 1, 5, 20, null] }), {
      bounds: { x: [2, 10] },
      exclude: { x: [-8] },
    })
    expect(values(result, 'x')).toEqual([-8, 2, 5, 10, Number.NaN])
    expect(description).toEqual({ variables: [{ variable: 'x', lower: 2, upper: 10, raised: 1, lowered: 1 }] })
    expect(changed).toEqual([{ column: 'x', cells: 2, suppressed: 0 }])
  })

  it('has one-sided bounds and says when nothing lies beyond them', () => {
    const { table: result, notes } = masked(tableOf('t', { x: [1, 9], y: [1, 9] }), {
      bounds: { x: [null, 5], y: [0, null] },
    })
    expect(values(result, 'x')).toEqual([1, 5])
    expect(notes).toEqual(['no value of "y" lies beyond its bounds'])
  })

  it('stays within the bounds and leaves what was within', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1 }), (cells) => {
        const after = values(masked(tableOf('t', { x: cells }), { bounds: { x: [-20, 30] } }).table, 'x')
        expect(after).toEqual(cells.map((value) => Math.min(30, Math.max(-20, value))))
      }),
    )
  })

  it('refuses bad bounds', () => {
    const data = tableOf('t', { x: [1], s: ['a'] })
    expect(() => masked(data, {})).toThrow(/needs the option bounds/)
    expect(() => masked(data, { bounds: { x: [5, 1] } })).toThrow(/lower bound of "x" is above/)
    expect(() => masked(data, { bounds: { x: [null, null] } })).toThrow(/neither/)
    expect(() => masked(data, { bounds: { s: [0, 1] } })).toThrow(/"s" is not numeric/)
    expect(() => masked(data, { bounds: { y: [0, 1] } })).toThrow(/unknown column "y"/)
    expect(() => masked(data, { bounds: { x: [0, 1] }, exclude: { s: [1] } })).toThrow(/has no bounds/)
    expect(() => masked(data, { bounds: { x: 3 } })).toThrow(/option "bounds.x"/)
  })
})
