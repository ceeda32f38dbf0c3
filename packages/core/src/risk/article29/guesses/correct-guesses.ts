import { countIds } from '@scrim/kernels'
import type { JointColumn } from '../../../table/joint.js'

/**
 * Which guesses of a secret are right. A secret is the code of its value plus one, 0 is missing, and codes of numbers are in
 * their order, so the right guesses for a secret are all codes from `first` to `last`: the secret alone for categories and
 * for missing, and for numbers those within the tolerance, |g - s| ≤ tolerance * base with base |g|, |s| or the range of
 * the real values. With a tolerance below 1 no number lies between a right guess and the secret without being right.
 */
export interface CorrectGuesses {
  readonly numeric: boolean
  readonly first: Int32Array
  readonly last: Int32Array
}

export type ToleranceBase = 'guess' | 'secret' | 'range'

/** A base of 0 leaves room for rounding only, and a guess at the very edge, such as 1 for 1.05, is not lost to it. */
const LEAST_BASE = 1e-12
const ROUNDING = 1 + 1e-12

export function equalGuesses(secrets: number): CorrectGuesses {
  const same = Int32Array.from({ length: secrets }, (_, secret) => secret)
  return { numeric: false, first: same, last: same }
}

/** How far a guess may be off: so much of a base; `range` is that of the real values. */
export interface Tolerance {
  readonly value: number
  readonly base: ToleranceBase
  readonly range: number
}

export function isClose(guess: number, secret: number, { value, base, range }: Tolerance): boolean {
  const size = base === 'range' ? range : Math.abs(base === 'guess' ? guess : secret)
  return Math.abs(guess - secret) <= value * Math.max(size, LEAST_BASE) * ROUNDING
}

export function closeGuesses({ numbers }: Pick<JointColumn, 'numbers'>, tolerance: Tolerance): CorrectGuesses {
  const first = new Int32Array(numbers.length + 1)
  const last = new Int32Array(numbers.length + 1)
  const right = (guess: number, secret: number) => isClose(numbers[guess - 1], numbers[secret - 1], tolerance)
  for (let secret = 1; secret <= numbers.length; secret++) {
    first[secret] = farthest(secret, 1, (guess) => right(guess, secret))
    last[secret] = farthest(secret, numbers.length, (guess) => right(guess, secret))
  }
  return { numeric: true, first, last }
}

/** The last code on the way from `from` to `to` for which `holds` is true; it is up to there and false beyond. */
function farthest(from: number, to: number, holds: (code: number) => boolean): number {
  let near = from
  let far = to
  while (near !== far) {
    const middle = far > near ? Math.ceil((near + far) / 2) : Math.floor((near + far) / 2)
    if (holds(middle)) near = middle
    else far = far > near ? middle - 1 : middle + 1
  }
  return near
}

/** How often people are guessed right without knowing anything about them; exact, counted by secret. */
interface NaiveGuesses {
  /** The secret of a released record drawn at random: Σ_v P_T(v) P_S(right for v). */
  readonly random: number
  /** One guess for everybody, a value of the release that is right for as many released records as possible. */
  readonly constant: number
}

export function naiveGuesses(targets: Int32Array, released: Int32Array, correct: CorrectGuesses): NaiveGuesses {
  const secrets = correct.first.length
  const [ofTargets, ofReleased] = [countIds(targets, secrets), countIds(released, secrets)]
  const releasedBelow = new Float64Array(secrets + 1)
  for (let secret = 0; secret < secrets; secret++)
    releasedBelow[secret + 1] = releasedBelow[secret] + ofReleased[secret]
  let random = 0
  for (let secret = 0; secret < secrets; secret++)
    random += ofTargets[secret] * (releasedBelow[correct.last[secret] + 1] - releasedBelow[correct.first[secret]])
  const rightForReleased = rightFor(ofReleased, correct)
  const rightForTargets = rightFor(ofTargets, correct)
  let most = 0
  for (let guess = 0; guess < secrets; guess++)
    if (ofReleased[guess] > 0) most = Math.max(most, rightForReleased[guess])
  let constant = 0
  let best = 0
  for (let guess = 0; guess < secrets; guess++) {
    if (ofReleased[guess] === 0 || rightForReleased[guess] < most) continue
    constant += rightForTargets[guess]
    best++
  }
  return { random: random / targets.length / released.length, constant: constant / best / targets.length }
}

/** For each guess, how many of the counted records it is right for. */
function rightFor(counts: Int32Array, { first, last }: CorrectGuesses): Float64Array {
  const right = new Float64Array(counts.length + 1)
  for (let secret = 0; secret < counts.length; secret++) {
    right[first[secret]] += counts[secret]
    right[last[secret] + 1] -= counts[secret]
  }
  for (let guess = 0; guess < counts.length; guess++) right[guess + 1] += right[guess]
  return right
}
