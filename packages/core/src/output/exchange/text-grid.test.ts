import { describe, expect, it } from 'vitest'
import { gridText, isPrintedAs, parseGrid, printedNumber } from './text-grid.js'

describe('printed numbers', () => {
  it('keep their digits', () => {
    expect(printedNumber('0.340')).toEqual({ value: 0.34, decimals: 3 })
    expect(printedNumber('1.836e-07')).toEqual({ value: 1.836e-7, decimals: 10 })
    expect(printedNumber('12')).toEqual({ value: 12, decimals: 0 })
    expect(printedNumber('a')).toBeNull()
    const shown = { value: 0.34, decimals: 2 }
    expect([0.335, 0.3449, 0.345].map((value) => isPrintedAs(value, shown))).toEqual([true, true, true])
    expect([0.3349, 0.3451].map((value) => isPrintedAs(value, shown))).toEqual([false, false])
  })

  it('come back from quoted cells', () => {
    expect(
      parseGrid(
        gridText([
          ['a,b', 'say "x"'],
          ['', '1'],
        ]),
      ),
    ).toEqual([
      ['a,b', 'say "x"'],
      ['', '1'],
    ])
  })
})
