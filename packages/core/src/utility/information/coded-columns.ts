import { entropyOfCounts } from '../../stats/information/information.js'
import { quantiles } from '../../stats/quantile.js'
import { type Column, MISSING_CODE } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { weightsIn } from '../pair.js'
import type { Options } from './mutual-information.js'

/** Codes 0, 1, ... of a column, the last one for missing; numbers by classes of the original. */
export interface Coder {
  readonly name: string
  readonly levels: number
  codes(column: Column): Int32Array
}

export function coderOf(column: Column, bins: number): Coder {
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
  const known = column.values.filter((value) => !Number.isNaN(value))
  const shares = Array.from({ length: bins - 1 }, (_, k) => (k + 1) / bins)
  const cuts = [...new Set(quantiles(known, shares) ?? [])]
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
  const weights = weightsIn(data, weight)
  const codes = coders.map((coder) => coder.codes(columnOf(data, coder.name)))
  const bits = (counts: Float64Array) => {
    const { plugIn, millerMadow } = entropyOfCounts(counts, data.rows)
    return (correction ? millerMadow : plugIn) / Math.LN2
  }
  const entropies = codes.map((column, i) => {
    const counts = new Float64Array(coders[i].levels)
    for (let row = 0; row < column.length; row++) counts[column[row]] += weights === null ? 1 : weights[row]
    return bits(counts)
  })
  return {
    entropies,
    between: (i, j) => {
      const [a, b] = [codes[i], codes[j]]
      const width = coders[j].levels
      const counts = new Float64Array(coders[i].levels * width)
      for (let row = 0; row < a.length; row++) counts[a[row] * width + b[row]] += weights === null ? 1 : weights[row]
      return entropies[i] + entropies[j] - bits(counts)
    },
  }
}
