// Fills the pages in docs/measures with each measure's declaration and a picture of it on the built-in example, and docs/answer.md with who decides by which limits; writes the schemas.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  assessmentSchema,
  bibtex,
  caseSchema,
  checkSchema,
  measures,
  optionsOf,
  policySchema,
  requestSchema,
  z,
} from '@scrim/core'
import { chartSvg } from '../../packages/cli/dist/printing/svg.js'
import { demoPeople } from '../../packages/studies/dist/index.js'
import { withCaseFields } from './case-block.mjs'
import { chartsPage } from './charts-page.mjs'
import { SECTIONS, withCounted, withDeclaration, withJudge } from './docs-block.mjs'
import { exampleOf } from './docs-examples.mjs'
import { emptyBlock } from './marked-block.mjs'

/** The page of a new measure: its sections are to be written. */
const emptyPage = (title) =>
  `${[`# ${title}`, emptyBlock('declaration'), ...SECTIONS.map((section) => `## ${section}`)].join('\n\n')}\n`

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../docs/measures')
mkdirSync(join(folder, 'img'), { recursive: true })

const example = exampleOf(demoPeople(1000, 1))

const drawn = new Set()
for (const measure of measures) {
  const pictures = await example(measure)
  for (const { file, chart } of pictures) writeFileSync(join(folder, 'img', file), await chartSvg(chart))
  const page = join(folder, `${measure.id}.md`)
  const files = pictures.map(({ file }) => file)
  for (const file of files) drawn.add(file)
  if (!existsSync(page)) writeFileSync(page, emptyPage(measure.title))
  writeFileSync(page, withDeclaration(readFileSync(page, 'utf8'), measure, optionsOf(measure), files))
}

for (const file of readdirSync(join(folder, 'img'))) if (!drawn.has(file)) rmSync(join(folder, 'img', file))

writeFileSync(join(folder, '../charts.html'), chartsPage(measures, folder))

const rows = measures.map(
  ({ id, title, family, role, summary }) => `| [${title}](${id}.md) | \`${id}\` | ${family} | ${role} | ${summary} |`,
)
writeFileSync(
  join(folder, 'README.md'),
  ['# Measures', '', '| measure | id | family | role | what it says |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  ),
)

const answer = join(folder, '../answer.md')
writeFileSync(answer, withJudge(readFileSync(answer, 'utf8')))

const engines = join(folder, '../engines.md')
writeFileSync(engines, withCounted(readFileSync(engines, 'utf8')))

writeFileSync(join(folder, '../bibliography.bib'), bibtex())

const commands = join(folder, '../cli.md')
writeFileSync(commands, withCaseFields(readFileSync(commands, 'utf8')))

const schemas = join(folder, '../schema')
mkdirSync(schemas, { recursive: true })
for (const [name, schema] of Object.entries({ assessment: assessmentSchema, policy: policySchema }))
  writeFileSync(join(schemas, `${name}.schema.json`), `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`)
// As people write them: a level may be a number, and becomes a text when it is read.
for (const [name, schema] of Object.entries({ case: caseSchema, request: requestSchema, 'outputs-check': checkSchema }))
  writeFileSync(
    join(schemas, `${name}.schema.json`),
    `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`,
  )
