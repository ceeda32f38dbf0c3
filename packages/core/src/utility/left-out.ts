import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { mean } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { type Pair, pairOfRows } from './pair.js'

/**
 * The delete-a-group jackknife of a statistic of two files (Shao and Tu 1995, "The jackknife and bootstrap", section 2.3; Kott
 * 2001, "The delete-a-group jackknife"): its value without each of ten random groups of rows. Leaving rows out makes no ties
 * and shifts all groups alike, where resampling rows would show copies to the measures. Row i of a perturbed release is left
 * out with row i of the original. Of large files some thousand rows are looked at, and the deviations shrunk accordingly.
 */
const GROUPS = 10
const MOST_ROWS = 3000

/** Pairs of files of which each lacks a group, and by how much a deviation on these rows is larger than one on all. */
export interface LeftOut {
  readonly shrink: number
  pairs(pair: Pair): readonly Pair[]
}

/** Groups of the original alone, of the release alone (null where they are the same rows), and of both at once. */
export interface GroupsLeftOut {
  readonly original: LeftOut
  readonly released: LeftOut | null
  readonly both: LeftOut
}

/** @param name of the release: files of the same name are left out by the same rows */
export function groupsLeftOut(release: Release, seed: number, name: string): GroupsLeftOut {
  const { original, released, type } = release
  const x = groupsOf(original.rows, seed, 'original')
  const isPaired = type === 'perturbed' && released[0].rows === original.rows
  const y = isPaired ? x : groupsOf(released[0].rows, seed, name)
  const every = { x: joined(x.rows), y: joined(y.rows) }
  const without = (rows: readonly Int32Array[], group: number) => joined(rows.filter((_, g) => g !== group))
  const both: LeftOut = {
    shrink: Math.max(x.shrink, y.shrink),
    pairs: (pair) =>
      Array.from({ length: Math.min(x.rows.length, y.rows.length) }, (_, g) =>
        pairOfRows(pair, without(x.rows, g), without(y.rows, g)),
      ),
  }
  if (isPaired) return { original: both, released: null, both }
  return {
    original: { ...x, pairs: (pair) => x.rows.map((_, g) => pairOfRows(pair, without(x.rows, g), every.y)) },
    released: { ...y, pairs: (pair) => y.rows.map((_, g) => pairOfRows(pair, every.x, without(y.rows, g))) },
    both,
  }
}

/** √((G - 1) / G) (v_(g) - mean v): the variance is the sum of their squares. */
export function deviations(values: readonly number[], shrink: number): number[] {
  const centre = mean(values) ?? 0
  return values.map((value) => shrink * Math.sqrt((values.length - 1) / values.length) * (value - centre))
}

/** At most some thousand rows at random, dealt into groups. */
function groupsOf(rows: number, seed: number, name: string): { rows: readonly Int32Array[]; shrink: number } {
  const order = permutation(stream(seed, `compare/rows of ${name}`), rows).subarray(0, MOST_ROWS)
  const groups = Math.min(GROUPS, order.length)
  return {
    rows: Array.from({ length: groups }, (_, g) => order.filter((_, k) => k % groups === g).sort()),
    shrink: Math.sqrt(order.length / rows),
  }
}

function joined(groups: readonly Int32Array[]): Int32Array {
  return Int32Array.from(groups.flatMap((rows) => [...rows])).sort()
}
