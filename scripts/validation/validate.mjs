// Runs the checks of checks.mjs, all of them whatever fails, and prints a table at the end; ends with 1 if one is broken.
// npm run validate [-- NAME...]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { CHECKS } from './checks.mjs'
import { LEFT_OUT } from './left-out.mjs'

const names = process.argv.slice(2)
const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`no check ${unknown.join(', ')}; there are ${CHECKS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const outcomes = CHECKS.filter(({ name }) => names.length === 0 || names.includes(name)).map(outcomeOf)
const width = Math.max(...outcomes.map(({ name }) => name.length))
console.log()
for (const { name, word, minutes } of outcomes) console.log(`${name.padEnd(width)}  ${word.padEnd(8)}  ${minutes} min`)
if (outcomes.some(({ word }) => word === 'BROKEN')) process.exitCode = 1

function outcomeOf({ name, command, env = {} }) {
  console.log(`\n=== ${name}: ${command}`)
  const started = performance.now()
  const { status } = spawnSync(command, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...env },
    stdio: 'inherit',
    shell: true,
  })
  const word = status === 0 ? 'kept' : status === LEFT_OUT ? 'left out' : 'BROKEN'
  return { name, word, minutes: ((performance.now() - started) / 60_000).toFixed(1).padStart(6) }
}
