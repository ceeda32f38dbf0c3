import { expect, it } from 'vitest'
import { area, check, people, sex } from '../../testing/scenes/exchanged-people.js'
import { checkRequest } from '../verdict/check.js'
import { requestOfLongCsv } from './long-csv.js'
import { parseRequest } from './request.js'
import { gridText } from './text-grid.js'

it('is the same request as the JSON form', () => {
  const values = check.outputs[2].values.filter(({ statistic }) => statistic === 'estimate')
  const lines = [
    ['output_id', 'kind', 'family', 'response', 'term', 'statistic', 'value', 'sex', 'area'],
    ...values.map(({ element, value }) => [
      'm',
      'regression',
      'logistic',
      'rents',
      element,
      'estimate',
      value.toFixed(4),
      '',
      '',
    ]),
    ...['f', 'm'].flatMap((s) =>
      [57, 58, 59].map((a) => [
        't',
        'table',
        '',
        '',
        '',
        'count',
        String(sex.filter((one, k) => one === s && area[k] === a).length),
        s,
        String(a),
      ]),
    ),
    ['s', 'summary', '', 'age', '', 'median', '44', '', ''],
  ]
  const read = parseRequest('long.csv', requestOfLongCsv('long.csv', gridText(lines.slice(0, -1)), people))
  expect(read.outputs).toMatchObject([
    {
      id: 'm',
      kind: 'regression',
      response: 'rents',
      terms: [{ var: 'age' }, { var: 'area', reference: '58' }],
      decimals: { estimate: 4 },
    },
    { id: 't', kind: 'table', by: ['sex', 'area'], statistic: 'count', totals: false },
  ])
  expect(checkRequest(read, people).check.verdict).toBe('release')
  expect(() => requestOfLongCsv('long.csv', 'output_id,kind\n', people)).toThrow('there is no column "value"')
  expect(() => requestOfLongCsv('long.csv', 'output_id,kind,value,sexx\na,table,3,f\n', people)).toThrow(
    'unknown column "sexx"; did you mean "sex"?',
  )
  expect(() => requestOfLongCsv('long.csv', 'output_id,kind,value\na,tabel,3\n', people)).toThrow(
    'long.csv, line 2: unknown kind "tabel"',
  )
  expect(() =>
    requestOfLongCsv(
      'long.csv',
      'output_id,kind,value,response,term,family\na,regression,3,rents,agee,logistic\n',
      people,
    ),
  ).toThrow('long.csv, line 2: the term "agee" is not made of columns and levels of people.csv')
})

it('coefficients may be called as patsy and Stata call them', () => {
  const rows = ['Intercept,0.5', 'C(area)[T.58],1', 'C(area)[T.59],2', 'age,0.1'].map(
    (row) => `m,regression,linear,income,${row}`,
  )
  const csv = ['output_id,kind,family,response,term,value', ...rows].join('\n')
  const request = requestOfLongCsv('long.csv', csv, people)
  const named = ['(Intercept)', 'area=58', 'area=59', 'age'].map((term) => ({ term }))
  expect(request).toMatchObject({ outputs: [{ values: named }] })
  const stata = requestOfLongCsv(
    'long.csv',
    csv.replace('Intercept', '_cons').replaceAll(/C\(area\)\[T\.(..)\]/g, 'area=$1'),
    people,
  )
  expect(stata).toMatchObject({ outputs: [{ values: named }] })
})
