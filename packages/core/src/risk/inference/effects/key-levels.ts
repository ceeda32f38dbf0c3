import { countIds } from '@scrim/kernels'
import { MISSING_LABEL } from '../../../learners/coding/design-matrix.js'
import { significant } from '../../../print.js'
import { quantiles } from '../../../stats/quantile.js'
import { jointCodes, rowsOfPart } from '../../../table/classes.js'
import { dateLabel } from '../../../table/column.js'
import { type Bins, binNumbers } from '../../../table/grouping.js'
import { type JointColumn, labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'

/** A key of some people as few levels, each of which occurs; missing is the last. */
export interface KeyLevels {
  readonly key: string
  readonly codes: Int32Array
  readonly labels: readonly string[]
}

const MOST_LEVELS = 10
const FEWEST_BINS = 2
const MOST_BINS = 4
const RECORDS_PER_BIN = 5

/** How many classes a number gets: one per five records of the rarer outcome, from 2 to 4 (riskutility). */
export function mostBins(atRisk: number, safe: number): number {
  return Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.floor(Math.min(atRisk, safe) / RECORDS_PER_BIN)))
}

/**
 * Levels for a regression, as riskutility makes them: numbers in `bins` quantile classes, closed on the right (or in the
 * classes of `breaks`), as they are when the quantiles coincide; more than 10 levels in `bins` groups of neighbours.
 */
export function levelsForRegression(
  release: Release,
  key: string,
  rows: Int32Array,
  bins: number,
  breaks?: readonly number[],
): KeyLevels {
  const joint = jointCodes(release, key)
  const all = rowsOfPart(release, joint, joint.codes, 'original')
  const own = rows.map((row) => all[row])
  if (joint.kind === 'categorical') return regrouped(present(key, own, labelsOf(joint)), bins)
  const classes = breaks === undefined ? quantileClasses(joint, own, bins) : numberClasses(joint, breaks)
  return classes === null
    ? regrouped(present(key, own, labelsOf(joint)), bins)
    : present(key, placed(own, classes), classes.labels)
}

/** Quantile classes of the numbers behind some codes; null when they fall into one. */
export function quantileClasses(joint: JointColumn, codes: Int32Array, bins: number): Bins | null {
  return numberClasses(joint, quantileBreaks(joint, codes, bins))
}

/** Distinct type-7 quantiles of the numbers behind some codes, from the least to the largest. */
function quantileBreaks({ numbers }: JointColumn, codes: Int32Array, bins: number): readonly number[] {
  const values = Float64Array.from(
    codes.filter((code) => code >= 0),
    (code) => numbers[code],
  )
  const probabilities = Array.from({ length: bins + 1 }, (_, k) => k / bins)
  return [...new Set(quantiles(values, probabilities) ?? [])]
}

/** Numbers between breaks, closed on the right; null for a single class. The outer classes are open, so that nobody's extreme value is told. */
function numberClasses(joint: JointColumn, breaks: readonly number[]): Bins | null {
  const inner = breaks.slice(1, -1)
  if (inner.length === 0) return null
  const bins = Int32Array.from(joint.numbers, (value) => inner.reduce((count, cut) => count + (value > cut ? 1 : 0), 0))
  const names = breakNames(joint, inner)
  const labels = ['', ...names].map((from, k) =>
    k === 0 ? `≤ ${names[0]}` : k === names.length ? `> ${from}` : `${from} to ${names[k]}`,
  )
  return { bins, labels }
}

const FEWEST_DIGITS = 4
const MOST_DIGITS = 17

/** Breaks for people, with as many digits as tell them apart. */
function breakNames({ kind, unit }: JointColumn, breaks: readonly number[]): readonly string[] {
  if (kind === 'date') return breaks.map((value) => dateLabel(value, unit))
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const names = breaks.map((value) => String(significant(value, digits)))
    if (new Set(names).size === names.length) return names
  }
  return breaks.map(String)
}

function placed(codes: Int32Array, { bins }: Bins): Int32Array {
  return codes.map((code) => (code < 0 ? code : bins[code]))
}

/** Levels that nobody has are left out; missing becomes a level. */
function present(key: string, codes: Int32Array, labels: readonly string[]): KeyLevels {
  const counts = countIds(
    codes.map((code) => (code < 0 ? labels.length : code)),
    labels.length + 1,
  )
  const kept = Array.from(counts.keys()).filter((code) => counts[code] > 0)
  const place = new Int32Array(counts.length)
  kept.forEach((code, k) => {
    place[code] = k
  })
  return {
    key,
    codes: codes.map((code) => place[code < 0 ? labels.length : code]),
    labels: kept.map((code) => labels[code] ?? MISSING_LABEL),
  }
}

/** Many levels in groups of neighbours with about as many people each; where one level holds most of them, it against the rest. */
function regrouped(levels: KeyLevels, bins: number): KeyLevels {
  const { key, codes, labels } = levels
  if (labels.length <= MOST_LEVELS) return levels
  const counts = Float64Array.from(countIds(codes, labels.length))
  const groups = binNumbers({ numbers: Float64Array.from(labels.keys()), counts }, { style: 'riskutility', n: bins })
  if (groups.labels.length > 1) {
    const names = groups.labels.map((_, group) => {
      const members = labels.filter((_label, code) => groups.bins[code] === group)
      return members.length === 1 ? members[0] : `G${group + 1}: ${members[0]} … ${members.at(-1)}`
    })
    return present(key, placed(codes, groups), names)
  }
  const common = counts.indexOf(counts.reduce((a, b) => Math.max(a, b)))
  return {
    key,
    codes: codes.map((code) => (code === common ? 0 : 1)),
    labels: [labels[common], '(others)'],
  }
}
