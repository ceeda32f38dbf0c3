import { groupRows, rowsByGroup } from '@scrim/kernels'
import { sum } from '../../../stats/sums.js'
import type { Asked } from '../truth/truth.js'
import type { Key, LinkedFiles, Side } from './linked-files.js'

/**
 * Who is compared with whom: only records that agree on all keys of a blocking rule, missing being a value of its own; with
 * several rules, on all keys of at least one. A block is a set of query classes with the same candidates.
 */
export interface Block {
  readonly queries: Int32Array
  /** Classes of the search file, ascending; null for all of them. */
  readonly searches: Int32Array | null
}

export function blocksOf(files: LinkedFiles, rules: readonly (readonly string[])[]): readonly Block[] {
  const { query, search, keys } = files
  if (rules.length === 0) return [{ queries: Int32Array.from({ length: query.classes }, (_, a) => a), searches: null }]
  const n = query.classes
  const grouped = rules.map((names) => {
    const chosen = names.flatMap((name) => keys.filter((key) => key.name === name))
    const { ids, count } = groupRows(chosen.map(stacked), n + search.classes)
    return { ids, count, members: rowsByGroup(ids.subarray(n), count) }
  })
  const signatures = groupRows(
    grouped.map(({ ids, count }) => ({ codes: ids.subarray(0, n), cardinality: count })),
    n,
  )
  const byBlock = rowsByGroup(signatures.ids, signatures.count)
  return Array.from({ length: signatures.count }, (_, k) => {
    const queries = byBlock.rows.slice(byBlock.start[k], byBlock.start[k + 1])
    const lists = grouped.map(({ ids, members }) => {
      const id = ids[queries[0]]
      return members.rows.subarray(members.start[id], members.start[id + 1])
    })
    return { queries, searches: lists.length === 1 ? lists[0].slice() : union(lists) }
  })
}

function stacked({ query, search, cardinality }: Key) {
  const codes = new Int32Array(query.length + search.length)
  codes.set(query)
  codes.set(search, query.length)
  return { codes, cardinality }
}

function union(lists: readonly Int32Array[]): Int32Array {
  const all = new Set<number>()
  for (const list of lists) for (const one of list) all.add(one)
  return Int32Array.from(all).sort()
}

/** Records of the search file in a block. */
export function candidatesIn({ searches }: Block, { search }: LinkedFiles): number {
  if (searches === null) return search.records
  let records = 0
  for (const one of searches) records += search.counts[one]
  return records
}

/** The two files of a block alone; class k of it is `queries[k]`, or `searches[k]`, of all. */
export function filesOfBlock(files: LinkedFiles, { queries, searches }: Block): LinkedFiles {
  const found = searches ?? Int32Array.from({ length: files.search.classes }, (_, c) => c)
  const keys = files.keys.map((key) => ({
    ...key,
    query: Int32Array.from(queries, (a) => key.query[a]),
    search: Int32Array.from(found, (c) => key.search[c]),
  }))
  return { query: partOf(files.query, queries), search: partOf(files.search, found), keys }
}

/** Its rows are those of the chosen classes, in their order. */
function partOf({ table, ids, counts, first, classes }: Side, chosen: Int32Array): Side {
  const place = new Int32Array(classes).fill(-1)
  for (let k = 0; k < chosen.length; k++) place[chosen[k]] = k
  const kept = Int32Array.from(chosen, (id) => counts[id])
  return {
    table,
    ids: ids.filter((id) => place[id] >= 0).map((id) => place[id]),
    counts: kept,
    records: sum(kept),
    classes: chosen.length,
    first: Int32Array.from(chosen, (id) => first[id]),
  }
}

/** Rows of `width` numbers that were found for the classes of a block, into their places among all; null for all of them. */
export function putBlock<Numbers extends Int32Array | Float64Array>(
  part: Numbers,
  at: Int32Array | null,
  width: number,
  all: Numbers,
): void {
  const rows = part.length / width
  for (let k = 0; k < rows; k++) all.set(part.subarray(k * width, (k + 1) * width), (at === null ? k : at[k]) * width)
}

/** About so many pairs of classes at a time. */
const PAIRS_AT_ONCE = 2e7

/** A piece with the records of its classes, and what is asked of it. */
export interface AskedPiece extends Block {
  readonly queryCounts: Int32Array
  /** Asked pairs as places among the searches (-1 outside), query after query. */
  readonly askedStart: Int32Array
  readonly asked: Int32Array
}

export function withAsked({ queries, searches }: Block, { query }: LinkedFiles, asked: Asked): AskedPiece {
  const place = searches === null ? null : new Map(Array.from(searches, (search, at) => [search, at]))
  const askedStart = new Int32Array(queries.length + 1)
  const wanted: number[] = []
  for (let k = 0; k < queries.length; k++) {
    for (let p = asked.start[queries[k]]; p < asked.start[queries[k] + 1]; p++)
      wanted.push(place === null ? asked.search[p] : (place.get(asked.search[p]) ?? -1))
    askedStart[k + 1] = wanted.length
  }
  const queryCounts = Int32Array.from(queries, (a) => query.counts[a])
  return { queries, queryCounts, searches, askedStart, asked: Int32Array.from(wanted) }
}

/** Blocks cut into pieces and put together again to runs of about the same work, whatever the number of threads. */
export function runsOfBlocks(blocks: readonly Block[], { search }: LinkedFiles): readonly (readonly Block[])[] {
  const runs: Block[][] = []
  let pairs = Number.POSITIVE_INFINITY
  for (const { queries, searches } of blocks) {
    const width = Math.max(1, searches?.length ?? search.classes)
    const step = Math.max(16, Math.ceil(PAIRS_AT_ONCE / width))
    for (let from = 0; from < queries.length; from += step) {
      const piece = { queries: queries.slice(from, from + step), searches }
      if (pairs >= PAIRS_AT_ONCE) {
        runs.push([])
        pairs = 0
      }
      runs[runs.length - 1].push(piece)
      pairs += piece.queries.length * width
    }
  }
  return runs
}
