import { MOST_COLUMNS, specialUniques } from '@scrim/kernels'
import { NotApplicable } from '../../../errors.js'
import type { Context } from '../../../measure.js'
import { count } from '../../../print.js'
import { choose } from '../../../stats/special.js'
import { total } from '../../../stats/sums.js'
import { jointCodes, type Part, rowsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { throwIfAborted } from '../../../tasks/task.js'
import {
  countWhere,
  type Frequencies,
  frequencies,
  incompleteRows,
  type MissingOptions,
  PLAIN_COUNTS,
  withClasses,
} from './frequencies.js'

/**
 * The search for minimal sample uniques: a set S of keys is one of record i when i is the only record with its values on S and
 * on no proper subset of S.
 */
const MOST_KEYS_UNBOUNDED = 20
export const MANY_DISTINCT_KEYS = 200_000
export const MOST_KEYS_SEARCHED_WHOLLY = 8
export const MAX_MSU_FOR_MANY = 4

export interface SearchOptions {
  /** Largest key set looked for. */
  readonly maxMsu: number | null
  readonly missing: MissingOptions['missing'] | 'noMatch'
  /** At most so many key sets are searched. */
  readonly maxNodes: number | null
}

export type KeyFile = ReturnType<typeof readKeys>

/** The keys of the rows that count, all but the dropped; `pairs` are records that share their key with exactly one other. */
export function readKeys(release: Release, part: Part, { missing }: Pick<SearchOptions, 'missing'>) {
  const { keys } = release
  const own = frequencies(release, part, keys, {
    ...PLAIN_COUNTS,
    missing: missing === 'noMatch' ? 'category' : missing,
  })
  const columns = keys.map((name) => jointCodes(release, name))
  const { rows, times } = countedRows(own)
  return {
    release,
    part,
    keys,
    policy: missing === 'noMatch' ? missing : own.policy,
    own,
    incomplete: countWhere(incompleteRows(release, part, keys), (flag) => flag === 1, own.times),
    distinctKeys: withClasses(release, part, keys, own, PLAIN_COUNTS).own.classes.count,
    uniques: countWhere(own.f, (size) => size === 1, own.times),
    pairs: countWhere(own.f, (size) => size === 2, own.times),
    rows,
    /** How many records each of these stands for; null where it is one each. */
    times,
    codes: columns.map((joint) => {
      const codes = rowsOfPart(release, joint, joint.codes, part)
      return times === null && rows.length === codes.length ? codes : rows.map((row) => codes[row])
    }),
    cardinalities: columns.map((joint) => joint.cardinality),
  }
}

/** Those that were not dropped. What stands for several records is there twice, so that it is not taken for unique. */
function countedRows({ f, times }: Pick<Frequencies, 'f' | 'times'>) {
  const places = times === null ? f : times.map((records) => Math.min(records, 2))
  const rows = new Int32Array(times === null ? f.length : total(places))
  const standFor = times === null ? null : new Int32Array(rows.length)
  let counted = 0
  const add = (row: number, records: number) => {
    if (standFor !== null) standFor[counted] = records
    rows[counted++] = row
  }
  for (let row = 0; row < f.length; row++) {
    if (Number.isNaN(f[row])) continue
    const records = times?.[row] ?? 1
    if (records > 1) add(row, records - 1)
    add(row, 1)
  }
  return { rows: rows.subarray(0, counted), times: standFor === null ? null : standFor.subarray(0, counted) }
}

/** Per minimal unique its record (an index into the rows that count) and its keys as bits. */
export type Uniques = ReturnType<typeof findUniques>

/**
 * The search, bounded twice: by `maxMsu`, and by `maxNodes` key sets. A search that runs out of sets is begun anew with the
 * largest size of which all sets fit, so that what is reported is complete up to a size.
 */
export function findUniques(file: KeyFile, chosen: SearchOptions, context: Pick<Context, 'progress' | 'signal'>) {
  const p = file.keys.length
  if (p > MOST_COLUMNS) throw new NotApplicable(`no more than ${MOST_COLUMNS} keys are looked at; there are ${p}`)
  if (p > MOST_KEYS_UNBOUNDED && chosen.maxMsu === null) {
    throw new NotApplicable(
      `with more than ${MOST_KEYS_UNBOUNDED} keys suda needs the option maxMsu, such as ${MAX_MSU_FOR_MANY}; there are ${p}`,
    )
  }
  const many = file.distinctKeys > MANY_DISTINCT_KEYS && p > MOST_KEYS_SEARCHED_WHOLLY
  const maxMsu = Math.min(p, chosen.maxMsu ?? (many ? MAX_MSU_FOR_MANY : p))
  const limit = chosen.maxNodes ?? Number.POSITIVE_INFINITY
  const search = (maxSize: number) => {
    const total = keySetsUpTo(p, maxSize)
    const proceed = (nodes: number) => {
      throwIfAborted(context.signal)
      context.progress(nodes, total)
      return nodes < limit
    }
    const columns = file.codes.map((codes, v) => ({ codes, cardinality: file.cardinalities[v] }))
    const missing = file.policy === 'drop' ? 'category' : file.policy
    return {
      ...specialUniques({ columns, rows: file.rows.length, maxSize, missing, proceed }),
      maxMsu,
      searchedSize: maxSize,
    }
  }
  const whole = search(maxMsu)
  const capped = many && chosen.maxMsu === null && maxMsu < p
  const because = capped
    ? `${count(file.distinctKeys, 'distinct key')}: only sets of up to ${maxMsu} keys were searched; set maxMsu for more`
    : null
  if (whole.finished) return { ...whole, partialBecause: because }
  let fitting = 1
  while (keySetsUpTo(p, fitting + 1) <= limit) fitting++
  return {
    ...search(fitting),
    partialBecause: `more than ${limit} key sets would have to be searched: only sets of up to ${fitting} keys were; set maxNodes for more`,
  }
}

function keySetsUpTo(p: number, size: number): number {
  let sets = 0
  for (let k = 1; k <= Math.min(size, p); k++) sets += choose(p, k)
  return sets
}

export function bitCount(mask: number): number {
  let bits = 0
  for (let left = mask; left !== 0; left &= left - 1) bits++
  return bits
}

export function keysOf(keys: readonly string[], mask: number): string[] {
  return keys.filter((_, v) => (mask & (1 << v)) !== 0)
}

/** The minimal sample uniques themselves, row by row; not part of a result, since they point at single persons. */
export function minimalUniques(release: Release, part: Part, chosen: Partial<SearchOptions> = {}) {
  const asked = { maxMsu: null, missing: 'auto', maxNodes: null, ...chosen } as const
  const file = readKeys(release, part, asked)
  const found = findUniques(file, asked, { progress: () => {}, signal: undefined })
  return Array.from(found.rows, (row, msu) => ({
    row: file.rows[row],
    keys: keysOf(file.keys, found.masks[msu]),
  })).sort((a, b) => a.row - b.row)
}
