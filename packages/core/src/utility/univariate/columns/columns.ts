import { NotApplicable } from '../../../errors.js'
import { type Sample, sampleOf } from '../../../stats/samples/two-samples.js'
import { total } from '../../../stats/sums.js'
import { numbersOf } from '../../../table/column.js'
import { binNumbers } from '../../../table/grouping.js'
import { codeJointly } from '../../../table/joint.js'
import { columnOf, countedBy, type Table } from '../../../table/table.js'
import { effectiveRecords, massIn, type Pair, weightsIn } from '../../pair.js'
import { joinedTimes, withoutRareLevels } from '../../rare-levels.js'

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
  const counted = countedBy(file, [name])
  return sampleOf(numbersOf(columnOf(counted, name)), weightsIn(counted, weight), counted.times ?? null)
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
  const [original, released] = [pair.original, pair.released].map((file) => countedBy(file, [name]))
  const joint = codeJointly([columnOf(original, name), columnOf(released, name)])
  const { codes, labels } =
    joint.kind === 'categorical'
      ? withoutRareLevels({ codes: joint.codes, labels: joint.levels, times: joinedTimes([original, released]) })
      : classes(joint, original, groups)
  const count = (from: number, file: Table) => {
    const counts = new Float64Array(labels.length + 1)
    const mass = massIn(file, pair.weight)
    for (let row = 0; row < file.rows; row++) counts[codes[from + row] + 1] += mass === null ? 1 : mass[row]
    return counts
  }
  const first = count(0, original)
  const second = count(original.rows, released)
  const kept = [...first.keys()].filter((k) => first[k] + second[k] > 0)
  return {
    name,
    labels: kept.map((k) => (k === 0 ? MISSING_LABEL : labels[k - 1])),
    original: Float64Array.from(kept, (k) => first[k]),
    released: Float64Array.from(kept, (k) => second[k]),
    n1: effectiveRecords(original, pair.weight),
    n2: effectiveRecords(released, pair.weight),
  }
}

function classes({ codes, numbers }: ReturnType<typeof codeJointly>, { rows, times }: Table, groups: number) {
  const counts = new Float64Array(numbers.length)
  for (let row = 0; row < rows; row++) if (codes[row] >= 0) counts[codes[row]] += times?.[row] ?? 1
  if (!counts.some((count) => count > 0)) return { codes, labels: Array.from(numbers, String) }
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'quantile', n: groups })
  return { codes: codes.map((code) => (code < 0 ? -1 : bins[code])), labels }
}

/** Counts as shares of their sum; all 0 when that is 0. */
export function sharesOf(counts: Float64Array): Float64Array {
  const all = total(counts)
  return counts.map((count) => (all === 0 ? 0 : count / all))
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
