import type { Context } from '../../../measure.js'
import type { Stream } from '../../../random/stream.js'
import { type Rate, rateOf } from '../residual/attack.js'
import { type ChooseRows, type ComparedTables, distinctRecords, everyRecord } from './compared-tables.js'
import { allSingleColumnPredicates, drawNaivePredicates, drawPredicates, samplePredicates } from './predicate-search.js'
import { countSingledOut, type IndexedTable, type Predicates } from './predicates.js'
import { type Comparison, compareWithHoldout, findMatches, type Matches } from './singled-out.js'

export type Mode = 'multivariate' | 'univariate'

/** How predicates are found, and which records they are put to. */
export interface Recipe {
  readonly name: string
  /** Of original and holdout, and of the release. */
  readonly people: ChooseRows
  readonly released: ChooseRows
  /** Whether predicates must hold for one released record alone. */
  readonly isolating: boolean
  /** How a number on the median is described. */
  readonly medians: 'either way' | 'at most'
  /** Whether all univariate predicates are tried, or as many as were asked for. */
  readonly tryAll: boolean
  /** What control successes are multiplied by where original and holdout differ in size. */
  readonly sizeFactor?: (
    predicates: Predicates,
    holdout: IndexedTable,
    originals: number,
    random: Stream,
    check: () => void,
  ) => number | null
}

/** Every person; each distinct released record once, for a predicate holds for one record however often it is written. */
export const OWN_RECIPE: Recipe = {
  name: 'scrim',
  people: everyRecord,
  released: distinctRecords,
  isolating: true,
  medians: 'either way',
  tryAll: true,
}

interface Chosen {
  readonly nColumns: number
  readonly attacks: number
  readonly maxAttempts: number
}

/** What predicates of one mode found. */
export interface PredicateAttack {
  readonly mode: Mode
  readonly predicates: Predicates
  readonly attempts: number | null
  readonly matches: Matches
  readonly naive: Rate
  readonly comparison: Comparison | null
  readonly sizeFactor: number | null
}

/** Null when no predicate isolates a released record; `tested` is whether people in and outside are exchanged. */
export function attackWithPredicates(
  mode: Mode,
  tables: ComparedTables,
  recipe: Recipe,
  chosen: Chosen,
  tested: boolean,
  { random }: Context,
  check: (share: number) => void,
): PredicateAttack | null {
  const { original, holdout } = tables
  const width = mode === 'univariate' ? 1 : Math.min(chosen.nColumns, tables.released.columns.length)
  const { predicates, attempts } = findPredicates(mode, width, tables.released, recipe, chosen, random, (done) =>
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
    naive: rateOf({ successes: countSingledOut(naive, original), attacks: naive.count }),
    comparison:
      holdout === null
        ? null
        : compareWithHoldout(matches, original.rows, holdout.rows, tested ? random(`${mode} exchange`) : null, pause),
    sizeFactor:
      holdout === null || recipe.sizeFactor === undefined || original.rows === holdout.rows
        ? null
        : recipe.sizeFactor(predicates, holdout, original.rows, random(`${mode} size fit`), pause),
  }
}

function findPredicates(
  mode: Mode,
  width: number,
  released: IndexedTable,
  { isolating, medians, tryAll }: Recipe,
  { attacks, maxAttempts }: Chosen,
  random: Context['random'],
  check: (found: number) => void,
): { predicates: Predicates; attempts: number | null } {
  const purpose = random(`${mode} predicates`)
  if (mode === 'multivariate' || !isolating) {
    const search = { width, wanted: attacks, mostAttempts: maxAttempts, isolating, medians } as const
    return drawPredicates(released, search, purpose, check)
  }
  const all = allSingleColumnPredicates(released)
  return { predicates: tryAll ? all : samplePredicates(all, attacks, purpose), attempts: null }
}
