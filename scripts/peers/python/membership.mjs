// Membership attacks of TAPAS and the attacks of anonymeter beside scrim's, on the same releases of the demo's people:
// npm run peers:python -- membership [--write]; with --write into docs/study-membership.md.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  auc,
  findSynthesizer,
  inline,
  mostIsolated,
  personScores,
  playShadowGame,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  synthesizeSets,
  table,
  toCsv,
} from '@scrim/core'
import { ATTACKED, demoPeople } from '../../../packages/studies/dist/index.js'
import { withBlock } from '../../build/marked-block.mjs'
import { markdownTable } from '../../validation/shares.mjs'
import { inScratchFolder, linesBy } from '../peer.mjs'
import { CACHE, pythonOfPeers, TAPAS } from './environment.mjs'

const PAGE = join(import.meta.dirname, '../../../docs/study-membership.md')
const TAPAS_SOURCE = 'https://github.com/alan-turing-institute/tapas'
const TAPAS_COMMIT = 'a7069d7e040828db0da174d1b003fa03a98e5453'
const SEED = 2
const GENERATORS = ['CART, leaves of 5', 'Bayesian network', 'independent']
/** With and without a person: so many people of whom a release is made, who are left out, and releases of each world that train, and that test. */
const [KNOWN, LEFT_OUT, RELEASES] = [200, 3, 50]
/** Of one release. */
const PEOPLE = 1000
const ATTACKS = 500
const ROLES = {
  target: 'disease_status',
  linked: [
    ['gender', 'age', 'education'],
    ['income', 'health_score', 'disease_status'],
  ],
}

const two = (value) => (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(2))
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const generatorOf = (name) => ATTACKED.find((one) => one.name === name)
const rowsFrom = (from, count) => Int32Array.from({ length: count }, (_, k) => from + k)

/** @param python the interpreter that has anonymeter */
export async function compareMembership(python) {
  const game = await besideTapas()
  const single = await besideSingle(python)
  const text = [game, single].join('\n\n')
  console.log(text)
  if (process.argv.includes('--write')) writeFileSync(PAGE, withBlock(readFileSync(PAGE, 'utf8'), 'peers', text))
}

/** Where TAPAS lies: PyPI has another program of this name, so it comes from its repository, or from SCRIM_TAPAS. */
function tapasFolder() {
  const folder = process.env.SCRIM_TAPAS ?? join(CACHE, 'tapas')
  if (existsSync(join(folder, 'tapas'))) return folder
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).status === 0
  const isThere =
    git('clone', '--quiet', TAPAS_SOURCE, folder) && git('-C', folder, 'checkout', '--quiet', TAPAS_COMMIT)
  return isThere ? folder : undefined
}

async function besideTapas() {
  const source = tapasFolder()
  const { python, missing } = source === undefined ? { missing: `${TAPAS_SOURCE} cannot be had` } : pythonOfPeers(TAPAS)
  if (python === undefined) console.log(`TAPAS is left out: ${missing}`)
  else process.env.PYTHONPATH = source
  const people = selectRows(demoPeople(KNOWN, SEED).original, rowsFrom(0, KNOWN))
  const rows = await mostIsolated(people, LEFT_OUT, { tasks: inline })
  const found = []
  for (const name of GENERATORS) {
    const { method, options } = generatorOf(name)
    const seed = stream(SEED, `peers/${name}`).uint32()
    const game = {
      people,
      rows,
      synthesizer: findSynthesizer(method),
      options,
      shadows: RELEASES,
      tests: RELEASES,
      queries: 200,
      trees: 200,
      seed,
    }
    const start = process.cpuUsage().user
    const { people: played } = await playShadowGame(game)
    const seconds = (process.cpuUsage().user - start) / 1e6
    const ours = (attack) =>
      mean(played.map(({ scores }) => auc(scores[attack].inside, scores[attack].outside)?.auc ?? 0.5))
    const theirs = python === undefined ? new Map() : await tapasFigures(python, game)
    const tapas = (attack) =>
      theirs.size === 0 ? undefined : mean(Array.from(rows, (row) => theirs.get(`${row} ${attack}`)))
    found.push([
      name,
      ...['shared information', 'information and values', 'shadow, queries', 'shadow, correlations'].map((attack) =>
        two(ours(attack)),
      ),
      ...['queries', 'groundhog', 'closest distance', 'density'].map((attack) => two(tapas(attack))),
    ])
    console.log(
      `${name}: scrim ${seconds.toFixed(0)} s with making all releases, TAPAS ${[...theirs]
        .filter(([what]) => what.startsWith('seconds'))
        .reduce((sum, [, value]) => sum + value, 0)
        .toFixed(0)} s`,
    )
  }
  const header = [
    'generator',
    'shared information',
    'information and values',
    'shadow, queries',
    'shadow, correlations',
    'TAPAS: queries',
    'TAPAS: groundhog',
    'TAPAS: closest distance',
    'TAPAS: density',
  ]
  return `With and without one of the ${LEFT_OUT} most isolated of ${KNOWN} people, mean AUC; the same ${RELEASES} + ${RELEASES} releases of each world for all:\n\n${markdownTable(header, found)}`
}

/** The releases of the game once more, as `playShadowGame` makes them, as files. */
function tapasFigures(python, { people, rows, synthesizer, options, seed }) {
  return inScratchFolder(async (folder) => {
    const write = async (name, data, world) => {
      const own = {
        sets: 2 * RELEASES,
        rows: people.rows,
        seed: stream(seed, 'shadow/releases', world).uint32(),
        options,
        tasks: inline,
      }
      const { sets } = await synthesizeSets(synthesizer, data, own)
      const lines = sets.flatMap((set, k) =>
        toCsv(set)
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => `${k},${line}`),
      )
      const [header] = toCsv(people).split('\n', 1)
      writeFileSync(join(folder, `${name}.csv`), `${[`set,${header}`, ...lines].join('\n')}\n`)
    }
    writeFileSync(join(folder, 'people.csv'), toCsv(people))
    await write('with', people, 0)
    for (const [k, row] of rows.entries())
      await write(
        `without-${row}`,
        selectRows(
          people,
          rowsFrom(0, people.rows).filter((other) => other !== row),
        ),
        k + 1,
      )
    return new Map(
      linesBy(python, 'python/run_tapas.py', folder, String(RELEASES), ...Array.from(rows, String)).map(
        ([name, value]) => [name, Number(value)],
      ),
    )
  })
}

async function besideSingle(python) {
  const { original: members, holdout: others } = demoPeople(PEOPLE, SEED)
  const real = table(
    'people',
    members.columns.map((column, j) => stackColumns([column, others.columns[j]])),
  )
  const found = []
  for (const name of GENERATORS) {
    const { method, options } = generatorOf(name)
    const released = await synthesize(findSynthesizer(method), members, {
      seed: stream(SEED, `peers/one/${name}`).uint32(),
      options,
    })
    const scores = await personScores(real, released, rowsFrom(0, 2 * PEOPLE), SEED, { tasks: inline })
    const area = (attack) => auc(scores[attack].subarray(0, PEOPLE), scores[attack].subarray(PEOPLE))?.auc ?? 0.5
    const anonymeter = await anonymeterFigures(python, members, released, others)
    const risk = (part) => {
      const [value, lower] = ['risk', 'lower'].map((what) => Number(anonymeter.get(`${part} ${what}`)))
      return Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %${lower > 0 ? ' (shown)' : ''}`
    }
    found.push([
      name,
      ...['shared information', 'information and values', 'DOMIAS, kernels'].map((attack) => two(area(attack))),
      ...['univariate', 'multivariate', 'linkability', 'inference'].map(risk),
    ])
  }
  const header = [
    'generator',
    'shared information',
    'information and values',
    'DOMIAS, kernels',
    ...['univariate', 'multivariate'].map((part) => `anonymeter: singling out, ${part}`),
    'anonymeter: linkability',
    'anonymeter: inference',
  ]
  return `One release of ${PEOPLE} people, ${PEOPLE} others outside: AUC; anonymeter's risks of ${ATTACKS} attacks each, *shown* where its interval is above 0:\n\n${markdownTable(header, found)}`
}

function anonymeterFigures(python, original, released, holdout) {
  return inScratchFolder(async (folder) => {
    const write = (name, text) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const files = Object.entries({ original, released, holdout }).map(([name, people]) =>
      write(`${name}.csv`, toCsv(people)),
    )
    const roles = write('roles.json', JSON.stringify(ROLES))
    return new Map(linesBy(python, 'python/run_anonymeter.py', ...files, roles, String(ATTACKS)))
  })
}
