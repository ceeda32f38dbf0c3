import type { z } from 'zod'
import { boosting } from './boosting.js'
import { cart } from './cart.js'
import { forest } from './forest.js'
import { lasso } from './lasso.js'
import type { Learner } from './learner.js'
import { linear } from './linear.js'
import { logistic } from './logistic.js'
import { multinomial } from './multinomial.js'
import { nearest } from './nearest.js'
import { prior } from './prior.js'
import { supportVectors } from './support-vectors.js'
import { tunedForest } from './tuned-forest.js'

/** The one list of all learners. */
export const learners: readonly Learner<z.ZodObject>[] = [
  forest,
  tunedForest,
  boosting,
  cart,
  linear,
  logistic,
  multinomial,
  lasso,
  nearest,
  supportVectors,
  prior,
]

export function findLearner(id: string): Learner<z.ZodObject> | undefined {
  return learners.find((learner) => learner.id === id)
}
