// One release through the library, the command line, the gate and the page: the same files must get the same answer, and the gate
// must let through what is LOW and nothing else.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inline, toCsv } from '@scrim/core'
import { runnerImport } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const scrim = join(root, 'packages/cli/bin/scrim.js')
let page

/** What each face says of a release, in words that differ where the answers do. */
export async function faces({ original, released, holdout, ...said }) {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-every-face-'))
  try {
    const asked = { ...said, profile: 'quick', side: 'risk', matchLevels: true }
    const files = { 'original.csv': toCsv(original), 'released.csv': toCsv(released) }
    if (holdout !== undefined) files['holdout.csv'] = toCsv(holdout)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const outside = holdout === undefined ? {} : { holdout: 'holdout.csv' }
    writeFileSync(join(folder, 'scrim.json'), JSON.stringify({ ...asked, ...outside }))
    writeFileSync(join(folder, 'policy.json'), JSON.stringify({ overall: 'LOW' }))
    const run = (...args) => spawnSync(process.execPath, [scrim, ...args], { cwd: folder, encoding: 'utf8' })
    const { stderr } = run('assess', 'original.csv', 'released.csv', '--json', 'answer.json')
    const commandLine = levelIn(readOr(join(folder, 'answer.json'), stderr))
    const gate = run('check', 'original.csv', 'released.csv', '--policy', 'policy.json').status
    return { commandLine, gate, page: await byPage(files, asked) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether all faces say what the library says; prints those that do not. */
export async function sameInEveryFace(name, input, level) {
  const { commandLine, gate, page } = await faces(input)
  const isSame = commandLine === level && page === level && (gate === 0) === (level === 'LOW')
  if (!isSame)
    console.log(`DIFFER ${name}: library ${level}, command line ${commandLine}, page ${page}, exit of the gate ${gate}`)
  return isSame
}

function readOr(path, message) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return JSON.stringify({ releases: [{ verdict: { level: message.trim() } }] })
  }
}

const levelIn = (text) => JSON.parse(text).releases[0].verdict.level

let count = 0

async function byPage(files, asked) {
  page ??= (await runnerImport(join(root, 'packages/web/src/engine/run.ts'))).module
  const source = (name) => ({ id: `file ${++count}`, name, content: new Blob([files[name]]) })
  const project = {
    original: source('original.csv'),
    releases: [source('released.csv')],
    holdout: files['holdout.csv'] === undefined ? null : source('holdout.csv'),
    population: null,
    attacker: null,
    rules: null,
    case: asked,
  }
  try {
    const { assessment } = await page.runProject(
      { project, why: false, plan: null },
      { aborted: false },
      () => {},
      inline,
    )
    return assessment.releases[0].verdict.level
  } catch (error) {
    return String(error)
  }
}
