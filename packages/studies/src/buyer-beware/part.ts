import { type Chart, mean, standardDeviation } from '@scrim/core'
import { besideKnown, type Check, type Comparison, type Known } from '../comparison.js'

/** What a step of the study finds: figures beside known ones, figures that nobody has published, and what holds of them. */
export interface Part {
  readonly tables: readonly BuyerBewareTable[]
  readonly figures: readonly FigureTable[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface BuyerBewareTable {
  readonly name: 'copies' | 'posterior' | 'measures' | 'coding' | 'hyperparameters' | 'sd2011' | 'sd2011-minbucket'
  readonly title: string
  readonly rows: readonly Comparison[]
}

/** A table of figures that have nothing published to stand beside; null where a figure does not exist. */
export interface FigureTable {
  readonly name: string
  readonly title: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export interface BuyerBewareDesign {
  readonly seed: number
  /** Simulated releases per setting. */
  readonly releases: number
  /** Syntheses for the number of copies. */
  readonly syntheses: number
  /** Syntheses of SD2011 per setting. */
  readonly sets: number
  /** Syntheses of the 16 cells per setting, for utility, novelty, repU and DiSCO. */
  readonly settingSets: number
  /** Random permutations of the target, for the self-tests. */
  readonly permutations: number
}

export function compare(
  setting: string,
  figure: string,
  values: readonly number[],
  known: Known,
  tolerance: number | null,
): Comparison {
  const found = {
    setting,
    figure,
    files: values.length,
    observed: mean(values) ?? 0,
    sd: standardDeviation(values),
  }
  return besideKnown(found, known, tolerance)
}

/** The cell 1111. */
export const TRUTH = 15
