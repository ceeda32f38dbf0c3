import { z } from 'zod'
import { outputSchema } from '../description/description.js'
import { PENALTIES } from '../description/value.js'
import { appetiteSchema, PRESETS, type Preset } from '../rules/appetite.js'
import { RULES, type Rule } from '../rules/finding.js'
import { VERDICTS } from './verdict.js'

/** What `scrim outputs check --json` writes, and what a history is made of. */
const verdict = z.enum(VERDICTS)
const element = z.string().describe('term, cell, group or pair; "(model)" for what is of all of a model')

const value = z.object({
  output: z.string(),
  element,
  statistic: z.string(),
  value: z.number(),
  decimals: z.int(),
  precision: z.number().describe('half a unit of the last printed digit, or of the base that counts are rounded to'),
  standardError: z.number().nullable(),
})

const finding = z.object({
  rule: z.enum(Object.keys(RULES) as [Rule, ...Rule[]]),
  status: z
    .enum(['refuse', 'fail', 'review'])
    .describe('somebody can be told; the rule is broken; a person has to look'),
  output: z.string(),
  others: z.array(z.string()).describe('outputs that it takes besides'),
  earlier: z.boolean().describe('whether one of them was released before'),
  element,
  found: z.number().nullable(),
  limit: z.number().nullable(),
  sentence: z.string(),
})

const checkedOutput = z.object({
  id: z.string(),
  description: outputSchema,
  alone: verdict.describe('by what is in it alone'),
  verdict: verdict.describe('together with the others, the earlier ones and the measured risk'),
  why: z.string(),
  findings: z.array(finding),
  change: z.enum(['new', 'unchanged', 'changed']).describe('against what was released before'),
  values: z.array(value),
  dropped: z.array(z.object({ element, reason: z.string() })),
  flags: z.array(z.enum(PENALTIES)),
  records: z.int(),
  degreesOfFreedom: z.number().nullable(),
  support: z.array(z.object({ element, cell: z.record(z.string(), z.string()).nullable(), records: z.int() })),
})

export const checkSchema = z
  .object({
    scrim: z.string().optional(),
    schemaVersion: z.literal(1),
    title: z.string(),
    data: z.object({ name: z.string(), records: z.int() }),
    preset: z.enum(Object.keys(PRESETS) as [Preset, ...Preset[]]),
    appetite: appetiteSchema,
    verdict,
    sentence: z.string(),
    outputs: z.array(checkedOutput),
    unread: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        files: z.array(z.string()),
        blocked: z.boolean(),
        reason: z.string(),
      }),
    ),
    earlier: z.array(z.object({ source: z.string(), id: z.string(), kind: z.string() })),
    risk: z
      .object({ level: z.enum(['none', 'inconclusive', 'elevated', 'high', 'not assessed']), sentence: z.string() })
      .loose()
      .nullable(),
    outputRisk: z.looseObject({}).nullable().optional().describe('all that was measured'),
    notes: z.array(z.string()),
    files: z
      .array(z.object({ role: z.string(), name: z.string(), rows: z.int(), columns: z.int(), sha256: z.string() }))
      .optional(),
  })
  .describe('The check of outputs that a researcher asks to release')
