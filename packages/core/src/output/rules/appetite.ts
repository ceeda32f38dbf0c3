import { z } from 'zod'

/**
 * What a checker tolerates (the "risk appetite" of an environment). Presets: `acro` has the defaults of ACRO 1.0.1, the
 * public implementation of the SACRO approach; `essnet` the guidelines of ESSnet (Brandt et al. 2010).
 */
const limit = z.number().min(0).nullable()

export const appetiteSchema = z.strictObject({
  threshold: z.int().min(1).describe('least number of records in a cell'),
  zeros: z
    .boolean()
    .describe('whether cells without records, and groups of which everybody has one value, are disclosive'),
  dominanceN: z.int().min(1).describe('n of the (n,k) rule'),
  dominanceK: limit.describe('largest share of a total that the n largest contributors may make; null: not looked at'),
  pRatio: limit.describe('least (total - two largest) / largest; null: not looked at'),
  largest: limit.describe('largest share of a total that one contributor may make; null: not looked at'),
  group: limit.describe('largest share of a group that may have one value; null: not looked at'),
  df: z.int().min(0).describe('least number of degrees of freedom'),
  missing: z.boolean().describe('whether missing contributors need a look'),
})

export type Appetite = z.output<typeof appetiteSchema>

export const PRESETS = {
  acro: {
    threshold: 10,
    zeros: true,
    dominanceN: 2,
    dominanceK: 0.9,
    pRatio: 0.1,
    largest: null,
    group: null,
    df: 10,
    missing: false,
  },
  essnet: {
    threshold: 10,
    zeros: false,
    dominanceN: 2,
    dominanceK: null,
    pRatio: null,
    largest: 0.5,
    group: 0.9,
    df: 10,
    missing: false,
  },
} as const satisfies Record<string, Appetite>

export type Preset = keyof typeof PRESETS
