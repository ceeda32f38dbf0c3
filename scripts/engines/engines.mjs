// Installs DuckDB, the client of PostgreSQL and Spark into .engines, and starts a server of PostgreSQL and one of Spark Connect with two
// executors of their own, on loopback ports. `stop` ends what was started, and nothing else.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

const VERSIONS = { duckdb: '1.5.6-r.1', pg: '8.23.1', pyspark: process.env.SCRIM_SPARK_VERSION ?? '4.3.0' }
const home = resolve(import.meta.dirname, '../../.engines')

const modules = join(home, `npm-${VERSIONS.duckdb}-${VERSIONS.pg}`)
const python = join(home, `spark-${VERSIONS.pyspark}`)

/** What is installed stays for the next time; a folder is named after the versions in it. */
export function install() {
  if (!existsSync(join(modules, 'node_modules/pg'))) {
    mkdirSync(modules, { recursive: true })
    const packages = [`@duckdb/node-api@${VERSIONS.duckdb}`, `pg@${VERSIONS.pg}`]
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-progress', '--prefix', modules, ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  if (!existsSync(join(python, 'installed'))) {
    execFileSync('python3', ['-m', 'venv', python])
    execFileSync(join(python, 'bin/pip'), ['install', '--quiet', `pyspark==${VERSIONS.pyspark}`], { stdio: 'inherit' })
    mkdirSync(join(python, 'installed'))
  }
  return installed()
}

/** Where they are; undefined before `install`. */
export function installed() {
  if (!existsSync(join(modules, 'node_modules/pg')) || !existsSync(join(python, 'installed'))) return undefined
  const [version] = readdirSync(join(python, 'lib'))
  return { modules: join(modules, 'node_modules'), spark: join(python, 'lib', version, 'site-packages/pyspark') }
}

export async function start({ spark }) {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-engines-'))
  const stops = []
  const stop = async () => {
    for (const end of stops.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const postgresql = await startPostgreSql(join(folder, 'postgresql'), stops)
    const { address, id } = await startSpark(join(folder, 'spark'), spark, stops)
    return { environment: { SCRIM_POSTGRESQL: postgresql, SCRIM_SPARK: address, SCRIM_SPARK_ID: String(id) }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startPostgreSql(folder, stops) {
  const programs = postgreSqlPrograms()
  const port = await freePort()
  mkdirSync(folder)
  // It does not run as root.
  const who = userInfo().uid === 0 ? owner('postgres') : {}
  if (who.uid !== undefined) chownSync(join(folder, '..'), who.uid, who.gid)
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid)
  const data = join(folder, 'data')
  const run = (program, ...args) =>
    execFileSync(join(programs, program), args, { ...who, stdio: 'ignore', cwd: folder })
  run('initdb', '-D', data, '-A', 'trust', '-U', 'scrim', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -k ${folder}`
  run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start')
  stops.push(() => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop'))
  return `postgresql://scrim@127.0.0.1:${port}/postgres`
}

function owner(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((user) => user.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`there is no user ${name} to run PostgreSQL as`)
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Debian keeps them out of the way, one folder per version. */
function postgreSqlPrograms() {
  const debian = '/usr/lib/postgresql'
  const folders = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  const found = [...folders, ...(process.env.PATH ?? '').split(':')].find((folder) =>
    existsSync(join(folder, 'initdb')),
  )
  if (found === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return found
}

/** With a cluster on this machine: two executors, each a process of its own. */
export async function startSpark(folder, spark, stops) {
  mkdirSync(folder)
  const port = await freePort()
  const settings = {
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': port,
    'spark.driver.host': '127.0.0.1',
    'spark.ui.enabled': false,
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.sql.catalogImplementation': 'in-memory',
  }
  const log = openSync(join(folder, 'log'), 'w')
  const server = spawn(
    join(spark, 'bin/spark-submit'),
    [
      ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', '--name', 'connect'],
      ...['--master', 'local-cluster[2,1,1024]', '--driver-memory', '1g'],
      ...connectPackage(VERSIONS.pyspark),
      ...Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
      'spark-internal',
    ],
    {
      cwd: folder,
      stdio: ['ignore', log, log],
      env: { ...process.env, SPARK_HOME: spark, SPARK_LOCAL_IP: '127.0.0.1' },
    },
  )
  const ended = new Promise((done) => server.once('exit', done))
  stops.push(async () => {
    server.kill('SIGTERM')
    await ended
  })
  const isUp = () =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
  for (let tries = 0; !(await isUp()); tries++) {
    if (server.exitCode !== null || tries > 1200)
      throw new Error(readFileSync(join(folder, 'log'), 'utf8').slice(-2000))
    await new Promise((done) => setTimeout(done, 500))
  }
  return { address: `sc://127.0.0.1:${port}`, id: server.pid }
}

/** Spark 3 has Connect in a package of its own, which it installs itself. */
function connectPackage(version) {
  return version.startsWith('3.') ? ['--packages', `org.apache.spark:spark-connect_2.12:${version}`] : []
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}
