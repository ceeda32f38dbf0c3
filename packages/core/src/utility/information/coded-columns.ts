import { entropyOfCounts } from '../../stats/information/information.js'
import { quantiles } from '../../stats/quantile.js'
import { known } from '../../stats/repeated.js'
import { type Column, MISSING_CODE } from '../../table/column.js'
import { columnOf, countedBy, recordsIn, type Table } from '../../table/table.js'
import { massIn } from '../pair.js'
import type { Options } from './mutual-information.js'

/** Codes 0, 1, ... of a column, the last one for missing; numbers by classes of the original. */
export interface Coder {
  readonly name: string
  readonly levels: number
  codes(column: Column): Int32Array
}

/** @param times how many records each row of the column is, where that is not one */
export function coderOf(column: Column, times: Int32Array | undefined, bins: number): Coder {
  const { name } = column
  if (column.kind === 'categorical') {
    const levels = column.levels.length
    return {
      name,
      levels: levels + 1,
      codes: (column) =>
        column.kind === 'categorical'
          ? column.codes.map((code) => (code === MISSING_CODE ? levels : code))
          : new Int32Array(),
    }
  }
  const { values, times: repeats } = known({ values: column.values, times: times ?? null })
  const shares = Array.from({ length: bins - 1 }, (_, k) => (k + 1) / bins)
  const cuts = [...new Set(quantiles(values, shares, repeats) ?? [])]
  return {
    name,
    levels: cuts.length + 2,
    codes: (column) =>
      column.kind === 'categorical'
        ? new Int32Array()
        : Int32Array.from(column.values, (value) =>
            Number.isNaN(value) ? cuts.length + 1 : cuts.reduce((bin, cut) => bin + (value > cut ? 1 : 0), 0),
          ),
  }
}

interface CodedFile {
  readonly entropies: readonly number[]
  between(i: number, j: number): number
}

export function fileOf(
  data: Table,
  coders: readonly Coder[],
  weight: string | null,
  { correction }: Options,
): CodedFile {
  const here = recordsOf(data, coders, weight, correction)
  return {
    entropies: coders.map((coder, i) => {
      const counted = countedBy(data, [coder.name])
      return counted === data ? here.entropy(i) : recordsOf(counted, [coder], weight, correction).entropy(0)
    }),
    between: (i, j) => {
      const pair = [coders[i], coders[j]]
      const names = pair.map(({ name }) => name)
      const counted = countedBy(data, names, 'classes')
      return counted === data ? here.between(i, j) : recordsOf(counted, pair, weight, correction).between(0, 1)
    },
  }
}

function recordsOf(data: Table, coders: readonly Coder[], weight: string | null, correction: boolean) {
  const mass = massIn(data, weight)
  const codesOf = oncePerPlace((i) => coders[i].codes(columnOf(data, coders[i].name)))
  const bits = (counts: Float64Array) => {
    const { plugIn, millerMadow } = entropyOfCounts(counts, recordsIn(data))
    return (correction ? millerMadow : plugIn) / Math.LN2
  }
  const entropy = oncePerPlace((i) => {
    const counts = new Float64Array(coders[i].levels)
    for (const [row, code] of codesOf(i).entries()) counts[code] += mass === null ? 1 : mass[row]
    return bits(counts)
  })
  const between = (i: number, j: number) => {
    const [a, b] = [codesOf(i), codesOf(j)]
    const width = coders[j].levels
    const counts = new Float64Array(coders[i].levels * width)
    for (let row = 0; row < a.length; row++) counts[a[row] * width + b[row]] += mass === null ? 1 : mass[row]
    return entropy(i) + entropy(j) - bits(counts)
  }
  return { entropy, between }
}

function oncePerPlace<Made>(make: (place: number) => Made): (place: number) => Made {
  const made = new Map<number, Made>()
  return (place) => {
    const known = made.get(place) ?? make(place)
    made.set(place, known)
    return known
  }
}
