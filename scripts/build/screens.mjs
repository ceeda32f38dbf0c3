// Takes every step of the page at 1280 and 390 pixels, light and dark, and the reports that it hands out as pages of A4: to be
// looked at. Needs a browser (SCRIM_BROWSER, or Debian's chromium).
// node scripts/build/screens.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { pageFolder, servePage } from '../../packages/cli/dist/page-server.js'

const out = resolve(process.argv[2] ?? 'screens')
mkdirSync(out, { recursive: true })
const server = await servePage(0, pageFolder())
const browser = await chromium.launch({
  executablePath: process.env.SCRIM_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, bypassCSP: true })
  page.setDefaultTimeout(900_000)
  const press = (name) => page.getByRole('button', { name, exact: true }).first().click()
  // Pictures are drawn when they come near the screen.
  const drawAll = async () => {
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    for (let y = 0; y < height; y += 600) {
      await page.evaluate(`scrollTo(0, ${y})`)
      await page.waitForTimeout(60)
    }
    await page.waitForFunction('document.querySelector(".waiting") === null')
    await page.evaluate('scrollTo(0, 0)')
  }
  const take = async (name) => {
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        await page.emulateMedia({ colorScheme })
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) })
        await drawAll()
        await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}-full.png`), fullPage: true })
      }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto(server.address)
  // All of the report is looked at, not only what is near the screen.
  await page.addStyleTag({ content: '.report section { content-visibility: visible !important }' }).catch(() => {})
  await take('data-empty')
  await press('Try a sample')
  await page.getByText('Is this read right?').waitFor()
  await take('data')
  await press('Next: roles')
  await page.getByText('Guesses from names').waitFor()
  await take('roles')
  await press('Next: run')
  await take('run')
  await press('Run the measures')
  await page.locator('.found > li').first().waitFor()
  await page.screenshot({ path: join(out, 'running-1280.png') })
  await page.locator('.report .picture svg').first().waitFor()
  await take('read')
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
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Act' }).click()
  await page.locator('.estimate').nth(12).waitFor()
  await take('act')
} finally {
  await browser.close()
  await server.close()
}
