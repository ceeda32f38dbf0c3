import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** How a browser is opened: by its path, as an installed product, or as the one that Playwright installs. */
type Which = Pick<LaunchOptions, 'executablePath' | 'channel'>

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const LONGEST_INSTALLATION = 120_000
const OWN: Which = {}

/**
 * A browser that opens: the one that SCRIM_BROWSER names, else one that is installed, else one that is installed now. Without a
 * network, or where none starts, there is none, and whoever asks does without. `SCRIM_BROWSER=none` asks for none.
 */
export async function findBrowser(say: (what: string) => void): Promise<Which | undefined> {
  const named = process.env.SCRIM_BROWSER
  if (named === 'none') return undefined
  if (named !== undefined) return { executablePath: named }
  for (const which of [...onPath(), { channel: 'chrome' }, { channel: 'msedge' }, OWN])
    if (await opens(which)) return which
  say(`no browser found: installing one for tests, which takes ${LONGEST_INSTALLATION / 60_000} minutes at most`)
  const problem = await install()
  if (await opens(OWN)) return OWN
  say(`no browser (${problem ?? 'the one that was installed does not start'}): tests in a browser are skipped.
Name one in SCRIM_BROWSER, or install one, such as Debian's chromium; SCRIM_BROWSER=none looks for none`)
  return undefined
}

export function launch(which: Which): Promise<Browser> {
  return chromium.launch({ ...which, args: ['--no-sandbox'] })
}

function onPath(): Which[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter((path) => existsSync(path))
    .map((executablePath) => ({ executablePath }))
}

async function opens(which: Which): Promise<boolean> {
  try {
    await (await launch(which)).close()
    return true
  } catch {
    return false
  }
}

/** Of several at once Playwright lets one install and the others wait. null, or what is wrong. */
function install(): Promise<string | null> {
  const program = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  return new Promise((done) => {
    execFile(
      process.execPath,
      [program, 'install', 'chromium-headless-shell'],
      { timeout: LONGEST_INSTALLATION, killSignal: 'SIGKILL' },
      (error, _, said) => {
        if (error === null) return done(null)
        const reason = /getaddrinfo|ECONN|ETIMEDOUT|ENOTFOUND/.test(said) ? 'there is no network' : 'it failed'
        done(error.killed ? 'installing it took too long' : `it cannot be installed: ${reason}`)
      },
    )
  })
}
