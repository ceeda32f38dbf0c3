import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toCsv } from '@scrim/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageFolder } from '../../cli/src/page-server.js'
import { workplace } from '../../cli/src/testing/run.js'
import { reference } from '../../core/src/testing/reference.js'
import { CUT_OFF, hasBrowser, violationsOn } from './testing/browser.js'
import { type OpenedPage, openPage, people } from './testing/page.js'

/** The page as a person uses it: one page, loaded once, through all its steps. */
const ROWS = 150

const FILES = {
  'o.csv': toCsv(people(1, ROWS)),
  'copy.csv': toCsv(people(1, ROWS)),
  'other.csv': toCsv(people(2, ROWS)),
}

describe.skipIf(!hasBrowser)('the page in a browser', () => {
  let at: OpenedPage
  beforeAll(async () => {
    at = await openPage()
  })
  afterAll(() => at?.close())

  it('says what is wrong with a file, and goes on', async () => {
    expect(at.asked.some((url) => /parquet|vega/.test(url))).toBe(false)
    await at.give('The original', { 'damaged.parquet': 'PAR1 and nothing of use' })
    await at.page.locator('.problems', { hasText: 'damaged.parquet' }).waitFor()
    expect(at.asked.some((url) => /parquet/.test(url))).toBe(true)
    await at.button(/Remove/).click()
    await at.give('The original', { 'ragged.csv': 'a,b\n1,2\n3\n' })
    await at.page.locator('.problems', { hasText: 'ragged.csv' }).waitFor()
    expect(await at.button('Next: roles').isDisabled()).toBe(true)
    await at.page.getByText('ragged.csv cannot be read: remove or replace it.').waitFor()
  })

  it('reads files, shows what it understood and is corrected with one click', async () => {
    await at.give('The original', { 'o.csv': FILES['o.csv'] })
    await at.page.getByText('Were the columns read correctly?').waitFor()
    expect(await at.page.getByText(/kB · 150 records · 4 columns/).count()).toBe(1)
    await at.give('Releases', { 'copy.csv': FILES['copy.csv'] })
    await at.give('Releases', { 'other.csv': FILES['other.csv'] })
    await at.page.getByRole('group', { name: 'Type of region' }).getByRole('button', { name: 'category' }).click()
    await at.button(/Reset the type/).waitFor()
    await at.button('Next: roles').click()
  })

  it('takes roles by clicking, and warns as the command line does', async () => {
    await at.role('age', 'weight')
    await at.role('income', 'target')
    await at.role('age', 'key')
    await at.role('sex', 'key')
    await at.page.locator('.warnings', { hasText: 'copy.csv' }).waitFor()
    await at.page
      .getByRole('group', { name: 'How the release was made' })
      .getByRole('button', { name: /synthetic/ })
      .click()
    await at.button('Next: run').click()
  })

  it('can be cancelled, and keeps what is finished', async () => {
    await at.page.getByRole('radio', { name: /full/ }).click()
    await at.button('Run the measures').click()
    await at.page.locator('.found > li').first().waitFor()
    await at.button('Cancel').click()
    await at.page.getByText(/Cancelled after \d+ of \d+ measures/).waitFor()
    await at.button('Read the answer').click()
    await at.page.getByText(/The run was cancelled after/).waitFor()
    await at.step('Run')
  })

  it('gives the numbers of the command line, bit for bit', async () => {
    await at.page.getByRole('radio', { name: /quick/ }).click()
    await at.page.getByText('Single measures').click()
    for (const name of [/^Attribution beyond/, /^RAPID: model/, /^Memorisation \(/, /^k-anonymity/i])
      await at.page.getByRole('checkbox', { name }).click()
    await at.button('Run again').click()
    await at.page.locator('.report').waitFor()
    const json = await at.download('Results (JSON)')
    const place = workplace({ ...FILES, 'scrim.json': await at.download('Configuration') })
    const { code, err } = await place.run('assess o.csv copy.csv other.csv --config scrim.json --json own.json')
    expect([code, err]).toEqual([0, 'scrim: using scrim.json\n'])
    expect(json).toBe(place.read('own.json'))
  })

  it('shows the answer, live: releases, glossary, thresholds, records for readers inside', async () => {
    const releases = at.page.getByRole('navigation', { name: 'Releases' })
    await at.page.getByText('Do not release it.', { exact: true }).waitFor()
    await releases.getByRole('button', { name: /other\.csv/ }).click()
    await at.page.getByRole('heading', { name: /other\.csv/, level: 2 }).waitFor()
    await releases.getByRole('button', { name: /copy\.csv/ }).click()
    await at.button('Leakage').first().click()
    await at.page
      .getByText(/as much as the original itself/)
      .first()
      .waitFor()
    await at.page.keyboard.press('Escape')
    const slider = at.page.getByRole('slider').first()
    const legend = at.page.locator('.threshold .legend').first()
    const before = await legend.textContent()
    await slider.focus()
    await at.page.keyboard.press('Home')
    expect(await legend.textContent()).not.toBe(before)
    expect(await at.page.getByText(/most exposed of/).count()).toBe(0)
    await at.page.getByLabel(/Internal/).click()
    await at.page
      .getByText(/most exposed of/)
      .first()
      .waitFor()
    await at.page.locator('summary', { hasText: 'Tables of single measures' }).click()
    await at.page.locator('summary', { hasText: 'RAPID' }).first().click()
    await at.page.getByRole('table', { name: 'By attacker' }).first().waitFor()
    await at.page.locator('.report .picture svg').first().waitFor()
    const report = await at.download('Report (HTML)')
    expect(report).toContain('Internal, not for publication')
    expect(report).toContain('<svg')
    expect(report).not.toMatch(/<script/i)
    await at.page.getByLabel(/Internal/).click()
  })

  it('changes a copy, shows before and after, and takes it back', async () => {
    await at.step('Act')
    await at.page.getByRole('checkbox', { name: /^noise of 100 % of the standard deviation/ }).click()
    await at.button('Apply to a copy and assess').click()
    await at.page.getByRole('heading', { name: 'Before and after' }).waitFor()
    const verdicts = at.page.locator('tr.total td')
    expect(await verdicts.first().textContent()).toContain('HIGH')
    const [file] = await Promise.all([at.page.waitForEvent('download'), at.button('Changed release (CSV)').click()])
    expect(file.suggestedFilename()).toBe('copy-changed.csv')
    expect(readFileSync(await file.path(), 'utf8').split('\n')).toHaveLength(ROWS + 2)
    await at.button('Undo the last run').click()
    expect(await at.page.getByRole('heading', { name: 'Before and after' }).count()).toBe(0)
  })

  it('is for everybody: at both widths, in light and dark, at every step', async () => {
    // What looks at the page from outside is let in; the page itself cannot tell.
    const client = await at.page.context().newCDPSession(at.page)
    await client.send('Page.setBypassCSP', { enabled: true })
    // All of the report is looked at, not only what is near the screen.
    await at.page.addStyleTag({ content: '.report section { content-visibility: visible !important }' })
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1280, 'light'],
    ] as const) {
      await at.page.setViewportSize({ width, height: 900 })
      await at.page.emulateMedia({ colorScheme })
      for (const name of ['Data', 'Roles', 'Run', 'Read', 'Act', 'Outputs']) {
        await at.step(name)
        const where = `${name}, ${width} pixels`
        expect(await at.page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(width)
        expect(await at.page.evaluate(CUT_OFF), where).toEqual([])
        expect(await violationsOn(at.page), where).toEqual([])
      }
    }
    await client.send('Page.setBypassCSP', { enabled: false })
  })

  it.skipIf(reference() === undefined)('the case study: A is LOW, B is MODERATE, C is HIGH', async () => {
    const golden = (name: string) => readFileSync(join(reference() ?? '', `golden/vignette/case-${name}.csv`), 'utf8')
    await at.step('Data')
    for (const _ of [1, 2])
      await at
        .button(/Remove (copy|other)/)
        .first()
        .click()
    await at.give('The original', { 'original.csv': golden('original') })
    await at.give('Releases', {
      'A.csv': golden('a-independent'),
      'B.csv': golden('b-bootstrap-noise'),
      'C.csv': golden('c-near-copy'),
    })
    await at.page.getByText('C.csv').first().waitFor()
    await at.button('Next: roles').click()
    for (const key of ['age_group', 'sex', 'education', 'region']) await at.role(key, 'key')
    await at.role('income', 'target')
    await at.button('Next: run').click()
    await at.page.getByRole('radio', { name: /quick/ }).click()
    await at.button('Run again').click()
    await at.page.locator('.report').waitFor()
    const verdicts = await at.page.getByRole('navigation', { name: 'Releases' }).getByRole('button').allInnerTexts()
    expect(verdicts).toEqual(['LOW A.csv', 'MODERATE B.csv', 'HIGH C.csv'])
  })

  it('is also one file that needs no server', async () => {
    const file = join(pageFolder(), '../../../web/dist/scrim.html')
    const alone = await at.browser.newPage()
    const loaded: string[] = []
    alone.on('request', (request) => loaded.push(request.url()))
    alone.on('console', (message) => at.said.push(message.text()))
    await alone.goto(pathToFileURL(file).href)
    await alone.getByRole('button', { name: 'Try a sample' }).click()
    await alone.getByText('Were the columns read correctly?').waitFor()
    await alone.getByRole('button', { name: 'Next: roles' }).click()
    await alone.getByRole('button', { name: 'Next: run' }).click()
    await alone.getByText('Single measures').click()
    await alone.getByRole('checkbox', { name: /^Memorisation \(/ }).click()
    await alone.getByRole('button', { name: 'Run the measures' }).click()
    await alone.locator('.report .picture svg').first().waitFor()
    expect(loaded.filter((url) => !/^(file:.*scrim\.html$|blob:|data:)/.test(url))).toEqual([])
    await alone.close()
  })

  it('asked nobody but its own server, and can ask nobody else', async () => {
    const own = (url: string) => url.startsWith(at.server.address) || url.startsWith(`blob:${at.server.address}`)
    expect(at.asked.filter((url) => !own(url) && !url.startsWith('data:'))).toEqual([])
    expect(at.said).toEqual([])
    const tried = await at.page.evaluate(TRY_ELSEWHERE)
    expect(tried).toEqual(['page: refused', 'worker: refused'])
  })
})

/** From the page, and from a worker as the page opens them. */
const TRY_ELSEWHERE = `(async () => {
  const elsewhere = 'https://example.org/'
  const ask = "fetch('" + elsewhere + "', { mode: 'no-cors' }).then(() => 'went out', () => 'refused')"
  const script = URL.createObjectURL(new Blob([ask + '.then(postMessage)'], { type: 'text/javascript' }))
  const worker = new Worker(script, { type: 'module' })
  const fromWorker = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
  const fromPage = await fetch(elsewhere, { mode: 'no-cors' }).then(() => 'went out', () => 'refused')
  return ['page: ' + fromPage, 'worker: ' + fromWorker]
})()`
