import { measures } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { coveragePage, uncovered } from './coverage-page.mjs'
import { falseAlarms, powerPage } from './power-page.mjs'

/** 100 simulations of an honest scene; values are spread evenly over ±1, and an interval reaches so far to either side. */
const simulated = (reach: number, significant: number) =>
  Array.from({ length: 100 }, (_, k) => {
    const value = (2 * k - 99) / 99
    return {
      scene: 'honest',
      seed: k,
      measure: 'disco',
      value,
      interval: [value - reach, value + reach],
      assessed: true,
      p: k < significant ? 0.01 : 0.5,
    }
  })

describe('the bars of the simulations', () => {
  it('let an interval pass that covers 95 %, and none that covers 80 %', () => {
    expect(uncovered(simulated(0.957, 0), measures)).toEqual([])
    expect(uncovered(simulated(0.81, 0), measures)).toEqual(['the interval of disco covers 80.0 % of 100 in "honest"'])
    expect(coveragePage(simulated(0.81, 0), measures)).toContain('| people, release | 80 % ± 4 | - | - | - |')
  })

  it('let a test pass that accuses 5 % of honest releases, and none that accuses 12 %', () => {
    expect(falseAlarms(simulated(1, 5), measures)).toEqual([])
    expect(falseAlarms(simulated(1, 12), measures)).toEqual(['disco accuses 12.0 % of 100 releases in "honest"'])
    expect(powerPage(simulated(1, 12), measures)).toContain('| [`disco`](measures/disco.md) | 12 % | - |')
  })
})
