import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../json.js'
import { stream } from '../random/stream.js'
import { tableOf } from '../table/table.js'
import { describeReference, referenceTable } from '../testing/reference.js'
import { plantedIdentifiers, plantedTable } from '../testing/scenes/planted-identifiers.js'
import { suggestionCharts } from './chart.js'
import { type Suggestion, suggestedRoles, suggestRoles } from './suggest.js'

const names = (guesses: readonly { readonly column: string }[]) => guesses.map(({ column }) => column)
const random = stream(1, 'suggest', 0)
const draw = (below: number) => Array.from({ length: 200 }, () => Math.floor(random.uniform() * below))

const SURVEY = tableOf('survey', {
  id: Array.from({ length: 200 }, (_, k) => k + 1),
  hhid: Array.from({ length: 200 }, (_, k) => Math.floor(k / 2.5)),
  Geschlecht: draw(2).map((code) => ['w', 'm'][code]),
  age: draw(60).map((years) => 18 + years),
  ageGroup: draw(1).map(() => 'all'),
  HouseholdIncome: draw(4000),
  religion: draw(3).map((code) => ['a', 'b', 'c'][code]),
  pweight: draw(100).map((value) => 1 + value / 10),
  q17: draw(5).map(String),
})

describe('suggestions', () => {
  const suggestion = suggestRoles(SURVEY)

  it('give each column the role that its name and values speak for', () => {
    expect(names(suggestion.identifiers)).toEqual(['id'])
    expect(names(suggestion.keys)).toEqual(['Geschlecht', 'age', 'q17'])
    expect(names(suggestion.targets)).toEqual(['religion', 'HouseholdIncome'])
    expect([suggestion.weight?.column, suggestion.household?.column]).toEqual(['pweight', 'hhid'])
    expect(suggestion.leftOut).toEqual([{ column: 'ageGroup', reason: 'it has one value only' }])
  })

  it('take what is called an outcome for a target', () => {
    const trial = tableOf('trial', { sex: draw(2).map(String), status: draw(2).map(String), time: draw(3000) })
    expect(suggestRoles(trial).targets).toEqual([{ column: 'status', reason: 'its name refers to an outcome' }])
    const births = tableOf('births', { race: draw(3).map(String), bwt: draw(3000) })
    expect(names(suggestRoles(births).targets)).toEqual(['bwt'])
    const both = tableOf('births', { low: draw(2), race: draw(3).map(String), bwt: draw(3000) })
    expect(names(suggestRoles(both).targets)).toEqual(['bwt', 'low'])
  })

  it('say whether a key speaks by its name', () => {
    expect(suggestion.keys.map(({ by }) => by)).toEqual(['name', 'name', 'uniqueness'])
  })

  it('make a config in which every guess is marked', () => {
    const { guesses, ...roles } = suggestedRoles(suggestion)
    expect(roles).toEqual({
      keys: ['Geschlecht', 'age', 'q17'],
      target: ['religion', 'HouseholdIncome'],
      weight: 'pweight',
      household: 'hhid',
    })
    expect(Object.keys(guesses).sort()).toEqual(
      ['id', 'Geschlecht', 'age', 'q17', 'religion', 'HouseholdIncome', 'pweight', 'hhid'].sort(),
    )
    expect(guesses.id).toMatch(/^direct identifier\? it counts the records without gaps; remove it$/)
  })

  it('have no number that is not finite', async () => {
    for (const table of [SURVEY, await plantedTable(), tableOf('one', { a: ['x'] }), tableOf('none', { a: [] })])
      expect(nonFinitePath(JSON.parse(JSON.stringify(suggestRoles(table))))).toBeUndefined()
    const isNull = (_: string, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'broken' : value
    expect(JSON.stringify(suggestRoles(tableOf('none', { a: [] })), isNull)).not.toContain('broken')
  })
})

it('never takes a direct identifier for a key', async () => {
  const { keys, targets } = suggestRoles(await plantedTable(), { largest: 2 })
  expect(names([...keys, ...targets]).filter((column) => !plantedIdentifiers.innocent.includes(column))).toEqual([])
})

it('reads what a file says of its columns', () => {
  const [V1, V2] = [draw(2).map((code) => 'fm'[code]), draw(40)]
  const { columns, ...table } = tableOf('labelled', { V1, V2 })
  const labels = ['Sex of respondent', 'Net income of household']
  const labelled = { ...table, columns: columns.map((column, k) => ({ ...column, codebook: { label: labels[k] } })) }
  const { keys, targets } = suggestRoles(labelled)
  expect([names(keys), names(targets)]).toEqual([['V1'], ['V2']])
})

it('leaves out a column that another one implies', () => {
  const age = draw(20)
  const table = tableOf('t', { age, band: age.map((years) => `b${Math.floor(years / 5)}`), town: draw(8).map(String) })
  const { leftOut, columns } = suggestRoles(table)
  expect(leftOut).toEqual([{ column: 'band', reason: 'says next to nothing that age does not say' }])
  expect(names(columns)).toEqual(['age', 'town'])
})

it('tells kilograms from sampling weights', () => {
  const kilograms = draw(60).map((value) => 45 + value)
  expect(suggestRoles(tableOf('t', { weight: kilograms, sex: draw(2).map(String) })).weight).toBeNull()
  expect(suggestRoles(tableOf('t', { weight: draw(9).map((value) => 0.5 + value) })).weight?.column).toBe('weight')
})

it('draws what each column adds and the worst set of each size', () => {
  const charts = suggestionCharts(suggestRoles(SURVEY))
  expect(charts.map(({ name }) => name)).toEqual(['keys-added', 'keys-sets'])
})

describeReference('on public files', () => {
  const roles = ({ keys, targets, weight }: Suggestion) => [names(keys), names(targets), weight?.column]

  it('SD2011', async () => {
    expect(roles(suggestRoles(await referenceTable('data/sd2011/sd2011.csv'), { largest: 2 }))).toEqual([
      ['sex', 'age', 'region', 'marital', 'edu', 'socprof', 'eduspec'],
      ['depress', 'income', 'ls'],
      undefined,
    ])
  })

  it('Adult', async () => {
    expect(roles(suggestRoles(await referenceTable('data/adult/adults_train.csv'), { largest: 2 }))).toEqual([
      ['sex', 'age', 'marital', 'education', 'occupation', 'race', 'country'],
      ['income'],
      'fnlwgt',
    ])
  })

  it('census2k', async () => {
    expect(roles(suggestRoles(await referenceTable('data/census2k/census2k-trn.csv')))).toEqual([
      ['sex', 'age', 'marital_status', 'education', 'occupation', 'race', 'workclass'],
      ['income'],
      'fnlwgt',
    ])
  })
})
