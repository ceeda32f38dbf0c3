import { normalEffect } from '../../../evidence/effects.js'
import { errorOfMean } from '../../../evidence/looks.js'
import { binomialCdf } from '../../../stats/distributions.js'
import { total } from '../../../stats/sums.js'

/** Of the records that have somebody's value besides their own, the share of released ones: b / (a + b). */
export function shareReleased(originals: number, released: number): number {
  const others = originals - 1 + released
  return others === 0 ? 0 : released / others
}

/** Below so many shared values a normal tail is no good. */
const FEW = 30

/** `people` counts those with a missing value too: they are people of whom nothing is shown. */
export function reuse(
  inOriginal: Int32Array,
  inReleased: Int32Array,
  people: number,
  strataOf: (records: Int32Array) => Int32Array,
) {
  const strata = strataOf(inOriginal.map((originals, code) => originals + inReleased[code]))
  const originalsIn = sumsBy(strata, inOriginal)
  const releasedIn = sumsBy(strata, inReleased)
  const [originals, released] = [total(inOriginal), total(inReleased)]
  const chance = released / Math.max(1, released + originals - 1)
  let [shown, excess, seen, byLabels, alone, aloneShown] = [0, 0, 0, 0, 0, 0]
  let [sharedValues, valuesShown, valuesByChance] = [0, 0, 0]
  for (let code = 0; code < inOriginal.length; code++) {
    const [x, y] = [inOriginal[code], inReleased[code]]
    if (x === 1) alone++
    if (x + y < 2) continue
    const [n, m] = [originalsIn[strata[code]], releasedIn[strata[code]]]
    byLabels += varianceByLabels(x + y, n, m)
    if (x === 0) continue
    const share = shareReleased(x, y)
    const beyond = x * (share - m / (m + n - 1))
    shown += x * share
    excess += beyond
    seen += beyond * beyond
    if (x === 1) aloneShown++
    sharedValues++
    if (y > 0) valuesShown++
    valuesByChance += chanceOfRelease(x + y, n, m)
  }
  const scale = people * Math.max(1 - chance, Number.EPSILON)
  const effect = normalEffect(excess / scale, errorOfMean(Math.max(seen, byLabels) / scale ** 2, people))
  return {
    released,
    /** ν over the whole column. */
    chance,
    shown: shown / people,
    byChance: Math.max(0, shown / people - effect.value),
    alone,
    aloneShown,
    sharedValues,
    effect: sharedValues < FEW ? { ...effect, p: asManyValues(valuesShown, sharedValues, valuesByChance) } : effect,
  }
}

/**
 * The variance of x (y / (c - 1) - ν) when c records have a value and x of them are originals, y = c - x released ones, by labels
 * at random: that of x (k - x) / (c - 1) with k = c - ν (c - 1), from the factorial moments of x.
 */
function varianceByLabels(records: number, n: number, m: number): number {
  const share = n / (n + m)
  const k = records - (m / (n + m - 1)) * (records - 1)
  const first = records * share
  const second = first * (records - 1) * share
  const third = second * (records - 2) * share
  const fourth = third * (records - 3) * share
  const squares =
    k * k * (second + first) - 2 * k * (third + 3 * second + first) + fourth + 6 * third + 7 * second + first
  return squares / (records - 1) ** 2
}

/** That a value is in the release, given that c records have it, an original among them, when n and m labels are dealt out at random. */
function chanceOfRelease(records: number, n: number, m: number): number {
  let [allOriginal, allReleased] = [1, 1]
  for (let k = 0; k < records; k++) {
    allOriginal *= Math.max(0, n - k) / (n + m - k)
    allReleased *= Math.max(0, m - k) / (n + m - k)
  }
  return (1 - allOriginal - allReleased) / (1 - allReleased)
}

/** As many values and more by the binomial of the same mean, whose tail is the longer one (Hoeffding 1956). */
function asManyValues(shown: number, values: number, expected: number): number {
  return shown === 0 ? 1 : binomialCdf(values - shown, values, 1 - expected / values)
}

function sumsBy(strata: Int32Array, counts: Int32Array): Float64Array {
  const sums = new Float64Array(strata.reduce((most, stratum) => Math.max(most, stratum), 0) + 1)
  for (let code = 0; code < counts.length; code++) sums[strata[code]] += counts[code]
  return sums
}

/** Over the columns in which a record has a value. */
export function meanOf(columns: readonly Float64Array[]): Float64Array {
  return columns[0].map((_, row) => {
    const known = columns.map((scores) => scores[row]).filter((score) => !Number.isNaN(score))
    return known.length === 0 ? Number.NaN : known.reduce((sum, score) => sum + score, 0) / known.length
  })
}
