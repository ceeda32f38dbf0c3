import { NotApplicable } from '../../errors.js'
import { stream } from '../../random/stream.js'
import { chiSquaredQuantile, robustCovariance, whitened } from '../../stats/robust-covariance.js'
import { columnOf, type Table } from '../../table/table.js'
import type { Pair } from '../pair.js'

/**
 * Records that are rare by all their numbers together: beyond the 97.5 % ellipsoid of the minimum covariance determinant of a
 * file (Rousseeuw and Van Driessen 1999), squared distance > χ²_{p, 0.975}. Complete records only.
 */
const WITHIN = 0.975

type Columns = readonly Float64Array[]
type Ellipsoid = NonNullable<ReturnType<typeof robustCovariance>>

export interface RobustOutliers {
  readonly limit: number
  readonly counts: readonly [number, number]
  readonly sizes: readonly [number, number]
}

/** @param whose ellipsoid the released records are held against: the original's, or their own */
export function robustOutliers(pair: Pair, whose: 'original' | 'each', seed: number): RobustOutliers {
  const { original, released, variables } = pair
  const names = variables.filter(
    (name) => columnOf(original, name).kind !== 'categorical' && new Set(numbersOf(original, name)).size > 1,
  )
  if (names.length === 0) throw new NotApplicable('no numeric column varies in the original')
  const [x, y] = [original, released].map((of) => completeColumns(of, names))
  const limit = chiSquaredQuantile(WITHIN, names.length)
  const beyond = (columns: Columns, ellipsoid: Ellipsoid) => {
    const white = whitened(columns, ellipsoid)
    let count = 0
    for (let row = 0; row < columns[0].length; row++) {
      const square = white.reduce((sum, column) => sum + column[row] * column[row], 0)
      if (square > limit) count++
    }
    return count
  }
  const ofOriginal = ellipsoidOnce(original, names, x, seed)
  const ofReleased = whose === 'each' ? ellipsoid(y, seed) : ofOriginal
  if (ofOriginal === null || ofReleased === null || y[0].length === 0)
    throw new NotApplicable('there are too few complete records for an ellipsoid')
  return {
    limit: Math.sqrt(limit),
    counts: [beyond(x, ofOriginal), beyond(y, ofReleased)],
    sizes: [x[0].length, y[0].length],
  }
}

function numbersOf(of: Table, name: string): Float64Array {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? new Float64Array() : column.values
}

function completeColumns(of: Table, names: readonly string[]): Columns {
  const columns = names.map((name) => numbersOf(of, name))
  return columns.map((values) => values.filter((_, row) => columns.every((column) => !Number.isNaN(column[row]))))
}

function ellipsoid(columns: Columns, seed: number): Ellipsoid | null {
  return columns[0].length === 0 ? null : robustCovariance(columns, stream(seed, 'outliers/ellipsoid'))
}

const found = new WeakMap<Table, Map<string, Ellipsoid | null>>()

/** Once per original, with which many files are compared. */
function ellipsoidOnce(of: Table, names: readonly string[], columns: Columns, seed: number): Ellipsoid | null {
  const known = found.get(of) ?? new Map<string, Ellipsoid | null>()
  found.set(of, known)
  const key = JSON.stringify([names, seed])
  const before = known.get(key)
  if (before !== undefined) return before
  const made = ellipsoid(columns, seed)
  known.set(key, made)
  return made
}
