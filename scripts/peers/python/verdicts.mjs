// What anonymeter, SDMetrics, mostlyai-qa and scrim say of releases that leak and of releases that do not, with the processor time of each.
// npm run peers:python -- verdicts [--missing] writes verdicts.json beside this file, release by release; with --missing only those that
// are not there yet. docs/beside-python.md is made of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCsv } from '@scrim/core'
import { answered } from '../../validation/answers.mjs'
import { inScratchFolder, linesBy } from '../peer.mjs'
import { VERDICTS } from './page.mjs'
import { PEOPLE, RELEASES, releaseOf, samples } from './releases.mjs'

/** Of each kind, on people of the original and on people outside; anonymeter's default. */
const ATTACKS = 500
const SCRIPTS = {
  anonymeter: ['python/run_anonymeter.py', String(ATTACKS)],
  sdmetrics: ['python/run_sdmetrics.py', 'reports,distances,attribution,rows'],
  'mostlyai-qa': ['python/run_mostlyai_qa.py'],
}

/** @param python the interpreter that has the tools */
export async function askAll(python) {
  const people = await samples()
  const { data, original, holdout, roles } = people
  const known =
    process.argv.includes('--missing') && existsSync(VERDICTS) ? JSON.parse(readFileSync(VERDICTS, 'utf8')) : {}
  const releases = known.data === data ? known.releases : {}
  const versions = Object.fromEntries(linesBy(python, 'python/versions.py'))
  await inScratchFolder(async (folder) => {
    const path = (name) => join(folder, name)
    writeFileSync(path('original.csv'), toCsv(original))
    writeFileSync(path('holdout.csv'), toCsv(holdout))
    writeFileSync(path('roles.json'), JSON.stringify(roles))
    for (const [name, { leaks }] of Object.entries(RELEASES)) {
      if (releases[name] !== undefined) continue
      const released = await releaseOf(name, people)
      writeFileSync(path('released.csv'), toCsv(released))
      const files = ['original.csv', 'released.csv', 'holdout.csv', 'roles.json'].map(path)
      const theirs = Object.entries(SCRIPTS).map(([tool, [script, ...args]]) => [
        tool,
        Object.fromEntries(
          linesBy(python, script, ...files, ...args).map(([figure, value]) => [figure, rounded(value)]),
        ),
      ])
      const { keys, target } = roles
      const { level, seconds, threats } = await answered({ original, released, holdout, keys, target }, 1)
      const found = threats.filter(({ leakage }) => leakage !== null && leakage !== undefined)
      const leakage = Object.fromEntries(found.map(({ threat, leakage: share }) => [threat, rounded(share)]))
      releases[name] = { leaks, scrim: { level, seconds, leakage }, ...Object.fromEntries(theirs) }
      const inOrder = Object.keys(RELEASES).flatMap((known) => (releases[known] ? [[known, releases[known]]] : []))
      const all = {
        data,
        people: PEOPLE,
        columns: original.columns.length,
        versions,
        releases: Object.fromEntries(inOrder),
      }
      writeFileSync(VERDICTS, `${JSON.stringify(all, null, 2)}\n`)
      console.log(`${name}: scrim ${level} in ${seconds} s`)
    }
  })
}

/** Five digits; what a tool could not compute is null. */
function rounded(value) {
  return Number.isNaN(Number(value)) ? null : Number(Number(value).toPrecision(5))
}
