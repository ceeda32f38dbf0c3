import { assess, count, type Release, type Result, type TaskRunner } from '@scrim/core'
import {
  byTarget,
  hasFailed,
  measureOf,
  NO_VALUE,
  referenceText,
  releasedFindings,
  type Topic,
  topicsOf,
  valueText,
  worstFirst,
} from './findings.js'
import type { Progress } from './progress.js'
import { textTable, wrap } from './text-table.js'

/** All results of a release, and how they are told to a custodian. */

interface How {
  readonly measures?: readonly string[]
  readonly options?: Readonly<Record<string, object>>
  readonly seed: number | undefined
  readonly progress: Progress
  readonly tasks?: TaskRunner
  /** Called with each result as soon as it is there. */
  readonly each?: (result: Result) => Promise<void>
}

export async function assessAll(
  release: Release,
  { measures, options, seed, progress, tasks, each }: How,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const show = (at: { measure: string; index: number; of: number; share: number }) =>
    progress.show(`${at.index + 1} of ${at.of}: ${at.measure}${at.share > 0 ? ` ${Math.round(100 * at.share)} %` : ''}`)
  for await (const result of assess(release, { measures, options, seed, tasks, progress: show })) {
    results.push(result)
    await each?.(result)
  }
  return results
}

/** What was found, worst first; then what could not be assessed, and why. */
export function assessmentText(release: Release, results: readonly Result[], width: number): string {
  const found = results.filter((result) => result.status === 'ok')
  const topics = worstFirst(found.flatMap(topicsOf))
  const missing = results.filter((result) => result.status === 'not applicable')
  const paragraphs = [
    headline(found),
    topics.length === 0 ? '' : topicsTable(topics, release.targets.length > 1, width).trimEnd(),
    list('Not assessed', missing.map(reason), width),
    list('Failed (please report this)', results.filter(hasFailed).map(reason), width),
    list('Notes', notes(release, found), width),
  ]
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`
}

export function subjectText({ original, released, keys, targets, holdout, type }: Release): string {
  const names = released.length > 3 ? `${released.length} releases` : released.map(({ name }) => name).join(', ')
  const parts = [
    `${original.name} (${count(original.rows, 'record')}) and ${names}`,
    `keys ${keys.join(', ') || 'none'}`,
    `target ${targets.join(', ') || 'none'}`,
    ...(holdout === null ? [] : [`holdout ${holdout.name}`]),
    `type ${type}`,
  ]
  return parts.join('; ')
}

/** How many measures call the risk high, of those that judge at all. */
export function headline(found: readonly Result[]): string {
  const judged = found.flatMap(topicsOf).filter(({ level }) => level !== undefined && level !== 'NOT ASSESSED')
  const names = (topics: readonly Topic[]) => new Set(topics.map(({ result }) => measureOf(result.measure).title))
  const measures = names(judged).size
  if (measures === 0) return 'No measure judges the risk.'
  const high = names(judged.filter(({ level }) => level === 'HIGH'))
  if (high.size === 0)
    return `${measures === 1 ? 'The measure does not call' : `None of ${measures} measures calls`} the risk high.`
  return `${high.size} of ${count(measures, 'measure')} ${high.size === 1 ? 'calls' : 'call'} the risk HIGH: ${[...high].join(', ')}.`
}

function topicsTable(topics: readonly Topic[], severalTargets: boolean, width: number): string {
  const columns = [
    { title: 'verdict' },
    { title: 'measure' },
    ...(severalTargets ? [{ title: 'target' }] : []),
    { title: 'release', align: 'right' as const },
    { title: 'compare with' },
    { title: 'what it says', fold: true },
  ]
  const rows = topics.flatMap((topic) => topicRows(topic, severalTargets))
  return textTable(columns, rows, width)
}

/** One row; with several releases their mean, and then each of them unless several targets make that too long. */
function topicRows(topic: Topic, severalTargets: boolean): readonly string[][] {
  const { result, target, findings, pooled, level, value } = topic
  const { title } = measureOf(result.measure)
  const targetCell = severalTargets ? [target ?? NO_VALUE] : []
  const reference = referenceText(result, target)
  const sentence = findings.length === 1 ? findings[0].sentence : spread(topic)
  const head = [level ?? NO_VALUE, title, ...targetCell, valueText(value), reference, sentence]
  if (findings.length === 1 || severalTargets) return [head]
  const each = [...findings, ...(pooled === null ? [] : [pooled])]
  return [
    head,
    ...each.map((one) => [one.verdict?.level ?? NO_VALUE, `  ${one.name}`, valueText(one.value), '', one.sentence]),
  ]
}

function spread({ result, findings }: Topic): string {
  const order = result.orientation === 'risk' ? -1 : 1
  const found = findings.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]))
  if (found.length === 0) return findings[0].sentence
  const [worst, ...rest] = found.sort((a, b) => order * (a.value - b.value))
  const best = rest.at(-1) ?? worst
  return `mean of ${found.length} releases; worst ${valueText(worst.value)} (${worst.name}), best ${valueText(best.value)}`
}

function reason(result: Result): string {
  const failure = releasedFindings(result)
    .flatMap(byTarget)
    .find((finding) => finding.status === 'failed')
  const text = result.reason ?? failure?.reason ?? 'no reason given'
  return text.startsWith(result.measure) ? text : `${result.measure}: ${text}`
}

/** Remarks on the data first, then those of single measures, each once. */
function notes(release: Release, found: readonly Result[]): readonly string[] {
  const own = found.flatMap((result) =>
    [
      ...new Set(
        releasedFindings(result)
          .flatMap(byTarget)
          .flatMap((finding) => finding.warnings),
      ),
    ].map((warning) => `${result.measure}: ${warning}`),
  )
  return [...new Set([...release.warnings, ...own])]
}

function list(title: string, items: readonly string[], width: number): string {
  if (items.length === 0) return ''
  const lines = items.flatMap((item) => wrap(item, width - 4).map((line, k) => `${k === 0 ? '  - ' : '    '}${line}`))
  return [`${title}:`, ...lines].join('\n')
}
