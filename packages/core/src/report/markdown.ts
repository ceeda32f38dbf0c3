import type { Assessment } from '../assess/assessment.js'
import { INTERNAL_BANNER } from '../discretion.js'
import { THREAT_TEXT } from '../evidence/threats.js'
import type { AnyMeasure, Result } from '../measure.js'
import { answerView, type ReleaseView, type UtilityView } from './answer.js'
import type { DocumentView } from './document.js'
import { evidenceRows, literatureText } from './evidence-table.js'
import { exposedRecords, type RecordsShown } from './exposed-records.js'

/** The assessment as Markdown: the answer first, then every measure with its pictures. */
export function assessmentMarkdown(
  assessment: Assessment,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  /** Files of pictures by measure. */
  pictures: ReadonlyMap<string, readonly string[]> = new Map(),
  /** For readers inside: where the most exposed records are to be looked up. */
  shown: RecordsShown | null = null,
): string {
  const view = answerView(assessment)
  const measured = registry.flatMap((measure) => {
    const result = results.find((one) => one.measure === measure.id)
    return result === undefined || result.status !== 'ok' ? [] : [measureSection(measure, result, pictures)]
  })
  return [
    ...(shown === null ? [] : [`> **${INTERNAL_BANNER}**`]),
    ...view.releases.map(releaseSection),
    ...(view.together === null ? [] : [view.together]),
    ...bullets('Failed', view.failed),
    ...bullets('Notes', view.notes),
    ...(shown === null ? [] : exposedSections(assessment, results, registry, shown)),
    '### Every measure',
    ...measured,
  ].join('\n\n')
}

function releaseSection(one: ReleaseView): string {
  return [
    `### ${one.name}: ${one.level}`,
    `**${one.recommendation}** ${one.sentence}`,
    table(
      ['threat', 'verdict', 'leakage', 'bounds', 'exposure', 'people', 'decided by'],
      one.threats.map((row) => [
        row.title,
        row.level,
        row.leakage,
        row.bounds,
        row.exposure,
        row.people,
        row.decidedBy,
      ]),
    ),
    ...bullets('What drives it', one.drivers),
    ...bullets('Which columns carry it', one.columns),
    ...bullets('Contradicting', one.contradicts),
    ...bullets('Supporting', one.supports),
    ...bullets('Nothing to tell', one.nothingToTell),
    ...bullets('Not tested', one.untested),
    ...bullets('Structure', [...one.behind, ...one.structure]),
    ...(one.utility === null ? [] : utilitySection(one.utility)),
  ].join('\n\n')
}

function exposedSections(
  { releases }: Assessment,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  shown: RecordsShown,
): string[] {
  return releases.flatMap(({ name, threats }, index) =>
    threats.flatMap((threat) => {
      const found = exposedRecords(threat, index, results, registry, shown)
      if (found === null) return []
      const title = `### Most exposed records: ${name}, ${THREAT_TEXT[threat.threat].title}`
      return [title, table(found.head, found.rows), found.meanings.map((text) => `- ${text}`).join('\n')]
    }),
  )
}

function utilitySection(view: UtilityView): readonly string[] {
  return [
    `**Utility: ${view.level}**, ${view.score}. ${view.sentence}. Relations ${view.relations}, columns ${view.columns}; 0 %: keeps nothing, 100 %: an honest sample.${view.samples === null ? '' : ` As far off as a random sample of ${view.samples} of the original.`}`,
    table(
      ['measure', 'value', 'honest sample', 'ratio', 'place', 'sample', 'p'],
      view.measures.map((row) => [row.measure, row.value, row.honest, row.ratio, row.place, row.sample, row.p]),
    ),
    ...bullets('Worst columns (S_pMSE)', view.worstColumns),
    ...bullets('Worst pairs (S_pMSE)', view.worstPairs),
  ]
}

function measureSection(measure: AnyMeasure, result: Result, pictures: ReadonlyMap<string, readonly string[]>): string {
  return [
    `#### ${measure.title}`,
    ...evidenceRows(measure, result).map((row) => {
      const who = [row.release, ...(row.target === null ? [] : [row.target])].join(', ')
      const beside = row.beside.length === 0 ? '' : ` Beside: ${row.beside.join('; ')}.`
      const silent = row.notAssessed === null ? '' : ` Says nothing: ${row.notAssessed}.`
      return `**${who}**: ${row.value}. ${row.sentence}.${beside}${silent}`
    }),
    ...(pictures.get(measure.id) ?? []).map((file) => `![${measure.title}](${file})`),
    ...literatureText(measure).map((cut) => `Literature, ${cut}.`),
  ].join('\n\n')
}

/** Which files, with their hashes, and what was run. */
export function checked({ files, run, notes }: Pick<DocumentView, 'files' | 'run' | 'notes'>): readonly string[] {
  return [
    '## How can this be checked?',
    table(
      ['file', 'role', 'records', 'columns', 'SHA-256'],
      files.map(({ name, role, rows, columns, sha256 }) => [name, role, String(rows), String(columns), sha256]),
    ),
    ...bullets(
      'Run',
      run.map(([name, value]) => `${name}: ${value}`),
    ),
    ...bullets('Notes', notes),
  ]
}

export function bullets(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, items.map((item) => `- ${item}`).join('\n')]
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
