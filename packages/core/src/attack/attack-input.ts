import type { Synthesizer } from '../synthesizers/synthesizer.js'
import type { Table } from '../table/table.js'
import type { AbortSignalLike, TaskRunner } from '../tasks/task.js'
import type { EngineName } from './engines/engine.js'
import type { Refinement } from './sweep.js'
import type { CandidateOptions, Prior } from './target/candidates.js'
import type { RecordChoice } from './target/target-rows.js'

/** What the attacker is given and assumes. */
export interface AttackInput {
  readonly original: Table
  /** The sets of one release; when there are none, releases are simulated from the original. */
  readonly released?: readonly Table[] | undefined
  readonly holdout?: Table | undefined
  /** Columns to play with, in the order of synthesis; all of the original when not given. */
  readonly variables?: readonly string[] | undefined
  readonly record?: RecordChoice | undefined
  readonly candidates?: CandidateOptions | undefined
  /** Records of the candidate kind `list`. */
  readonly list?: Table | undefined
  readonly prior?: Prior | undefined
  readonly synthesizer?: Synthesizer | undefined
  readonly options?: object | undefined
  /** An attacker who is not sure of the options: those that are possible, with weights. Instead of `options`. */
  readonly hypotheses?: readonly Hypothesis[] | undefined
  /** Sets of each world that another synthesizer made before, by the number of the candidate and its label; as many each. */
  readonly worldSets?: ((world: number, label: string) => Promise<readonly Table[]>) | undefined
  /** Options of `sdc`, which the sets go through before they are released: part of the generator. */
  readonly postprocessing?: object | undefined
  /** Keys of the postprocessing; all variables when not given. */
  readonly postprocessingKeys?: readonly string[] | undefined
  /** The seed of the synthesis, if it got out: the attacker makes the sets of every world again. One record, given sets. */
  readonly publishedSeed?: number | undefined
  /** An attacker who knows only this share of the other records, chosen at random, and guesses the rest. */
  readonly knownShare?: number | undefined
  readonly engine?: EngineName | undefined
  /** Simulated releases. */
  readonly releases?: number | undefined
  /** Sets per simulated release. */
  readonly m?: number | undefined
  /** Records per simulated set; as many as the original has when not given. */
  readonly rows?: number | undefined
  /** Simulated sets per world, for engines that simulate. */
  readonly simulations?: number | undefined
  readonly alpha?: number | undefined
  readonly accept?: number | undefined
  /** `all` plays every record of a sweep exactly, `some` screens first, `auto` only where playing all would take long. */
  readonly refine?: Refinement | undefined
  readonly seed?: number | undefined
}

interface Hypothesis {
  readonly options: object
  readonly weight: number
}

export interface AttackHow {
  /** Threads for a sweep over many records; no result depends on them. */
  readonly tasks?: TaskRunner | undefined
  /** Told before a sweep that takes minutes: how much work it is. */
  readonly announce?: ((text: string) => void) | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export const DEFAULT_SEED = 1
