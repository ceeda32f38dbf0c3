import { normalEffect } from '../../../evidence/effects.js'
import type { Control, Controls, Effect, Look } from '../../../evidence/evidence.js'
import { errorOfMean, lookAtOutsiders, tally } from '../../../evidence/looks.js'
import { total } from '../../../stats/sums.js'
import { type Part, timesOfPart, weightsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { type Cells, classSums, isWholeClassInRelease } from '../counts/cells.js'
import { clusteredVariance, priorsOf } from './baselines.js'

/**
 * What a person's own record gives away: how often a claim or a guess made from the release is right, less how often the
 * same would be right from everybody else's records. Gains are per cell of the truth, for one of its records.
 *
 * Claims (tau = 1): credit - b3. Where others share the keys, right and wrong claims about them balance, so that only people
 * who are alone with their keys count, against what the best single key tells about them (b2).
 */
export function claimGains(
  release: Release,
  cells: Cells,
  counts: (guess: number) => boolean = () => true,
): Float64Array {
  const prior = priorsOf(release, cells)
  const gains = new Float64Array(cells.d.length)
  for (let guess = 0; guess < cells.s.length; guess++) {
    const q = cells.classOf[guess]
    if (cells.dClassCount[q] === 0 || !isWholeClassInRelease(cells, guess) || !counts(guess)) continue
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++)
      if (cells.dCount[cell] > 0) gains[cell] = cell === guess ? 1 - prior(guess, 1)[2] : -prior(guess, 0)[2]
  }
  return gains
}

/**
 * Guesses: CAP less
 *   ((d_tq - 1) / (d_q - 1) + sum over g of s_gq (s_gq - 1) / (s_q (s_q - 1))) / 2
 * what the other originals tell, and how far the released records of the class agree among themselves. With p and p' the
 * shares in the population and in the generator, a release that does not know the record gains -(1/2) sum (p - p')^2 on
 * average: nothing if it is honest, less than nothing if it is wrong or surer than it should be, as with a constant target.
 * Where the class has one original or one released record, the same guess is made about others instead: b3.
 * A person whom the release does not find neither gains nor loses.
 */
export function capGains(release: Release, cells: Cells): Float64Array {
  const { start, s, sClass, dCount, dClassCount } = cells
  const prior = priorsOf(release, cells)
  const gains = new Float64Array(cells.d.length)
  for (let q = 0; q < cells.classes; q++) {
    if (dClassCount[q] === 0 || sClass[q] === 0) continue
    const alone = dClassCount[q] === 1 || sClass[q] === 1
    const agreement = alone ? 0 : agreementWithin(cells, q)
    for (let cell = start[q]; cell < start[q + 1]; cell++) {
      if (dCount[cell] === 0) continue
      let fair = 0
      if (alone) {
        for (let g = start[q]; g < start[q + 1]; g++)
          if (s[g] > 0) fair += (s[g] / sClass[q]) * prior(g, g === cell ? 1 : 0)[2]
      } else fair = ((dCount[cell] - 1) / (dClassCount[q] - 1) + agreement) / 2
      gains[cell] = s[cell] / sClass[q] - fair
    }
  }
  return gains
}

/** The chance that two released records of a class have the same target. */
function agreementWithin({ start, s, sClass }: Cells, q: number): number {
  let pairs = 0
  for (let cell = start[q]; cell < start[q + 1]; cell++) pairs += s[cell] * (s[cell] - 1)
  return pairs / (sClass[q] * (sClass[q] - 1))
}

/** A sum over each class, and the (weighted) number of its people that the mean is taken over. */
interface ClassMeans {
  readonly cells: Cells
  readonly sums: Float64Array
  readonly sizes?: Float64Array | undefined
}

/** The mean over people, with a standard error clustered by key class; null with a single class. */
function meanWithError({ cells, sums, sizes = cells.dClass }: ClassMeans, people = cells.n) {
  const variance = clusteredVariance(cells, sums, sizes)
  return variance === null ? null : { value: total(sums) / total(sizes), se: errorOfMean(variance, people) }
}

/** The mean gain over all people, or over those in cells marked with 1 in `among`; null with a single class. */
export function meanGain(cells: Cells, gains: Float64Array, among?: Uint8Array): Effect | null {
  const sizes = among === undefined ? undefined : classSums(cells, among)
  const people = among === undefined ? undefined : total(cells.dCount.filter((_, cell) => among[cell] === 1))
  const mean = meanWithError({ cells, sums: classSums(cells, gains), sizes }, people)
  return mean === null ? null : normalEffect(mean.value, mean.se)
}

type Ends = Pick<Controls, 'nothing' | 'everything'>

/** The value against what everybody else's records tell; `ceiling` is the gain that the original itself would have. */
export function lookAtOthers(value: number, effect: Effect | null, ceiling: Effect | null, ends: Ends): Look[] {
  if (effect === null || ceiling === null) return []
  const fair = {
    value: value - effect.value,
    se: null,
    what: "everybody else's records",
    basis: 'leave-one-out',
  } as const
  return [
    {
      what: "against everybody else's records",
      value,
      controls: { ...ends, fair },
      effect: { ...effect, ceiling: ceiling.value },
    },
  ]
}

export const ONE_CLASS = 'fewer than two groups of people with the same keys can be compared'
export const BY_DISTANCE =
  'who is found by a distance is compared with people outside the release only: there is no holdout'

/** A mean over the people in the data against the same mean over people outside the release. */
export function lookAtOutsidersMean(members: ClassMeans, outsiders: ClassMeans, ends: Ends): Look[] {
  const [inside, outside] = [members, outsiders].map((people) => meanWithError(people))
  if (inside === null || outside === null) return []
  const effect = normalEffect(inside.value - outside.value, Math.hypot(inside.se, outside.se))
  return [
    {
      what: 'against people outside the release',
      value: inside.value,
      controls: { ...ends, fair: { ...outside, what: 'people outside the release', basis: 'outsiders' } },
      effect,
    },
  ]
}

/** A share of the people in the data against the same share of those outside, each as many as their weights are worth. */
export function lookAtOutsidersShare(
  release: Release,
  share: number,
  members: Cells,
  outside: number,
  outsiders: Cells,
  ends: Ends,
): Look {
  return lookAtOutsiders(
    tally(share, effectivePeople(release, 'original', members.n)),
    tally(outside, effectivePeople(release, 'holdout', outsiders.n)),
    ends,
  )
}

/** (sum w)² / sum w²: how many equally weighted records the records of a part are worth. */
export function effectivePeople(release: Release, part: Part, records: number): number {
  const weights = weightsOfPart(release, part)
  if (weights === null) return records
  const times = timesOfPart(release, part)
  return total(weights) ** 2 / total(weights.map((weight, row) => weight ** 2 / (times?.[row] ?? 1)))
}

export function dealtAtRandom(expected: number, sd: number | null): Control {
  return { value: expected, se: sd, what: 'released targets dealt out at random' }
}

export function theOriginal(value: number): Control {
  return { value, se: null, what: 'the original itself' }
}
