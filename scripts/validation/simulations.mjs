// Measures on simulated releases (scenes.mjs), one line of JSON per simulation and measure, kept in scrim-validation/ as they
// come: a run that was cut off goes on where it stopped. What was found with other code is found anew, unless told to keep it.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlarm, measures, openCase } from '@scrim/core'
import { answer } from './answers.mjs'
import { fingerprint, root } from './fingerprint.mjs'
import { scene } from './scenes.mjs'

const folder = join(root, 'scrim-validation')
const store = join(folder, 'simulations.jsonl')
/** The verdict of `scrim assess`, with and without people outside the release. */
export const ANSWER = 'answer'
export const ANSWER_ALONE = 'answer, nobody outside'

/**
 * `make` simulates what is not known yet, `rows` is all that is known. With `keep`, what other code found is taken too, but for
 * the measures in `anew`.
 */
export function simulations({ keep = false, anew = [] } = {}) {
  const code = fingerprint('scenes.mjs')
  const known = new Map()
  if (existsSync(store))
    for (const line of readFileSync(store, 'utf8').split('\n')) {
      const row = line.endsWith('}') ? JSON.parse(line) : null
      if (row !== null && (row.code === code || (keep && !anew.includes(row.measure)))) known.set(keyOf(row), row)
    }
  mkdirSync(folder, { recursive: true })
  const add = (row) => {
    known.set(keyOf(row), row)
    appendFileSync(store, `${JSON.stringify({ code, ...row })}\n`)
  }
  return {
    async make(name, seed, ids, people) {
      const at = { scene: name, seed, people }
      const missing = ids.filter((measure) => !known.has(keyOf({ ...at, measure })))
      if (missing.length > 0) await run(at, missing, add)
    },
    rows: () => [...known.values()],
  }
}

const keyOf = ({ scene: name, seed, people, measure }) => [name, seed, people, measure].join('\t')

async function run(at, missing, add) {
  const { original, released, holdout, ...roles } = await scene(at.scene, at.seed, at.people)
  const built = openCase(roles, { original, released, holdout }).release
  for (const measure of measures)
    if (missing.includes(measure.id))
      add({ ...at, measure: measure.id, ...kept(await measure.run(built, {}, { seed: at.seed })) })
  const asked = { original, released, ...roles }
  if (missing.includes(ANSWER)) add({ ...at, measure: ANSWER, ...brief(await answer({ ...asked, holdout }, at.seed)) })
  if (missing.includes(ANSWER_ALONE)) add({ ...at, measure: ANSWER_ALONE, ...brief(await answer(asked, at.seed)) })
}

function brief({ verdict, threats }) {
  return {
    level: verdict.level,
    alarm: isAlarm(verdict.level),
    threats: Object.fromEntries(threats.map(({ threat, level }) => [threat, level])),
  }
}

/** What the tables need of a result; p as the judge shares it between looks. */
function kept({ status, original, releases: [found] }) {
  if (found === undefined) return { status, value: null, interval: null, p: null }
  const looks = [found, ...(found.looks ?? [])].flatMap(({ leakage }) => leakage ?? [])
  const { value, interval, effect, leakage, notAssessed } = found
  return {
    status: found.status,
    value,
    interval: interval === null ? null : [interval.lower, interval.upper],
    ...(original === null ? {} : { original: original.value }),
    effect: effect === undefined ? null : { value: effect.value, lower: effect.lower, upper: effect.upper },
    leakage: leakage === null ? null : { value: leakage.value, lower: leakage.lower, upper: leakage.upper },
    assessed: effect !== undefined && notAssessed === undefined,
    p: looks.length === 0 ? (effect?.p ?? null) : Math.min(1, looks.length * Math.min(...looks.map(({ p }) => p))),
  }
}
