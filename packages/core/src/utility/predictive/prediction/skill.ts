import type { ClassPredictions, NumberPredictions, Predictions } from '../../../learners/predictions.js'
import { sampleWithReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { percentileInterval } from '../../../stats/intervals.js'

/**
 * How much better predictions are than none, on records whose truth is known: 0 for a guess that ignores the record, 1 for
 * perfect ones, negative for misleading ones.
 *
 *   numbers  R² = 1 - Σ w (y - ŷ)² / Σ w (y - ȳ)², about the mean of the records that are predicted
 *   classes  2 AUC - 1 with AUC = Σ p_k AUC_k, each class against the others, weighted by the share p_k of the class
 *            (Provost and Domingos 2001)
 *
 * For any weights of the records; null where all have the same truth.
 */
export type SkillOf = (weights: Float64Array | null) => number | null

export function skillOf(predictions: Predictions): SkillOf {
  return predictions.kind === 'numbers' ? rSquared(predictions) : classSkill(predictions)
}

function rSquared({ truth, predicted }: NumberPredictions): SkillOf {
  return (weights) => {
    let total = 0
    let sum = 0
    for (let i = 0; i < truth.length; i++) {
      const w = weights === null ? 1 : weights[i]
      total += w
      sum += w * truth[i]
    }
    const centre = sum / total
    let around = 0
    let wrong = 0
    for (let i = 0; i < truth.length; i++) {
      const w = weights === null ? 1 : weights[i]
      around += w * (truth[i] - centre) ** 2
      wrong += w * (truth[i] - predicted[i]) ** 2
    }
    return around > 0 ? 1 - wrong / around : null
  }
}

/** Each class is sorted once; for other weights one pass over the sorted records is enough. */
function classSkill({ truth, probabilities, levels: { length: levels } }: ClassPredictions): SkillOf {
  const n = truth.length
  const present = Array.from({ length: levels }, (_, level) => level).filter((level) => truth.includes(level))
  const scores = present.map((level) => {
    const score = new Float64Array(n)
    for (let i = 0; i < n; i++) score[i] = probabilities[i * levels + level]
    return score
  })
  let orders: readonly Int32Array[] | null = null
  return (weights) => {
    if (weights !== null) orders ??= scores.map(ascending)
    let total = 0
    let area = 0
    for (const [k, level] of present.entries()) {
      const found =
        weights === null || orders === null
          ? plainAuc(scores[k], truth, level)
          : weightedAuc(scores[k], orders[k], truth, level, weights)
      if (found === null) continue
      total += found.weight
      area += found.weight * found.auc
    }
    return total > 0 ? (2 * area) / total - 1 : null
  }
}

function ascending(score: Float64Array): Int32Array {
  return Int32Array.from(Float64Array.from(score.keys()).sort((i, j) => score[i] - score[j] || i - j))
}

/** The same without weights: two sorts of plain numbers and a merge are much faster than a sort of records. */
function plainAuc(score: Float64Array, truth: Int32Array, level: number): { auc: number; weight: number } | null {
  const all = new Float64Array(score.length)
  let [first, last] = [0, score.length]
  for (let i = 0; i < score.length; i++) {
    if (truth[i] === level) all[first++] = score[i]
    else all[--last] = score[i]
  }
  const inside = all.subarray(0, first).sort()
  const outside = all.subarray(first).sort()
  if (inside.length === 0 || outside.length === 0) return null
  let area = 0
  let below = 0
  let upTo = 0
  for (const value of inside) {
    while (below < outside.length && outside[below] < value) below++
    while (upTo < outside.length && outside[upTo] <= value) upTo++
    area += (below + upTo) / 2
  }
  return { auc: area / (inside.length * outside.length), weight: inside.length }
}

/** P(a record of the class has the higher score), ties by half. */
function weightedAuc(
  score: Float64Array,
  order: Int32Array,
  truth: Int32Array,
  level: number,
  weights: Float64Array,
): { auc: number; weight: number } | null {
  let inside = 0
  let outside = 0
  let area = 0
  for (let from = 0; from < order.length; ) {
    let own = 0
    let others = 0
    let at = from
    for (; at < order.length && score[order[at]] === score[order[from]]; at++) {
      const w = weights[order[at]]
      if (truth[order[at]] === level) own += w
      else others += w
    }
    area += own * (outside + others / 2)
    inside += own
    outside += others
    from = at
  }
  return inside > 0 && outside > 0 ? { auc: area / (inside * outside), weight: inside } : null
}

/** Percentile intervals over resampled records, the same records for all predictions. */
export function resampleSkills(
  skills: readonly SkillOf[],
  records: number,
  weights: Float64Array | null,
  draws: number,
  random: (draw: number) => Stream,
) {
  const found: number[][] = skills.map(() => [])
  const ratios: number[] = []
  const differences: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    const times = new Float64Array(records)
    for (const row of sampleWithReplacement(random(draw), records, records))
      times[row] += weights === null ? 1 : weights[row]
    const values = skills.map((skill) => skill(times))
    values.forEach((value, k) => {
      if (value !== null) found[k].push(value)
    })
    const [first, second] = values
    if (first === null || second === null || second === undefined) continue
    differences.push(first - second)
    if (second > 0) ratios.push(first / second)
  }
  return {
    /** Of each of the predictions. */
    intervals: found.map((values) => percentileInterval(values)),
    /** Of the first over the second. */
    ratio: percentileInterval(ratios),
    /** The first less the second. */
    difference: percentileInterval(differences),
  }
}
