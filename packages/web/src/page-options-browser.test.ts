import { toCsv } from '@scrim/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../../cli/src/testing/run.js'
import { fixture } from '../../core/src/testing/files/seen.js'
import { hasBrowser } from './testing/browser.js'
import { type OpenedPage, openPage, people } from './testing/page.js'

/** What `scrim assess` takes besides files and roles, in the page; the configuration that it hands out repeats the run. */
const numbered = (rows: number, seed = 1) =>
  toCsv(people(seed, rows))
    .trim()
    .split('\n')
    .map((line, k) => `${k === 0 ? 'id' : k},${line}`)
    .join('\n')
const FILES = {
  'o.csv': numbered(60),
  'r.csv': numbered(60, 2),
  'register.csv': numbered(200),
  'bought.csv': numbered(30).replace('age', 'years'),
  'edits.txt': 'grown up: age >= 25\n',
}
const MEASURES = [/^k-anonymity/i, /^Prosecutor, journalist/, /^Record linkage/i, /^Edit rules/i]

describe.skipIf(!hasBrowser)('options in the page', () => {
  let at: OpenedPage
  beforeAll(async () => {
    at = await openPage()
  })
  afterAll(() => at?.close())

  const choose = (label: string, value: string) => at.page.getByLabel(label, { exact: true }).selectOption(value)
  const write = async (label: string, value: string) => {
    await at.page.getByLabel(label, { exact: true }).fill(value)
    await at.page.getByLabel(label, { exact: true }).blur()
  }
  const remove = async (name: string) => at.button(`Remove ${name}`).first().click()

  it('asks what only a person can answer, with a button for each answer', async () => {
    const lines = FILES['o.csv'].split('\n').map((line) => line.split(','))
    const thousands = lines.map(([id, age, sex, region, income], k) =>
      [id, age, sex, region, k === 0 ? income : Number(income) / 1000].join(','),
    )
    await at.give('The original', { 'o.csv': FILES['o.csv'] })
    await at.give('Releases', { 'thousands.csv': thousands.join('\n') })
    await at.button('Next: roles').click()
    await at.page.locator('.problems', { hasText: '"income" is in other units in thousands.csv' }).waitFor()
    expect(await at.button('Next: run').isDisabled()).toBe(true)
    const question = at.page.getByRole('group', { name: /values of income in thousands.csv/ })
    await question.getByRole('button', { name: 'same', exact: true }).click()
    await at.page.locator('.warnings', { hasText: 'taken for the same' }).waitFor()
    await question.getByRole('button', { name: 'different', exact: true }).click()
    await at.page.locator('.warnings', { hasText: 'kept apart' }).waitFor()
    await at.step('Data')
    for (const name of ['thousands.csv', 'o.csv']) await remove(name)
  })

  it('takes population, attacker, rules, groups and options of measures, as the command line does', async () => {
    await at.give('The original', { 'o.csv': FILES['o.csv'] })
    await at.give('Releases', { 'r.csv': FILES['r.csv'] })
    await at.page.getByText(/^More files/).click()
    await at.give('The population (optional)', { 'register.csv': FILES['register.csv'] })
    await at.give('An attacker’s file (optional)', { 'bought.csv': FILES['bought.csv'] })
    await choose('years in the original', 'age')
    await at.give('Edit rules (optional)', { 'edits.txt': FILES['edits.txt'] })
    await at.button('Next: roles').click()
    for (const key of ['age', 'sex', 'region']) await at.role(key, 'key')
    await at.role('income', 'target')
    await at.role('id', 'identifier')
    await at.page.getByText('Group numbers into classes').click()
    await choose('Style of income', 'equal')
    await write('Classes of income', '5')
    await write('Codes of income', '0')
    await at.button('Next: run').click()
    await at.page.getByText('Single measures').click()
    for (const name of MEASURES) await at.page.getByRole('checkbox', { name }).click()
    await at.page.getByText('Options of measures').click()
    await choose('Measure', 'k-anonymity')
    await write('k', '-1')
    await at.page.locator('.problems', { hasText: 'k-anonymity' }).waitFor()
    await write('k', '7')
    await at.page.getByText(': k = 7').waitFor()
    await choose('Measure', 'record-linkage')
    await choose('method', 'deterministic')
    await write('variables', 'age,sex')
    await at.button('Run the measures').click()
    await at.page.locator('.report').waitFor()
    const json = await at.download('Results (JSON)')
    const config = await at.download('Configuration')
    expect(JSON.parse(config)).toMatchObject({
      population: 'register.csv',
      attacker: 'bought.csv',
      attackerColumns: { years: 'age' },
      rules: 'edits.txt',
      group: { income: 'equal:5' },
      codes: { income: '0' },
      options: {
        'k-anonymity': { k: 7 },
        'record-linkage': { method: 'deterministic', variables: ['age', 'sex'] },
      },
    })
    const place = workplace({ ...FILES, 'scrim.json': config })
    const { code, err } = await place.run('assess o.csv r.csv --config scrim.json --json own.json')
    expect([code, err]).toEqual([0, 'scrim: using scrim.json\n'])
    expect(json).toBe(place.read('own.json'))
  })

  it('asks which table of a file is meant, and takes what objects of packages hold', async () => {
    await at.step('Data')
    for (const name of ['r.csv', 'register.csv', 'bought.csv', 'edits.txt']) await remove(name)
    await at.give('The original', { 'several.rda': fixture('several.rda') })
    await at.page.getByText('It holds 2 tables.').waitFor()
    expect(await at.button('Next: roles').isDisabled()).toBe(true)
    await choose('Table of several.rda', 'b')
    await at.page.getByText('Were the columns read correctly?').waitFor()
    await at.give('The original', { 'sdc.rds': fixture('sdc.rds') })
    await at.page.getByText('sdc.rds (released)').waitFor()
    await at.button('Next: roles').click()
    expect(await at.page.getByLabel('Role of roof', { exact: true }).inputValue()).toBe('key')
    await at.button('Next: run').click()
    await at.page.getByRole('checkbox', { name: MEASURES[1] }).click()
    await at.page.getByRole('checkbox', { name: MEASURES[2] }).click()
    await at.page.getByRole('checkbox', { name: MEASURES[3] }).click()
    await at.button('Run again').click()
    await at.page.locator('.report').waitFor()
    await at.page.getByText('scrim assess sdc.rds --config scrim.json').waitFor()
    const json = await at.download('Results (JSON)')
    const place = workplace({ 'sdc.rds': fixture('sdc.rds'), 'scrim.json': await at.download('Configuration') })
    expect((await place.run('assess sdc.rds --config scrim.json --json own.json')).code).toBe(0)
    const { notes: _, ...own } = JSON.parse(place.read('own.json'))
    expect(JSON.parse(json)).toMatchObject(own)
    expect(at.said).toEqual([])
  })
})
