import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { valueAt } from '../../table/column.js'
import { tableOf } from '../../table/table.js'
import { type OutputRequest, requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { recompute, recomputed } from './recompute.js'

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

  it('takes a strong predictor for what it is, and a separating level by a penalty, with a flag', () => {
    const random = stream(3, 'strong')
    const x = Array.from({ length: 400 }, () => 20 * (random.uniform() - 0.5))
    const strong = tableOf('strong.csv', {
      x,
      y: x.map((value) => (random.uniform() < 1 / (1 + Math.exp(-3 * value)) ? 1 : 0)),
      level: x.map((_, k) => (k % 10 === 0 ? 'b' : 'a')),
      ill: x.map((_, k) => (k % 10 === 0 ? 1 : k % 3 === 0 ? 1 : 0)),
    })
    const asked = request([
      { id: 'strong', kind: 'regression', family: 'logistic', response: 'y', event: '1', terms: [{ var: 'x' }] },
      {
        id: 'separated',
        kind: 'regression',
        family: 'logistic',
        response: 'ill',
        event: '1',
        terms: [{ var: 'level' }],
      },
      { id: 'never', kind: 'regression', family: 'poisson', response: 'none', terms: [{ var: 'level' }] },
      { id: 'classes', kind: 'regression', family: 'multinomial', response: 'three', terms: [{ var: 'level' }] },
    ])
    const data = tableOf('strong.csv', {
      ...Object.fromEntries(
        strong.columns.map((column) => [column.name, Array.from({ length: 400 }, (_, row) => valueAt(column, row))]),
      ),
      none: x.map((_, k) => (k % 10 === 0 ? 0 : k % 4)),
      three: x.map((_, k) => (k % 10 === 0 ? 'p' : ['p', 'q', 'r'][k % 3])),
    })
    const [plain, firth, poisson, ridge] = asked.outputs.map((output) => recomputed(output, requestTable(asked, data)))
    expect(plain.flags).toEqual([])
    expect(plain.values[1].value).toBeGreaterThan(2)
    expect(firth.flags).toEqual(['firth'])
    // Firth in a saturated 2 x 2 table adds a half to each cell: 40 of 40 with b; without, 120 of 360.
    const ill = (wanted: string) =>
      data.rows && x.filter((_, k) => (k % 10 !== 0 ? (k % 3 === 0 ? '1' : '0') : '') === wanted).length
    const odds = (yes: number, no: number) => Math.log((yes + 0.5) / (no + 0.5))
    expect(firth.values[0].value).toBeCloseTo(odds(ill('1'), ill('0')), 6)
    expect(firth.values[1].value).toBeCloseTo(odds(40, 0) - odds(ill('1'), ill('0')), 6)
    expect(poisson.flags).toHaveLength(1)
    // Half a count more in each cell of a saturated model: 0 of 40.
    expect(poisson.values[0].value + poisson.values[1].value).toBeCloseTo(Math.log(0.5 / 40), 6)
    expect(ridge.flags).toEqual(['ridge'])
    expect(ridge.values.every(({ value }) => Number.isFinite(value))).toBe(true)
  })
})
