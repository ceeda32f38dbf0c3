import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { type Table, tableOf } from '../../table/table.js'
import { parseRequest } from '../exchange/request.js'
import { checkRequest, type OutputCheck, withRisk } from './check.js'
import { parseEarlier } from './history.js'
import { decide, type RiskLevel } from './verdict.js'

const random = stream(1, 'people')
const draw = (levels: readonly string[]) => levels[Math.floor(random.uniform() * levels.length)]

/** 600 people; one of them is 97 years old and lives in the north. */
const sexes = Array.from({ length: 600 }, () => draw(['f', 'm']))
const regions = Array.from({ length: 600 }, (_, k) => (k === 0 ? 'north' : draw(['north', 'south', 'west'])))
const ages = Array.from({ length: 600 }, (_, k) => (k === 0 ? 97 : 20 + Math.floor(random.uniform() * 60)))
const incomes = ages.map((age) => 1000 + 20 * age + Math.floor(random.uniform() * 500))
const works = ages.map((age) => (random.uniform() < (age < 65 ? 0.8 : 0.2) ? 'yes' : 'no'))
const people = tableOf('people.csv', { sex: sexes, region: regions, age: ages, income: incomes, work: works })

function check(
  outputs: readonly object[],
  options: Parameters<typeof checkRequest>[2] = {},
  data: Table = people,
): OutputCheck {
  return checkRequest(parseRequest('request.json', { outputs }), data, options).check
}

const rulesOf = ({ outputs }: OutputCheck) => outputs.flatMap(({ findings }) => findings.map(({ rule }) => rule))

const bySex = { id: 'sex', kind: 'table', by: ['sex', 'region'] }

describe('the check of a request', () => {
  it('releases tables of large cells and a model with many degrees of freedom', () => {
    const found = check([
      bySex,
      {
        id: 'model',
        kind: 'regression',
        family: 'logistic',
        response: 'work',
        event: 'yes',
        terms: [{ var: 'age' }, { var: 'sex' }],
      },
      { id: 'mean', kind: 'summary', var: 'income', by: ['sex'], statistics: ['n', 'mean', 'sd', 'median'] },
      { id: 'r', kind: 'correlation', vars: ['age', 'income'] },
    ])
    expect(found.outputs.map(({ findings }) => findings)).toEqual([[], [], [], []])
    expect(found.verdict).toBe('release')
  })

  it('refuses a table with one person in a cell, by the rule, the cell and the number', () => {
    const data = tableOf('few.csv', {
      sex: [...Array(50).fill('f'), ...Array(50).fill('m')],
      ill: [...Array(99).fill('no'), 'yes'],
    })
    const found = check([{ id: 't', kind: 'table', by: ['sex', 'ill'] }], {}, data)
    expect(found.verdict).toBe('refuse')
    expect(found.outputs[0].findings).toContainEqual(
      expect.objectContaining({ rule: 'threshold', status: 'refuse', element: 'sex=m, ill=yes', found: 1, limit: 10 }),
    )
  })

  it('refuses a saturated model as the table that it is', () => {
    const terms = [
      { var: 'sex' },
      { var: 'region' },
      { var: 'old' },
      { interaction: ['sex', 'region'] },
      { interaction: ['sex', 'old'] },
      { interaction: ['region', 'old'] },
      { interaction: ['sex', 'region', 'old'] },
    ]
    const model = { id: 'm', kind: 'regression', family: 'linear', response: 'income', terms }
    const data = tableOf('people.csv', {
      sex: sexes,
      region: regions,
      income: incomes,
      old: ages.map((age) => (age >= 79 ? 'yes' : 'no')),
    })
    const found = check([model], {}, data)
    expect(found.verdict).toBe('refuse')
    expect(found.outputs[0].findings.find(({ rule }) => rule === 'saturated')?.sentence).toMatch(
      /a coefficient for every cell of sex x region x old, so it is that table; \d+ of its 12 cells are below 10 records/,
    )
    const main = check([{ ...model, terms: terms.slice(0, 2) }], {}, data)
    expect(main.verdict).toBe('release')
  })

  it('refuses two tables together that differ by one person, though each passes alone', () => {
    const almost = { ...bySex, id: 'almost', filter: 'age < 97' }
    expect(check([bySex]).verdict).toBe('release')
    expect(check([almost]).verdict).toBe('release')
    const both = check([bySex, almost])
    expect(both.verdict).toBe('refuse')
    expect(both.outputs.map(({ alone, verdict }) => [alone, verdict])).toEqual([
      ['release', 'refuse'],
      ['release', 'refuse'],
    ])
    expect(both.outputs[0].findings[0]).toMatchObject({ rule: 'differencing', found: 1, others: ['almost'] })
    expect(both.outputs[0].findings[0].sentence).toBe('"sex" and "almost" differ by 1 record in all; the least is 10')
  })

  it('sees the difference of percentages where a record is seen in their digits', () => {
    const shares = { ...bySex, statistic: 'percentage' }
    const almost = { ...shares, id: 'almost', filter: 'age < 97' }
    expect(
      rulesOf(
        check([
          { ...shares, decimals: 1 },
          { ...almost, decimals: 1 },
        ]),
      ),
    ).toEqual(['differencing', 'differencing'])
    const coarse = check([
      { ...shares, decimals: 0 },
      { ...bySex, id: 'counts', filter: 'age < 97' },
    ])
    expect(rulesOf(coarse)).toEqual([])
  })

  it('sees the difference to what was released before', () => {
    const first = check([{ ...bySex, filter: 'age < 97' }])
    const earlier = parseEarlier('first.json', JSON.parse(JSON.stringify(first)))
    const second = check([{ ...bySex, id: 'all' }], { earlier })
    expect(second.verdict).toBe('refuse')
    expect(second.outputs[0]).toMatchObject({ alone: 'release', change: 'new' })
    expect(second.outputs[0].findings[0]).toMatchObject({
      rule: 'differencing',
      others: ['first.json: sex'],
      earlier: true,
    })
    expect(check([{ ...bySex, filter: 'age < 97' }], { earlier }).outputs[0]).toMatchObject({
      change: 'unchanged',
      verdict: 'release',
    })
  })

  it('sees that a released table has grown by one person', () => {
    const earlier = parseEarlier('first.json', JSON.parse(JSON.stringify(check([bySex]))))
    const grown = tableOf('people.csv', { sex: [...sexes, 'f'], region: [...regions, 'west'] })
    const again = check([bySex], { earlier }, grown)
    expect(again.outputs[0]).toMatchObject({ change: 'changed', verdict: 'refuse' })
    expect(again.outputs[0].findings).toMatchObject([{ rule: 'update', element: 'sex=f, region=west', found: 1 }])
  })

  it('calculates a suppressed cell from the totals, and from another table', () => {
    const suppressed = [{ sex: 'f', region: 'west' }]
    expect(rulesOf(check([{ ...bySex, suppressed }]))).toEqual([])
    expect(rulesOf(check([{ ...bySex, suppressed, totals: true }]))).toEqual(['suppression'])
    const two = check([
      { ...bySex, suppressed },
      { id: 'region', kind: 'table', by: ['region'] },
    ])
    expect(two.outputs[0].findings).toMatchObject([
      { rule: 'suppression', others: ['region'], element: 'sex=f, region=west' },
    ])
    expect(rulesOf(check([{ ...bySex, suppressed, statistic: 'percentage' }]))).toEqual(['suppression'])
    expect(rulesOf(check([{ ...bySex, suppressed, totals: true, statistic: 'sum', var: 'income' }]))).toEqual([
      'suppression',
    ])
    expect(rulesOf(check([{ ...bySex, suppressed, totals: true, statistic: 'median', var: 'income' }]))).toEqual([])
    const secondary = [
      ...suppressed,
      { sex: 'm', region: 'west' },
      { sex: 'f', region: 'south' },
      { sex: 'm', region: 'south' },
    ]
    expect(rulesOf(check([{ ...bySex, suppressed: secondary, totals: true }]))).toEqual([])
  })

  it('finds groups whose limits are shifted by a little', () => {
    const data = tableOf('ages.csv', {
      a: ages.map((age) => (age <= 50 ? 'to 50' : 'over')),
      b: ages.map((age, k) => (age <= 50 || k === 5 ? 'to 51' : 'over')),
    })
    const found = check(
      ['a', 'b'].map((name) => ({ id: name, kind: 'table', by: [name] })),
      {},
      data,
    )
    expect(ages[5]).toBeGreaterThan(50)
    expect(found.outputs[0].findings[0]).toMatchObject({ rule: 'differencing', found: 1 })
    const same = tableOf('ages.csv', {
      a: ages.map((age) => (age <= 50 ? 'young' : 'old')),
      b: ages.map((age) => (age <= 50 ? 'x' : 'y')),
    })
    expect(
      rulesOf(
        check(
          ['a', 'b'].map((name) => ({ id: name, kind: 'table', by: [name] })),
          {},
          same,
        ),
      ),
    ).toEqual([])
  })

  it('finds a small cell that tables fix together though none of them shows it', () => {
    const counts = [
      ['1', '1', '1', 1],
      ['1', '1', '2', 12],
      ['1', '2', '1', 12],
      ['2', '1', '1', 12],
      ['2', '1', '2', 15],
      ['2', '2', '1', 15],
    ] as const
    const column = (at: 0 | 1 | 2) => counts.flatMap((one) => Array(one[3]).fill(one[at]))
    const data = tableOf('cube.csv', { a: column(0), b: column(1), c: column(2) })
    const pairs = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ].map((by) => ({ id: by.join(''), kind: 'table', by }))
    const appetite = { zeros: false }
    expect(rulesOf(check(pairs.slice(0, 2), { appetite }, data))).toEqual([])
    const found = check(pairs, { appetite }, data)
    expect(found.outputs[0].findings.map(({ rule, element, found }) => [rule, element, found])).toContainEqual([
      'bounds',
      'a=1, b=1, c=1',
      1,
    ])
    expect(found.outputs[0].findings[0].sentence).toContain('"ab" and "ac" and "bc" fix a=1, b=1, c=1 at 1 record')
  })

  it('checks given numbers to half a unit of the last printed digit', () => {
    const data = tableOf('r.csv', {
      a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
      b: [2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 13],
    })
    const output = { id: 'c', kind: 'correlation', vars: ['a', 'b'], decimals: 2 }
    const r = check([output], {}, data).outputs[0].values[0].value
    const given = (value: number) => () => check([{ ...output, values: [{ pair: ['b', 'a'], value }] }], {}, data)
    expect(given(Number(r.toFixed(2)))).not.toThrow()
    expect(given(r + 0.0049)).not.toThrow()
    expect(given(r + 0.0051)).toThrow(/output "c": a, b pearson is given as .*, but r.csv gives 0.97/)
  })

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
})

describe('rules and measured risk together', () => {
  const levels: readonly RiskLevel[] = ['none', 'inconclusive', 'elevated', 'high', 'not assessed']
  it.each([
    ['pass', ['release', 'review', 'review', 'review', 'release']],
    ['look', ['review', 'review', 'review', 'review', 'review']],
    ['broken', ['review', 'refuse', 'refuse', 'refuse', 'refuse']],
    ['told', ['refuse', 'refuse', 'refuse', 'refuse', 'refuse']],
  ] as const)('%s', (rules, verdicts) => {
    expect(levels.map((risk) => decide(rules, risk).verdict)).toEqual(verdicts)
  })

  it('changes verdicts but not findings, and what each output is alone', () => {
    const before = check([bySex])
    const after = withRisk(before, { level: 'elevated', sentence: 'More is told about members.' })
    expect([before.verdict, after.verdict]).toEqual(['release', 'review'])
    expect(after.outputs[0]).toMatchObject({ alone: 'release', findings: [] })
    expect(after.sentence).toContain('More is told about members.')
  })
})
