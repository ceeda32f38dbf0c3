import { join } from 'node:path'
import { toCsv } from '@scrim/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../../cli/src/testing/run.js'
import { hasBrowser } from './testing/browser.js'
import { type OpenedPage, openPage, people } from './testing/page.js'

/** Outputs that are to leave, checked in the page as on the command line. */
const FILES = { 'o.csv': toCsv(people(1, 150)), 'outside.csv': toCsv(people(2, 150)) }
const TYPES = '--types region=categorical,sex=categorical'
const REQUEST = JSON.stringify({
  outputs: [
    { id: 'regions', kind: 'table', statistic: 'count', by: ['region'] },
    { id: 'both', kind: 'table', statistic: 'count', by: ['region', 'sex'] },
  ],
})

/** The form, closed below an answer. */
const CHANGE = 'Change what is checked'

describe.skipIf(!hasBrowser)('outputs in the page', () => {
  let at: OpenedPage
  beforeAll(async () => {
    at = await openPage()
    await at.give('The original', { 'o.csv': FILES['o.csv'] })
    for (const column of ['region', 'sex'])
      await at.page
        .getByRole('group', { name: `Type of ${column}` })
        .getByRole('button', { name: 'category' })
        .click()
    await at.button('Reset the type of region').waitFor()
    await at.step('Outputs')
  })
  afterAll(() => at?.close())

  const open = async (summary: string) => {
    const title = at.page.getByText(summary, { exact: true })
    const details = at.page.locator('details').filter({ has: title }).last()
    if ((await details.count()) > 0 && (await details.getAttribute('open')) === null) await title.click()
  }
  const set = async (summary: string, option: string, value: string) => {
    await open(CHANGE)
    await open(summary)
    await at.page.getByLabel(option, { exact: true }).fill(value)
    await at.page.getByLabel(option, { exact: true }).blur()
  }

  const check = async () => {
    await open(CHANGE)
    await at.button('Check the outputs').click()
  }

  it('gives what the command line gives, rules and measured risk, limits and options changed', async () => {
    await at.give('The request', { 'request.json': REQUEST })
    await set('Other limits', 'threshold', '5')
    await set('Options of what is measured', 'splits', '3')
    await check()
    await at.page.getByText('Risk of all outputs together').waitFor()
    expect(await at.page.evaluate('scrollY')).toBe(0)
    await at.page.setViewportSize({ width: 390, height: 844 })
    const answer = at.page.locator('.answer')
    expect(await answer.textContent()).toMatch(/^(RELEASE|REVIEW|REFUSE)[\s\S]*People concerned/)
    const box = await answer.boundingBox()
    expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844)
    await at.page.setViewportSize({ width: 1280, height: 900 })
    const json = await at.download('Results (JSON)')
    const place = workplace({ ...FILES, 'request.json': REQUEST })
    await place.run(
      `outputs check request.json --data o.csv ${TYPES} --limit threshold=5 --set splits=3 --json own.json`,
    )
    expect(json).toBe(place.read('own.json'))
    const report = await at.download('Report for the checker (HTML)')
    expect(report.replace(/<[^>]*>/g, '')).toContain('--limit threshold=5 --set splits=3 --seed 1')
    expect(report.match(/<svg/g)?.length).toBeGreaterThan(2)
  })

  it('takes people outside, a results folder of ACRO and a folder of earlier checks', async () => {
    const place = workplace({ ...FILES, 'request.json': REQUEST, 'released/about.txt': 'not read' })
    await place.run(
      `outputs check request.json --data o.csv ${TYPES} --rules-only --acro acro --json released/one.json`,
    )
    await at.page.getByLabel('The request, a folder').setInputFiles(join(place.folder, 'acro'))
    await at.page.getByLabel('Earlier checks (optional), a folder').setInputFiles(join(place.folder, 'released'))
    await at.give('People outside (optional)', { 'outside.csv': FILES['outside.csv'] })
    await check()
    await at.page.getByText('released before, the same').first().waitFor()
    const json = await at.download('Results (JSON)')
    await place.run(
      `outputs check acro --data o.csv ${TYPES} --limit threshold=5 --set splits=3 --holdout outside.csv --history released --json own.json`,
    )
    expect(json).toBe(place.read('own.json'))
  })

  it('can be cancelled while it measures, and then rests on the rules', async () => {
    await at.give('The request', { 'request.json': REQUEST })
    await open(CHANGE)
    await at.button('Remove one.json').click()
    await at.button('Remove outside.csv').click()
    await set('Options of what is measured', 'replicates', '3000')
    await check()
    await at.button('Cancel').click()
    await at.page.getByText(/Cancelled before measuring/).waitFor()
    const place = workplace({ ...FILES, 'request.json': REQUEST })
    await place.run(`outputs check request.json --data o.csv ${TYPES} --limit threshold=5 --rules-only --json own.json`)
    expect(await at.download('Results (JSON)')).toBe(place.read('own.json'))
    await at.step('Data')
    await at.step('Outputs')
    expect(await at.page.getByText('request.json').count()).toBeGreaterThan(0)
    expect(at.said).toEqual([])
  })

  it('says what is wrong with a request, and with a folder that is none of ACRO', async () => {
    const place = workplace({ 'other/notes.txt': 'nothing' })
    await at.give('The request', { 'request.json': '{"outputs": 1}' })
    await check()
    await at.page.locator('.problems', { hasText: 'request.json' }).waitFor()
    await at.page.getByLabel('The request, a folder').setInputFiles(join(place.folder, 'other'))
    await check()
    await at.page.locator('.problems', { hasText: 'other is no results folder of ACRO' }).waitFor()
  })
})
