import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, launch } from './find-browser.js'

const found = await findBrowser((what) => console.warn(what))
/** Tests that need a browser are skipped where there is none. */
export const hasBrowser = found !== undefined

export function openBrowser(): Promise<Browser> {
  if (found === undefined) throw new Error('there is no browser')
  return launch(found)
}

/** Elements that hold more than they show. */
export const CUT_OFF = `[...document.querySelectorAll('main *:not(svg *):not(thead, thead *, .unseen, .scroll, .scroll *)')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).overflowX !== 'visible')
  .map((one) => one.outerHTML.slice(0, 100))`

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What keeps some people from reading the page. Its policy forbids scripts of others, so the page must be open to them. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`)
}
