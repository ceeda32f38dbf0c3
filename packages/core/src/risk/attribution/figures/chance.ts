import { math } from '@scrim/kernels'
import { logFallingFactorial } from '../../../stats/special.js'
import type { Matches } from '../counts/attack.js'
import type { Cells } from '../counts/cells.js'

/**
 * What chance alone would give: the targets of the release reassigned at random to its records, its keys and its target
 * margin kept. Means and variances are exact, no permutation is drawn. A release with a constant target equals its null, so
 * blanking the target discloses nothing here, however much DiSCO rises.
 *
 * With p(t, s) = (s_t)_s / (N_s)_s the chance that s given records all have level t, (x)_n the falling factorial:
 *   E0[DCAPd]  = (1/N_d) sum over matched records of s_t / N_s
 *   E0[DiSCO]  = (1/N_d) sum over classes q of the release and levels t of d_tq p(t, s_q)
 */
export type Chance = {
  readonly expected: number
  /** Null where matches are neighbourhoods that overlap: the mean is still exact, since it adds up over records one by one. */
  readonly sd: number | null
  readonly excess: number
  /** Null where the null has no variance. */
  readonly z: number | null
  /** (value - expected) / (1 - expected): 0 at chance, 1 at certainty; null where chance is certainty. */
  readonly normalisedExcess: number | null
}

function compareWithChance(value: number, expected: number, variance: number | null, cells: Cells): Chance {
  const constant = cells.sLevel.includes(cells.ns)
  const sd = variance === null ? null : constant ? 0 : Math.sqrt(Math.max(0, variance))
  const excess = value - expected
  return {
    expected,
    sd,
    excess,
    z: sd !== null && sd > 0 ? excess / sd : null,
    normalisedExcess: expected < 1 ? excess / (1 - expected) : null,
  }
}

/** `near` are the matches where these are neighbourhoods, not classes. */
export function chanceOfDcap(value: number, cells: Cells, near?: Matches): Chance {
  const { nd, ns, sLevel, sClass } = cells
  const matched = near?.records ?? sClass
  let expected = 0
  let squares = 0
  let grand = 0
  const classMeans = new Float64Array(cells.classes)
  const levelMeans = new Float64Array(sLevel.length)
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    const t = cells.level[cell]
    if (matched[q] === 0) continue
    const d = cells.d[cell]
    expected += (d * sLevel[t]) / ns
    if (near !== undefined) continue
    const a = d / sClass[q]
    squares += sClass[q] * sLevel[t] * a * a
    classMeans[q] += (sLevel[t] * a) / ns
    levelMeans[t] += (sClass[q] * a) / ns
    grand += (sClass[q] * sLevel[t] * a) / (ns * ns)
  }
  let byClass = 0
  for (let q = 0; q < cells.classes; q++) byClass += sClass[q] * classMeans[q] ** 2
  let byLevel = 0
  for (let t = 0; t < sLevel.length; t++) byLevel += sLevel[t] * levelMeans[t] ** 2
  const interaction = squares - ns * byClass - ns * byLevel + ns * ns * grand * grand
  const variance = ns > 1 ? interaction / (ns - 1) / (nd * nd) : 0
  return compareWithChance(value, expected / nd, near === undefined ? variance : null, cells)
}

export function chanceOfDisco(value: number, cells: Cells, near?: Matches): Chance {
  const { nd } = cells
  if (near !== undefined) return compareWithChance(value, sureByChance(cells, near) / nd, null, cells)
  const model = homogeneity(cells)
  let mean = 0
  let variance = 0
  for (let q = 0; q < cells.classes; q++) {
    const size = model.sizeIndex[q]
    if (size < 0) continue
    let own = 0
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      const p = model.p(cells.level[cell], size)
      own += cells.d[cell] * p
      variance += cells.d[cell] ** 2 * p
    }
    mean += own
    variance -= own * own
  }
  return compareWithChance(value, mean / nd, (variance + betweenClasses(cells, model)) / (nd * nd), cells)
}

/**
 * The sum over pairs of different classes of the covariance of their contributions. Classes of equal size have equal
 * probabilities, so it is a sum over pairs of sizes of products of per-level sums W, less the pairs of a class with itself.
 */
function betweenClasses(cells: Cells, model: Homogeneity): number {
  const levels = cells.sLevel.length
  const sizes = model.sizes.length
  const weighted = new Float64Array(sizes * levels)
  const total = new Float64Array(sizes)
  const withItself = new Float64Array(sizes)
  const sameLevelWithItself = new Float64Array(sizes * levels)
  for (let q = 0; q < cells.classes; q++) {
    const size = model.sizeIndex[q]
    if (size < 0) continue
    let own = 0
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      const t = cells.level[cell]
      const part = cells.d[cell] * model.p(t, size)
      own += part
      weighted[size * levels + t] += part
      sameLevelWithItself[size * levels + t] += part * part
    }
    total[size] += own
    withItself[size] += own * own
  }
  let sum = 0
  for (let a = 0; a < sizes; a++) {
    for (let b = 0; b <= a; b++) {
      const spread = model.joint(a, b)
      if (spread === Number.POSITIVE_INFINITY) continue
      const twice = a === b ? 1 : 2
      const pairs = total[a] * total[b] - (a === b ? withItself[a] : 0)
      sum += twice * pairs * (spread - 1)
      for (let t = 0; t < levels; t++) {
        const same =
          weighted[a * levels + t] * weighted[b * levels + t] - (a === b ? sameLevelWithItself[a * levels + t] : 0)
        if (same !== 0) sum += twice * same * spread * (model.sameLevel(t, a, b) - 1)
      }
    }
  }
  return sum
}

interface Homogeneity {
  /** Distinct class sizes of the release, and which of them each class has (-1: not in the release). */
  readonly sizes: readonly number[]
  readonly sizeIndex: Int32Array
  /** p(t, s) for the size with that index. */
  p(level: number, size: number): number
  /** (N)_a (N)_b / (N)_{a+b}; infinite where two such classes do not fit, or both have no chance to be homogeneous. */
  joint(a: number, b: number): number
  /** (s_t)_{a+b} / ((s_t)_a (s_t)_b). */
  sameLevel(level: number, a: number, b: number): number
}

function homogeneity({ sClass, sLevel, ns }: Cells): Homogeneity {
  const sizes = [...new Set(sClass)].filter((size) => size > 0).sort((a, b) => a - b)
  const indexOf = new Map(sizes.map((size, k) => [size, k]))
  const table = new Float64Array(sizes.length * sLevel.length)
  for (let t = 0; t < sLevel.length; t++) {
    let p = 1
    let reached = 0
    for (const [k, size] of sizes.entries()) {
      for (; reached < size && p > 0; reached++) p *= Math.max(0, sLevel[t] - reached) / (ns - reached)
      table[k * sLevel.length + t] = p
    }
  }
  return {
    sizes,
    sizeIndex: sClass.map((size) => (size === 0 ? -1 : (indexOf.get(size) ?? -1))),
    p: (level, size) => table[size * sLevel.length + level],
    joint: (a, b) => 1 / fallingRatio(ns, sizes[a], sizes[b]),
    sameLevel: (level, a, b) => fallingRatio(sLevel[level], sizes[a], sizes[b]),
  }
}

/** Above this many factors the product is taken by logarithms. */
const LONGEST_PRODUCT = 64

/** (x)_{a+b} / ((x)_a (x)_b) = product over i < b of (x - a - i) / (x - i), with b the smaller. */
function fallingRatio(x: number, a: number, b: number): number {
  if (a + b > x) return 0
  const [large, small] = a > b ? [a, b] : [b, a]
  if (small > LONGEST_PRODUCT) return math.exp(logFallingFactorial(x - large, small) - logFallingFactorial(x, small))
  let product = 1
  for (let i = 0; i < small; i++) product *= (x - large - i) / (x - i)
  return product
}

/** E0 of the mean WEAP and of the share of released records with WEAP 1. */
export function chanceOfWeap(cells: Cells): { readonly mean: number; readonly disclosive: number } {
  const { ns, sLevel, sClass } = cells
  const agree = ns > 1 ? sLevel.reduce((sum, count) => sum + count * (count - 1), 0) / (ns * (ns - 1)) : 0
  const model = homogeneity(cells)
  const whole = model.sizes.map((_, size) => sLevel.reduce((sum, _count, t) => sum + model.p(t, size), 0))
  let mean = 0
  let disclosive = 0
  for (let q = 0; q < cells.classes; q++) {
    if (sClass[q] === 0) continue
    mean += 1 + (sClass[q] - 1) * agree
    disclosive += sClass[q] * whole[model.sizeIndex[q]]
  }
  return { mean: mean / ns, disclosive: disclosive / ns }
}

/** People whose neighbours would all have their level, expected one by one. */
function sureByChance({ d, level, classOf, sLevel, ns }: Cells, { records }: Matches): number {
  let expected = 0
  for (let cell = 0; cell < d.length; cell++) {
    const size = records[classOf[cell]]
    if (size > 0 && d[cell] > 0) expected += d[cell] * allOfOneLevel(sLevel[level[cell]], ns, size)
  }
  return expected
}

/** (a)_m / (n)_m: the chance that m of n records are all among `a` of them. */
function allOfOneLevel(a: number, n: number, m: number): number {
  if (m > a) return 0
  if (m > LONGEST_PRODUCT) return math.exp(logFallingFactorial(a, m) - logFallingFactorial(n, m))
  let product = 1
  for (let i = 0; i < m; i++) product *= (a - i) / (n - i)
  return product
}
