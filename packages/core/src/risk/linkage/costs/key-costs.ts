import { choice } from '../../../option-kinds.js'
import { countUpTo } from '../../../stats/sorted.js'
import { sum } from '../../../stats/sums.js'
import type { EqualCost, KeyCost, NumberCost, TableCost } from './costs.js'
import { jaroWinkler } from './jaro-winkler.js'
import { areRelated, codeCounts, type Key, type LinkedFiles } from './linked-files.js'

/** How a missing value is compared; `expected` as an average record of the search file would be. */
const MISSING_MODES = ['expected', 'ignore', 'match', 'mismatch'] as const
export type MissingMode = (typeof MISSING_MODES)[number]

export const missingOption = {
  missing: choice(MISSING_MODES, 'expected').describe(
    'a missing value counts as an average record would, is left out, agrees, or disagrees',
  ),
}

/** Costs of numbers |x - a| times a scale, of other keys 0 or 1, or in between for texts; times the weight. */
export interface Compared {
  readonly key: Key
  readonly files: LinkedFiles
  readonly weight: number
  readonly missing: MissingMode
  /** Numbers of query and search classes, NaN for missing. */
  readonly numbers?: { readonly query: Float64Array; readonly search: Float64Array }
  readonly scale?: number
  readonly cap?: number
}

export function distanceCost(compared: Compared): KeyCost {
  const { key } = compared
  if (key.kind === 'nominal') return equalCost(compared)
  if (key.kind === 'text') return tableCost(compared, (a, b) => 1 - jaroWinkler(key.levels[a], key.levels[b]))
  if (key.kind === 'hierarchy' || key.kind === 'classes')
    return tableCost(compared, (a, b) => (areRelated(key, a, b) ? 0 : 1))
  return numberCost(compared)
}

function equalCost({ key, files, weight, missing }: Compared): EqualCost {
  const { query, search, cardinality } = key
  const known = codeCounts(key, files, 'search')
  const total = sum(known)
  const expected = (code: number) => (total === 0 ? 0 : 1 - known[code] / total)
  return {
    kind: 'equal',
    query,
    search,
    agree: new Float64Array(cardinality),
    disagree: weight,
    ...missingCosts(files, query, weight, missing, (a) => (query[a] < 0 ? Number.NaN : expected(query[a]))),
  }
}

/** Pairs of different values that a table may hold. */
export const MOST_PAIRS = 25e6

function tableCost({ key, files, weight, missing }: Compared, gap: (a: number, b: number) => number): TableCost {
  const [query, search] = [distinctOf(key.query), distinctOf(key.search)]
  const width = search.codes.length
  const table = new Float64Array(query.codes.length * width)
  for (let i = 0; i < query.codes.length; i++)
    for (let j = 0; j < width; j++) table[i * width + j] = weight * gap(query.codes[i], search.codes[j])
  const records = new Float64Array(width)
  search.at.forEach((column, c) => {
    if (column >= 0) records[column] += files.search.counts[c]
  })
  const total = sum(records)
  const expected = Float64Array.from(query.codes, (_, i) => {
    let sum = 0
    for (let j = 0; j < width; j++) sum += records[j] * table[i * width + j]
    return total === 0 ? 0 : sum / total / (weight || 1)
  })
  return {
    kind: 'table',
    query: query.at,
    search: search.at,
    width,
    table,
    ...missingCosts(files, query.at, weight, missing, (a) => (query.at[a] < 0 ? Number.NaN : expected[query.at[a]])),
  }
}

/** The codes that occur, ascending, and the place of each class among them. */
function distinctOf(classes: Int32Array): { readonly codes: readonly number[]; readonly at: Int32Array } {
  const codes = [...new Set(classes)].filter((code) => code >= 0).sort((a, b) => a - b)
  const place = new Map(codes.map((code, at) => [code, at]))
  return { codes, at: classes.map((code) => place.get(code) ?? -1) }
}

function numberCost({
  key,
  files,
  weight,
  missing,
  numbers = numbersOf(key),
  scale = 1,
  cap = Number.POSITIVE_INFINITY,
}: Compared): NumberCost {
  const { query, search } = numbers
  const mean = missing === 'expected' && search.some(Number.isNaN) ? meanGap(search, files.search.counts) : () => 0
  return {
    kind: 'number',
    query,
    search,
    scale: weight * scale,
    cap: weight * cap,
    complete: !search.some(Number.isNaN),
    ...missingCosts(files, query, weight, missing, (a) =>
      Number.isNaN(query[a]) ? Number.NaN : Math.min(cap, scale * mean(query[a])),
    ),
  }
}

export function numbersOf({ query, search, numbers }: Key) {
  const of = (codes: Int32Array) => Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : numbers[code]))
  return { query: of(query), search: of(search) }
}

/** What a missing value costs; `expected` gives the mean of a query class over known search records, NaN where it is missing itself. */
function missingCosts(
  { query }: LinkedFiles,
  values: { readonly length: number },
  weight: number,
  mode: MissingMode,
  expected: (a: number) => number,
): { readonly missingQuery: number; readonly missingSearch: Float64Array } {
  const fixed = mode === 'mismatch' ? weight : 0
  if (mode !== 'expected') return { missingQuery: fixed, missingSearch: new Float64Array(values.length).fill(fixed) }
  let [sum, records] = [0, 0]
  const missingSearch = Float64Array.from({ length: values.length }, (_, a) => {
    const mean = expected(a)
    if (Number.isNaN(mean)) return 0
    sum += query.counts[a] * mean
    records += query.counts[a]
    return weight * mean
  })
  return { missingQuery: records === 0 ? 0 : (weight * sum) / records, missingSearch }
}

/** Mean of |x - a| over the known records a, by sorting and running sums. */
export function meanGap(values: Float64Array, counts: Int32Array): (x: number) => number {
  const order = Array.from(values.keys())
    .filter((k) => !Number.isNaN(values[k]))
    .sort((a, b) => values[a] - values[b])
  const sorted = Float64Array.from(order, (k) => values[k])
  const records = new Float64Array(order.length + 1)
  const sums = new Float64Array(order.length + 1)
  order.forEach((k, at) => {
    records[at + 1] = records[at] + counts[k]
    sums[at + 1] = sums[at] + counts[k] * values[k]
  })
  const n = records[order.length]
  const total = sums[order.length]
  return (x) => {
    if (n === 0) return 0
    const below = countUpTo(sorted, x)
    return (x * (2 * records[below] - n) + total - 2 * sums[below]) / n
  }
}
