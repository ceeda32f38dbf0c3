import type { Stream } from '../../random/stream.js'
import { hypergeometricPmf, normalUpper } from '../distributions.js'
import { type Interval, normalInterval } from '../intervals.js'
import { BOUNDS_LEVEL } from '../levels.js'
import { boundedMeanOf } from './bounded-mean.js'
import { DETECTABLE_Z, leastP } from './tests.js'

/**
 * Are training and holdout records exchangeable, given the release? Every released record gives a credit of 1, split
 * over the real records of T and H that it points at (its nearest ones, ties included); c_i is what real record i gets
 * and m their sum. The share of T, share* = (1/m) Σ_{i in T} c_i, has under exchangeable labels exactly
 *   mean π0 = n_T / N, variance n_T n_H / (N (N - 1)) (Σ c_i² - m² / N) / m²,
 * whatever the sizes and ties, and however few records get most credit. The effect is the excess
 * e = (share* - π0) / (1 - π0), 1 when all credit goes to T.
 * Blind to leaks that do not make released records point at training records, and to everything if H was used to make
 * the release.
 */
export type Exchangeability = {
  readonly share: number
  readonly expected: number
  readonly sd: number
  /** 0 when the labels cannot matter (sd = 0). */
  readonly z: number
  /** One-sided, of more credit for T than labels at random give. */
  readonly p: number
  readonly pMethod: 'permutation' | 'normal tail' | 'degenerate'
  readonly excess: number
  /** Of the excess; see `shareInterval`. */
  readonly interval: Interval
  /** One-sided 95 % bounds of the excess that hold however few records T or H has; see `excessBounds`. */
  readonly bounds: { readonly lower: number; readonly upper: number }
  /** The excess that a one-sided test at 1 % finds with a chance of 80 %. */
  readonly minimalDetectable: number
}

/** Distinct real rows: the credit of each single record there, and how many records T and H have of it. */
export interface Credits {
  readonly credit: Float64Array
  readonly inTraining: ArrayLike<number>
  readonly inHoldout: ArrayLike<number>
}

const PERMUTATIONS = 9999
/** Below this the permutations run out, and the normal tail goes on. */
const TAIL_FROM = 1e-3
/** Equal totals added in another order differ by less, relative to their size; equal credits by its square. */
const ROUNDING = 1e-9

/** Null without holdout, training records or credit. */
export function exchangeability(
  { credit, inTraining, inHoldout }: Credits,
  random: Stream,
  permutations = PERMUTATIONS,
): Exchangeability | null {
  let nT = 0
  let nH = 0
  let m = 0
  let ofTraining = 0
  for (let row = 0; row < credit.length; row++) {
    nT += inTraining[row]
    nH += inHoldout[row]
    m += credit[row] * (inTraining[row] + inHoldout[row])
    ofTraining += credit[row] * inTraining[row]
  }
  if (nT === 0 || nH === 0 || m === 0) return null
  const n = nT + nH
  const expected = nT / n
  let spread = 0
  for (let row = 0; row < credit.length; row++)
    spread += (credit[row] - m / n) ** 2 * (inTraining[row] + inHoldout[row])
  const varies = spread > (ROUNDING * ROUNDING * m * m) / n
  const share = varies ? ofTraining / m : expected
  const sd = varies ? Math.sqrt(((nT * nH) / (n * (n - 1))) * spread) / m : 0
  const z = varies ? (share - expected) / sd : 0
  const groups = groupEqualCredits(credit, inTraining, inHoldout)
  const excess = (share - expected) / (1 - expected)
  return {
    share,
    expected,
    sd,
    z,
    ...(varies
      ? pValueOf(permutationP(groups, nT, n, share * m, random, permutations), z, leastP(nT, nH))
      : { p: 1, pMethod: 'degenerate' as const }),
    excess,
    interval: excessInterval(share, expected, sd),
    bounds: excessBounds(creditsOf(credit, inTraining), creditsOf(credit, inHoldout), largestOf(credit)),
    minimalDetectable: (DETECTABLE_Z * sd) / (1 - expected),
  }
}

/** The interval of the excess on the scale of the share. */
export function shareInterval({ interval, expected }: Pick<Exchangeability, 'interval' | 'expected'>): Interval {
  const shareOf = (excess: number) => Math.min(1, Math.max(0, expected + excess * (1 - expected)))
  return { ...interval, lower: shareOf(interval.lower), upper: shareOf(interval.upper) }
}

function pValueOf(permuted: number, z: number, least: number): Pick<Exchangeability, 'p' | 'pMethod'> {
  const tail = Math.max(normalUpper(z), least)
  return permuted < TAIL_FROM && tail < permuted
    ? { p: tail, pMethod: 'normal tail' }
    : { p: permuted, pMethod: 'permutation' }
}

/**
 * Normal, with the standard deviation under exchangeability, or, where the share is nearer to one half than that
 * expected and hence varies more, enlarged as a proportion's would be.
 */
function excessInterval(share: number, expected: number, sd: number): Interval {
  const larger = Math.sqrt(Math.max(1, (share * (1 - share)) / (expected * (1 - expected))))
  const { lower, upper, level } = normalInterval(share, sd * larger)
  const scale = (bound: number) => (bound - expected) / (1 - expected)
  return { lower: scale(Math.max(0, lower)), upper: scale(Math.min(1, upper)), level, method: 'exchangeability' }
}

/** Credits of the records of one side: how many records, their sum and the sum of their squares. */
interface CreditSums {
  readonly n: number
  readonly sum: number
  readonly squares: number
}

function creditsOf(credit: Float64Array, records: ArrayLike<number>): CreditSums {
  const sums = { n: 0, sum: 0, squares: 0 }
  for (let row = 0; row < credit.length; row++) {
    sums.n += records[row]
    sums.sum += credit[row] * records[row]
    sums.squares += credit[row] * credit[row] * records[row]
  }
  return sums
}

function largestOf(credit: Float64Array): number {
  return credit.reduce((most, one) => Math.max(most, one), 0)
}

/**
 * With the mean credits a_T and a_H of the two sides the excess is e = 1 - N a_H / (n_T a_T + n_H a_H): the credit that
 * outsiders miss. Ten outsiders without any do not show that there is none to be had, so each mean gets an interval that
 * holds for few records (`boundedMean`, no record having more than the largest credit seen), and what the two move e by
 * is added up as for independent parts (Newcombe 1998).
 */
function excessBounds(training: CreditSums, holdout: CreditSums, largest: number): Exchangeability['bounds'] {
  const excess = (aT: number, aH: number) => 1 - ((training.n + holdout.n) * aH) / (training.n * aT + holdout.n * aH)
  const ends = ({ n, sum, squares }: CreditSums) => {
    const scaled = { n, sum: sum / largest, squares: squares / (largest * largest) }
    const { lower, upper } = boundedMeanOf(scaled, BOUNDS_LEVEL) ?? { lower: 0, upper: 1 }
    return { mean: sum / n, lower: largest * lower, upper: largest * upper }
  }
  const [t, h] = [ends(training), ends(holdout)]
  const estimate = excess(t.mean, h.mean)
  const least = 1 - (training.n + holdout.n) / holdout.n
  const ofT = { lower: t.lower > 0 ? excess(t.lower, h.mean) : least, upper: excess(t.upper, h.mean) }
  const ofH = { lower: excess(t.mean, h.upper), upper: h.lower > 0 ? excess(t.mean, h.lower) : 1 }
  return {
    lower: Math.max(least, estimate - Math.hypot(estimate - ofT.lower, estimate - ofH.lower)),
    upper: Math.min(1, estimate + Math.hypot(ofT.upper - estimate, ofH.upper - estimate)),
  }
}

interface EqualCredits {
  readonly credits: Float64Array
  readonly sizes: Int32Array
}

/**
 * Records with the same credit are the same to the test, so a permutation only needs how many of each kind get the
 * label T: few kinds, however many records. Those without credit are left out; they take the labels that remain.
 */
function groupEqualCredits(
  credit: Float64Array,
  inTraining: ArrayLike<number>,
  inHoldout: ArrayLike<number>,
): EqualCredits {
  const order = Int32Array.from({ length: credit.length }, (_, row) => row)
    .filter((row) => credit[row] > 0)
    .sort((a, b) => credit[b] - credit[a])
  const credits: number[] = []
  const sizes: number[] = []
  for (const row of order) {
    const size = inTraining[row] + inHoldout[row]
    if (credit[row] === credits.at(-1)) sizes[sizes.length - 1] += size
    else {
      credits.push(credit[row])
      sizes.push(size)
    }
  }
  return { credits: Float64Array.from(credits), sizes: Int32Array.from(sizes) }
}

function permutationP(
  { credits, sizes }: EqualCredits,
  nT: number,
  n: number,
  observed: number,
  random: Stream,
  permutations: number,
): number {
  const atLeast = observed * (1 - ROUNDING)
  // In every round a group has the same size and comes after the same records: its probability at the mode depends on the labels left alone.
  const atModes = Array.from(sizes, () => new Map<number, number>())
  let asLarge = 0
  for (let round = 0; round < permutations; round++) {
    let labels = nT
    let left = n
    let total = 0
    for (let g = 0; g < credits.length; g++) {
      const chosen = drawHypergeometric(random, sizes[g], left, labels, atModes[g])
      total += credits[g] * chosen
      labels -= chosen
      left -= sizes[g]
    }
    if (total >= atLeast) asLarge++
  }
  return (1 + asLarge) / (1 + permutations)
}

/** Groups up to this size are labelled record by record, which is faster than the probability at the mode. */
const SMALL_GROUP = 12

/**
 * How many of `size` records get one of `labels` labels that are dealt out among `population` records. `atModes` keeps
 * the probabilities at the mode by labels, for further draws with the same size and population.
 */
function drawHypergeometric(
  random: Stream,
  size: number,
  population: number,
  labels: number,
  atModes: Map<number, number>,
): number {
  return size <= SMALL_GROUP
    ? drawOneByOne(random, size, population, labels)
    : drawFromMode(random, size, population, labels, atModes)
}

function drawOneByOne(random: Stream, size: number, population: number, labels: number): number {
  let chosen = 0
  for (let i = 0; i < size; i++) if (random.below(population - i) < labels - chosen) chosen++
  return chosen
}

/** By inversion, numbers taken in order of distance from the mode, so that a draw takes a few standard deviations. */
function drawFromMode(
  random: Stream,
  size: number,
  population: number,
  labels: number,
  atModes: Map<number, number>,
): number {
  const least = Math.max(0, size + labels - population)
  const most = Math.min(size, labels)
  const mode = Math.min(most, Math.max(least, Math.floor(((size + 1) * (labels + 1)) / (population + 2))))
  const others = population - labels - size
  let atMode = atModes.get(labels)
  if (atMode === undefined) {
    atMode = hypergeometricPmf(mode, population, labels, size)
    atModes.set(labels, atMode)
  }
  let u = random.uniform() - atMode
  let [above, below] = [mode, mode]
  let [pAbove, pBelow] = [atMode, atMode]
  while (u >= 0 && (above < most || below > least)) {
    if (above < most) {
      pAbove *= ((labels - above) * (size - above)) / ((above + 1) * (others + above + 1))
      above++
      u -= pAbove
      if (u < 0) return above
    }
    if (below > least) {
      pBelow *= (below * (others + below)) / ((labels - below + 1) * (size - below + 1))
      below--
      u -= pBelow
      if (u < 0) return below
    }
  }
  return mode
}
