import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './testing/browser.js'
import { type OpenedPage, openPage } from './testing/page.js'

/** 19-year-olds are single, as everybody knows; others are what they are. */
const FILE = [
  'age,sex,marital',
  ...Array.from({ length: 120 }, (_, k) => {
    const age = k % 3 === 0 ? 19 : 20 + (k % 7)
    return [age, 'fm'[k % 2], age === 19 || k % 5 === 0 ? 'SINGLE' : 'MARRIED'].join(',')
  }),
].join('\n')

describe.skipIf(!hasBrowser)('the tables of disclosure in the page', () => {
  let at: OpenedPage
  beforeAll(async () => {
    at = await openPage()
  })
  afterAll(() => at?.close())

  const table = (caption: string) =>
    at.page.locator('table', { has: at.page.locator('caption', { hasText: caption }) }).first()
  const showTables = async () => {
    await at.page.locator('.report').waitFor()
    await at.page.getByRole('checkbox', { name: /^Internal/ }).check()
    await at.page.getByText('Tables of single measures').click()
    await at.page.getByText('Disclosure tables (synthpop)', { exact: true }).last().click()
  }

  it('are those of synthpop, and a pair that a check names is left out by its button', async () => {
    await at.give('The original', { 'o.csv': FILE })
    await at.give('Releases', { 'r.csv': FILE })
    await at.button('Next: roles').click()
    for (const key of ['age', 'sex']) await at.role(key, 'key')
    await at.role('marital', 'target')
    await at.button('Next: run').click()
    await at.page.getByText('Single measures').click()
    await at.page.getByRole('checkbox', { name: /^Disclosure tables/ }).click()
    await at.button('Run the measures').click()
    await showTables()
    for (const name of ['ident', 'attrib', 'allCAPs', 'check_2way', 'exclude']) await table(`(${name})`).waitFor()
    expect(await table('(check_2way)').textContent()).toMatch(/SINGLE\|1940age4040100\.00\s%/)
    const row = table('(exclude)').locator('tr', { hasText: 'SINGLE|19' })
    expect(await row.textContent()).toContain('--set \'disclosure.exclude+={"key":"age","level":"19"')
    await row.getByRole('button', { name: /^Leave out/ }).click()
    await row.getByText('left out in the next run').waitFor()
    await row.getByRole('button', { name: 'to the run' }).click()
    await at.button('Run again').click()
    await showTables()
    await table('(attrib)').waitFor()
    expect(await at.page.locator('.report').textContent()).not.toContain('SINGLE|19')
    expect(JSON.parse(await at.download('Configuration')).options.disclosure).toEqual({
      exclude: [{ key: 'age', level: '19', target: 'SINGLE', in: 'marital' }],
    })
    expect(at.said).toEqual([])
  })
})
