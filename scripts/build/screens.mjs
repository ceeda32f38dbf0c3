// Takes every step of the page at 1280 and 390 pixels, light and dark, and the reports that it hands out as pages of A4: to be
// looked at. Needs a browser (SCRIM_BROWSER, or Debian's chromium).
// node scripts/build/screens.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSamplePage } from './sample-page.mjs'

/** Tables that may each leave alone, but differ by the two oldest people; and a summary. */
const REQUEST = {
  title: 'Health and education',
  outputs: [
    { id: 'counts', kind: 'table', by: ['gender', 'education'] },
    { id: 'without oldest', kind: 'table', by: ['gender', 'education'], filter: 'age != "80 to 84"' },
    { id: 'income', kind: 'summary', var: 'income', by: ['education'], statistics: ['n', 'mean', 'sd', 'max'] },
  ],
}

const out = resolve(process.argv[2] ?? 'screens')
mkdirSync(out, { recursive: true })
const { page, browser, press, settled, walk, close } = await openSamplePage({ width: 1280, height: 900 })
try {
  // Pictures are drawn when they come near the screen.
  const drawAll = async () => {
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    for (let y = 0; y < height; y += 600) {
      await page.evaluate(`scrollTo(0, ${y})`)
      await settled()
    }
    await page.evaluate('scrollTo(0, 0)')
  }
  const take = async (name) => {
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        await page.emulateMedia({ colorScheme })
        await settled()
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) })
        await drawAll()
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}-full.png`), fullPage: true })
      }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  // All of the report is looked at, not only what is near the screen.
  await page.addStyleTag({ content: '.report section { content-visibility: visible !important }' })
  await walk((step) => (step === 'running' ? page.screenshot({ path: join(out, 'running-1280.png') }) : take(step)))
  const step = (name) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }).click()
  const handed = async (name, file) => {
    const [got] = await Promise.all([page.waitForEvent('download'), press(name)])
    await got.saveAs(join(out, file))
  }
  await handed('Report (HTML)', 'public.html')
  await page.getByLabel(/Internal/).click()
  await page.locator('.report .internal').first().waitFor()
  await handed('Report (HTML)', 'internal.html')
  for (const name of ['public', 'internal']) {
    const paper = await browser.newPage()
    await paper.goto(pathToFileURL(join(out, `${name}.html`)).href)
    writeFileSync(join(out, `${name}.pdf`), await paper.pdf({ preferCSSPageSize: true }))
    await paper.close()
  }
  await page.getByLabel(/Internal/).click()
  await step('Act')
  await page.locator('.estimate').nth(12).waitFor()
  await take('act')
  await step('Outputs')
  await take('outputs-empty')
  await page.getByLabel('The request', { exact: true }).setInputFiles({
    name: 'request.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(REQUEST)),
  })
  await page.getByLabel('Seconds').fill('20')
  await press('Check the outputs')
  await page.getByText('Risk of all outputs together').waitFor()
  await take('outputs')
} finally {
  await close()
}
