import { sum } from '../stats/sums.js'

/**
 * How far the scores of released records lie from those of original ones, whatever the scores are.
 *
 *   ks  largest difference of the two distribution functions (SPECKS: Bowen, Liu and Su 2021)
 *   u   Mann-Whitney's count of pairs in which the released record scores higher, ties counting half
 *
 * A score may stand for several records, `original[i]` and `released[i]` of them. Scores fitted to the same records
 * separate them even when nothing distinguishes the files, so neither number has a p-value here.
 */
export function separation(scores: Float64Array, original: ArrayLike<number>, released: ArrayLike<number>) {
  const order = Int32Array.from(scores, (_, i) => i).sort((a, b) => scores[a] - scores[b])
  const n1 = sum(original)
  const n2 = sum(released)
  let below1 = 0
  let below2 = 0
  let ks = 0
  let u = 0
  for (let at = 0; at < order.length; ) {
    let here1 = 0
    let here2 = 0
    const score = scores[order[at]]
    for (; at < order.length && scores[order[at]] === score; at++) {
      here1 += original[order[at]]
      here2 += released[order[at]]
    }
    u += here2 * (below1 + here1 / 2)
    below1 += here1
    below2 += here2
    ks = Math.max(ks, Math.abs(below1 / n1 - below2 / n2))
  }
  return { ks, u }
}
