import { expect, it } from 'vitest'
import { pageFolder, servePage } from '../../packages/cli/src/page-server.js'
import { hasBrowser, openBrowser } from '../../packages/web/src/testing/browser.js'
import { NOTICED, pageRun } from './page-run.mjs'

/** Measures take too long for a test: `scripts/validation/page-tasks.mjs` watches a whole run. */
it.skipIf(!hasBrowser)('the page stays free while 100,000 records of 15 columns are read and checked', async () => {
  const server = await servePage(0, pageFolder())
  const browser = await openBrowser()
  try {
    const tasks = await pageRun(browser, server.address, { rows: 100_000 })
    expect(tasks.filter(({ own }: { own: number }) => own >= NOTICED)).toEqual([])
  } finally {
    await browser.close()
    await server.close()
  }
})
