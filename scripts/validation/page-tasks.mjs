// Whether a whole run in the page ever holds it up: no task may take the main thread for as long as people notice. Needs a browser
// (SCRIM_BROWSER, or Debian's chromium).
// node scripts/validation/page-tasks.mjs [--rows N] [--profile quick|standard|full]
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { pageFolder, servePage } from '../../packages/cli/dist/page-server.js'
import { NOTICED, pageRun } from './page-run.mjs'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, profile: { type: 'string', default: 'quick' } },
})
const server = await servePage(0, pageFolder())
const browser = await chromium.launch({
  executablePath: process.env.SCRIM_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const tasks = await pageRun(browser, server.address, { rows: Number(values.rows), profile: values.profile })
  for (const { own, clock, why } of tasks)
    console.log(`${own.toFixed(0)} ms of its own, ${clock.toFixed(0)} ms on the clock: ${why}`)
  const longest = tasks[0]?.own ?? 0
  console.log(`${values.rows} records, ${values.profile}: longest task of the main thread ${longest.toFixed(0)} ms`)
  if (longest >= NOTICED) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
}
