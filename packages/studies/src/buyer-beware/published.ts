import { numeric, type Table, table, tableOf } from '@scrim/core'

/**
 * What Latner, Neunhoeffer and Drechsler (2025), "Buyer beware", print, and what their public files hold: 1000 records of
 * four binary variables, of which the last is the only 1111, and ten syntheses of them by synthpop's default.
 */
export const VARIABLES = ['var1', 'var2', 'var3', 'var4'] as const

/** Records in the cells 0000 to 1111 (Table A.1, original). */
export const ORIGINAL_CELLS = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1] as const

/** The ten syntheses of Table A.1, by set. */
export const SYNTHETIC_CELLS = [
  [68, 60, 77, 70, 73, 60, 58, 72, 77, 69, 50, 61, 79, 65, 60, 1],
  [66, 53, 71, 51, 63, 77, 68, 91, 84, 66, 54, 59, 77, 52, 68, 0],
  [71, 57, 73, 56, 80, 49, 66, 86, 80, 57, 57, 77, 76, 54, 60, 1],
  [73, 56, 71, 68, 54, 66, 61, 81, 73, 68, 51, 71, 83, 57, 64, 3],
  [76, 58, 71, 63, 61, 52, 69, 80, 70, 73, 47, 66, 78, 66, 68, 2],
  [62, 60, 84, 55, 79, 90, 56, 77, 81, 56, 50, 69, 66, 67, 47, 1],
  [72, 67, 65, 74, 65, 52, 67, 82, 82, 68, 39, 75, 65, 59, 65, 3],
  [52, 67, 70, 57, 73, 53, 65, 77, 65, 75, 62, 69, 88, 65, 62, 0],
  [64, 57, 77, 68, 66, 65, 64, 75, 76, 78, 58, 68, 70, 49, 64, 1],
  [67, 67, 74, 52, 71, 71, 53, 72, 73, 55, 54, 81, 89, 60, 60, 1],
] as const

/** Of 100 syntheses so many have 0, 1, 2, 3 copies of the unique record (footnote to Table A.1). */
export const COPIES_IN_100 = [41, 38, 14, 7] as const

/** DiSCO of the ten sets in percent, keys var1 to var3, target var4 (Table A.2). */
export const DISCO = [0, 6.6, 0, 0, 0, 0, 0, 6.6, 0, 0] as const
export const DISCO_CONSTANT = { zero: 54.7, one: 45.3 } as const

/** Exact posteriors of 1111 after each of the ten sets (computed apart, in R). */
export const EXACT_POSTERIORS = [1, 0.023959, 1, 1, 1, 1, 1, 0.023796, 1, 1] as const

/** Computed apart, in R with rpart, not published. By setting: leaves of the trees of var2 to var4, expected copies of 1111, total variation of the model, mean posterior. */
export interface HyperparameterFact {
  readonly minbucket: number
  readonly cp: number
  readonly leaves: readonly number[]
  readonly expected: number
  readonly totalVariation: number | null
  readonly meanPosterior: number | null
}

/** synthpop's defaults. */
export const CP = 1e-8
export const MINBUCKET = 5

export const HYPERPARAMETERS: readonly HyperparameterFact[] = [
  { minbucket: 1, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: 0.64 },
  { minbucket: 5, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: 0.64 },
  { minbucket: 10, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: null },
  { minbucket: 25, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: null },
  { minbucket: 50, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: null },
  { minbucket: 67, cp: CP, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: 0.74 },
  { minbucket: 68, cp: CP, leaves: [2, 4, 7], expected: 19.803, totalVariation: 0.0376, meanPosterior: 0.064 },
  { minbucket: 75, cp: CP, leaves: [2, 4, 7], expected: 19.803, totalVariation: 0.0376, meanPosterior: 0.064 },
  { minbucket: 100, cp: CP, leaves: [2, 4, 4], expected: 19.803, totalVariation: 0.0636, meanPosterior: 0.064 },
  { minbucket: 200, cp: CP, leaves: [2, 2, 2], expected: 34.545, totalVariation: 0.0781, meanPosterior: 0.063 },
  { minbucket: MINBUCKET, cp: 1e-4, leaves: [2, 4, 8], expected: 1, totalVariation: 0, meanPosterior: null },
  { minbucket: MINBUCKET, cp: 0.001, leaves: [2, 3, 7], expected: 1, totalVariation: null, meanPosterior: null },
  { minbucket: MINBUCKET, cp: 0.005, leaves: [1, 3, 4], expected: 1.072, totalVariation: null, meanPosterior: null },
  { minbucket: MINBUCKET, cp: 0.01, leaves: [1, 2, 4], expected: 1.333, totalVariation: 0.0579, meanPosterior: 0.736 },
  { minbucket: MINBUCKET, cp: 0.02, leaves: [1, 1, 1], expected: 45.937, totalVariation: null, meanPosterior: 1 },
  {
    minbucket: MINBUCKET,
    cp: 0.05,
    leaves: [1, 1, 1],
    expected: 45.937,
    totalVariation: 0.0865,
    meanPosterior: 0.0627,
  },
]

/** SD2011: sex, age, region, placesize, target depress (Table A.3; percent). */
export const SD2011 = {
  keys: ['sex', 'age', 'region', 'placesize'],
  target: 'depress',
  uniqueInOriginal: 48.38,
  dorig: 53.3,
  repU: 14.52,
  disco: 9.58,
  constant: 14.73,
} as const

/** By minbucket: distinct keys, percent of them not in the original, repU, DiSCO (the authors' files, five sets each); percent of records whose key the original has (computed apart, in R). */
export const SD2011_MINBUCKET = [
  { minbucket: 1, knownRecords: 88.9, distinct: 2672, novel: 17.1, repU: 16.1, disco: 31.8 },
  { minbucket: 5, knownRecords: 74.3, distinct: 2936, novel: 34.4, repU: 14.0, disco: 9.1 },
  { minbucket: 20, knownRecords: 64.4, distinct: 3143, novel: 43.9, repU: 13.2, disco: 5.8 },
  { minbucket: 100, knownRecords: 54.1, distinct: 3395, novel: 52.4, repU: 12.8, disco: 5.2 },
  { minbucket: 200, knownRecords: 47.9, distinct: 3555, novel: 59.2, repU: 11.6, disco: 4.7 },
] as const

/** Records in the cells 0000 to 1111, coded as numbers or as levels. */
export function cellTable(name: string, counts: readonly number[], coding: 'numbers' | 'levels' = 'numbers'): Table {
  const bit = (k: number) => counts.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> k) & 1))
  if (coding === 'numbers')
    return table(
      name,
      VARIABLES.map((variable, j) => numeric(variable, bit(3 - j))),
    )
  return tableOf(name, Object.fromEntries(VARIABLES.map((variable, j) => [variable, bit(3 - j).map(String)])))
}

/** The file of the paper: 1000 records, of which the last alone is 1111. */
export function buyerBewareRecords(): Table {
  return cellTable('buyer-beware', ORIGINAL_CELLS)
}
