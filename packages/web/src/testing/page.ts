import { readFileSync } from 'node:fs'
import { numeric, stream, type Table, table } from '@scrim/core'
import type { Browser, Locator, Page } from 'playwright-core'
import { type PageServer, pageFolder, servePage } from '../../../cli/src/page-server.js'
import { openBrowser } from './browser.js'

/** The page in a browser, with what a person does there. */
export interface OpenedPage {
  readonly server: PageServer
  readonly browser: Browser
  readonly page: Page
  /** Addresses that were asked for, and what the console said. */
  readonly asked: readonly string[]
  readonly said: string[]
  readonly button: (name: string | RegExp) => Locator
  readonly give: (title: string, files: Files) => Promise<void>
  readonly role: (column: string, name: string) => Promise<void>
  readonly step: (name: string) => Promise<void>
  /** The text of what a button hands out. */
  readonly download: (name: string) => Promise<string>
  readonly close: () => Promise<void>
}

type Files = Readonly<Record<string, string | Uint8Array>>

export async function openPage(): Promise<OpenedPage> {
  const server = await servePage(0, pageFolder())
  const browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
  const page = await context.newPage()
  const asked: string[] = []
  const said: string[] = []
  page.setDefaultTimeout(120_000)
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  await page.goto(server.address)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  return {
    server,
    browser,
    page,
    asked,
    said,
    button,
    give: (title, files) =>
      page.getByLabel(title, { exact: true }).setInputFiles(
        Object.entries(files).map(([name, content]) => ({
          name,
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(content),
        })),
      ),
    role: async (column, name) => {
      await page.getByLabel(`Role of ${column}`, { exact: true }).selectOption(name)
    },
    step: (name) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }).click(),
    download: async (name) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()])
      return readFileSync(await file.path(), 'utf8')
    },
    close: async () => {
      await browser.close()
      await server.close()
    },
  }
}

/** Simulated people; age tells of the income. */
export function people(seed: number, rows: number): Table {
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
