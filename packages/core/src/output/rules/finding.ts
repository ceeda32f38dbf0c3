import { z } from 'zod'
import { elementSchema } from '../description/value.js'

/** Rules by which output checkers look at an output; each finding names the one that it is of. */
export const RULES = {
  threshold: 'fewer records than the least number',
  zeros: 'an empty cell reveals that nobody has it',
  full: 'everybody of a group has the same value',
  group: 'nearly everybody of a group has the same value',
  dominance: 'the largest contributors make nearly all of a total',
  'p-ratio': 'the second largest contributor can estimate the largest too well',
  largest: 'one contributor makes too much of a total',
  'all-same': 'all records of a cell have the same value',
  negative: 'contributions below 0: shares of a total have no meaning',
  missing: 'some contributors are missing',
  df: 'too few degrees of freedom',
  dummy: 'a term rests on too few records',
  saturated: 'the model is a table in disguise, with cells of too few records',
  perfect: 'the model fits without error',
  separation: 'a term separates the outcomes',
  extreme: 'the value of one person or of a few',
  suppression: 'a suppressed cell can be calculated from what is printed',
  differencing: 'the difference of two outputs is about too few records',
  bounds: 'tables together fix a small cell that none of them shows',
  update: 'a cell has changed by a few records since it was released',
} as const

export type Rule = keyof typeof RULES

/**
 * `refuse`: a person, or a few, can be identified by arithmetic. `fail`: the rule is broken; the checker asks for a change, or decides
 * with evidence that it does no harm. `review`: a person has to check.
 */
const STATUSES = ['refuse', 'fail', 'review'] as const
type FindingStatus = (typeof STATUSES)[number]

export const findingSchema = z.object({
  rule: z.enum(Object.keys(RULES) as [Rule, ...Rule[]]),
  status: z.enum(STATUSES).describe('somebody can be identified; the rule is broken; a person has to check'),
  output: z.string(),
  others: z.array(z.string()).describe('outputs that it takes besides'),
  earlier: z.boolean().describe('whether one of them was released before'),
  element: elementSchema,
  found: z.number().nullable(),
  limit: z.number().nullable(),
  sentence: z.string(),
})

export type Finding = Readonly<z.output<typeof findingSchema>>

export function finding(
  rule: Rule,
  status: FindingStatus,
  output: string,
  element: string,
  sentence: string,
  found: number | null = null,
  limit: number | null = null,
): Finding {
  return { rule, status, output, others: [], earlier: false, element, found, limit, sentence }
}

/** A number that is smaller than the appetite allows. */
export function below(
  rule: Rule,
  status: FindingStatus,
  output: string,
  element: string,
  what: string,
  value: number,
  least: number,
): Finding {
  return finding(rule, status, output, element, `${what}; minimum ${least}`, value, least)
}

/** A number that is larger than the appetite allows. */
export function above(rule: Rule, output: string, element: string, what: string, value: number, most: number): Finding {
  return finding(rule, 'fail', output, element, `${what}; the most is ${most}`, value, most)
}

/** A cell of one or two people names them. */
export const FEW = 2

/** What a number of records that is too small does: it names people, or it breaks a rule. */
export function smallStatus(records: number): FindingStatus {
  return records <= FEW ? 'refuse' : 'fail'
}

export function people(count: number): string {
  return count === 1 ? '1 record' : `${count} records`
}
