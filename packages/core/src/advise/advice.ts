import { byLevel } from '../assess/judge.js'
import { planText } from './change.js'
import { CONFIRMED, confirm, type SearchOptions, type Tried } from './search.js'
import type { Laboratory } from './trial.js'

/**
 * What came out of a search. The front: plans of which no other is at once as safe and as useful. The few best of them are made
 * anew from other random numbers and measured with others again: the best of many trials looks better than it is, for it was
 * partly chosen for its luck. What is recommended rests on the worse of its two verdicts.
 */
export interface Advice {
  readonly base: Tried
  readonly tried: readonly Tried[]
  readonly front: readonly Tried[]
  /** The finalists again, in the order in which they are recommended; empty when the search was interrupted. */
  readonly confirmed: readonly Confirmed[]
  /** The best of them; null when nothing brings a better verdict. */
  readonly recommended: Confirmed | null
}

export interface Confirmed {
  readonly tried: Tried
  readonly again: Tried
  /** The worse of the two. */
  readonly level: Tried['improvement']['level']
}

export function adviceOf(all: readonly Tried[]): Advice {
  const [base, ...tried] = all
  return { base, tried, front: frontOf(all).filter((one) => one !== base), confirmed: [], recommended: null }
}

export async function confirmed(advice: Advice, lab: Laboratory, options: SearchOptions): Promise<Advice> {
  const repeated = (await confirm(lab, finalists(advice), options)).map(({ tried, again }) => ({
    tried,
    again,
    level: byLevel(tried.improvement, again.improvement) < 0 ? tried.improvement.level : again.improvement.level,
  }))
  const best = [...repeated].sort((a, b) => byLevel(b, a) || utilityOf(b.again) - utilityOf(a.again))
  const recommended = best.find(({ level }) => byLevel({ level }, advice.base.improvement) > 0) ?? null
  return { ...advice, confirmed: best, recommended }
}

/** Of each better verdict the most useful plan, best verdict first; then what else lies on the front. */
function finalists({ base, front }: Advice): readonly Tried[] {
  const better = front.filter((one) => byLevel(one.improvement, base.improvement) > 0)
  const levels = [...new Set(better.map(({ improvement }) => improvement.level))]
  const firsts = levels
    .map(
      (level) =>
        better.filter(({ improvement }) => improvement.level === level).sort((a, b) => utilityOf(b) - utilityOf(a))[0],
    )
    .sort((a, b) => byLevel(b.improvement, a.improvement))
  const others = better.filter((one) => !firsts.includes(one)).sort((a, b) => utilityOf(b) - utilityOf(a))
  return [...firsts, ...others].slice(0, CONFIRMED)
}

/** Safest first; equals stay together. */
function frontOf(all: readonly Tried[]): readonly Tried[] {
  const risk = (a: Tried, b: Tried) =>
    byLevel(b.improvement, a.improvement) || a.improvement.severity - b.improvement.severity
  return all
    .filter((one) => !all.some((other) => dominates(other, one)))
    .sort((a, b) => risk(a, b) || planText(a.trial.plan).length - planText(b.trial.plan).length)
}

/** As good in verdict, severity and utility, and better in one of them. */
function dominates(a: Tried, b: Tried): boolean {
  const gaps = [
    byLevel(a.improvement, b.improvement),
    b.improvement.severity - a.improvement.severity,
    utilityOf(a) - utilityOf(b),
  ]
  return gaps.every((gap) => gap >= 0) && gaps.some((gap) => gap > 0)
}

const utilityOf = ({ trial }: Tried) => trial.utility.score ?? 0
