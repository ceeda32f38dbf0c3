import { z } from 'zod'
import { jointCodes } from '../../table/classes.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { type Cells, isWholeClassInRelease, keyLevelOfClass } from './cells.js'
import { type ExclusionOptions, isOverLimit } from './exclusions.js'

/**
 * synthpop's two flags for disclosure that may be common knowledge. One-way: most of the disclosed records have one and
 * the same target level. Two-way: a key level that nearly implies a target level accounts for several of them.
 */
export const checkOptions = {
  oneWay: z
    .object({ records: z.number().min(0).default(50), percent: z.number().min(0).max(100).default(90) })
    .prefault({})
    .describe(
      'flag a target level with more disclosed records and a larger percentage of them (synthpop: thresh_1way)',
    ),
  twoWay: z
    .object({ records: z.number().min(0).default(4), percent: z.number().min(0).max(100).default(80) })
    .prefault({})
    .describe(
      'flag a key level and target level in cells with more records, when the key level implies the target with a larger percentage (synthpop: thresh_2way)',
    ),
}

export interface CheckOptions {
  readonly oneWay: { readonly records: number; readonly percent: number }
  readonly twoWay: { readonly records: number; readonly percent: number }
}

export type OneWayCheck = {
  readonly flagged: boolean
  readonly level: string | null
  /** Records of the original, and the share of them with that level. */
  readonly all: number
  readonly levelShare: number
  readonly totalDisclosive: number
  readonly levelDisclosive: number
  readonly levelDisclosiveShare: number
}

export type TwoWayPair = {
  readonly target: string | null
  readonly key: string
  readonly level: string | null
  readonly records: number
  readonly keyTargetTotal: number
  readonly keyTotal: number
  readonly share: number
}

/** Null when nothing is disclosed. */
export function oneWayCheck(
  cells: Cells,
  rule: Uint8Array,
  options: CheckOptions & ExclusionOptions,
): OneWayCheck | null {
  const disclosed = new Float64Array(cells.target.levels.length)
  const all = new Float64Array(cells.target.levels.length)
  for (let cell = 0; cell < cells.d.length; cell++) {
    if (rule[cell] > 0 || isOverLimit(cells.dCount[cell], options)) continue
    all[cells.level[cell]] += cells.d[cell]
    if (isWholeClassInRelease(cells, cell)) disclosed[cells.level[cell]] += cells.d[cell]
  }
  const total = disclosed.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const worst = disclosed.indexOf(disclosed.reduce((a, b) => Math.max(a, b), 0))
  const records = all.reduce((sum, count) => sum + count, 0)
  return {
    flagged: disclosed[worst] > options.oneWay.records && (100 * disclosed[worst]) / total > options.oneWay.percent,
    level: cells.target.levels[worst],
    all: records,
    levelShare: all[worst] / records,
    totalDisclosive: total,
    levelDisclosive: disclosed[worst],
    levelDisclosiveShare: disclosed[worst] / total,
  }
}

/** The pairs that need a look, those with most disclosed records first. */
export function twoWayCheck(
  release: Release,
  cells: Cells,
  rule: Uint8Array,
  options: CheckOptions & ExclusionOptions,
): TwoWayPair[] {
  const large = Int32Array.from(cells.d.keys()).filter(
    (cell) =>
      isWholeClassInRelease(cells, cell) &&
      rule[cell] === 0 &&
      !isOverLimit(cells.dCount[cell], options) &&
      cells.d[cell] > options.twoWay.records,
  )
  if (large.length === 0) return []
  const pairs = cells.keys.names.flatMap((key) => pairsOfKey(release, cells, key, large))
  return pairs
    .filter((pair) => 100 * pair.share > options.twoWay.percent)
    .sort(
      (a, b) =>
        b.records - a.records || cells.keys.names.indexOf(a.key) - cells.keys.names.indexOf(b.key) || compareText(a, b),
    )
}

function compareText(a: TwoWayPair, b: TwoWayPair): number {
  const left = `${a.target}|${a.level}`
  const right = `${b.target}|${b.level}`
  return left < right ? -1 : left > right ? 1 : 0
}

function pairsOfKey(release: Release, cells: Cells, key: string, large: Int32Array): TwoWayPair[] {
  const joint = jointCodes(release, key)
  const levelOfClass = keyLevelOfClass(release, cells, joint)
  const levels = cells.target.levels.length
  const pairOf = (cell: number) => (levelOfClass[cells.classOf[cell]] + 1) * levels + cells.level[cell]
  const disclosed = new Map<number, number>()
  for (const cell of large) disclosed.set(pairOf(cell), (disclosed.get(pairOf(cell)) ?? 0) + cells.d[cell])
  const withTarget = new Map<number, number>()
  const keyTotal = new Float64Array(joint.cardinality + 1)
  for (let cell = 0; cell < cells.d.length; cell++) {
    keyTotal[levelOfClass[cells.classOf[cell]] + 1] += cells.d[cell]
    const pair = pairOf(cell)
    if (disclosed.has(pair)) withTarget.set(pair, (withTarget.get(pair) ?? 0) + cells.d[cell])
  }
  const labels = labelsOf(joint)
  return [...disclosed].map(([pair, records]) => {
    const keyLevel = Math.floor(pair / levels) - 1
    const keyTargetTotal = withTarget.get(pair) ?? 0
    return {
      target: cells.target.levels[pair % levels],
      key,
      level: keyLevel < 0 ? null : labels[keyLevel],
      records,
      keyTargetTotal,
      keyTotal: keyTotal[keyLevel + 1],
      share: keyTargetTotal / keyTotal[keyLevel + 1],
    }
  })
}
