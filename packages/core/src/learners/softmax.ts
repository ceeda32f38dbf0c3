import { math } from '@scrim/kernels'
import { type Design, linearPredictor } from './coding/design-matrix.js'
import { classModel, type Model } from './learner.js'

/** Turns linear predictors, one array per class, into probabilities in place. A class at -Infinity gets 0. */
export function softmax(predictors: readonly Float64Array[]): void {
  const rows = predictors.length === 0 ? 0 : predictors[0].length
  for (let row = 0; row < rows; row++) {
    let top = Number.NEGATIVE_INFINITY
    for (const predictor of predictors) if (predictor[row] > top) top = predictor[row]
    let total = 0
    for (const predictor of predictors) {
      predictor[row] = math.exp(predictor[row] - top)
      total += predictor[row]
    }
    for (const predictor of predictors) predictor[row] /= total
  }
}

/** A model whose classes have linear predictors; where there is one for two classes it is the log odds of the second. */
export function softmaxModel(
  design: Design,
  coefficients: readonly Float64Array[],
  present: Int32Array,
  levels: number,
): Pick<Model, 'predict' | 'predictProbabilities'> {
  return classModel(levels, async (table) => {
    const predictors = coefficients.map((one) => linearPredictor(design, table, one))
    if (predictors.length < present.length) predictors.unshift(new Float64Array(table.rows))
    softmax(predictors)
    return interleave(predictors, present, levels)
  })
}

/** Probabilities row after row over all levels, from one array for each class that occurs in training. */
function interleave(probabilities: readonly Float64Array[], classes: Int32Array, levels: number): Float64Array {
  const rows = probabilities[0].length
  const table = new Float64Array(rows * levels)
  probabilities.forEach((share, k) => {
    for (let row = 0; row < rows; row++) table[row * levels + classes[k]] = share[row]
  })
  return table
}
