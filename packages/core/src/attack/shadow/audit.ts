import { UserError } from '../../errors.js'
import type { Where } from '../../neighbors/tasks.js'
import { BOUND_LEVEL } from '../../stats/levels.js'
import type { Synthesizer } from '../../synthesizers/synthesizer.js'
import type { Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { type Accused, accused, bestTest, better, epsilonLowerBound, largestEpsilonBound } from './epsilon.js'
import { GAME_ATTACKS, type GameAttack, type Neighbours, playShadowGame } from './game.js'
import { mostIsolated } from './isolated.js'

/**
 * Is a generator as private as it says? It makes releases with and without one person (`game.ts`), attacks are tried on a
 * part of them, the best attack and threshold are kept, and how it does on the rest bounds ε from below with a confidence of
 * 95 % (`epsilon.ts`). A bound above the stated ε contradicts it; one below says nothing for it: another attack, person or
 * file may do better, and n releases of each world can show no more than `most`.
 */
export interface AuditInput {
  readonly people: Table
  readonly synthesizer: Synthesizer
  readonly options?: object | undefined
  /** What is stated. */
  readonly epsilon: number
  readonly delta?: number | undefined
  /** Files that the claim is about: with a record more or less (the default), or with another record in its place. */
  readonly neighbours?: Neighbours | undefined
  /** The row of the person who is left out; the most isolated one when not given. */
  readonly row?: number | undefined
  /** Releases with the person, and as many without. */
  readonly releases?: number | undefined
  readonly size?: number | undefined
  readonly seed: number
}

export interface PrivacyAudit {
  readonly people: number
  readonly row: number
  readonly claim: { readonly epsilon: number; readonly delta: number; readonly neighbours: Neighbours }
  /** Releases of each world: that train attacks, choose among them, and are counted. */
  readonly releases: { readonly shadows: number; readonly choice: number; readonly counted: number }
  readonly attack: GameAttack
  readonly counts: Accused
  /** ε is at least this, at `confidence`. */
  readonly bound: number
  readonly confidence: number
  /** The largest bound that so many releases can give. */
  readonly most: number
  readonly verdict: 'broken' | 'not contradicted'
  /** What each attack would have given on the releases that chose among them: not bounds, but where signal is. */
  readonly tried: readonly { readonly attack: GameAttack; readonly bound: number }[]
}

const RELEASES = 1000
const LEAST_RELEASES = 40
const QUERIES = 200
const TREES = 200
/** A quarter trains, a quarter chooses, one half is counted. */
const PART = 4

export async function auditPrivacy(input: AuditInput, where: Where = { tasks: inline }): Promise<PrivacyAudit> {
  const { people, epsilon, delta = 0, releases = RELEASES } = input
  const problems = [
    ...(epsilon > 0 ? [] : [`epsilon must be above 0, but it is ${epsilon}`]),
    ...(delta >= 0 && delta < 1 ? [] : [`delta must be at least 0 and below 1, but it is ${delta}`]),
    ...(people.rows >= 3 ? [] : [`${people.name} has ${people.rows} records, and a game needs 3`]),
    ...(releases >= LEAST_RELEASES
      ? []
      : [`an audit needs ${LEAST_RELEASES} releases of each world, but ${releases} were asked for`]),
    ...(input.row === undefined || input.row < people.rows
      ? []
      : [`there is no record ${input.row + 1}: ${people.name} has ${people.rows}`]),
  ]
  if (problems.length > 0) throw new UserError(problems)
  const row = input.row ?? (await mostIsolated(people, 1, where))[0]
  const shadows = Math.floor(releases / PART)
  const choice = Math.floor(releases / PART)
  const { people: played } = await playShadowGame(
    {
      people,
      rows: Int32Array.of(row),
      synthesizer: input.synthesizer,
      options: input.options,
      neighbours: input.neighbours,
      size: input.size,
      shadows,
      tests: releases - shadows,
      queries: QUERIES,
      trees: TREES,
      seed: input.seed,
    },
    where,
  )
  const [{ scores }] = played
  const chosen = GAME_ATTACKS.map((attack) => {
    const { inside, outside } = scores[attack]
    return { attack, ...bestTest(inside.subarray(0, choice), outside.subarray(0, choice), delta) }
  })
  const best = chosen.reduce((top, one) => better(one, top))
  const { inside, outside } = scores[best.attack]
  const counts = accused(best.test, inside.subarray(choice), outside.subarray(choice))
  const bound = epsilonLowerBound(counts, delta)
  return {
    people: people.rows,
    row,
    claim: { epsilon, delta, neighbours: input.neighbours ?? 'add-remove' },
    releases: { shadows, choice, counted: releases - shadows - choice },
    attack: best.attack,
    counts,
    bound,
    confidence: BOUND_LEVEL,
    most: largestEpsilonBound(counts.withPerson, counts.withoutPerson, delta),
    verdict: bound > epsilon ? 'broken' : 'not contradicted',
    tried: chosen.map(({ attack, bound: found }) => ({ attack, bound: found })),
  }
}
