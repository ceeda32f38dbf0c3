import { column, type FindingTable, findingTable } from '../../evidence/finding-table.js'
import { quantiles } from '../../stats/quantile.js'
import { mean, total } from '../../stats/sums.js'
import type { Attack } from './attack.js'
import { varianceByChance } from './truth/finds-by-chance.js'
import type { Found } from './truth/found.js'

/** What one attack reached, in numbers that name nobody. */
export type Summary = ReturnType<typeof summaryOf>

const NEAREST_SHOWN = 20
const CLAIM_STEPS = 25
/** A point of the claims stands for at least so many people. */
const LEAST_CLAIMS = 10
const SCORE_BINS = 20
const BANDS = [
  ['very low', 0.05],
  ['low', 0.1],
  ['moderate', 0.2],
  ['high', 0.5],
  ['very high', 1 - 1e-9],
  ['unique match', Number.POSITIVE_INFINITY],
] as const

export function nearestTable(amongNearest: Summary['amongNearest']): FindingTable {
  return findingTable('nearest', 'People whose record is among the nearest', amongNearest, [
    [column.number('nearest'), ({ k }) => k],
    [column.share('people'), ({ share }) => share],
    [column.share('by chance'), ({ chance }) => chance],
  ])
}

export function summaryOf(attack: Attack, people: Found) {
  const { risk, chance, hit, tied, nearer, asNear, guessed } = people
  const n = risk.length
  const found = total(risk)
  const foundByChance = total(chance)
  const variance = varianceByChance(attack)
  const certain = countOf(risk, (one) => one >= 1 - 1e-9)
  let [oneNearest, right, inBlock, withTruth] = [0, 0, 0, 0]
  const ranks: number[] = []
  for (let row = 0; row < n; row++) {
    if (tied[row] === 1) {
      oneNearest++
      right += hit[row]
    }
    if (attack.truth.start[row] < attack.truth.start[row + 1]) withTruth++
    if (Number.isNaN(nearer[row])) continue
    inBlock++
    ranks.push(nearer[row] + (asNear[row] + 1) / 2)
  }
  return {
    found,
    foundByChance,
    /** Standard errors above chance, where everybody is searched among as many records. */
    z: variance === null || variance === 0 ? null : (found - foundByChance) / Math.sqrt(variance),
    /** People who are named for certain, and people to whom one record alone is nearest with how often it is theirs. */
    certain,
    oneNearest,
    precision: oneNearest === 0 ? null : right / oneNearest,
    /** Share of people with a risk above 0.1, the cut of riskutility, and above one half. */
    above: { tenth: countOf(risk, (one) => one > 0.1) / n, half: countOf(risk, (one) => one > 0.5) / n },
    quantiles: quantiles(risk, [0, 0.25, 0.5, 0.75, 1]) ?? [],
    gini: gini(risk),
    bands: BANDS.map(([band], k) => ({ band, people: countOf(risk, (one) => bandOf(one) === k) })),
    meanGuessed: mean(guessed) ?? 0,
    meanRank: mean(ranks),
    /** What the own record costs on average, and any candidate; null where a candidate is impossible. */
    costs: costsOf(attack, people),
    /** Share of people whose record is among the candidates of their block. */
    blockRecall: withTruth === 0 ? 0 : inBlock / withTruth,
    /** Share of people whose record is among the k nearest, and by chance. */
    amongNearest: amongNearest(people, attack.files.search.records),
    /** As the intruder claims only links that stand out: share of people claimed, and of claims that are right. */
    claims: claimsOf(people),
    /** Costs of the links that would be made, right and wrong ones. */
    scores: scoresOf(people),
  }
}

function costsOf({ files, linked }: Attack, { own }: Found) {
  const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)
  const { counts } = files.query
  let [sum, pairs] = [0, 0]
  for (let a = 0; a < counts.length; a++) {
    sum += counts[a] * linked.candidates[a] * linked.average[a]
    pairs += counts[a] * linked.candidates[a]
  }
  return {
    own: finite(mean(own.filter((cost) => !Number.isNaN(cost)))),
    any: pairs === 0 ? null : finite(sum / pairs),
  }
}

/** 0: very low (up to 0.05) ... 5: unique match; edges belong to the lower band. */
export function bandOf(risk: number): number {
  return BANDS.findIndex(([, upTo], k) => (k === BANDS.length - 2 ? risk < upTo : risk <= upTo))
}

/** 2 Σ i r_(i) / (n Σ r) - (n + 1) / n; 0 where nobody is at risk. */
export function gini(risk: Float64Array): number {
  const sorted = risk.slice().sort()
  const n = sorted.length
  let [total, ranked] = [0, 0]
  for (let k = 0; k < n; k++) {
    total += sorted[k]
    ranked += (k + 1) * sorted[k]
  }
  return total === 0 ? 0 : (2 * ranked) / (n * total) - (n + 1) / n
}

function amongNearest({ nearer, asNear }: Found, records: number) {
  const n = nearer.length
  return Array.from({ length: Math.min(NEAREST_SHOWN, records) }, (_, place) => {
    const k = place + 1
    let sum = 0
    for (let row = 0; row < n; row++)
      if (!Number.isNaN(nearer[row])) sum += Math.min(1, Math.max(0, (k - nearer[row]) / Math.max(1, asNear[row])))
    return { k, share: sum / n, chance: k / records }
  })
}

/** Links in the order in which they stand out, equal ones together. */
function claimsOf({ gap, hit, tied }: Found) {
  const n = gap.length
  const order = Array.from(gap.keys())
    .filter((row) => tied[row] > 0)
    .sort((a, b) => gap[b] - gap[a])
  const step = Math.max(LEAST_CLAIMS, Math.floor(order.length / CLAIM_STEPS))
  const points: { claimed: number; precision: number; recall: number }[] = []
  let [claims, right, last] = [0, 0, 0]
  for (const [k, row] of order.entries()) {
    claims++
    right += hit[row]
    const isEnd = k + 1 === order.length || gap[order[k + 1]] < gap[row]
    if (!isEnd || (claims - last < step && k + 1 < order.length)) continue
    last = claims
    points.push({ claimed: claims / n, precision: right / claims, recall: right / n })
  }
  return points
}

function scoresOf({ least, hit, tied }: Found) {
  const finite = least.filter((cost, row) => tied[row] > 0 && Number.isFinite(cost))
  if (finite.length === 0) return []
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const cost of finite) {
    low = Math.min(low, cost)
    high = Math.max(high, cost)
  }
  const width = high > low ? (high - low) / SCORE_BINS : 1
  const bins = Array.from({ length: high > low ? SCORE_BINS : 1 }, (_, k) => ({
    lower: low + k * width,
    upper: low + (k + 1) * width,
    right: 0,
    wrong: 0,
  }))
  for (let row = 0; row < least.length; row++) {
    if (!(tied[row] > 0) || !Number.isFinite(least[row])) continue
    const bin = bins[Math.min(bins.length - 1, Math.floor((least[row] - low) / width))]
    bin.right += hit[row]
    bin.wrong += 1 - hit[row]
  }
  return bins
}

function countOf(values: Float64Array, is: (value: number) => boolean): number {
  let count = 0
  for (const value of values) if (is(value)) count++
  return count
}
