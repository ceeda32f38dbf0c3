import type { Assessment } from '../assess/assessment.js'
import type { Level } from '../assess/judge.js'
import type { UsefulnessLevel } from '../assess/usefulness.js'
import type { Driver } from '../evidence/drivers.js'
import type { Threat } from '../evidence/threats.js'
import type { Reason } from '../reason.js'
import type { Alpha, RecordAgreement } from './agreement.js'
import type { Anchor } from './anchors.js'
import type { FrontLabel } from './dominance.js'

/** The risk-utility map as plain values, from which every display is made. */
export interface Comparison {
  readonly schemaVersion: 2
  readonly seed: number
  readonly draws: number
  /** Smaller differences than this are none when candidates are ordered. */
  readonly epsilon: number
  readonly original: { readonly name: string; readonly records: number }
  readonly holdout: { readonly name: string; readonly records: number } | null
  readonly keys: readonly string[]
  readonly numericKeys: readonly string[]
  readonly targets: readonly string[]
  readonly anchors: Anchors
  readonly candidates: readonly Candidate[]
  /** P(row dominates column), over the candidates that are on the map. */
  readonly dominance: {
    readonly names: readonly string[]
    readonly probabilities: readonly (readonly number[])[]
  }
  readonly agreement: Agreement
  /** The whole assessment of each candidate, alone. */
  readonly assessments: readonly Assessment[]
}

export type Anchors = readonly Anchor[]

/** A place on a scale from 0 to 1 with its 95 % interval. */
export interface Placed {
  readonly value: number
  readonly lower: number
  readonly upper: number
}

export interface Candidate {
  readonly name: string
  readonly level: Level
  readonly recommendation: string
  readonly sentence: string
  readonly likeness: string | null
  /** R, and the threat that it is the leakage of. */
  readonly risk: (Placed & { readonly threat: Threat; readonly target: string | null }) | null
  readonly utility: (Placed & { readonly level: UsefulnessLevel }) | null
  /** Of the threat that R is the leakage of. */
  readonly exposure: number | null
  readonly scores: readonly Score[]
  /** Threats that were not assessed and measures that failed. */
  readonly incomplete: readonly string[]
  /** Whether threats flag the same people. */
  readonly agreement: readonly RecordAgreement[]
  readonly drivers: readonly (Driver & { readonly threat: Threat })[]
  /** Null unless asked for. */
  readonly exposed: readonly ExposedRecord[] | null
  /** Null for a single candidate, and for one that is not on the map. */
  readonly front: {
    readonly probability: number
    readonly label: FrontLabel
    /** The same over every threat and measure at once, which no weighting can change. */
    readonly inEveryMeasure: number
  } | null
}

/** One threat's leakage, or one measure's place; not cut off. */
export interface Score {
  readonly block: 'risk' | 'relations' | 'columns'
  readonly id: string
  readonly target: string | null
  readonly place: Placed | null
  readonly significant: boolean | null
  readonly level: Level | null
  /** Why there is no place. */
  readonly reason: Reason | null
}

export interface ExposedRecord {
  /** From 1, as in the file of the original. */
  readonly row: number
  readonly keys: readonly string[]
  /** What each threat adds about the person, and the share of people about whom it adds less. */
  readonly by: readonly { readonly threat: Threat; readonly added: number; readonly percentile: number }[]
}

export type Agreement =
  | { readonly measures: null; readonly reason: string }
  | {
      readonly measures: readonly string[]
      readonly spearman: readonly (readonly (number | null)[])[]
      readonly alpha: { readonly risk: Alpha | null; readonly utility: Alpha | null }
    }
