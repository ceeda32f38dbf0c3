import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'

/** The tests of the R package, with the command line of this clone; they are those that R CMD check runs. */
const root = resolve(import.meta.dirname, '../..')
const library = mkdtempSync(join(tmpdir(), 'scrim-r-'))
afterAll(() => rmSync(library, { recursive: true, force: true }))

const needed = 'quit(status = !all(vapply(c("jsonlite", "testthat"), requireNamespace, NA, quietly = TRUE)))'
const hasR = spawnSync('Rscript', ['-e', needed]).status === 0
if (!hasR) console.warn('R with jsonlite and testthat not found: the tests of the R package are skipped')

const MINUTES = 3

it.skipIf(!hasR)(
  'the R package passes its tests',
  () => {
    const env = {
      ...process.env,
      R_LIBS: [library, process.env.R_LIBS ?? '']
        .filter((path) => path !== '')
        .join(process.platform === 'win32' ? ';' : ':'),
      SCRIM_COMMAND: join(root, 'packages/cli/bin/scrim.js'),
    }
    const run = (command: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: join(root, 'r'), env, encoding: 'utf8' })
      return { status, said: `${stdout}\n${stderr}` }
    }
    const installed = run('R', 'CMD', 'INSTALL', '--no-docs', '--no-test-load', `--library=${library}`, '.')
    expect(installed.status, installed.said).toBe(0)
    const tests =
      'library(scrim); testthat::test_dir("tests/testthat", package = "scrim", reporter = "summary", load_package = "installed")'
    const tested = run('Rscript', '-e', tests)
    expect(tested.status, tested.said).toBe(0)
  },
  MINUTES * 60_000,
)
