// docs/beside-python.md and its picture, of verdicts.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockOf, withBlock } from '../../build/marked-block.mjs'
import { markdownTable, mean, percent } from '../../validation/shares.mjs'

/** What the tools said, release by release. */
export const VERDICTS = join(import.meta.dirname, 'verdicts.json')
const PAGE = join(import.meta.dirname, '../../../docs/beside-python.md')
const PICTURE = join(import.meta.dirname, '../../../docs/img/beside-python.svg')

export function writePage() {
  const { page, picture } = pageOf(JSON.parse(readFileSync(VERDICTS, 'utf8')), readFileSync(PAGE, 'utf8'))
  writeFileSync(PAGE, page)
  writeFileSync(PICTURE, picture)
}

/** Whether page and picture are those of the results that are kept. */
export function isPageFresh() {
  const kept = readFileSync(PAGE, 'utf8')
  const { page, picture } = pageOf(JSON.parse(readFileSync(VERDICTS, 'utf8')), kept)
  return page === kept && picture === readFileSync(PICTURE, 'utf8') && blockOf(page, 'verdicts') !== ''
}

function pageOf(results, page) {
  const rows = Object.entries(results.releases).map(([name, found]) => ({
    name,
    ...found,
    said: TOOLS.map((tool) => tool.says(found, results.people)),
  }))
  const blocks = { verdicts: verdicts(results, rows), figures: figures(rows), times: times(results, rows) }
  return {
    page: Object.entries(blocks).reduce((text, [name, block]) => withBlock(text, name, block), page),
    picture: picture(rows),
  }
}

const ATTACKS = ['univariate', 'multivariate', 'linkability', 'inference']
const NAMES = { univariate: 'singling out (univariate)', multivariate: 'singling out (multivariate)' }

/** One half, and what one in twenty honest releases exceeds. */
const significantlyAboveHalf = (share, records) => share > 0.5 + 1.645 * Math.sqrt(0.25 / records)

/** What each tool says of a release: in words for the table, shortly for the picture, and whether it is an alarm. */
const TOOLS = [
  {
    name: 'anonymeter',
    says: ({ anonymeter }) => {
      const risks = ATTACKS.map((attack) => ({
        attack: NAMES[attack] ?? attack,
        risk: anonymeter[`${attack} risk`] ?? 0,
        lower: anonymeter[`${attack} lower`] ?? 0,
      }))
      const shown = risks.filter(({ lower }) => lower > 0).sort((a, b) => b.risk - a.risk)
      if (shown.length === 0) return { alarm: false, words: 'no risk above 0', brief: 'none' }
      const words = shown.map(({ attack, risk }) => `${attack} ${percent(risk)}`).join(', ')
      return { alarm: true, words, brief: percent(shown[0].risk) }
    },
  },
  {
    name: 'SDMetrics',
    says: ({ sdmetrics }, records) => {
      const score = sdmetrics.DCROverfittingProtection
      return {
        alarm: significantlyAboveHalf(sdmetrics['closer to training'], records),
        words: `${score.toFixed(2)} (${percent(sdmetrics['closer to training'])} closer to training)`,
        brief: score.toFixed(2),
      }
    },
  },
  {
    name: 'mostlyai-qa',
    says: (found, records) => {
      const share = found['mostlyai-qa']['distances dcr_share']
      return { alarm: significantlyAboveHalf(share, records), words: percent(share, 1), brief: percent(share, 1) }
    },
  },
  {
    name: 'scrim',
    says: ({ scrim: { level, leakage } }) => {
      const [threat, share] = Object.entries(leakage).sort((a, b) => b[1] - a[1])[0]
      const alarm = level === 'HIGH' || level === 'MODERATE'
      return { alarm, words: `**${level}**, ${threat} ${percent(share)}`, brief: level }
    },
  },
]

const LEAKS = { much: 'of everybody', some: 'of some people', little: 'hardly anything', nothing: 'nothing' }

function verdicts({ data, people, columns }, rows) {
  const cell = ({ alarm, words }) => (alarm ? `⚠ ${words}` : words)
  return [
    `${data}: ${people.toLocaleString('en-US')} people, as many outside and as many released records, ${columns} columns.`,
    '',
    markdownTable(
      [
        'release',
        'leaks',
        'anonymeter: risks shown',
        'SDMetrics: DCROverfittingProtection',
        'mostlyai-qa: DCR share',
        'scrim',
      ],
      rows.map(({ name, leaks, said }) => [name, LEAKS[leaks], ...said.map(cell)]),
    ),
  ].join('\n')
}

function figures(rows) {
  const two = (value) => (value === null || value === undefined ? '-' : value.toFixed(2))
  return markdownTable(
    [
      'release',
      'QualityReport',
      'DiagnosticReport',
      'DCRBaselineProtection',
      'CategoricalCAP',
      'NewRowSynthesis',
      'accuracy (at most)',
      'AUC (people outside)',
      'identical to training (to holdout)',
    ],
    rows.map(({ name, sdmetrics, 'mostlyai-qa': qa }) => [
      name,
      two(sdmetrics.QualityReport),
      two(sdmetrics.DiagnosticReport),
      two(sdmetrics.DCRBaselineProtection),
      two(sdmetrics.CategoricalCAP),
      two(sdmetrics.NewRowSynthesis),
      `${two(qa['accuracy overall'])} (${two(qa['accuracy overall_max'])})`,
      `${two(qa['similarity discriminator_auc_training_synthetic'])} (${two(qa['similarity discriminator_auc_training_holdout'])})`,
      `${percent(qa['distances ims_training'], 1)} (${percent(qa['distances ims_holdout'], 1)})`,
    ]),
  )
}

function times({ versions }, rows) {
  const seconds = (pick) => `${mean(rows.map(pick)).toFixed(1)} s`
  const sum = (found) =>
    Object.entries(found).reduce((total, [name, value]) => total + (name.startsWith('seconds ') ? value : 0), 0)
  const of = (tool, name) => seconds((row) => row[tool][`seconds ${name}`])
  return markdownTable(
    ['tool', 'what', 'processor time, mean over releases'],
    [
      [`anonymeter ${versions.anonymeter}`, 'four attacks of 500 each', seconds(({ anonymeter }) => sum(anonymeter))],
      ['', 'linkability alone', of('anonymeter', 'linkability')],
      [`SDMetrics ${versions.sdmetrics}`, 'all that is in the tables', seconds(({ sdmetrics }) => sum(sdmetrics))],
      ['', 'DCROverfittingProtection', of('sdmetrics', 'DCROverfittingProtection')],
      ['', 'NewRowSynthesis', of('sdmetrics', 'NewRowSynthesis')],
      [`mostlyai-qa ${versions['mostlyai-qa']}`, 'the report', of('mostlyai-qa', 'report')],
      ['scrim', 'the answer: six threats, everybody attacked', seconds(({ scrim }) => scrim.seconds)],
    ],
  )
}

const ROW = 26
const COLUMN = 104
const LABELS = 300
const COLORS = { alarm: '#c0392b', calm: '#eef1f4', wrong: '#f5b041' }

/** A cell for what each tool says of each release. Right is an alarm at what leaks, and none at what does not. */
function picture(rows) {
  const [width, height] = [LABELS + COLUMN * TOOLS.length + 10, ROW * (rows.length + 1) + 34]
  const text = (x, y, words, style = '') =>
    `<text x="${x}" y="${y}" font-family="sans-serif" font-size="12" ${style}>${words.replaceAll('&', '&amp;')}</text>`
  const cells = rows.flatMap(({ name, leaks, said }, row) => [
    text(10, ROW * (row + 1) + 17, `${name}${leaks === 'nothing' ? ' *' : ''}`),
    ...said.flatMap(({ alarm, brief }, column) => {
      const [x, y] = [LABELS + COLUMN * column, ROW * (row + 1)]
      const isFalse = alarm && leaks === 'nothing'
      const fill = isFalse ? COLORS.wrong : alarm ? COLORS.alarm : COLORS.calm
      const ink = alarm && !isFalse ? 'fill="white"' : 'fill="#333333"'
      return [
        `<rect x="${x + 1}" y="${y + 1}" width="${COLUMN - 2}" height="${ROW - 2}" fill="${fill}"/>`,
        text(x + COLUMN / 2, y + 17, brief, `text-anchor="middle" ${ink}`),
      ]
    }),
  ])
  const heads = TOOLS.map(({ name }, k) =>
    text(LABELS + COLUMN * (k + 0.5), 17, name, 'text-anchor="middle" font-weight="bold"'),
  )
  const foot = text(
    10,
    height - 10,
    'red: an alarm; orange: an alarm at a release (*) that leaks nothing; grey: none',
    'fill="#555555"',
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n<rect width="${width}" height="${height}" fill="white"/>\n${[...heads, ...cells, foot].join('\n')}\n</svg>\n`
}
