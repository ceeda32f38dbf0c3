import type { Chart } from '../../chart/chart.js'
import type { Penalty } from '../../output/description/value.js'
import { outputText } from '../../output/description/wording.js'
import { type Finding, RULES } from '../../output/rules/finding.js'
import { unreadVerdict } from '../../output/verdict/check.js'
import type { CheckedOutput, OutputCheck } from '../../output/verdict/check-schema.js'
import { DECISIONS, type Verdict } from '../../output/verdict/verdict.js'
import { count, fixed, grouped } from '../../print.js'
import { type FileRow, type Provenance, runRows } from '../document.js'
import { type TableView, tableUnlessEmpty, tableView } from '../findings/table-view.js'
import { cellsChart, recordsBehind, thinnestChart } from './outputs-chart.js'

/**
 * The check of a request as a document for the person who decides. It has exact numbers of small cells, so it stays inside: it is
 * never for release.
 */
export interface OutputsView {
  readonly title: string
  readonly subject: string
  readonly verdict: string
  /** What the verdict rests on, where that is less than all. */
  readonly basis: string | null
  readonly recommendation: string
  readonly sentence: string
  /** Fewest records behind a number; null where none is behind any. */
  readonly people: string | null
  readonly todo: string | null
  readonly thinnest: Chart | null
  readonly outputs: readonly OutputView[]
  /** What could not be computed again: name, type, verdict and why. */
  readonly unread: readonly (readonly [string, string, string, string])[]
  readonly decisions: TableView
  readonly limits: TableView
  readonly earlier: TableView | null
  readonly risk: RiskView | null
  readonly files: readonly FileRow[]
  readonly run: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
}

export interface OutputView {
  readonly id: string
  readonly what: string
  readonly verdict: string
  readonly alone: string
  readonly why: string
  readonly change: string
  readonly records: string
  readonly least: string
  readonly findings: readonly FindingView[]
  readonly remarks: readonly string[]
  readonly picture: Chart | null
  readonly values: TableView
}

interface FindingView {
  readonly rule: string
  readonly means: string
  readonly status: string
  readonly sentence: string
}

/** What the embedded data say. */
export interface RiskView {
  readonly sentence: string
  readonly facts: readonly (readonly [string, string])[]
  readonly pictures: readonly Chart[]
}

const RECOMMENDATIONS: Readonly<Record<Verdict, string>> = {
  release: 'They may be released.',
  review: 'Have somebody check them before they are released.',
  refuse: 'Do not release them as they are.',
}
const CHANGES = {
  new: 'not released before',
  unchanged: 'released before, the same',
  changed: 'released before with other numbers',
}
const PENALTY_TEXT: Readonly<Record<Penalty, string>> = {
  firth: "a term separates the outcomes: estimates are with Firth's penalty",
  ridge: 'a term separates the outcomes: estimates are with a ridge',
}
const STATUSES = { refuse: 'somebody can be identified', fail: 'broken', review: 'needs a look' }
const MOST_FINDINGS = 50
const MOST_VALUES = 200

export function outputsView(
  check: OutputCheck,
  provenance: Provenance,
  seed: number,
  risk: RiskView | null = null,
): OutputsView {
  const { title, data, preset, appetite, verdict, sentence, outputs, earlier, notes } = check
  return {
    title,
    subject: [
      `${grouped(data.records)} records in ${data.name}`,
      count(outputs.length, 'output'),
      `rules: ${preset}`,
      earlier.length === 0 ? 'nothing released before' : `${count(earlier.length, 'output')} released before`,
    ].join(' · '),
    verdict: verdictWord(verdict),
    basis: check.risk.level === 'not assessed' && verdict === 'release' ? 'by the rules alone' : null,
    recommendation: RECOMMENDATIONS[verdict],
    sentence,
    people: peopleText(outputs, appetite.threshold),
    todo: todoText(check),
    thinnest: thinnestChart(outputs, appetite.threshold),
    outputs: outputs.map((output) => outputView(output, appetite.threshold)),
    unread: check.unread.map((one) => [one.id, one.type, verdictWord(unreadVerdict(one)), one.reason]),
    decisions: tableView(
      'Rules and measured risk together',
      ['rules', 'marginal risk', { title: 'verdict', as: 'verdict' }],
      DECISIONS.map((one) => [one.rules, one.risk, verdictWord(one.verdict)]),
    ),
    limits: tableView('Limits of the rules', ['limit', 'value'], limitRows(check)),
    earlier: tableUnlessEmpty(
      'Released before, and looked at together with these',
      ['output', 'kind', 'file'],
      earlier.map(({ source, id, kind }) => [id, kind, source]),
    ),
    risk,
    files: provenance.files,
    run: runRows(provenance, seed),
    notes,
  }
}

function verdictWord(verdict: Verdict): string {
  return verdict.toUpperCase()
}

function peopleText(outputs: readonly CheckedOutput[], threshold: number): string | null {
  const behind = outputs.flatMap((output) => recordsBehind(output)).filter((records) => records > 0)
  if (behind.length === 0) return null
  const least = Math.min(...behind)
  const what =
    least < threshold
      ? `as few as ${grouped(least)} behind a number or a difference`
      : `${grouped(least)} or more behind every number`
  return `${what}; the minimum is ${threshold}`
}

const MOST_NAMED = 5

/** About the outputs with the worst verdict; why is said beside each. */
function todoText({ verdict, outputs, unread }: OutputCheck): string | null {
  if (verdict === 'release') return null
  const names = [...outputs, ...unread.map((one) => ({ id: one.id, verdict: unreadVerdict(one) }))]
    .filter((one) => one.verdict === verdict)
    .map(({ id }) => id)
  const left = names.length - MOST_NAMED
  const named = left > 1 ? [...names.slice(0, MOST_NAMED), `${left} others`] : names
  const list = named.length < 2 ? named[0] : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
  return verdict === 'refuse' ? `Change or withdraw ${list}, then check again` : `Look at ${list}`
}

function outputView(output: CheckedOutput, threshold: number): OutputView {
  const { id, description, findings, values, dropped, flags, records, degreesOfFreedom, support } = output
  const least = Math.min(...support.map((one) => one.records))
  const left = values.length - MOST_VALUES
  return {
    id,
    what: description.title ?? outputText(description),
    verdict: verdictWord(output.verdict),
    alone: verdictWord(output.alone),
    why: output.why,
    change: CHANGES[output.change],
    records: grouped(records),
    least: support.length === 0 ? '–' : grouped(least),
    findings: findingViews(findings),
    remarks: [
      ...(description.title === undefined ? [] : [outputText(description)]),
      ...(degreesOfFreedom === null ? [] : [`${grouped(degreesOfFreedom)} degrees of freedom`]),
      ...flags.map((penalty) => PENALTY_TEXT[penalty]),
      ...dropped.map(({ element, reason }) => `no number for ${element}: ${reason}`),
      ...(left > 0 ? [`${left} more numbers are in the JSON`] : []),
    ],
    picture: cellsChart(output, threshold),
    values: tableView(
      id,
      ['element', 'statistic', 'value'],
      values
        .slice(0, MOST_VALUES)
        .map(({ element, statistic, value, decimals }) => [element, statistic, fixed(value, decimals)]),
    ),
  }
}

const SEVERITY = { refuse: 0, fail: 1, review: 2 }

/** The worst first; too many of them tell no more than some. */
function findingViews(findings: readonly Finding[]): FindingView[] {
  const sorted = findings
    .map((one, k) => ({ one, k }))
    .sort((a, b) => SEVERITY[a.one.status] - SEVERITY[b.one.status] || a.k - b.k)
    .map(({ one }) => one)
  const shown = sorted
    .slice(0, MOST_FINDINGS)
    .map(({ rule, status, sentence }) => ({ rule, means: RULES[rule], status: STATUSES[status], sentence }))
  const left = sorted.length - shown.length
  return left <= 0
    ? shown
    : [...shown, { rule: '…', means: '', status: '', sentence: `${left} more findings are in the JSON` }]
}

function limitRows({ appetite }: OutputCheck): string[][] {
  const off = 'not looked at'
  const { threshold, zeros, dominanceN, dominanceK, pRatio, largest, group, df, missing } = appetite
  return [
    ['records behind a number', `at least ${threshold}`],
    ['empty cells and full groups', zeros ? 'broken' : 'allowed'],
    [`share of the ${dominanceN} largest contributors`, dominanceK === null ? off : `below ${dominanceK}`],
    ['(total − two largest) / largest', pRatio === null ? off : `at least ${pRatio}`],
    ['share of the largest contributor', largest === null ? off : `at most ${largest}`],
    ['share of a group with one value', group === null ? off : `at most ${group}`],
    ['degrees of freedom', `at least ${df}`],
    ['missing contributors', missing ? 'need a look' : off],
  ]
}
