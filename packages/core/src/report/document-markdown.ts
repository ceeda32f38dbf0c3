import { percent } from '../print.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import type { DocumentView, ReleaseDocument, ThreatDocument } from './document.js'
import { bullets, checked, table } from './markdown.js'

/** The document as Markdown, as exact as its view is: the same words and numbers as the HTML, without pictures. */
export function documentMarkdown(view: DocumentView): string {
  return `${[
    `# ${view.title}`,
    view.subject,
    ...(view.labels.length === 0 ? [] : [view.labels.map((label) => `- ${label}`).join('\n')]),
    ...(view.together === null ? [] : [view.together]),
    ...view.releases.flatMap(releaseParts),
    '## How was it measured?',
    view.methods
      .map(({ title, id, role, summary, blindTo }) => {
        const blind = blindTo === null ? '' : ` Blind to ${blindTo}.`
        return `- **${title}** (${id}, ${role}): ${summary}.${blind}`
      })
      .join('\n'),
    ...checked(view),
    '## Decision',
    ['Reviewer', 'Date', 'Decision', 'Conditions'].map((field) => `- ${field}:`).join('\n'),
  ].join('\n\n')}\n`
}

function releaseParts(release: ReleaseDocument): string[] {
  const { name, level, recommendation, sentence, worst, untested, threats, utility, structure, evidence } = release
  return [
    `## ${name}: ${level}`,
    `**${recommendation}** ${sentence}`,
    ...bullets(
      'What is worst, and what helps',
      worst.map(({ text, remedy }) => `${text}. ${remedy}.`),
    ),
    ...bullets(
      'What was not tested',
      untested.map(({ question, reason }) => `${question} ${reason}`),
    ),
    ...threats.flatMap(threatParts),
    ...(utility === null
      ? []
      : [
          '### How useful is it?',
          `**${utility.level}**, ${utility.score}: ${utility.sentence}. Relations ${utility.relations}, single columns ${utility.columns}.`,
          table(
            ['measure', 'value', 'honest sample', 'ratio', 'place', 'as good as', 'p'],
            utility.measures.map((row) => [
              row.measure,
              row.value,
              row.honest,
              row.ratio,
              row.place,
              row.sample,
              row.p,
            ]),
          ),
        ]),
    ...(structure.length === 0
      ? []
      : [
          '### What does the file look like?',
          table(
            ['fact', 'this release', 'the original'],
            structure.map((fact) => [withTarget(fact.title, fact.target), fact.value, fact.original]),
          ),
        ]),
    '### What does every measure say?',
    table(
      ['measure', 'role', 'value', 'leakage'],
      evidence.map(({ title, target, role, value, leakage }) => [withTarget(title, target), role, value, leakage]),
    ),
  ]
}

function threatParts(threat: ThreatDocument): string[] {
  return [
    `### ${threat.question}`,
    `**${threat.level}** ${threat.answer}`,
    [
      `- Attacker: ${threat.attacker}`,
      `- Leakage: ${threat.leakage} (${threat.bounds}, one-sided ${percent(BOUND_LEVEL, 0)} bounds)`,
      ...(threat.people === null ? [] : [`- People concerned: ${threat.people}`]),
      `- ${threat.decidedBy}: ${threat.scale.map(({ value, what }) => `${value} ${what}`).join(' · ')}`,
      ...(threat.settles === null ? [] : [`- What would settle it: ${threat.settles}`]),
      ...(threat.remedy === null ? [] : [`- What helps: ${threat.remedy}`]),
      ...(threat.supports.length === 0 ? [] : [`- Supported by: ${threat.supports.join(', ')}`]),
      ...threat.contradicts.map(
        ({ measures, why }) => `- Contradicted by: ${measures}${why === null ? '' : ` (${why})`}`,
      ),
    ].join('\n'),
    ...(threat.columns.length === 0
      ? []
      : [
          table(
            ['column', 'leakage gone without it', 'bounds'],
            threat.columns.map(({ column, share, bounds }) => [column, share, bounds]),
          ),
        ]),
    ...(threat.columns.length === 0
      ? []
      : [
          table(
            ['without the column', 'leakage is less by', 'bounds'],
            threat.columns.map(({ column, share, bounds }) => [column, share, bounds]),
          ),
        ]),
    ...(threat.drivers.length === 0
      ? []
      : [
          table(
            ['group', 'people', 'each', 'bounds', 'over all'],
            threat.drivers.map(({ group, people, mean, bounds, overall }) => [group, people, mean, bounds, overall]),
          ),
        ]),
  ]
}

function withTarget(title: string, target: string | null): string {
  return target === null ? title : `${title} (${target})`
}
