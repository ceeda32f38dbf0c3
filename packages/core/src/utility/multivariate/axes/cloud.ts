import type { Eigen } from '../../../stats/matrices/eigen.js'
import { quantile } from '../../../stats/quantile.js'
import type { Coordinates } from './principal-axes.js'

const CELLS = 24

/** Shares of the records in squares of the plane of the first two axes; squares with fewer than 3 records of a file are left out. */
export function cloudOf({ original, released, width }: Coordinates, { vectors }: Eigen) {
  const along = (rows: Float64Array, axis: Float64Array) =>
    Float64Array.from({ length: rows.length / width }, (_, row) => {
      let place = 0
      for (let j = 0; j < width; j++) place += axis[j] * rows[row * width + j]
      return place
    })
  const places = [original, released].map((rows) => vectors.slice(0, 2).map((axis) => along(rows, axis)))
  const ends = [0, 1].map((k) => {
    const both = Float64Array.of(...ends01(places[0][k]), ...ends01(places[1][k]))
    const [from, to] = [Math.min(...both), Math.max(...both)]
    return { from, step: to > from ? (to - from) / CELLS : 1 }
  })
  const cells = (['original', 'release'] as const).flatMap((file, which) => {
    const [u, v] = places[which]
    const counts = new Float64Array(CELLS * CELLS)
    for (let row = 0; row < u.length; row++) {
      const [i, j] = [u, v].map((line, k) => Math.floor((line[row] - ends[k].from) / ends[k].step))
      if (i >= 0 && j >= 0 && i < CELLS && j < CELLS) counts[i * CELLS + j]++
    }
    return [...counts.keys()]
      .filter((k) => counts[k] >= FEWEST_IN_CELL)
      .map((k) => ({
        file,
        x: ends[0].from + Math.floor(k / CELLS) * ends[0].step,
        y: ends[1].from + (k % CELLS) * ends[1].step,
        share: counts[k] / u.length,
      }))
  })
  return { step: { x: ends[0].step, y: ends[1].step }, cells }
}

const FEWEST_IN_CELL = 3

function ends01(values: Float64Array): [number, number] {
  return [quantile(values, 0.01) ?? 0, quantile(values, 0.99) ?? 0]
}
