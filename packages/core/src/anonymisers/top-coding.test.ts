import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
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
    expect(description).toEqual({
      variables: [{ variable: 'x', lower: 2, upper: 10, raised: 1, lowered: 1, replacements: [2, 10] }],
    })
    expect(changed).toEqual([{ column: 'x', cells: 2, suppressed: 0 }])
  })

  it('has one-sided bounds and says when nothing lies beyond them', () => {
    const { table: result, notes } = masked(tableOf('t', { x: [1, 9], y: [1, 9] }), {
      bounds: { x: [null, 5], y: [0, null] },
    })
    expect(values(result, 'x')).toEqual([1, 5])
    expect(notes).toEqual(['no value of "y" lies beyond its bounds'])
  })

  it('replaces by a number, or by the mean or the median of what lies beyond', () => {
    const data = tableOf('t', { x: [1, 2, 50, 100, 120, 260, null, -8] })
    const after = (replacement: unknown) =>
      values(masked(data, { bounds: { x: [2, 90] }, exclude: { x: [-8] }, replacement: { x: replacement } }).table, 'x')
    expect(after('mean')).toEqual([1, 2, 50, 160, 160, 160, Number.NaN, -8])
    expect(after('median')).toEqual([1, 2, 50, 120, 120, 120, Number.NaN, -8])
    expect(after(999)).toEqual([999, 2, 50, 999, 999, 999, Number.NaN, -8])
    expect(after(['bound', 'mean'])).toEqual([2, 2, 50, 160, 160, 160, Number.NaN, -8])
    expect(after([0, 'bound'])).toEqual([0, 2, 50, 90, 90, 90, Number.NaN, -8])
  })

  it('tells when the mean is that of hardly anybody', () => {
    const { notes, description } = masked(tableOf('t', { x: [1, 2, 3, 70, 80] }), {
      bounds: { x: [null, 10] },
      replacement: { x: 'mean' },
    })
    expect(notes).toEqual(['the mean of "x" above the upper bound is that of 2 values and nearly reveals them'])
    expect(description).toMatchObject({ variables: [{ lowered: 2, replacements: [null, 75] }] })
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
    expect(() => masked(data, { bounds: { x: [0, 1] }, replacement: { s: 1 } })).toThrow(
      /replacement names "s", which has no/,
    )
    expect(() => masked(data, { bounds: { x: [0, 1] }, replacement: { x: 'mode' } })).toThrow(/option "replacement.x"/)
    expect(() => masked(data, { bounds: { x: 3 } })).toThrow(/option "bounds.x"/)
  })
})
