import { columnNames, type Table } from '../../table/table.js'
import type { Output, OutputRequest, TableOutput } from '../description/description.js'
import { requestTable, usedVariables } from '../description/variables.js'
import type { UnreadOutput } from '../exchange/acro-import.js'
import { type PreparedRequest, prepareRequest } from '../exchange/request.js'
import { supportOf } from '../numbers/support.js'
import { type Appetite, PRESETS, type Preset } from '../rules/appetite.js'
import { fixedCells, isTooLarge } from '../rules/bounds.js'
import { differences } from '../rules/differencing.js'
import type { Finding } from '../rules/finding.js'
import { outputRules } from '../rules/output-rules.js'
import { recoverableCells } from '../rules/suppression.js'
import type { CheckedOutput, OutputCheck, OutputRiskEvidence } from './check-schema.js'
import { changeOf, type EarlierOutput, sameBefore, smallUpdates } from './history.js'
import { noEvidence } from './risk-evidence.js'
import { decide, rulesLevel, VERDICTS, type Verdict, worst } from './verdict.js'

export interface CheckOptions {
  readonly preset?: Preset
  /** Limits that are not those of the preset. */
  readonly appetite?: Partial<Appetite>
  readonly earlier?: readonly EarlierOutput[]
  /** What else is to be released, but cannot be computed again. */
  readonly unread?: readonly UnreadOutput[]
}

export interface Checked {
  readonly prepared: PreparedRequest
  readonly check: OutputCheck
}

export function checkRequest(request: OutputRequest, data: Table, options: CheckOptions = {}): Checked {
  const { preset = 'acro', earlier = [], unread = [] } = options
  const appetite: Appetite = { ...PRESETS[preset], ...options.appetite }
  const known = earlier.filter((one) => isKnown(one, request, data))
  const prepared = prepareRequest(request, data)
  const together = [
    ...request.outputs,
    ...known.map(({ output, source }) => ({ ...output, id: `${source}: ${output.id}` })),
  ]
  const table = requestTable({ ...request, outputs: together }, data)
  const alone = request.outputs.map((output, k) =>
    outputRules(output, prepared.recomputed[k], prepared.table, appetite),
  )
  const shared = jointFindings(request.outputs.length, together, table, appetite)
  const outputs = request.outputs.map((output, k): CheckedOutput => {
    const result = prepared.recomputed[k]
    const before = sameBefore(output, earlier)
    const joint = [
      ...shared.filter((one) => one.output === output.id || one.others.includes(output.id)),
      ...smallUpdates(output, result.values, before, appetite),
    ]
    const findings = [...alone[k], ...joint]
    return {
      id: output.id,
      description: output,
      alone: decide(rulesLevel(alone[k]), 'not assessed').verdict,
      ...decide(rulesLevel(findings), 'not assessed'),
      findings,
      change: changeOf(result.values, before),
      ...result,
      support: supportOf(output, prepared.table),
    }
  })
  const check: OutputCheck = {
    schemaVersion: 1,
    title: request.title ?? 'Outputs to be released',
    data: { name: data.name, records: data.rows },
    preset,
    appetite,
    ...overall(outputs, unread, ONLY_RULES),
    outputs,
    unread,
    earlier: known.map(({ source, output }) => ({ source, id: output.id, kind: output.kind })),
    risk: ONLY_RULES,
    notes: [
      ...earlier
        .filter((one) => !known.includes(one))
        .map(({ source, output }) => `"${output.id}" of ${source} looks at variables that ${data.name} does not have`),
      ...tablesTogether(together)
        .filter((tables) => isTooLarge(tables, table))
        .map(
          (tables) =>
            `what ${tables.map(({ id }) => `"${id}"`).join(', ')} tell together was not bounded: too many cells`,
        ),
    ],
  }
  return { prepared, check }
}

const ONLY_RULES = noEvidence('only the rules were looked at')

/** The same check with what the embedded data say; the evidence is about all outputs together. */
export function withRisk(check: OutputCheck, risk: OutputRiskEvidence): OutputCheck {
  const outputs = check.outputs.map((one) => ({ ...one, ...decide(rulesLevel(one.findings), risk.level) }))
  return { ...check, outputs, risk, ...overall(outputs, check.unread, risk) }
}

function overall(
  outputs: readonly CheckedOutput[],
  unread: readonly UnreadOutput[],
  risk: OutputRiskEvidence,
): Pick<OutputCheck, 'verdict' | 'sentence'> {
  const verdicts = [...outputs.map(({ verdict }) => verdict), ...unread.map(unreadVerdict)]
  const together = outputs.some((one) => one.verdict === 'refuse' && one.alone === 'release')
  const parts = [
    countsText(verdicts, risk.level === 'not assessed'),
    ...(together ? ['Some that pass alone are refused because of others.'] : []),
    risk.sentence,
  ]
  return { verdict: worst(verdicts), sentence: parts.join(' ') }
}

/** "Of 5 outputs, 2 may be released and 3 are refused." */
function countsText(verdicts: readonly Verdict[], byRules: boolean): string {
  const outcomes = VERDICTS.flatMap((verdict) => {
    const number = verdicts.filter((one) => one === verdict).length
    const is = {
      release: `may be released${byRules ? ' by the rules' : ''}`,
      review: number === 1 ? 'needs a look' : 'need a look',
      refuse: number === 1 ? 'is refused' : 'are refused',
    }[verdict]
    return number === 0 ? [] : [{ number, is }]
  })
  const [first] = outcomes
  if (outcomes.length === 1)
    return `${verdicts.length === 1 ? 'The output' : `All ${verdicts.length} outputs`} ${first.is}.`
  const each = outcomes.map(({ number, is }) => `${number} ${is}`)
  return `Of ${verdicts.length} outputs, ${each.slice(0, -1).join(', ')} and ${each.at(-1)}.`
}

export function unreadVerdict({ blocked }: UnreadOutput): Verdict {
  return blocked ? 'refuse' : 'review'
}

/** Findings that take two outputs, of which at least one is new. */
function jointFindings(newOnes: number, outputs: readonly Output[], data: Table, appetite: Appetite): Finding[] {
  const isEarlier = (id: string) => outputs.findIndex((output) => output.id === id) >= newOnes
  const pairs = outputs
    .slice(0, newOnes)
    .flatMap((one, i) => outputs.slice(i + 1).map((other) => [one, other] as const))
  const findings = [
    ...pairs.flatMap(([one, other]) => differences(one, other, data, appetite)),
    ...outputs
      .slice(0, newOnes)
      .flatMap((output) => (output.kind === 'table' ? recoverableCells(output, outputs, data) : [])),
    ...pairs.flatMap(([one, other]) =>
      isCount(one) && isCount(other) && one.filter === other.filter ? fixedCells([one, other], data, appetite) : [],
    ),
    ...tablesTogether(outputs).flatMap((tables) => (tables.length > 2 ? fixedCells(tables, data, appetite) : [])),
  ]
  return findings.map((one) => ({ ...one, earlier: one.others.some(isEarlier) }))
}

/** Tables of counts of the same records, without those that a larger one contains. */
function tablesTogether(outputs: readonly Output[]): TableOutput[][] {
  const tables = outputs.filter(isCount)
  const isInside = (output: TableOutput, other: TableOutput) =>
    other.filter === output.filter &&
    other.by.length > output.by.length &&
    output.by.every((name) => other.by.includes(name))
  const widest = tables.filter((one) => !tables.some((other) => isInside(one, other)))
  const filters = [...new Set(widest.map(({ filter }) => filter))]
  return filters.map((filter) => widest.filter((one) => one.filter === filter)).filter((same) => same.length > 1)
}

function isCount(output: Output): output is TableOutput {
  return output.kind === 'table' && output.statistic === 'count' && output.weights === null
}

/** Whether the data still have what an earlier output looked at. */
function isKnown({ output }: EarlierOutput, request: OutputRequest, data: Table): boolean {
  const names = columnNames(data)
  try {
    return usedVariables({ ...request, outputs: [output] }, data).every((name) => names.includes(name))
  } catch {
    return false
  }
}
