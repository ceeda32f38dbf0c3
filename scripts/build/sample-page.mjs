// The page as it was built, in a browser (SCRIM_BROWSER, or Debian's chromium), for scripts that take pictures of it.
import { chromium } from 'playwright-core'
import { pageFolder, servePage } from '../../packages/cli/dist/page-server.js'

/** Long enough for a busy machine; what waits longer hangs. */
const LONGEST = 600_000

/** The page on a screen of this size. Nothing moves in it, and nothing is waited for by the clock: a busy machine takes the same pictures. */
export async function openSamplePage(viewport) {
  const server = await servePage(0, pageFolder())
  const browser = await chromium.launch({
    executablePath: process.env.SCRIM_BROWSER ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce', bypassCSP: true })
  page.setDefaultTimeout(LONGEST)
  await page.goto(server.address)
  return {
    page,
    browser,
    press: (name) => page.getByRole('button', { name, exact: true }).first().click(),
    /** The letters are there, two frames were drawn, and no picture on the screen is still being drawn; those further down wait until they are near. */
    settled: async () => {
      await page.evaluate(`document.fonts.ready.then(() => new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(null)))))`)
      await page.waitForFunction(`[...document.querySelectorAll('.picture[aria-busy=true]')].every((picture) => {
        const { top, bottom } = picture.getBoundingClientRect()
        return bottom <= 0 || top >= innerHeight
      })`)
    },
    /** From the files to the answer, with a look at each step before it is left. */
    walk: async (look) => {
      const press = (name) => page.getByRole('button', { name, exact: true }).first().click()
      await look('data-empty')
      await press('Try a sample')
      await page.getByText('Were the columns read correctly?').waitFor()
      await look('data')
      await press('Next: roles')
      await page.getByText('Guesses from names').waitFor()
      await look('roles')
      await press('Next: run')
      await look('run')
      await press('Run the measures')
      await page.locator('.found > li').first().waitFor()
      await look('running')
      await page.locator('.report .picture svg').first().waitFor()
      await look('read')
    },
    close: async () => {
      await browser.close()
      await server.close()
    },
  }
}
