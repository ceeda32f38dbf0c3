import { type ForestModel, forest } from '../../../learners/forest.js'
import type { Context } from '../../../measure.js'
import type { ReleaseSpace, Side } from '../../../neighbors/release-space.js'
import { auc } from '../../../stats/tests/auc.js'
import { stackColumns } from '../../../table/column.js'
import { columnOf, type Table, table } from '../../../table/table.js'
import type { Options } from '../rf-proximity.js'
import type { Proximities } from './proximity.js'

/** Original, holdout and released records one below the other, with the columns compared. */
export function stacked(files: readonly Table[], space: ReleaseSpace): Table {
  return table(
    'real and released',
    space.columns.map(({ name }) => stackColumns(files.map((file) => columnOf(file, name)))),
  )
}

const RELEASED = 1

export function separatingForest(
  features: Table,
  released: number,
  { trees, minNode, categorical }: Options,
  { random, seed, tasks, progress, signal }: Context,
): Promise<ForestModel> {
  const codes = new Int32Array(features.rows).fill(RELEASED, features.rows - released)
  return forest.fit(
    features,
    { kind: 'classes', codes, levels: ['real', 'released'] },
    forest.options.parse({ trees, minNode, categorical }),
    { random, seed, purpose: 'rf-proximity/forest', tasks, weights: null, progress, signal },
  )
}

/** A row among the stacked files for each point. */
export function firstRows(space: ReleaseSpace, sides: readonly Side[]): Int32Array {
  const rowOf = new Int32Array(space.count)
  let row = 0
  for (const { ids } of sides) for (const point of ids) rowOf[point] = row++
  return rowOf
}

export type PerReleased = Omit<Proximities, 'credit'>

/** From distinct released records to all of them. */
export function spreadOver(space: ReleaseSpace, { points, ids }: Side, distinct: Proximities): PerReleased {
  const placeOf = new Int32Array(space.count)
  for (let place = 0; place < points.length; place++) placeOf[points[place]] = place
  const spread = (values: Float64Array) => Float64Array.from(ids, (point) => values[placeOf[point]])
  return {
    greatestToTraining: spread(distinct.greatestToTraining),
    greatestToHoldout: spread(distinct.greatestToHoldout),
    meanToTraining: spread(distinct.meanToTraining),
    meanToHoldout: spread(distinct.meanToHoldout),
  }
}

export function separation({ outOfBag: { brier, predictions } }: ForestModel, real: number) {
  const scores = Float64Array.from({ length: predictions.length / 2 }, (_, row) => predictions[2 * row + RELEASED])
  const known = (score: number) => !Number.isNaN(score)
  const shareReleased = 1 - real / scores.length
  return {
    brier,
    chanceBrier: shareReleased * (1 - shareReleased),
    auc: auc(scores.subarray(real).filter(known), scores.subarray(0, real).filter(known))?.auc ?? null,
  }
}
