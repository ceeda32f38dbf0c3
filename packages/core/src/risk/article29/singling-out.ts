import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { count, percent } from '../../print.js'
import { type Interval, residualRisk, wilson } from '../../stats/intervals.js'
import { holm } from '../../stats/tests.js'
import { jointCodes, type Part, rowCount, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { throwIfAborted } from '../../tasks/task.js'
import { attackTooWeak, CONTROL_LIMITS, type ControlStatus, controlVerdict, notAssessable } from '../control-verdict.js'
import { residualThresholds } from './attack.js'
import { allSingleColumnPredicates, drawNaivePredicates, drawPredicates, samplePredicates } from './predicate-search.js'
import { perRow, type Tallies, tally } from './predicate-tallies.js'
import { type CodesOfColumn, type IndexedTable, indexTable, matcher, type Predicates } from './predicates.js'
import { type Comparison, compareWithHoldout, findMatches, type Matches } from './singled-out.js'
import { fittedSizeFactor } from './size-fit.js'

/**
 * Singling out (Article 29 Working Party, opinion 05/2014; Giomi et al. 2023): predicates that hold for one released
 * record are put to the original, and succeed when they hold for exactly one person there. Any narrow predicate does so
 * now and then, hence two comparisons: predicates made without thinking (naive), and the same predicates on people who
 * are not in the release (control). The verdict rests on the residual risk, the share of predicates that single somebody
 * out because the release was made from them; `singled-out.ts` has the formula.
 * Blind to attackers who know which predicates to ask, and to leaks that do not isolate a released record.
 */
const options = z.object({
  mode: z
    .enum(['both', 'multivariate', 'univariate'])
    .default('both')
    .describe(
      'multivariate: several columns at once; univariate: rare values of one column; both: the riskier of the two',
    ),
  nColumns: z.number().int().min(1).default(3).describe('columns in a multivariate predicate'),
  attacks: z
    .number()
    .int()
    .min(1)
    .default(2000)
    .describe(
      'predicates to find; univariate ones are all tried, whatever their number, unless definition says otherwise',
    ),
  maxAttempts: z.number().int().min(1).default(1_000_000).describe('random predicates tried before giving up'),
  definition: z
    .enum(['scrim', 'anonymeter', 'riskutility'])
    .default('scrim')
    .describe(
      'anonymeter: distinct records, sampled univariate predicates, fitted size correction; riskutility: any predicate, complete records, no correction',
    ),
})

type Options = z.output<typeof options>
type Mode = 'multivariate' | 'univariate'

type Rate = {
  readonly attacks: number
  readonly successes: number
  readonly rate: number
  readonly interval: Interval | null
}

type Attack = Tallies & {
  readonly mode: Mode
  readonly status: ControlStatus
  readonly verdict: Pick<Verdict, 'level' | 'because'>
  /** Predicates that hold for exactly one person of the original, and of the holdout as it is. */
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: Rate
  /** Random predicates tried; null when all were. */
  readonly attempts: number | null
  readonly comparison: Comparison | null
  /** For the risk-utility map: the residual risk where it is positive. */
  readonly score: number | null
  readonly reference: ReferenceResiduals | null
}

/** What the reference implementations print for the same predicates. */
type ReferenceResiduals = {
  readonly riskutility: { readonly risk: number; readonly interval: Interval; readonly pass: boolean }
  /** Control successes are multiplied by the fitted `sizeFactor`; null where it is not used or has no fit. */
  readonly anonymeter: { readonly risk: number; readonly interval: Interval; readonly sizeFactor: number | null }
}

type Details = {
  readonly definition: Options['definition']
  /** The mode whose verdict counts; status and score are its own. */
  readonly mode: Mode
  readonly status: ControlStatus
  readonly score: number | null
  readonly attacks: readonly Attack[]
  readonly records: { readonly original: number; readonly holdout: number | null; readonly released: number }
  /** Records left out as incomplete (riskutility) or as duplicates (anonymeter). */
  readonly leftOut: { readonly original: number; readonly holdout: number | null; readonly released: number }
}

export const singlingOut = measure({
  id: 'singling-out',
  version: 1,
  title: 'Singling out',
  summary: 'share of predicates that hold for one released record and single out one person of the original',
  family: 'article29',
  threat: 'identity',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  stochastic: true,
  options,
  compute,
  thresholds: { literature: residualThresholds },
  sentence: ({ details }) => {
    const { main, naive, control, comparison, mode } = leadOf(details)
    const { original, holdout } = details.records
    const outside =
      control === null || holdout === null
        ? 'nobody outside the release to compare with'
        : `one of ${holdout.toLocaleString('en-US')} outside the release ${percent(control.rate)}`
    const residual = comparison?.residual ?? null
    return `${percent(main.rate)} of ${count(main.attacks, `${mode} predicate`)} single out one of ${count(original, 'person', 'people')} (naive ones ${percent(naive.rate)}, ${outside}${residual === null ? '' : `, residual risk ${percent(residual)}`})`
  },
  charts: ({ details }, { name }) => [
    ratesChart(details, name),
    ...(leadOf(details).comparison === null ? [] : [residualChart(details, name)]),
    matchesChart(leadOf(details), name),
  ],
})

function compute({ release, part }: Subject, chosen: Options, context: Context): Finding<Details> {
  if (release.variables.length === 0) throw new NotApplicable('the files have no column in common')
  const tables = prepare(release, part, chosen.definition)
  const modes: readonly Mode[] = chosen.mode === 'both' ? ['multivariate', 'univariate'] : [chosen.mode]
  const found: Run[] = []
  const missed: string[] = []
  for (const [k, mode] of modes.entries()) {
    const check = (share: number) => {
      throwIfAborted(context.signal)
      context.progress(Math.floor((100 * (k + share)) / modes.length), 100)
    }
    const one = runAttack(mode, tables, chosen, context, check)
    if (one === null) missed.push(`no ${mode} predicate holds for a single released record`)
    else found.push(one)
  }
  if (found.length === 0) throw new NotApplicable(`${tables.released.name} has no record that a predicate isolates`)
  const adjusted = holm(found.map(({ comparison }) => comparison?.p ?? 1))
  const attacks = found.map((one, k) => judge(one, adjusted[k], tables, chosen))
  const lead = riskiest(attacks)
  return {
    value: lead.main.rate,
    interval: lead.main.interval,
    reference: withoutLeak(lead, tables),
    verdict: lead.verdict,
    details: {
      definition: chosen.definition,
      mode: lead.mode,
      status: lead.status,
      score: lead.score,
      attacks,
      records: sizesOf(tables),
      leftOut: tables.leftOut,
    },
    warnings: [...missed, ...attacks.flatMap((attack) => warningsOf(attack, chosen))],
    records: () =>
      Object.fromEntries(found.map(({ mode, matches }) => [mode, perRecord(matches, tables, release.original.rows)])),
  }
}

interface Tables {
  readonly columns: (part: Part) => readonly CodesOfColumn[]
  readonly original: IndexedTable
  readonly released: IndexedTable
  readonly holdout: IndexedTable | null
  /** Rows of the files that take part, in the order of the tables. */
  readonly originalRows: Int32Array
  readonly holdoutRows: Int32Array
  readonly leftOut: Details['leftOut']
}

function prepare(release: Release, part: Part, definition: Options['definition']): Tables {
  const columns = (of: Part): CodesOfColumn[] =>
    release.variables.map((name) => {
      const { codes, cardinality, kind, ...joint } = jointCodes(release, name)
      return { name, numeric: kind !== 'categorical', cardinality, codes: rowsOfPart(release, joint, codes, of) }
    })
  const rowsOf = (of: Part) => chooseRows(columns(of), rowCount(release, of), definition)
  const indexed = (of: Part, rows: Int32Array) => {
    const { name } = tableOfPart(release, of)
    if (rows.length === 0) throw new NotApplicable(`${name} has no complete record`)
    return indexTable(name, columns(of), rows)
  }
  const originalRows = rowsOf('original')
  const releasedRows = rowsOf(part)
  const holdoutRows = release.holdout === null ? new Int32Array(0) : rowsOf('holdout')
  return {
    columns,
    original: indexed('original', originalRows),
    released: indexed(part, releasedRows),
    holdout: release.holdout === null ? null : indexed('holdout', holdoutRows),
    originalRows,
    holdoutRows,
    leftOut: {
      original: release.original.rows - originalRows.length,
      holdout: release.holdout === null ? null : release.holdout.rows - holdoutRows.length,
      released: rowCount(release, part) - releasedRows.length,
    },
  }
}

function chooseRows(columns: readonly CodesOfColumn[], rows: number, definition: Options['definition']): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row)
  if (definition === 'riskutility') return all.filter((row) => columns.every(({ codes }) => codes[row] >= 0))
  if (definition === 'scrim') return all
  // Groups are numbered by first appearance, so a row is the first of its kind when its number is the next one.
  const { ids } = groupRows(columns, rows)
  let next = 0
  return all.filter((row) => ids[row] === next && next++ >= 0)
}

/** What an attack of one mode found, before it is judged. */
interface Run {
  readonly mode: Mode
  readonly predicates: Predicates
  readonly attempts: number | null
  readonly matches: Matches
  readonly naive: Rate
  readonly comparison: Comparison | null
  readonly sizeFactor: number | null
}

/** Null when no predicate isolates a released record. */
function runAttack(
  mode: Mode,
  tables: Tables,
  chosen: Options,
  { random }: Context,
  check: (share: number) => void,
): Run | null {
  const { original, holdout } = tables
  const width = mode === 'univariate' ? 1 : Math.min(chosen.nColumns, tables.released.columns.length)
  const { predicates, attempts } = findPredicates(mode, width, tables.released, chosen, random, (done) =>
    check((0.4 * done) / chosen.attacks),
  )
  if (predicates.count === 0) return null
  const naive = drawNaivePredicates(tables.released, width, chosen.attacks, random(`${mode} naive`))
  const matches = findMatches(predicates, original, holdout, (done) => check(0.4 + (0.2 * done) / predicates.count))
  const pause = () => check(0.6)
  return {
    mode,
    predicates,
    attempts,
    matches,
    naive: rate(countSingledOut(naive, original), naive.count),
    comparison:
      holdout === null
        ? null
        : compareWithHoldout(matches, original.rows, holdout.rows, random(`${mode} exchange`), pause),
    sizeFactor:
      holdout === null || chosen.definition !== 'anonymeter' || original.rows === holdout.rows
        ? null
        : fittedSizeFactor(
            predicates,
            tables.columns('holdout'),
            tables.holdoutRows,
            original.rows,
            random(`${mode} size fit`),
            pause,
          ),
  }
}

function findPredicates(
  mode: Mode,
  width: number,
  released: IndexedTable,
  { definition, attacks, maxAttempts }: Options,
  random: Context['random'],
  check: (found: number) => void,
): { predicates: Predicates; attempts: number | null } {
  const isolating = definition !== 'riskutility'
  const purpose = random(`${mode} predicates`)
  if (mode === 'multivariate' || !isolating)
    return drawPredicates(released, { width, wanted: attacks, mostAttempts: maxAttempts, isolating }, purpose, check)
  const all = allSingleColumnPredicates(released)
  return { predicates: definition === 'scrim' ? all : samplePredicates(all, attacks, purpose), attempts: null }
}

function countSingledOut(predicates: Predicates, table: IndexedTable): number {
  const match = matcher(table)
  const none = new Int32Array(0)
  let singled = 0
  for (let q = 0; q < predicates.count; q++) if (match(predicates, q, none, 1) === 1) singled++
  return singled
}

function judge(run: Run, p: number, tables: Tables, chosen: Options): Attack {
  const { predicates, matches, mode, naive, comparison } = run
  const main = rate(countOnes(matches.inOriginal), predicates.count)
  const control = matches.inHoldout === null ? null : rate(countOnes(matches.inHoldout), predicates.count)
  return {
    mode,
    ...conclude(main, naive, comparison, p),
    main,
    control,
    naive,
    attempts: run.attempts,
    comparison,
    score: comparison === null || comparison.residual === null ? null : Math.max(0, comparison.residual),
    reference: control === null ? null : referenceResiduals(main, control, run.sizeFactor, chosen),
    ...tally(predicates, matches, tables.original),
  }
}

/** riskutility passes a release up to this residual risk. */
const RISKUTILITY_LIMIT = 0.1

function referenceResiduals(
  main: Rate,
  control: Rate,
  sizeFactor: number | null,
  { definition, attacks }: Options,
): ReferenceResiduals | null {
  // anonymeter divides by the number asked for, even if there were fewer predicates.
  const n = definition === 'anonymeter' ? attacks : main.attacks
  const plain = residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const scaled = residualRisk(main.successes, n, Math.min(n, control.successes * (sizeFactor ?? 1)), n)
  if (plain === null || scaled === null) return null
  const { risk, conservative } = plain
  return {
    riskutility: { risk, interval: conservative, pass: risk <= RISKUTILITY_LIMIT },
    anonymeter: { ...scaled.deltaMethod, sizeFactor },
  }
}

/** A leak that is shown stands, however weak the attack; an attack that fails says something only if it could succeed. */
function conclude(main: Rate, naive: Rate, comparison: Comparison | null, p: number) {
  if (comparison === null) return notAssessable()
  const { residual, interval, minimalDetectable } = comparison
  if (residual === null) return attackTooWeak('every predicate singles out somebody outside the release too')
  const tested = controlVerdict({
    what: 'residual risk',
    effect: residual,
    interval,
    p,
    limits: CONTROL_LIMITS.residual,
    minimalDetectable,
  })
  return tested.status === 'evidence' || main.rate > naive.rate
    ? tested
    : attackTooWeak(`${percent(main.rate)} of its predicates succeed, ${percent(naive.rate)} of naive ones`)
}

const RISKIEST_FIRST: readonly Verdict['level'][] = [
  'HIGH',
  'ELEVATED',
  'MODERATE',
  'INCONCLUSIVE',
  'LOW',
  'NOT ASSESSED',
]

function riskiest(attacks: readonly Attack[]): Attack {
  const place = ({ verdict }: Attack) => RISKIEST_FIRST.indexOf(verdict.level)
  const value = ({ comparison, main }: Attack) => comparison?.residual ?? main.rate
  return attacks.toSorted((a, b) => place(a) - place(b) || value(b) - value(a))[0]
}

function leadOf({ attacks, mode }: Details): Attack {
  return attacks.find((attack) => attack.mode === mode) ?? attacks[0]
}

/**
 * What the rate would be without any leak: that of people outside the release if they are as many, or else the rate less
 * the residual risk, since a rate in a table of another size is no yardstick.
 */
function withoutLeak({ main, control, comparison, naive }: Attack, { original, holdout }: Tables) {
  if (control === null || comparison === null) return { value: naive.rate, what: 'naive predicates' }
  const what = 'people outside the release'
  if (original.rows === holdout?.rows || comparison.residual === null) return { value: control.rate, what }
  return { value: unit(main.rate - comparison.residual), what: `${what}, if they were as many` }
}

function warningsOf({ mode, main, status, verdict }: Attack, { attacks }: Options): string[] {
  const few = mode === 'multivariate' && main.attacks < attacks
  return [
    ...(few ? [`only ${main.attacks} of ${attacks} multivariate predicates were found`] : []),
    ...(status === 'attack-too-weak' ? [`${mode}: ${verdict.because}`] : []),
  ]
}

function sizesOf({ original, released, holdout }: Tables): Details['records'] {
  return { original: original.rows, holdout: holdout?.rows ?? null, released: released.rows }
}

function rate(successes: number, attacks: number): Rate {
  return { attacks, successes, rate: successes / attacks, interval: wilson(successes, attacks) }
}

function countOnes(counts: Int32Array): number {
  let ones = 0
  for (const one of counts) if (one === 1) ones++
  return ones
}

/** How many predicates single out each row of the file; none for rows left out. */
function perRecord(matches: Matches, { originalRows }: Tables, fileRows: number): Float64Array {
  const scores = new Float64Array(fileRows).fill(Number.NaN)
  for (const [row, times] of perRow(matches, originalRows.length).entries()) scores[originalRows[row]] = times
  return scores
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function ratesChart({ attacks }: Details, name: string) {
  const label = (what: string, mode: Mode) => (attacks.length > 1 ? `${what}, ${mode}` : what)
  const bar = (what: string, mode: Mode, { rate: value, interval }: Rate) => ({
    label: label(what, mode),
    value,
    interval,
  })
  return barChart(
    { name: 'rates', title: `Predicates that single out one person: ${name}`, x: '', y: 'share of predicates' },
    attacks.flatMap(({ mode, main, naive, control, status }) => [
      { ...bar('in the release', mode, main), alarm: status === 'evidence' },
      ...(control === null ? [] : [{ ...bar('outside it', mode, control), series: 'original' as const }]),
      { ...bar('naive', mode, naive), series: 'original' as const },
    ]),
  )
}

function residualChart({ attacks }: Details, name: string) {
  return intervalChart(
    { name: 'residual', title: `Residual risk of singling out: ${name}`, x: 'residual risk', y: '' },
    attacks.flatMap(({ mode, comparison }) =>
      comparison === null || comparison.residual === null
        ? []
        : [
            {
              label: mode,
              value: comparison.residual,
              lower: comparison.interval?.lower ?? null,
              upper: comparison.interval?.upper ?? null,
            },
          ],
    ),
  )
}

function matchesChart({ mode, matches }: Attack, name: string) {
  const label = (records: number) => (records === matches.length - 1 ? `${records}+` : String(records))
  return barChart(
    { name: 'matches', title: `Records that a ${mode} predicate holds for: ${name}`, x: 'records', y: 'predicates' },
    matches.flatMap(({ records, original, holdout }) => [
      { label: label(records), value: original, alarm: records === 1 },
      ...(holdout === null ? [] : [{ label: label(records), value: holdout, series: 'original' as const }]),
    ]),
  )
}
