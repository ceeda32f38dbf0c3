import { describe, expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { type OutputRequest, requestSchema } from './description.js'
import { recompute, recomputed } from './recompute.js'
import { requestTable } from './variables.js'

function request(outputs: readonly object[], more: object = {}): OutputRequest {
  return requestSchema.parse({ outputs, ...more })
}

/** x = 0: 30 zeros and 10 ones; x = 1: 15 zeros and 45 ones. */
const twoByTwo = tableOf('two.csv', {
  x: [...Array(40).fill(0), ...Array(60).fill(1)],
  y: [...Array(30).fill(0), ...Array(10).fill(1), ...Array(15).fill(0), ...Array(45).fill(1)],
})

describe('recompute', () => {
  it('fits a logistic model of two by two cells by its log odds', () => {
    const asked = request([
      {
        id: 'm',
        kind: 'regression',
        family: 'logistic',
        response: 'y',
        event: '1',
        terms: [{ var: 'x', as: 'numeric' }],
        report: ['estimate', 'se', 'ratio', 'n', 'logLik'],
      },
    ])
    const values = recompute(asked.outputs[0], requestTable(asked, twoByTwo))
    const found = new Map(values.map((one) => [`${one.element} ${one.statistic}`, one.value]))
    expect(found.get('(Intercept) estimate')).toBeCloseTo(-1.098612, 6)
    expect(found.get('x estimate')).toBeCloseTo(2.197225, 6)
    expect(found.get('x ratio')).toBeCloseTo(9, 6)
    expect(found.get('x se')).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 10 + 1 / 15 + 1 / 45), 6)
    expect(found.get('(model) n')).toBe(100)
    expect(found.get('(model) logLik')).toBeCloseTo(
      30 * Math.log(0.75) + 10 * Math.log(0.25) + 15 * Math.log(0.25) + 45 * Math.log(0.75),
      6,
    )
    expect(values[0].precision).toBe(0.00005)
  })

  it('gives a multinomial model of a category the log odds of its cells', () => {
    const data = tableOf('three.csv', {
      x: [...Array(40).fill('a'), ...Array(60).fill('b')],
      y: [
        ...Array(10).fill('p'),
        ...Array(20).fill('q'),
        ...Array(10).fill('r'),
        ...Array(30).fill('p'),
        ...Array(10).fill('q'),
        ...Array(20).fill('r'),
      ],
    })
    const asked = request([
      {
        id: 'm',
        kind: 'regression',
        family: 'multinomial',
        response: 'y',
        terms: [{ var: 'x' }],
        report: ['estimate', 'se'],
      },
    ])
    const found = new Map(
      recompute(asked.outputs[0], requestTable(asked, data)).map((one) => [
        `${one.element} ${one.statistic}`,
        one.value,
      ]),
    )
    expect(found.get('q | (Intercept) estimate')).toBeCloseTo(Math.log(2), 7)
    expect(found.get('q | x=b estimate')).toBeCloseTo(Math.log(1 / 3) - Math.log(2), 7)
    expect(found.get('r | x=b estimate')).toBeCloseTo(Math.log(2 / 3), 7)
    expect(found.get('r | x=b se')).toBeCloseTo(Math.sqrt(1 / 10 + 1 / 10 + 1 / 30 + 1 / 20), 7)
  })

  it('drops and lists a level that no record has', () => {
    const asked = request(
      [{ id: 'm', kind: 'regression', family: 'linear', response: 'y', terms: [{ var: 'x', as: 'factor' }] }],
      { variables: [{ name: 'x', type: 'categorical', levels: [0, 1, 2] }] },
    )
    const { values, dropped } = recomputed(asked.outputs[0], requestTable(asked, twoByTwo))
    expect(values.map(({ element, value }) => [element, Number(value.toFixed(10))])).toEqual([
      ['(Intercept)', 0.25],
      ['x=1', 0.5],
    ])
    expect(dropped).toEqual([{ element: 'x=2', reason: 'no record has it' }])
  })
})
