import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { normalEffect } from '../../evidence/effects.js'
import type { Controls, Effect } from '../../evidence/evidence.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { residualRisk } from '../../stats/intervals.js'
import { remember } from '../../table/classes.js'
import { throwIfAborted } from '../../tasks/task.js'
import { furtherLook } from '../further-look.js'
import { NO_OUTSIDERS } from '../outsiders.js'
import {
  isShown,
  type PublishedResiduals,
  publishedResiduals,
  type Rate,
  rateOf,
  residualThresholds,
  weakness,
} from './attack.js'
import { type ComparedTables, comparedTables } from './compared-tables.js'
import { attackWithPredicates, type Mode, type PredicateAttack } from './predicate-attack.js'
import { perRow, type Tallies, tally } from './predicate-tallies.js'
import type { Comparison, Matches } from './singled-out.js'

/**
 * Singling out (Article 29 Working Party, opinion 05/2014; Giomi et al. 2023): predicates that hold for one released
 * record are put to the original, and succeed when they hold for exactly one person there. Any narrow predicate does so
 * now and then, hence three comparisons: predicates made without thinking (nothing), the same predicates on people who
 * are not in the release (fair), and predicates made from the original itself (everything). The effect is the share of
 * predicates that single somebody out beyond what they do outside, at equal size; `singled-out.ts` has the formula.
 * Predicates over several columns are the headline; those over one column are a further look.
 * Blind to attackers who know which predicates to ask, and to leaks that do not isolate a released record.
 */
const options = z.object({
  mode: z
    .enum(['both', 'multivariate', 'univariate'])
    .default('both')
    .describe(
      'multivariate: several columns at once; univariate: rare values of one column; both: multivariate, and univariate as a further look',
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
  /** Predicates that hold for exactly one person of the original, and of the holdout as it is. */
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: Rate
  /** Random predicates tried; null when all were. */
  readonly attempts: number | null
  readonly comparison: Comparison | null
  /** `sizeFactor` is anonymeter's correction of the control; null where it is not used or has no fit. */
  readonly published: (PublishedResiduals & { readonly anonymeter: { readonly sizeFactor: number | null } }) | null
}

type Details = {
  readonly definition: Options['definition']
  /** The mode of the headline. */
  readonly mode: Mode
  readonly attacks: readonly Attack[]
  readonly records: { readonly original: number; readonly holdout: number | null; readonly released: number }
  readonly leftOut: ComparedTables['leftOut']
}

export const singlingOut = measure({
  id: 'singling-out',
  version: 2,
  title: 'Singling out',
  summary: 'share of predicates that hold for one released record and single out one person of the original',
  family: 'article29',
  threat: 'singling-out',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  blindTo: 'attackers who know which predicates to ask, and leaks that do not isolate a released record',
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
  const found = modes.flatMap((mode, k) => {
    const one = attackWithPredicates(mode, tables, chosen, context, progressOf(context, k, modes.length))
    return one === null ? [] : [{ run: one, attack: attackOf(one, tables, chosen) }]
  })
  const missed = modes.filter((mode) => found.every(({ run }) => run.mode !== mode))
  if (found.length === 0) throw new NotApplicable(`${tables.released.name} has no record that a predicate isolates`)
  if (missed.includes(modes[0])) throw new NotApplicable(`no ${modes[0]} predicate holds for a single released record`)
  const [lead, ...others] = found.map(({ run, attack }) => ({
    run,
    attack,
    evidence: evidenceOf(attack, ofOriginal(release, run.mode, chosen, context)),
  }))
  const times = () => perRecord(lead.run.matches, tables, release.original.rows)
  return {
    value: lead.attack.main.rate,
    interval: lead.attack.main.interval,
    ...lead.evidence,
    ...(others.length === 0
      ? {}
      : {
          looks: others.flatMap(({ attack, evidence: { controls, effect, people = null } }) =>
            effect === undefined
              ? []
              : [furtherLook(`by ${attack.mode} predicates`, { value: attack.main.rate, controls, effect, people })],
          ),
        }),
    added: times,
    details: {
      definition: chosen.definition,
      mode: lead.attack.mode,
      attacks: found.map(({ attack }) => attack),
      records: {
        original: tables.original.rows,
        holdout: tables.holdout?.rows ?? null,
        released: tables.released.rows,
      },
      leftOut: tables.leftOut,
    },
    warnings: [
      ...missed.map((mode) => `no ${mode} predicate holds for a single released record`),
      ...found.flatMap(({ attack }) => warningsOf(attack, chosen)),
    ],
    records: () =>
      Object.fromEntries(
        found.map(({ run: { mode, matches } }) => [mode, perRecord(matches, tables, release.original.rows)]),
      ),
  }
}

function progressOf(context: Context, place: number, of: number): (share: number) => void {
  return (share) => {
    throwIfAborted(context.signal)
    context.progress(Math.floor((100 * (place + share)) / of), 100)
  }
}

function attackOf(run: PredicateAttack, tables: ComparedTables, chosen: Options): Attack {
  const { predicates, matches, mode, naive, comparison } = run
  const main = rateOf({ successes: countOnes(matches.inOriginal), attacks: predicates.count })
  const control =
    matches.inHoldout === null ? null : rateOf({ successes: countOnes(matches.inHoldout), attacks: predicates.count })
  return {
    mode,
    main,
    control,
    naive,
    attempts: run.attempts,
    comparison,
    published: control === null ? null : printedElsewhere(main, control, run.sizeFactor, chosen),
    ...tally(predicates, matches, tables.original),
  }
}

interface OfOriginal {
  readonly rate: number
  /** Null without a holdout. */
  readonly excess: number | null
}

/** The same attack with the original as the release, once for all releases; null when nobody stands out there. */
function ofOriginal(release: Subject['release'], mode: Mode, chosen: Options, context: Context): OfOriginal | null {
  const key = JSON.stringify([mode, chosen, context.seed])
  return remember(release, `predicates made from the original ${key}`, () => {
    const tables = comparedTables(release, 'original', chosen.definition)
    const run = attackWithPredicates(mode, tables, chosen, context, () => throwIfAborted(context.signal))
    if (run === null) return null
    return {
      rate: countOnes(run.matches.inOriginal) / run.predicates.count,
      excess: run.comparison?.excess ?? null,
    }
  })
}

type Evidence = Pick<Finding, 'effect' | 'people' | 'notAssessed'> & { readonly controls: Controls }

/**
 * The rate of people outside is what the rate would be without any leak: their own if they are as many, or else the rate
 * less the effect, since a rate in a table of another size is no yardstick. An attack no better than naive predicates shows
 * the absence of nothing; a leak that is shown stands all the same.
 */
function evidenceOf({ main, naive, control, comparison, people }: Attack, itself: OfOriginal | null): Evidence {
  const naiveSe = Math.sqrt((naive.rate * (1 - naive.rate)) / naive.attacks)
  const ends = {
    nothing: { value: naive.rate, se: naiveSe, what: 'naive predicates' },
    ...(itself === null ? {} : { everything: { value: itself.rate, se: null, what: 'the original itself' } }),
  }
  if (comparison === null || control === null) return { controls: ends, notAssessed: NO_OUTSIDERS }
  const { excess, excessError, p } = comparison
  const effect: Effect = {
    ...normalEffect(excess, excessError),
    p,
    ...(itself === null || itself.excess === null ? {} : { ceiling: itself.excess }),
  }
  const weak = weakness(main.rate, { what: 'naive predicates', rate: naive.rate })
  return {
    controls: {
      ...ends,
      fair: {
        value: unit(main.rate - excess),
        se: excessError,
        what: 'people outside the release, if they were as many',
        basis: 'outsiders',
      },
    },
    effect,
    people: main.rate > 0 ? Math.round(people.singledOut * unit(excess / main.rate)) : 0,
    ...(weak !== null && !isShown(effect) ? { notAssessed: weak } : {}),
  }
}

/** Control successes are multiplied by the fitted size factor, as anonymeter does. */
function printedElsewhere(
  main: Rate,
  control: Rate,
  sizeFactor: number | null,
  { definition, attacks }: Options,
): Attack['published'] {
  // anonymeter divides by the number asked for, even if there were fewer predicates.
  const n = definition === 'anonymeter' ? attacks : main.attacks
  const plain = residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const scaled = residualRisk(main.successes, n, Math.min(n, control.successes * (sizeFactor ?? 1)), n)
  if (plain === null || scaled === null) return null
  return {
    riskutility: publishedResiduals(plain).riskutility,
    anonymeter: { ...publishedResiduals(scaled).anonymeter, sizeFactor },
  }
}

function leadOf({ attacks, mode }: Details): Attack {
  return attacks.find((attack) => attack.mode === mode) ?? attacks[0]
}

function warningsOf({ mode, main, naive }: Attack, { attacks }: Options): string[] {
  const few = mode === 'multivariate' && main.attacks < attacks
  const weak = weakness(main.rate, { what: 'naive predicates', rate: naive.rate })
  return [
    ...(few ? [`only ${main.attacks} of ${attacks} multivariate predicates were found`] : []),
    ...(weak === null ? [] : [`${mode}: ${weak}`]),
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
    attacks.flatMap(({ mode, main, naive, control }) => [
      bar('in the release', mode, main),
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
