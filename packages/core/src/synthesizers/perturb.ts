import { type Stream, stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { standardDeviation } from '../stats/sums.js'
import { type Column, takeRows } from '../table/column.js'
import { type Table, table } from '../table/table.js'

export interface PerturbOptions {
  /** Probability that a cell takes the value of another record. */
  readonly share: number
  /** Standard deviation of the normal noise on numbers, in standard deviations of their column; none when 0. */
  readonly noise?: number | undefined
  /** Columns to perturb; all when not given. */
  readonly columns?: readonly string[] | undefined
  readonly seed: number
}

/**
 * A perturbed copy: each cell, independently and with probability `share`, takes the value that another record drawn at
 * random has in that column, so that the marginals stay about the same and record i still derives from record i.
 * Numeric columns then get normal noise, if any is asked for. Deliberately simple: a masked file to try measures on,
 * not a method to release data with.
 */
export function perturb(file: Table, { share, noise = 0, columns, seed }: PerturbOptions): Table {
  const perturbed = file.columns.map((column) => {
    if (columns !== undefined && !columns.includes(column.name)) return column
    const random = stream(seed, `perturb/${column.name}`)
    return addNoise(takeRows(column, donors(file.rows, share, random)), noise, random)
  })
  return table(`${file.name} (perturbed)`, perturbed)
}

/** For each record the one whose value it takes: itself, or with probability `share` any other. */
function donors(rows: number, share: number, random: Stream): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => {
    if (rows < 2 || random.uniform() >= share) return row
    return (row + 1 + random.below(rows - 1)) % rows
  })
}

function addNoise(column: Column, noise: number, random: Stream): Column {
  if (column.kind !== 'numeric' || noise === 0) return column
  const scale = noise * (standardDeviation(column.values.filter((value) => !Number.isNaN(value))) ?? 0)
  return { ...column, values: column.values.map((value) => value + drawNormal(random, 0, scale)) }
}
