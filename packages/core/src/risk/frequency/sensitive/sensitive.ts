import { rowsByGroup } from '@scrim/kernels'
import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import { whole } from '../../../option-kinds.js'
import { total } from '../../../stats/sums.js'
import { jointCodes, type Part, remember, rowsOfPart, tableOfPart, timesOfPart } from '../../../table/classes.js'
import { binNumbers } from '../../../table/grouping.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { droppedWarning, frequencies, missingOptions, PLAIN_COUNTS, withClasses } from '../counts/frequencies.js'

/**
 * The values of a sensitive variable within the equivalence classes of the keys: what l-diversity and t-closeness look at.
 *
 * Classes need a reading of missing keys under which having the same key is transitive. `wildcard` is none, so where it
 * meets missing keys they are read as a category: a class is then a part of what a wildcard would match, which can only
 * lower the number of values in it.
 */
export const sensitiveOptions = {
  missing: missingOptions.missing,
  bins: whole(null, { min: 2 }).describe(
    'group a numeric sensitive variable into this many quantile classes of the original; null: as it is',
  ),
}

type SensitiveOptions = z.output<z.ZodObject<typeof sensitiveOptions>> & {
  /** A missing sensitive value leaves its record out, or is one more value. */
  readonly sensitiveMissing: 'drop' | 'category'
}

export type SensitiveClasses = ReturnType<typeof computeClasses>
export type SensitiveValues = ReturnType<typeof sensitiveValues>

export function sensitiveClasses(
  release: Release,
  part: Part,
  keys: readonly string[],
  target: string,
  options: SensitiveOptions,
): SensitiveClasses {
  const { missing, bins, sensitiveMissing } = options
  const key = `sensitive ${JSON.stringify([part, keys, target, missing, bins, sensitiveMissing])}`
  return remember(release, key, () => computeClasses(release, part, keys, target, options))
}

function computeClasses(
  release: Release,
  part: Part,
  keys: readonly string[],
  target: string,
  options: SensitiveOptions,
) {
  const own = classesOf(release, part, keys, options.missing)
  const { ids } = own.classes
  const values = sensitiveValues(release, part, target, ids, options)
  const byValue = rowsByGroup(values.codes, values.count)
  if (byValue.rows.length === 0)
    throw new NotApplicable(`"${target}" has no value in ${tableOfPart(release, part).name}`)
  const numbered = numberOccurring(byValue.rows, ids, own.classes.count)
  const { rows: places, start } = rowsByGroup(numbered.ids, numbered.count)
  const sizes = new Int32Array(numbered.count)
  for (let k = 0; k < byValue.rows.length; k++) sizes[numbered.ids[k]] += own.times?.[byValue.rows[k]] ?? 1
  const n = total(sizes)
  return {
    policy: own.policy,
    /** True where missing keys should have been wildcards but are a category. */
    wildcardReadAsCategory: own.wildcardReadAsCategory,
    /** Records counted, left out for a missing key, and left out for a missing sensitive value. */
    n,
    droppedKeys: own.dropped,
    droppedSensitive: own.n - n,
    /** The counted rows by class, and within a class by value; class j is [start[j], start[j + 1]), never empty. */
    rows: places.map((place) => byValue.rows[place]),
    start,
    /** Records of each class, and per row of the table how many records it stands for; null where it is one each. */
    sizes,
    times: own.times,
    count: numbered.count,
    values,
  }
}

function classesOf(release: Release, part: Part, keys: readonly string[], missing: SensitiveOptions['missing']) {
  const asked = frequencies(release, part, keys, { ...PLAIN_COUNTS, missing })
  const { own } = withClasses(release, part, keys, asked, PLAIN_COUNTS)
  return { ...own, wildcardReadAsCategory: asked.classes === null }
}

/** The values that occur in rows with a class, numbered densely in their order; a missing one, if it counts, is the last. */
function sensitiveValues(
  release: Release,
  part: Part,
  target: string,
  classIds: Int32Array,
  { bins, sensitiveMissing }: SensitiveOptions,
) {
  const read = bins === null ? valuesAsTheyAre(release, part, target) : valuesInBins(release, part, target, bins)
  const missing = read.cardinality
  const codeOf = (row: number) => (read.codes[row] < 0 && sensitiveMissing === 'category' ? missing : read.codes[row])
  const occurs = new Uint8Array(missing + 1)
  for (let row = 0; row < classIds.length; row++) if (classIds[row] >= 0 && codeOf(row) >= 0) occurs[codeOf(row)] = 1
  const numberOf = new Int32Array(missing + 1)
  const kept: number[] = []
  for (let code = 0; code <= missing; code++) if (occurs[code] === 1) numberOf[code] = kept.push(code) - 1
  const labels = labelsOf(read)
  const codes = classIds.map((id, row) => (id < 0 || codeOf(row) < 0 ? -1 : numberOf[codeOf(row)]))
  return {
    kind: read.kind,
    ordered: read.ordered,
    /** Per row of the table: the value, from 0 to count - 1 in the order of levels or numbers; -1 for a row left out. */
    codes,
    count: kept.length,
    /** By value: its label, and the number behind it (none for a categorical or binned variable). */
    labels: kept.map((code) => labels[code] ?? '(missing)'),
    numbers:
      read.numbers.length === 0 ? read.numbers : Float64Array.from(kept, (code) => read.numbers[code] ?? Number.NaN),
  }
}

function valuesAsTheyAre(release: Release, part: Part, target: string) {
  const joint = jointCodes(release, target)
  return { ...joint, codes: rowsOfPart(release, joint, joint.codes, part) }
}

/** Quantile classes of the original, so that a release never moves them. */
function valuesInBins(release: Release, part: Part, target: string, bins: number): ReturnType<typeof valuesAsTheyAre> {
  const joint = jointCodes(release, target)
  if (joint.kind === 'categorical')
    throw new NotApplicable(`"${target}" is not numeric and cannot be put into ${bins} bins`)
  const counts = new Float64Array(joint.cardinality)
  const times = timesOfPart(release, 'original')
  for (const [row, code] of rowsOfPart(release, joint, joint.codes, 'original').entries())
    if (code >= 0) counts[code] += times?.[row] ?? 1
  const binned = binNumbers({ numbers: joint.numbers, counts }, { style: 'quantile', n: bins })
  const codes = rowsOfPart(release, joint, joint.codes, part).map((code) => (code < 0 ? code : binned.bins[code]))
  const levels = binned.labels
  return {
    ...joint,
    codes,
    kind: 'categorical',
    ordered: true,
    levels,
    cardinality: levels.length,
    numbers: new Float64Array(),
  }
}

/** Class ids of `rows`, numbered anew without the classes that lost all their records. */
function numberOccurring(
  rows: Int32Array,
  classIds: Int32Array,
  classCount: number,
): { ids: Int32Array; count: number } {
  const occurs = new Uint8Array(classCount)
  for (const row of rows) occurs[classIds[row]] = 1
  const numberOf = new Int32Array(classCount)
  let count = 0
  for (let id = 0; id < classCount; id++) if (occurs[id] === 1) numberOf[id] = count++
  return { ids: rows.map((row) => numberOf[classIds[row]]), count }
}

/** A figure per class along the rows of the table; NaN for a row left out. */
export function alongRows(perClass: ArrayLike<number>, { rows, start, values }: SensitiveClasses): Float64Array {
  const along = new Float64Array(values.codes.length).fill(Number.NaN)
  for (let j = 0; j + 1 < start.length; j++) for (let k = start[j]; k < start[j + 1]; k++) along[rows[k]] = perClass[j]
  return along
}

/** What was left out or read otherwise than asked. */
export function sensitiveWarnings(target: string, classes: SensitiveClasses): string[] {
  return [
    ...droppedWarning(classes.droppedKeys),
    ...(classes.droppedSensitive > 0
      ? [`${classes.droppedSensitive} records without a value of "${target}" were left out`]
      : []),
    ...(classes.wildcardReadAsCategory
      ? ['missing keys as wildcards make no classes; they are read as a category here, the cautious choice']
      : []),
  ]
}

/** Distinct values of a class in their order, and how much weight each has, in arrays that are used again for every class. */
export interface Runs {
  readonly values: Int32Array
  readonly weights: Float64Array
  count: number
  total: number
}

export function emptyRuns({ values }: Pick<SensitiveClasses, 'values'>): Runs {
  return { values: new Int32Array(values.count), weights: new Float64Array(values.count), count: 0, total: 0 }
}

/** Reads rows[from, to), which are sorted by value: the values of a class are the runs of its rows. */
export function readRuns(
  runs: Runs,
  rows: Int32Array,
  from: number,
  to: number,
  codes: Int32Array,
  weights: ArrayLike<number> | null,
): void {
  runs.count = 0
  runs.total = 0
  for (let k = from; k < to; k++) {
    const code = codes[rows[k]]
    if (runs.count === 0 || code !== runs.values[runs.count - 1]) {
      runs.values[runs.count] = code
      runs.weights[runs.count++] = 0
    }
    const weight = weights === null ? 1 : weights[rows[k]]
    runs.weights[runs.count - 1] += weight
    runs.total += weight
  }
}
