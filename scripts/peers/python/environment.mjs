// The Python tools beside which scrim runs, from PyPI, in virtual environments that git does not see.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const CACHE = join(import.meta.dirname, '../../../node_modules/.cache')

const PEERS = {
  folder: process.env.SCRIM_PEERS_VENV ?? join(CACHE, 'peers-python'),
  requirements: join(import.meta.dirname, 'requirements.txt'),
  withoutDependencies: ['mostlyai-qa==1.10.11', 'sdv==2.0.0'],
}

/** It wants other versions than the rest, and some gigabytes. */
export const SYNTHCITY = {
  folder: join(CACHE, 'peers-synthcity'),
  requirements: join(import.meta.dirname, 'requirements-synthcity.txt'),
  withoutDependencies: [],
}

export const TAPAS = {
  folder: join(CACHE, 'peers-tapas'),
  requirements: join(import.meta.dirname, 'requirements-tapas.txt'),
  withoutDependencies: [],
}

/** One thread, as scrim has when it is timed: several wait for each other in a loop, and that counts as processor time. */
const THREADS = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS', 'POLARS_MAX_THREADS']

const pythonIn = (folder) => join(folder, 'bin/python')
const markIn = (folder) => join(folder, 'scrim-peers')

/** Its interpreter, where it has what the list asks for now. */
export function installedPython(environment = PEERS) {
  for (const name of THREADS) process.env[name] ??= '1'
  process.env.PYTHONDONTWRITEBYTECODE ??= '1'
  const { folder } = environment
  const mark = markIn(folder)
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted(environment) ? pythonIn(folder) : undefined
}

/** The same, made first where it is not there; or what was missing to make it. */
export function pythonOfPeers(environment = PEERS) {
  const python = installedPython(environment)
  if (python !== undefined) return { python }
  const { folder, requirements, withoutDependencies } = environment
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', '--clear', folder],
    [pythonIn(folder), ...pip, '--requirement', requirements],
    ...(withoutDependencies.length > 0 ? [[pythonIn(folder), ...pip, '--no-deps', ...withoutDependencies]] : []),
  ]) {
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (error !== undefined || status !== 0) {
      const why = error?.message ?? stderr.trim().split('\n').at(-1)
      return { missing: `${program} ${args.slice(0, 3).join(' ')}: ${why}` }
    }
  }
  writeFileSync(markIn(folder), wanted(environment))
  return { python: pythonIn(folder) }
}

function wanted({ requirements, withoutDependencies }) {
  const list = [readFileSync(requirements, 'utf8'), ...withoutDependencies].join('\n')
  return createHash('sha256').update(list).digest('hex')
}
