import { countIds, math } from '@scrim/kernels'
import { shuffle } from '../random/sampling.js'
import { type Stream, stream } from '../random/stream.js'
import { logChoose } from '../stats/special.js'
import { groupByKeys, rowsOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { selectRows } from '../table/table.js'
import { view } from './view.js'

/** A release that writes its records several times, with the repetition that the original does not have taken out. */
export const unrepeated = view<Int32Array>({
  id: 'unrepeated',
  undoes: 'records written several times',
  what: 'without the repetition of released records',
  detect: (release, { seed }) => rowsLeft(release, stream(seed, 'views/repetition')) ?? undefined,
  apply: withRows,
})

/** Rows of the release that are left in these columns; null when it repeats its records no more than the original does. */
export function rowsLeft(release: Release, random: Stream, names = release.variables): Int32Array | null {
  const { ids, count, ...rows } = groupByKeys(release, names)
  const [originals, released] = (['original', 0] as const).map((part) => rowsOfPart(release, rows, ids, part))
  const points = withoutRepetition(count, originals, released, random)
  if (points === null) return null
  // Equal records are alike: of each point the first ones stay.
  const left = countIds(points, count)
  return Int32Array.from(released.keys()).filter((row) => left[released[row]]-- > 0)
}

/** Row i of the release is then no longer made from row i of the original. */
export function withRows(release: Release, rows: Int32Array): Release {
  const type = release.type === 'perturbed' ? 'unknown' : release.type
  return { ...release, type, released: [selectRows(release.released[0], rows)] }
}

/**
 * Takes out of a release the repetition that the original does not have. Repeating released records raises the chance ν
 * that one of them is the most similar, and so hides copies; but people may be equal in both files, and counting equal
 * released records once while equal originals stay as they are would be unfair to an honest release of coarse data.
 *
 * So: how many records s of the original's population have as many different ones among them as the release has? With x_P
 * records at point P of n, the expected number of different ones among s is
 *   E(s) = Σ_P [1 - C(n - x_P, s) / C(n, s)] for s <= n (Hurlbert 1971), and beyond n
 *   E(n) + f0 [1 - (1 - f1 / (n f0 + f1))^(s - n)], f1 and f2 points with one and two records, f0 = f1² / 2 f2, or
 *   f1 (f1 - 1) / 2 when f2 = 0 (Chao et al. 2014).
 * In a release of m records with clearly fewer different ones than E(m), the most frequent record is left as many times as
 * the most frequent one of the original would be among s, the next as the next, and so on, by rank, ties at random; at
 * least once.
 *
 * Returns the point of each record that is left; null when the release repeats its records no more than the original does.
 */
export function withoutRepetition(
  points: number,
  originals: Int32Array,
  released: Int32Array,
  random: Stream,
): Int32Array | null {
  const m = released.length
  const records = countIds(released, points)
  const different = records.reduce((sum, count) => sum + Math.min(1, count), 0)
  const expected = differentRecords(countIds(originals, points), originals.length)
  if (different >= expected(m) - leeway(expected, m, originals.length)) return null
  const size = sizeWith(different, expected, m)
  if (size > HARMLESS * m) return null
  const perRecord = size / originals.length
  const repeated = countIds(originals, points)
    .filter((count) => count > 0)
    .sort()
  const order = Int32Array.from(records.keys()).filter((point) => records[point] > 0)
  shuffle(random, order)
  order.sort((a, b) => records[a] - records[b])
  const left: number[] = []
  for (const [rank, point] of order.entries()) {
    const usual = repeated[Math.floor(((rank + 0.5) * repeated.length) / order.length)]
    const times = Math.min(records[point], Math.max(1, Math.round(usual * perRecord)))
    for (let k = 0; k < times; k++) left.push(point)
  }
  return Int32Array.from(left)
}

/** E(s), for whole s. */
function differentRecords(counts: Int32Array, n: number): (s: number) => number {
  const pointsWith = new Map<number, number>()
  for (const count of counts) if (count > 0) pointsWith.set(count, (pointsWith.get(count) ?? 0) + 1)
  const different = [...pointsWith.values()].reduce((sum, points) => sum + points, 0)
  const [once, twice] = [pointsWith.get(1) ?? 0, pointsWith.get(2) ?? 0]
  const unseen = twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2
  return (s) => {
    if (s > n)
      return different + (once === 0 ? 0 : unseen * -math.expm1((s - n) * math.log1p(-once / (n * unseen + once))))
    let sum = 0
    for (const [count, of] of pointsWith)
      sum += of * (n - count < s ? 1 : -math.expm1(logChoose(n - count, s) - logChoose(n, s)))
    return sum
  }
}

const CLEARLY = 3
/** Repetition that adds less than this changes ν too little to hide anything. */
const HARMLESS = 0.95

/**
 * How many fewer different records an honest release can have: three standard deviations, and three records. Under
 * multinomial sampling the variance is E(2m) - E(m) - m E'(m)²; E(m) varies as much, with the original's size.
 */
function leeway(expected: (s: number) => number, m: number, n: number): number {
  const slope = expected(m + 1) - expected(m)
  const variance = Math.max(0, expected(2 * m) - expected(m) - m * slope ** 2)
  return CLEARLY * (1 + Math.sqrt(variance * (1 + m / n)))
}

/** The least size with so many different records expected, at most `m`. */
function sizeWith(different: number, expected: (s: number) => number, m: number): number {
  let [low, high] = [1, m]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (expected(middle) >= different - 1e-9) high = middle
    else low = middle + 1
  }
  return low
}
