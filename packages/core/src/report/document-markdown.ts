import { percent } from '../print.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import { utilityTable } from './answer.js'
import { type DocumentView, filesTable, type ReleaseDocument, type ThreatDocument } from './document.js'
import {
  bullets,
  type Markdown,
  markdownTable,
  md,
  paragraphs,
  section,
  titledBullets,
  titledTable,
} from './markdown.js'

/** The document as Markdown, as exact as its view is: the same words and numbers as the HTML, without pictures. */
export function documentMarkdown(view: DocumentView): string {
  const methods = view.methods.map(({ title, id, role, summary, blindTo }) => {
    const blind = blindTo === null ? '' : ` Blind to ${blindTo}.`
    return md`**${title}** (${id}, ${role}): ${summary}.${blind}`
  })
  const decision = ['Reviewer', 'Date', 'Decision', 'Conditions'].map((field) => `${field}:`)
  return md`${paragraphs([
    md`# ${view.title}`,
    view.subject,
    bullets(view.labels),
    view.together,
    ...view.releases.flatMap(releaseParts),
    section(md`## How was it measured?`, bullets(methods)),
    ...checkedParts(view),
    section(md`## Decision`, bullets(decision)),
  ])}\n`.markdown
}

/** Which files, with their hashes, and what was run. */
export function checkedParts({ files, run, notes }: Pick<DocumentView, 'files' | 'run' | 'notes'>) {
  return [
    md`## How can this be checked?`,
    markdownTable(filesTable(files)),
    titledBullets(
      'Run',
      run.map(([name, value]) => `${name}: ${value}`),
    ),
    titledBullets('Notes', notes),
  ]
}

function releaseParts(release: ReleaseDocument): (Markdown | string | null)[] {
  const { name, level, recommendation, sentence, worst, untested, threats, utility, structure, evidence, tables } =
    release
  return [
    md`## ${name}: ${level}`,
    md`**${recommendation}** ${sentence}`,
    titledBullets(
      'What is worst, and what helps',
      worst.map(({ text, remedy }) => `${text}. ${remedy}.`),
    ),
    titledBullets(
      'What was not tested',
      untested.map(({ question, reason }) => `${question} ${reason}`),
    ),
    ...threats.flatMap(threatParts),
    utility === null
      ? null
      : section(
          md`### How useful is it?`,
          md`**${utility.level}**, ${utility.score}: ${utility.sentence}. Relations ${utility.relations}, single columns ${utility.columns}.`,
          markdownTable(utilityTable(utility)),
        ),
    section(md`### What does the file look like?`, markdownTable(structure)),
    section(md`### What does every measure say?`, markdownTable(evidence)),
    section(
      md`### What do the measures have in tables?`,
      ...tables.flatMap((measure) => [md`#### ${measure.title}`, ...measure.tables.map(titledTable)]),
    ),
  ]
}

function threatParts(threat: ThreatDocument): (Markdown | string | null)[] {
  const { settles, remedy, supports, contradicts } = threat
  return [
    md`### ${threat.question}`,
    md`**${threat.level}** ${threat.answer}`,
    bullets([
      `Attacker: ${threat.attacker}`,
      `Leakage: ${threat.leakage} (${threat.bounds}, one-sided ${percent(BOUND_LEVEL, 0)} bounds)${threat.remark === null ? '' : `; ${threat.remark}`}`,
      `${threat.decidedBy}${threat.look === null ? '' : `, ${threat.look}`}: ${threat.scale.map(({ value, what }) => `${what} ${value}`).join(' · ')}`,
      ...(settles === null ? [] : [`What would settle it: ${settles}`]),
      ...(remedy === null ? [] : [`What helps: ${remedy}`]),
      ...(supports.length === 0 ? [] : [`Supported by: ${supports.join(', ')}`]),
      ...contradicts.map(({ measures, why }) => `Contradicted by: ${measures}${why === null ? '' : ` (${why})`}`),
    ]),
    markdownTable(threat.columns),
    markdownTable(threat.drivers),
  ]
}
