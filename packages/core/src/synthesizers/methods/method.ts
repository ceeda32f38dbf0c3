import type { JsonObject } from '../../json.js'
import type { Stream } from '../../random/stream.js'
import { type Column, columnLength } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import type { FitHow, Streams } from '../synthesizer.js'
import type { Kernel } from './smoothing.js'

/**
 * How one variable is made from those before it. A method learns P(response | predictors) from original records and draws
 * from it for synthetic ones. Responses and predictors have no missing values here (see `coding.ts`).
 */
export interface VariableMethod {
  readonly id: string
  readonly title: string
  /** Why it cannot make such a response; undefined if it can. */
  problem(response: ResponseKind): string | undefined
  /** Whether it draws original numbers, so that smoothing has something to protect. */
  readonly drawsOriginals: boolean
  /** What proper synthesis does: learn from a bootstrap of the records, or draw the parameters of the model. */
  readonly proper: 'bootstrap' | 'parameters'
  /** Whether it looks for exactly the same predictors, so that it minds neither many levels nor twins. */
  readonly withinCells?: boolean
  /** All variables that this method makes, at once, so that they may be shared out to threads. */
  fit(jobs: readonly Job[], context: MethodContext): Promise<FittedVariable[]>
}

/** What a response looks like in the records to learn from. */
export interface ResponseKind {
  readonly kind: 'number' | 'levels'
  /** Levels that occur. */
  readonly levels: number
  readonly ordered: boolean
  /** Whether missing is one of the levels. */
  readonly missing: boolean
}

/** One thing to learn. Columns cover all original records and have no missing values. */
export interface Job {
  /** Of the random numbers. */
  readonly purpose: string
  readonly response: Column
  readonly predictors: readonly Column[]
  /** The records to learn from, perhaps some of them more than once; null for all. */
  readonly rows: Int32Array | null
}

export interface MethodContext {
  readonly options: MethodOptions
  readonly random: Streams
  readonly how: FitHow
}

export interface MethodOptions {
  readonly minbucket: number
  readonly cp: number
  readonly collapse: 'risk' | 'gain'
  readonly mincriterion: number
  readonly trees: number
  readonly proper: boolean
}

export interface FittedVariable {
  /** A number, or the code of a level, for each row of the predictors. */
  draw(predicting: Table, random: Stream): Float64Array
  /** Log probability of the values given the predictors; where a kernel is given, of the smoothed values. */
  logProb(predicting: Table, values: Float64Array, kernel: Kernel | null): Float64Array
  /** With `method`, what people call it. */
  describe(): JsonObject
}

/** A table of predictors, whatever their names. */
export function predictorTable(columns: readonly Column[], rows: number): Table {
  return { name: 'predictors', columns, rows }
}

/** Numbers, or codes as numbers. */
export function numbersOf(column: Column): Float64Array {
  return column.kind === 'categorical' ? new Float64Array(column.codes) : column.values
}

export function jobRows({ rows, response }: Job): number {
  return rows === null ? columnLength(response) : rows.length
}

/** What the records to learn from have as a response. */
export function trainingValues({ rows, response }: Job): Float64Array {
  const all = numbersOf(response)
  return rows === null ? all : numbersAt(all, rows)
}

/** Hot: what `Float64Array.from` does, without an object for each row. */
export function numbersAt(values: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) picked[k] = values[rows[k]]
  return picked
}
