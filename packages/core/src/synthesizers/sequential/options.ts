import { z } from 'zod'
import { choice, flag, nameList, real, whole } from '../../option-kinds.js'
import { METHOD_NAMES } from '../methods/methods.js'
import { SMOOTHINGS } from '../methods/smoothing.js'

const valueList = z.record(z.string(), z.array(z.number()).readonly())
const rule = z.object({
  when: z.string().describe('condition on variables made before'),
  value: z.union([z.string(), z.number(), z.null()]).describe('the value then; null for missing'),
})

const SEQUENTIAL_OPTIONS = {
  visitSequence: z
    .array(z.string())
    .readonly()
    .nullable()
    .default(null)
    .describe('variables in the order of synthesis, others are left out; null for all, in the order of the columns'),
  predictors: z
    .record(z.string(), z.array(z.string()).readonly())
    .default({})
    .describe('by variable: which of the variables made before predict it; all of them if not given'),
  rules: z
    .record(z.string(), z.union([rule, z.array(rule).readonly()]))
    .default({})
    .describe('by variable: {"when": "age < 18", "value": "SINGLE"}, or a list of which the last that holds counts'),
  contNa: valueList.default({}).describe('by numeric variable: numbers that are codes, such as -8 for a refusal'),
  semicont: valueList.default({}).describe('by numeric variable: numbers that very many have, such as 0'),
  numToCat: nameList().describe(
    'numeric variables that are made as quantile groups; the number is drawn within the group',
  ),
  catGroups: z
    .union([z.number().int().min(2), z.record(z.string(), z.number().int().min(2))])
    .default(5)
    .describe('groups of numToCat, for all or by variable (5 where none is named)'),
  strata: nameList().describe(
    'variables by whose values the records are split; each stratum is learned and made by itself',
  ),
  smoothing: z
    .union([z.enum(SMOOTHINGS), z.record(z.string(), z.enum(SMOOTHINGS))])
    .default('none')
    .describe('of numbers after the draw, for all or by variable: none, density, rmean or spline'),
  proper: flag(false).describe(
    'learn anew for every synthesis from a bootstrap of the records, or with drawn parameters',
  ),
  minNumLevels: whole(1, { min: 0 }).describe('numbers with at most so many different values are made as levels'),
  maxFacLevels: whole(60, { min: 1 }).describe('most levels of a categorical variable that predicts or is predicted'),
  minbucket: whole(5, { min: 1 }).describe('fewest donors in a leaf; nodes of 3 times as many are split'),
  cp: real(1e-8, { min: 0 }).describe('a split must lessen the risk by this share of that of the root'),
  collapse: choice(['risk', 'gain'], 'risk').describe(
    'levels: splits that change no prediction are undone (risk, as rpart) or kept (gain)',
  ),
  mincriterion: real(0.9, { min: 0, max: 1 }).describe(
    'ctree: 1 - p, corrected for the number of predictors, must exceed this for a split',
  ),
  trees: whole(10, { min: 1 }).describe('trees of the methods rf and bag'),
}

/** The options of sequential synthesis with this method where none is named. */
export function sequentialOptions(method: string) {
  return z.object({
    method: z
      .union([z.string(), z.record(z.string(), z.string())])
      .default(method)
      .describe(
        `how a variable is made, for all or by variable (${method} where none is named): ${METHOD_NAMES.join(', ')}, nested.VARIABLE`,
      ),
    ...SEQUENTIAL_OPTIONS,
  })
}

export type SequentialOptions = z.output<ReturnType<typeof sequentialOptions>>
