import { groupRows } from '@scrim/kernels'
import { quantileSorted } from '../../stats/quantile.js'
import { subsets } from '../../stats/special.js'
import type { CodedTable, CodedVariable, Codes } from '../embedding/records/coded-records.js'

/**
 * Attribution by equal keys. Records of an embedded set S with the same keys form a class; a value t that at least a share `tau` of
 * a class has is what an attacker reads off it. With the real records R that have the same keys,
 *   TCAP_j = #{R: keys and t of j} / #{R: keys of j} for the records j of S whose class says their own value
 *   undefined: mean over those j whose keys occur in R; zero: mean over all of them, 0 for the others
 * (Taub, Elliot, Pampaka and Smith 2018). Seen from the people: every record of R whose class in S says a value is guessed, and
 *   success = guessed right / all of R, precision = guessed right / guessed
 * which counts every person once and treats members and others alike. A class of S that nobody of R is in counts for nothing.
 */
export interface KeyScore {
  /** Sums over the records of S that are kept, so that sets can be added up. */
  readonly kept: number
  readonly matched: number
  readonly attributed: number
  readonly guessed: number
  readonly right: number
  readonly records: number
  readonly synthetic: number
}

export type AttributionRates = {
  /** Null where no record is kept, or none of the kept occurs in R. */
  readonly undefined: number | null
  readonly zero: number | null
  readonly matchRate: number | null
  readonly coverage: number
  readonly success: number
  readonly precision: number | null
}

export function ratesOf({ kept, matched, attributed, guessed, right, records, synthetic }: KeyScore): AttributionRates {
  return {
    undefined: matched === 0 ? null : attributed / matched,
    zero: matched === 0 ? null : attributed / kept,
    matchRate: matched === 0 ? null : matched / kept,
    coverage: synthetic === 0 ? 0 : kept / synthetic,
    success: records === 0 ? 0 : right / records,
    precision: guessed === 0 ? null : right / guessed,
  }
}

/** Codes as an attacker compares them. */
export interface Matching {
  /** New code of each code, by variable. */
  readonly binOf: readonly Int32Array[]
  readonly bins: readonly number[]
  /** Variables that were binned, with the upper ends of their bins. */
  readonly binned: readonly { readonly variable: string; readonly upper: readonly number[] }[]
}

const MOST_VALUES = 100
const BINS = 10

/** Numbers with more than 100 values are compared by deciles of the real records. */
export function matchingOf({ variables, codes }: CodedTable): Matching {
  const width = variables.length
  const binned: { variable: string; upper: number[] }[] = []
  const binOf = variables.map((variable, j) => {
    const { kind, labels, values, missing, shares } = variable
    const occurring = shares.reduce((count, share) => count + (share > 0 ? 1 : 0), 0)
    if (kind === 'category' || occurring <= MOST_VALUES) return Int32Array.from(labels, (_, code) => code)
    const present: number[] = []
    for (let at = j; at < codes.length; at += width) if (codes[at] !== missing) present.push(values[codes[at]])
    const sorted = Float64Array.from(present).sort()
    const upper = [...new Set(Array.from({ length: BINS }, (_, k) => quantileSorted(sorted, (k + 1) / BINS) ?? 0))]
    binned.push({ variable: variable.name, upper })
    return Int32Array.from(labels, (_, code) => (code === missing ? upper.length : binAt(upper, values[code])))
  })
  return { binOf, bins: binOf.map((bins) => bins.reduce((most, bin) => Math.max(most, bin), 0) + 1), binned }
}

function binAt(upper: readonly number[], value: number): number {
  const at = upper.findIndex((end) => value <= end)
  return at < 0 ? upper.length - 1 : at
}

/** One column per variable, as an attacker compares them. */
export function matchColumns(codes: Codes, variables: readonly CodedVariable[], { binOf }: Matching): Int32Array[] {
  const width = variables.length
  const rows = codes.length / width
  return variables.map((_, j) => {
    const column = new Int32Array(rows)
    const bins = binOf[j]
    for (let row = 0; row < rows; row++) column[row] = bins[codes[row * width + j]]
    return column
  })
}

export interface Attack {
  readonly score: KeyScore
  /** What is guessed of each real record, -1 for nothing. */
  readonly guesses: Int32Array
}

/** What the embedded columns tell of the target of real ones through these keys. */
export function attackKeys(
  embedded: readonly Int32Array[],
  real: readonly Int32Array[],
  { bins }: Matching,
  keys: readonly number[],
  target: number,
  tau: number,
): Attack {
  const synthetic = embedded[target].length
  const records = real[target].length
  const columns = keys.map((j) => {
    const codes = new Int32Array(synthetic + records)
    codes.set(embedded[j])
    codes.set(real[j], synthetic)
    return { codes, cardinality: bins[j] }
  })
  const { ids, count } = groupRows(columns, synthetic + records)
  const values = bins[target]
  const inClass = new Int32Array(count)
  const withValue = new Int32Array(count * values)
  for (let row = 0; row < synthetic; row++) {
    inClass[ids[row]]++
    withValue[ids[row] * values + embedded[target][row]]++
  }
  const realInClass = new Int32Array(count)
  const realWithValue = new Int32Array(count * values)
  for (let row = 0; row < records; row++) {
    const id = ids[synthetic + row]
    realInClass[id]++
    realWithValue[id * values + real[target][row]]++
  }
  let kept = 0
  let matched = 0
  let attributed = 0
  const said = new Int32Array(count).fill(-1)
  for (let id = 0; id < count; id++) {
    if (inClass[id] === 0) continue
    let most = 0
    for (let t = 0; t < values; t++) {
      const count = withValue[id * values + t]
      if (count === 0 || count < tau * inClass[id]) continue
      kept += count
      if (realInClass[id] > 0) {
        matched += count
        attributed += (count * realWithValue[id * values + t]) / realInClass[id]
      }
      if (count > most) {
        most = count
        said[id] = t
      }
    }
  }
  const guesses = new Int32Array(records)
  let guessed = 0
  let right = 0
  for (let row = 0; row < records; row++) {
    const guess = said[ids[synthetic + row]]
    guesses[row] = guess
    if (guess < 0) continue
    guessed++
    if (guess === real[target][row]) right++
  }
  return { score: { kept, matched, attributed, guessed, right, records, synthetic }, guesses }
}

/** All sets of keys of these sizes, in order. */
export function keySets(keys: readonly number[], sizes: readonly number[]): number[][] {
  const wanted = [...new Set(sizes.map((size) => Math.min(size, keys.length)))].filter((size) => size > 0)
  return wanted.flatMap((size) => subsets(keys, size))
}

/** Means over sets of keys; TCAP over the sets that define it, and with 0 for the others. */
export type MeanRates = {
  readonly sets: number
  readonly defined: number
  readonly undefined: number | null
  readonly zero: number | null
  /** Sets that define nothing counted as 0. */
  readonly undefinedOrZero: number
  readonly zeroOrZero: number
  readonly coverage: number
  readonly success: number
  readonly precision: number | null
}

export function meanRates(scores: readonly KeyScore[]): MeanRates {
  const rates = scores.map(ratesOf)
  const known = (pick: (one: AttributionRates) => number | null) => rates.flatMap((one) => pick(one) ?? [])
  const average = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  const all = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, rates.length)
  const defined = known((one) => one.undefined)
  return {
    sets: rates.length,
    defined: defined.length,
    undefined: average(defined),
    zero: average(known((one) => one.zero)),
    undefinedOrZero: all(defined),
    zeroOrZero: all(known((one) => one.zero)),
    coverage: all(rates.map((one) => one.coverage)),
    success: all(rates.map((one) => one.success)),
    precision: average(known((one) => one.precision)),
  }
}

/** Guesses without any data: drawn from the margin of the target, and its most frequent value. */
export function marginBaselines(real: Int32Array, values: number): { readonly drawn: number; readonly best: number } {
  const counts = new Float64Array(values)
  for (const value of real) counts[value]++
  let drawn = 0
  let best = 0
  for (const count of counts) {
    drawn += (count / real.length) ** 2
    best = Math.max(best, count / real.length)
  }
  return { drawn, best }
}
