import type { Because, Reason } from './reason.js'

/**
 * A mistake in what the user gave. Every problem found is in `problems`, one sentence each, so that all of them are
 * reported at once; the command line prints them and exits with code 2.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[]) {
    const list = typeof problems === 'string' ? [problems] : problems
    super(list.join('\n'))
    this.problems = list
  }
}

/** What holds the data gave up: a lost connection, a full disk. Nobody's mistake; the same command may succeed later. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure'
}

/** Thrown by a measure that has no meaning on this data (no records left, constant target); the run goes on. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
  readonly reason: Reason

  constructor(because: Because) {
    const reason = reasonOf(because)
    super(reason.text ?? reason.code)
    this.reason = reason
  }
}

export function reasonOf(because: Because): Reason {
  return typeof because === 'string' ? { code: 'data', text: because } : because
}

/** The candidate nearest to `name` by edit distance, if it is near enough to be a slip of the pen. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** More names than a person looks through. */
const MANY_NAMES = 20
const NEAREST = 5

/** `unknown <what> "<name>"` with the nearest valid name; when none is near, with all of them or, of many, the few nearest. */
export function unknownName(what: string, name: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return `unknown ${what} "${name}"`
  const near = nearestName(name, candidates)
  const others =
    candidates.length > MANY_NAMES
      ? `the nearest are: ${likest(name, candidates).join(', ')}`
      : `there is: ${candidates.join(', ')}`
  const hint = near === undefined ? others : `did you mean "${near}"?`
  return `unknown ${what} "${name}"; ${hint}`
}

/** What is wrong with the names that are none of the candidates. */
export function unknownNames(what: string, names: readonly string[], candidates: readonly string[]): string[] {
  return names.filter((name) => !candidates.includes(name)).map((name) => unknownName(what, name, candidates))
}

/** The candidate that has this name; it is the user's mistake where none has. */
export function knownName<Name extends string>(what: string, name: string, candidates: readonly Name[]): Name {
  const known = candidates.find((candidate) => candidate === name)
  if (known === undefined) throw new UserError(unknownName(what, name, candidates))
  return known
}

/** The one with this id, in the same way. */
export function byId<Item extends { readonly id: string }>(what: string, id: string, items: readonly Item[]): Item {
  const ids = items.map((item) => item.id)
  return items[ids.indexOf(knownName(what, id, ids))]
}

/** The names that have the most in common: first those that hold it or are held by it, then by edit distance. */
function likest(name: string, candidates: readonly string[]): readonly string[] {
  const given = name.toLowerCase()
  const holds = (one: string) => one.toLowerCase().includes(given) || given.includes(one.toLowerCase())
  return candidates
    .map((one) => ({ one, isLike: holds(one), distance: editDistance(given, one.toLowerCase()) }))
    .sort((a, b) => Number(b.isLike) - Number(a.isLike) || a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ one }) => one)
}

/** Letters to replace, insert or leave out, and neighbours to swap, until one name is the other (Damerau 1964). */
function editDistance(a: string, b: string): number {
  let beforeThat: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? beforeThat[j - 2] + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(substitution, previous[j] + 1, current[j - 1] + 1, swap))
    }
    beforeThat = previous
    previous = current
  }
  return previous[b.length]
}
