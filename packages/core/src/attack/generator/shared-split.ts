import { CLEAR, type FoundSplit, type GrownNode, type GrownSplit, splitOfBase } from './grown-tree.js'
import { type NodeSearch, searchSplit, type World } from './node-search.js'

/**
 * The best split of a node whose rows and responses are those of the base, where one record has other values in some
 * columns. Only these columns are searched, and not even these where they cannot beat the split of the base. The simple
 * version searches all columns.
 */

export function sharedSplit(search: NodeSearch, world: World, base: GrownNode): FoundSplit | null {
  const { split, rows } = base
  const { minbucket } = search.step.settings
  if (world.columns.length === 0 || (split !== null && staysBest(search, world, base, split))) return splitOfBase(base)
  const changed = searchSplit(search, world, rows, minbucket, base, world.columns)
  const others = bestOfOthers(search, world, base)
  if (changed === null || others === null) return changed ?? others
  const [low, high] = [changed, others].sort((a, b) => a.split.gain - b.split.gain)
  return low.split.gain < high.split.gain * (1 - CLEAR) ? high : searchSplit(search, world, rows, minbucket, base)
}

/** The best split of the base on the columns that the world does not change. */
function bestOfOthers(search: NodeSearch, world: World, base: GrownNode): FoundSplit | null {
  const ofBase = splitOfBase(base)
  if (ofBase === null || world.isChanged[ofBase.split.column] === 0) return ofBase
  const known = base.known.others.get(world.key)
  if (known !== undefined) return known
  const { columns, settings } = search.step
  const unchanged = Array.from(columns.keys()).filter((c) => world.isChanged[c] === 0)
  const best = searchSplit(search, null, base.rows, settings.minbucket, null, unchanged)
  base.known.others.set(world.key, best)
  return best
}

/**
 * Whether no cut of the changed columns can beat the split of the base. A cut in the world puts the other records where
 * some cut of the base with one row less on a side put them, and moving one record between the sides raises
 *
 *   Σ_k n_k² / n by 1 at most on either side (classes), and
 *   (S_L + y)² (1/n_L + 1/n_R)  to at most  (√(g (b+1)/b) + |y| √(1/b + 1/(n-b)))²  (numbers; b = minbucket).
 */
function staysBest(search: NodeSearch, world: World, base: GrownNode, split: GrownSplit): boolean {
  const { classes, response, settings } = search.step
  if (world.isChanged[split.column] === 1) return false
  const loose = base.known.loose.get(world.key) ?? looseGain(search, world, base.rows)
  base.known.loose.set(world.key, loose)
  if (classes > 0) return loose + 2 < split.gain * (1 - CLEAR)
  const { minbucket } = settings
  const n = base.rows.length
  let sum = 0
  for (let k = 0; k < n; k++) sum += response[base.rows[k]]
  const y = Math.abs(world.response - sum / n)
  const root = Math.sqrt((loose * (minbucket + 1)) / minbucket) + y * Math.sqrt(1 / minbucket + 1 / (n - minbucket))
  return root * root < split.gain * (1 - CLEAR)
}

/** Levels are cut in the order of their means, which the record may change; with no least size that order is the best. */
const MOST_LEVELS_TRIED_ALL = 12

function looseGain(search: NodeSearch, world: World, rows: Int32Array): number {
  const { columns, classes, settings } = search.step
  const levels = world.columns.map((c) => columns[c]).filter(({ distinct }) => distinct === null)
  if (classes > 2 && levels.some((column) => column.levels > MOST_LEVELS_TRIED_ALL)) return Number.POSITIVE_INFINITY
  const least = levels.length > 0 && classes <= 2 ? 1 : Math.max(1, settings.minbucket - 1)
  return searchSplit(search, null, rows, least, null, world.columns)?.split.gain ?? 0
}
