import { z } from 'zod'
import { UserError } from '../errors.js'
import { THREATS } from '../evidence/threats.js'
import { fieldName } from '../json.js'
import type { Status } from '../measure.js'
import { percent } from '../print.js'
import { type Reason, reasonSchema } from '../reason.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import { type Assessment, assessmentSchema, claimed } from './assessment.js'
import { LEVELS } from './judge.js'

/**
 * Where releases stand, in the few numbers that a gate looks at: the level of each release, level, leakage and its upper
 * bound of each threat, the value of each measure. Kept in a file it is a baseline, with which a later run is compared.
 */
const BASELINE = 'scrim baseline'

const interval = z.object({ lower: z.number(), upper: z.number() })

const threatStanding = z.object({
  threat: z.enum(THREATS),
  target: z.string().nullable(),
  level: z.enum(LEVELS),
  leakage: z.number().nullable(),
  upper: z
    .number()
    .nullable()
    .describe(`one-sided ${percent(BOUND_LEVEL, 0)} bound of the leakage`),
  reason: reasonSchema.nullable().describe('why it was not tested'),
})

const figure = z.object({
  measure: z.string(),
  target: z.string().nullable(),
  value: z.number().nullable(),
  interval: interval.nullable().describe('null when the value is exact'),
  reason: reasonSchema.nullable().describe('why there is no value'),
})

const releaseStanding = z.object({
  name: z.string(),
  level: z.enum(LEVELS),
  claim: claimed.optional(),
  threats: z.array(threatStanding),
  measures: z.array(figure),
})

const baselineSchema = z
  .object({
    kind: z.literal(BASELINE),
    schemaVersion: z.literal(1),
    seed: z.number().int(),
    original: assessmentSchema.shape.original,
    holdout: assessmentSchema.shape.holdout,
    keys: z.array(z.string()),
    numericKeys: z.array(z.string()),
    targets: z.array(z.string()),
    type: assessmentSchema.shape.type,
    releases: z.array(releaseStanding),
    failed: assessmentSchema.shape.failed.describe('measures that broke, with the reason'),
  })
  .describe('Where releases stand: what scrim check compares a later run with')

export type Standing = z.output<typeof baselineSchema>
export type ReleaseStanding = Standing['releases'][number]
export type ThreatStanding = ReleaseStanding['threats'][number]
export type Figure = ReleaseStanding['measures'][number]

/** What a standing takes from the result of a measure. */
export interface Measured {
  readonly measure: string
  readonly status: Status
  readonly reason?: Reason | undefined
  readonly releases: readonly MeasuredRelease[]
}

interface MeasuredValue {
  readonly target: string | null
  readonly value: number | null
  readonly interval: { readonly lower: number; readonly upper: number } | null
  readonly reason?: Reason | undefined
}

interface MeasuredRelease extends MeasuredValue {
  readonly targets?: readonly MeasuredValue[] | undefined
}

/** Values come from the results; without them only those facts about files and generator are known that the answer holds. */
export function standingOf(assessment: Assessment, results?: readonly Measured[]): Standing {
  const { seed, original, holdout, keys, numericKeys, targets, type, failed } = assessment
  return {
    kind: BASELINE,
    schemaVersion: 1,
    seed,
    original,
    holdout,
    keys,
    numericKeys,
    targets,
    type,
    releases: assessment.releases.map((release, index) => ({
      name: release.name,
      level: release.verdict.level,
      ...(release.claim === undefined ? {} : { claim: release.claim }),
      threats: release.threats.map(({ threat, target, level, leakage, interval: bounds, reason }) => ({
        threat,
        target,
        level,
        leakage,
        upper: bounds?.upper ?? null,
        reason,
      })),
      measures: results === undefined ? factFigures(assessment, index) : resultFigures(results, index),
    })),
    failed,
  }
}

/** What of it a later run is compared with: numbers, without the reasons, whose wording may change. */
export function baselineOf(standing: Standing): Standing {
  return {
    ...standing,
    releases: standing.releases.map((release) => ({
      ...release,
      threats: release.threats.map((one) => ({ ...one, reason: null })),
      measures: release.measures.map((one) => ({ ...one, reason: null })),
    })),
    failed: [],
  }
}

function resultFigures(results: readonly Measured[], index: number): Figure[] {
  return results.flatMap(({ measure, reason, releases }) => {
    const release = releases[index]
    if (release === undefined) return [{ measure, target: null, value: null, interval: null, reason: reason ?? null }]
    return (release.targets ?? [release]).map((finding) => ({
      measure,
      target: finding.target,
      value: finding.value,
      interval: finding.interval === null ? null : { lower: finding.interval.lower, upper: finding.interval.upper },
      reason: finding.value === null ? (finding.reason ?? null) : null,
    }))
  })
}

function factFigures({ releases, generator, notRun, failed }: Assessment, index: number): Figure[] {
  const { structure, diagnoses, threats } = releases[index]
  const behind = threats.flatMap((threat) => threat.structure)
  return [
    ...[...structure, ...behind, ...diagnoses, ...generator].map(({ measure, target, value }) => ({
      measure,
      target,
      value,
      interval: null,
      reason: null,
    })),
    ...[...notRun, ...failed].map(({ measure, reason }) => ({
      measure,
      target: null,
      value: null,
      interval: null,
      reason,
    })),
  ]
}

const measuredValue = z.object({
  target: z.string().nullable(),
  value: z.number().nullable(),
  interval: interval.nullable(),
  reason: reasonSchema.optional(),
})

/** An assessment in a file, with the results behind it and the files it is about where these were written too. */
const savedAssessment = assessmentSchema.extend({
  results: z
    .array(
      z.object({
        measure: z.string(),
        status: z.enum(['ok', 'not applicable', 'failed']),
        reason: reasonSchema.optional(),
        releases: z.array(measuredValue.extend({ targets: z.array(measuredValue).optional() })),
      }),
    )
    .optional(),
  files: z.array(z.object({ role: z.string(), name: z.string(), sha256: z.string() })).optional(),
})

export type SavedAssessment = z.output<typeof savedAssessment>

export function parseAssessment(file: string, value: unknown): SavedAssessment {
  if (isBaseline(value)) throw new UserError(`${file} is a baseline; expected an assessment, which holds more`)
  return parseDocument(file, 'an assessment', savedAssessment, value)
}

/** A baseline, or an assessment taken as one. */
export function parseBaseline(file: string, value: unknown): Standing {
  if (isBaseline(value)) return parseDocument(file, 'a baseline', baselineSchema, value)
  const saved = parseDocument(file, 'a baseline or an assessment', savedAssessment, value)
  return standingOf(saved, saved.results)
}

function isBaseline(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === BASELINE
}

function parseDocument<Schema extends z.ZodType>(
  file: string,
  what: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [{ path, message }] = parsed.error.issues
  const field = fieldName(path)
  throw new UserError(`${file} is not ${what} that scrim wrote: ${field === '' ? '' : `${field}: `}${message}`)
}
