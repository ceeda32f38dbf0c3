import { z } from 'zod'
import { total } from '../../../stats/sums.js'
import { jointCodes } from '../../../table/classes.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { type Cells, isWholeClassInRelease, keyLevelOfClass } from './cells.js'
import { COUNTS, type Exclusions } from './exclusions.js'

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

type CheckOptions = z.output<z.ZodObject<typeof checkOptions>>

/** Null when nothing is disclosed. */
export function oneWayCheck(cells: Cells, { truth }: Exclusions, { oneWay }: CheckOptions) {
  const disclosed = new Float64Array(cells.target.levels.length)
  const all = new Float64Array(cells.target.levels.length)
  for (let cell = 0; cell < cells.d.length; cell++) {
    if (truth[cell] !== COUNTS) continue
    all[cells.level[cell]] += cells.d[cell]
    if (isWholeClassInRelease(cells, cell)) disclosed[cells.level[cell]] += cells.d[cell]
  }
  const totalDisclosive = total(disclosed)
  if (totalDisclosive === 0) return null
  const levelDisclosive = disclosed.reduce((a, b) => Math.max(a, b), 0)
  const worst = disclosed.indexOf(levelDisclosive)
  return {
    flagged: levelDisclosive > oneWay.records && (100 * levelDisclosive) / totalDisclosive > oneWay.percent,
    level: cells.target.levels[worst],
    /** Records of the original, and the share of them with that level. */
    all: total(all),
    levelShare: all[worst] / total(all),
    totalDisclosive,
    levelDisclosive,
    levelDisclosiveShare: levelDisclosive / totalDisclosive,
  }
}

/** The pairs that need a look, those with most disclosed records first. */
export function twoWayCheck(release: Release, cells: Cells, { truth }: Exclusions, { twoWay }: CheckOptions) {
  const large = Int32Array.from(cells.d.keys()).filter(
    (cell) => isWholeClassInRelease(cells, cell) && truth[cell] === COUNTS && cells.d[cell] > twoWay.records,
  )
  if (large.length === 0) return []
  const { names } = cells.keys
  return names
    .flatMap((key) => pairsOfKey(release, cells, key, large))
    .filter((pair) => 100 * pair.share > twoWay.percent)
    .sort((a, b) => b.records - a.records || names.indexOf(a.key) - names.indexOf(b.key) || compareText(a, b))
}

type Pair = ReturnType<typeof pairsOfKey>[number]

function compareText(a: Pair, b: Pair): number {
  const left = `${a.target}|${a.level}`
  const right = `${b.target}|${b.level}`
  return left < right ? -1 : left > right ? 1 : 0
}

function pairsOfKey(release: Release, cells: Cells, key: string, large: Int32Array) {
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
