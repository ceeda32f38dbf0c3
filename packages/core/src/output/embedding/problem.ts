import type { CodedVariable } from './coded-records.js'
import type { Aim } from './ledger.js'

/** What the embedded data are made from, and nothing else: variables, what is publicly known of each, and the printed numbers. */
export interface Problem {
  readonly variables: readonly CodedVariable[]
  /** Public probability of each code, by variable. */
  readonly start: readonly Float64Array[]
  readonly rows: number
  readonly aims: readonly Aim[]
}
