import { byLevel } from '../assess/judge.js'
import { UserError } from '../errors.js'
import type { AbortSignalLike } from '../tasks/task.js'
import { type Change, planText, withChange } from './change.js'
import { type Improvement, improvementOf } from './improvement.js'
import { proposals } from './proposals.js'
import type { Laboratory, Seeds, Trial } from './trial.js'
import { type Difference, utilityDifference } from './utility-gauge.js'

/** A plan that was tried, beside the release as it is. */
export interface Tried {
  readonly trial: Trial
  readonly improvement: Improvement
  readonly utilityChange: Difference | null
}

export interface SearchOptions {
  readonly signal?: AbortSignalLike | undefined
  readonly seeds: Seeds
  /** Most plans to try. */
  readonly trials: number
  /** Whether there is time for another trial, given how many there will be after it in any case. */
  readonly hasTime?: ((after: number) => boolean) | undefined
  /** Plans that leave less utility are not built upon. */
  readonly leastUtility?: number | undefined
  readonly trying?: ((what: string, done: number) => void) | undefined
}

/** Finalists that are made anew and measured again, and the release as it is. */
export const CONFIRMED = 3
const LEAST_UTILITY = 0.5
/** A step must lessen the burden by this share to be built upon. */
const WORTH = 0.05
/** So that a step that costs nothing measurable is not infinitely good. */
const FREE = 0.02
/** Most changes of a round after the first. */
const PER_ROUND = 6
const MOST_ROUNDS = 5

/**
 * Tries every kind of change alone in its middle dose, then builds on the best: a plan that brings a better verdict is taken
 * first, of several the most useful; without one, the plan that takes away most burden for what it costs in utility. Around
 * it the other changes that helped, and other doses of its own, are tried in the order of what they promised alone, round
 * after round, until the verdict is LOW, nothing helps, or the budget is spent. Once a better verdict is found, weaker doses
 * and fewer changes are tried too, which may keep more. Greedy: a pair of changes that help only together is not found.
 * The first that is given is the release as it is.
 */
export async function* search(lab: Laboratory, options: SearchOptions): AsyncGenerator<Tried, void, undefined> {
  const { input } = lab
  const base = await attempt(lab, [], undefined, options)
  if (base === null) throw new UserError('the release as it is cannot be assessed')
  yield base
  const all = proposals(input.opened.release, input.files)
  const done = new Map<string, Tried>([[planText([]), base]])
  const affordable = () =>
    done.size <= options.trials &&
    options.signal?.aborted !== true &&
    (options.hasTime?.(1 + Math.min(CONFIRMED, done.size)) ?? true)
  async function* tryAll(plans: readonly (readonly Change[])[]) {
    for (const plan of plans) {
      const name = planText(plan)
      if (done.has(name) || !affordable()) continue
      options.trying?.(name, done.size)
      const tried = await attempt(lab, plan, base ?? undefined, options)
      if (tried === null) continue
      done.set(name, tried)
      yield tried
    }
  }

  yield* tryAll(all.filter(({ first }) => first).map((change) => [change]))
  let current = base
  for (let round = 0; round < MOST_ROUNDS && affordable(); round++) {
    const best = bestNext(current, [...done.values()], options.leastUtility ?? LEAST_UTILITY)
    if (best === null) return
    current = best
    const { plan } = current.trial
    if (current.improvement.level === 'LOW') {
      yield* tryAll([...leavingOut(plan), ...otherDoses(plan, all)])
      return
    }
    const helpful = promising(base, all, done).filter((change) => !plan.includes(change))
    yield* tryAll(helpful.slice(0, PER_ROUND).map((change) => withChange(plan, change)))
    if (round > 0) yield* tryAll(leavingOut(plan))
  }
}

async function attempt(
  lab: Laboratory,
  plan: readonly Change[],
  base: Tried | undefined,
  { seeds, signal }: SearchOptions,
): Promise<Tried | null> {
  try {
    const trial = await lab.try(plan, seeds)
    const before = base?.trial ?? trial
    return {
      trial,
      improvement: improvementOf(before.assessment, trial.assessment),
      utilityChange: base === undefined ? null : utilityDifference(before.utility, trial.utility),
    }
  } catch (error) {
    // A method may find that it cannot do its work on these data; then there is nothing to advise.
    if (error instanceof UserError && signal?.aborted !== true && plan.length > 0) return null
    throw error
  }
}

/** Measured again with other draws, and made anew with others: nothing of it was selected. */
export async function confirm(
  lab: Laboratory,
  finalists: readonly Tried[],
  options: SearchOptions,
): Promise<readonly { readonly tried: Tried; readonly again: Tried }[]> {
  if (finalists.length === 0) return []
  const base = await attempt(lab, [], undefined, options)
  if (base === null) throw new Error('the release as it is was assessed before')
  const confirmed: { tried: Tried; again: Tried }[] = []
  for (const tried of finalists) {
    const again = await attempt(lab, tried.trial.plan, base, options)
    if (again !== null) confirmed.push({ tried, again })
  }
  return confirmed
}

/** A better verdict, the most useful of them; or else most burden less for its cost; null when nothing is worth it. */
function bestNext(from: Tried, tried: readonly Tried[], least: number): Tried | null {
  const useful = tried.filter(
    ({ trial }) => (trial.utility.score ?? 0) >= Math.min(least, from.trial.utility.score ?? 0),
  )
  const better = useful.filter(
    (one) => byLevel(one.improvement, from.improvement) > 0 && one.improvement.burden < from.improvement.burden,
  )
  if (better.length > 0) return [...better].sort((a, b) => scoreOf(b) - scoreOf(a))[0]
  const gain = (one: Tried) => from.improvement.burden - one.improvement.burden
  const cost = (one: Tried) => Math.max(FREE, scoreOf(from) - scoreOf(one))
  const [best] = useful
    .filter((one) => byLevel(one.improvement, from.improvement) === 0 && gain(one) > WORTH * from.improvement.burden)
    .sort((a, b) => gain(b) / cost(b) - gain(a) / cost(a))
  return best ?? null
}

const scoreOf = ({ trial }: Tried) => trial.utility.score ?? 0

/** All doses of the changes that helped alone, those with most gain for their cost first. */
function promising(base: Tried, all: readonly Change[], done: ReadonlyMap<string, Tried>): readonly Change[] {
  const worth = (change: Change) => {
    const alone = all.find(({ slot, first }) => slot === change.slot && first)
    const tried = alone === undefined ? undefined : done.get(planText([alone]))
    if (tried === undefined) return Number.NEGATIVE_INFINITY
    const gain = base.improvement.burden - tried.improvement.burden
    return gain <= 0 ? Number.NEGATIVE_INFINITY : gain / Math.max(FREE, scoreOf(base) - scoreOf(tried))
  }
  return [...all].filter((change) => worth(change) > 0).sort((a, b) => worth(b) - worth(a))
}

function leavingOut(plan: readonly Change[]): (readonly Change[])[] {
  return plan.length < 2 ? [] : plan.map((change) => plan.filter((other) => other !== change))
}

function otherDoses(plan: readonly Change[], all: readonly Change[]): (readonly Change[])[] {
  return plan.flatMap((change) =>
    all
      .filter(
        ({ slot }) =>
          slot === change.slot && !plan.some((one) => one.slot === slot && one.what === change.what && one !== change),
      )
      .filter((other) => other !== change)
      .map((other) => withChange(plan, other)),
  )
}
