// Writes docs/first-use.md: a terminal session of somebody who has just installed scrim, at 80 columns.
// node scripts/build/first-use.mjs writes it, --check compares it with what scrim says today. Part of npm run validate.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = mkdtempSync(join(tmpdir(), 'scrim-first-use-'))
const ROLES = '--keys gender,age,education --target disease_status'

const STEPS = [
  [
    'Nothing at hand? Some people, and as many others who will not be in the release.',
    'simulate health --n 500 --seed 1 -o survey.csv',
    'simulate health --n 500 --seed 2 -o others.csv',
  ],
  ['A synthetic file of them.', 'synthesize survey.csv -o synthetic.csv --seed 1'],
  [
    'May it be released?',
    `assess survey.csv synthetic.csv ${ROLES} --holdout others.csv --type synthetic --profile quick`,
  ],
  [
    'Mistakes are explained, and nothing is lost.',
    `assess survey.csv synthetic.csv --keys gender,agee --json survey.csv`,
  ],
  [
    'One measure, and the people most at risk.',
    `measure dcap survey.csv synthetic.csv ${ROLES} --records risky.csv --top 3 --merge`,
  ],
]

const parts = STEPS.map(([text, ...commands]) => {
  const shown = commands.map((command) => `$ scrim ${command}\n${said(command)}`)
  return `${text}\n\n\`\`\`text\n${shown.join('')}\`\`\`\n`
})
const page = `# First use\n\nA session at 80 columns, recorded by \`node scripts/build/first-use.mjs\`.\n\n${parts.join('\n')}`
const file = join(root, 'docs/first-use.md')
if (process.argv.includes('--check')) compare(readFileSync(file, 'utf8').split('\n'), page.split('\n'))
else writeFileSync(file, page)
rmSync(folder, { recursive: true })

function compare(written, today) {
  const at = today.findIndex((line, k) => line !== written[k])
  if (at < 0 && written.length === today.length) return
  console.error(
    `docs/first-use.md, line ${at + 1}: has "${written[at]}", scrim says "${today[at]}"; run node scripts/build/first-use.mjs`,
  )
  process.exitCode = 1
}

function said(command) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/scrim.js'), ...command.split(' ')],
    {
      cwd: folder,
      env: { ...process.env, COLUMNS: '80', SCRIM_CACHE: join(folder, 'cache') },
      encoding: 'utf8',
    },
  )
  // How far a run is depends on the machine.
  return stdout + stderr.replace(/^\d+ of \d+: .*\n/gm, '')
}
