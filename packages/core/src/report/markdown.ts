import type { Assessment } from '../assess/assessment.js'
import type { AnyMeasure, Result } from '../measure.js'
import { answerView, type ReleaseView, type UtilityView } from './answer.js'
import { evidenceRows, literatureText } from './evidence-table.js'

/** The assessment as Markdown: the answer first, then every measure with its pictures. */
export function assessmentMarkdown(
  assessment: Assessment,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  /** Files of pictures by measure. */
  pictures: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const view = answerView(assessment)
  const measured = registry.flatMap((measure) => {
    const result = results.find((one) => one.measure === measure.id)
    return result === undefined || result.status !== 'ok' ? [] : [measureSection(measure, result, pictures)]
  })
  return [
    ...view.releases.map(releaseSection),
    ...(view.together === null ? [] : [view.together]),
    ...bullets('Failed', view.failed),
    ...bullets('Notes', view.notes),
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
    ...bullets('Contradicting', one.contradicts),
    ...bullets('Supporting', one.supports),
    ...bullets('Not tested', one.untested),
    ...bullets('Structure', [...one.behind, ...one.structure]),
    ...(one.utility === null ? [] : utilitySection(one.utility)),
  ].join('\n\n')
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

export function bullets(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, items.map((item) => `- ${item}`).join('\n')]
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
