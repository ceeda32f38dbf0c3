// A whole run in the page with simulated people of 15 columns, and what it does to the main thread.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { categorical, numeric, stream, table, toParquet } from '../../packages/core/dist/index.js'

/** What people notice; in milliseconds. */
export const NOTICED = 100
const TOLD = 25

/**
 * From files to the internal report, or without a profile until the files are read and checked. Gives the tasks of the main
 * thread, longest first. Their time is that of the thread, not of the clock, so that a busy machine accuses nobody.
 */
export async function pageRun(browser, address, { rows, profile }) {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-page-'))
  const file = (name) => join(folder, name)
  // A copy gives the longest report: every threat with all that drives it.
  const content = people(rows)
  for (const name of ['original.parquet', 'release.parquet']) writeFileSync(file(name), content)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(3_600_000)
  try {
    await page.goto(address)
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'v8'] })
    const press = (name) => page.getByRole('button', { name, exact: true }).click()
    const role = (column, name) => page.getByLabel(`Role of ${column}`, { exact: true }).selectOption(name)
    // From the disk: handing bytes over would itself be work for the page.
    await page.getByLabel('The original', { exact: true }).setInputFiles(file('original.parquet'))
    await page.getByLabel('Releases', { exact: true }).setInputFiles(file('release.parquet'))
    await page.getByText('Were the columns read correctly?').waitFor()
    await page.getByText('release.parquet').first().waitFor()
    if (profile === undefined) return await longTasksOf(browser)
    await press('Next: roles')
    await role('c0', 'key')
    await role('c3', 'key')
    await role('c2', 'target')
    await press('Next: run')
    await page.getByRole('radio', { name: new RegExp(`^${profile}`) }).click()
    await press('Run the measures')
    await page.locator('.report').waitFor()
    await page.getByLabel(/Internal/).click()
    await page.locator('.report .internal').first().waitFor()
    for (let at = 0; at < 20; at++) {
      await page.mouse.wheel(0, 1600)
      await page.waitForTimeout(50)
    }
    return await longTasksOf(browser)
  } finally {
    await page.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function people(rows) {
  const random = stream(1, 'people')
  const columns = Array.from({ length: 15 }, (_, j) => {
    const drawn = Array.from({ length: rows }, () => random.below(4 + 6 * j))
    return j % 3 === 0 ? categorical(`c${j}`, drawn.map(String)) : numeric(`c${j}`, drawn)
  })
  return toParquet(table('people', columns))
}

async function longTasksOf(browser) {
  const events = JSON.parse((await browser.stopTracing()).toString()).traceEvents
  const isTask = ({ name }) => name === 'ThreadControllerImpl::RunTask'
  const main = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const own = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === main?.pid && tid === main?.tid)
  const tasks = own.filter(isTask)
  if (tasks.length === 0) throw new Error('the trace has no tasks of the main thread')
  return tasks
    .filter(({ tdur }) => tdur >= 1000 * TOLD)
    .map((task) => {
      const inside = own.filter((one) => !isTask(one) && one.ts >= task.ts && one.ts < task.ts + task.dur)
      const parts = inside.sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0)).slice(0, 5)
      const why = parts.map(
        ({ name, tdur = 0, args }) => `${name} ${args?.data?.type ?? ''} ${(tdur / 1000).toFixed(0)}`,
      )
      return { own: task.tdur / 1000, clock: task.dur / 1000, why: why.join(', ') }
    })
    .sort((a, b) => b.own - a.own)
}
