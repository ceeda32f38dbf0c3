import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { choice, whole } from '../../option-kinds.js'
import { count, grouped, percent } from '../../print.js'
import type { Stream } from '../../random/stream.js'
import { storedInMemory } from '../../stored/stored-table.js'
import { remember, rowCount, tableOfPart } from '../../table/classes.js'
import { byCodePoint } from '../../table/column.js'
import { type Release, scanFor } from '../../table/release.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type ComparedTables, comparedTables } from './predicates/compared-tables.js'
import { type AmongAll, areMany, type FoundAmongAll, searchAmongAll, searchKey } from './predicates/drawn-search.js'
import {
  attackWithPredicates,
  type Mode,
  modesOf,
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
import { type Comparison, compareWithHoldout, type Matches, singledOutRate } from './predicates/singled-out.js'
import { type PublishedResiduals, type Rate, residualThresholds } from './residual/attack.js'

/**
 * Singling out (Article 29 Working Party, opinion 05/2014; Giomi et al. 2023): predicates that hold for one released
 * record are put to the original, and succeed when they hold for exactly one person there. Any narrow predicate does so
 * now and then, hence three comparisons: predicates made without thinking (nothing), the same predicates on people who
 * are not in the release (fair), and predicates made from the original itself (everything). `singled-out.ts` has the
 * formula. The headline is that of predicates over several columns; those over one column are a further look.
 * Equal released records count once, for repeating them would keep predicates from holding for one alone. Of many records predicates
 * are made from some that are drawn; they are put to all.
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
  sample: whole(50_000, { min: 10 }).describe(
    'how many different records predicates are made from where a file has more records; they are put to all of them',
  ),
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

/** What predicates found in files, wherever these are. */
interface Searched {
  readonly attacks: readonly PredicateAttack[]
  readonly yardsticks: readonly Yardsticks[]
  readonly ofOriginal: readonly (Everything & Pick<Attack, 'mode'>)[]
  readonly columns: readonly { readonly name: string }[]
  readonly records: Details['records']
  readonly leftOut: Details['leftOut']
  /** Whether the files in memory are samples, and all records were looked at elsewhere. */
  readonly isScanned: boolean
  readonly warnings: readonly string[]
}

export const singlingOut = measure({
  id: 'singling-out',
  version: 3,
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
  // What was found of all records of a sampled file is known on this thread alone.
  alone: ({ sample }) => sample === undefined,
  blindTo: 'leaks that do not isolate a released record',
  fooledBy: {
    'pad with noise': 'most predicates then isolate noise',
  },
  options,
  compute: singleOutByOwnRecipe,
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

/** Of many records, predicates are made from some that are drawn; scans of larger files than these have made them already. */
async function singleOutByOwnRecipe(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release, part } = subject
  const scan = scanFor<AmongAll>(release, searchKey(part, chosen, context.seed))
  const sizes = [release.original.rows, rowCount(release, part), release.holdout?.rows ?? 0]
  if (scan === undefined && !areMany(sizes, chosen)) return singleOut(subject, OWN_RECIPE, chosen, context)
  if (release.variables.length === 0) throw new NotApplicable(NO_COLUMN)
  const amongAll = scan ?? (await searchInMemory(subject, chosen, context))
  const searched = comparedAmongAll(amongAll, release, scan !== undefined, context)
  return findingOf(searched, subject, OWN_RECIPE, chosen)
}

const NO_COLUMN = 'the files have no column in common'

function searchInMemory({ release, part }: Subject, chosen: Options, context: Context): Promise<AmongAll> {
  const files = {
    original: storedInMemory(release.original),
    released: storedInMemory(tableOfPart(release, part)),
    holdout: release.holdout && storedInMemory(release.holdout),
  }
  const { seed, random, tasks, signal } = context
  const most = Number.POSITIVE_INFINITY
  return searchAmongAll(release, files, modesOf(chosen), chosen, { seed, random, most, where: { tasks, signal } })
}

function comparedAmongAll(
  { found, ofOriginal, drawn, records: [original, released], outside: holdout }: AmongAll,
  { variables }: Release,
  isScanned: boolean,
  { random, signal }: Context,
): Searched {
  const compared = (attack: FoundAmongAll, exchange: Stream | null) => ({
    ...attack,
    comparison:
      holdout === null
        ? null
        : compareWithHoldout(attack.matches, original, holdout, exchange, () => throwIfAborted(signal)),
  })
  return {
    attacks: found.map(({ naive: _, ...attack }) => compared(attack, random(`${attack.mode} exchange`))),
    yardsticks: found.map(({ naive }) => ({ naive, sizeFactor: null })),
    ofOriginal: ofOriginal.map((attack) => everythingOf(compared(attack, null))),
    columns: variables.toSorted(byCodePoint).map((name) => ({ name })),
    records: { original, holdout, released: drawn.records },
    leftOut: { original: 0, holdout: holdout === null ? null : 0, released: released - drawn.records },
    isScanned,
    warnings: drawn.areSome ? [`predicates were made from a sample of ${count(drawn.records, 'released record')}`] : [],
  }
}

/** The attack with predicates found by a recipe, in memory. */
export function singleOut(subject: Subject, recipe: Recipe, chosen: Options, context: Context): Finding<Details> {
  const { release, part } = subject
  if (release.variables.length === 0) throw new NotApplicable(NO_COLUMN)
  const modes = modesOf(chosen)
  // First, so that its tables are gone before the others are there.
  const ofOriginal = attacksOfOriginal(release, modes, recipe, chosen, context)
  const tables = comparedTables(release, part, recipe)
  const attacks = modes.flatMap(
    (mode, k) => runMode(mode, tables, recipe, chosen, true, context, [k, modes.length]) ?? [],
  )
  const stop = () => throwIfAborted(context.signal)
  const { original, holdout, released, leftOut } = tables
  const searched = {
    attacks,
    yardsticks: attacks.map((attack) => yardsticksOf(attack, tables, recipe, chosen, context, stop)),
    ofOriginal,
    columns: original.columns,
    records: { original: original.rows, holdout: holdout?.rows ?? null, released: released.rows },
    leftOut,
    isScanned: false,
    warnings: [],
  }
  return findingOf(searched, subject, recipe, chosen)
}

function findingOf(
  { attacks: found, yardsticks, ofOriginal, columns, records, leftOut, isScanned, warnings }: Searched,
  { release, part }: Subject,
  recipe: Recipe,
  chosen: Options,
): Finding<Details> {
  if (found.length === 0)
    throw new NotApplicable(`${tableOfPart(release, part).name} has no record that a predicate isolates`)
  const attacks = found.map((attack, k) => described(attack, yardsticks[k], columns, recipe, chosen))
  const [lead] = attacks
  const everything = (mode: Mode) => ofOriginal.find((attack) => attack.mode === mode) ?? null
  const people = (mode: Mode) => records.original * (everything(mode)?.share ?? 1)
  const attacked = (mode: Mode) => (mode === 'univariate' ? people(mode) : Math.min(records.original, chosen.attacks))
  const fileRows = release.original.rows
  const seen = attacks.map((attack, k) => {
    const look = lookOf(attack, found[k], everything(attack.mode), attacked(attack.mode))
    return look && { ...look, added: addedBy(found[k], look, fileRows, leftOut.original) }
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
    isOfAll: isScanned,
    details: {
      definition: recipe.name,
      mode: lead.mode,
      attacks,
      records,
      leftOut,
    },
    warnings: [
      ...warnings,
      ...modesOf(chosen)
        .filter((mode) => !found.some((one) => one.mode === mode))
        .map((mode) => `no ${mode} predicate holds for a single released record`),
      ...attacks.flatMap((attack) => warningsOf(attack, chosen)),
    ],
    records: () =>
      Object.fromEntries(found.map((attack) => [attack.mode, perRecord(attack, fileRows, leftOut.original)])),
  }
}

/** Predicates made from the original itself: no more of them than the scale needs, and nothing is tested. */
function attacksOfOriginal(
  release: Release,
  modes: readonly Mode[],
  recipe: Recipe,
  chosen: Options,
  context: Context,
): Searched['ofOriginal'] {
  return remember(release, `singled out by the original ${JSON.stringify([recipe.name, chosen, context.seed])}`, () => {
    const tables = comparedTables(release, 'original', recipe)
    return modes.flatMap((mode) => {
      const found = runMode(mode, tables, recipe, chosen, false, context, [0, 1])
      return found === null ? [] : [everythingOf(found)]
    })
  })
}

function everythingOf({ mode, matches, comparison, share }: PredicateAttack): Searched['ofOriginal'][number] {
  return { mode, main: mainOf(matches), comparison, share, people: peopleSingledOut(matches) }
}

function mainOf({ inOriginal, originalRow, numbered: [originals] }: Matches): Rate {
  return singledOutRate(inOriginal, originalRow, originals)
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
  columns: Searched['columns'],
  recipe: Recipe,
  chosen: Options,
): Attack {
  const main = mainOf(matches)
  const { inHoldout, holdoutRow, numbered } = matches
  const control = inHoldout === null ? null : singledOutRate(inHoldout, holdoutRow, numbered[1])
  return {
    mode,
    main,
    control,
    naive,
    attempts,
    comparison,
    published: control === null ? null : printedElsewhere(main, control, sizeFactor, recipe, chosen),
    ...tally(predicates, matches, columns),
  }
}

function leadOf({ attacks, mode }: Details): Attack {
  return attacks.find((attack) => attack.mode === mode) ?? attacks[0]
}

function warningsOf({ mode, main }: Attack, { attacks }: Options): string[] {
  const few = mode === 'multivariate' && main.attacks < attacks
  return few ? [`only ${main.attacks} of ${attacks} multivariate predicates were found`] : []
}
