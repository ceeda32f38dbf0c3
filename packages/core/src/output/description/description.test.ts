import { expect, it } from 'vitest'
import { cellName, decimalsOf, type Output, requestSchema, variablesOf } from './description.js'
import { outputText } from './wording.js'

const described = (output: object): Output => requestSchema.parse({ outputs: [{ id: 'o', ...output }] }).outputs[0]

it('prints the decimals that are said, else those of the given values, else the usual ones', () => {
  const table = { kind: 'table', by: ['sex'], statistic: 'mean', var: 'age' }
  const values = [0.25, 1.5].map((value, k) => ({ cell: { sex: String(k) }, value }))
  expect(decimalsOf(described(table), 'mean')).toBe(2)
  expect(decimalsOf(described({ ...table, values }), 'mean')).toBe(2)
  expect(decimalsOf(described({ ...table, values: [{ cell: {}, value: 1e-7 }] }), 'mean')).toBe(7)
  expect(decimalsOf(described({ ...table, values, decimals: { mean: 0 } }), 'mean')).toBe(0)
  expect(decimalsOf(described({ kind: 'table', by: ['sex'], decimals: 3 }), 'count')).toBe(0)
  expect(decimalsOf(described({ kind: 'table', by: ['sex'], decimals: 3, weights: 'w' }), 'count')).toBe(3)
})

it('names variables once, in the order in which an output uses them', () => {
  const terms = [{ var: 'age' }, { interaction: ['age', 'sex'] }]
  const model = described({ kind: 'regression', family: 'linear', response: 'income', terms, weights: 'w' })
  expect(variablesOf(model)).toEqual(['income', 'age', 'sex', 'w'])
  expect(cellName(['a', 'b'], { b: '2', a: '1' })).toBe('a=1, b=2')
  expect(cellName(['a', 'b'], {})).toBe('total')
})

it('says in words what an output is', () => {
  expect(outputText(described({ kind: 'table', by: ['sex', 'area'], totals: true, rounding: { base: 5 } }))).toBe(
    'counts by sex x area, with totals, rounded to 5',
  )
  const model = { kind: 'regression', family: 'logistic', response: 'ill', event: 'yes', terms: [{ var: 'age' }] }
  expect(outputText(described({ ...model, weights: 'w', filter: 'age > 20' }))).toBe(
    'logistic regression of ill=yes on age, weighted by w, where age > 20',
  )
})
