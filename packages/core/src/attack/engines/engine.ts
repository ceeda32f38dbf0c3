import type { Streams } from '../../synthesizers/synthesizer.js'
import type { AbortSignalLike } from '../../tasks/task.js'
import type { Records, ReleasedSets, Variable } from '../generator/records.js'
import type { Generator } from './generators.js'

/** How likely the released sets are in each world. */
export const ENGINES = ['exact', 'path', 'dm', 'mix', 'abc', 'classifier'] as const
export type EngineName = (typeof ENGINES)[number]

/** The worlds of one target: the known records, and what the unknown one may be. */
export interface Worlds {
  readonly variables: readonly Variable[]
  /** All records; that of `row` is the unknown one. */
  readonly original: Records
  readonly row: number
  readonly candidates: readonly Int32Array[]
  readonly sets: ReleasedSets
}

export interface SimulationSettings {
  readonly generator: Generator
  /** By candidate: sets that somebody has made before, instead of simulated ones. */
  readonly made: readonly (readonly Records[])[] | null
  /** Simulated sets per world. */
  readonly simulations: number
  /** Dirichlet smoothing per cell. */
  readonly alpha: number
  /** `abc`: share of the nearest simulated sets that is kept. */
  readonly accept: number
  /** Random numbers of the r-th simulation, the same in every world. */
  readonly random: (purpose: string, index: number) => ReturnType<Streams>
  readonly seed: number
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export interface Likelihoods {
  /** By candidate: log likelihood of each set, up to a constant that all candidates share. */
  readonly logs: readonly Float64Array[]
  readonly notes: readonly string[]
  /** Too noisy for a verdict; why. */
  readonly unreliable: string | null
  /** What was simulated, for the picture of the worlds. */
  readonly boxes?: CellBoxes | null
}

/** Counts of cells in simulated sets, by candidate and cell: least, lower quartile, median, upper quartile, most. */
export interface CellBoxes {
  readonly records: readonly Int32Array[]
  readonly byCandidate: readonly (readonly (readonly number[])[])[]
}
