import { z } from 'zod'
import { flag } from '../../option-kinds.js'

/**
 * What a researcher asks to take out of a protected environment: models, tables, summaries and correlations, each described
 * so that it can be computed again (on all records, on a part of them, on other data) and not only as the numbers it has. The
 * numbers may be given beside the description; they are then checked to the printed digit.
 */
export const OUTPUT_KINDS = ['regression', 'table', 'summary', 'correlation'] as const
const VARIABLE_TYPES = ['categorical', 'integer', 'numeric'] as const
export const REGRESSION_FAMILIES = ['linear', 'logistic', 'poisson', 'multinomial'] as const
const REGRESSION_STATISTICS = ['estimate', 'se', 'ratio', 'n', 'logLik', 'deviance', 'r2', 'sigma'] as const
const TABLE_STATISTICS = ['count', 'percentage', 'mean', 'sum', 'sd', 'median', 'min', 'max'] as const
const SUMMARY_STATISTICS = [
  'n',
  'mean',
  'sd',
  'variance',
  'sum',
  'median',
  'q1',
  'q3',
  'p1',
  'p5',
  'p10',
  'p90',
  'p95',
  'p99',
  'min',
  'max',
] as const
const CORRELATION_METHODS = ['pearson', 'spearman'] as const

export type TableStatistic = (typeof TABLE_STATISTICS)[number]

const text = z.string({ error: 'a text' }).min(1, { error: 'a text that is not empty' })
const names = z.array(text, { error: 'a list of variables' })
const level = z
  .union([text, z.number()], { error: 'a level, as a text or a number' })
  .transform(String)
  .describe('a level of a variable; a number stands for its text')
const count = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number, 0 or more' })
const place = count.max(15, { error: 'a number of decimals from 0 to 15' })
const decimals = z
  .union([place, z.record(z.string(), place)], { error: 'a number of decimals, or one per statistic' })
  .optional()
  .describe('printed decimals, of all statistics or by statistic; else those of the values, else what is usual')
const cell = z
  .record(z.string(), level, { error: 'an object such as { "SEX": "1" }' })
  .describe('variables and their levels; a variable that is not named is summed over')

export const variableSchema = z.strictObject(
  {
    name: text,
    type: z.enum(VARIABLE_TYPES, { error: `one of ${VARIABLE_TYPES.join(', ')}` }),
    levels: z.array(level, { error: 'a list of levels' }).optional().describe('of a categorical variable, in order'),
    min: z.number({ error: 'a number' }).optional().describe('smallest value that is publicly possible'),
    max: z.number({ error: 'a number' }).optional().describe('largest value that is publicly possible'),
    decimals: place.optional().describe('decimals of the values themselves'),
  },
  { error: 'an object with name and type' },
)

const shared = {
  id: text.describe('what the output is called; each once'),
  title: text.optional(),
  weights: text.nullable().default(null).describe('variable with survey weights'),
  filter: text.nullable().default(null).describe("records it is about, such as age >= 16 & sex == '1'"),
  decimals,
}

const term = z.union(
  [
    z.strictObject({
      var: text,
      as: z.enum(['numeric', 'factor']).optional().describe('default: as the variable is'),
      reference: level.optional().describe('level without a coefficient; default: the first one'),
    }),
    z.strictObject({ interaction: names.min(2) }),
  ],
  { error: 'a term such as { "var": "AGE" } or { "interaction": ["SEX", "AREA"] }' },
)

export const regressionSchema = z.strictObject({
  ...shared,
  kind: z.literal('regression'),
  family: z.enum(REGRESSION_FAMILIES, { error: `one of ${REGRESSION_FAMILIES.join(', ')}` }),
  response: text,
  event: level.optional().describe('level of the response that counts as 1 (logistic); default: the last one'),
  baseline: level
    .optional()
    .describe('level of the response without coefficients (multinomial); default: the first one'),
  terms: z.array(term, { error: 'a list of terms' }),
  intercept: z.boolean({ error: 'true or false' }).default(true),
  report: z
    .array(z.enum(REGRESSION_STATISTICS, { error: `one of ${REGRESSION_STATISTICS.join(', ')}` }))
    .default(['estimate'])
    .describe(
      'what is to be released; ratio is exp(estimate), the others than estimate, se and ratio are of the model',
    ),
  values: z
    .array(z.object({ term: text, level: level.optional() }).catchall(z.number({ error: 'a number' })))
    .optional()
    .describe(
      'printed numbers: a term ("AGE", "AREA=58", "SEX=2:AREA=58", "(Intercept)", or "(model)") and its statistics',
    ),
})

export const tableSchema = z.strictObject({
  ...shared,
  kind: z.literal('table'),
  by: names.min(1, { error: 'at least one variable' }),
  statistic: z.enum(TABLE_STATISTICS, { error: `one of ${TABLE_STATISTICS.join(', ')}` }).default('count'),
  var: text.optional().describe('variable that a mean, sum, ... is of'),
  within: names
    .default([])
    .describe('variables within whose levels percentages add up to 100; default: of all records'),
  totals: flag(false).describe('whether sums over each variable are printed too'),
  rounding: z
    .strictObject({ base: count.min(2, { error: 'a whole number, 2 or more' }) })
    .optional()
    .describe('counts are rounded to multiples of base'),
  suppressed: z.array(cell).default([]).describe('cells that are not printed'),
  values: z
    .array(z.strictObject({ cell, value: z.number({ error: 'a number' }) }))
    .optional()
    .describe('printed numbers by cell'),
})

export const summarySchema = z.strictObject({
  ...shared,
  kind: z.literal('summary'),
  var: text,
  by: names.default([]),
  statistics: z
    .array(z.enum(SUMMARY_STATISTICS, { error: `one of ${SUMMARY_STATISTICS.join(', ')}` }))
    .min(1, { error: 'at least one statistic' }),
  values: z
    .array(z.object({ group: cell.optional() }).catchall(z.number({ error: 'a number' })))
    .optional()
    .describe('printed numbers: a group and its statistics'),
})

export const correlationSchema = z.strictObject({
  ...shared,
  kind: z.literal('correlation'),
  vars: names.min(2, { error: 'at least two variables' }),
  method: z.enum(CORRELATION_METHODS, { error: `one of ${CORRELATION_METHODS.join(', ')}` }).default('pearson'),
  values: z
    .array(z.strictObject({ pair: z.tuple([text, text]), value: z.number({ error: 'a number' }) }))
    .optional()
    .describe('printed numbers by pair of variables'),
})

export const outputSchema = z.discriminatedUnion(
  'kind',
  [regressionSchema, tableSchema, summarySchema, correlationSchema],
  { error: `one of ${OUTPUT_KINDS.join(', ')}` },
)

/** What an outsider is assumed to know besides the outputs. */
const knowledge = z
  .union([z.enum(['none', 'marginals']), z.array(tableSchema)], {
    error: 'none, marginals, or a list of tables of counts',
  })
  .default('marginals')
  .describe(
    'what is public: none (levels and ranges only), marginals (each variable alone), or tables that were published elsewhere',
  )

export const requestSchema = z
  .strictObject(
    {
      $schema: z.string().optional(),
      title: text.optional(),
      variables: z
        .array(variableSchema, { error: 'a list of variables' })
        .default([])
        .describe('types, levels and ranges; what is not named here is taken from the data'),
      n: count.optional().describe('number of records'),
      knowledge,
      outputs: z
        .array(outputSchema, { error: 'a list of outputs' })
        .min(1, { error: 'at least one output' })
        .describe('what is to be released, all together'),
    },
    { error: 'one object with outputs' },
  )
  .describe('Outputs that a researcher asks to release, for scrim outputs check')

export type RequestVariable = z.output<typeof variableSchema>
export type RegressionOutput = z.output<typeof regressionSchema>
export type RegressionTerm = RegressionOutput['terms'][number]
export type TableOutput = z.output<typeof tableSchema>
export type SummaryOutput = z.output<typeof summarySchema>
export type CorrelationOutput = z.output<typeof correlationSchema>
export type Output = z.output<typeof outputSchema>
export type OutputRequest = z.output<typeof requestSchema>
export type Cell = Readonly<Record<string, string>>

/** Variables that an output looks at, each once, in the order in which it names them; those of the filter are not among them. */
export function variablesOf(output: Output): string[] {
  const weights = output.weights === null ? [] : [output.weights]
  return [...new Set([...ownVariables(output), ...weights])]
}

function ownVariables(output: Output): string[] {
  switch (output.kind) {
    case 'regression':
      return [output.response, ...output.terms.flatMap((one) => ('var' in one ? [one.var] : one.interaction))]
    case 'table':
      return [...output.by, ...(output.var === undefined ? [] : [output.var])]
    case 'summary':
      return [...output.by, output.var]
    case 'correlation':
      return output.vars
  }
}

/** "SEX=1, TENURE=0" in the order of `by`; "total" for a cell that names none of them. */
export function cellName(by: readonly string[], cell: Cell): string {
  const parts = by.filter((name) => cell[name] !== undefined).map((name) => `${name}=${cell[name]}`)
  return parts.length === 0 ? 'total' : parts.join(', ')
}

const USUAL_DECIMALS: Readonly<Record<string, number>> = { count: 0, n: 0, percentage: 1, estimate: 4, se: 4, ratio: 4 }
const OTHERWISE = 2

/** Printed decimals of a statistic: as said, else the most that its given values have, else what is usual. */
export function decimalsOf(output: Output, statistic: string): number {
  if (statistic === 'n' || (statistic === 'count' && output.weights === null)) return 0
  const said = typeof output.decimals === 'number' ? output.decimals : output.decimals?.[statistic]
  if (said !== undefined) return said
  const printed = givenNumbers(output, statistic)
  return printed.length === 0
    ? (USUAL_DECIMALS[statistic] ?? OTHERWISE)
    : Math.max(...printed.map((value) => decimalsWritten(value)))
}

function givenNumbers(output: Output, statistic: string): number[] {
  return (output.values ?? []).flatMap((value) => {
    const number = 'value' in value ? value.value : Reflect.get(value, statistic)
    return typeof number === 'number' ? [number] : []
  })
}

/** Decimals of the shortest text that reads as this number. */
function decimalsWritten(value: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  const written = digits.split('.')[1]?.length ?? 0
  return Math.min(15, Math.max(0, written - Number(exponent)))
}
