import { type Gate, type GateStatus, gateHeadline, type Outcome } from '../assess/gate.js'
import { discretionFor } from '../discretion.js'
import { xmlText } from '../escape.js'
import { THREAT_TEXT, THREATS } from '../evidence/threats.js'
import type { JsonObject } from '../json.js'
import type { Reason } from '../reason.js'
import { jsonText, reasonText } from './findings/reasons.js'
import { type TableView, tableUnlessEmpty } from './findings/table-view.js'
import { bullets, markdownTable, md, paragraphs, section } from './markdown.js'

/** The outcome of a gate in the formats that pipelines show: JUnit XML, SARIF 2.1.0 and Markdown for a pull request. */

const OUTCOME_TEXT: Readonly<Record<GateStatus, string>> = {
  fail: 'is beyond what is allowed',
  waived: 'is beyond what is allowed, which was waived',
  'not worse': 'is beyond what is allowed, but no worse than the baseline',
  'not tested': 'was not tested',
  pass: 'is within what is allowed',
}

/** The gate for readers outside: which rules are broken and what they allow, without the numbers that were found. */
export function publishableGate(gate: Gate, people: number): Gate {
  const numbers = discretionFor('publishable')
  const discreet = (reason: Reason): Reason => ({ code: 'data', text: reasonText(reason, numbers, people) })
  return {
    ...gate,
    outcomes: gate.outcomes.map((outcome) => ({
      ...outcome,
      ...withoutNumber(outcome),
      reason: outcome.reason && discreet(outcome.reason),
    })),
    unfinished: gate.unfinished.map(({ measure, reason }) => ({ measure, reason: discreet(reason) })),
  }
}

/** A level may be known, the leakage that stands beside it not. */
function withoutNumber({ rule, status, found, limitText }: Outcome): Partial<Outcome> {
  if (found === null) return {}
  const outcome = `${rule} ${OUTCOME_TEXT[status]}`
  return typeof found === 'number'
    ? { found: null, foundText: '…', sentence: `${outcome}: ${limitText}.` }
    : { foundText: found, sentence: `${outcome}: it is ${found}, at most ${limitText} is allowed.` }
}

/** What was found, and why something was not tested. */
function outcomeText({ sentence, reason }: Pick<Outcome, 'sentence' | 'reason'>): string {
  return reason === null ? sentence : `${sentence} Why: ${reasonText(reason)}.`
}

/** "suda failed: out of memory", of measures that broke though a rule rests on them. */
export function unfinishedTexts({ unfinished }: Gate): readonly string[] {
  return unfinished.map(({ measure, reason }) => `${measure} failed: ${reasonText(reason)}`)
}

/** The gate as a program reads it. */
export function gateJson(gate: Gate): string {
  return jsonText({
    ...gate,
    outcomes: gate.outcomes.map((outcome) => ({ ...outcome, sentence: outcomeText(outcome) })),
  })
}

/** One test suite per release, one test case per rule and target. What is waived or was not tested is skipped. */
export function junitXml(gate: Gate): string {
  const suites = [...new Set(gate.outcomes.map(({ release }) => release))].map((name) => ({
    name,
    outcomes: gate.outcomes.filter(({ release }) => release === name),
  }))
  const lines = suites.flatMap(({ name, outcomes }) => [
    `  <testsuite name="${xmlText(name)}" ${counts(outcomes)}>`,
    ...outcomes.flatMap(testCase),
    '  </testsuite>',
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="scrim check" ${counts(gate.outcomes)}>`,
    ...lines,
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(outcomes: readonly Outcome[]): string {
  const skipped = outcomes.filter(({ status }) => isSkipped(status)).length
  const failures = outcomes.filter(({ status }) => status === 'fail').length
  return `tests="${outcomes.length}" failures="${failures}" errors="0" skipped="${skipped}"`
}

function isSkipped(status: GateStatus): boolean {
  return status === 'waived' || status === 'not tested'
}

function testCase(outcome: Outcome): readonly string[] {
  const { rule, release, target, status } = outcome
  const name = target === null ? rule : `${rule} (${target})`
  const text = xmlText(outcomeText(outcome))
  const inside =
    status === 'fail'
      ? `<failure type="${xmlText(rule)}" message="${text}">${text}</failure>`
      : isSkipped(status)
        ? `<skipped message="${xmlText(status)}: ${text}"/>`
        : `<system-out>${text}</system-out>`
  return [
    `    <testcase classname="${xmlText(release)}" name="${xmlText(name)}">`,
    `      ${inside}`,
    '    </testcase>',
  ]
}

export interface SarifSubject {
  readonly version: string
  /** The path of a released file, relative to the root of the repository, with slashes; the name of the release when not known. */
  readonly path: (release: string) => string
}

const SARIF_LEVEL = { fail: 'error', waived: 'note', 'not worse': 'note', 'not tested': 'note' } as const

/** One result for everything but what passes. A file of data has no line to point at, so all point at the first. */
export function sarifLog({ outcomes }: Gate, { version, path }: SarifSubject): JsonObject {
  const rules = [...new Set(outcomes.map(({ rule }) => rule))]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'scrim',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: ruleText(id) } })),
          },
        },
        results: outcomes.flatMap((outcome) => {
          const { rule, release, target, status, found, limit } = outcome
          const text = outcomeText(outcome)
          if (status === 'pass') return []
          return [
            {
              ruleId: rule,
              ruleIndex: rules.indexOf(rule),
              level: SARIF_LEVEL[status],
              message: { text: `${release}: ${text}` },
              locations: [
                { physicalLocation: { artifactLocation: { uri: uriOf(path(release)) }, region: { startLine: 1 } } },
              ],
              partialFingerprints: { primaryLocationLineHash: [rule, release, target ?? ''].join('/') },
              ...(status === 'waived' ? { suppressions: [{ kind: 'external', justification: text }] } : {}),
              properties: { status, found, limit },
            },
          ]
        }),
      },
    ],
  }
}

function ruleText(rule: string): string {
  const threat = THREATS.find((name) => rule === `threat:${name}`)
  if (threat !== undefined) return THREAT_TEXT[threat].question
  return rule === 'overall'
    ? 'Is a threat worse than allowed?'
    : `Is ${rule.replace('measure:', '')} beyond its limits?`
}

/** A surrogate without its other half, which no URI can hold. */
const HALF_CHARACTER = /\p{Cs}/gu

/** A relative path stays relative; one from the root, or from a drive, becomes a file URI. */
function uriOf(path: string): string {
  const drive = /^[A-Za-z]:\//.exec(path)?.[0] ?? ''
  const encoded = path
    .slice(drive.length)
    .split('/')
    .map((part) => encodeURIComponent(part.replace(HALF_CHARACTER, '\uFFFD')))
    .join('/')
  if (drive !== '') return `file:///${drive}${encoded}`
  return path.startsWith('/') ? `file://${encoded}` : encoded
}

/** Found again by whoever updates the comment instead of adding one. */
export const MARKDOWN_MARK = '<!-- scrim check -->'

/** What is wrong on top, what is in order folded away. */
export function gateMarkdown(gate: Gate): string {
  const told = gate.outcomes.filter(({ status }) => status !== 'pass')
  const passing = gate.outcomes.filter(({ status }) => status === 'pass')
  const remarks = [...gate.remarks, ...unfinishedTexts(gate)]
  return md`${paragraphs([
    { markdown: MARKDOWN_MARK },
    md`### scrim check: ${gateHeadline(gate)}`,
    markdownTable(outcomeTable(told), boldFailure),
    bullets(remarks),
    section(
      md`<details><summary>${String(passing.length)} passing</summary>`,
      markdownTable(outcomeTable(passing)),
      passing.length === 0 ? null : md`</details>`,
    ),
  ])}\n`.markdown
}

const boldFailure = (cell: string, column: number) => (column === 0 && cell === 'fail' ? md`**${cell}**` : cell)

function outcomeTable(outcomes: readonly Outcome[]): TableView | null {
  return tableUnlessEmpty(
    'Outcomes',
    ['outcome', 'rule', 'release', 'what was found'],
    outcomes.map(({ status, rule, release, target, ...outcome }) => [
      status,
      rule,
      target === null ? release : `${release} (${target})`,
      outcomeText(outcome),
    ]),
  )
}
