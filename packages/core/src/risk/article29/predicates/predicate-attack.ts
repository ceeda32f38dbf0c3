import type { Context } from '../../../measure.js'
import type { Stream } from '../../../random/stream.js'
import { countSingledOut, type IndexedTable, type Predicates } from '../../../table/predicates.js'
import { type Rate, rateOf } from '../residual/attack.js'
import { type ChooseRows, type ComparedTables, distinctRecords, everyRecord } from './compared-tables.js'
import { allSingleColumnPredicates, drawNaivePredicates, drawPredicates, samplePredicates } from './predicate-search.js'
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

export interface Chosen {
  readonly nColumns: number
  readonly attacks: number
  readonly maxAttempts: number
  readonly sample: number
}

/** What predicates of one mode found. */
export interface PredicateAttack {
  readonly mode: Mode
  readonly predicates: Predicates
  /** Random predicates tried; null when all were. */
  readonly attempts: number | null
  readonly matches: Matches
  /** The rows of the file of the original that are numbered in the matches. */
  readonly originalRows: Int32Array
  /** Which share of all predicates they are, where all are tried that drawn records give. */
  readonly share: number
  readonly comparison: Comparison | null
}

export function modesOf({ mode }: { readonly mode: Mode | 'both' }): readonly Mode[] {
  return mode === 'both' ? ['multivariate', 'univariate'] : [mode]
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
  const width = widthOf(mode, tables, chosen)
  const { predicates, attempts } = findPredicates(mode, width, tables.released, recipe, chosen, random, (done) =>
    check((0.4 * done) / chosen.attacks),
  )
  if (predicates.count === 0) return null
  const matches = findMatches(predicates, original, holdout, (done) => check(0.4 + (0.2 * done) / predicates.count))
  const pause = () => check(0.6)
  return {
    mode,
    predicates,
    attempts,
    matches,
    originalRows: tables.originalRows,
    share: 1,
    comparison:
      holdout === null
        ? null
        : compareWithHoldout(matches, original.rows, holdout.rows, tested ? random(`${mode} exchange`) : null, pause),
  }
}

/** What an attack is shown beside. */
export interface Yardsticks {
  readonly naive: Rate
  /** Null where it is not used or has no fit. */
  readonly sizeFactor: number | null
}

export function yardsticksOf(
  { mode, predicates }: PredicateAttack,
  tables: ComparedTables,
  { sizeFactor }: Recipe,
  chosen: Chosen,
  { random }: Context,
  check: () => void,
): Yardsticks {
  const { original, holdout, released } = tables
  const naive = drawNaivePredicates(released, widthOf(mode, tables, chosen), chosen.attacks, random(`${mode} naive`))
  return {
    naive: rateOf({ successes: countSingledOut(naive, original), attacks: naive.count }),
    sizeFactor:
      holdout === null || sizeFactor === undefined || original.rows === holdout.rows
        ? null
        : sizeFactor(predicates, holdout, original.rows, random(`${mode} size fit`), check),
  }
}

function widthOf(mode: Mode, { released }: ComparedTables, { nColumns }: Chosen): number {
  return mode === 'univariate' ? 1 : Math.min(nColumns, released.columns.length)
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
