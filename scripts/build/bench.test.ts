import { describe, expect, it } from 'vitest'
import { PARTS } from '../../bench/parts.mjs'
import { header, isSlower, peerText, rowText } from '../../bench/results.mjs'

const run = (processor: number) => ({ clock: processor / 2, processor, megabytes: 812.4, mainShare: 0.071 })

describe('the table of the benchmark', () => {
  it('shows what was kept beside this run, in 80 columns', () => {
    expect([header, rowText('CART, a number', run(1.5), run(2)), rowText('new row', run(12), undefined)]).toEqual([
      '                                           clock     cpu  before  change    MB main',
      'CART, a number                             0.750   1.500   2.000    -25%   812   7%',
      'new row                                    6.000    12.0       -           812   7%',
    ])
  })

  it('marks what takes more than a fifth more processor time than was kept', () => {
    expect(isSlower(run(2.39), run(2))).toBe(false)
    expect(isSlower(run(2.41), run(2))).toBe(true)
    expect(rowText('suda', run(3), run(2))).toContain('+50%!')
  })

  it('takes no difference of hundredths of a second for a regression', () => {
    expect(isSlower(run(0.04), run(0.01))).toBe(false)
  })

  it('says of a peer that is not installed when its time was measured', () => {
    expect(peerText(run(2), { name: 'rpart', clock: 5, processor: 5 })).toBe(
      'rpart 5.000 s: 5.0 times, by processor time 2.5 times',
    )
    expect(peerText(run(2), { name: 'synthpop syn', clock: 5, date: '2026-11-17' })).toBe(
      'synthpop syn 5.000 s: 5.0 times (not installed; kept from 2026-11-17)',
    )
    expect(peerText(run(2), { name: 'riskutility dcr' })).toBe('riskutility dcr: not installed, and no time was kept')
  })

  it('has no two rows of one name: what was kept is found by it', () => {
    const names = Object.values(PARTS).flatMap((rows) => rows.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
  })
})
