import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { count, percent } from '../../print.js'
import { residualRisk } from '../../stats/intervals.js'
import { holm } from '../../stats/tests.js'
import { throwIfAborted } from '../../tasks/task.js'
import {
  attackTooWeak,
  byRisk,
  CONTROL_LIMITS,
  type ControlStatus,
  type ControlVerdict,
  controlVerdict,
  notAssessable,
} from '../control-verdict.js'
import { type Rate, type ReferenceResiduals, rateOf, referenceResiduals, residualThresholds } from './attack.js'
import { type ComparedTables, comparedTables } from './compared-tables.js'
import { attackWithPredicates, type Mode, type PredicateAttack } from './predicate-attack.js'
import { perRow, type Tallies, tally } from './predicate-tallies.js'
import type { Comparison, Matches } from './singled-out.js'

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
  /** `sizeFactor` is anonymeter's correction of the control; null where it is not used or has no fit. */
  readonly reference: (ReferenceResiduals & { readonly anonymeter: { readonly sizeFactor: number | null } }) | null
}

type Details = {
  readonly definition: Options['definition']
  /** The mode whose verdict counts; status and score are its own. */
  readonly mode: Mode
  readonly status: ControlStatus
  readonly score: number | null
  readonly attacks: readonly Attack[]
  readonly records: { readonly original: number; readonly holdout: number | null; readonly released: number }
  readonly leftOut: ComparedTables['leftOut']
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
  const tables = comparedTables(release, part, chosen.definition)
  const modes: readonly Mode[] = chosen.mode === 'both' ? ['multivariate', 'univariate'] : [chosen.mode]
  const found: PredicateAttack[] = []
  const missed: string[] = []
  for (const [k, mode] of modes.entries()) {
    const check = (share: number) => {
      throwIfAborted(context.signal)
      context.progress(Math.floor((100 * (k + share)) / modes.length), 100)
    }
    const one = attackWithPredicates(mode, tables, chosen, context, check)
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
      records: {
        original: tables.original.rows,
        holdout: tables.holdout?.rows ?? null,
        released: tables.released.rows,
      },
      leftOut: tables.leftOut,
    },
    warnings: [...missed, ...attacks.flatMap((attack) => warningsOf(attack, chosen))],
    records: () =>
      Object.fromEntries(found.map(({ mode, matches }) => [mode, perRecord(matches, tables, release.original.rows)])),
  }
}

function judge(run: PredicateAttack, p: number, tables: ComparedTables, chosen: Options): Attack {
  const { predicates, matches, mode, naive, comparison } = run
  const main = rateOf({ successes: countOnes(matches.inOriginal), attacks: predicates.count })
  const control =
    matches.inHoldout === null ? null : rateOf({ successes: countOnes(matches.inHoldout), attacks: predicates.count })
  return {
    mode,
    ...conclude(main, naive, comparison, p),
    main,
    control,
    naive,
    attempts: run.attempts,
    comparison,
    score: comparison === null || comparison.residual === null ? null : Math.max(0, comparison.residual),
    reference: control === null ? null : printedElsewhere(main, control, run.sizeFactor, chosen),
    ...tally(predicates, matches, tables.original),
  }
}

/** Control successes are multiplied by the fitted size factor, as anonymeter does. */
function printedElsewhere(
  main: Rate,
  control: Rate,
  sizeFactor: number | null,
  { definition, attacks }: Options,
): Attack['reference'] {
  // anonymeter divides by the number asked for, even if there were fewer predicates.
  const n = definition === 'anonymeter' ? attacks : main.attacks
  const plain = residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const scaled = residualRisk(main.successes, n, Math.min(n, control.successes * (sizeFactor ?? 1)), n)
  if (plain === null || scaled === null) return null
  return {
    riskutility: referenceResiduals(plain).riskutility,
    anonymeter: { ...referenceResiduals(scaled).anonymeter, sizeFactor },
  }
}

/** A leak that is shown stands, however weak the attack; an attack that fails says something only if it could succeed. */
function conclude(main: Rate, naive: Rate, comparison: Comparison | null, p: number): ControlVerdict {
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

function riskiest(attacks: readonly Attack[]): Attack {
  const value = ({ comparison, main }: Attack) => comparison?.residual ?? main.rate
  return attacks.toSorted((a, b) => byRisk(a, b) || value(b) - value(a))[0]
}

function leadOf({ attacks, mode }: Details): Attack {
  return attacks.find((attack) => attack.mode === mode) ?? attacks[0]
}

/**
 * What the rate would be without any leak: that of people outside the release if they are as many, or else the rate less
 * the residual risk, since a rate in a table of another size is no yardstick.
 */
function withoutLeak({ main, control, comparison, naive }: Attack, { original, holdout }: ComparedTables) {
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

function countOnes(counts: Int32Array): number {
  let ones = 0
  for (const one of counts) if (one === 1) ones++
  return ones
}

/** How many predicates single out each row of the file; none for rows left out. */
function perRecord(matches: Matches, { originalRows }: ComparedTables, fileRows: number): Float64Array {
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
    {
      name: 'matches',
      title: `Records that a ${mode} predicate holds for: ${name}`,
      ...(matches[0].holdout === null ? {} : { subtitle: 'blue and red: original; grey: people outside the release' }),
      x: 'records',
      y: 'predicates',
    },
    matches.flatMap(({ records, original, holdout }) => [
      { label: label(records), value: original, alarm: records === 1 },
      ...(holdout === null ? [] : [{ label: label(records), value: holdout, series: 'original' as const }]),
    ]),
  )
}
