import { expect, it } from 'vitest'
import { age, area, check, people, sex } from '../../testing/scenes/exchanged-people.js'
import { acroFiles } from './acro-export.js'
import { importAcro } from './acro-import.js'
import { gridText } from './text-grid.js'

const files = new Map(acroFiles(check, '2026-01-01T00:00:00').map(({ name, text }) => [name, text]))
const results = JSON.parse(files.get('results.json') ?? '')

it('is read back: the variables from headers, the statistic by trying', () => {
  const { request: read, unread } = importAcro(results, (name) => files.get(name) ?? null, people)
  expect(unread.map(({ id, reason }) => [id, reason])).toEqual([['model', 'its file is no summary of a model']])
  expect(read.outputs).toMatchObject([
    { id: 'table', kind: 'table', by: ['sex', 'area'], statistic: 'count', totals: true },
    { id: 'means', kind: 'table', by: ['area'], statistic: 'mean', var: 'age', decimals: 6 },
  ])
})

it('reads tables with suppressed cells, pivot tables, summaries of statsmodels, and says what it cannot read', () => {
  const count = (s: string, a: number) => String(sex.filter((one, k) => one === s && area[k] === a).length)
  const mean = (a: number) => {
    const own = age.filter((_, k) => area[k] === a)
    return String(own.reduce((sum, one) => sum + one, 0) / own.length)
  }
  const coefficient = (term: string) => {
    const find = (statistic: string) =>
      check.outputs[2].values.find((one) => one.element === term && one.statistic === statistic)
    return [find('estimate')?.value.toFixed(4) ?? '', find('se')?.value.toFixed(3) ?? '']
  }
  const texts = new Map([
    [
      'a.csv',
      gridText([
        ['sex', '57', '58', '59'],
        ['f', count('f', 57), '', count('f', 59)],
        ['m', count('m', 57), count('m', 58), count('m', 59)],
      ]),
    ],
    [
      'b.csv',
      gridText([
        ['', 'mean'],
        ['', 'age'],
        ['area', ''],
        ['57', mean(57)],
        ['58', mean(58)],
        ['59', mean(59)],
      ]),
    ],
    [
      'c.csv',
      gridText([
        ['Dep. Variable:', 'rents', 'No. Observations:', '300'],
        ['Model:', 'Logit', 'Df Residuals:', '296.0'],
        [],
        ['', 'coef', 'std err', 'z'],
        ['Intercept', ...coefficient('(Intercept)'), '0'],
        ['C(area, Treatment(58))[T.57]', ...coefficient('area=57'), '0'],
        ['C(area, Treatment(58))[T.59]', ...coefficient('area=59'), '0'],
        ['age', ...coefficient('age'), '0'],
      ]),
    ],
    [
      'd.csv',
      gridText([
        ['Dep. Variable:', 'rents', 'No. Observations:', '300'],
        ['Model:', 'Probit', 'Df', '1'],
        ['', 'coef', 'std err', 'z'],
      ]),
    ],
  ])
  const listed = (type: string, name: string) => ({ type, files: [{ name }] })
  const folder = {
    version: '0.4.12',
    results: {
      a: listed('table', 'a.csv'),
      b: listed('table', 'b.csv'),
      c: listed('regression', 'c.csv'),
      d: listed('regression', 'd.csv'),
      e: listed('histogram', 'e.png'),
      f: listed('custom', 'plot.svg'),
    },
  }
  const { request: read, unread } = importAcro(folder, (name) => texts.get(name) ?? null, people)
  expect(read.outputs).toMatchObject([
    { id: 'a', statistic: 'count', suppressed: [{ sex: 'f', area: '58' }] },
    { id: 'b', statistic: 'mean', var: 'age', by: ['area'] },
    {
      id: 'c',
      family: 'logistic',
      intercept: true,
      terms: [{ var: 'area', as: 'factor', reference: '58' }, { var: 'age' }],
    },
  ])
  expect(unread).toMatchObject([
    {
      id: 'd',
      blocked: false,
      reason: 'a Probit model is not supported; there is: linear, logistic, poisson, multinomial',
    },
    { id: 'e', blocked: false, reason: 'a histogram has no numbers that can be computed again' },
    { id: 'f', blocked: true },
  ])
})
