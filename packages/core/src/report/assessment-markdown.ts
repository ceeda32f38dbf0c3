import type { Assessment } from '../assess/assessment.js'
import { INTERNAL, INTERNAL_BANNER } from '../discretion.js'
import { THREAT_TEXT } from '../evidence/threats.js'
import type { AnyMeasure, Result } from '../measure.js'
import { answerView, type ReleaseView, threatsTable, type UtilityView, utilityTable } from './answer.js'
import { evidenceRows, literatureText, lookRows, looksTable } from './findings/evidence-table.js'
import { exposedRecords, type RecordsShown } from './findings/exposed-records.js'
import { byTarget } from './findings/findings.js'
import { findingTableView, tablesOf } from './findings/measure-tables.js'
import { bullets, type Markdown, markdownTable, md, paragraphs, titledBullets, titledTable } from './markdown.js'

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
  return paragraphs([
    shown === null ? null : md`> **${INTERNAL_BANNER}**`,
    ...view.releases.map(releaseSection),
    view.together,
    titledBullets('Failed', view.failed),
    titledBullets('Notes', view.notes),
    ...(shown === null ? [] : exposedSections(assessment, results, registry, shown)),
    md`### Every measure`,
    ...measured,
  ]).markdown
}

function releaseSection(release: ReleaseView): Markdown {
  return paragraphs([
    md`### ${release.name}: ${release.level}`,
    md`**${release.recommendation}** ${release.sentence}`,
    markdownTable(threatsTable(release)),
    titledBullets('What each rests on, leakage = (value - fair) / (original - its fair)', release.restsOn),
    titledBullets('What drives it', release.drivers),
    titledBullets('Which columns carry it', release.columns),
    titledBullets('Contradicting', release.contradicts),
    titledBullets('Supporting', release.supports),
    titledBullets('Nothing to tell', release.nothingToTell),
    titledBullets('Not tested', release.untested),
    titledBullets('Structure', [...release.behind, ...release.structure]),
    ...(release.utility === null ? [] : utilityParts(release.utility)),
  ])
}

function exposedSections(
  { releases }: Assessment,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  shown: RecordsShown,
): (Markdown | null)[] {
  return releases.flatMap(({ name, threats }, index) =>
    threats.flatMap((threat) => {
      const exposed = exposedRecords(threat, index, results, registry, shown)
      if (exposed === null) return []
      const title = md`### Most exposed records: ${name}, ${THREAT_TEXT[threat.threat].title}`
      return [title, markdownTable(exposed.table), bullets(exposed.meanings)]
    }),
  )
}

function utilityParts(view: UtilityView): readonly (Markdown | null)[] {
  const samples = view.samples === null ? '' : ` As far off as a random sample of ${view.samples} of the original.`
  return [
    md`**Utility: ${view.level}**, ${view.score}: ${view.sentence}. Relations ${view.relations}, columns ${view.columns}; 0 %: keeps nothing, 100 %: an honest sample.${samples}`,
    markdownTable(utilityTable(view)),
    titledBullets('Worst columns (S_pMSE)', view.worstColumns),
    titledBullets('Worst pairs (S_pMSE)', view.worstPairs),
  ]
}

function measureSection(
  measure: AnyMeasure,
  result: Result,
  pictures: ReadonlyMap<string, readonly string[]>,
): Markdown {
  const looks = lookRows(measure, result)
  return paragraphs([
    md`#### ${measure.title}`,
    ...evidenceRows(measure, result).map((row) => {
      const who = [row.release, ...(row.target === null ? [] : [row.target])].join(', ')
      const beside = row.beside.length === 0 ? '' : ` Beside: ${row.beside.join('; ')}.`
      const silent = row.notAssessed === null ? '' : ` Says nothing: ${row.notAssessed}.`
      return md`**${who}**: ${row.value}. ${row.sentence}.${beside}${silent}`
    }),
    looks.length <= result.releases.flatMap(byTarget).length ? null : markdownTable(looksTable(looks)),
    ...tablesOf(measure, result).flatMap((table) => {
      const view = findingTableView(table, INTERNAL, 0)
      return view === null ? [] : [titledTable(view)]
    }),
    ...(pictures.get(measure.id) ?? []).map((file) => md`![${measure.title}](${{ markdown: file }})`),
    ...literatureText(measure).map((cut) => `Literature, ${cut}.`),
  ])
}
