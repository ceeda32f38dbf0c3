import type { Context } from '../../../measure.js'
import { type Rate, rateOf } from '../attack.js'
import type { ComparedTables, Definition } from './compared-tables.js'
import { allSingleColumnPredicates, drawNaivePredicates, drawPredicates, samplePredicates } from './predicate-search.js'
import { countSingledOut, type IndexedTable, type Predicates } from './predicates.js'
import { type Comparison, compareWithHoldout, findMatches, type Matches } from './singled-out.js'
import { fittedSizeFactor } from './size-fit.js'

export type Mode = 'multivariate' | 'univariate'

interface Chosen {
  readonly definition: Definition
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
  chosen: Chosen,
  tested: boolean,
  { random }: Context,
  check: (share: number) => void,
): PredicateAttack | null {
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
    naive: rateOf({ successes: countSingledOut(naive, original), attacks: naive.count }),
    comparison:
      holdout === null
        ? null
        : compareWithHoldout(matches, original.rows, holdout.rows, tested ? random(`${mode} exchange`) : null, pause),
    sizeFactor:
      holdout === null || chosen.definition !== 'anonymeter' || original.rows === holdout.rows
        ? null
        : fittedSizeFactor(predicates, holdout, original.rows, random(`${mode} size fit`), pause),
  }
}

function findPredicates(
  mode: Mode,
  width: number,
  released: IndexedTable,
  { definition, attacks, maxAttempts }: Chosen,
  random: Context['random'],
  check: (found: number) => void,
): { predicates: Predicates; attempts: number | null } {
  const isolating = definition !== 'riskutility'
  const medians = definition === 'scrim' ? 'either way' : 'at most'
  const purpose = random(`${mode} predicates`)
  if (mode === 'multivariate' || !isolating) {
    const search = { width, wanted: attacks, mostAttempts: maxAttempts, isolating, medians } as const
    return drawPredicates(released, search, purpose, check)
  }
  const all = allSingleColumnPredicates(released)
  return { predicates: definition === 'scrim' ? all : samplePredicates(all, attacks, purpose), attempts: null }
}
