import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Assessment,
  assessCase,
  type CaseInput,
  inline,
  jsonText,
  OpenQuestions,
  openCase,
  parseCase,
  readingIn,
  readTable,
  stream,
} from '@scrim/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../web/src/engine/project.js'
import { runProject } from '../../web/src/engine/run.js'
import { workplace } from './testing/run.js'

/** The library, the command line, the page and R ask one engine one question: the answer is the same, byte for byte. */
interface Asked {
  readonly original: Rows
  readonly released: readonly Rows[]
  readonly holdout?: Rows
  readonly said: CaseInput
}

type Rows = readonly Readonly<Record<string, string | number>>[]

const PEOPLE = 120

function people(seed: number): Rows {
  const random = stream(seed, 'people')
  return Array.from({ length: PEOPLE }, () => ({
    sex: 'fm'[random.below(2)],
    region: ['north', 'south', 'east'][random.below(3)],
    age: 20 + random.below(50),
    income: ['low', 'mid', 'high'][random.below(3)],
    hours: 5 + random.below(61),
  }))
}

const original = people(1)
const others = people(2)
const changed = (rows: Rows, change: (row: Rows[number], k: number) => object): Rows =>
  rows.map((row, k) => ({ ...row, ...change(row, k) }))
const upper = (value: string | number) => String(value).toUpperCase()
const roles = { keys: ['sex', 'region', 'age'], target: ['income'] }
const MEASURES = ['attribution', 'memorisation', 'singling-out', 'reidentification', 'k-anonymity', 'ks']
const WOMEN_AND_MEN: Readonly<Record<string, string>> = { f: 'Women', m: 'Men' }
const told = changed(original, (row) => ({ hours: Number(row.hours) + (row.sex === 'f' ? 0 : 40) }))

const CASES: Readonly<Record<string, Asked>> = {
  'an honest release, nothing said of its type': { original, released: [others], said: roles },
  'upper-cased levels, the same': {
    original,
    released: [changed(original, ({ sex, region }) => ({ sex: upper(sex), region: upper(region) }))],
    said: { ...roles, matchLevels: true },
  },
  'upper-cased levels of one column, different': {
    original,
    released: [changed(others, ({ sex }) => ({ sex: upper(sex) }))],
    said: { ...roles, keys: ['region', 'age'], answers: { 'released:sex': 'different' }, type: 'synthetic' },
  },
  'another unit': {
    original,
    released: [changed(original, ({ hours }) => ({ hours: Number(hours) * 60 }))],
    said: { ...roles, answers: { 'released:hours': 'same' } },
  },
  'renamed levels': {
    original: told,
    released: [changed(told, ({ sex }) => ({ sex: WOMEN_AND_MEN[String(sex)] }))],
    said: { ...roles, answers: { 'released:sex': 'same' } },
  },
  'repeated rows': {
    original,
    released: [[...original.slice(0, 60), ...original.slice(0, 60), ...others.slice(0, 30)]],
    said: { ...roles, type: 'synthetic' },
  },
  'shuffled rows, weights and households': {
    original: changed(original, (_, k) => ({ weight: 1 + (k % 3), home: k >> 1 })),
    released: [original.map((_, k) => original[(k * 37 + 11) % PEOPLE])],
    said: { ...roles, weight: 'weight', household: 'home', type: 'unknown' },
  },
  'numbers in groups': {
    original,
    released: [others],
    said: { ...roles, group: { age: 'equal:4', hours: '5' }, codes: { hours: '40' }, type: 'synthetic', seed: 7 },
  },
  'a holdout, and two releases': {
    original,
    released: [others, [...original.slice(0, 40), ...others.slice(0, 80)]],
    holdout: people(3),
    said: { ...roles, type: 'synthetic' },
  },
  'rows that correspond': {
    original,
    released: [changed(original, ({ age }, k) => (k % 3 === 0 ? { age: Number(age) + 1 } : {}))],
    said: { ...roles, numericKeys: ['hours'] },
  },
}

const csv = (rows: Rows) =>
  `${[Object.keys(rows[0]), ...rows.map(Object.values)].map((row) => row.join(',')).join('\n')}\n`

/** Files are called as R calls its data frames. */
function filesOf({ original: first, released, holdout }: Asked): Readonly<Record<string, string>> {
  return {
    original: csv(first),
    ...Object.fromEntries(releaseNames(released).map((name, k) => [name, csv(released[k])])),
    ...(holdout === undefined ? {} : { 'role-holdout': csv(holdout) }),
  }
}

const releaseNames = (released: Asked['released']) =>
  released.length === 1 ? ['released'] : released.map((_, k) => `released-${k + 1}`)

/** What is asked alike of all: R says what its columns are, so that the others are told too. */
function caseOf({ said, original: first, released, holdout }: Asked): CaseInput {
  const all = [first, ...released, ...(holdout === undefined ? [] : [holdout])]
  const shared = Object.keys(first[0]).filter((column) => all.every((rows) => column in rows[0]))
  const types = Object.fromEntries(
    shared.map((column) => {
      if (typeof first[0][column] === 'number') return [column, { kind: 'numeric' as const }]
      const levels = new Set(all.flatMap((rows) => [...new Set(rows.map((row) => String(row[column])))].sort()))
      return [column, { kind: 'categorical' as const, levels: [...levels] }]
    }),
  )
  return { measures: MEASURES, ...said, types }
}

/** As every face writes it into a file. */
const asWritten = (assessment: Assessment) => assessmentIn(jsonText(assessment))

const written = (assessment: Assessment) => JSON.stringify(assessment, null, 1)

async function byLibrary(asked: Asked): Promise<Assessment> {
  const said = caseOf(asked)
  const read = (name: string) =>
    readTable(name, new TextEncoder().encode(filesOf(asked)[name]), readingIn(parseCase(said)))
  const opened = openCase(said, {
    original: await read('original'),
    released: await Promise.all(releaseNames(asked.released).map(read)),
    holdout: asked.holdout === undefined ? undefined : await read('role-holdout'),
  })
  return asWritten((await assessCase(opened)).assessment)
}

function commandLine(asked: Asked) {
  const config = { ...caseOf(asked), ...(asked.holdout === undefined ? {} : { holdout: 'role-holdout' }) }
  const { run } = workplace({ ...filesOf(asked), 'scrim.json': JSON.stringify(config) })
  return run(`assess original ${releaseNames(asked.released).join(' ')} --json - --threads 1`)
}

async function byCommandLine(asked: Asked): Promise<Assessment> {
  const { out, err } = await commandLine(asked)
  expect(err).toBe('scrim: using scrim.json\n')
  return assessmentIn(out)
}

let named = 0

function projectOf(asked: Asked) {
  const files = filesOf(asked)
  const source = (name: string) => ({ id: `file ${++named}`, name, content: new Blob([files[name]]) })
  return {
    original: source('original'),
    releases: releaseNames(asked.released).map(source),
    holdout: asked.holdout === undefined ? null : source('role-holdout'),
    population: null,
    attacker: null,
    rules: null,
    case: caseOf(asked),
  }
}

async function byPage(asked: Asked): Promise<Assessment> {
  const project = projectOf(asked)
  const { assessment } = await runProject({ project, why: false, plan: null }, { aborted: false }, () => {}, inline)
  return asWritten(assessment)
}

/** The Assessment in the JSON of the command line, which has the files and the results of measures besides. */
function assessmentIn(text: string): Assessment {
  const {
    scrim: _,
    files: __,
    weight: ___,
    household: ____,
    groups: _____,
    results: ______,
    ...assessment
  } = JSON.parse(text)
  return assessment
}

const root = resolve(import.meta.dirname, '../../..')
const hasR = spawnSync('Rscript', ['-e', 'quit(status = !requireNamespace("jsonlite", quietly = TRUE))']).status === 0
if (!hasR) console.warn('R with jsonlite not found: what R answers is not compared')

/** Keeps what scrim writes, because R hands on what it has read of it. */
const KEEPING = `
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
const args = process.argv.slice(2)
const { status } = spawnSync(process.execPath, [process.env.SCRIM_KEPT_COMMAND, ...args], { stdio: 'inherit' })
const json = args[args.indexOf('--json') + 1]
if (existsSync(json)) copyFileSync(json, process.env.SCRIM_KEPT)
process.exit(status)
`

const ASKING = `
package <- new.env()
for (file in list.files("${join(root, 'r/R').replaceAll('\\', '/')}", full.names = TRUE)) sys.source(file, package)
for (folder in list.dirs(recursive = FALSE)) {
  frame <- function(name) read.csv(file.path(folder, name), stringsAsFactors = TRUE)
  said <- jsonlite::read_json(file.path(folder, "said.json"), simplifyVector = TRUE)
  if (file.exists(file.path(folder, "role-holdout"))) said$holdout <- frame("role-holdout")
  releases <- lapply(setdiff(list.files(folder), c("said.json", "original", "role-holdout")), frame)
  Sys.setenv(SCRIM_KEPT = file.path(getwd(), folder, "kept.json"))
  tables <- list(original = frame("original"), released = if (length(releases) == 1) releases[[1]] else releases)
  do.call(package$scrim_assess, c(tables, said))
}
`

const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

let fromR: readonly Assessment[] = []
const folder = mkdtempSync(join(tmpdir(), 'scrim-faces-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  if (!hasR) return
  const place = (k: number) => join(folder, `case-${k}`)
  for (const [k, asked] of Object.values(CASES).entries()) {
    mkdirSync(place(k))
    for (const [name, text] of Object.entries(filesOf(asked))) writeFileSync(join(place(k), name), text)
    const { types: _, ...said } = caseOf(asked)
    const named = Object.fromEntries(Object.entries(said).map(([field, value]) => [snakeCase(field), value]))
    writeFileSync(join(place(k), 'said.json'), JSON.stringify(named))
  }
  writeFileSync(join(folder, 'keeping.mjs'), KEEPING)
  writeFileSync(join(folder, 'asking.R'), ASKING)
  const env = {
    ...process.env,
    SCRIM_COMMAND: join(folder, 'keeping.mjs'),
    SCRIM_KEPT_COMMAND: join(root, 'packages/cli/bin/scrim.js'),
  }
  const { status, stderr } = spawnSync('Rscript', ['asking.R'], { cwd: folder, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  fromR = Object.keys(CASES).map((_, k) => assessmentIn(readFileSync(join(place(k), 'kept.json'), 'utf8')))
}, 600_000)

it.each(Object.entries(CASES))('%s: one answer, whoever asks', async (name, asked) => {
  const library = written(await byLibrary(asked))
  expect(written(await byCommandLine(asked))).toBe(library)
  expect(written(await byPage(asked))).toBe(library)
  if (hasR) expect(written(fromR[Object.keys(CASES).indexOf(name)])).toBe(library)
})

const DISGUISED = Object.entries(CASES).filter(([, { said }]) => 'matchLevels' in said || 'answers' in said)

it.each(DISGUISED)(
  '%s: everybody asks first',
  async (_, { said: { matchLevels: __, answers: ___, ...said }, ...files }) => {
    const asked = { ...files, said }
    await expect(byLibrary(asked)).rejects.toThrow(OpenQuestions)
    expect((await commandLine(asked)).code).toBe(2)
    const { questions } = await check(projectOf(asked))
    expect(questions.length).toBeGreaterThan(0)
    expect(questions.every(({ answer }) => answer === null)).toBe(true)
  },
)
