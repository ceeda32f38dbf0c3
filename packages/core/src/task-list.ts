import { playRecords } from './attack/sweep.js'
import { boostRounds } from './learners/boosting.js'
import { growCartTask } from './learners/cart.js'
import { lassoFold } from './learners/fitting/lasso-path.js'
import { growTrees, predictTrees } from './learners/forest.js'
import { measureTask } from './measure-task.js'
import { scanTask } from './neighbors/scan/record-scan.js'
import { countsTask, creditTask, distancesTask, indexTask, spaceTask } from './neighbors/tasks.js'
import { leastSumsTask } from './neighbors/used-holdout.js'
import { confirmTask } from './output/embedding/aims/fidelity.js'
import { embedTask } from './output/embedding/embed.js'
import { recomputeTask } from './output/embedding/setup.js'
import { consensusTask, scoreTask } from './output/risk/scoring.js'
import { guessesTask } from './risk/article29/guesses/guesses.js'
import { countedTask, linksTask } from './risk/article29/links.js'
import { orderTask } from './risk/article29/targets.js'
import { dealTask } from './risk/attribution/figures/dealt-anew.js'
import { replicatedTask } from './risk/attribution/figures/replicated-records.js'
import { aroundTask } from './risk/distance/others/leave-one-out.js'
import { listsTask } from './risk/distance/outsiders/neighbour-lists.js'
import { linkTask } from './risk/linkage/matching/link.js'
import { matchTask } from './risk/linkage/matching/matching.js'
import { patternsTask } from './risk/linkage/methods/fellegi-sunter.js'
import { compareSamples } from './risk/membership/scores/adversarial-accuracy.js'
import { logDensityTask } from './risk/membership/scores/kernel-density.js'
import { sharedValuesTask } from './risk/membership/scores/shared-values.js'
import { aroundInBitsTask } from './risk/shared-information/around-in-bits.js'
import { membershipInBitsTask } from './risk/shared-information/membership-score.js'
import { drawnTask, shapeControlTask } from './risk/shared-information/shape-control.js'
import { growDonorTree } from './synthesizers/methods/tree-donors.js'
import type { AnyTask } from './tasks/task.js'
import { permutedCart } from './utility/global/propensity/tree-scores.js'
import { mixingTask } from './utility/multivariate/axes/mixing-task.js'
import { coverTask } from './utility/multivariate/axes/support.js'
import { pairSumsTask } from './utility/multivariate/pairs/pair-means.js'
import { featureSumsTask } from './utility/multivariate/pairs/random-features.js'
import { sliceTask } from './utility/multivariate/pairs/slices.js'
import { detectTask } from './views/views.js'

/** The one list of all tasks: what a worker must be able to run. */
const tasks: readonly AnyTask[] = [
  lassoFold,
  growTrees,
  predictTrees,
  boostRounds,
  growCartTask,
  growDonorTree,
  playRecords,
  distancesTask,
  creditTask,
  countsTask,
  listsTask,
  aroundTask,
  dealTask,
  replicatedTask,
  linkTask,
  patternsTask,
  matchTask,
  compareSamples,
  logDensityTask,
  sharedValuesTask,
  countedTask,
  orderTask,
  linksTask,
  guessesTask,
  aroundInBitsTask,
  shapeControlTask,
  drawnTask,
  scanTask,
  membershipInBitsTask,
  pairSumsTask,
  featureSumsTask,
  sliceTask,
  mixingTask,
  coverTask,
  permutedCart,
  embedTask,
  confirmTask,
  recomputeTask,
  scoreTask,
  consensusTask,
  measureTask,
  detectTask,
  indexTask,
  spaceTask,
  leastSumsTask,
]

export function findTask(name: string): AnyTask {
  const task = tasks.find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}
