import { NotApplicable, UserError } from '../../../errors.js'
import type { Model } from '../../../learners/learner.js'
import { valuesAt } from '../../../learners/predictions.js'
import { findColumn, type Table } from '../../../table/table.js'
import type { Scored } from './attack.js'
import type { People, Scene } from './scene.js'

/**
 * An attack that was made elsewhere: a file with one row for each record of the original, in its order. For numbers the
 * column `prediction`; for classes a column for each class with its probability, or `prediction` with the class itself.
 */
export function scoreFromFile(scene: Scene, file: Table, { rows, weights, truth }: People): Scored {
  const { original } = scene.release
  if (file.rows !== original.rows)
    throw new UserError(
      `${file.name} has predictions for ${file.rows} records, and ${original.name} has ${original.rows}: one row each, in the same order`,
    )
  if (truth instanceof Float64Array) {
    const predicted = predictedNumbers(file)
    return { rows, weights, predictions: { kind: 'numbers', truth, predicted: valuesAt(predicted, rows) } }
  }
  const { levels, shares } = scene
  const all = classProbabilities(file, levels)
  const probabilities = new Float64Array(rows.length * levels.length)
  rows.forEach((row, k) => {
    probabilities.set(all.subarray(row * levels.length, (row + 1) * levels.length), k * levels.length)
  })
  return { rows, weights, predictions: { kind: 'classes', levels, truth, probabilities, shares } }
}

const PREDICTION = 'prediction'

/** The column of predicted numbers. */
export function predictedNumbers(file: Table): Float64Array {
  const column = findColumn(file, PREDICTION)
  if (column === undefined || column.kind === 'categorical')
    throw new UserError(`${file.name} needs the column "${PREDICTION}" with a number in each row`)
  if (column.values.some((value) => !Number.isFinite(value)))
    throw new UserError(`${file.name}: "${PREDICTION}" has rows without a number`)
  return column.values
}

/** Rows x levels; each row sums to 1. */
export function classProbabilities(file: Table, levels: readonly string[]): Float64Array {
  const probabilities = new Float64Array(file.rows * levels.length)
  const guessed = findColumn(file, PREDICTION)
  const columns = levels.map((level) => findColumn(file, level))
  if (guessed !== undefined && columns.every((column) => column === undefined)) {
    for (let row = 0; row < file.rows; row++) {
      const said = guessed.kind === 'categorical' ? guessed.levels[guessed.codes[row]] : String(guessed.values[row])
      const code = levels.indexOf(said)
      if (code < 0) throw new UserError(`${file.name}, row ${row + 1}: "${said}" is none of ${levels.join(', ')}`)
      probabilities[row * levels.length + code] = 1
    }
    return probabilities
  }
  for (const [code, column] of columns.entries()) {
    if (column === undefined || column.kind === 'categorical')
      throw new UserError(
        `${file.name} needs a column of probabilities for each class, ${levels.join(', ')}, or "${PREDICTION}" with the class`,
      )
    for (let row = 0; row < file.rows; row++) probabilities[row * levels.length + code] = column.values[row]
  }
  for (let row = 0; row < file.rows; row++) {
    const own = probabilities.subarray(row * levels.length, (row + 1) * levels.length)
    const total = own.reduce((sum, p) => sum + p, 0)
    if (!(total > 0) || own.some((p) => !(p >= 0)))
      throw new UserError(`${file.name}, row ${row + 1}: probabilities must be 0 or more, and one of them above 0`)
    for (let code = 0; code < own.length; code++) own[code] /= total
  }
  return probabilities
}

const cannot = async (): Promise<never> => {
  throw new NotApplicable('the predictions came from a file: their attacker cannot be asked about anything else')
}

export const NO_MODEL: Model = { predict: cannot, predictProbabilities: cannot, importance: [], notes: [] }
