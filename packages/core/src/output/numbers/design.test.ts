import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { type RegressionOutput, requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { modelDesign } from './design.js'

const data = tableOf('t', {
  y: [1, 2, 3, 4, null],
  sex: ['f', 'm', 'f', 'm', 'f'],
  area: ['a', 'b', 'c', 'a', 'b'],
  age: [20, 30, 40, 50, 60],
})

function design(terms: readonly object[], more: object = {}) {
  const output = { id: 'm', kind: 'regression', family: 'linear', response: 'y', terms, ...more }
  const request = requestSchema.parse({ outputs: [output] })
  return modelDesign(request.outputs[0] as RegressionOutput, requestTable(request, data))
}

it('a factor has a column for each level but its reference, of complete records', () => {
  const { rows, terms } = design([{ var: 'area', reference: 'b' }, { var: 'age' }])
  expect([...rows]).toEqual([0, 1, 2, 3])
  expect(terms.map(({ name, values, records }) => [name, [...values], records])).toEqual([
    ['area=a', [1, 0, 0, 1], 2],
    ['area=c', [0, 0, 1, 0], 1],
    ['age', [20, 30, 40, 50], 4],
  ])
})

it('a product keeps all levels of a factor whose rest the model lacks, as R does', () => {
  const names = (terms: readonly object[]) => design(terms).terms.map(({ name }) => name)
  const product = { interaction: ['sex', 'age'] }
  expect(names([{ var: 'age' }, product])).toEqual(['age', 'sex=m:age'])
  expect(names([product])).toEqual(['sex=f:age', 'sex=m:age'])
})

it('names a reference that nobody has, and one that the data do not know', () => {
  expect(design([{ var: 'sex' }], { filter: "sex == 'm'" }).withoutReference).toEqual(['sex'])
  expect(() => design([{ var: 'sex', reference: 'x' }])).toThrow('unknown level of "sex" "x"')
  expect(() => design([{ var: 'sex', as: 'numeric' }])).toThrow('"sex" is to be a number, but has the level "f"')
})
