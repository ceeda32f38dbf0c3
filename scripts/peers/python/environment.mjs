// The Python tools beside which scrim runs, from PyPI, in a virtual environment that git does not see.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt')
const WITHOUT_DEPENDENCIES = ['mostlyai-qa==1.10.11']
const FOLDER = process.env.SCRIM_PEERS_VENV ?? join(import.meta.dirname, '../../../node_modules/.cache/peers-python')

/** One thread, as scrim has when it is timed: several wait for each other in a loop, and that counts as processor time. */
const THREADS = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS', 'POLARS_MAX_THREADS']

/** Its interpreter; undefined, with what was missing, where it cannot be made. Made once, and anew when the list changes. */
export function pythonOfPeers() {
  for (const name of THREADS) process.env[name] ??= '1'
  process.env.PYTHONDONTWRITEBYTECODE ??= '1'
  const wanted = createHash('sha256')
    .update([readFileSync(REQUIREMENTS, 'utf8'), ...WITHOUT_DEPENDENCIES].join('\n'))
    .digest('hex')
  const mark = join(FOLDER, 'scrim-peers')
  const python = join(FOLDER, 'bin/python')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return { python }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', '--clear', FOLDER],
    [python, ...pip, '--requirement', REQUIREMENTS],
    [python, ...pip, '--no-deps', ...WITHOUT_DEPENDENCIES],
  ]) {
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (error !== undefined || status !== 0)
      return {
        missing: `${program} ${args.slice(0, 3).join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
      }
  }
  writeFileSync(mark, wanted)
  return { python }
}
