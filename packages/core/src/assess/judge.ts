import type { Leakage } from '../evidence/evidence.js'
import type { Threat } from '../evidence/threats.js'
import { normalQuantile } from '../stats/distributions.js'
import { holm } from '../stats/tests.js'

/**
 * The one judge: from the leakage of the measure that decides a threat, with one-sided 95 % bounds, two limits per threat
 * and Holm's correction over the threats,
 *   HIGH          significant, and the lower bound reaches the high limit
 *   MODERATE      significant, and the upper bound reaches the limit from which it matters
 *   INCONCLUSIVE  not significant, but the upper bound reaches the high limit: too little data to rule it out
 *   LOW           otherwise: too small to matter even if shown, or not shown and surely below the high limit
 *   NOT ASSESSED  nothing could be compared
 * A threat may be looked at in several ways (against other people's records, against people outside). An alarm of any
 * stands, at a level shared between them; without an alarm the most precise look decides, so that a few outsiders more
 * do not make a settled question open again. A look through which even the original itself would not be HIGH is none.
 */
export const LEVELS = ['HIGH', 'MODERATE', 'INCONCLUSIVE', 'LOW', 'NOT ASSESSED'] as const
export type Level = (typeof LEVELS)[number]

export interface Limits {
  /** From here on leakage matters. */
  readonly matters: number
  /** A lower bound from here on is HIGH. */
  readonly high: number
}

/** Section 8.4 of the framework; copies of single people count from the first few. */
export const LIMITS: Readonly<Record<Threat, Limits>> = {
  attribute: { matters: 0.05, high: 0.3 },
  memorisation: { matters: 0.05, high: 0.3 },
  'memorisation-tail': { matters: 0.01, high: 0.05 },
  membership: { matters: 0.05, high: 0.2 },
  'singling-out': { matters: 0.05, high: 0.2 },
  linkability: { matters: 0.05, high: 0.2 },
  identity: { matters: 0.05, high: 0.2 },
}

export const SIGNIFICANCE = 0.05

/** What a look saw; a narrow one, which looks for a part of the threat only, can alarm and cannot reassure. */
interface Sight {
  readonly leakage: Leakage | null
  readonly narrow?: boolean
}

/** What is known of one threat (of one target, where it is about one): all looks of the measures that decide it. */
export interface Question<Seen extends Sight = Sight> {
  readonly threat: Threat
  readonly looks: readonly Seen[]
}

export interface Judgement<Seen> {
  readonly level: Level
  /** The look that decided; null when there was none. */
  readonly by: Seen | null
  /** p of the look, shared between looks and corrected over the threats. */
  readonly adjustedP: number | null
  /** Why nothing was decided though there were looks. */
  readonly reason?: string
}

/** The judgements in the order of the questions; questions without a look take no part in the correction. */
export function judge<Seen extends Sight>(questions: readonly Question<Seen>[]): readonly Judgement<Seen>[] {
  const seen = questions.map(({ threat, looks }) => looks.filter(({ leakage }) => canBeHigh(leakage, LIMITS[threat])))
  const asked = seen.flatMap((looks, k) => (looks.length > 0 ? [k] : []))
  const factors = holmFactors(asked.map((k) => sharedP(seen[k])))
  return questions.map(({ threat, looks }, k) => {
    const place = asked.indexOf(k)
    if (place < 0) return { level: 'NOT ASSESSED', by: null, adjustedP: null, ...tooFew(looks) }
    return decide(seen[k], LIMITS[threat], factors[place])
  })
}

/** Ready for sorting: the worst level first. */
export function byLevel(a: { readonly level: Level }, b: { readonly level: Level }): number {
  return LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)
}

export function isAlarm(level: Level): boolean {
  return level === 'HIGH' || level === 'MODERATE'
}

/** One look, given whether it is significant. */
export function levelOf(
  { lower, upper }: Pick<Leakage, 'lower' | 'upper'>,
  significant: boolean,
  limits: Limits,
): Level {
  if (significant && lower >= limits.high) return 'HIGH'
  if (significant && upper >= limits.matters) return 'MODERATE'
  if (!significant && upper >= limits.high) return 'INCONCLUSIVE'
  return 'LOW'
}

const BOUND_Z = normalQuantile(0.95)

/** How many times as many records would bring the upper bound of no leakage below the high limit; null if enough are there. */
export function timesMoreRecords({ se }: Pick<Leakage, 'se'>, { high }: Limits): number | null {
  if (se === null) return null
  const times = (BOUND_Z * (se / high)) ** 2
  return times > 1 ? times : null
}

function decide<Seen extends Sight>(looks: readonly Seen[], limits: Limits, factor: number): Judgement<Seen> {
  const judged = looks.flatMap((look) => {
    const { leakage } = look
    if (leakage === null) return []
    const adjustedP = Math.min(1, factor * looks.length * leakage.p)
    const level = levelOf(leakage, adjustedP < SIGNIFICANCE, limits)
    return [{ level, by: look, adjustedP, width: leakage.upper - leakage.lower, lower: leakage.lower }]
  })
  const alarms = judged.filter(({ level }) => isAlarm(level)).sort((a, b) => byLevel(a, b) || b.lower - a.lower)
  const broad = judged.filter(({ by }) => by.narrow !== true).sort((a, b) => a.width - b.width)
  const [decisive] = [...alarms, ...broad]
  if (decisive === undefined) return { level: 'NOT ASSESSED', by: null, adjustedP: null, reason: TOO_FEW }
  const { level, by, adjustedP } = decisive
  return { level, by, adjustedP }
}

/** Would the original itself, whose leakage is 1, be HIGH with bounds as wide as these? */
function canBeHigh(leakage: Leakage | null, { high }: Limits): boolean {
  return leakage !== null && 1 - (leakage.value - leakage.lower) >= high
}

const TOO_FEW = 'there are too few records: even the original itself would not be found out'

function tooFew(looks: readonly { readonly leakage: Leakage | null }[]): { reason?: string } {
  if (!looks.some(({ leakage }) => leakage !== null)) return {}
  return { reason: TOO_FEW }
}

/** The smallest p of several looks, shared between them. */
function sharedP(looks: readonly { readonly leakage: Leakage | null }[]): number {
  return Math.min(1, looks.length * Math.min(...looks.map(({ leakage }) => leakage?.p ?? 1)))
}

/** By what each p is multiplied under Holm's correction: adjusted / p. */
function holmFactors(pValues: readonly number[]): number[] {
  const adjusted = holm(pValues)
  return pValues.map((p, k) => (p > 0 ? adjusted[k] / p : pValues.length))
}
