// Larger SPSS and Stata files made by R, read by scrim cell by cell as R reads them; then written by scrim, read by R and by scrim.
// Part of npm run validate; without R and its package haven it says so and is done.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTable, toSpss, toStata } from '../../packages/core/dist/index.js'
import { leaveOut } from './left-out.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const ROWS = 2000

if (spawnSync('Rscript', ['-e', 'library(haven); library(jsonlite)'], { stdio: 'ignore' }).status !== 0)
  leaveOut('SPSS and Stata files', 'R with haven and jsonlite is not here')

const folder = mkdtempSync(join(tmpdir(), 'scrim-labelled-'))
try {
  const [made, again] = [join(folder, 'made'), join(folder, 'again')]
  runR([made, String(ROWS)])
  compareWithR(made)

  mkdirSync(again)
  const files = readdirSync(made).filter((name) => !name.endsWith('.json'))
  for (const name of files) {
    const table = await readTable(name, readFileSync(join(made, name)), { keepMissingCodes: true })
    writeFileSync(join(again, `${name}.sav`), toSpss(table))
    writeFileSync(join(again, `${name}.dta`), toStata(table))
  }
  runR([again, 'tell'])
  compareWithR(again)
  for (const name of files) compareCells(join(made, name), join(again, `${name}.${/sav$/.test(name) ? 'sav' : 'dta'}`))
  console.log(`SPSS and Stata files: ${files.length} of ${ROWS} records, R and scrim see the same`)
} finally {
  rmSync(folder, { recursive: true })
}

function runR(args) {
  const { status } = spawnSync('Rscript', [join(root, 'scripts/validation/labelled-files.R'), ...args], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('R could not make the files')
}

function compareWithR(files) {
  const { status } = spawnSync('npx', ['vitest', 'run', 'packages/core/src/files/labelled-files.test.ts', '-t', 'R'], {
    cwd: root,
    env: { ...process.env, SCRIM_LABELLED_FILES: files },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('R and scrim do not see the same')
}

/** What R sees of a file and of what scrim made of it; it tells the kinds of missing only of numbers that it keeps. */
function compareCells(file, copy) {
  const [one, other] = [file, copy].map((name) => {
    const seen = JSON.parse(readFileSync(`${name}.json`, 'utf8'))
    return (seen.kept ?? seen.columns).map(({ name, label, cells, labels }) => ({ name, label, cells, labels }))
  })
  for (const [k, column] of one.entries()) {
    const text = (value) =>
      JSON.stringify({ ...value, labels: value.labels?.map(({ label }) => label.replace(/ \(\d+\)$/, '')) })
    if (text(column) !== text(other[k]))
      throw new Error(`R sees another "${column.name}" in what scrim wrote of ${file}`)
  }
}
