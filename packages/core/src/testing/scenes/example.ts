import { release } from '../../table/release.js'
import { type Table, tableOfRows } from '../../table/table.js'

/** A small worked example: 16 original and 12 synthetic records, two keys, a target and a second one; null is missing. */
const ORIGINAL: readonly (string | null)[][] = [
  ['a', 'x', 'N', 'p'],
  ['a', 'x', 'N', 'p'],
  ['a', 'x', 'N', 'p'],
  ['a', 'y', 'N', 'r'],
  ['a', 'y', 'Y', 'p'],
  ['b', 'x', 'Y', 'p'],
  ['b', 'y', 'N', 'r'],
  ['b', 'y', 'N', 'p'],
  ['b', 'y', 'Y', 'p'],
  ['c', 'x', 'Y', 'r'],
  ['c', 'x', 'Y', 'r'],
  ['c', 'y', 'N', 'p'],
  ['a', null, 'N', 'p'],
  ['a', null, null, 'p'],
  ['d', 'x', 'N', 'r'],
  ['d', 'x', 'N', 'p'],
]

const SYNTHETIC: readonly (string | null)[][] = [
  ['a', 'x', 'N', 'p'],
  ['a', 'x', 'N', 'p'],
  ['a', 'y', 'Y', 'r'],
  ['b', 'x', 'Y', 'p'],
  ['b', 'y', 'N', 'r'],
  ['b', 'y', 'Y', 'p'],
  ['c', 'y', 'Y', 'p'],
  ['c', 'y', 'Y', 'p'],
  ['a', null, 'N', 'p'],
  ['d', 'x', 'N', 'p'],
  ['e', 'x', 'N', 'r'],
  ['e', 'x', 'Y', 'p'],
]

const HOLDOUT = [
  ['a', 'x', 'N', 'p'],
  ['a', 'y', 'N', 'p'],
  ['b', 'x', 'N', 'p'],
  ['b', 'y', 'Y', 'p'],
  ['c', 'y', 'Y', 'p'],
  ['g', 'x', 'N', 'p'],
]

const NAMES = ['k1', 'k2', 't', 'u']
const times = (rows: readonly (string | null)[][], k: number) => rows.flatMap((row) => Array(k).fill(row))

/** The example as tables, every record repeated `copies` times, with `extra` synthetic records. */
export function exampleTables(
  copies = 1,
  extra: readonly (string | null)[][] = [],
): { original: Table; released: Table; holdout: Table } {
  return {
    original: tableOfRows('original', NAMES, times(ORIGINAL, copies)),
    released: tableOfRows('released', NAMES, [...times(SYNTHETIC, copies), ...extra]),
    holdout: tableOfRows('holdout', NAMES, HOLDOUT),
  }
}

/** The example as a release with keys k1 and k2 and target t. */
export function example(
  given: { copies?: number; keys?: string[]; target?: string | string[]; holdout?: boolean } = {},
) {
  const { original, released, holdout } = exampleTables(given.copies)
  return release({
    original,
    released,
    keys: given.keys ?? ['k1', 'k2'],
    target: given.target ?? 't',
    ...(given.holdout ? { holdout } : {}),
  })
}

/** A release with one key `k` and target `t`, from two lists of letters each. */
export function keyAndTarget(original: { k: string[]; t: string[] }, released: { k: string[]; t: string[] }) {
  const tableFrom = (name: string, { k, t }: { k: string[]; t: string[] }) =>
    tableOfRows(
      name,
      ['k', 't'],
      k.map((key, row) => [key, t[row]]),
    )
  return release({
    original: tableFrom('original', original),
    released: tableFrom('released', released),
    keys: ['k'],
    target: 't',
  })
}
