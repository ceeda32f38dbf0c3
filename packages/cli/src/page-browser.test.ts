import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { numeric, stream, type Table, table, toCsv, toParquet } from '@scrim/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reference } from '../../core/src/testing/reference.js'
import { type PageServer, pageFolder, servePage } from './page-server.js'
import { browserPath, CUT_OFF, openBrowser, violationsOn } from './testing/browser.js'
import { workplace } from './testing/run.js'

/** The page as a person uses it: one page, loaded once, through all its steps. */
const ROWS = 150

function people(seed: number, rows = ROWS): Table {
  const random = stream(seed, 'people')
  const age = Array.from({ length: rows }, () => 20 + random.below(50))
  return table('people', [
    numeric('age', age),
    numeric(
      'sex',
      age.map(() => random.below(2)),
    ),
    numeric(
      'region',
      age.map(() => random.below(4)),
    ),
    numeric(
      'income',
      age.map((years) => 100 * years + random.below(500)),
    ),
  ])
}

const FILES = { 'o.csv': toCsv(people(1)), 'copy.csv': toCsv(people(1)), 'other.csv': toCsv(people(2)) }

describe.skipIf(browserPath === undefined)('the page in a browser', () => {
  let server: PageServer
  let browser: Browser
  let page: Page
  const asked: string[] = []
  const said: string[] = []

  beforeAll(async () => {
    server = await servePage(0, pageFolder())
    browser = await openBrowser()
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
    page = await context.newPage()
    page.setDefaultTimeout(120_000)
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
    await page.addInitScript(WATCH_TASKS)
    await page.goto(server.address)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const give = (title: string, files: Readonly<Record<string, string | Uint8Array>>) =>
    page.getByLabel(title, { exact: true }).setInputFiles(
      Object.entries(files).map(([name, content]) => ({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      })),
    )
  const role = (column: string, name: string) =>
    page
      .getByRole('group', { name: `Role of ${column}` })
      .getByRole('button', { name, exact: true })
      .click()
  const step = (name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }).click()
  const download = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()])
    return readFileSync(await file.path(), 'utf8')
  }

  it('says what is wrong with a file, and goes on', async () => {
    expect(asked.some((url) => /parquet|vega/.test(url))).toBe(false)
    await give('The original', { 'damaged.parquet': 'PAR1 and nothing of use' })
    await page.locator('.problems', { hasText: 'damaged.parquet' }).waitFor()
    expect(asked.some((url) => /parquet/.test(url))).toBe(true)
    await button(/Remove/).click()
    await give('The original', { 'ragged.csv': 'a,b\n1,2\n3\n' })
    await page.locator('.problems', { hasText: 'ragged.csv' }).waitFor()
    expect(await button('Next: roles').isDisabled()).toBe(true)
  })

  it('reads files, shows what it understood and is corrected with one click', async () => {
    await give('The original', { 'o.csv': FILES['o.csv'] })
    await page.getByText('Was it understood?').waitFor()
    expect(await page.getByText('150 records, 4 columns').count()).toBe(1)
    await give('Releases', { 'copy.csv': FILES['copy.csv'] })
    await give('Releases', { 'other.csv': FILES['other.csv'] })
    await page.getByRole('group', { name: 'Type of region' }).getByRole('button', { name: 'category' }).click()
    await button(/as found/).waitFor()
    await button('Next: roles').click()
  })

  it('takes roles by clicking, and warns as the command line does', async () => {
    await role('age', 'weight')
    await role('income', 'target')
    await role('age', 'key')
    await role('sex', 'key')
    await page.locator('.warnings', { hasText: 'copy.csv' }).waitFor()
    await page
      .getByRole('group', { name: 'How the release was made' })
      .getByRole('button', { name: /synthetic/ })
      .click()
    await button('Next: run').click()
  })

  it('can be cancelled, and keeps what is finished', async () => {
    await page.getByRole('radio', { name: /full/ }).click()
    await button('Run the measures').click()
    await page.locator('table.results tbody tr').nth(1).waitFor()
    await button('Cancel').click()
    await page.getByText(/Cancelled after \d+ of \d+ measures/).waitFor()
    await button('Read the answer').click()
    await page.getByText(/The run was cancelled after/).waitFor()
    await step('Run')
  })

  it('gives the numbers of the command line, bit for bit', async () => {
    await page.getByRole('radio', { name: /quick/ }).click()
    await page.getByText('Single measures').click()
    for (const name of [/^Attribution beyond/, /^RAPID: model/, /^Memorisation \(/, /^k-anonymity/i])
      await page.getByRole('checkbox', { name }).click()
    await button('Run again').click()
    await page.locator('.report').waitFor()
    const json = await download('results (JSON)')
    const place = workplace({ ...FILES, 'scrim.json': await download('configuration') })
    const { code, err } = await place.run('assess o.csv copy.csv other.csv --config scrim.json --json own.json')
    expect([code, err]).toEqual([0, ''])
    expect(json).toBe(place.read('own.json'))
  })

  it('shows the answer, live: releases, glossary, thresholds, records for readers inside', async () => {
    const releases = page.getByRole('navigation', { name: 'Releases' })
    await page.getByText('Do not release it.', { exact: true }).waitFor()
    await releases.getByRole('button', { name: /other\.csv/ }).click()
    await page.getByRole('heading', { name: /other\.csv/, level: 2 }).waitFor()
    await releases.getByRole('button', { name: /copy\.csv/ }).click()
    await button('Leakage').first().click()
    await page
      .getByText(/as much as the original itself/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    const slider = page.getByRole('slider').first()
    const legend = page.locator('.threshold .legend').first()
    const before = await legend.textContent()
    await slider.focus()
    await page.keyboard.press('Home')
    expect(await legend.textContent()).not.toBe(before)
    expect(await page.getByText(/most exposed of/).count()).toBe(0)
    await page.getByLabel(/internal: exact/).click()
    await page
      .getByText(/most exposed of/)
      .first()
      .waitFor()
    await page.locator('.report .picture svg').first().waitFor()
    const report = await download('report (HTML)')
    expect(report).toContain('Internal, not for publication')
    expect(report).toContain('<svg')
    expect(report).not.toMatch(/<script/i)
    await page.getByLabel(/internal: exact/).click()
  })

  it('changes a copy, shows before and after, and takes it back', async () => {
    await step('Act')
    await page.getByRole('checkbox', { name: 'noise of 100 % of the standard deviation' }).click()
    await button('Apply to a copy and assess').click()
    await page.getByRole('heading', { name: 'Before and after' }).waitFor()
    const verdicts = page.locator('tr.total td')
    expect(await verdicts.first().textContent()).toContain('HIGH')
    const [file] = await Promise.all([page.waitForEvent('download'), button('changed release (CSV)').click()])
    expect(file.suggestedFilename()).toBe('copy-changed.csv')
    expect(readFileSync(await file.path(), 'utf8').split('\n')).toHaveLength(ROWS + 2)
    await button('Undo the last change').click()
    expect(await page.getByRole('heading', { name: 'Before and after' }).count()).toBe(0)
  })

  it('checks a request for outputs as the command line does', async () => {
    const request = JSON.stringify({
      outputs: [
        { id: 'regions', kind: 'table', statistic: 'count', by: ['region'] },
        { id: 'ages', kind: 'table', statistic: 'count', by: ['age', 'region'] },
      ],
    })
    await step('Outputs')
    await give('The request', { 'request.json': request })
    await button('Check the outputs').click()
    await page.getByText('May they be released together?').waitFor()
    const json = await download('results (JSON)')
    const place = workplace({ 'o.csv': FILES['o.csv'], 'request.json': request })
    const { code } = await place.run(
      'outputs check request.json --data o.csv --types region=categorical --rules-only --json own.json',
    )
    expect(code).toBe(3)
    expect(json).toBe(place.read('own.json'))
  })

  it('is for everybody: at both widths, in light and dark, at every step', async () => {
    // What looks at the page from outside is let in; the page itself cannot tell.
    const client = await page.context().newCDPSession(page)
    await client.send('Page.setBypassCSP', { enabled: true })
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1280, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const name of ['Data', 'Roles', 'Run', 'Read', 'Act', 'Outputs']) {
        await step(name)
        const where = `${name}, ${width} pixels`
        expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(width)
        expect(await page.evaluate(CUT_OFF), where).toEqual([])
        expect(await violationsOn(page), where).toEqual([])
      }
    }
    await client.send('Page.setBypassCSP', { enabled: false })
  })

  it.skipIf(reference() === undefined)('the case study: A is LOW, B is MODERATE, C is HIGH', async () => {
    const golden = (name: string) => readFileSync(join(reference() ?? '', `golden/vignette/case-${name}.csv`), 'utf8')
    await step('Data')
    for (const _ of [1, 2])
      await button(/Remove (copy|other)/)
        .first()
        .click()
    await give('The original', { 'original.csv': golden('original') })
    await give('Releases', {
      'A.csv': golden('a-independent'),
      'B.csv': golden('b-bootstrap-noise'),
      'C.csv': golden('c-near-copy'),
    })
    await page.getByText('C.csv').first().waitFor()
    await button('Next: roles').click()
    for (const key of ['age_group', 'sex', 'education', 'region']) await role(key, 'key')
    await role('income', 'target')
    await button('Next: run').click()
    await page.getByRole('radio', { name: /quick/ }).click()
    await button('Run again').click()
    await page.locator('.report').waitFor()
    const verdicts = await page.getByRole('navigation', { name: 'Releases' }).getByRole('button').allInnerTexts()
    expect(verdicts).toEqual(['LOW A.csv', 'MODERATE B.csv', 'HIGH C.csv'])
  })

  it('keeps the page free: no task of 100 ms while 100,000 records of 15 columns are read and checked', async () => {
    const random = stream(1, 'large')
    const columns = Array.from({ length: 15 }, (_, j) =>
      numeric(
        `c${j}`,
        Array.from({ length: 100_000 }, () => random.below(10 + 40 * j)),
      ),
    )
    // From the disk: handing bytes over would itself be work for the page.
    const { folder } = workplace({ 'large.parquet': toParquet(table('large', columns)) })
    await step('Data')
    await page.evaluate('longTasks.length = 0')
    await page.getByLabel('The original', { exact: true }).setInputFiles(join(folder, 'large.parquet'))
    await page.getByText('100,000 records, 15 columns').waitFor()
    expect(await page.evaluate('longTasks')).toEqual([])
  })

  it('is also one file that needs no server', async () => {
    const file = join(pageFolder(), '../../../web/dist/scrim.html')
    const alone = await browser.newPage()
    const loaded: string[] = []
    alone.on('request', (request) => loaded.push(request.url()))
    alone.on('console', (message) => said.push(message.text()))
    await alone.goto(pathToFileURL(file).href)
    await alone.getByRole('button', { name: 'Try it with a sample' }).click()
    await alone.getByText('Was it understood?').waitFor()
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
    const own = (url: string) => url.startsWith(server.address) || url.startsWith(`blob:${server.address}`)
    expect(asked.filter((url) => !own(url) && !url.startsWith('data:'))).toEqual([])
    expect(said).toEqual([])
    const tried = await page.evaluate(TRY_ELSEWHERE)
    expect(tried).toEqual(['page: refused', 'worker: refused'])
  })
})

/** Collects tasks of the main thread that are longer than a person notices. */
const WATCH_TASKS = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration >= 100) longTasks.push(Math.round(duration))
  }).observe({ entryTypes: ['longtask'] })`

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
