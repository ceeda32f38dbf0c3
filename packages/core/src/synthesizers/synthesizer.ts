import type { z } from 'zod'
import { UserError } from '../errors.js'
import type { JsonObject } from '../json.js'
import { parseOptions } from '../options.js'
import { type Stream, stream } from '../random/stream.js'
import type { Table } from '../table/table.js'
import { type AbortSignalLike, type TaskRunner, throwIfAborted } from '../tasks/task.js'
import { type SupportLeak, supportLeak } from './support-leak.js'

/**
 * A synthesizer learns from a table and then makes records that resemble it. Fitting is a pure function of data and
 * options unless an option asks for randomness, so one fit serves all syntheses. Built-in ones sample at once; one that
 * runs elsewhere may take its time.
 */
export interface Synthesizer<Options extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly title: string
  readonly options: Options
  fit(
    data: Table,
    options: z.output<Options>,
    random: Streams,
    how?: FitHow,
  ): FittedSynthesizer<Table | Promise<Table>> | Promise<FittedSynthesizer<Table | Promise<Table>>>
  /** Whether these options make the fit random (proper synthesis), so that each synthesis needs a fit of its own. */
  fitsAnew?(options: z.output<Options>): boolean
}

/** `Sample` is a table, or the promise of one. */
export interface FittedSynthesizer<Sample extends Table | Promise<Table> = Table> {
  /** So many new records, with the columns that were synthesized. */
  sample(rows: number, random: Streams): Sample
  /** What was learned, for reports: trees, leaf sizes, coefficients. */
  describe(): JsonObject
  /**
   * Log probability (density, where a number is not rounded) of each record under the fitted generator, minus infinity
   * where it is impossible. Not there if the generator has none in closed form.
   */
  logProb?(records: Table): Float64Array
  /**
   * Log probability of all these records together, in this order, where a fit draws its parameters: averaged over all
   * draws, so that it is a function of data and options alone. Records are not independent then.
   */
  logProbOfSet?(records: Table): number
}

/** Random numbers by purpose, usually the name of a variable: what one variable draws does not move another's draws. */
export type Streams = (purpose: string) => Stream

/** Where and how long to fit; nothing here changes a result. */
export interface FitHow {
  readonly tasks?: TaskRunner | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export interface SynthesizeOptions extends FitHow {
  /** Records to make; as many as the table has when not given. */
  readonly rows?: number | undefined
  readonly seed: number
  /** Options of the synthesizer. */
  readonly options?: object | undefined
}

/** Fits and samples once; the same seed gives the same records. */
export async function synthesize(synthesizer: Synthesizer, data: Table, options: SynthesizeOptions): Promise<Table> {
  return (await synthesizeSets(synthesizer, data, { ...options, sets: 1 })).sets[0]
}

export interface SynthesizeSetsOptions extends SynthesizeOptions {
  /** How many syntheses. */
  readonly sets: number
}

export interface SynthesisSets {
  readonly sets: readonly Table[]
  /** What the fitted generator says of itself; of the first fit, if each synthesis has its own. */
  readonly description: JsonObject
  /** How many of the released numbers are those of one original record alone; counted when asked for. */
  readonly supportLeak: () => SupportLeak
}

/** Several syntheses from one fit, or from a fit each where fitting is random. Set k does not depend on how many there are. */
export async function synthesizeSets(
  synthesizer: Synthesizer,
  data: Table,
  { sets: count, rows = data.rows, seed, options = {}, ...how }: SynthesizeSetsOptions,
): Promise<SynthesisSets> {
  requireWholeNumber('the number of records', rows)
  requireWholeNumber('the number of syntheses', count)
  const chosen = parseOptions(synthesizer.id, synthesizer.options, options)
  const streamsOf = (set: number) => (purpose: string) => stream(seed, `${synthesizer.id}/${purpose}`, set)
  const anew = synthesizer.fitsAnew?.(chosen) === true
  const first = await synthesizer.fit(data, chosen, streamsOf(0), how)
  const sets: Table[] = []
  for (let set = 0; set < count; set++) {
    throwIfAborted(how.signal)
    const fitted = anew && set > 0 ? await synthesizer.fit(data, chosen, streamsOf(set), how) : first
    sets.push(await fitted.sample(rows, streamsOf(set)))
  }
  return { sets, description: first.describe(), supportLeak: () => supportLeak(data, sets) }
}

function requireWholeNumber(what: string, value: number): void {
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw new UserError(`${what} must be a whole number of at least 1, but it is ${value}`)
}
