/**
 * How much more the mean of h varies than over independent records, when the labels original and released are dealt out
 * at random. With x = n / (n + m), y = m / (n + m), K(i) the nearest records of i (ties included), w = 1 / |K(i)| the
 * credit that each of them gets from i, and c_j the credit that record j gets:
 *   Var(mean h) = (x y / n) · [ x (mean c² - s) + y (1 + M) - (1 - s) ],  s = mean 1 / |K(i)|, M = mean of Σ_j w_ij w_ji
 * (second moments of edge counts in the nearest-neighbour graph, as in Henze 1988; terms of order 1 / n left out). Records
 * that are nearest to many others (hubs, in many columns) and mutual neighbours raise it. All means are over original and
 * released records, but are estimated from the originals; M is never underestimated. At least 1: never less than for
 * independent records.
 */
interface NearestGraph {
  /** Per original looked at: its point, how many records are nearest, and the point of the only one (-1 for ties). */
  readonly points: Int32Array
  readonly tied: Float64Array
  readonly only: Int32Array
  /** Per point: the credit of each record there, and how many original and released records it stands for. */
  readonly credit: Float64Array
  readonly originalsAt: Int32Array
  readonly releasedAt: Int32Array
  readonly originals: number
  readonly released: number
}

/** What a run of queries gave: points with credit, and what each record there gets. */
export interface Credited {
  readonly credited: Int32Array
  readonly credit: Float64Array
}

export function creditByPoint(points: number, runs: readonly Credited[]): Float64Array {
  const all = new Float64Array(points)
  for (const { credited, credit } of runs) for (let k = 0; k < credited.length; k++) all[credited[k]] += credit[k]
  return all
}

export function designEffect(graph: NearestGraph): number {
  const { tied, originals, released } = graph
  const looked = tied.length
  const y = released / (originals + released)
  const sampled = looked / originals
  let s = 0
  let untied = 0
  for (let at = 0; at < looked; at++) {
    s += 1 / tied[at] / looked
    if (tied[at] === 1) untied += 1 / looked
  }
  const mutual = untied * (sampled === 1 ? mutualShare(graph) : 1) + (s - untied)
  const inFull = y * (1 + mutual) - (1 - s)
  return Math.max(1, sharedCredit(graph) / looked + sampled * inFull + (1 - sampled))
}

/** Σ over pairs of originals of the products of the credits that they give to the same record. */
function sharedCredit({ points, tied, credit, originalsAt, releasedAt }: NearestGraph): number {
  const own = new Float64Array(credit.length)
  let alone = 0
  for (let at = 0; at < points.length; at++) {
    alone += 1 / tied[at]
    own[points[at]] = 1 / tied[at]
  }
  let all = 0
  for (let point = 0; point < credit.length; point++) {
    // An original that has equals is among the nearest of theirs, but not of its own.
    const fromOthers = originalsAt[point] + releasedAt[point] > 1 ? credit[point] - own[point] : credit[point]
    all += releasedAt[point] * credit[point] ** 2 + originalsAt[point] * fromOthers ** 2
  }
  return Math.max(0, all - alone)
}

/** Among originals whose only nearest record is an original: how often that is mutual. 1 when there is none. */
function mutualShare({ points, only, credit, originalsAt, releasedAt }: NearestGraph): number {
  const onlyOf = new Int32Array(credit.length).fill(-1)
  for (let at = 0; at < points.length; at++) onlyOf[points[at]] = only[at]
  let pairs = 0
  let mutual = 0
  for (let at = 0; at < points.length; at++) {
    const other = only[at]
    if (other < 0 || originalsAt[other] === 0 || releasedAt[other] > 0) continue
    pairs++
    if (onlyOf[other] === points[at]) mutual++
  }
  return pairs === 0 ? 1 : mutual / pairs
}
