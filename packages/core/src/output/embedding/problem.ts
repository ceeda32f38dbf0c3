import type { CodedVariable } from './records/coded-records.js'

/** What the embedded data are made from, and nothing else: variables and what is publicly known of each. */
export interface Problem {
  readonly variables: readonly CodedVariable[]
  /** Public probability of each code, by variable. */
  readonly start: readonly Float64Array[]
  readonly rows: number
}
