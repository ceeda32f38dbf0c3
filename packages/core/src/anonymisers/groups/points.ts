import { mean, standardDeviation } from '../../stats/sums.js'
import type { NumberColumn } from '../method/number-columns.js'

/** Records as points: the centred, and if asked for standardised, values of some columns side by side; NaN is missing. */
export interface Points {
  /** The row that each point stands for. */
  readonly rows: Int32Array
  readonly width: number
  readonly values: Float64Array
}

/** The points of those of the rows that have a value in any of the columns. */
export function pointsOf(columns: readonly NumberColumn[], among: Int32Array, standardise: boolean): Points {
  const rows = among.filter((row) => columns.some(({ values }) => !Number.isNaN(values[row])))
  const width = columns.length
  const values = new Float64Array(rows.length * width)
  for (const [j, column] of columns.entries()) {
    const numbers = Float64Array.from(rows, (row) => column.values[row])
    const there = numbers.filter((value) => !Number.isNaN(value))
    const centre = mean(there) ?? 0
    const scale = standardise ? standardDeviation(there) || 1 : 1
    for (let i = 0; i < numbers.length; i++) values[i * width + j] = (numbers[i] - centre) / scale
  }
  return { rows, width, values }
}

/** Some of the points, by their place. */
export function pickPoints({ rows, width, values }: Points, places: Int32Array): Points {
  const picked = new Float64Array(places.length * width)
  for (const [i, place] of places.entries()) picked.set(values.subarray(place * width, (place + 1) * width), i * width)
  return { rows: places.map((place) => rows[place]), width, values: picked }
}
