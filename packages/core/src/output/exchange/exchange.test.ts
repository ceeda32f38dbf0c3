import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { tableOf } from '../../table/table.js'
import { checkRequest } from '../verdict/check.js'
import { acroFiles } from './acro-export.js'
import { importAcro } from './acro-import.js'
import { requestOfLongCsv } from './long-csv.js'
import { parseRequest } from './request.js'
import { gridText, isPrintedAs, parseGrid, printedNumber } from './text-grid.js'

const random = stream(7, 'exchange')
const sex = Array.from({ length: 300 }, () => (random.uniform() < 0.5 ? 'f' : 'm'))
const area = Array.from({ length: 300 }, () => Math.floor(random.uniform() * 3) + 57)
const age = Array.from({ length: 300 }, () => 20 + Math.floor(random.uniform() * 50))
const rents = age.map((one) => (random.uniform() < 1 / (1 + Math.exp((one - 45) / 15)) ? 1 : 0))
const people = tableOf('people.csv', { sex, area, age, rents })

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
const { check } = checkRequest(request, people)

describe('a results folder of ACRO', () => {
  const files = new Map(acroFiles(check, '2026-01-01T00:00:00').map(({ name, text }) => [name, text]))
  const results = JSON.parse(files.get('results.json') ?? '')

  it('has what the viewer asks for: version, results, files with their cells', () => {
    expect(results.version).toMatch(/^\d+\.\d+/)
    expect(Object.keys(results.results)).toEqual(['table', 'means', 'model'])
    for (const one of Object.values<Record<string, unknown>>(results.results)) {
      expect(['pass', 'review', 'fail']).toContain(one.status)
      for (const key of [
        'uid',
        'type',
        'properties',
        'files',
        'outcome',
        'command',
        'summary',
        'timestamp',
        'comments',
        'exception',
      ])
        expect(one).toHaveProperty(key)
    }
    const [header, ...rows] = parseGrid(files.get('table_0.csv') ?? '')
    expect(header).toEqual(['sex', '57', '58', '59', 'All'])
    expect(rows.map(([label]) => label)).toEqual(['f', 'm', 'All'])
    expect(rows[2][4]).toBe('300')
  })

  it('marks the cells that rules found where they are in the file', () => {
    const few = tableOf('few.csv', {
      a: [...Array(30).fill('x'), ...Array(31).fill('y')],
      b: [...Array(15).fill('u'), ...Array(15).fill('v'), ...Array(28).fill('u'), 'v', 'v', 'v'],
    })
    const asked = parseRequest('request.json', { outputs: [{ id: 't', kind: 'table', by: ['a', 'b'] }] })
    const [json] = acroFiles(checkRequest(asked, few).check, '')
    const { t } = JSON.parse(json.text).results
    expect(t.status).toBe('fail')
    expect(t.files[0].sdc.cells.threshold).toEqual([[1, 1]])
    expect(t.files[0].sdc.summary.threshold).toBe(1)
    expect(t.outcome).toEqual({ u: { x: 'ok', y: 'ok' }, v: { x: 'ok', y: 'threshold; ' } })
  })

  it('has a file even for an output of which no number is left: the viewer takes no folder without', () => {
    const empty = { ...check, outputs: check.outputs.map((one) => ({ ...one, values: [] })) }
    const [json] = acroFiles(empty, '')
    const found = Object.values<{ files: unknown[] }>(JSON.parse(json.text).results)
    expect(found.map(({ files: own }) => own.length)).toEqual([1, 1, 1])
  })

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
})

describe('the long form', () => {
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
})

describe('printed numbers', () => {
  it('keep their digits', () => {
    expect(printedNumber('0.340')).toEqual({ value: 0.34, decimals: 3 })
    expect(printedNumber('1.836e-07')).toEqual({ value: 1.836e-7, decimals: 10 })
    expect(printedNumber('12')).toEqual({ value: 12, decimals: 0 })
    expect(printedNumber('a')).toBeNull()
    const shown = { value: 0.34, decimals: 2 }
    expect([0.335, 0.3449, 0.345].map((value) => isPrintedAs(value, shown))).toEqual([true, true, true])
    expect([0.3349, 0.3451].map((value) => isPrintedAs(value, shown))).toEqual([false, false])
  })

  it('come back from quoted cells', () => {
    expect(
      parseGrid(
        gridText([
          ['a,b', 'say "x"'],
          ['', '1'],
        ]),
      ),
    ).toEqual([
      ['a,b', 'say "x"'],
      ['', '1'],
    ])
  })
})
