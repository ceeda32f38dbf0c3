import { significant } from '../print.js'
import { BOUND_Z } from '../stats/levels.js'
import { jointCodes, remember, rowsOfPart, timesOfPart } from '../table/classes.js'
import { dateLabel } from '../table/column.js'
import { binNumbers } from '../table/grouping.js'
import { type JointColumn, labelsOf } from '../table/joint.js'
import type { Release } from '../table/release.js'

/** A group of people about whom a release reveals more than about the others. */
export type Driver = {
  readonly column: string
  readonly level: string
  /** How many original records there are in the group. */
  readonly people: number
  /**
   * Mean over the group, and over everybody, of what the release adds about a person beyond the fair control. The first is
   * positive; the second, being a difference, need not be.
   */
  readonly mean: number
  /** One-sided 95 % bounds of the mean; null in assessments of former versions. */
  readonly lower: number | null
  readonly upper: number | null
  readonly overall: number
}

/** Smaller groups are not named: they would be about persons. */
const FEWEST_PEOPLE = 10
const MOST_DRIVERS = 3
const NUMBER_GROUPS = 4
const EDGE_DIGITS = 3
const YEAR_AND_MONTH = 7
/** How many standard errors a group must stand out by; there are many groups to choose from. */
const STANDS_OUT = 3

/**
 * The groups that stand out most by `scores`, one per row of the original (NaN where there is none): levels of keys, of all
 * variables where there are no keys; numbers by quarters. A group is compared with everybody else, and named only if something is added
 * about its people.
 */
export function driversOf(release: Release, scores: ArrayLike<number>): readonly Driver[] {
  const columns = release.keys.length > 0 ? [...release.keys, ...release.numericKeys] : release.variables
  const times = timesOfPart(release, 'original')
  const total = summary(scores, times)
  if (total.people <= FEWEST_PEOPLE || total.spread === 0) return []
  const found = columns.flatMap((column) => {
    const { codes, labels } = levelsOf(release, column)
    const groups = summedBy(scores, codes, labels.length, times)
    return labels.flatMap((level, code) => {
      const people = groups.people[code]
      const others = total.people - people
      if (people < FEWEST_PEOPLE || others < FEWEST_PEOPLE) return []
      const mean = groups.sums[code] / people
      const rest = (total.sum - groups.sums[code]) / others
      const standardError = total.spread * Math.sqrt(1 / people + 1 / others)
      const z = (mean - rest) / standardError
      if (z < STANDS_OUT || mean <= 0) return []
      const own = Math.sqrt(Math.max(0, groups.squares[code] / people - mean * mean) / (people - 1))
      const bounds = { lower: mean - BOUND_Z * own, upper: mean + BOUND_Z * own }
      return [{ z, column, level, people, mean, ...bounds, overall: total.sum / total.people }]
    })
  })
  return found
    .sort((a, b) => b.z - a.z)
    .slice(0, MOST_DRIVERS)
    .map(({ z: _, ...driver }) => driver)
}

/** Found once per release: every look of every measure asks. */
const levelsOf = (release: Release, column: string): Levels =>
  remember(release, `levels of people ${JSON.stringify(column)}`, () => levelsIn(release, column))

interface Levels {
  readonly codes: Int32Array
  readonly labels: readonly string[]
}

function levelsIn(release: Release, column: string): Levels {
  const joint = jointCodes(release, column)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  if (joint.kind === 'categorical') return { codes, labels: labelsOf(joint) }
  const counts = new Float64Array(joint.cardinality)
  const times = timesOfPart(release, 'original')
  for (const [row, code] of codes.entries()) if (code >= 0) counts[code] += times?.[row] ?? 1
  const { bins, labels } = binNumbers({ numbers: joint.numbers, counts }, { style: 'quantile', n: NUMBER_GROUPS })
  const own = labels.map((_, bin) => joint.numbers.filter((_, code) => bins[code] === bin && counts[code] > 0))
  return { codes: codes.map((code) => (code < 0 ? -1 : bins[code])), labels: rangeLabels(own, joint.kind) }
}

/** Ascending groups by where they begin, roughly; open at both ends, since the least and the largest number are somebody's. */
function rangeLabels(groups: readonly ArrayLike<number>[], kind: JointColumn['kind']): readonly string[] {
  const rough = (value: number) =>
    kind === 'date' ? dateLabel(value, 'day').slice(0, YEAR_AND_MONTH) : String(significant(value, EDGE_DIGITS))
  const beginning = groups.map((numbers) => rough(numbers[0] ?? 0))
  return groups.map((numbers, k) => {
    if (numbers.length === 1) return beginning[k]
    if (k === groups.length - 1) return k === 0 ? 'any' : `${beginning[k]} and over`
    return k === 0 ? `under ${beginning[1]}` : `${beginning[k]} to under ${beginning[k + 1]}`
  })
}

/** People, sum and sum of squares of each level, in one pass over the rows. */
function summedBy(scores: ArrayLike<number>, codes: Int32Array, levels: number, times: Int32Array | null) {
  const people = new Int32Array(levels)
  const sums = new Float64Array(levels)
  const squares = new Float64Array(levels)
  for (let row = 0; row < scores.length; row++) {
    const code = codes[row]
    if (code < 0 || Number.isNaN(scores[row])) continue
    const like = times?.[row] ?? 1
    people[code] += like
    sums[code] += like * scores[row]
    squares[code] += like * scores[row] * scores[row]
  }
  return { people, sums, squares }
}

function summary(scores: ArrayLike<number>, times: Int32Array | null) {
  let people = 0
  let sum = 0
  let squares = 0
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row]
    if (Number.isNaN(score)) continue
    const like = times?.[row] ?? 1
    people += like
    sum += like * score
    squares += like * score * score
  }
  const mean = people > 0 ? sum / people : 0
  return {
    people,
    sum,
    spread: people > 1 ? Math.sqrt(Math.max(0, (squares - people * mean * mean) / (people - 1))) : 0,
  }
}
