import { z } from 'zod'
import { nearestName, unknownName } from '../errors.js'
import { THREATS } from '../evidence/threats.js'
import { shown } from '../json.js'
import type { AnyMeasure } from '../measure.js'
import { parseWritten } from '../written-form.js'
import { LEVELS, type Level } from './judge.js'

/**
 * What a custodian allows, as a file beside the data: the worst level over all threats, limits per threat and per measure,
 * and waivers for what is broken on purpose, each with a reason, a name and a day on which it ends.
 */
export type AllowedLevel = Exclude<Level, 'NOT ASSESSED'>
/** The best first: the order of the judge, turned round. */
export const ALLOWED_LEVELS = LEVELS.filter((level) => level !== 'NOT ASSESSED').toReversed()

/** Each `error` says what is expected, to follow "is ...; expected"; an unknown field is told by its name instead. */
const LEVEL_EXPECTED = `one of ${ALLOWED_LEVELS.join(', ')}`
const SHARE_EXPECTED = 'a share from 0 to 1, such as 0.05 for 5 %'
const level = z.enum(ALLOWED_LEVELS, { error: LEVEL_EXPECTED })
const share = z.number({ error: SHARE_EXPECTED }).min(0, { error: SHARE_EXPECTED }).max(1, { error: SHARE_EXPECTED })
const number = z.number({ error: 'a number' })
const text = z.string({ error: 'a text' }).trim().min(1, { error: 'a text that is not empty' })
const flag = z.boolean({ error: 'true or false' })
const mustBeTested = flag.optional().describe('fails where it could not be tested; otherwise that is only told')

const threatRule = z.strictObject(
  {
    level: level.optional().describe('worst level allowed'),
    leakage: share.optional().describe('largest leakage allowed, 0: what others give away too, 1: the original itself'),
    bound: share.optional().describe('largest upper bound of the leakage allowed'),
    mustBeTested,
  },
  { error: 'an object such as { "level": "LOW", "bound": 0.1 }' },
)

const measureRule = z.strictObject(
  {
    max: number.optional().describe('largest value allowed'),
    min: number.optional().describe('smallest value allowed'),
    mustBeTested,
  },
  { error: 'an object such as { "max": 0.05 }' },
)

const waiver = z.strictObject(
  {
    rule: text.describe('overall, claim, threat:NAME or measure:ID'),
    release: text.optional().describe('only for this release'),
    target: text.optional().describe('only for this target'),
    reason: text.describe('why it is allowed'),
    name: text.describe('who allowed it'),
    expires: z.iso.date({ error: 'a date YYYY-MM-DD' }).describe('last day on which it counts'),
  },
  { error: 'an object with rule, reason, name and expires' },
)

export const policySchema = z
  .strictObject(
    {
      $schema: z.string({ error: 'a text' }).optional(),
      overall: level.optional().describe('worst level allowed over all threats'),
      threats: z
        .partialRecord(z.enum(THREATS), threatRule, { error: 'an object with a rule per threat' })
        .optional()
        .describe('limits per threat'),
      measures: z
        .record(z.string(), measureRule, { error: 'an object with a rule per measure' })
        .optional()
        .describe('limits per measure, by its id, on its value'),
      waivers: z.array(waiver, { error: 'a list of waivers' }).optional(),
    },
    { error: 'one object such as { "overall": "LOW" }' },
  )
  .describe('What scrim check allows')

export type Policy = z.output<typeof policySchema>
export type ThreatRule = z.output<typeof threatRule>
export type MeasureRule = z.output<typeof measureRule>
export type Waiver = z.output<typeof waiver>

/** What a policy has to know of a measure. */
export type Described = Pick<AnyMeasure, 'id' | 'unit' | 'range' | 'orientation' | 'role' | 'threat'>

export function parsePolicy(file: string, value: unknown, registry: readonly Described[]): Policy {
  return parseWritten(file, value, {
    schema: policySchema,
    what: 'the policy',
    namesAt: (path) => ({
      names: fieldsAt(path),
      word: path.length === 1 && path[0] === 'threats' ? 'threat' : 'field',
    }),
    meantAt: ({ code }) => (code === 'invalid_value' ? ALLOWED_LEVELS : []),
    contentProblems: (policy) => contentProblems(policy, registry),
  })
}

function fieldsAt([first, second]: readonly PropertyKey[]): readonly string[] {
  if (first === undefined) return Object.keys(policySchema.shape).filter((name) => name !== '$schema')
  if (first === 'threats') return second === undefined ? THREATS : Object.keys(threatRule.shape)
  return Object.keys(first === 'waivers' ? waiver.shape : measureRule.shape)
}

/** What a schema cannot say: names of measures and rules, limits that nothing can break or keep. */
function contentProblems(policy: Policy, registry: readonly Described[]): readonly string[] {
  const { overall, threats = {}, measures = {}, waivers = [] } = policy
  const isEmpty = overall === undefined && Object.keys(threats).length === 0 && Object.keys(measures).length === 0
  return [
    ...(isEmpty ? ['the policy has no rule; expected at least one of overall, threats, measures'] : []),
    ...Object.entries(threats).flatMap(([name, rule]) => emptyRule(`threats.${name}`, rule, threatRule.shape)),
    ...Object.entries(measures).flatMap(([id, rule]) => measureProblems(id, rule, registry)),
    ...waivers.flatMap(({ rule }, k) => waiverProblems(rule, k, registry)),
  ]
}

function emptyRule(field: string, rule: object, shape: object): readonly string[] {
  return Object.keys(rule).length > 0
    ? []
    : [`${field} has no limit; expected at least one of ${Object.keys(shape).join(', ')}`]
}

function measureProblems(id: string, rule: MeasureRule, registry: readonly Described[]): readonly string[] {
  const measure = registry.find((one) => one.id === id)
  if (measure === undefined)
    return [
      `measures: ${unknownName(
        'measure',
        id,
        registry.map((one) => one.id),
      )}`,
    ]
  const [least, most] = measure.range ?? [0, 1]
  const limits = [['min', rule.min] as const, ['max', rule.max] as const]
  return [
    ...emptyRule(`measures.${id}`, rule, measureRule.shape),
    ...limits.flatMap(([name, limit]) =>
      limit === undefined || (limit >= least && limit <= most)
        ? []
        : [`measures.${id}.${name} is ${limit}; expected ${rangeText(least, most)}, as the values of ${id} are`],
    ),
    ...(rule.min !== undefined && rule.max !== undefined && rule.min > rule.max
      ? [`measures.${id}.min is ${rule.min}; expected at most max, which is ${rule.max}`]
      : []),
  ]
}

function rangeText(least: number, most: number): string {
  if (!Number.isFinite(most)) return Number.isFinite(least) ? `a number of at least ${least}` : 'a number'
  return Number.isFinite(least) ? `a number from ${least} to ${most}` : `a number of at most ${most}`
}

function waiverProblems(rule: string, index: number, registry: readonly Described[]): readonly string[] {
  const rules = [
    'overall',
    'claim',
    ...THREATS.map((threat) => `threat:${threat}`),
    ...registry.map(({ id }) => `measure:${id}`),
  ]
  if (rules.includes(rule)) return []
  const bare = (name: string) => name.slice(name.indexOf(':') + 1)
  const named = nearestName(bare(rule), rules.map(bare))
  const near = nearestName(rule, rules) ?? rules.find((one) => bare(one) === named)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return [`waivers[${index}].rule is ${shown(rule)}; expected overall, claim, threat:NAME or measure:ID${hint}`]
}
