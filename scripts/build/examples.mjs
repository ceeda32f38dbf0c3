// Writes docs/examples.md: the answer on three public data sets, with the command that prints it.
// node scripts/build/examples.mjs; the data are read from SCRIM_REFERENCE or ../shared/reference.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const reference = process.env.SCRIM_REFERENCE ?? join(root, '../shared/reference')
if (!existsSync(reference)) {
  console.error('the data of the examples are not here (SCRIM_REFERENCE)')
  process.exit(2)
}

const EXAMPLES = [
  {
    title: 'SD2011: five syntheses by synthpop',
    text: 'Social Diagnosis 2011, 5,000 people; five syntheses by sequential trees, as `syn()` makes them by default.',
    folder: 'golden/sd2011',
    command:
      'assess original.csv synthetic-1.csv synthetic-2.csv synthetic-3.csv synthetic-4.csv synthetic-5.csv --keys sex,age,region,placesize --target depress --type synthetic',
  },
  {
    title: 'census2k: a good and a bad synthesis, with people outside',
    text: '2,000 people of the census, a synthesis by a commercial generator (`mostly`) and one in which 30 % of the cells of every record were replaced (`flip30`).',
    folder: 'data/census2k',
    command:
      'assess census2k-trn.csv census2k-syn_mostly.csv census2k-syn_flip30.csv --holdout census2k-hol.csv --keys age,sex,race,marital_status,education --target income --type synthetic',
  },
  {
    title: 'Adult: CTGAN, with people outside',
    text: 'The census of the Adult data, a synthesis by CTGAN and its control file.',
    folder: 'data/adult',
    command:
      'assess adults_train.csv adults_syn_ctgan.csv --holdout adults_control.csv --keys age,sex,race,marital,education --target income --type synthetic',
  },
  {
    title: 'The case study of riskutility’s vignette',
    text: 'A: every column on its own; B: a bootstrap with noise; C: a near-copy.',
    folder: 'golden/vignette',
    command:
      'assess case-original.csv case-a-independent.csv case-b-bootstrap-noise.csv case-c-near-copy.csv --keys age_group,sex,education,region --target income --type synthetic',
  },
]

const parts = EXAMPLES.map(({ title, text, folder, command }) => {
  const start = performance.now()
  const out = execFileSync(process.execPath, [join(root, 'packages/cli/bin/scrim.js'), ...command.split(' ')], {
    cwd: join(reference, folder),
    env: { ...process.env, COLUMNS: '80' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  console.log(`${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return `## ${title}\n\n${text}\n\n\`\`\`\nscrim ${command}\n\`\`\`\n\n\`\`\`text\n${out.trimEnd()}\n\`\`\`\n`
})
writeFileSync(
  join(root, 'docs/examples.md'),
  `# Examples\n\nThe first screen of \`scrim assess\` on public data, at 80 columns. Made by \`node scripts/build/examples.mjs\`.\n\n${parts.join('\n')}`,
)
