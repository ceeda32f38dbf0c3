import {
  categorical,
  drawTruncatedNormal,
  math,
  numeric,
  type Stream,
  stream,
  type Table,
  table,
  UserError,
} from '@scrim/core'

/**
 * Census-like microdata with the variables and levels of the paper: 1991 census sample, seven areas, ten ethnic groups, five marital
 * states, sex, limiting long-term illness, age from 0 to 95, and tenure (1 = rents), which a logistic model with 23 coefficients
 * explains. Of the published coefficients the intercept 0.2498, area 58 (-0.3754) and age (0.0016) are those of the paper; the others,
 * and the distribution of the covariates, are our own choice of plausible ones, since the census file is not public.
 */
export interface CensusOptions {
  readonly n: number
  readonly seed: number
}

const AREAS = ['57', '58', '59', '60', '61', '62', '63']
const AREA_SHARES = [0.21, 0.17, 0.16, 0.14, 0.12, 0.11, 0.09]
const AREA_EFFECTS = [0, -0.3754, -0.1421, 0.2117, -0.5236, 0.3348, -0.2269]
const ETHNIC_GROUPS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']
const ETHNIC_SHARES = [0.9, 0.012, 0.007, 0.006, 0.023, 0.014, 0.008, 0.007, 0.009, 0.014]
const ETHNIC_EFFECTS = [0, 0.6213, 1.1032, 0.8347, -0.6418, -0.4126, 0.5924, 0.1136, 0.2457, 0.3615]
const MARITAL_STATES = ['1', '2', '3', '4', '5']
const MARITAL_EFFECTS = [0, -0.7523, -0.5018, 0.4206, 0.2031]
const INTERCEPT = 0.2498
const AGE_EFFECT = 0.0016
const SEX_EFFECT = 0.0734
const ILLNESS_EFFECT = -0.6127
const OLDEST = 95

export const CENSUS_VARIABLES = ['AGE', 'AREAP', 'ETHGROUP', 'LTILL', 'MSTATUS', 'SEX', 'TENURE'] as const

export function simulateCensus({ n, seed }: CensusOptions): Table {
  if (!Number.isInteger(n) || n < 2) throw new UserError(`n must be a whole number from 2 on, but it is ${n}`)
  const random = stream(seed, 'simulate-census')
  const age = new Float64Array(n)
  const codes = Array.from({ length: 6 }, () => new Int32Array(n))
  const [area, ethnic, illness, marital, sex, tenure] = codes
  for (let i = 0; i < n; i++) {
    area[i] = draw(random, AREA_SHARES)
    ethnic[i] = draw(random, ETHNIC_SHARES)
    age[i] = Math.round(drawTruncatedNormal(random, ethnic[i] === 0 ? 38 : 29, 23, 0, OLDEST))
    marital[i] = draw(random, maritalShares(age[i]))
    sex[i] = random.uniform() < 0.5 + 0.0015 * (age[i] - 40) ? 1 : 0
    // 1: ill, 2: not.
    illness[i] = random.uniform() < logistic(-3.6 + 0.045 * age[i]) ? 0 : 1
    const predictor =
      INTERCEPT +
      AGE_EFFECT * age[i] +
      AREA_EFFECTS[area[i]] +
      ETHNIC_EFFECTS[ethnic[i]] +
      MARITAL_EFFECTS[marital[i]] +
      (sex[i] === 1 ? SEX_EFFECT : 0) +
      (illness[i] === 1 ? ILLNESS_EFFECT : 0)
    tenure[i] = random.uniform() < logistic(predictor) ? 1 : 0
  }
  const category = (name: string, values: Int32Array, levels: readonly string[]) => ({
    ...categorical(name, [], { levels }),
    codes: values,
  })
  return table(`census (n = ${n})`, [
    numeric('AGE', age),
    category('AREAP', area, AREAS),
    category('ETHGROUP', ethnic, ETHNIC_GROUPS),
    category('LTILL', illness, ['1', '2']),
    category('MSTATUS', marital, MARITAL_STATES),
    category('SEX', sex, ['1', '2']),
    category('TENURE', tenure, ['0', '1']),
  ])
}

/** Single, married, remarried, divorced, widowed. */
function maritalShares(age: number): readonly number[] {
  if (age < 16) return [1, 0, 0, 0, 0]
  if (age < 30) return [0.62, 0.34, 0.01, 0.03, 0]
  if (age < 60) return [0.13, 0.66, 0.08, 0.1, 0.03]
  return [0.08, 0.52, 0.06, 0.05, 0.29]
}

function draw(random: Stream, shares: readonly number[]): number {
  let left = random.uniform()
  let code = 0
  while (code < shares.length - 1 && left >= shares[code]) left -= shares[code++]
  return code
}

function logistic(x: number): number {
  return 1 / (1 + math.exp(-x))
}
