import { z } from 'zod'
import { outputSchema } from '../description/description.js'
import { elementSchema, PENALTIES, type Recomputed, valueSchema } from '../description/value.js'
import { type UnreadOutput, unreadSchema } from '../exchange/acro-import.js'
import { supportSchema } from '../numbers/support.js'
import { appetiteSchema, PRESETS, type Preset } from '../rules/appetite.js'
import { findingSchema } from '../rules/finding.js'
import { CHANGES } from './history.js'
import { RISK_LEVELS, VERDICTS } from './verdict.js'

/** What `scrim outputs check --json` writes, and what a history is made of. */
const verdict = z.enum(VERDICTS)

const checkedOutput = z.object({
  id: z.string(),
  description: outputSchema,
  alone: verdict.describe('by what is in it alone'),
  verdict: verdict.describe('together with the others, the earlier ones and the measured risk'),
  why: z.string(),
  findings: z.array(findingSchema),
  change: z.enum(CHANGES).describe('against what was released before'),
  values: z.array(valueSchema),
  dropped: z.array(z.object({ element: elementSchema, reason: z.string() })),
  flags: z.array(z.enum(PENALTIES)),
  records: z.int(),
  degreesOfFreedom: z.number().nullable(),
  support: z.array(supportSchema),
})

/** What the verdicts need of the measured risk. */
const evidence = z.object({ level: z.enum(RISK_LEVELS), sentence: z.string() })

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
    unread: z.array(unreadSchema),
    earlier: z.array(z.object({ source: z.string(), id: z.string(), kind: z.string() })),
    risk: evidence.loose().nullable(),
    outputRisk: z.looseObject({}).nullable().optional().describe('all that was measured'),
    notes: z.array(z.string()),
    files: z
      .array(z.object({ role: z.string(), name: z.string(), rows: z.int(), columns: z.int(), sha256: z.string() }))
      .optional(),
  })
  .describe('The check of outputs that a researcher asks to release')

export type CheckedOutput = Readonly<Omit<z.output<typeof checkedOutput>, keyof Recomputed>> & Recomputed
export type OutputRiskEvidence = Readonly<z.output<typeof evidence>>

/**
 * A request looked at as an output checker does: every output by the rules for its kind, all of them together and with those released
 * earlier by differencing, and a verdict for each and for the set. `unread` could not be computed again, so that a person has to check.
 */
export type OutputCheck = Readonly<
  Omit<z.output<typeof checkSchema>, 'scrim' | 'outputRisk' | 'files' | 'outputs' | 'unread' | 'risk'>
> & {
  readonly outputs: readonly CheckedOutput[]
  readonly unread: readonly UnreadOutput[]
  readonly risk: OutputRiskEvidence
}
