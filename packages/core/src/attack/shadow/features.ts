import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import type { Column } from '../../table/column.js'
import type { Table } from '../../table/table.js'

/**
 * What a shadow-model attack sees of a release, for one person x.
 *
 *   queries       shares of released records that agree with x in a random set of one to four columns; a number agrees if it
 *                 is the same, or, as often, if it lies as near to x's as a tenth of the known records do (random subset
 *                 queries: Houssiau, Jordon, Cohen, Daniel, Elliott, Geddes, Mole, Rangel-Smith and Szpruch 2022)
 *   histogram     shares of all levels of all columns, of numbers those of ten quantile groups of the known records
 *                 (Stadler, Oprisanu and Troncoso 2022)
 *   correlations  of all pairs of columns, of levels whether they are x's own (Stadler et al. take all levels)
 */
export const FEATURE_SETS = ['queries', 'histogram', 'correlations'] as const
export type FeatureSet = (typeof FEATURE_SETS)[number]

export interface ReleaseFeatures {
  readonly names: Readonly<Record<FeatureSet, readonly string[]>>
  readonly of: (released: Table) => Readonly<Record<FeatureSet, Float64Array>>
}

const MOST_IN_QUERY = 4
const QUANTILE_GROUPS = 10
/** A tenth of the known records are as near. */
const NEAR_SHARE = 0.1

/** The tables that are asked about share their columns and levels with the known records. */
export function releaseFeatures(known: Table, row: number, queries: number, random: Stream): ReleaseFeatures {
  const columns = known.columns.map((column): PersonColumn => personColumn(column, row))
  const asked = drawQueries(columns, queries, random)
  const pairs = columns.flatMap((_, a) => columns.slice(a + 1).map((__, b) => [a, a + 1 + b] as const))
  return {
    names: {
      queries: asked.map((query) =>
        query.map(({ column, exactly }) => `${columns[column].name}${exactly ? '' : ' near'}`).join(' & '),
      ),
      histogram: columns.flatMap(({ name, groups }) => Array.from({ length: groups }, (_, k) => `${name} ${k + 1}`)),
      correlations: pairs.map(([a, b]) => `${columns[a].name} with ${columns[b].name}`),
    },
    of: (released) => ({
      queries: sharesOf(asked, columns, released),
      histogram: Float64Array.from(columns.flatMap(({ histogram }, j) => histogram(released.columns[j]))),
      correlations: correlationsOf(columns, pairs, released),
    }),
  }
}

interface PersonColumn {
  readonly name: string
  readonly isNumber: boolean
  /** Released records that agree with the person, as bits. */
  readonly agreeing: (column: Column) => { readonly exactly: Int32Array; readonly near: Int32Array }
  /** For correlations: the number, or whether it is the person's own level; NaN where missing. */
  readonly values: (column: Column) => Float64Array
  readonly groups: number
  readonly histogram: (column: Column) => number[]
}

function personColumn(column: Column, row: number): PersonColumn {
  return column.kind === 'categorical'
    ? levelColumn(column.name, column.codes[row], column.levels.length)
    : numberColumn(column.name, column.values, row)
}

function levelColumn(name: string, level: number, levels: number): PersonColumn {
  const codesOf = (from: Column) => (from.kind === 'categorical' ? from.codes : new Int32Array(0))
  return {
    name,
    isNumber: false,
    agreeing: (from) => {
      const codes = codesOf(from)
      const exactly = bitsOf(codes.length, (at) => codes[at] === level)
      return { exactly, near: exactly }
    },
    values: (from) => {
      const codes = codesOf(from)
      const values = new Float64Array(codes.length)
      for (let at = 0; at < codes.length; at++) if (codes[at] === level) values[at] = 1
      return values
    },
    groups: levels + 1,
    histogram: (from) => {
      const codes = codesOf(from)
      const counts = new Array<number>(levels + 1).fill(0)
      for (let at = 0; at < codes.length; at++) counts[codes[at] < 0 ? levels : codes[at]]++
      return counts.map((records) => records / codes.length)
    },
  }
}

function numberColumn(name: string, known: Float64Array, row: number): PersonColumn {
  const valuesOf = (from: Column) => (from.kind === 'categorical' ? new Float64Array(0) : from.values)
  const ownValue = known[row]
  const others = known.filter((value, at) => at !== row && !Number.isNaN(value)).sort()
  const distances = others.map((value) => Math.abs(value - ownValue)).sort()
  const reach = distances[Math.floor(NEAR_SHARE * distances.length)] ?? 0
  const cuts = Array.from(
    { length: QUANTILE_GROUPS - 1 },
    (_, k) => others[Math.floor(((k + 1) * others.length) / QUANTILE_GROUPS)] ?? 0,
  )
  const equals = (value: number) => (Number.isNaN(value) ? Number.isNaN(ownValue) : value === ownValue)
  return {
    name,
    isNumber: true,
    agreeing: (from) => {
      const values = valuesOf(from)
      return {
        exactly: bitsOf(values.length, (at) => equals(values[at])),
        near: bitsOf(values.length, (at) => equals(values[at]) || Math.abs(values[at] - ownValue) <= reach),
      }
    },
    values: valuesOf,
    groups: QUANTILE_GROUPS + 1,
    histogram: (from) => {
      const values = valuesOf(from)
      const counts = new Array<number>(QUANTILE_GROUPS + 1).fill(0)
      for (let at = 0; at < values.length; at++) counts[groupOf(values[at], cuts)]++
      return counts.map((records) => records / values.length)
    },
  }
}

function groupOf(value: number, cuts: readonly number[]): number {
  if (Number.isNaN(value)) return QUANTILE_GROUPS
  let group = 0
  while (group < cuts.length && value > cuts[group]) group++
  return group
}

function bitsOf(rows: number, isMet: (row: number) => boolean): Int32Array {
  const bits = new Int32Array(Math.ceil(rows / BITS))
  for (let row = 0; row < rows; row++) if (isMet(row)) bits[row >>> 5] |= 1 << (row & 31)
  return bits
}

interface Condition {
  readonly column: number
  readonly exactly: boolean
}

function drawQueries(columns: readonly PersonColumn[], count: number, random: Stream): Condition[][] {
  return Array.from({ length: count }, () => {
    const size = 1 + random.below(Math.min(MOST_IN_QUERY, columns.length))
    return Array.from(sampleWithoutReplacement(random, columns.length, size).sort(), (column) => ({
      column,
      exactly: !columns[column].isNumber || random.below(2) === 0,
    }))
  })
}

const BITS = 32

/** Records that meet a condition as bits, so that a query is a conjunction of words. */
function sharesOf(
  queries: readonly (readonly Condition[])[],
  columns: readonly PersonColumn[],
  released: Table,
): Float64Array {
  const met = columns.map(({ agreeing }, j) => agreeing(released.columns[j]))
  return Float64Array.from(queries, (query) => {
    const parts = query.map(({ column, exactly }) => (exactly ? met[column].exactly : met[column].near))
    let records = 0
    for (let word = 0; word < parts[0].length; word++) {
      let bits = -1
      for (let k = 0; k < parts.length; k++) bits &= parts[k][word]
      records += ones(bits)
    }
    return records / released.rows
  })
}

/** How many of 32 bits are 1. */
function ones(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** Pearson's over the records that have both; 0 where one is constant. */
function correlationsOf(
  columns: readonly PersonColumn[],
  pairs: readonly (readonly [number, number])[],
  released: Table,
): Float64Array {
  const summed = columns.map(({ values }, j) => summedColumn(values(released.columns[j])))
  return Float64Array.from(pairs, ([a, b]) => pearson(summed[a], summed[b]))
}

/** Sums that all pairs of a column share, where nothing is missing. */
interface SummedColumn {
  readonly values: Float64Array
  readonly sum: number
  readonly squares: number
}

function summedColumn(values: Float64Array): SummedColumn {
  let [sum, squares] = [0, 0]
  for (let row = 0; row < values.length; row++) {
    sum += values[row]
    squares += values[row] * values[row]
  }
  return { values, sum, squares }
}

function pearson(x: SummedColumn, y: SummedColumn): number {
  if (Number.isNaN(x.sum + y.sum)) return pearsonOfBoth(x.values, y.values)
  let products = 0
  for (let row = 0; row < x.values.length; row++) products += x.values[row] * y.values[row]
  return pearsonOf(x.values.length, x, y, products)
}

/** Hot, where values are missing. */
function pearsonOfBoth(x: Float64Array, y: Float64Array): number {
  let [n, sumX, sumY, sumXX, sumYY, products] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row] + y[row])) continue
    n++
    sumX += x[row]
    sumY += y[row]
    sumXX += x[row] * x[row]
    sumYY += y[row] * y[row]
    products += x[row] * y[row]
  }
  return pearsonOf(n, { sum: sumX, squares: sumXX }, { sum: sumY, squares: sumYY }, products)
}

type Sums = Pick<SummedColumn, 'sum' | 'squares'>

function pearsonOf(n: number, x: Sums, y: Sums, products: number): number {
  const [varianceX, varianceY] = [n * x.squares - x.sum * x.sum, n * y.squares - y.sum * y.sum]
  return varianceX > 0 && varianceY > 0 ? (n * products - x.sum * y.sum) / Math.sqrt(varianceX * varianceY) : 0
}
