import { expect, it } from 'vitest'
import { pageFolder, servePage } from '../packages/cli/src/page-server.js'
import { hasBrowser, openBrowser } from '../packages/cli/src/testing/browser.js'
import { NOTICED, pageRun } from './page-run.mjs'

/** One measure, so that it is quick; `scripts/page-tasks.mjs` runs all that decide. */
it.skipIf(!hasBrowser)('the page stays free in a whole run over 100,000 records of 15 columns', async () => {
  const server = await servePage(0, pageFolder())
  const browser = await openBrowser()
  try {
    const tasks = await pageRun(browser, server.address, { rows: 100_000, measures: ['k-anonymity'] })
    expect(tasks.filter(({ own }: { own: number }) => own >= NOTICED)).toEqual([])
  } finally {
    await browser.close()
    await server.close()
  }
})
