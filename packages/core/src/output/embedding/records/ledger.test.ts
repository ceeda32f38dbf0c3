import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { LOGISTIC, prepared, survey } from '../../../testing/scenes/survey.js'
import { ledgerOf } from './ledger.js'

describe('sums that a record changes', () => {
  it('O1: a 2x2 logistic model moves by its score', () => {
    const x = [...Array(40).fill(0), ...Array(60).fill(1)]
    const y = [...Array(30).fill('0'), ...Array(10).fill('1'), ...Array(15).fill('0'), ...Array(45).fill('1')]
    const data = tableOf('two', { x, y })
    const output = {
      id: 'm',
      kind: 'regression',
      family: 'logistic',
      response: 'y',
      event: '1',
      decimals: 15,
      terms: [{ var: 'x' }],
    }
    const { whole, exact } = prepared([output], data)
    const [aim] = exact
    expect(Array.from(aim.aims.targets, (value) => Number(value.toFixed(6)))).toEqual([-1.098612, 2.197225])
    const ledger = ledgerOf(exact, 2)
    const sums = ledger.sumsOf(whole.codes)
    const [zero, alsoZero] = sums.slice(4, 6)
    expect(Math.abs(zero)).toBeLessThan(1e-9)
    const [statistic] = ledger.statistics
    const other = whole.codes.slice(0, 2)
    const yAt = whole.variables.findIndex(({ name }) => name === 'y')
    other[yAt] = whole.variables[yAt].labels.indexOf('1')
    ledger.add(whole.codes, 0, -1, sums, 0)
    ledger.add(other, 0, 1, sums, 0)
    const score = Array.from(sums.slice(4, 6), (value) => Math.round(value * 1e9) / 1e9)
    expect(score).toEqual([1, 0])
    expect(Array.from(sums.slice(6, 9), (value) => Math.round(value * 1e9) / 1e9)).toEqual([18.75, 11.25, 11.25])
    const values = new Float64Array(2)
    statistic.evaluate(sums, 0, values)
    expect(values[0] - aim.aims.targets[0]).toBeCloseTo(0.133333, 6)
    expect(values[1] - aim.aims.targets[1]).toBeCloseTo(-0.133333, 6)
    // The exact fit is log(11 / 29): the step is right to second order.
    expect(Math.log(11 / 29) - aim.aims.targets[0]).toBeCloseTo(0.129212, 6)
    ledger.add(other, 0, -1, sums, 0)
    ledger.add(whole.codes, 0, 1, sums, 0)
    expect(Math.abs(sums[4] - zero)).toBeLessThan(1e-12)
    expect(Math.abs(sums[5] - alsoZero)).toBeLessThan(1e-12)
  })

  const all: readonly object[] = [
    { ...LOGISTIC, decimals: 8, report: ['estimate', 'se', 'logLik', 'deviance'] },
    {
      id: 'l',
      kind: 'regression',
      family: 'linear',
      response: 'income',
      decimals: 8,
      report: ['estimate', 'se', 'sigma', 'r2', 'logLik'],
      terms: [{ var: 'age' }, { var: 'area' }, { interaction: ['age', 'area'] }],
    },
    {
      id: 'p',
      kind: 'regression',
      family: 'poisson',
      response: 'visits',
      decimals: 8,
      report: ['estimate', 'se', 'deviance', 'logLik'],
      terms: [{ var: 'age' }, { var: 'sex' }],
    },
    {
      id: 'k',
      kind: 'regression',
      family: 'multinomial',
      response: 'job',
      decimals: 8,
      report: ['estimate', 'logLik'],
      terms: [{ var: 'age' }, { var: 'sex' }],
    },
    { id: 't', kind: 'table', by: ['sex', 'area'], totals: true },
    { id: 'q', kind: 'table', by: ['sex', 'ill'], statistic: 'percentage', decimals: 8 },
    { id: 'f', kind: 'table', by: ['sex'], filter: "age >= 40 & area != 'c'" },
    {
      id: 's',
      kind: 'summary',
      var: 'income',
      by: ['sex'],
      statistics: ['n', 'mean', 'sd', 'variance', 'sum'],
      decimals: 8,
    },
    { id: 'c', kind: 'correlation', vars: ['age', 'income', 'visits'], decimals: 8 },
  ]

  it.each(all.map((output) => [Reflect.get(output, 'id'), output] as const))(
    'are those of the data: %s',
    (_, output) => {
      const { whole, exact, outputs } = prepared([output], survey(400))
      const ledger = ledgerOf(exact, whole.variables.length)
      const sums = ledger.sumsOf(whole.codes)
      let compared = 0
      ledger.statistics.forEach((statistic, k) => {
        const values = new Float64Array(statistic.aims.targets.length)
        statistic.evaluate(sums, ledger.starts[k], values)
        for (const [e, value] of values.entries()) {
          expect(Math.abs(value - statistic.aims.targets[e])).toBeLessThan(2e-6 * Math.max(1, Math.abs(value)))
          compared++
        }
      })
      expect(outputs).toHaveLength(1)
      expect(compared).toBeGreaterThan(1)
    },
  )

  it.each(all.map((output) => [Reflect.get(output, 'id'), output] as const))(
    'a climber sees what a full evaluation sees: %s',
    (_, output) => {
      const { whole, exact } = prepared([output], survey(400))
      const width = whole.variables.length
      const ledger = ledgerOf(exact, width)
      const random = stream(3, 'moves')
      const codes = whole.codes.slice()
      const sums = ledger.sumsOf(codes)
      const climbers = ledger.statistics.map((statistic, k) => statistic.climber(sums, ledger.starts[k], 'near'))
      for (let move = 0; move < 20; move++) {
        const at = random.below(400) * width
        const before = codes.slice(at, at + width)
        const after = before.slice()
        const j = random.below(width)
        after[j] = random.below(whole.variables[j].labels.length)
        const changed = codes.slice()
        changed.set(after, at)
        const proposed = climbers.reduce((sum, climber) => sum + climber.propose(before, after, 1), 0)
        const fresh = ledger.error(ledger.sumsOf(changed), 0)
        // Standard errors move to first order, coefficients with the curvature of before.
        expect(Math.abs(proposed - fresh)).toBeLessThan(0.1 * fresh + 1e-3)
        for (const climber of climbers) climber.accept()
        codes.set(after, at)
      }
      const again = ledger.sumsOf(codes)
      for (const [k, sum] of again.entries())
        expect(Math.abs(sum - sums[k])).toBeLessThan(1e-7 * Math.max(1, Math.abs(sum)))
    },
  )
})
