import { math } from '@scrim/kernels'
import { sum } from '../sums.js'

/**
 * Entropies, divergences and information of distributions on finitely many values (Shannon 1948; Kullback and Leibler 1951;
 * Lin 1991; Rényi 1961; Cover and Thomas 2006). Natural logarithms unless a base is given; 0 log 0 is 0. Distributions are
 * shares: finite, not negative, with sum 1 to 1e-6.
 */
type Shares = ArrayLike<number>

const SUM_TOLERANCE = 1e-6

function requireShares(...all: readonly Shares[]): void {
  for (const shares of all) {
    let total = 0
    for (let k = 0; k < shares.length; k++) {
      if (!(shares[k] >= 0 && shares[k] < Number.POSITIVE_INFINITY))
        throw new RangeError(`shares are not negative and finite, but one is ${shares[k]}`)
      total += shares[k]
    }
    if (!(Math.abs(total - 1) <= SUM_TOLERANCE)) throw new RangeError(`shares sum to 1, but these sum to ${total}`)
    if (shares.length !== all[0].length)
      throw new RangeError(`distributions on ${all[0].length} and on ${shares.length} values cannot be compared`)
  }
}

function total(shares: Shares, term: (share: number, k: number) => number): number {
  return sum(Float64Array.from(shares, term))
}

/** H = -Σ p ln p. */
export function entropy(p: Shares): number {
  requireShares(p)
  return entropyOfShares(p)
}

function entropyOfShares(p: Shares): number {
  return -total(p, (share) => (share > 0 ? share * math.log(share) : 0))
}

/** Σ a ln(a / b); infinite where b is 0 and a is not. 0 for equal distributions. */
export function klDivergence(a: Shares, b: Shares): number {
  requireShares(a, b)
  return total(a, (share, k) => (share > 0 ? share * math.log(share / b[k]) : 0))
}

/** KL(a, m)/2 + KL(b, m)/2 with m the mean of both: from 0 to ln 2, symmetric, always finite. */
export function jensenShannon(a: Shares, b: Shares): number {
  requireShares(a, b)
  const toMiddle = (share: number, other: number) => (share > 0 ? share * math.log((2 * share) / (share + other)) : 0)
  return (total(a, (share, k) => toMiddle(share, b[k])) + total(b, (share, k) => toMiddle(share, a[k]))) / 2
}

/**
 * (k/2) ln(mean(a/b) mean(b/a)): divergence of compositions (Martín-Fernández, Bren, Barceló-Vidal and Pawlowsky-Glahn 1999).
 * Symmetric, 0 for proportional ones. Infinite where only one share is 0; parts that are 0 in both are left out.
 */
export function compositionalKl(a: Shares, b: Shares): number {
  requireShares(a, b)
  const parts = Array.from(a, (_, k) => k).filter((k) => a[k] > 0 || b[k] > 0)
  const ratios = sum(parts.map((k) => a[k] / b[k]))
  const inverse = sum(parts.map((k) => b[k] / a[k]))
  return (parts.length / 2) * math.log((ratios / parts.length) * (inverse / parts.length))
}

/** The mean of both from their middle, as Jensen and Shannon's, for compositions. */
export function compositionalJensenShannon(a: Shares, b: Shares): number {
  const middle = Float64Array.from(a, (share, k) => (share + b[k]) / 2)
  return (compositionalKl(a, middle) + compositionalKl(b, middle)) / 2
}

/**
 * Aitchison's (1982) distance of compositions, √Σ (clr a - clr b)² with clr a = ln a less its mean; the same whatever a and b
 * sum to. Null where a part is not positive.
 */
export function aitchisonDistance(a: ArrayLike<number>, b: ArrayLike<number>): number | null {
  const logs: number[] = []
  for (let k = 0; k < a.length; k++) {
    if (!(a[k] > 0 && b[k] > 0)) return null
    logs.push(math.log(a[k] / b[k]))
  }
  const centre = sum(logs) / logs.length
  return logs.length === 0 ? null : Math.sqrt(sum(logs.map((log) => (log - centre) ** 2)))
}

/** -Σ a ln b: what it costs to code a with a code made for b. */
export function crossEntropy(a: Shares, b: Shares): number {
  requireShares(a, b)
  return -total(a, (share, k) => (share > 0 ? share * math.log(b[k]) : 0))
}

/** ln(Σ p^α) / (1 - α); α 0 is Hartley's ln of the number of values, 1 Shannon's entropy, infinity min-entropy -ln max p. */
export function renyiEntropy(p: Shares, alpha: number): number {
  requireShares(p)
  if (!(alpha >= 0)) throw new RangeError(`the order of an entropy is not negative, but it is ${alpha}`)
  if (alpha === 1) return entropyOfShares(p)
  if (alpha === Number.POSITIVE_INFINITY)
    return -math.log(Array.from(p).reduce((most, share) => Math.max(most, share), 0))
  return math.log(total(p, (share) => (share > 0 ? math.pow(share, alpha) : 0))) / (1 - alpha)
}

/** H / ln(number of values that occur); 0 when there is one. */
export function normalisedEntropy(p: Shares): number {
  const most = renyiEntropy(p, 0)
  return most === 0 ? 0 : entropyOfShares(p) / most
}

/** A joint distribution: `rows` x `columns` shares, row after row. */
export interface JointShares {
  readonly shares: Float64Array
  readonly rows: number
  readonly columns: number
}

export function rowShares({ shares, rows, columns }: JointShares): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => sum(shares.subarray(i * columns, (i + 1) * columns)))
}

export function columnShares({ shares, rows, columns }: JointShares): Float64Array {
  const margins = new Float64Array(columns)
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) margins[j] += shares[i * columns + j]
  return margins
}

/** H(column | row) = H(row, column) - H(row). */
export function conditionalEntropy(joint: JointShares): number {
  return entropy(joint.shares) - entropyOfShares(rowShares(joint))
}

/**
 * I = H(row) + H(column) - H(row, column), margins taken from the joint distribution. At least 0 but for rounding. Of a
 * table of counts it is too large by about (r - 1)(c - 1) / 2N, see `millerMadow`.
 */
export function mutualInformation(joint: JointShares): number {
  return entropyOfShares(rowShares(joint)) + entropyOfShares(columnShares(joint)) - entropy(joint.shares)
}

/** I(a; b | c) = H(a, c) + H(b, c) - H(a, b, c) - H(c), from codes 0, 1, ... of the same records. */
export function conditionalMutualInformation(a: Int32Array, b: Int32Array, c: Int32Array): number {
  const h = (...columns: readonly Int32Array[]) => entropyOfCounts(jointCounts(columns)).plugIn
  return h(a, c) + h(b, c) - h(a, b, c) - h(c)
}

function jointCounts(columns: readonly Int32Array[]): number[] {
  const counts = new Map<string, number>()
  for (let row = 0; row < columns[0].length; row++) {
    const key = columns.map((column) => column[row]).join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts.values()]
}

export interface EstimatedEntropy {
  readonly plugIn: number
  /** + (values that occur - 1) / 2N: Miller (1955). The plug-in entropy of a sample is too small by about that. */
  readonly millerMadow: number
}

/** Entropy of counts or weighted totals; `records` is the number behind them. 0 without any. */
export function entropyOfCounts(counts: ArrayLike<number>, records = sum(counts)): EstimatedEntropy {
  const all = sum(counts)
  if (all === 0) return { plugIn: 0, millerMadow: 0 }
  let occupied = 0
  for (let k = 0; k < counts.length; k++) if (counts[k] > 0) occupied++
  const plugIn = -total(counts, (count) => (count > 0 ? (count / all) * math.log(count / all) : 0))
  return { plugIn, millerMadow: plugIn + (occupied - 1) / (2 * records) }
}

/**
 * Cumulative residual information of numbers, -∫ F ln F dx = -Σ (x_(i+1) - x_(i)) (i/n) ln(i/n): Di Crescenzo and Longobardi
 * (2009), "On cumulative entropies". In the unit of the numbers; 0 for a constant, null without numbers.
 */
export function cumulativeEntropy(values: Float64Array): number | null {
  const n = values.length
  if (n === 0) return null
  const sorted = values.slice().sort()
  const terms = new Float64Array(n - 1)
  for (let i = 1; i < n; i++) terms[i - 1] = -(sorted[i] - sorted[i - 1]) * (i / n) * math.log(i / n)
  return sum(terms)
}

/** -log p in bits: how surprised one is by something of that probability. */
export function surprisal(p: number): number {
  if (!(p > 0 && p <= 1)) throw new RangeError(`a probability lies above 0 and up to 1, but it is ${p}`)
  return -math.log2(p)
}

export interface Leakage {
  /** Largest KL(row given column || row) over the columns, in bits, and where. */
  readonly worst: number
  readonly column: number
  /** log2 of how many times more often the best guess of the row is right when the column is known (Smith 2009). */
  readonly minEntropy: number
  /** Largest H(row) - H(row | column) in bits: can be negative for a telling column, kept because others print it. */
  readonly entropyDrop: number
}

/** What a column tells about the row, at worst. */
export function leakageOfColumns(joint: JointShares): Leakage {
  requireShares(joint.shares)
  const { shares, rows, columns } = joint
  const prior = rowShares(joint)
  const margins = columnShares(joint)
  let worst = Number.NEGATIVE_INFINITY
  let column = -1
  let entropyDrop = Number.NEGATIVE_INFINITY
  let guessed = 0
  for (let j = 0; j < columns; j++) {
    if (margins[j] === 0) continue
    const posterior = Float64Array.from({ length: rows }, (_, i) => shares[i * columns + j] / margins[j])
    const divergence = total(posterior, (share, i) => (share > 0 ? share * math.log2(share / prior[i]) : 0))
    if (divergence > worst) {
      worst = divergence
      column = j
    }
    entropyDrop = Math.max(entropyDrop, (entropyOfShares(prior) - entropyOfShares(posterior)) / Math.LN2)
    guessed += posterior.reduce((most, share) => Math.max(most, share), 0) * margins[j]
  }
  const blind = prior.reduce((most, share) => Math.max(most, share), 0)
  return { worst, column, minEntropy: math.log2(guessed / blind), entropyDrop }
}
