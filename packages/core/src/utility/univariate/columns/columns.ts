import { NotApplicable } from '../../../errors.js'
import { type Sample, sampleOf } from '../../../stats/samples/two-samples.js'
import { total, weightSums } from '../../../stats/sums.js'
import { numbersOf } from '../../../table/column.js'
import { binNumbers } from '../../../table/grouping.js'
import { codeJointly } from '../../../table/joint.js'
import { columnOf, type Table } from '../../../table/table.js'
import { type Pair, weightsIn } from '../../pair.js'
import { withoutRareLevels } from '../../rare-levels.js'

/** One number in both files, sorted once. Dates are numbers of days. */
export interface NumberPair {
  readonly name: string
  readonly x: Sample
  readonly y: Sample
}

/** The numbers and dates that are compared; those without a value in one of the files are left out and named. */
export function numberPairs(pair: Pair): {
  readonly pairs: readonly NumberPair[]
  readonly skipped: readonly string[]
} {
  const { original, released } = pair
  const found = pair.variables
    .filter((name) => columnOf(original, name).kind !== 'categorical')
    .map((name) => ({ name, x: sampleIn(original, name, pair.weight), y: sampleIn(released, name, pair.weight) }))
  const isKnown = ({ x, y }: NumberPair) => x.total > 0 && y.total > 0
  const pairs = found.filter(isKnown)
  if (pairs.length === 0) throw new NotApplicable('there is no numeric column with values in both files')
  return { pairs, skipped: found.filter((one) => !isKnown(one)).map(({ name }) => name) }
}

/** Sorted once per column: resamples are compared with the same original again and again. */
export function sampleIn(file: Table, name: string, weight: string | null): Sample {
  return sampleOf(numbersOf(columnOf(file, name)), weightsIn(file, weight))
}

/** Categories of one column in both files, missing among them, with the weight that each has. */
export interface LevelPair {
  readonly name: string
  readonly labels: readonly string[]
  readonly original: Float64Array
  readonly released: Float64Array
  /** Effective sizes: (Σ w)² / Σ w². */
  readonly n1: number
  readonly n2: number
}

export const MISSING_LABEL = 'missing'

/** The categorical columns, and with `groups` also numbers, cut at quantiles of the original; only levels that occur. */
export function levelPairs(pair: Pair, groups: number): LevelPair[] {
  const found = pair.variables
    .filter((name) => groups > 0 || columnOf(pair.original, name).kind === 'categorical')
    .map((name) => levelPair(pair, name, groups))
  if (found.length === 0) throw new NotApplicable('there is no categorical column to compare')
  return found
}

export function levelPair(pair: Pair, name: string, groups: number): LevelPair {
  const { original, released } = pair
  const joint = codeJointly([columnOf(original, name), columnOf(released, name)])
  const { codes, labels } =
    joint.kind === 'categorical'
      ? withoutRareLevels({ codes: joint.codes, labels: joint.levels })
      : classes(joint, original.rows, groups)
  const count = (from: number, weights: Float64Array | null, rows: number) => {
    const counts = new Float64Array(labels.length + 1)
    for (let row = 0; row < rows; row++) counts[codes[from + row] + 1] += weights === null ? 1 : weights[row]
    return counts
  }
  const [w1, w2] = [weightsIn(original, pair.weight), weightsIn(released, pair.weight)]
  const first = count(0, w1, original.rows)
  const second = count(original.rows, w2, released.rows)
  const kept = [...first.keys()].filter((k) => first[k] + second[k] > 0)
  return {
    name,
    labels: kept.map((k) => (k === 0 ? MISSING_LABEL : labels[k - 1])),
    original: Float64Array.from(kept, (k) => first[k]),
    released: Float64Array.from(kept, (k) => second[k]),
    n1: effective(w1, original.rows),
    n2: effective(w2, released.rows),
  }
}

function classes({ codes, numbers }: ReturnType<typeof codeJointly>, originals: number, groups: number) {
  const counts = new Float64Array(numbers.length)
  for (let row = 0; row < originals; row++) if (codes[row] >= 0) counts[codes[row]]++
  if (!counts.some((count) => count > 0)) return { codes, labels: Array.from(numbers, String) }
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'quantile', n: groups })
  return { codes: codes.map((code) => (code < 0 ? -1 : bins[code])), labels }
}

/** Counts as shares of their sum; all 0 when that is 0. */
export function sharesOf(counts: Float64Array): Float64Array {
  const all = total(counts)
  return counts.map((count) => (all === 0 ? 0 : count / all))
}

function effective(weights: Float64Array | null, rows: number): number {
  if (weights === null) return rows
  const { sum, squares } = weightSums(weights)
  return squares === 0 ? 0 : (sum * sum) / squares
}

/** The values of a number, of which a category has none. */
export function numbersIn(file: Table, name: string): Float64Array {
  const column = columnOf(file, name)
  return column.kind === 'categorical' ? new Float64Array() : column.values
}

/** The values of records that have all of them. */
export function completeColumns(columns: readonly Float64Array[]): Float64Array[] {
  const isKnown = (_: number, row: number) => columns.every((values) => !Number.isNaN(values[row]))
  return columns.map((values) => values.filter(isKnown))
}
