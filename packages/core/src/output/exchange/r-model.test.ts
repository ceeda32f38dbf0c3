import { expect, it } from 'vitest'
import { fixture } from '../../testing/files/seen.js'
import { requestOfRModel } from './r-model.js'
import { parseRequest } from './request.js'

const request = (name: string) => requestOfRModel(name, fixture(name))

it('response, event, terms with reference levels and estimates of a glm', () => {
  const made = request('model-logistic.rds')
  expect(parseRequest('made', made).outputs).toHaveLength(1)
  expect(made).toMatchObject({
    outputs: [
      {
        kind: 'regression',
        family: 'logistic',
        response: 'low',
        event: '1',
        intercept: true,
        terms: [
          { var: 'age', as: 'numeric' },
          { var: 'race', as: 'factor', reference: '1' },
          { interaction: ['age', 'race'] },
        ],
        values: [
          { term: '(Intercept)', estimate: expect.any(Number) },
          { term: 'age', estimate: expect.any(Number) },
          { term: 'race=2', estimate: expect.any(Number) },
          { term: 'race=3', estimate: expect.any(Number) },
          { term: 'age:race=2', estimate: expect.any(Number) },
          { term: 'age:race=3', estimate: expect.any(Number) },
        ],
      },
    ],
  })
})

it.each([
  ['model-computed.rds', 'log(age) is computed in the formula; add it to the data as a column'],
  ['model-probit.rds', 'the family is binomial probit; expected binomial logit'],
  ['people.rds', 'holds data.frame; expected a model of lm or glm'],
  ['people.rda', 'expected a model of lm or glm, saved by saveRDS'],
])('%s: one sentence that says what to do', (name, sentence) => {
  expect(() => request(name)).toThrow(sentence)
})
