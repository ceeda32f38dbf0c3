import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Assessment, inline, OpenQuestions } from '@scrim/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../web/src/engine/project.js'
import { runProject } from '../../web/src/engine/run.js'
import { workplace } from './testing/run.js'
import {
  type Asked,
  assessmentIn,
  asWritten,
  byLibrary,
  CASES,
  caseOf,
  filesOf,
  releaseNames,
  writeCase,
  written,
} from './testing/same-answer-cases.js'

/** The library, the command line, the page and R ask one engine one question: the answer is the same, byte for byte. Python's tests compare theirs. */
function commandLine(asked: Asked) {
  const config = { ...caseOf(asked), ...(asked.holdout === undefined ? {} : { holdout: 'holdout' }) }
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
    holdout: asked.holdout === undefined ? null : source('holdout'),
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
  if (file.exists(file.path(folder, "holdout"))) said$holdout <- frame("holdout")
  releases <- lapply(setdiff(list.files(folder), c("said.json", "original", "holdout")), frame)
  Sys.setenv(SCRIM_KEPT = file.path(getwd(), folder, "kept.json"))
  tables <- list(original = frame("original"), released = if (length(releases) == 1) releases[[1]] else releases)
  do.call(package$scrim_assess, c(tables, said))
}
`

let fromR: readonly Assessment[] = []
const folder = mkdtempSync(join(tmpdir(), 'scrim-faces-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  if (!hasR) return
  const place = (k: number) => join(folder, `case-${k}`)
  for (const [k, asked] of Object.values(CASES).entries()) writeCase(place(k), asked)
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
