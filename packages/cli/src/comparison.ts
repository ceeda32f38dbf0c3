import type { ReleaseFinding, Result } from '@scrim/core'
import { headline } from './assessment.js'
import { literatureText, measureOf, NO_VALUE, referenceText, topicsOf, valueText, worstFirst } from './findings.js'
import { textTable, wrap } from './text-table.js'

/** One way to release the same original, assessed; with the files of its charts by measure. */
export interface Candidate {
  readonly name: string
  readonly results: readonly Result[]
  readonly charts: ReadonlyMap<string, readonly string[]>
}

/** One row per measure, one pair of columns per candidate; worst first by the first candidate. What a measure counts is in the report. */
export function comparisonTable(candidates: readonly Candidate[], width: number): string {
  const columns = [
    { title: 'measure' },
    ...candidates.flatMap(({ name }) => [{ title: name, align: 'right' as const }, { title: 'verdict' }]),
    { title: 'compare with', fold: true },
  ]
  const missing = notAssessed(candidates).flatMap((reason) =>
    wrap(reason, width - BULLET.length).map((line, k) => `${k === 0 ? BULLET : ' '.repeat(BULLET.length)}${line}\n`),
  )
  const foot = missing.length === 0 ? '' : `\nNot assessed:\n${missing.join('')}`
  const heads = candidates.flatMap(({ name, results }) =>
    wrap(`${name}: ${headline(results.filter(({ status }) => status === 'ok'))}`, width).map((line) => `${line}\n`),
  )
  return `${heads.join('')}\n${textTable(columns, comparisonRows(candidates), width)}${foot}`
}

const BULLET = '  - '

/** The same table in Markdown, then every measure with its sentences, reasons and charts. */
export function comparisonReport(title: string, story: readonly string[], candidates: readonly Candidate[]): string {
  const header = ['measure', ...candidates.flatMap(({ name }) => [name, 'verdict']), 'compare with', 'what it counts']
  const missing = notAssessed(candidates)
  return [
    `# ${title}`,
    ...story,
    [
      header,
      header.map(() => '---'),
      ...comparisonRows(candidates).map((cells) => [...cells, measureOf(cells[0]).summary]),
    ]
      .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
      .join('\n'),
    ...(missing.length === 0 ? [] : ['## Not assessed', missing.map((reason) => `- ${reason}`).join('\n')]),
    ...assessedIds(candidates).flatMap((id) => measureSection(id, candidates)),
    '',
  ].join('\n\n')
}

/** Starts with the id. A measure that has no value for any candidate has no row. */
function comparisonRows(candidates: readonly Candidate[]): readonly string[][] {
  return assessedIds(candidates).flatMap((id) => {
    const results = candidates.map((candidate) => resultOf(candidate, id))
    if (results.every((result) => (result?.value ?? null) === null)) return []
    return [
      [
        id,
        ...results.flatMap((result) => [valueText(result?.value ?? null), verdictText(result)]),
        referencesText(results),
      ],
    ]
  })
}

/** One reference where all candidates have the same, as the original's; otherwise one number for each in turn. */
function referencesText(results: readonly (Result | undefined)[]): string {
  const texts = results.map((result) =>
    result?.status === 'ok' ? referenceText(result, result.releases[0].target) : NO_VALUE,
  )
  if (new Set(texts).size === 1) return texts[0]
  const parts = texts.map((text) => /^(\S+) % (.*)$/.exec(text))
  const whats = new Set(parts.flatMap((part) => part?.[2] ?? []))
  if (whats.size !== 1) return texts.join(', ')
  return `${parts.map((part) => part?.[1] ?? NO_VALUE).join(', ')} % ${[...whats][0]}`
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
    results.filter(({ value }) => value === null).map((result) => ({ name, text: whyNot(result) })),
  )
  return [...new Set(left.map(({ text }) => text))].map((text) => {
    const names = left.filter((each) => each.text === text).map(({ name }) => name)
    return names.length === candidates.length ? text : `${text} (${names.join(', ')})`
  })
}

function whyNot({ measure, reason, releases }: Result): string {
  const text = reason ?? releases[0]?.verdict?.because ?? 'no reason given'
  return text.startsWith(measure) ? text : `${measure}: ${text}`
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
    ...thresholds.literature.map((cut) => `Literature, ${literatureText(cut)}.`),
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
  const level = result.releases[0].verdict?.level
  return level === undefined || level === 'NOT ASSESSED' ? NO_VALUE : level
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
