import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { choice, whole } from '../../option-kinds.js'
import { count, grouped, percent } from '../../print.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type ComparedTables, comparedTables } from './predicates/compared-tables.js'
import {
  attackWithPredicates,
  type Mode,
  OWN_RECIPE,
  type PredicateAttack,
  type Recipe,
  type Yardsticks,
  yardsticksOf,
} from './predicates/predicate-attack.js'
import { predicateCharts } from './predicates/predicate-charts.js'
import {
  addedBy,
  type Everything,
  endsOf,
  lookOf,
  perRecord,
  printedElsewhere,
  whyNot,
} from './predicates/predicate-evidence.js'
import { peopleSingledOut, type Tallies, tally } from './predicates/predicate-tallies.js'
import { type Comparison, singledOutRate } from './predicates/singled-out.js'
import { type PublishedResiduals, type Rate, residualThresholds } from './residual/attack.js'

/**
 * Singling out (Article 29 Working Party, opinion 05/2014; Giomi et al. 2023): predicates that hold for one released
 * record are put to the original, and succeed when they hold for exactly one person there. Any narrow predicate does so
 * now and then, hence three comparisons: predicates made without thinking (nothing), the same predicates on people who
 * are not in the release (fair), and predicates made from the original itself (everything). `singled-out.ts` has the
 * formula. The headline is that of predicates over several columns; those over one column are a further look.
 * Equal released records count once, for repeating them would keep predicates from holding for one alone.
 * Blind to attackers who know which predicates to ask, and to leaks that do not isolate a released record.
 */
const options = z.object({
  mode: choice(['both', 'multivariate', 'univariate'], 'both').describe(
    'multivariate: several columns at once; univariate: rare values of one column; both: univariate as a further look',
  ),
  nColumns: whole(3, { min: 1 }).describe('columns in a multivariate predicate'),
  attacks: whole(2000, { min: 1 }).describe(
    'predicates to find; univariate ones are all tried, whatever their number, unless definition says otherwise',
  ),
  maxAttempts: whole(1_000_000, { min: 1 }).describe('random predicates tried before giving up'),
})

export type Options = z.output<typeof options>

export type Attack = Tallies & {
  readonly mode: Mode
  /** Predicates that hold for exactly one person of the original, and of the holdout as it is. */
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: Rate
  /** Random predicates tried; null when all were. */
  readonly attempts: number | null
  readonly comparison: Comparison | null
  /** What published implementations print; `sizeFactor` is anonymeter's correction of the control, null where it is not used or has no fit. */
  readonly published: (PublishedResiduals & { readonly anonymeter: { readonly sizeFactor: number | null } }) | null
}

export type Details = {
  readonly definition: string
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
  varies: ['people', 'release', 'attacker'],
  alone: () => true,
  blindTo: 'leaks that do not isolate a released record',
  fooledBy: {
    'pad with noise': 'most predicates then isolate noise',
  },
  options,
  compute: (subject, chosen, context) => singleOut(subject, OWN_RECIPE, chosen, context),
  citations: ['giomi2023', 'article29'],
  records: {
    multivariate: { riskier: 'higher', meaning: 'predicates over several columns that single the person out' },
    univariate: { riskier: 'higher', meaning: 'predicates over one column that single the person out' },
  },
  literature: residualThresholds,
  sentence: ({ details }) => {
    const { main, naive, control, comparison, mode } = leadOf(details)
    const { original, holdout } = details.records
    const outside =
      control === null || holdout === null
        ? 'no holdout to compare with'
        : `one of ${grouped(holdout)} outside the release ${percent(control.rate)}`
    const residual = comparison?.residual ?? null
    return `${percent(main.rate)} of ${count(main.attacks, `${mode} predicate`)} single out one of ${count(original, 'person', 'people')} (naive ones ${percent(naive.rate)}, ${outside}${residual === null ? '' : `, residual risk ${percent(residual)}`})`
  },
  tables: ({ details: { attacks } }) => [
    findingTable(
      'attacks',
      'Predicates that single out one person',
      attacks.flatMap(({ mode, main, control, naive }) => [
        { mode, who: 'from the release', ...main },
        ...(control === null ? [] : [{ mode, who: 'on people outside', ...control }]),
        { mode, who: 'at random', ...naive },
      ]),
      [
        [column.text('mode'), ({ mode }) => mode],
        [column.text('predicates'), ({ who }) => who],
        [column.count('right'), ({ successes }) => successes],
        [column.count('tried'), ({ attacks: tried }) => tried],
        [column.share('share'), ({ rate }) => rate],
      ],
    ),
  ],
  charts: ({ details }, { name }) => predicateCharts(details.attacks, leadOf(details), name),
})

/** The attack with predicates found by a recipe. */
export function singleOut(
  { release, part }: Subject,
  recipe: Recipe,
  chosen: Options,
  context: Context,
): Finding<Details> {
  if (release.variables.length === 0) throw new NotApplicable('the files have no column in common')
  const modes: readonly Mode[] = chosen.mode === 'both' ? ['multivariate', 'univariate'] : [chosen.mode]
  // First, so that its tables are gone before the others are there.
  const ofOriginal = attacksOfOriginal(release, modes, recipe, chosen, context)
  const tables = comparedTables(release, part, recipe)
  const found = modes.flatMap(
    (mode, k) => runMode(mode, tables, recipe, chosen, true, context, [k, modes.length]) ?? [],
  )
  if (found.length === 0) throw new NotApplicable(`${tables.released.name} has no record that a predicate isolates`)
  const stop = () => throwIfAborted(context.signal)
  const attacks = found.map((one) =>
    described(one, yardsticksOf(one, tables, recipe, chosen, context, stop), tables, recipe, chosen),
  )
  const [lead] = attacks
  const everything = (mode: Mode) => ofOriginal.find((attack) => attack.mode === mode) ?? null
  const attacked = (mode: Mode) => Math.min(tables.original.rows, mode === 'univariate' ? Infinity : chosen.attacks)
  const seen = attacks.map((attack, k) => {
    const look = lookOf(attack, everything(attack.mode), attacked(attack.mode))
    return look && { ...look, added: addedBy(found[k], look, tables, release.original.rows) }
  })
  const [own, ...others] = seen
  return {
    value: lead.main.rate,
    interval: lead.main.interval,
    ...(own === null
      ? { controls: endsOf(lead, everything(lead.mode)), notAssessed: whyNot(lead, everything(lead.mode)) }
      : {
          controls: own.controls,
          effect: own.effect,
          reach: own.reach,
          peoplePerEffect: own.peoplePerEffect,
          added: own.added,
        }),
    looks: others.filter((look) => look !== null),
    details: {
      definition: recipe.name,
      mode: lead.mode,
      attacks,
      records: {
        original: tables.original.rows,
        holdout: tables.holdout?.rows ?? null,
        released: tables.released.rows,
      },
      leftOut: tables.leftOut,
    },
    warnings: [
      ...modes
        .filter((mode) => !found.some((one) => one.mode === mode))
        .map((mode) => `no ${mode} predicate holds for a single released record`),
      ...attacks.flatMap((attack) => warningsOf(attack, chosen)),
    ],
    records: () =>
      Object.fromEntries(found.map(({ mode, matches }) => [mode, perRecord(matches, tables, release.original.rows)])),
  }
}

/** Predicates made from the original itself: no more of them than the scale needs, and nothing is tested. */
function attacksOfOriginal(
  release: Release,
  modes: readonly Mode[],
  recipe: Recipe,
  chosen: Options,
  context: Context,
): readonly (Everything & Pick<Attack, 'mode'>)[] {
  return remember(release, `singled out by the original ${JSON.stringify([recipe.name, chosen, context.seed])}`, () => {
    const tables = comparedTables(release, 'original', recipe)
    return modes.flatMap((mode) => {
      const found = runMode(mode, tables, recipe, chosen, false, context, [0, 1])
      if (found === null) return []
      const { matches, comparison } = found
      const { rows } = tables.original
      const main = singledOutRate(matches.inOriginal, matches.originalRow, rows)
      return [{ mode, main, comparison, people: peopleSingledOut(matches, rows) }]
    })
  })
}

function runMode(
  mode: Mode,
  tables: ComparedTables,
  recipe: Recipe,
  chosen: Options,
  tested: boolean,
  context: Context,
  [k, of]: readonly [number, number],
): PredicateAttack | null {
  return attackWithPredicates(mode, tables, recipe, chosen, tested, context, (share) => {
    throwIfAborted(context.signal)
    context.progress(Math.floor((100 * (k + share)) / of), 100)
  })
}

function described(
  { predicates, matches, mode, attempts, comparison }: PredicateAttack,
  { naive, sizeFactor }: Yardsticks,
  tables: ComparedTables,
  recipe: Recipe,
  chosen: Options,
): Attack {
  const main = singledOutRate(matches.inOriginal, matches.originalRow, tables.original.rows)
  const control =
    matches.inHoldout === null || tables.holdout === null
      ? null
      : singledOutRate(matches.inHoldout, matches.holdoutRow, tables.holdout.rows)
  return {
    mode,
    main,
    control,
    naive,
    attempts,
    comparison,
    published: control === null ? null : printedElsewhere(main, control, sizeFactor, recipe, chosen),
    ...tally(predicates, matches, tables.original),
  }
}

function leadOf({ attacks, mode }: Details): Attack {
  return attacks.find((attack) => attack.mode === mode) ?? attacks[0]
}

function warningsOf({ mode, main }: Attack, { attacks }: Options): string[] {
  const few = mode === 'multivariate' && main.attacks < attacks
  return few ? [`only ${main.attacks} of ${attacks} multivariate predicates were found`] : []
}
