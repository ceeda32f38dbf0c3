import { boostRounds } from '../learners/boosting.js'
import { growCartTask } from '../learners/cart.js'
import { growTrees, predictTrees } from '../learners/forest.js'
import { lassoFold } from '../learners/lasso-path.js'
import { countsTask, creditTask, distancesTask } from '../neighbors/tasks.js'
import { growDonorTree } from '../synthesizers/tree-donors.js'
import type { AnyTask } from './task.js'

/** The one list of all tasks: what a worker must be able to run. */
const tasks: readonly AnyTask[] = [
  lassoFold,
  growTrees,
  predictTrees,
  boostRounds,
  growCartTask,
  growDonorTree,
  distancesTask,
  creditTask,
  countsTask,
]

export function findTask(name: string): AnyTask {
  const task = tasks.find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}
