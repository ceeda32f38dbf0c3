import { math } from '@scrim/kernels'
import type { Codes } from './coded-records.js'
import { placeOf } from './joint-code.js'
import type { ScoreAim } from './score.js'
import { isIncluded } from './statistic.js'

/** One record as the model sees it, read again and again into the same arrays. */
export function recordReader(aim: ScoreAim) {
  const { columns, width, classes, published, family, responses, response, weight, included } = aim
  const slots = new Int32Array(columns.length)
  const values = new Float64Array(columns.length)
  const residuals = new Float64Array(classes)
  const curvatures = new Float64Array(classes * classes)
  const means = new Float64Array(classes)
  const isAll = included.allowed.length === 0 && included.joint === null
  let count = 0

  const reader = {
    slots,
    values,
    residuals,
    /** Curvature of class c by class d at c * classes + d. */
    curvatures,
    filled: () => count,
    weight: 1,
    /** The response of a linear model; what a saturated Poisson model would add to the log-likelihood; 0 for the others. */
    level: 0,
    /** What the record adds to the log-likelihood, or in a linear model to the residual sum of squares. */
    fit: 0,
    /** False for a record that the output is not about. */
    read(codes: Codes, at: number): boolean {
      if (!isAll && !isIncluded(included, codes, at)) return false
      count = 0
      for (let k = 0; k < columns.length; k++) {
        const { categories, numbers, slots: slotOf } = columns[k]
        const slot = slotOf[placeOf(categories, codes, at)]
        if (slot < 0) continue
        let value = 1
        for (let a = 0; a < numbers.length; a++) value *= numbers[a].values[codes[at + numbers[a].variable]]
        slots[count] = slot
        values[count++] = value
      }
      const y = responses[codes[at + response]]
      reader.weight = weight === null ? 1 : weight.values[codes[at + weight.variable]]
      for (let c = 0; c < classes; c++) {
        let predictor = 0
        for (let a = 0; a < count; a++) predictor += published[c * width + slots[a]] * values[a]
        means[c] = predictor
      }
      if (family === 'multinomial') readClasses(y)
      else readNumber(y, means[0])
      return true
    },
  }

  function readNumber(y: number, predictor: number): void {
    if (family === 'logistic') {
      const mean = 1 / (1 + math.exp(-predictor))
      residuals[0] = y - mean
      curvatures[0] = mean * (1 - mean)
      reader.fit = needsFit ? y * predictor - softplus(predictor) : 0
    } else if (family === 'poisson') {
      const mean = math.exp(predictor)
      residuals[0] = y - mean
      curvatures[0] = mean
      reader.fit = needsFit ? y * predictor - mean - logFactorial(y) : 0
      reader.level = needsFit && y > 0 ? y * math.log(y) - y - logFactorial(y) : 0
    } else {
      residuals[0] = y - predictor
      reader.level = y
      curvatures[0] = 1
      reader.fit = residuals[0] * residuals[0]
    }
  }
  const needsFit = aim.elements.some(({ what }) => what === 'logLik' || what === 'deviance')

  function readClasses(y: number): void {
    let largest = 0
    for (let c = 0; c < classes; c++) largest = Math.max(largest, means[c])
    let total = math.exp(-largest)
    const chosen = y === 0 ? 0 : means[y - 1]
    for (let c = 0; c < classes; c++) {
      means[c] = math.exp(means[c] - largest)
      total += means[c]
    }
    reader.fit = chosen - largest - math.log(total)
    for (let c = 0; c < classes; c++) means[c] /= total
    for (let c = 0; c < classes; c++) {
      residuals[c] = (y === c + 1 ? 1 : 0) - means[c]
      for (let d = 0; d < classes; d++) curvatures[c * classes + d] = means[c] * ((c === d ? 1 : 0) - means[d])
    }
  }
  return reader
}

function softplus(x: number): number {
  return x > 0 ? x + math.log1p(math.exp(-x)) : math.log1p(math.exp(x))
}

function logFactorial(y: number): number {
  let total = 0
  for (let k = 2; k <= y; k++) total += math.log(k)
  return total
}
