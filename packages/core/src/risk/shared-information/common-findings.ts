import { z } from 'zod'
import { NotApplicable, unknownName } from '../../errors.js'
import type { Context, Subject } from '../../measure.js'
import { remember, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type BitsInCommon, bitsInCommon } from './bits-in-common.js'

/** How records are compared, in one place for the measures of bulk and tail. */
export const bitsOptions = {
  variables: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe('columns to compare; all that original and release share when not given'),
  sample: z
    .number()
    .int()
    .min(100)
    .default(2500)
    .describe('how many original records are looked at when there are more than 20,000; they are compared with all'),
}

export type BitsOptions = { readonly [name in keyof typeof bitsOptions]: z.output<(typeof bitsOptions)[name]> }

/** What a category that differs is charged, in bits: none sees partial copies best, more sees near-copies better. */
const CHARGES = [0, 1, 4]

/** Computed once for all measures that look at it. */
export function bitsOf({ release, part }: Subject, options: BitsOptions, context: Context): Promise<BitsInCommon> {
  const variables = [...new Set(options.variables ?? release.variables)]
  const released = tableOfPart(release, part)
  if (variables.length === 0) throw new NotApplicable('there is no column to compare records by')
  if (release.original.rows < 2) throw new NotApplicable('one original record alone has no others to compare with')
  const key = JSON.stringify([part, variables, options.sample, context.seed])
  return remember(release, `bits in common ${key}`, () =>
    bitsInCommon(
      {
        original: release.original,
        released,
        variables,
        charges: CHARGES,
        sample: options.sample,
        seed: context.seed,
      },
      context,
    ),
  )
}

export function bitsProblems({ variables }: Release, chosen: BitsOptions): readonly string[] {
  return (chosen.variables ?? [])
    .filter((name) => !variables.includes(name))
    .map((name) => unknownName('column', name, variables))
}
