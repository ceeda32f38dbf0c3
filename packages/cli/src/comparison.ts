import type { ReleaseFinding, Result } from '@scrim/core'
import { headline } from './assessment.js'
import { measureOf, NO_VALUE, referenceText, topicsOf, valueText, worstFirst } from './findings.js'
import { textTable } from './text-table.js'

/** One way to release the same original, assessed; with the files of its charts by measure. */
export interface Candidate {
  readonly name: string
  readonly results: readonly Result[]
  readonly charts: ReadonlyMap<string, readonly string[]>
}

/** One row per measure, one pair of columns per candidate; worst first by the first candidate. */
export function comparisonTable(candidates: readonly Candidate[], width: number): string {
  const columns = [
    { title: 'measure' },
    ...candidates.flatMap(({ name }) => [{ title: name, align: 'right' as const }, { title: 'verdict' }]),
    { title: 'compare with' },
    { title: 'what it counts', fold: true },
  ]
  const missing = notAssessed(candidates)
  const foot = missing.length === 0 ? '' : `\nNot assessed:\n${missing.map((reason) => `  - ${reason}\n`).join('')}`
  const heads = candidates.map(
    ({ name, results }) => `${name}: ${headline(results.filter(({ status }) => status === 'ok'))}\n`,
  )
  return `${heads.join('')}\n${textTable(columns, comparisonRows(candidates), width)}${foot}`
}

/** The same table in Markdown, then every measure with its sentences, reasons and charts. */
export function comparisonReport(title: string, story: readonly string[], candidates: readonly Candidate[]): string {
  const header = ['measure', ...candidates.flatMap(({ name }) => [name, 'verdict']), 'compare with', 'what it counts']
  const missing = notAssessed(candidates)
  return [
    `# ${title}`,
    ...story,
    [header, header.map(() => '---'), ...comparisonRows(candidates)]
      .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
      .join('\n'),
    ...(missing.length === 0 ? [] : ['## Not assessed', missing.map((reason) => `- ${reason}`).join('\n')]),
    ...assessedIds(candidates).flatMap((id) => measureSection(id, candidates)),
    '',
  ].join('\n\n')
}

function comparisonRows(candidates: readonly Candidate[]): readonly string[][] {
  return assessedIds(candidates).map((id) => {
    const results = candidates.map((candidate) => resultOf(candidate, id))
    const known = results.flatMap((result) => (result?.status === 'ok' ? [result] : []))
    return [
      id,
      ...results.flatMap((result) => [valueText(result?.value ?? null), verdictText(result)]),
      known.length === 0 ? NO_VALUE : referenceText(known[0], known[0].releases[0].target),
      measureOf(id).summary,
    ]
  })
}

/** Ids of the measures that have a finding for any candidate, worst first. */
function assessedIds(candidates: readonly Candidate[]): readonly string[] {
  const found = candidates.flatMap(({ results }) =>
    worstFirst(results.filter((result) => result.status === 'ok').flatMap(topicsOf)),
  )
  return [...new Set(found.map(({ result }) => result.measure))]
}

function notAssessed(candidates: readonly Candidate[]): readonly string[] {
  const left = candidates.flatMap(({ name, results }) =>
    results
      .filter((result) => result.status !== 'ok')
      .map((result) => ({ name, text: result.reason ?? `${result.measure}: no reason given` })),
  )
  return [...new Set(left.map(({ text }) => text))].map((text) => {
    const names = left.filter((each) => each.text === text).map(({ name }) => name)
    return names.length === candidates.length ? text : `${text} (${names.join(', ')})`
  })
}

function measureSection(id: string, candidates: readonly Candidate[]): readonly string[] {
  const { title, summary, thresholds } = measureOf(id)
  return [
    `## ${title}`,
    `${capitalised(summary)}.`,
    ...candidates.flatMap((candidate) => {
      const finding = resultOf(candidate, id)?.releases[0]
      if (finding === undefined) return []
      return [
        `**${candidate.name}**: ${findingText(finding)}`,
        ...(candidate.charts.get(id) ?? []).map((file) => `![${title}, ${candidate.name}](${file})`),
      ]
    }),
    ...thresholds.literature.map(({ meaning, source }) => `Literature: ${meaning} (${source}).`),
  ]
}

function findingText({ sentence, verdict, warnings }: ReleaseFinding): string {
  const because = verdict === undefined ? '' : ` Verdict ${verdict.level}: ${verdict.because}.`
  return `${sentence}.${because}${warnings.map((warning) => ` Note: ${warning}.`).join('')}`
}

function resultOf({ results }: Candidate, id: string): Result | undefined {
  return results.find((result) => result.measure === id)
}

function verdictText(result: Result | undefined): string {
  if (result === undefined || result.status !== 'ok') return result?.status ?? NO_VALUE
  return result.releases[0].verdict?.level ?? NO_VALUE
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
