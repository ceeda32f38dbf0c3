// Tests the Python package as users get it: a virtual environment (kept in python/.venv, which git ignores), the wheel built and
// installed into it, the types, the style, all tests, and the notebook. Run by `npm run test:python` after the build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const place = join(root, 'python')
const environment = join(place, '.venv')
const isWindows = process.platform === 'win32'
const python = join(environment, isWindows ? 'Scripts/python.exe' : 'bin/python')
const folder = mkdtempSync(join(tmpdir(), 'scrim-python-'))

const env = { ...process.env, SCRIM_SAME_ANSWERS: join(folder, 'answers'), PIP_DISABLE_PIP_VERSION_CHECK: '1' }

/** What fails says why itself. */
class Failed extends Error {}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: place, stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) throw new Failed(`${[command, ...args].join(' ')} failed`)
}

/** What was installed last, so that a second run installs nothing but scrim itself. */
const requirements = join(place, 'requirements-test.txt')
const installed = join(environment, 'installed.txt')
const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex')

try {
  if (!existsSync(python)) run(isWindows ? 'python' : 'python3', '-m', 'venv', environment)
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
    run(python, '-m', 'pip', 'install', '--quiet', '--requirement', requirements)
    writeFileSync(installed, wanted)
  }
  run(python, '-m', 'ruff', 'check', '.')
  run(python, '-m', 'ruff', 'format', '--check', '.')
  run(python, '-m', 'mypy')
  run(python, '-m', 'build', '--wheel', '--no-isolation', '--outdir', folder, '.')
  const [wheel] = readdirSync(folder).filter((name) => name.endsWith('.whl'))
  run(python, '-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', join(folder, wheel))
  run(process.execPath, join(root, 'scripts/build/same-answers.mjs'), env.SCRIM_SAME_ANSWERS)
  run(python, '-m', 'pytest')
} catch (error) {
  if (!(error instanceof Failed)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
