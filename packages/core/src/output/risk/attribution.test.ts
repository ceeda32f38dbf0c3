import { describe, expect, it } from 'vitest'
import { tableOfRows } from '../../table/table.js'
import { codedTable } from '../embedding/records/coded-records.js'
import { attackKeys, keySets, marginBaselines, matchColumns, matchingOf, meanRates, ratesOf } from './attribution.js'

function attack(
  embedded: readonly (readonly [string, string])[],
  real: readonly (readonly [string, string])[],
  tau = 1,
) {
  const both = codedTable(tableOfRows('both', ['key', 'target'], [...embedded, ...real]))
  const matching = matchingOf(both)
  const columns = matchColumns(both.codes, both.variables, matching)
  const part = (from: number, to?: number) => columns.map((column) => column.slice(from, to))
  return attackKeys(part(0, embedded.length), part(embedded.length), matching, [0], 1, tau)
}

describe('attribution', () => {
  it('O2: kept, matched and guessed by hand', () => {
    const { score, guesses } = attack(
      [
        ['A', '1'],
        ['A', '1'],
        ['B', '1'],
        ['B', '0'],
        ['C', '0'],
      ],
      [
        ['A', '1'],
        ['A', '1'],
        ['A', '0'],
        ['B', '1'],
      ],
    )
    const rates = ratesOf(score)
    expect(score).toMatchObject({ kept: 3, matched: 2, guessed: 3, right: 2 })
    expect(rates.undefined).toBeCloseTo(2 / 3, 12)
    expect(rates.zero).toBeCloseTo(4 / 9, 12)
    expect(rates.matchRate).toBeCloseTo(2 / 3, 12)
    expect(rates.coverage).toBeCloseTo(3 / 5, 12)
    expect(rates.success).toBe(0.5)
    expect(rates.precision).toBeCloseTo(2 / 3, 12)
    expect(Array.from(guesses)).toEqual([1, 1, 1, -1])
  })

  it('O3: the data themselves give 1, whatever else is mixed', () => {
    const mixed = [
      ['A', '1'],
      ['A', '1'],
      ['B', '0'],
      ['C', '0'],
      ['C', '1'],
    ] as const
    const rates = ratesOf(attack(mixed, mixed).score)
    expect([rates.undefined, rates.zero]).toEqual([1, 1])
    expect(ratesOf(attack(mixed.slice(0, 3), mixed.slice(0, 3)).score).success).toBe(1)
  })

  it('with a lower tau the majority speaks', () => {
    const most = [
      ['A', '1'],
      ['A', '1'],
      ['A', '0'],
    ] as const
    expect(ratesOf(attack(most, most, 1).score)).toMatchObject({ undefined: null, success: 0 })
    expect(ratesOf(attack(most, most, 0.6).score).success).toBeCloseTo(2 / 3, 12)
  })

  it('a set of keys that defines nothing counts as 0 only where that is said', () => {
    const [none, some] = [attack([['A', '1']], [['B', '1']]).score, attack([['A', '1']], [['A', '1']]).score]
    expect(meanRates([none, some])).toMatchObject({
      sets: 2,
      defined: 1,
      undefined: 1,
      undefinedOrZero: 0.5,
      success: 0.5,
    })
  })

  it('sets of keys and guesses without data', () => {
    expect(keySets([0, 1, 2, 3, 4, 5], [3, 4, 5, 6])).toHaveLength(20 + 15 + 6 + 1)
    expect(keySets([0, 1], [3, 4])).toEqual([[0, 1]])
    const { drawn, best } = marginBaselines(Int32Array.of(0, 0, 0, 1), 2)
    expect([drawn, best]).toEqual([0.625, 0.75])
  })
})
