import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { type Column, isMissing } from '../../table/column.js'
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
      histogram: Float64Array.from(columns.flatMap((column, j) => histogramOf(column, released.columns[j]))),
      correlations: correlationsOf(columns, pairs, released),
    }),
  }
}

interface PersonColumn {
  readonly name: string
  readonly isNumber: boolean
  readonly equals: (column: Column, row: number) => boolean
  readonly near: (column: Column, row: number) => boolean
  /** For correlations: the number, or whether it is the person's own level; NaN where missing. */
  readonly value: (column: Column, row: number) => number
  readonly groups: number
  readonly group: (column: Column, row: number) => number
}

function personColumn(column: Column, row: number): PersonColumn {
  const { name } = column
  if (column.kind === 'categorical') {
    const own = column.codes[row]
    const codeAt = (from: Column, at: number) => (from.kind === 'categorical' ? from.codes[at] : -1)
    const equals = (from: Column, at: number) => codeAt(from, at) === own
    const groups = column.levels.length + 1
    return {
      name,
      isNumber: false,
      equals,
      near: equals,
      value: (from, at) => (equals(from, at) ? 1 : 0),
      groups,
      group: (from, at) => (codeAt(from, at) < 0 ? groups - 1 : codeAt(from, at)),
    }
  }
  const own = column.values[row]
  const numberAt = (from: Column, at: number) => (from.kind === 'categorical' ? Number.NaN : from.values[at])
  const equals = (from: Column, at: number) => (isMissing(from, at) ? Number.isNaN(own) : numberAt(from, at) === own)
  const values = column.values.filter((value, at) => at !== row && !Number.isNaN(value)).sort()
  const distances = values.map((value) => Math.abs(value - own)).sort()
  const reach = distances[Math.floor(NEAR_SHARE * distances.length)] ?? 0
  const cuts = Array.from(
    { length: QUANTILE_GROUPS - 1 },
    (_, k) => values[Math.floor(((k + 1) * values.length) / QUANTILE_GROUPS)] ?? 0,
  )
  return {
    name,
    isNumber: true,
    equals,
    near: (from, at) => equals(from, at) || Math.abs(numberAt(from, at) - own) <= reach,
    value: numberAt,
    groups: QUANTILE_GROUPS + 1,
    group: (from, at) =>
      isMissing(from, at)
        ? QUANTILE_GROUPS
        : cuts.reduce((below, cut) => below + (numberAt(from, at) > cut ? 1 : 0), 0),
  }
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
  const words = Math.ceil(released.rows / BITS)
  const meets = (isMet: (row: number) => boolean) => {
    const bits = new Int32Array(words)
    for (let row = 0; row < released.rows; row++) if (isMet(row)) bits[row >>> 5] |= 1 << (row & 31)
    return bits
  }
  const met = columns.map(({ equals, near }, j) => {
    const column = released.columns[j]
    return { exactly: meets((row) => equals(column, row)), near: meets((row) => near(column, row)) }
  })
  return Float64Array.from(queries, (query) => {
    const parts = query.map(({ column, exactly }) => (exactly ? met[column].exactly : met[column].near))
    let records = 0
    for (let word = 0; word < words; word++) records += ones(parts.reduce((bits, part) => bits & part[word], -1))
    return records / released.rows
  })
}

/** How many of 32 bits are 1. */
function ones(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

function histogramOf({ groups, group }: PersonColumn, column: Column): number[] {
  const counts = new Array<number>(groups).fill(0)
  const rows = column.kind === 'categorical' ? column.codes.length : column.values.length
  for (let row = 0; row < rows; row++) counts[group(column, row)]++
  return counts.map((records) => records / rows)
}

/** Pearson's over the records that have both; 0 where one is constant. */
function correlationsOf(
  columns: readonly PersonColumn[],
  pairs: readonly (readonly [number, number])[],
  released: Table,
): Float64Array {
  const values = columns.map(({ value }, j) =>
    Float64Array.from({ length: released.rows }, (_, row) => value(released.columns[j], row)),
  )
  return Float64Array.from(pairs, ([a, b]) => pearson(values[a], values[b]))
}

function pearson(x: Float64Array, y: Float64Array): number {
  let [n, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row] + y[row])) continue
    n++
    sumX += x[row]
    sumY += y[row]
    sumXX += x[row] * x[row]
    sumYY += y[row] * y[row]
    sumXY += x[row] * y[row]
  }
  const [varianceX, varianceY] = [n * sumXX - sumX * sumX, n * sumYY - sumY * sumY]
  return varianceX > 0 && varianceY > 0 ? (n * sumXY - sumX * sumY) / Math.sqrt(varianceX * varianceY) : 0
}
