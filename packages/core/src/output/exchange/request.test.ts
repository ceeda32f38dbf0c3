import { expect, it } from 'vitest'
import { bySex, check } from '../../testing/scenes/checked-people.js'

it('tells in one sentence what is wrong with a request', () => {
  const problem = (outputs: readonly object[]) => () => check(outputs)
  expect(problem([{ id: 't', kind: 'table', by: ['sexx'] }])).toThrow(
    'output "t": unknown variable "sexx"; did you mean "sex"?',
  )
  expect(problem([{ id: 'm', kind: 'regression', family: 'probit', response: 'work', terms: [] }])).toThrow(
    'request.json: outputs[0].family is "probit"; expected one of linear, logistic, poisson, multinomial',
  )
  expect(
    problem([{ id: 'm', kind: 'regression', family: 'logistic', response: 'work', event: 'maybe', terms: [] }]),
  ).toThrow('output "m": unknown level of "work" "maybe"; there is: no, yes')
  expect(problem([{ id: 't', kind: 'tabel', by: ['sex'] }])).toThrow(
    'request.json: outputs[0].kind is "tabel"; expected one of regression, table, summary, correlation; did you mean "table"?',
  )
  expect(problem([{ id: 't', kind: 'table', by: ['sex'], values: [{ cell: { sex: 'other' }, value: 3 }] }])).toThrow(
    'output "t": unknown level of "sex" "other"; there is: f, m',
  )
  expect(problem([bySex, bySex])).toThrow('request.json: two outputs are called "sex"')
  expect(problem([{ ...bySex, colour: 1 }])).toThrow('request.json: outputs[0]: unknown field "colour"; there is: ')
  expect(problem([{ id: 's', kind: 'summary', var: 'sex', statistics: ['mean'] }])).toThrow(
    'output "s": "sex" is a category, not a number',
  )
})
