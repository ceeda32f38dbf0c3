// Larger R, SAS and Excel files made by R, read by scrim cell by cell as R reads them; and SAS data sets of every layout, read by R's haven.
// Part of npm run validate; without R and its packages it says so and is done.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leaveOut } from './left-out.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const ROWS = 5000
const PACKAGES = ['haven', 'tibble', 'data.table', 'bit64', 'openxlsx', 'synthpop', 'sdcMicro', 'jsonlite']

const loaded = spawnSync('Rscript', ['-e', PACKAGES.map((name) => `library(${name})`).join('; ')], { stdio: 'ignore' })
if (loaded.status !== 0) leaveOut('R, SAS and Excel files', `R with ${PACKAGES.join(', ')} is not here`)

const folder = mkdtempSync(join(tmpdir(), 'scrim-r-files-'))
try {
  run('Rscript', ['scripts/validation/fixtures-r.R', folder, String(ROWS)], 'R could not make the files')
  const tests = ['r', 'sas', 'excel'].map((format) => `packages/core/src/files/${format}/`)
  run('npx', ['vitest', 'run', ...tests, '-t', ' R '], 'R and scrim do not see the same')
  console.log(`R, SAS and Excel files: of ${ROWS} records, R and scrim see the same`)
} finally {
  rmSync(folder, { recursive: true })
}

function run(command, args, complaint) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, SCRIM_R_FILES: folder },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(complaint)
}
