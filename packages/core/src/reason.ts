import { z } from 'zod'

/** What a measure may need besides original and release. */
export const NEEDS = [
  'keys',
  'numeric keys',
  'target',
  'holdout',
  'population',
  'weight',
  'household',
  'paired rows',
  'generator',
  'rules',
] as const
export type Need = (typeof NEEDS)[number]

const words = z
  .string()
  .optional()
  .describe('the same in words: made where a reason is written to a file, never read back')

/**
 * Why something was not tested or has no number. Who decides anything on a reason asks its code; its words are made in
 * `report/findings/reasons.ts`, and do not name the measure: whoever prints them does.
 */
export const reasonSchema = z
  .discriminatedUnion('code', [
    z
      .object({ code: z.literal('needs'), needs: z.array(z.enum(NEEDS)), text: words })
      .describe('it was not given these'),
    z.object({ code: z.literal('no-outsiders'), text: words }).describe('people outside the release are not known'),
    z
      .object({ code: z.literal('used-holdout'), nearer: z.number(), expected: z.number(), text: words })
      .describe('the holdout is nearer to the release than chance allows: it was used to make it'),
    z
      .object({
        code: z.literal('nothing-matches'),
        role: z.enum(['key', 'target']),
        column: z.string(),
        original: z.string(),
        released: z.string(),
        text: words,
      })
      .describe('a column has no value in common in original and release'),
    z
      .object({
        code: z.literal('incomplete'),
        file: z.string(),
        complete: z.number().int(),
        records: z.number().int(),
        text: words,
      })
      .describe('most records of a file had to be left out'),
    z.object({ code: z.literal('no-fair-control'), text: words }),
    z
      .object({ code: z.literal('unknown-ceiling'), text: words })
      .describe('what the original itself would give is not known'),
    z
      .object({ code: z.literal('no-scale'), text: words })
      .describe('even the original itself gives away no more than other people do'),
    z
      .object({ code: z.literal('no-length'), text: words })
      .describe('the two ends of its scale are the same on these data'),
    z.object({ code: z.literal('too-few'), text: words }).describe('too few records to find out the original itself'),
    z
      .object({ code: z.literal('nothing-to-tell'), atMost: z.number(), text: words })
      .describe('even the original itself would tell no more than this share of people apart'),
    z.object({ code: z.literal('nothing-compared'), text: words }),
    z
      .object({ code: z.literal('unexplained-columns'), file: z.string(), columns: z.array(z.string()), text: words })
      .describe('the release has texts in which anything about people could be hidden'),
    z
      .object({ code: z.literal('columns-left-out'), columns: z.array(z.string()), text: words })
      .describe('most columns had to be left out, since their types do not fit'),
    z
      .object({ code: z.literal('sample'), records: z.number().int(), of: z.number().int(), text: words })
      .describe('only a sample of the records was looked at, in which a record meets its copy by chance only'),
    z.object({ code: z.literal('not-run'), measure: z.string(), text: words }).describe('a measure was not asked for'),
    z.object({ code: z.literal('not-asked'), text: words }).describe('nobody asked about the threat'),
    z.object({ code: z.literal('no-decider'), text: words }).describe('no measure decides the threat'),
    z.object({ code: z.literal('failed'), message: z.string(), text: words }).describe('the measure broke'),
    z
      .object({ code: z.literal('data'), text: z.string() })
      .describe('a fact of these data, in the words of the measure'),
  ])
  .meta({ id: 'Reason' })

export type Reason = z.output<typeof reasonSchema>

/** A reason, or the words in which one measure alone says a fact of these data. */
export type Because = Reason | string
