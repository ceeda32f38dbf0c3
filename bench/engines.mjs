// Tables that are larger than memory, through DuckDB and through Spark with two executors on this machine. Everything of DuckDB is in
// this process; what the processes of Spark spend stands below the row, with the start of a server that has done nothing yet.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEngine, storedTable } from '@scrim/engines'
import { installed, startSpark } from '../scripts/engines/engines.mjs'
import { assessment } from './assess.mjs'
import { Absent, count, kept, scratch, sized, THREADS } from './harness.mjs'
import { PEOPLE_ROLES } from './people.mjs'

const SAMPLE = 100_000
const COUNTED = ['sex', 'age', 'region', 'education', 'marital', 'health']
const census = fileURLToPath(new URL('census.mjs', import.meta.url))

/** A process of its own writes it, so that its memory is not counted. */
function saveCensus(rows, columns, seed) {
  const path = join(kept, `people-${rows}-${columns}-${seed}.parquet`)
  if (existsSync(path)) return path
  const underWay = `${path}.part`
  execFileSync(process.execPath, [census, underWay, rows, columns, seed].map(String), { stdio: 'inherit' })
  renameSync(underWay, path)
  return path
}

const DUCKDB = { name: 'DuckDB', start: async () => ({ address: 'duckdb', memory: 4e9 }) }
const SPARK = { name: 'Spark', start: startedSpark }

async function startedSpark({ spark }) {
  const stops = []
  process.once('exit', () => {
    for (const stop of stops) stop()
  })
  const { address, id } = await startSpark(join(scratch, 'spark'), spark, stops)
  return { address, others: () => family(id) }
}

/** What a process and all that it started have spent; those that ended are not in it. */
function family(root) {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []))
  const ids = new Set([root])
  for (const { id, parent } of all) if (ids.has(parent)) ids.add(id)
  const members = all.filter(({ id }) => ids.has(id))
  const sum = (key) => members.reduce((whole, member) => whole + member[key], 0)
  return { processor: sum('processor'), megabytes: sum('megabytes') }
}

const TICKS_PER_SECOND = 100

function processOf(id) {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ')
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))
    const processor = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    return { id, parent: Number(fields[1]), processor, megabytes: Number(peak?.[1] ?? 0) / 1024 }
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

function started(engine) {
  const here = installed()
  if (here === undefined) throw new Absent('DuckDB and Spark are not installed; npm run test:engines installs them')
  return engine.start(here)
}

function countsAndSample(rows, engine) {
  const size = `${count(rows)} x ${COUNTED.length}, ${engine.name}`
  return {
    name: `counts, then sample, ${size}`,
    async prepare() {
      const { address, memory, others } = await started(engine)
      const file = saveCensus(rows, COUNTED.length, 1)
      const run = async (lap) => {
        const opened = await openEngine(address, {
          folder: scratch,
          memory,
          threads: memory && THREADS,
          environment: process.env,
        })
        const stored = await storedTable(await opened.open(file, {}), {})
        await stored.counts(COUNTED)
        lap(`  counts, ${size}`)
        await stored.sample(SAMPLE, 1)
        await opened.close()
      }
      return { run, others }
    },
  }
}

function quickAssessment(rows, engine) {
  return {
    name: `quick, ${count(rows)} x 12, ${engine.name}`,
    async prepare() {
      const { address, memory, others } = await started(engine)
      const files = [1, 2].map((seed) => saveCensus(rows, 12, seed))
      const limit = memory === undefined ? [] : ['--memory', `${memory / 1e9}GB`]
      const args = [
        ...files,
        ...PEOPLE_ROLES,
        '--profile',
        'quick',
        '--engine',
        address,
        '--sample',
        SAMPLE,
        ...limit,
      ].map(String)
      return { run: assessment(args, `  before the first measure, ${count(rows)}, ${engine.name}`), others }
    },
  }
}

export const engineRows = [DUCKDB, SPARK].flatMap((engine) => [
  ...[1e5, 1e6, 1e7, 1e8].map((rows) => countsAndSample(sized(rows), engine)),
  ...[1e5, 1e6, 1e7, 1e8].map((rows) => quickAssessment(sized(rows), engine)),
])
