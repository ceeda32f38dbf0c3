import { parseRequest } from '../../output/exchange/request.js'
import { checkRequest } from '../../output/verdict/check.js'
import { stream } from '../../random/stream.js'
import { tableOf } from '../../table/table.js'

const random = stream(7, 'exchange')
export const sex = Array.from({ length: 300 }, () => (random.uniform() < 0.5 ? 'f' : 'm'))
export const area = Array.from({ length: 300 }, () => Math.floor(random.uniform() * 3) + 57)
export const age = Array.from({ length: 300 }, () => 20 + Math.floor(random.uniform() * 50))
const rents = age.map((one) => (random.uniform() < 1 / (1 + Math.exp((one - 45) / 15)) ? 1 : 0))
export const people = tableOf('people.csv', { sex, area, age, rents })

const request = parseRequest('request.json', {
  outputs: [
    { id: 'table', kind: 'table', by: ['sex', 'area'], totals: true },
    { id: 'means', kind: 'table', by: ['area'], statistic: 'mean', var: 'age', decimals: 6 },
    {
      id: 'model',
      kind: 'regression',
      family: 'logistic',
      response: 'rents',
      event: '1',
      terms: [{ var: 'age' }, { var: 'area', as: 'factor', reference: '58' }],
      report: ['estimate', 'se'],
    },
  ],
})
export const { check } = checkRequest(request, people)
