/**
 * Makes the reports in examples/ anew, and the page that lists them with their commands and sizes. The data are those of
 * the reference (SCRIM_REFERENCE); without it nothing is done. `node scripts/build/example-reports.mjs [name...]` makes some of them.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const examples = join(root, 'examples')
const reference = process.env.SCRIM_REFERENCE ?? join(root, '../shared/reference')
if (!existsSync(reference)) {
  console.log('example reports: reference data not found (SCRIM_REFERENCE), nothing is made')
  process.exit(0)
}

const CASE = '--keys age_group,sex,education,region --target income --type synthetic'
const SD2011 = '--keys sex,age,region,placesize --target depress --type synthetic'
const CENSUS = '--keys age,sex,race,marital_status,education --target income --holdout outside.csv --type synthetic'
const FIVE = [1, 2, 3, 4, 5].map((k) => `synthetic-${k}.csv`)

/** Each folder with the files it reads under the names they have in the commands, and the reports it gets. */
const EXAMPLES = [
  {
    folder: 'case-study',
    about:
      'The case study of the riskutility vignette: 1,000 simulated people; A draws every column on its own, B resamples people and adds noise, C changes their income by some percent.',
    files: {
      'original.csv': 'golden/vignette/case-original.csv',
      'A.csv': 'golden/vignette/case-a-independent.csv',
      'B.csv': 'golden/vignette/case-b-bootstrap-noise.csv',
      'C.csv': 'golden/vignette/case-c-near-copy.csv',
    },
    reports: [
      ['A.html', `assess original.csv A.csv ${CASE}`],
      ['B.html', `assess original.csv B.csv ${CASE}`],
      ['C.html', `assess original.csv C.csv ${CASE}`],
      ['map.html', `compare original.csv A.csv B.csv C.csv ${CASE}`],
      ['map.md', `compare original.csv A.csv B.csv C.csv ${CASE}`],
    ],
  },
  {
    folder: 'sd2011',
    about:
      'Nine variables of Social Diagnosis 2011 (5,000 people in Poland) and five syntheses by the trees of synthpop: one synthesizer, so one dot drawn five times.',
    files: {
      'original.csv': 'golden/sd2011/original.csv',
      ...Object.fromEntries(FIVE.map((name) => [name, `golden/sd2011/${name}`])),
    },
    reports: [
      ['synthetic-1.html', `assess original.csv synthetic-1.csv ${SD2011}`],
      ['map.html', `compare original.csv ${FIVE.join(' ')} ${SD2011}`],
    ],
  },
  {
    folder: 'census2k',
    about:
      'Two thousand people of Adult with as many outside, a good synthesis, and a bad one in which a third of the cells of every record were replaced.',
    files: {
      'original.csv': 'data/census2k/census2k-trn.csv',
      'outside.csv': 'data/census2k/census2k-hol.csv',
      'good.csv': 'data/census2k/census2k-syn_mostly.csv',
      'bad.csv': 'data/census2k/census2k-syn_flip30.csv',
    },
    reports: [
      ['good.html', `assess original.csv good.csv ${CENSUS}`],
      ['bad.html', `assess original.csv bad.csv ${CENSUS}`],
      ['map.html', `compare original.csv good.csv bad.csv ${CENSUS}`],
    ],
  },
]

const INTRODUCTION = `What \`scrim assess --html\` and \`scrim compare --html\` write: one file each, without script or network, for readers outside
(\`--audience publishable\`, the default). Download one and open it, or print it. \`node scripts/build/example-reports.mjs\` makes them anew.
[notebook.ipynb](notebook.ipynb) is a session in Python on real data.`

const wanted = process.argv.slice(2)
for (const { folder, files, reports } of EXAMPLES) {
  const place = mkdtempSync(join(tmpdir(), 'scrim-examples-'))
  for (const [name, from] of Object.entries(files)) copyFileSync(join(reference, from), join(place, name))
  mkdirSync(join(examples, folder), { recursive: true })
  for (const [report, command] of reports) {
    if (wanted.length > 0 && !wanted.includes(folder) && !wanted.includes(`${folder}/${report}`)) continue
    const started = Date.now()
    execFileSync(process.execPath, [join(root, 'packages/cli/bin/scrim.js'), ...words(report, command)], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    copyFileSync(join(place, report), join(examples, folder, report))
    checkDiscretion(join(examples, folder, report))
    console.log(`${folder}/${report}: ${((Date.now() - started) / 1000).toFixed(0)} s`)
  }
  rmSync(place, { recursive: true })
}
writeFileSync(join(examples, 'README.md'), page())

function words(report, command) {
  return [...command.split(' '), report.endsWith('.md') ? '--markdown' : '--html', report]
}

/** What is published names no machine, no user and no seed of a synthesis. */
function checkDiscretion(file) {
  const text = readFileSync(file, 'utf8')
  const found = [
    /\/(home|root|tmp|work|Users)\//,
    /https?:\/\/(?!www\.w3\.org)/,
    /seed of (?!the assessment)/,
    /8564/,
  ].filter((one) => one.test(text))
  if (found.length > 0) throw new Error(`${file} has what no example may have: ${found.join(', ')}`)
}

function page() {
  const sections = EXAMPLES.map(({ folder, about, reports }) => {
    const rows = reports
      .filter(([report]) => existsSync(join(examples, folder, report)))
      .map(([report, command]) => {
        const size = Math.round(statSync(join(examples, folder, report)).size / 1024)
        const flag = report.endsWith('.md') ? '--markdown' : '--html'
        return `| [${report}](${folder}/${report}) | ${size} kB | \`scrim ${command} ${flag} ${report}\` |`
      })
    return [`## ${folder}`, about, ['| report | size | command |', '|---|---|---|', ...rows].join('\n')].join('\n\n')
  })
  return `${['# Example reports', INTRODUCTION, ...sections].join('\n\n')}\n`
}
