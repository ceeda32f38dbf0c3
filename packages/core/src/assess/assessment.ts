import { z } from 'zod'
import { INTERNAL } from '../discretion.js'
import type { ColumnShare } from '../evidence/column-shares.js'
import type { Driver } from '../evidence/drivers.js'
import { type Controls, exposureOf, type Leakage, type ShareOfPeople } from '../evidence/evidence.js'
import { THREATS, type Threat } from '../evidence/threats.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../measure.js'
import { UNITS } from '../print.js'
import { type Reason, reasonSchema } from '../reason.js'
import { SIGNIFICANCE } from '../stats/levels.js'
import { mean } from '../stats/sums.js'
import { NOT_COVERED, type NotCovered, type Release } from '../table/release.js'
import { findColumn } from '../table/table.js'
import { coarserColumns } from '../utility/scale/coarser.js'
import {
  byLevel,
  isAlarm,
  type Judgement,
  judge,
  LEVELS,
  LIMITS,
  levelOf,
  limitsOf,
  type Question,
  timesMoreRecords,
  worstFirst,
  worstLevel,
} from './judge.js'
import { recommendation, verdictSentence } from './sentences.js'
import { usefulnessOf, utilitySchema } from './usefulness.js'

/**
 * One answer from all measures: per release and threat the leakage with its bounds, the measure that decided, what
 * supports and what contradicts it and why; the worst threat is the verdict. A measure that does not decide never votes:
 * many published measures look at one threat, and counting them would count one test many times.
 */
const fraction = z.number()
const level = z.enum(LEVELS)

const interval = z.object({ lower: z.number(), upper: z.number() }).describe('one-sided 95 % bounds, each for itself')

const control = z.object({ value: z.number(), se: z.number().nullable(), what: z.string() })

const controls = z.object({
  nothing: control.optional().describe('independent marginals: somebody who knows the marginals only'),
  fair: control
    .extend({ basis: z.enum(['leave-one-out', 'outsiders', 'cross-fitting', 'chance']) })
    .optional()
    .describe('everybody but the victim, or people outside the release: population knowledge'),
  everything: control
    .extend({ fair: z.number().optional().describe('its own fair control, where it differs from that of the release') })
    .optional()
    .describe('the original itself: no protection'),
})

const driver = z.object({
  column: z.string(),
  level: z.string(),
  people: z.number().int(),
  mean: z.number(),
  lower: z.number().nullable().default(null).describe('one-sided 95 % bounds of the mean'),
  upper: z.number().nullable().default(null),
  overall: z.number(),
})

const columnShare = z.object({
  column: z.string(),
  share: fraction.describe('points of the leakage that are gone without the column; they need not add up'),
  lower: fraction,
  upper: fraction,
})

const opinion = z.object({
  measure: z.string(),
  title: z.string(),
  sentence: z.string(),
  leakage: fraction.nullable(),
  p: z.number().nullable(),
  why: z.string().nullable().describe('why it may differ from the measure that decides'),
})

const fact = z.object({
  measure: z.string(),
  title: z.string(),
  target: z.string().nullable(),
  value: z.number().nullable(),
  unit: z.enum(UNITS),
  original: z.number().nullable().describe('the same figure for the original'),
  sentence: z.string(),
})

const words = z.string().optional().describe('the same in words')

const settling = z.discriminatedUnion('code', [
  z.object({ code: z.literal('holdout'), text: words }),
  z.object({ code: z.literal('outsiders'), people: z.number().int(), text: words }),
  z.object({ code: z.literal('records'), records: z.number().int(), text: words }),
  z
    .object({ code: z.literal('explain-columns'), file: z.string(), columns: z.array(z.string()), text: words })
    .describe('leave the columns out of the release, or say that their texts are made up'),
  z
    .object({ code: z.literal('no-number'), instead: z.enum(['holdout', 'coarser']), text: words })
    .describe('no number of records that could be had'),
])

const threatAssessment = z.object({
  threat: z.enum(THREATS),
  target: z.string().nullable(),
  level,
  leakage: fraction.nullable().describe('0: what other people give away too; 1: the original itself'),
  interval: interval.nullable(),
  shareOfPeople: interval
    .extend({
      value: fraction,
      reach: fraction.describe('share of people of whom the original itself would reveal more'),
    })
    .nullable()
    .default(null)
    .describe('value - fair: by how much larger the share of people is than by the fair control'),
  p: z.number().nullable(),
  adjustedP: z.number().nullable().describe('shared between looks, corrected over threats by Holm'),
  correction: z
    .number()
    .nullable()
    .default(null)
    .describe('by what p is multiplied for all looks at all threats: adjustedP = min(1, correction p)'),
  exposure: fraction.nullable().describe('0: independent marginals; 1: the original itself'),
  people: z
    .number()
    .int()
    .nullable()
    .describe(
      'people concerned: as many as if their own records stood in the release as they are, leakage × all people',
    ),
  decidedBy: z.string().nullable(),
  says: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'an alarm in the words of the measure that decided, where it sees another way in which the threat may come about',
    ),
  look: z.string().nullable().describe('what the value was compared with'),
  view: z
    .string()
    .nullable()
    .default(null)
    .describe('what was undone for the look that decided; null: the release as it is'),
  lookNumber: z
    .number()
    .int()
    .default(0)
    .describe('0: the figures of the measure itself, or of the view; k: those of its k-th further look'),
  value: z.number().nullable(),
  unit: z.enum(UNITS).nullable(),
  controls: controls.nullable(),
  limits: z.object({
    matters: z.number(),
    high: z.number(),
    people: z.number().describe('share of people below which nothing is left open'),
    reach: z.number().describe('share of people whom the original itself must concern for a look to count'),
  }),
  drivers: z.array(driver).describe('groups of people about whom more is revealed than about others'),
  columns: z.array(columnShare).default([]).describe('columns that carry the leakage, largest share first'),
  supports: z.array(opinion),
  contradicts: z.array(opinion),
  structure: z
    .array(fact)
    .describe('what the records of a perturbed release look like beside the original: context of its identity threat'),
  reason: reasonSchema
    .nullable()
    .describe(
      'why the threat was not assessed, is LOW where nothing could be told, or is open where texts could hide people',
    ),
  settles: settling.nullable().describe('what would settle an open question'),
})

export const claimed = z.object({
  epsilon: z.number(),
  delta: z.number(),
  verdict: z.enum(['broken', 'not contradicted', 'not checked']),
  audit: z
    .object({
      pairs: z.number().int().describe('pairs of a person in the data and one outside'),
      attack: z.string(),
      guesses: z.number().int(),
      right: z.number().int(),
      bound: z.number().describe('epsilon is at least this, at 95 %'),
      most: z.number().describe('the largest bound that so many pairs can give'),
    })
    .nullable()
    .describe('null where there are no people outside to guess about'),
})

const releaseAssessment = z.object({
  name: z.string(),
  records: z.number().int(),
  likeness: z.string().nullable().default(null).describe('that the release is the original, or contains most of it'),
  notCovered: z
    .array(z.object({ code: z.enum(NOT_COVERED), columns: z.array(z.string()) }))
    .default([])
    .describe('columns that the answer is not about'),
  verdict: z.object({
    level,
    threat: z.enum(THREATS).nullable(),
    target: z.string().nullable(),
    sentence: z.string(),
    recommendation: z.string(),
  }),
  onlyByNumbers: z
    .object({
      columns: z.array(z.string()),
      with: level.describe('level of identity as it is'),
      identity: level.describe('without these numbers'),
      overall: level.describe('of the release, without these numbers'),
    })
    .nullable()
    .default(null)
    .describe('numbers counted as known to an attacker, without which people of a perturbed release are traced less'),
  claim: claimed
    .optional()
    .describe('the differential privacy that was stated, and what the release shows of it; left out where none was'),
  threats: z.array(threatAssessment).describe('worst first'),
  structure: z.array(fact).describe('facts about the file, beside the original'),
  diagnoses: z.array(fact),
  utility: utilitySchema
    .nullable()
    .default(null)
    .describe('how useful the release is; null when no measure of utility ran'),
})

export const assessmentSchema = z.object({
  schemaVersion: z.literal(2),
  seed: z.number().int(),
  original: z.object({
    name: z.string(),
    records: z.number().int(),
    of: z.number().int().optional().describe('of how many records these are a sample'),
  }),
  holdout: z.object({ name: z.string(), records: z.number().int() }).nullable(),
  keys: z.array(z.string()),
  numericKeys: z.array(z.string()),
  targets: z.array(z.string()),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe('what keys and targets are, in the words of the file of the original; left out where it has none'),
  type: z.enum(['synthetic', 'perturbed', 'unknown']),
  releases: z.array(releaseAssessment),
  syntheses: z
    .object({
      worst: z.string(),
      level,
      threats: z.array(
        z.object({
          threat: z.enum(THREATS),
          target: z.string().nullable(),
          mean: fraction.nullable(),
          worst: z.string().nullable(),
          level,
        }),
      ),
    })
    .nullable()
    .describe('over several releases of one synthesizer: mean leakage and worst release'),
  generator: z.array(fact).describe('about the synthesizer, not about a file'),
  notRun: z.array(z.object({ measure: z.string(), reason: reasonSchema })),
  failed: z.array(z.object({ measure: z.string(), reason: reasonSchema })),
  notes: z.array(z.string()).describe('about the data'),
  publishableNotes: z
    .array(z.string())
    .default([])
    .describe('the same for readers outside: without values of records and small counts'),
  remarks: z.array(z.object({ measure: z.string(), text: z.string() })).describe('of single measures'),
})

export type Assessment = z.output<typeof assessmentSchema>
export type ReleaseAssessment = Assessment['releases'][number]
export type ThreatAssessment = ReleaseAssessment['threats'][number]
export type Settling = z.output<typeof settling>
export type Opinion = ThreatAssessment['supports'][number]
export type Claimed = z.output<typeof claimed>
export type Fact = ReleaseAssessment['structure'][number]

/** The answer from the results of measures on a release; `registry` says what each measure is. */
export function conclude(release: Release, results: readonly Result[], registry: readonly AnyMeasure[]): Assessment {
  const found = results.map((result) => ({ result, measure: measureOf(result, registry) }))
  const releases = release.released.map((table, index) => {
    const threats = judgeRelease(release, index, found, registry)
    return {
      name: table.name,
      records: table.rows,
      likeness: release.likeness[index]?.sentence ?? null,
      notCovered: notCoveredAt(release, index).map(({ code, columns }) => ({ code, columns: [...columns] })),
      verdict: verdictOf(index, release, threats),
      onlyByNumbers: null,
      threats,
      structure: factsOf(index, found, (measure) => isStructure(measure) && !standsBehind(measure, release)),
      diagnoses: factsOf(index, found, ({ role, about }) => role === 'diagnoses' && about !== 'generator'),
      utility: usefulnessOf(index, found, {
        coarser: coarserColumns(release, index),
        inClasses: release.inClasses,
        notCompared: notComparedAt(release, index),
      }),
    }
  })
  return {
    schemaVersion: 2,
    seed: results[0]?.seed ?? 0,
    original: { name: release.original.name, records: release.original.rows, ...sampledOf(release) },
    holdout: release.holdout === null ? null : { name: release.holdout.name, records: release.holdout.rows },
    keys: [...release.keys],
    numericKeys: [...release.numericKeys],
    targets: [...release.targets],
    ...variableLabels(release),
    type: release.type,
    releases,
    syntheses: releases.length < 2 ? null : overReleases(releases),
    generator: factsOf(0, found, ({ about }) => about === 'generator'),
    notRun: unfinished(results, 'not applicable'),
    failed: unfinished(results, 'failed'),
    notes: release.notes.map(({ internal }) => internal),
    publishableNotes: release.notes.map(({ publishable }) => publishable),
    remarks: remarksOf(results),
  }
}

/** Columns of the original about which no measure of utility says anything. */
export function notComparedAt(release: Release, index: number): readonly string[] {
  return notCoveredAt(release, index).flatMap(({ code, columns }) =>
    code === 'other-type' || code === 'lacking' ? columns : [],
  )
}

function notCoveredAt({ notCovered }: Release, index: number): readonly NotCovered[] {
  return notCovered[index] ?? []
}

function variableLabels({ original, keys, numericKeys, targets }: Release): { labels?: Record<string, string> } {
  const labels = [...keys, ...numericKeys, ...targets].flatMap((name) => {
    const label = findColumn(original, name)?.codebook?.label
    return label === undefined ? [] : [[name, label] as const]
  })
  return labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }
}

interface Found {
  readonly result: Result
  readonly measure: AnyMeasure
}

/** One comparison by a deciding measure. */
interface Seen {
  readonly measure: AnyMeasure
  readonly finding: ReleaseFinding
  readonly what: string | null
  readonly value: number
  readonly controls: Controls
  readonly leakage: Leakage | null
  readonly shareOfPeople: ShareOfPeople | null
  readonly people?: number | null | undefined
  readonly narrow?: boolean | undefined
  readonly rescaled?: boolean | undefined
  readonly namesPeople?: boolean | undefined
  readonly drivers: readonly Driver[]
  readonly columns: readonly ColumnShare[]
  readonly view: string | null
  /** 0 for the measure's own figures, k for its k-th further look. */
  readonly lookNumber: number
}

interface Asked {
  readonly threat: Threat
  readonly target: string | null
  readonly looks: readonly Seen[]
  readonly unasked: NonNullable<Question['unasked']>
  readonly reason: Reason | null
  readonly leftOut: ReturnType<typeof leftOutOf> | ReturnType<typeof onSample>
}

function judgeRelease(
  release: Release,
  index: number,
  results: readonly Found[],
  registry: readonly AnyMeasure[],
): ThreatAssessment[] {
  const asked = THREATS.flatMap((threat) => {
    const leftOut = leftOutOf(release, index, threat)
    return questions(threat, index, results, registry).map(
      (question): Asked => ({ ...question, leftOut: leftOut ?? onSample(question.looks) }),
    )
  })
  const judgements = judge(asked)
  return asked.map((question, k) => assessThreat(release, index, question, judgements[k], results)).sort(worstFirst)
}

/** What may hide a threat that was not looked at: texts could name people, and columns that were left out could be copies. */
function leftOutOf(release: Release, index: number, threat: Threat) {
  const columnsOf = (code: NotCovered['code']) =>
    notCoveredAt(release, index).flatMap((one) => (one.code === code ? one.columns : []))
  if (threat === 'identity') {
    const columns = columnsOf('unexplained')
    const file = release.released[index].name
    return columns.length === 0 ? null : { code: 'unexplained-columns' as const, file, columns }
  }
  const columns = columnsOf('other-type')
  const isMost = threat !== 'attribute' && columns.length > release.variables.length
  return isMost ? { code: 'columns-left-out' as const, columns } : null
}

/** Of how many records the original is a sample. */
function sampledOf({ sample }: Release): { readonly of?: number } {
  return sample === undefined || sample.original.records === sample.original.of ? {} : { of: sample.original.of }
}

/** Where a look saw only some records: none sees all that the others see, and a copy is found in a sample only where both it and its person were drawn. */
function onSample(looks: readonly Seen[]) {
  const [sampled] = looks.flatMap(({ view, finding: { sample } }) => (view === null && sample ? [sample] : []))
  return sampled === undefined ? null : { code: 'sample' as const, ...sampled }
}

/** One question per threat, or one per target where the deciding measure has targets. */
function questions(
  threat: Threat,
  index: number,
  results: readonly Found[],
  registry: readonly AnyMeasure[],
): readonly Omit<Asked, 'leftOut'>[] {
  const deciding = results.filter(({ measure }) => measure.role === 'decides' && measure.threat === threat)
  if (deciding.length === 0) {
    const missing = registry.find(({ role, threat: of }) => role === 'decides' && of === threat)
    return [
      {
        threat,
        target: null,
        looks: [],
        unasked: NOTHING_MORE,
        reason: missing === undefined ? { code: 'no-decider' } : { code: 'not-run', measure: missing.id },
      },
    ]
  }
  const findings = deciding.flatMap(({ measure, result }) =>
    findingsAt(result, index).map((finding) => ({ measure, finding })),
  )
  if (findings.length === 0)
    return [{ threat, target: null, looks: [], unasked: NOTHING_MORE, reason: deciding[0].result.reason ?? null }]
  const lacking = deciding.filter(({ result }) => wantsHoldout(result.reason ?? null))
  const targets = [...new Set(findings.map(({ finding }) => finding.target))]
  return targets.map((target) => {
    const own = findings.filter(({ finding }) => finding.target === target)
    const looks = own.flatMap(({ measure, finding }) => looksOf(measure, finding))
    const ofMeasures = deciding.flatMap(({ result }) => result.reason ?? [])
    // First what somebody can do something about.
    const [reason] = [
      ...lacking.flatMap(({ result }) => result.reason ?? []),
      ...ofMeasures.filter(({ code }) => code === 'needs'),
      ...own.flatMap(({ finding }) => finding.notAssessed ?? finding.reason ?? []),
      ...ofMeasures,
    ]
    const views = Math.max(0, ...own.map(({ finding }) => finding.views?.length ?? 0))
    const lackingLooks = lacking.reduce((sum, { measure }) => sum + (measure.looksOutside ?? 1), 0)
    const unasked = {
      asItIs: unaskedAmong(looks.filter(({ view }) => view === null)) + lackingLooks,
      throughViews: unaskedAmong(looks.filter(({ view }) => view !== null)) + lackingLooks * views,
    }
    return { threat, target, looks, unasked, reason: reason ?? null }
  })
}

const NOTHING_MORE = { asItIs: 0, throughViews: 0 }

/** Where people outside would allow a further look of each kind, those that were not asked. */
function unaskedAmong(looks: readonly Seen[]): number {
  const further = looks.filter(({ measure }) => measure.alsoOutside === true)
  const outside = further.filter(({ controls }) => controls.fair?.basis === 'outsiders').length
  return Math.max(0, further.length - 2 * outside)
}

/** The release as it is, and through each view; what a view shows can alarm and cannot reassure. */
export function looksOf(measure: AnyMeasure, finding: ReleaseFinding): readonly Seen[] {
  const { views = [] } = finding
  return [
    ...looksAt(measure, finding),
    ...views.flatMap(({ view, what, finding: through }) =>
      looksAt(measure, through).map((look) => ({
        ...look,
        what: look.what === null ? what : `${what}, ${look.what}`,
        narrow: true,
        view,
      })),
    ),
  ]
}

function looksAt(measure: AnyMeasure, finding: ReleaseFinding): readonly Seen[] {
  if (finding.value === null) return []
  const { value, controls = {}, leakage, shareOfPeople = null, people = null, narrow, looks = [] } = finding
  const { drivers, columns = [] } = finding
  const what = controls.fair === undefined ? null : `against ${controls.fair.what}`
  const shared = { measure, finding, view: null, namesPeople: measure.namesPeople }
  return [
    { ...shared, what, value, controls, leakage, shareOfPeople, people, narrow, drivers, columns, lookNumber: 0 },
    ...looks.map((look, k) => ({ ...shared, ...look, columns: [], lookNumber: k + 1 })),
  ]
}

function assessThreat(
  release: Release,
  index: number,
  { threat, target, reason }: Asked,
  { level, by, adjustedP, correction, because }: Judgement<Seen>,
  results: readonly Found[],
): ThreatAssessment {
  const leakage = by?.leakage ?? null
  const opinions = opinionsOf(threat, target, index, results, level, by?.measure ?? null)
  const why = because ?? (level === 'NOT ASSESSED' ? (reason ?? { code: 'nothing-compared' as const }) : null)
  return {
    threat,
    target,
    level,
    leakage: leakage?.value ?? null,
    interval: leakage === null ? null : { lower: leakage.lower, upper: leakage.upper },
    shareOfPeople: by === null ? null : peopleScale(by),
    p: leakage?.p ?? null,
    adjustedP,
    correction,
    exposure: by === null ? null : exposureOf(by.value, by.controls),
    people: by?.people ?? null,
    decidedBy: by?.measure.id ?? null,
    says: isAlarm(level) && by?.namesPeople === true ? by.finding.sentence : null,
    look: by?.what ?? null,
    view: by?.view ?? null,
    lookNumber: by?.lookNumber ?? 0,
    value: by?.value ?? null,
    unit: by?.measure.unit ?? null,
    controls: by?.controls ?? null,
    limits: { ...limitsOf(threat, by) },
    drivers: isAlarm(level) ? [...(by?.drivers ?? [])] : [],
    columns: isAlarm(level) ? [...(by?.columns ?? [])] : [],
    ...opinions,
    structure: factsOf(
      index,
      results,
      (measure) => isStructure(measure) && measure.threat === threat && standsBehind(measure, release),
    ),
    reason: why,
    settles: settles(release, threat, level, by, why),
  }
}

function peopleScale({ shareOfPeople: share }: Seen): ThreatAssessment['shareOfPeople'] {
  if (share === null) return null
  const { value, lower, upper, reach } = share
  return { value, lower, upper, reach }
}

/** More than so many times as many records nobody can get. */
const MOST_TIMES = 10

/** What would settle an open question: more records, more outsiders, or what the deciding measure needs; where nobody could have so many, what to do instead. */
function settles(
  release: Release,
  threat: Threat,
  level: ThreatAssessment['level'],
  by: Seen | null,
  why: Reason | null,
): Settling | null {
  if (why?.code === 'unexplained-columns') return { ...why, code: 'explain-columns' }
  if (level === 'NOT ASSESSED') return wantsHoldout(why) && release.holdout === null ? { code: 'holdout' } : null
  if (level !== 'INCONCLUSIVE' || by === null) return null
  const times = timesMoreRecords(by, LIMITS[threat])
  if (times === null) return null
  if (times > MOST_TIMES) return { code: 'no-number', instead: release.holdout === null ? 'holdout' : 'coarser' }
  const outsiders = by.controls.fair?.basis === 'outsiders' ? release.holdout : null
  return outsiders !== null && outsiders.rows < release.original.rows
    ? { code: 'outsiders', people: Math.ceil(outsiders.rows * times) }
    : { code: 'records', records: Math.ceil(release.original.rows * times) }
}

function wantsHoldout(reason: Reason | null): boolean {
  return reason?.code === 'no-outsiders' || (reason?.code === 'needs' && reason.needs.includes('holdout'))
}

/**
 * A supporting measure alarms when its own effect is significant and may matter. It supports the decision when both alarm
 * or both do not; otherwise it contradicts it, and what one of the two is blind to may be why.
 */
function opinionsOf(
  threat: Threat,
  target: string | null,
  index: number,
  results: readonly Found[],
  decision: ThreatAssessment['level'],
  decider: AnyMeasure | null,
): Pick<ThreatAssessment, 'supports' | 'contradicts'> {
  const supports: Opinion[] = []
  const contradicts: Opinion[] = []
  for (const { measure, result } of results) {
    if (measure.role !== 'supports' || measure.threat !== threat || measure.about === 'generator') continue
    for (const finding of findingsAt(result, index)) {
      if (finding.target !== null && target !== null && finding.target !== target) continue
      const alarms = isAlarming(finding, threat)
      if (alarms === null || decision === 'NOT ASSESSED') continue
      const agrees = alarms === isAlarm(decision)
      const blind = alarms ? decider?.blindTo : measure.blindTo
      const who = alarms ? decider?.id : measure.id
      ;(agrees ? supports : contradicts).push({
        measure: measure.id,
        title: measure.title,
        sentence: finding.sentence,
        leakage: finding.leakage?.value ?? null,
        p: finding.effect?.p ?? null,
        why: agrees || blind === undefined ? null : `${who} is blind to ${blind}`,
      })
    }
  }
  return { supports, contradicts }
}

/** Null where the measure has nothing to compare with. */
function isAlarming({ effect, leakage, notAssessed, value }: ReleaseFinding, threat: Threat): boolean | null {
  if (value === null || effect === undefined || notAssessed !== undefined) return null
  if (leakage === null) return effect.p < SIGNIFICANCE
  return isAlarm(levelOf({ leakage, shareOfPeople: null }, leakage.p < SIGNIFICANCE, LIMITS[threat]))
}

/** A release that is the original itself is HIGH whatever the measures can see of it, for instance under other names. */
function verdictOf(
  index: number,
  release: Release,
  threats: readonly ThreatAssessment[],
): ReleaseAssessment['verdict'] {
  const { name } = release.released[index]
  const isCopy = release.likeness[index]?.isCopy === true
  const [worst] = threats
  const decides = worst.level === 'NOT ASSESSED' ? null : worst
  const level = worstLevel([worst.level], isCopy)
  return {
    level,
    threat: decides?.threat ?? null,
    target: decides?.target ?? null,
    sentence:
      isCopy && worst.level !== 'HIGH'
        ? 'It is the original itself, which no measure has to show.'
        : verdictSentence(
            {
              name,
              type: release.type,
              originals: release.original.rows,
              notCovered: notCoveredAt(release, index),
              onlyByNumbers: null,
            },
            threats,
            INTERNAL,
          ),
    recommendation: recommendation(level, threats),
  }
}

function isStructure({ role, about }: AnyMeasure): boolean {
  return role === 'structure' && about !== 'generator'
}

/**
 * Records of a perturbed release are still people's own, so how many of them are unique says how many can be recognised;
 * a synthetic record is nobody's, and its uniqueness is a fact about the file only.
 */
function standsBehind({ threat }: AnyMeasure, { type }: Release): boolean {
  return threat === 'identity' && type === 'perturbed'
}

function factsOf(index: number, results: readonly Found[], wanted: (measure: AnyMeasure) => boolean): Fact[] {
  return results
    .filter(({ measure }) => wanted(measure))
    .flatMap(({ measure, result }) =>
      findingsAt(result, index)
        .filter(({ status }) => status === 'ok')
        .map((finding) => ({
          measure: measure.id,
          title: measure.title,
          target: finding.target,
          value: finding.value,
          unit: measure.unit,
          original: originalAt(result, finding.target),
          sentence: finding.sentence,
        })),
    )
}

function originalAt({ original }: Result, target: string | null): number | null {
  if (original === null) return null
  return (original.targets ?? [original]).find((finding) => finding.target === target)?.value ?? null
}

function overReleases(releases: readonly ReleaseAssessment[]): Assessment['syntheses'] {
  const [worst] = [...releases].sort((a, b) => byLevel(a.verdict, b.verdict))
  const asked = releases[0].threats.map(({ threat, target }) => ({ threat, target }))
  return {
    worst: worst.name,
    level: worst.verdict.level,
    threats: asked.map(({ threat, target }) => {
      const own = releases.flatMap(({ name, threats }) =>
        threats.filter((one) => one.threat === threat && one.target === target).map((one) => ({ ...one, name })),
      )
      const [first] = [...own].sort(worstFirst)
      const leakages = own.flatMap(({ leakage }) => leakage ?? [])
      return {
        threat,
        target,
        mean: mean(leakages),
        worst: leakages.length > 0 ? first.name : null,
        level: first.level,
      }
    }),
  }
}

function findingsAt(result: Result, index: number): readonly ReleaseFinding[] {
  const release = result.releases[index]
  if (release === undefined) return []
  return release.targets ?? [release]
}

export function measureOf({ measure: id }: Result, registry: readonly AnyMeasure[]): AnyMeasure {
  const measure = registry.find((one) => one.id === id)
  if (measure === undefined) throw new Error(`no measure ${id}`)
  return measure
}

function unfinished(results: readonly Result[], status: Result['status']): { measure: string; reason: Reason }[] {
  const nothing: Reason = { code: 'nothing-compared' }
  return results.flatMap(({ measure, releases, ...result }) => {
    if (result.status === status) return [{ measure, reason: result.reason ?? nothing }]
    const own = releases.flatMap((release) => release.targets ?? [release]).filter((one) => one.status === status)
    return status === 'failed' && own.length > 0 ? [{ measure, reason: own[0].reason ?? nothing }] : []
  })
}

/** What measures remark on these data, each once. */
function remarksOf(results: readonly Result[]): { measure: string; text: string }[] {
  return results.flatMap(({ measure, releases }) => {
    const texts = releases.flatMap((finding) => finding.targets ?? [finding]).flatMap(({ warnings }) => warnings)
    return [...new Set(texts)].map((text) => ({ measure, text }))
  })
}
