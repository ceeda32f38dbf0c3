// Tests of the engines themselves (packages/engines/live): installs them, starts them, runs, and stops what it started.
import { spawnSync } from 'node:child_process'
import { install, start } from './engines.mjs'

console.log('installing DuckDB, the client of PostgreSQL and Spark')
const installed = install()
console.log('starting PostgreSQL and Spark')
const { environment, stop } = await start(installed)
let status = 1
try {
  const { status: code } = spawnSync(
    'npx',
    ['vitest', 'run', '--config', 'packages/engines/live/vitest.config.ts', ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, ...environment, NODE_PATH: installed.modules },
    },
  )
  status = code ?? 1
} finally {
  await stop()
}
process.exit(status)
