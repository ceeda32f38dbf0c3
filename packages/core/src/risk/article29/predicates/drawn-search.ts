import type { Context } from '../../../measure.js'
import type { Where } from '../../../neighbors/tasks.js'
import type { Stream } from '../../../random/stream.js'
import { joinedCodes } from '../../../stats/joined.js'
import type { StoredTable } from '../../../stored/stored-table.js'
import { type Part, remember } from '../../../table/classes.js'
import { byCodePoint } from '../../../table/column.js'
import type { IndexedTable, Predicates } from '../../../table/predicates.js'
import type { Release } from '../../../table/release.js'
import { columnOf } from '../../../table/table.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type Rate, rateOf } from '../residual/attack.js'
import { type AllRecords, type Asked, matchesOf, type PutToAll, putToAll } from './among-all.js'
import { type DrawnRecords, drawRecords } from './drawn-records.js'
import type { Chosen, Mode, PredicateAttack } from './predicate-attack.js'
import { allSingleColumnPredicates, drawNaivePredicates, pickPredicates, predicateDraws } from './predicate-search.js'

/** Files wherever they are: in memory, or in an engine. */
export interface StoredFiles {
  readonly original: StoredTable
  readonly released: StoredTable
  readonly holdout: StoredTable | null
}

/** Predicates made from drawn records that hold for one record of their file alone. */
interface Isolating extends Pick<PredicateAttack, 'mode' | 'predicates' | 'attempts'> {
  readonly drawn: DrawnRecords
}

/** What predicates of one mode found, before people in and outside are compared. */
export type FoundAmongAll = Omit<PredicateAttack, 'comparison'>

export interface AmongAll {
  readonly found: readonly (FoundAmongAll & { readonly naive: Rate })[]
  readonly ofOriginal: readonly FoundAmongAll[]
  /** Released records that predicates were made from, and whether there are others. */
  readonly drawn: { readonly records: number; readonly areSome: boolean }
  readonly records: readonly [original: number, released: number]
  /** People in the holdout. */
  readonly outside: number | null
  /** What was done with these, in words. */
  readonly looked: string
}

export interface SearchHow {
  readonly seed: number
  readonly random: Context['random']
  /** Records that may be named. */
  readonly most: number
  readonly where: Where
}

/** Whether predicates are made from some records that are drawn, and not from all. */
export function areMany(rows: readonly number[], { sample }: Pick<Chosen, 'sample'>): boolean {
  return rows.some((records) => records > sample)
}

/** What a search is about: the same in memory and for scans of all records. */
export function searchKey(part: Part, chosen: Chosen & { readonly mode: string }, seed: number): string {
  return `predicates among all ${JSON.stringify([part, chosen.mode, ...numbersIn(chosen), seed])}`
}

function numbersIn({ nColumns, attacks, maxAttempts, sample }: Chosen): readonly number[] {
  return [nColumns, attacks, maxAttempts, sample]
}

/**
 * The attack on files of many records: predicates are made from some of the different records, which are drawn, and kept if they hold for
 * one record alone among all. Nothing else is asked of a file than these records, and which of its records predicates hold for.
 */
export async function searchAmongAll(
  release: Release,
  { original, released, holdout }: StoredFiles,
  modes: readonly Mode[],
  chosen: Chosen,
  how: SearchHow,
): Promise<AmongAll> {
  const columns = release.variables
    .toSorted(byCodePoint)
    .map((name) => ({ name, isNumber: columnOf(release.original, name).kind !== 'categorical' }))
  const all = (stored: StoredTable): AllRecords => ({ stored, columns, ...how })
  const find = (stored: StoredTable) => isolatingPredicates(all(stored), modes, chosen, how)
  const fromReleased = await find(released)
  const key = `predicates of the original ${JSON.stringify([modes, ...numbersIn(chosen), how.seed])}`
  const fromOriginal = await remember(release, key, () => find(original))
  const attacks = [...fromReleased, ...fromOriginal]
  const named = attacks.map(({ drawn, predicates }): Asked => ({ drawn, predicates, isNamed: true }))
  const naive = fromReleased.map(({ mode, predicates: { width }, drawn }): Asked => {
    const predicates = drawNaivePredicates(drawn.table, width, chosen.attacks, how.random(`${mode} naive`))
    return { drawn, predicates, enough: 1, isNamed: false }
  })
  const inOriginal = await putToAll(all(original), [...named, ...naive])
  const inHoldout = holdout === null ? [] : await putToAll(all(holdout), named)
  const found = attacks.map(
    ({ drawn, ...isolating }, k): FoundAmongAll => ({
      ...isolating,
      ...matchesOf(inOriginal[k], inHoldout[k] ?? null),
      share: isolating.mode === 'univariate' ? drawn.share : 1,
    }),
  )
  const { table, share } = fromReleased.at(0)?.drawn ?? { table: { rows: 0 }, share: 1 }
  return {
    found: fromReleased.map((_, k) => ({ ...found[k], naive: singledOut(inOriginal[attacks.length + k]) })),
    ofOriginal: found.slice(fromReleased.length),
    drawn: { records: table.rows, areSome: share < 1 },
    records: [original.schema.rows, released.schema.rows],
    outside: holdout?.schema.rows ?? null,
    looked: 'predicates were put to',
  }
}

function singledOut({ counts }: PutToAll): Rate {
  return rateOf({ successes: counts.filter((records) => records === 1).length, attacks: counts.length })
}

/** Predicates of drawn records that hold for no other record of all than those equal to the one that they were made from. */
async function isolatingPredicates(
  file: AllRecords,
  modes: readonly Mode[],
  chosen: Chosen,
  { random, seed, most, where }: SearchHow,
): Promise<readonly Isolating[]> {
  const drawn = await drawRecords(file.stored, file.columns, chosen.sample, seed, most, where)
  const { table } = drawn
  if (table.rows === 0) return []
  const stop = () => throwIfAborted(where.signal)
  const search = randomSearch(table, chosen, random('multivariate predicates'), stop)
  const tried = modes.map((mode) => (mode === 'univariate' ? allSingleColumnPredicates(table) : search.tried()))
  const alone = await placesAlone(file, drawn, tried)
  const found: Isolating[] = []
  for (const [k, mode] of modes.entries()) {
    if (mode === 'univariate') {
      found.push({ mode, predicates: pickPredicates(tried[k], alone[k]), attempts: null, drawn })
      continue
    }
    let places = alone[k]
    while (search.keep(places)) [places] = await placesAlone(file, drawn, [search.tried()])
    found.push({ mode, ...search.found(), drawn })
  }
  return found.filter(({ predicates }) => predicates.count > 0)
}

/** Random predicates that are put to all records at once: the first ones, and at most. Which are kept does not depend on it. */
const FIRST_AT_ONCE = 1 << 13
const MOST_AT_ONCE = 1 << 17

/** Random predicates on several columns, some at a time, of which the first that are kept are found. */
function randomSearch(
  table: IndexedTable,
  { nColumns, attacks, maxAttempts }: Chosen,
  random: Stream,
  check: () => void,
) {
  const width = Math.min(nColumns, table.columns.length)
  const search = { width, wanted: attacks, mostAttempts: maxAttempts, isolating: true, medians: 'either way' } as const
  const draw = predicateDraws(table, search, random, check)
  const kept: Predicates[] = []
  let [wanted, attempts, atOnce] = [attacks, 0, FIRST_AT_ONCE]
  let drawn: ReturnType<typeof draw> | undefined
  const tried = () => {
    drawn ??= draw(atOnce)
    return drawn
  }
  return {
    tried: () => tried().predicates,
    /** Keeps those at some places, and tries others; false where no more are wanted, or there are none. */
    keep(places: Int32Array): boolean {
      const { predicates, attemptOf, attempts: inAll } = tried()
      const first = places.subarray(0, wanted)
      kept.push(pickPredicates(predicates, first))
      wanted -= first.length
      attempts = wanted === 0 ? attemptOf[first[first.length - 1]] : inAll
      if (wanted === 0 || predicates.count < atOnce) return false
      atOnce = Math.min(4 * atOnce, MOST_AT_ONCE)
      drawn = undefined
      return true
    },
    found: () => ({ predicates: together(width, kept), attempts }),
  }
}

/** The places of those that hold for no further record. */
async function placesAlone(
  file: AllRecords,
  drawn: DrawnRecords,
  sets: readonly Predicates[],
): Promise<readonly Int32Array[]> {
  if (sets.every(({ count }) => count === 0)) return sets.map(() => new Int32Array())
  const put = await putToAll(
    file,
    sets.map((predicates) => ({ drawn, predicates, exceptOwn: true, enough: 0, isNamed: false })),
  )
  return put.map(({ counts }) => Int32Array.from(counts.keys()).filter((q) => counts[q] === 0))
}

function together(width: number, parts: readonly Predicates[]): Predicates {
  return {
    width,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    column: joinedCodes(parts.map(({ column }) => column)),
    operator: Uint8Array.from(joinedCodes(parts.map(({ operator }) => Int32Array.from(operator)))),
    code: joinedCodes(parts.map(({ code }) => code)),
  }
}
