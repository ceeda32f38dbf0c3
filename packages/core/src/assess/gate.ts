import { leakageText } from '../discretion.js'
import { THREAT_TEXT, THREATS, type Threat } from '../evidence/threats.js'
import { higherIsWorse } from '../measure.js'
import { percent, type Unit } from '../print.js'
import type { Reason } from '../reason.js'
import type { Claimed } from './assessment.js'
import { LEVELS, type Level } from './judge.js'
import type { AllowedLevel, Described, MeasureRule, Policy, ThreatRule, Waiver } from './policy.js'
import type { Figure, ReleaseStanding, Standing, ThreatStanding } from './standing.js'

/**
 * A policy held against where releases stand: one outcome per rule, release and target. A rule that is broken fails, unless
 *   - a baseline shows the same at least as bad: then it is *not worse*. Worse is a worse level, a leakage beyond the
 *     baseline's upper bound, or a value that breaks its limit by more than the baseline did and half the width of its interval;
 *   - somebody waived it, for a reason and until a day: then it is *waived*.
 * What could not be tested is reported, and fails only where it must be tested: a gate that nobody feeds must not look open by chance.
 * Privacy that was stated is a rule of its own, without a word of the policy.
 */
export const GATE_STATUSES = ['fail', 'waived', 'not worse', 'not tested', 'pass'] as const
export type GateStatus = (typeof GATE_STATUSES)[number]

export interface Outcome {
  /** `overall`, `claim`, `threat:attribute`, `measure:k-anonymity`: as a waiver names it. */
  readonly rule: string
  readonly release: string
  readonly target: string | null
  readonly status: GateStatus
  /** What was found and what is allowed, of the limit that decides the outcome; null where nothing was found. */
  readonly found: Level | number | null
  readonly limit: AllowedLevel | number | null
  readonly foundText: string
  readonly limitText: string
  readonly sentence: string
  /** Why it was not tested, where that is so; the sentence does not say. */
  readonly reason: Reason | null
}

export interface Gate {
  /** Failures first, then as the policy has them. */
  readonly outcomes: readonly Outcome[]
  readonly failing: number
  /** On waivers and the baseline. */
  readonly remarks: readonly string[]
  /** Measures that broke though a rule rests on them: the gate is then not to be trusted. */
  readonly unfinished: readonly { readonly measure: string; readonly reason: Reason }[]
}

export interface GateOptions {
  readonly baseline?: Standing | undefined
  /** YYYY-MM-DD: a waiver counts up to and on the day on which it expires. */
  readonly today: string
  readonly registry: readonly Described[]
}

export function evaluate(policy: Policy, standing: Standing, { baseline, today, registry }: GateOptions): Gate {
  const held = standing.releases.flatMap((release) => {
    const before = baseline === undefined ? undefined : counterpart(release, standing, baseline)
    return releaseOutcomes(policy, release, before, registry)
  })
  const waivers = policy.waivers ?? []
  const outcomes = held
    .map((outcome) => waived(outcome, waivers, today))
    .sort((a, b) => GATE_STATUSES.indexOf(a.status) - GATE_STATUSES.indexOf(b.status))
  return {
    outcomes,
    failing: outcomes.filter(({ status }) => status === 'fail').length,
    remarks: [
      ...waivers.flatMap((waiver) => waiverRemark(waiver, held, today)),
      ...(baseline === undefined ? [] : baselineRemarks(standing, baseline)),
      ...oddLimits(policy, registry),
    ],
    unfinished: unfinished(policy, standing, registry),
  }
}

/** "2 of 9 rules fail": a rule counts once per release and target. */
export function gateHeadline({ outcomes, failing }: Gate): string {
  return `${failing} of ${outcomes.length} rules ${failing === 1 ? 'fails' : 'fail'}`
}

/** The same release in the baseline: of the same name, or the only one when both have one. */
function counterpart(release: ReleaseStanding, now: Standing, baseline: Standing): ReleaseStanding | undefined {
  const only = now.releases.length === 1 && baseline.releases.length === 1 ? baseline.releases[0] : undefined
  return baseline.releases.find(({ name }) => name === release.name) ?? only
}

function releaseOutcomes(
  { overall, threats = {}, measures = {} }: Policy,
  release: ReleaseStanding,
  before: ReleaseStanding | undefined,
  registry: readonly Described[],
): Outcome[] {
  return [
    ...(overall === undefined ? [] : [outcomeOf('overall', release, null, [overallCheck(release, overall, before)])]),
    ...(release.claim === undefined
      ? []
      : [outcomeOf('claim', release, null, [claimCheck(release.claim, before?.claim)])]),
    ...THREATS.flatMap((threat) => {
      const rule = threats[threat]
      if (rule === undefined) return []
      return standingsOf(release, threat).map((standing) => {
        const then = before && standingsOf(before, threat).find(({ target }) => target === standing.target)
        return outcomeOf(`threat:${threat}`, release, standing.target, threatChecks(standing, rule, then))
      })
    }),
    ...Object.entries(measures).flatMap(([id, rule]) => {
      const unit = registry.find((measure) => measure.id === id)?.unit ?? 'score'
      return figuresOf(release, id).map((figure) => {
        const then = before && figuresOf(before, id).find(({ target }) => target === figure.target)
        return outcomeOf(`measure:${id}`, release, figure.target, measureChecks(figure, unit, rule, then))
      })
    }),
  ]
}

/** One limit of a rule. */
interface Check {
  readonly status: Exclude<GateStatus, 'waived'>
  readonly found: Outcome['found']
  readonly limit: Outcome['limit']
  readonly foundText: string
  readonly limitText: string
  readonly sentence: string
  readonly reason?: Reason | null
}

/** The worst limit decides; those that are as bad are told with it. */
function outcomeOf(rule: string, { name }: ReleaseStanding, target: string | null, checks: readonly Check[]): Outcome {
  const status = GATE_STATUSES.find((one) => checks.some((check) => check.status === one)) ?? 'pass'
  const told = checks.filter((check) => check.status === status)
  const [{ found, limit, foundText, limitText, reason = null }] = told
  const sentence = told.map((check) => check.sentence).join(' ')
  return { rule, release: name, target, status, found, limit, foundText, limitText, sentence, reason }
}

/**
 * Every threat has to keep the level, so that a new alarm does not hide behind an old one of the baseline. Nothing tested at
 * all is less than INCONCLUSIVE: it passes only where that is allowed.
 */
function overallCheck(release: ReleaseStanding, allowed: AllowedLevel, before: ReleaseStanding | undefined): Check {
  const head = { found: release.level, limit: allowed, foundText: release.level, limitText: allowed }
  if (release.level === 'NOT ASSESSED') {
    const status = allowed !== 'LOW' ? 'not tested' : before?.level === 'NOT ASSESSED' ? 'not worse' : 'fail'
    return {
      ...head,
      status,
      sentence: `No threat could be tested; at most ${allowed} is allowed.${beforeText(status, before?.level)}`,
    }
  }
  const breaking = release.threats.filter(({ level }) => isWorse(level, allowed))
  const gotWorse = breaking.filter((threat) => {
    const then = before?.threats.find((other) => other.threat === threat.threat && other.target === threat.target)
    return then === undefined || hasGotWorse(threat, then)
  })
  const status = breaking.length === 0 ? 'pass' : gotWorse.length > 0 ? 'fail' : 'not worse'
  const by = breaking.length === 0 ? '' : ` (${breaking.map((one) => `${titleOf(one)} ${levelText(one)}`).join('; ')})`
  return {
    ...head,
    status,
    sentence: `The worst level is ${release.level}${by}; at most ${allowed} is allowed.${beforeText(status, before?.level)}`,
  }
}

/** The epsilon that the release shows beside the one that was stated for it. */
function claimCheck({ epsilon, delta, verdict, audit }: Claimed, then: Claimed | undefined): Check {
  const stated = `epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}`
  if (audit === null) return untested(`The stated ${stated}`, null, false, false, undefined)
  const before = then?.audit?.bound
  const status = statusOf(verdict === 'broken', before === undefined || audit.bound > before)
  const least = `at least ${audit.bound.toFixed(2)}`
  return {
    status,
    found: audit.bound,
    limit: epsilon,
    foundText: least,
    limitText: `at most ${epsilon}`,
    sentence: `Epsilon is ${least}; ${stated} was stated.${beforeText(status, before === undefined ? undefined : before.toFixed(2))}`,
  }
}

/** A threat with a level has a leakage with bounds, but for one by which nothing could leak: that has none. */
function threatChecks(threat: ThreatStanding, rule: ThreatRule, then: ThreatStanding | undefined): readonly Check[] {
  const { level } = threat
  const [leakage, upper] = [threat.leakage ?? 0, threat.upper ?? 0]
  const title = titleOf(threat)
  if (level === 'NOT ASSESSED')
    return [untested(capital(title), threat.reason, rule.mustBeTested, then?.level === 'NOT ASSESSED', then?.level)]
  const worse = then === undefined || hasGotWorse(threat, then)
  const wider = worse || then === undefined || hasWiderBound(upper, then)
  const is: Said = { say: (found) => `Leakage by ${title} is ${found}`, unit: 'share', side: 'max', prefix: '' }
  const mayBe: Said = { ...is, say: (found) => `Leakage by ${title} may be up to ${found}`, prefix: 'up to ' }
  const checks = [
    ...(rule.level === undefined ? [] : [levelCheck(threat, rule.level, worse, then?.level)]),
    ...(rule.leakage === undefined ? [] : [limitCheck(is, onScale(leakage), rule.leakage, worse, then?.leakage)]),
    ...(rule.bound === undefined ? [] : [limitCheck(mayBe, onScale(upper), rule.bound, wider, then?.upper)]),
  ]
  return checks.length > 0 ? checks : [tested(capital(title))]
}

function levelCheck(threat: ThreatStanding, limit: AllowedLevel, worse: boolean, before: Level | undefined): Check {
  const found = threat.level
  const status = statusOf(isWorse(found, limit), worse)
  const foundText = threat.leakage === null ? found : `${found} (${leakageText(threat.leakage)})`
  const sentence = `${capital(titleOf(threat))} is ${levelText(threat)}; at most ${limit} is allowed.${beforeText(status, before)}`
  return { status, found, limit, foundText, limitText: limit, sentence }
}

/** "HIGH, leakage 50 %". */
function levelText({ level, leakage }: ThreatStanding): string {
  return leakage === null ? level : `${level}, leakage ${leakageText(leakage)}`
}

function measureChecks(figure: Figure, unit: Unit, rule: MeasureRule, then: Figure | undefined): readonly Check[] {
  const { measure, target, value } = figure
  const title = target === null ? measure : `${measure} (${target})`
  if (value === null) return [untested(title, figure.reason, rule.mustBeTested, then?.value === null, undefined)]
  const before = then?.value ?? null
  const slack = halfWidth(then?.interval ?? figure.interval)
  const checks: Check[] = []
  for (const side of ['max', 'min'] as const) {
    const limit = rule[side]
    if (limit === undefined) continue
    const further = before === null || (side === 'max' ? value - before : before - value) > slack
    const say = (found: string) => `${title} is ${found}`
    checks.push(limitCheck({ say, unit, side, prefix: '' }, value, limit, further, before))
  }
  return checks.length > 0 ? checks : [tested(title)]
}

interface Said {
  readonly say: (found: string) => string
  readonly unit: Unit
  readonly side: 'max' | 'min'
  /** Before the number in a table. */
  readonly prefix: string
}

function limitCheck(
  { say, unit, side, prefix }: Said,
  value: number,
  limit: number,
  worse: boolean,
  before: number | null | undefined,
): Check {
  const status = statusOf(side === 'max' ? value > limit : value < limit, worse)
  const [foundText, limitText] = toldApart(value, limit, unit)
  const allowed = `${side === 'max' ? 'at most' : 'at least'} ${limitText}`
  const then = before == null ? undefined : toldApart(before, value, unit)[0]
  return {
    status,
    found: value,
    limit,
    foundText: `${prefix}${foundText}`,
    limitText: allowed,
    sentence: `${say(foundText)}; ${allowed} is allowed.${beforeText(status, then)}`,
  }
}

function untested(
  title: string,
  reason: Reason | null,
  must: boolean | undefined,
  wasUntested: boolean,
  before: Level | undefined,
): Check {
  const status = must !== true ? 'not tested' : wasUntested ? 'not worse' : 'fail'
  const was = before === undefined || before === 'NOT ASSESSED' ? '' : ` It was ${before} in the baseline.`
  return {
    status,
    found: null,
    limit: null,
    foundText: 'not tested',
    limitText: must === true ? 'tested' : '-',
    sentence:
      must === true
        ? `${title} must be tested, and was not.${was}${beforeText(status, undefined)}`
        : `${title} was not tested.${was}`,
    reason,
  }
}

/** The rule asks for no more than that it was tested. */
function tested(title: string): Check {
  const sentence = `${title} was tested.`
  return { status: 'pass', found: null, limit: null, foundText: 'tested', limitText: 'tested', sentence }
}

function statusOf(broken: boolean, worse: boolean): Check['status'] {
  return !broken ? 'pass' : worse ? 'fail' : 'not worse'
}

function isWorse(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) < LEVELS.indexOf(than)
}

function hasGotWorse(threat: ThreatStanding, then: ThreatStanding): boolean {
  if (isWorse(threat.level, then.level)) return true
  return threat.leakage !== null && (then.upper === null || onScale(threat.leakage) > onScale(then.upper))
}

/** A bound is an estimate too: as far off by chance as it lies from its leakage. */
function hasWiderBound(upper: number, then: ThreatStanding): boolean {
  if (then.upper === null || then.leakage === null) return true
  return onScale(upper) > then.upper + (then.upper - then.leakage)
}

/** More than the original itself gives away, nobody can: what lies above 1 is chance. */
function onScale(leakage: number): number {
  return Math.min(1, leakage)
}

const EXACT = 1e-9

function halfWidth(interval: Figure['interval']): number {
  return interval === null ? EXACT : Math.max(EXACT, (interval.upper - interval.lower) / 2)
}

function standingsOf({ threats }: ReleaseStanding, threat: Threat): readonly ThreatStanding[] {
  const own = threats.filter((one) => one.threat === threat)
  if (own.length > 0) return own
  return [{ threat, target: null, level: 'NOT ASSESSED', leakage: null, upper: null, reason: { code: 'not-asked' } }]
}

function figuresOf({ measures }: ReleaseStanding, measure: string): readonly Figure[] {
  const own = measures.filter((one) => one.measure === measure)
  if (own.length > 0) return own
  return [{ measure, target: null, value: null, interval: null, reason: { code: 'not-run', measure } }]
}

function titleOf({ threat, target }: Pick<ThreatStanding, 'threat' | 'target'>): string {
  const { title } = THREAT_TEXT[threat]
  return target === null ? title : `${title} (${target})`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function beforeText(status: GateStatus, before: string | undefined): string {
  if (status === 'not worse') return ` Not worse than the baseline${before === undefined ? '' : ` (${before})`}.`
  return status === 'fail' && before !== undefined ? ` The baseline has ${before}.` : ''
}

const MOST_DIGITS = 10

/** Two numbers with as many digits as it takes to see that they differ. */
function toldApart(a: number, b: number, unit: Unit): readonly [string, string] {
  let digits = 1
  while (a !== b && digits < MOST_DIGITS && numberText(a, unit, digits) === numberText(b, unit, digits)) digits++
  return [numberText(a, unit, digits), numberText(b, unit, digits)]
}

function numberText(value: number, unit: Unit, digits: number): string {
  if (unit === 'share' || unit === 'difference') return percent(value, digits)
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Number(value.toPrecision(digits + 2)).toString()
}

function waived(outcome: Outcome, waivers: readonly Waiver[], today: string): Outcome {
  if (outcome.status !== 'fail') return outcome
  const waiver = waivers.find((one) => covers(one, outcome) && one.expires >= today)
  if (waiver === undefined) return outcome
  const { name, expires, reason } = waiver
  return {
    ...outcome,
    status: 'waived',
    sentence: `${outcome.sentence} Waived by ${name} until ${expires}: ${reason}`,
  }
}

function covers({ rule, release, target }: Waiver, outcome: Outcome): boolean {
  return (
    rule === outcome.rule &&
    (release === undefined || release === outcome.release) &&
    (target === undefined || target === outcome.target)
  )
}

function waiverRemark(waiver: Waiver, outcomes: readonly Outcome[], today: string): readonly string[] {
  const { rule, release, target, name, expires } = waiver
  const what = `the waiver of ${rule}${target === undefined ? '' : ` (${target})`}${release === undefined ? '' : ` for ${release}`} by ${name}`
  if (expires < today) return [`${what} expired on ${expires} and does not count`]
  const covered = outcomes.filter((outcome) => covers(waiver, outcome))
  if (covered.length === 0) return [`${what} matches no rule and release`]
  const isNeeded = covered.some(({ status }) => status === 'fail' || status === 'not worse')
  return isNeeded ? [] : [`${what} is not needed: nothing that it covers is broken`]
}

/** A baseline of other releases, or of another question, is told: what it lets pass may be something else. */
function baselineRemarks(now: Standing, baseline: Standing): readonly string[] {
  const lists = [
    ['keys', [...now.keys, ...now.numericKeys], [...baseline.keys, ...baseline.numericKeys]],
    ['targets', now.targets, baseline.targets],
  ] as const
  return [
    ...now.releases
      .filter((release) => counterpart(release, now, baseline) === undefined)
      .map(({ name }) => `the baseline has no release ${name}: its rules hold in full`),
    ...lists
      .filter(([, own, other]) => [...own].sort().join('\n') !== [...other].sort().join('\n'))
      .map(
        ([what, own, other]) => `the baseline was made with ${what} ${listText(other)}, this run with ${listText(own)}`,
      ),
    ...(now.type === baseline.type ? [] : [`the baseline was made as ${baseline.type}, this run as ${now.type}`]),
  ]
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? '(none)' : names.join(', ')
}

/** A limit on the harmless side alone is allowed, but is likely to be a slip. */
function oddLimits({ measures = {} }: Policy, registry: readonly Described[]): readonly string[] {
  return Object.entries(measures).flatMap(([id, { min, max }]) => {
    const orientation = registry.find((measure) => measure.id === id)?.orientation
    if (orientation !== undefined && higherIsWorse(orientation) && min !== undefined && max === undefined)
      return [`measure:${id} has a min only, but higher is worse: max is the limit that protects`]
    if (orientation === 'utility' && max !== undefined && min === undefined)
      return [`measure:${id} has a max only, but higher is better: min is the limit that protects`]
    return []
  })
}

function unfinished(
  { overall, threats = {}, measures = {} }: Policy,
  { failed }: Standing,
  registry: readonly Described[],
): Gate['unfinished'] {
  const deciding = registry.filter(
    ({ role, threat }) => role === 'decides' && (overall !== undefined || (threat !== undefined && threat in threats)),
  )
  const ids = new Set([...Object.keys(measures), ...deciding.map(({ id }) => id)])
  return failed.filter(({ measure }) => ids.has(measure))
}
