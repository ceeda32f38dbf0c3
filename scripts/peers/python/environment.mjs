// The Python tools beside which scrim runs, from PyPI, in a virtual environment that git does not see.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt')
const WITHOUT_DEPENDENCIES = ['mostlyai-qa==1.10.11', 'sdv==2.0.0']
const FOLDER = process.env.SCRIM_PEERS_VENV ?? join(import.meta.dirname, '../../../node_modules/.cache/peers-python')

/** One thread, as scrim has when it is timed: several wait for each other in a loop, and that counts as processor time. */
const THREADS = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS', 'POLARS_MAX_THREADS']

const PYTHON = join(FOLDER, 'bin/python')
const MARK = join(FOLDER, 'scrim-peers')

/** Its interpreter, where it has what the list asks for now. */
export function installedPython() {
  for (const name of THREADS) process.env[name] ??= '1'
  process.env.PYTHONDONTWRITEBYTECODE ??= '1'
  return existsSync(MARK) && readFileSync(MARK, 'utf8') === wanted() ? PYTHON : undefined
}

/** The same, made first where it is not there; or what was missing to make it. */
export function pythonOfPeers() {
  const python = installedPython()
  if (python !== undefined) return { python }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', '--clear', FOLDER],
    [PYTHON, ...pip, '--requirement', REQUIREMENTS],
    [PYTHON, ...pip, '--no-deps', ...WITHOUT_DEPENDENCIES],
  ]) {
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (error !== undefined || status !== 0) {
      const why = error?.message ?? stderr.trim().split('\n').at(-1)
      return { missing: `${program} ${args.slice(0, 3).join(' ')}: ${why}` }
    }
  }
  writeFileSync(MARK, wanted())
  return { python: PYTHON }
}

function wanted() {
  const list = [readFileSync(REQUIREMENTS, 'utf8'), ...WITHOUT_DEPENDENCIES].join('\n')
  return createHash('sha256').update(list).digest('hex')
}
