import { rowsByGroup } from '@scrim/kernels'
import type { ReleaseSpace } from '../../../neighbors/release-space.js'
import type { Found } from '../../../neighbors/search.js'
import { TIE } from '../../../neighbors/space.js'
import { type Searched, searched, searchOf, type Where } from '../../../neighbors/tasks.js'
import { countBelow } from '../../../stats/sorted.js'
import type { Task } from '../../../tasks/task.js'
import type { Targets } from '../targets.js'
import type { CorrectGuesses } from './correct-guesses.js'

/**
 * What the released records nearest to somebody say about a secret, and how likely that is right. Equally near records
 * speak with equal weight, so a guess is a distribution over secrets, and success the part of it that is correct.
 */
interface Guesses extends Searched {
  readonly secrets: SecretsAt
  readonly correct: CorrectGuesses
  readonly rule: GuessRule
  readonly k: number
}

/** nn1: the secret of the nearest record. knn: the most frequent, or for numbers the median, of the k nearest. */
type GuessRule = 'nn1' | 'knn'

/** Secrets of the released records at each point: how many have which, ascending. Secrets are codes, 0 is missing. */
interface SecretsAt {
  readonly start: Int32Array
  readonly secret: Int32Array
  readonly records: Int32Array
}

export async function guesses(
  where: Where,
  space: ReleaseSpace,
  released: Int32Array,
  correct: CorrectGuesses,
  rule: GuessRule,
  k: number,
): Promise<Guesses> {
  return {
    ...(await searched(where, space, space.released)),
    secrets: secretsAt(space.released.ids, space.count, released, correct.first.length),
    correct,
    rule,
    k: rule === 'nn1' ? 1 : Math.min(k, released.length),
  }
}

/** Numbers per target: the chance that the guess is correct, and 1 if there were more than k nearest records, else 0. */
export const GUESS_WIDTH = 2

/** Targets are the point of what is known and the secret. */
export const guessesTask: Task<Guesses, Targets, Float64Array> = {
  name: 'guesses of a secret',
  run(shared, { first, second }) {
    const { correct, rule, k } = shared
    const { nearest } = searchOf(shared)
    const output = new Float64Array(first.length * GUESS_WIDTH)
    let said: Said | undefined
    let guess: Distribution | undefined
    for (let at = 0; at < first.length; at++) {
      if (said === undefined || guess === undefined || first[at] !== first[at - 1]) {
        said = secretsOf(nearest(first[at], k), shared)
        guess = rule === 'nn1' ? said : correct.numeric ? median(said) : mode(said)
      }
      output[at * GUESS_WIDTH] = within(guess, correct.first[second[at]], correct.last[second[at]])
      output[at * GUESS_WIDTH + 1] = said.tied ? 1 : 0
    }
    return output
  },
}

function secretsAt(points: Int32Array, count: number, secretOf: Int32Array, secrets: number): SecretsAt {
  const bySecret = rowsByGroup(secretOf, secrets).rows
  const { rows, start: rowStart } = rowsByGroup(
    bySecret.map((row) => points[row]),
    count,
  )
  const start = new Int32Array(count + 1)
  const secret = new Int32Array(rows.length)
  const records = new Int32Array(rows.length)
  let end = 0
  for (let point = 0; point < count; point++) {
    for (let at = rowStart[point]; at < rowStart[point + 1]; at++) {
      const said = secretOf[bySecret[rows[at]]]
      if (end === start[point] || secret[end - 1] !== said) secret[end++] = said
      records[end - 1]++
    }
    start[point + 1] = end
  }
  return { start, secret: secret.slice(0, end), records: records.slice(0, end) }
}

/** Secrets, ascending, and the weight of all up to each. */
interface Distribution {
  readonly secret: Int32Array
  readonly upTo: Float64Array
}

interface Said extends Distribution {
  /** Whether there are more than k records to choose from. */
  readonly tied: boolean
}

/** The k nearest records, those that tie for the last places with the weight that is left to them. */
function secretsOf({ count, points, sums, kth }: Found, { secrets, k }: Guesses): Said {
  const { start } = secrets
  const records = (from: number, to: number) => {
    let sum = 0
    for (let place = from; place < to; place++)
      for (let at = start[points[place]]; at < start[points[place] + 1]; at++) sum += secrets.records[at]
    return sum
  }
  let sure = 0
  while (sure < count && sums[sure] < kth - TIE) sure++
  const share = (k - records(0, sure)) / records(sure, count)
  const said: { secret: number; weight: number }[] = []
  for (let place = 0; place < count; place++) {
    const weight = place < sure ? 1 : share
    for (let at = start[points[place]]; at < start[points[place] + 1]; at++)
      said.push({ secret: secrets.secret[at], weight: weight * secrets.records[at] })
  }
  return { ...distribution(said.sort((a, b) => a.secret - b.secret)), tied: share < 1 }
}

function distribution(said: readonly { readonly secret: number; readonly weight: number }[]): Distribution {
  const upTo = new Float64Array(said.length)
  let sum = 0
  for (let place = 0; place < said.length; place++) upTo[place] = sum += said[place].weight
  return { secret: Int32Array.from(said, ({ secret }) => secret), upTo }
}

/** The part of the weight on secrets from `first` to `last`. */
function within({ secret, upTo }: Distribution, first: number, last: number): number {
  const below = countBelow(secret, first)
  const to = countBelow(secret, last + 1)
  if (to === below) return 0
  return (upTo[to - 1] - (below === 0 ? 0 : upTo[below - 1])) / upTo[upTo.length - 1]
}

/** The secrets with the most weight, each as likely. */
function mode({ secret, upTo }: Distribution): Distribution {
  const weights = new Map<number, number>()
  for (let place = 0; place < secret.length; place++) {
    const weight = upTo[place] - (place === 0 ? 0 : upTo[place - 1])
    weights.set(secret[place], (weights.get(secret[place]) ?? 0) + weight)
  }
  const most = Math.max(...weights.values())
  const modes = [...weights.keys()].filter((one) => (weights.get(one) ?? 0) >= most - TIE)
  return distribution(modes.map((one) => ({ secret: one, weight: 1 })))
}

/** The lower and the upper median of the known secrets, each as likely; missing when most are. */
function median({ secret, upTo }: Distribution): Distribution {
  const all = upTo[upTo.length - 1]
  const known = countBelow(secret, 1)
  const missing = known === 0 ? 0 : upTo[known - 1]
  if (missing > all / 2) return distribution([{ secret: 0, weight: 1 }])
  const half = (missing + all) / 2
  const at = (reached: (weight: number) => boolean) => {
    let place = known
    while (place < secret.length - 1 && !reached(upTo[place])) place++
    return secret[place]
  }
  const lower = at((weight) => weight >= half - TIE)
  const upper = at((weight) => weight > half + TIE)
  return distribution([lower, upper].map((one) => ({ secret: one, weight: 0.5 })))
}
