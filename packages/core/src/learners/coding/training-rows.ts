import { sampleWithoutReplacement } from '../../random/sampling.js'
import { selectRows, type Table } from '../../table/table.js'
import type { Classes, FitContext, Numbers, Response } from '../learner.js'

export interface Training<R extends Response> {
  readonly features: Table
  readonly response: R
  readonly weights: Float64Array | null
}

/** The rows that count: those of weight 0 are as if they were not there. */
export function trainingRows<R extends Response>(
  features: Table,
  response: R,
  weights: Float64Array | null,
): Training<R> {
  const rows = responseLength(response)
  if (weights === null || weights.every((weight) => weight > 0)) {
    if (rows === 0) throw new Error('no rows to learn from')
    return { features, response, weights }
  }
  const kept = Array.from(weights.keys()).filter((row) => weights[row] > 0)
  if (kept.length === 0) throw new Error('no rows of positive weight to learn from')
  return {
    features: selectRows(features, kept),
    response: takeResponse(response, kept),
    weights: Float64Array.from(kept, (row) => weights[row]),
  }
}

/** At most so many of the rows that count, drawn at random. */
export function drawnTrainingRows<R extends Response>(
  data: Table,
  wanted: R,
  most: number,
  { weights: all, random }: Pick<FitContext, 'weights' | 'random'>,
): Training<R> {
  const training = trainingRows(data, wanted, all)
  if (training.features.rows <= most) return training
  const { features, response, weights } = training
  const rows = sampleWithoutReplacement(random('rows'), features.rows, most)
  return {
    features: selectRows(features, rows),
    response: takeResponse(response, [...rows]),
    weights: weights === null ? null : Float64Array.from(rows, (row) => weights[row]),
  }
}

function responseLength(response: Response): number {
  return response.kind === 'classes' ? response.codes.length : response.values.length
}

function takeResponse<R extends Response>(response: R, rows: readonly number[]): R {
  const taken: Classes | Numbers = response
  return taken.kind === 'classes'
    ? { ...response, codes: Int32Array.from(rows, (row) => taken.codes[row]) }
    : { ...response, values: Float64Array.from(rows, (row) => taken.values[row]) }
}

/** Codes of the classes that occur, ascending. */
export function presentClasses({ codes, levels }: Classes): Int32Array {
  const isPresent = new Uint8Array(levels.length)
  for (let row = 0; row < codes.length; row++) isPresent[codes[row]] = 1
  return Int32Array.from(isPresent.keys()).filter((code) => isPresent[code] === 1)
}

export function requireClasses(learner: string, response: Response): Classes {
  if (response.kind !== 'classes') throw new Error(`${learner} predicts classes, not numbers`)
  return response
}

export function requireNumbers(learner: string, response: Response): Numbers {
  if (response.kind !== 'numbers') throw new Error(`${learner} predicts numbers, not classes`)
  return response
}
