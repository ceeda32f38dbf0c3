import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { choice, nameList, real, whole } from '../option-kinds.js'
import { count } from '../print.js'
import { frequencies } from '../risk/frequency/counts/frequencies.js'
import { subsets } from '../stats/special.js'
import { sum } from '../stats/sums.js'
import type { Column } from '../table/column.js'
import { codeJointly, type JointColumn } from '../table/joint.js'
import { release } from '../table/release.js'
import { columnOf, selectRows, type Table } from '../table/table.js'
import {
  type AnonymiserContext,
  anonymiser,
  changedCells,
  nameProblems,
  variablesOption,
  withColumns,
  withMissing,
} from './method/anonymiser.js'
import { followKeys, ghostProblems, ghostsOption } from './method/ghosts.js'
import { type Strata, strataOption, strataProblems, stratify, stratumText } from './method/strata.js'
import { suppressToK } from './suppression/suppression-search.js'

/**
 * Local suppression to k-anonymity: single key values of records at risk become missing until every record agrees with
 * at least k records, itself included, on all keys that both have (missing may stand for any value).
 *
 * Which values are suppressed is decided in suppression-search.ts, the least important keys first. Unless `importance` says otherwise
 * the key with more levels is less important, of equals the one named later.
 *
 * With `counting` pass, every record that had fewer than k loses something, as in sdcMicro. With `running` the records are
 * taken one after the other, the rarest first, with the counts as they are by then: a record that an earlier suppression
 * has brought to k is left alone. That suppresses far less and satisfies the definition, but protects less: many records
 * with all their keys then rest on a few with missing ones, which cannot stand for all of them (`restingOnMissing`).
 *
 * With `combinations` every combination of so many keys is made k-anonymous instead of all keys together. All of them
 * are checked again until none is violated: what is suppressed for one combination may undo another when `alpha` is
 * below 1 (sdcMicro's issue 352). The result is checked by an independent count before it is returned.
 *
 * With `strata` each record must agree with k records of its own stratum. `ghosts` say the same as a key in other words
 * and are no keys themselves: they become missing wherever their key then is, suppressed or missing before.
 *
 * Blind to who reads a missing value as a value of its own, and to what is not a key.
 */
const options = z.object({
  variables: variablesOption('key variables, of any kind; null for the keys'),
  k: whole(2, { min: 2 }).describe('fewest records that agree on the keys'),
  importance: nameList().describe(
    'keys from the most important on: suppressed last; keys not named are less important, by their levels',
  ),
  search: choice(['importance', 'fewest'], 'importance').describe(
    'least important keys first, or as few cells per record as possible',
  ),
  counting: choice(['pass', 'running'], 'pass').describe(
    'pass: every rare record is suppressed; running: only those that earlier suppressions have not helped',
  ),
  combinations: z
    .array(z.number().int().min(1))
    .readonly()
    .default([])
    .describe('sizes of the key combinations to make k-anonymous; none: all keys together'),
  alpha: real(1, { min: 0, max: 1 }).describe('what an agreeing record with missing keys counts'),
  strata: strataOption,
  ghosts: ghostsOption,
})

type Options = z.output<typeof options>

const MOST_KEYS = 30
const MOST_KEYS_FEWEST = 12

export const localSuppression = anonymiser({
  id: 'local-suppression',
  title: 'Local suppression',
  summary: 'Makes single key values missing until every key combination is shared by at least k records.',
  options,
  apply(data, roles, chosen, context) {
    const keys = chosen.variables ?? roles.keys
    const problems = optionProblems(data, keys, chosen)
    if (problems.length > 0) throw new UserError(problems)
    const before = keys.map((name) => columnOf(data, name))
    const coded = before.map((column) => codeJointly([column]))
    const order = byImportance(coded, chosen.importance)
    const combinations = combinationsOf(order, chosen.combinations)
    const strata = stratify(data, chosen.strata)
    const small = strata.rows.findIndex((rows) => rows.length < chosen.k)
    if (small >= 0)
      throw new UserError(
        `k is ${chosen.k}, but ${stratumText(strata.names[small])} has only ${count(strata.rows[small].length, 'record')}`,
      )
    const { now, violating } = suppressWithin(strata, coded, combinations, chosen, context)
    const after = before.map((column, key) => withMissing(column, (row) => now[key][row] < 0))
    const ghosts = followKeys(data, chosen.ghosts, after)
    const table = withColumns(data, [...after, ...ghosts.map(({ column }) => column)])
    const checked = strata.rows.map((rows) => {
      const stratum = strata.rows.length === 1 ? table : selectRows(table, rows)
      return verified(stratum, keys, combinations, chosen)
    })
    const reached = Math.min(...checked.map((one) => one.reached))
    const restingOnMissing = sum(checked.map((one) => one.restingOnMissing))
    const suppressed = keys.map((variable, key) => ({ variable, cells: changedCells(before[key], after[key]).cells }))
    const reachedAsCategory = smallestClass([...after, ...chosen.strata.map((name) => columnOf(data, name))])
    return {
      table,
      description: {
        k: chosen.k,
        /** Keys from the most important on. */
        importance: order.map((key) => keys[key]),
        /** Records with fewer than k before, and with a suppressed cell now. */
        violating,
        records: touchedRecords(coded, now),
        suppressed,
        cells: suppressed.reduce((total, { cells }) => total + cells, 0),
        /** The smallest count of a record afterwards, by an independent count. */
        reached,
        /** Records that have k only thanks to records with other keys missing than theirs. */
        restingOnMissing,
        /** The smallest class if a missing value is read as a value of its own. */
        reachedAsCategory,
        /** 1 where all records are looked at together. */
        strata: strata.rows.length,
        ghosts: ghosts.map(({ about }) => about),
      },
      notes: suppressionNotes(chosen.k, restingOnMissing, reachedAsCategory),
    }
  },
})

function suppressionNotes(k: number, restingOnMissing: number, reachedAsCategory: number): string[] {
  const notes: string[] = []
  if (restingOnMissing > 0)
    notes.push(
      `${count(restingOnMissing, 'record')} reach ${k} only together with records whose missing keys may stand for theirs`,
    )
  if (reachedAsCategory < k)
    notes.push(`read as a value of its own instead, missing leaves a smallest class of ${reachedAsCategory}`)
  return notes
}

function optionProblems(data: Table, keys: readonly string[], chosen: Options): string[] {
  const { k, importance, search, combinations, strata } = chosen
  if (keys.length === 0) return ['local-suppression needs key variables']
  const problems = nameProblems(data, keys)
  const most = search === 'fewest' ? MOST_KEYS_FEWEST : MOST_KEYS
  if (keys.length > most) problems.push(`local-suppression takes at most ${most} keys, there are ${keys.length}`)
  if (k > data.rows) problems.push(`k is ${k}, but ${data.name} has only ${data.rows} records`)
  problems.push(
    ...strataProblems(data, strata, keys, 'suppressed'),
    ...ghostProblems(data, chosen.ghosts, keys, strata),
  )
  for (const [at, name] of importance.entries()) {
    if (!keys.includes(name)) problems.push(`importance names "${name}", which is not a key`)
    else if (importance.indexOf(name) < at) problems.push(`importance names "${name}" twice`)
  }
  for (const size of combinations)
    if (size > keys.length) problems.push(`there is no combination of ${size} out of ${keys.length} keys`)
  return problems
}

/** Keys from the most important on: those named, then those with fewer levels first. */
function byImportance(keys: readonly JointColumn[], named: readonly string[]): readonly number[] {
  const place = (key: number) => {
    const at = named.indexOf(keys[key].name)
    return at < 0 ? named.length : at
  }
  const levels = keys.map(({ codes }) => new Set(codes.filter((code) => code >= 0)).size)
  return [...keys.keys()].sort((a, b) => place(a) - place(b) || levels[a] - levels[b] || a - b)
}

/** Combinations of the given sizes, smaller ones first; each lists its keys from the most important on. */
function combinationsOf(order: readonly number[], sizes: readonly number[]): readonly (readonly number[])[] {
  if (sizes.length === 0) return [order]
  return [...new Set(sizes)].sort((a, b) => a - b).flatMap((size) => subsets(order, size))
}

/** Suppresses in each stratum as if it were a file. */
function suppressWithin(
  strata: Strata,
  coded: readonly JointColumn[],
  combinations: readonly (readonly number[])[],
  chosen: Options,
  context: AnonymiserContext,
): { readonly now: readonly Int32Array[]; readonly violating: number } {
  const now = coded.map(({ codes }) => codes.slice())
  let violating = 0
  for (const rows of strata.rows) {
    const members = coded.map((column) => ({ ...column, codes: Int32Array.from(rows, (row) => column.codes[row]) }))
    const suppression = suppressToK(members, combinations, chosen, context)
    violating += suppression.violating
    for (const [key, codes] of suppression.now.entries())
      for (const [at, row] of rows.entries()) now[key][row] = codes[at]
  }
  return { now, violating }
}

function touchedRecords(before: readonly JointColumn[], now: readonly Int32Array[]): number {
  let records = 0
  for (let row = 0; row < now[0].length; row++) {
    if (now.some((codes, key) => codes[row] !== before[key].codes[row])) records++
  }
  return records
}

/** The smallest count over all records and combinations, counted as the measures count; throws if it is below k. */
function verified(
  table: Table,
  keys: readonly string[],
  combinations: readonly (readonly number[])[],
  { k, alpha }: Options,
): { readonly reached: number; readonly restingOnMissing: number } {
  const suppressed = release({ original: table, released: table, keys, type: 'perturbed' })
  const resting = new Uint8Array(table.rows)
  let reached = Number.POSITIVE_INFINITY
  for (const combination of combinations) {
    const names = combination.map((key) => keys[key])
    const counted = (weight: number) =>
      frequencies(suppressed, 'original', names, { missing: 'wildcard', alpha: weight, definition: 'standard' }).f
    reached = counted(alpha).reduce((a, b) => Math.min(a, b), reached)
    for (const [row, f] of counted(0).entries()) if (f < k) resting[row] = 1
  }
  if (reached < k) throw new Error(`local suppression reached ${reached} instead of ${k}`)
  return { reached, restingOnMissing: resting.reduce((total, flag) => total + flag, 0) }
}

function smallestClass(columns: readonly Column[]): number {
  const coded = columns.map((column) => codeJointly([column]))
  const { ids, count: classes } = groupRows(coded, coded[0].codes.length)
  const sizes = new Int32Array(classes)
  for (const id of ids) sizes[id]++
  return sizes.reduce((a, b) => Math.min(a, b))
}
