import { NotApplicable } from '../../errors.js'
import { stream } from '../../random/stream.js'
import { chiSquaredQuantile, robustCovariance, whitened } from '../../stats/robust-covariance.js'
import { remember } from '../../table/classes.js'
import { columnOf } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { completeColumns, numbersIn } from './columns.js'

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
    (name) => columnOf(original, name).kind !== 'categorical' && new Set(numbersIn(original, name)).size > 1,
  )
  if (names.length === 0) throw new NotApplicable('no numeric column varies in the original')
  const [x, y] = [original, released].map((file) => completeColumns(names.map((name) => numbersIn(file, name))))
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
  // Once per original, with which many files are compared.
  const ofOriginal = remember(original, `ellipsoid ${JSON.stringify([names, seed])}`, () => ellipsoid(x, seed))
  const ofReleased = whose === 'each' ? ellipsoid(y, seed) : ofOriginal
  if (ofOriginal === null || ofReleased === null || y[0].length === 0)
    throw new NotApplicable('there are too few complete records for an ellipsoid')
  return {
    limit: Math.sqrt(limit),
    counts: [beyond(x, ofOriginal), beyond(y, ofReleased)],
    sizes: [x[0].length, y[0].length],
  }
}

function ellipsoid(columns: Columns, seed: number): Ellipsoid | null {
  return columns[0].length === 0 ? null : robustCovariance(columns, stream(seed, 'outliers/ellipsoid'))
}
