import type { Leakage, ShareOfPeople } from '../evidence/evidence.js'
import { THREATS, type Threat } from '../evidence/threats.js'
import type { Reason } from '../reason.js'
import { normalQuantile } from '../stats/distributions.js'
import { BOUND_Z, SIGNIFICANCE } from '../stats/levels.js'
import { holm } from '../stats/tests/tests.js'

/**
 * The one judge: from what the measures that decide a threat have seen, on two scales with one-sided 95 % bounds. Leakage is
 * the share of what could leak; the effect itself, value - fair, is a share of people. With limits per threat and Holm's
 * correction over the threats,
 *   HIGH          significant, and the lower bound of leakage, corrected for all comparisons alike, reaches the high limit
 *   MODERATE      significant, and the upper bound of leakage reaches the limit from which it matters
 *   INCONCLUSIVE  not significant, but the upper bounds reach the high limit of leakage and the limit of people:
 *                 too little data to rule it out
 *   LOW           otherwise: too small to matter even if shown, or not shown and surely below one of the two
 *   NOT ASSESSED  nothing could be compared
 * What was left out never reassures. Texts that could hide people and that nothing explains leave identity INCONCLUSIVE: something
 * was looked at, nothing was found, and somebody can settle the rest. Where most columns were left out, a threat that rests on all
 * of them is NOT ASSESSED.
 * A threat may be looked at in several ways (against other people's records, against people outside, through a view). An alarm
 * of any stands, at a level shared between them (`LEVEL_OF_VIEWS`); without an alarm the most precise look at the release as it is
 * decides, so that a few outsiders more do not make a settled question open again. A look counts only if the original itself would concern
 * as many people as the limit says: where few coarse columns make people alike, nothing can leak, and the threat is LOW.
 * A look whose bounds are so wide that even the original itself would not be HIGH is none.
 */
export const LEVELS = ['HIGH', 'MODERATE', 'INCONCLUSIVE', 'LOW', 'NOT ASSESSED'] as const
export type Level = (typeof LEVELS)[number]

export interface Limits {
  /** From here on leakage matters. */
  readonly matters: number
  /** A lower bound from here on is HIGH. */
  readonly high: number
  /** Nothing is left open below so large a share of people. */
  readonly people: number
  /** A look counts if the original itself would concern so large a share of people. */
  readonly reach: number
}

/**
 * Sections 8.4 and 8.9 of the framework; copies of single people count from the first few. Who can be singled out, joined or traced
 * is somebody, however few they are: these looks count whatever their reach.
 */
export const LIMITS: Readonly<Record<Threat, Limits>> = {
  attribute: { matters: 0.05, high: 0.3, people: 0.05, reach: 0.05 },
  memorisation: { matters: 0.05, high: 0.3, people: 0.05, reach: 0.05 },
  'memorisation-tail': { matters: 0.01, high: 0.05, people: 0.05, reach: 0.05 },
  membership: { matters: 0.05, high: 0.2, people: 0.05, reach: 0.05 },
  'singling-out': { matters: 0.05, high: 0.2, people: 0.05, reach: 0 },
  linkability: { matters: 0.05, high: 0.2, people: 0.05, reach: 0 },
  identity: { matters: 0.05, high: 0.2, people: 0.05, reach: 0 },
}

/**
 * Of the level of a threat, what looks through views share where there are any. A disguise hides whole files, which are shown at any
 * level; copies of single people, who are not hidden, need all that there is: nine equal records have p = 1/2⁹.
 */
export const LEVEL_OF_VIEWS = 0.1

/** A name that stands in the release is somebody's: more of them than chance gives are HIGH, however few. */
export const LIMITS_OF_NAMES: Limits = { ...LIMITS.identity, matters: 0, high: 0 }

/** The limits that a look is judged by; before there is one, those of its threat. */
export function limitsOf(threat: Threat, look: Pick<Sight, 'namesPeople'> | null): Limits {
  return look?.namesPeople === true ? LIMITS_OF_NAMES : LIMITS[threat]
}

/**
 * What a look saw; a narrow one, which looks for a part of the threat only, can alarm and cannot reassure. A rescaled one has the p
 * of other looks, which have paid for it. One that names people sees their names or numbers themselves.
 */
interface Sight {
  readonly leakage: Leakage | null
  readonly shareOfPeople: ShareOfPeople | null
  readonly narrow?: boolean | undefined
  readonly rescaled?: boolean | undefined
  readonly namesPeople?: boolean | undefined
  /** Through which view it looks; nothing or null: at the release as it is. */
  readonly view?: string | null | undefined
}

/** What is known of one threat (of one target, where it is about one): all looks of the measures that decide it. */
export interface Question<Seen extends Sight = Sight> {
  readonly threat: Threat
  readonly looks: readonly Seen[]
  /** Looks that further evidence, a holdout, would allow. */
  readonly unasked?: { readonly asItIs: number; readonly throughViews: number }
  /** What was left out of the looks and may hide the threat. */
  readonly leftOut?: LeftOut | null
}

export interface Judgement<Seen> {
  readonly level: Level
  /** The look that decided; null when there was none. */
  readonly by: Seen | null
  /** p of the look, shared between looks and corrected over the threats. */
  readonly adjustedP: number | null
  /** By what its p is multiplied for that. */
  readonly correction: number | null
  /** Why it is so, where that is not in the numbers. */
  readonly because?: Because
}

type LeftOut = Extract<Reason, { readonly code: 'unexplained-columns' | 'columns-left-out' | 'sample' }>

/**
 * `too-few`: there are too few records, even the original itself would not be detected. `nothing-to-tell`: even the original
 * itself would tell no more than `atMost` of all people apart.
 */
type Because = { readonly code: 'too-few' } | { readonly code: 'nothing-to-tell'; readonly atMost: number } | LeftOut

/**
 * The judgements in the order of the questions. The correction is over all threats and all looks at each, whether they could be
 * asked or not: what was not asked has p = 1. So further evidence never takes an alarm away by making the family larger.
 */
export function judge<Seen extends Sight>(questions: readonly Question<Seen>[]): readonly Judgement<Seen>[] {
  const counted = questions.map(({ threat, looks }) => looks.filter((look) => counts(look, limitsOf(threat, look))))
  const sharing = questions.map(sharingOf)
  const factors = holmFactors(counted.map((looks, k) => sharedP(looks, sharing[k])))
  return questions.map(({ threat, looks, leftOut = null }, k) => {
    const decided = decide(counted[k], threat, factors[k], sharing[k])
    const isOpen = decided?.level === 'INCONCLUSIVE' && decided.by?.leakage === null
    const settled = decided === null || isOpen ? nothingToTell(looks, LIMITS[threat]) : null
    return withLeftOut(settled ?? decided ?? undecided(looks), leftOut)
  })
}

/** An alarm stands whatever was left out. */
function withLeftOut<Seen>(judgement: Judgement<Seen>, leftOut: LeftOut | null): Judgement<Seen> {
  if (leftOut === null || isAlarm(judgement.level)) return judgement
  return leftOut.code === 'columns-left-out'
    ? { level: 'NOT ASSESSED', by: null, adjustedP: null, correction: null, because: leftOut }
    : { ...judgement, level: 'INCONCLUSIVE', because: leftOut }
}

/** The worst level of those that were assessed; what is the original itself is HIGH whatever the measures can see of it. */
export function worstLevel(levels: readonly Level[], isCopy: boolean): Level {
  if (isCopy) return 'HIGH'
  return LEVELS.find((level) => levels.includes(level)) ?? 'NOT ASSESSED'
}

/** Ready for sorting: the worst level first. */
export function byLevel(a: { readonly level: Level }, b: { readonly level: Level }): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)
}

interface Weighed {
  readonly level: Level
  readonly leakage: number | null
}

/** Ready for sorting threats: the worst level first, of one level the largest leakage. */
export function worstFirst(a: Weighed, b: Weighed): number {
  const leakage = (one: Weighed) => one.leakage ?? Number.NEGATIVE_INFINITY
  return byLevel(a, b) || leakage(b) - leakage(a) || 0
}

export function isAlarm(level: Level): boolean {
  return level === 'HIGH' || level === 'MODERATE'
}

/**
 * What a changed release may claim of a threat: who sees less has not become safer. A threat that can no longer be assessed stays
 * as it was, and an alarm that has become an open question is no better than the mildest alarm.
 */
export function levelAfter(before: Level, now: Level): Level {
  if (now === 'NOT ASSESSED') return before
  return now === 'INCONCLUSIVE' && isAlarm(before) ? 'MODERATE' : now
}

/** One look, given whether it is significant and with how many it shares the level. */
export function levelOf(
  { leakage, shareOfPeople }: Sight,
  significant: boolean,
  limits: Limits,
  correction = 1,
): Level {
  if (significant && leakage !== null) {
    if (correctedLower(leakage, correction) >= limits.high) return 'HIGH'
    return leakage.upper >= limits.matters ? 'MODERATE' : 'LOW'
  }
  const couldBeHigh = leakage === null || leakage.upper >= limits.high
  const couldBeMany = shareOfPeople === null || shareOfPeople.upper >= limits.people
  return couldBeHigh && couldBeMany ? 'INCONCLUSIVE' : 'LOW'
}

/** The lower bound as far from the value as a bound at the level shared alike between all comparisons is. */
export function correctedLower({ value, lower }: Pick<Leakage, 'value' | 'lower'>, correction: number): number {
  return value - (value - lower) * (normalQuantile(1 - SIGNIFICANCE / correction) / BOUND_Z)
}

/** How many times as many records would bring an upper bound of nothing below its limit; null if enough are there. */
export function timesMoreRecords({ leakage, shareOfPeople }: Sight, { high, people }: Limits): number | null {
  const onScale = (se: number | null | undefined, limit: number) => (se == null ? [] : [(BOUND_Z * (se / limit)) ** 2])
  const times = Math.min(...onScale(leakage?.se, high), ...onScale(shareOfPeople?.se, people))
  return times > 1 && times < Number.POSITIVE_INFINITY ? times : null
}

interface Sharing {
  /** How many looks share the level. */
  readonly looks: number
  /** By what the p of a look is multiplied for the others: Bonferroni, with two weights. */
  readonly weighted: (look: Sight) => number
}

function sharingOf({ looks, unasked = { asItIs: 0, throughViews: 0 } }: Question): Sharing {
  const tests = looks.filter(({ rescaled }) => rescaled !== true)
  const throughViews = tests.filter(isThroughView).length + unasked.throughViews
  const asItIs = Math.max(1, tests.length + unasked.asItIs + unasked.throughViews - throughViews)
  if (throughViews === 0) return { looks: asItIs, weighted: () => asItIs }
  return {
    looks: asItIs + throughViews,
    weighted: (look) => (isThroughView(look) ? throughViews / LEVEL_OF_VIEWS : asItIs / (1 - LEVEL_OF_VIEWS)),
  }
}

const isThroughView = ({ view }: Sight) => (view ?? null) !== null

/** `factor` is Holm's for the threat. */
function decide<Seen extends Sight>(
  looks: readonly Seen[],
  threat: Threat,
  factor: number,
  sharing: Sharing,
): Judgement<Seen> | null {
  const judged = looks.map((look) => {
    const correction = factor * sharing.weighted(look)
    const adjustedP = Math.min(1, correction * (look.leakage?.p ?? 1))
    const level = levelOf(look, adjustedP < SIGNIFICANCE, limitsOf(threat, look), factor * sharing.looks)
    return { level, by: look, adjustedP, correction }
  })
  const alarms = judged
    .filter(({ level }) => isAlarm(level))
    .sort((a, b) => byLevel(a, b) || lowerOf(b.by) - lowerOf(a.by))
  const broad = judged.filter(({ by }) => by.narrow !== true).sort((a, b) => widthOf(a.by) - widthOf(b.by))
  return alarms[0] ?? broad[0] ?? null
}

const lowerOf = ({ leakage }: Sight) => leakage?.lower ?? Number.NEGATIVE_INFINITY
const widthOf = ({ leakage }: Sight) => (leakage === null ? Number.POSITIVE_INFINITY : leakage.upper - leakage.lower)

/** Could the original itself, whose leakage is 1, be found out through this look, and of people enough? */
function counts({ leakage, shareOfPeople }: Sight, { high, reach }: Limits): boolean {
  if (reach > 0 && (shareOfPeople === null || shareOfPeople.reach < reach)) return false
  if (leakage === null) return reach > 0
  return 1 - (leakage.value - leakage.lower) >= high
}

/**
 * LOW where a look says that the original itself would tell nobody apart; a look at fewer people, in which it seems to tell some
 * and which has no scale, does not open that question again.
 */
function nothingToTell<Seen extends Sight>(looks: readonly Seen[], { reach }: Limits): Judgement<Seen> | null {
  const shares = looks.flatMap(({ narrow, shareOfPeople }) => (narrow === true ? [] : (shareOfPeople ?? [])))
  const settled = shares.filter((share) => share.reach < reach)
  if (settled.length === 0) return null
  const atMost = Math.min(1, Math.max(...settled.map((share) => share.reach + BOUND_Z * (share.se ?? 0))))
  return { level: 'LOW', ...NOBODY, because: { code: 'nothing-to-tell', atMost } }
}

/** Where no look counts: too few records, or nothing compared at all. */
function undecided<Seen extends Sight>(looks: readonly Seen[]): Judgement<Seen> {
  const isSeen = looks.some(({ leakage, narrow }) => leakage !== null && narrow !== true)
  return { level: 'NOT ASSESSED', ...NOBODY, ...(isSeen ? { because: { code: 'too-few' } } : {}) }
}

const NOBODY = { by: null, adjustedP: null, correction: null }

/** The smallest p of several looks, each multiplied for the others. */
function sharedP(looks: readonly Sight[], { weighted }: Sharing): number {
  return Math.min(1, ...looks.map((look) => weighted(look) * (look.leakage?.p ?? 1)))
}

/** By what each p is multiplied under Holm's correction over all threats: adjusted / p. */
function holmFactors(pValues: readonly number[]): number[] {
  const family = [...pValues, ...Array(Math.max(0, THREATS.length - pValues.length)).fill(1)]
  const adjusted = holm(family)
  return pValues.map((p, k) => (p > 0 ? adjusted[k] / p : family.length))
}
