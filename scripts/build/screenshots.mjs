// Takes the pictures of the page for the README and docs/page.md, from the page as it was built, with its sample. Needs a browser
// (SCRIM_BROWSER, or Debian's chromium).
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { pageFolder, servePage } from '../../packages/cli/dist/page-server.js'

const out = join(dirname(fileURLToPath(import.meta.url)), '../../docs/img')
mkdirSync(out, { recursive: true })
const server = await servePage(0, pageFolder())
const browser = await chromium.launch({
  executablePath: process.env.SCRIM_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1120, height: 780 }, colorScheme: 'light' })
  page.setDefaultTimeout(600_000)
  const take = (name) => page.screenshot({ path: join(out, `page-${name}.png`) })
  const press = (name) => page.getByRole('button', { name, exact: true }).click()
  await page.goto(server.address)
  await press('Try a sample')
  await page.getByText('Is this read right?').waitFor()
  await take('data')
  await press('Next: roles')
  await page.getByText('Guesses from names').waitFor()
  await take('roles')
  await press('Next: run')
  await press('Run the measures')
  await page.locator('.report .picture svg').first().waitFor()
  await page
    .getByRole('button', { name: /by-trees/ })
    .first()
    .click()
  await page.waitForTimeout(1500)
  await take('read')
  await page.setViewportSize({ width: 390, height: 780 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForTimeout(500)
  await take('phone')
} finally {
  await browser.close()
  await server.close()
}
