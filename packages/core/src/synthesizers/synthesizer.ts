import type { z } from 'zod'
import type { JsonObject } from '../json.js'
import { type Stream, stream } from '../random/stream.js'
import type { Table } from '../table/table.js'

/**
 * A synthesizer learns from a table and then makes records that resemble it. Fitting is a pure function of data and
 * options unless an option asks for randomness, so one fit serves all syntheses. Built-in ones answer at once; one that
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
  ): FittedSynthesizer<Table | Promise<Table>> | Promise<FittedSynthesizer<Table | Promise<Table>>>
}

/** `Sample` is a table, or the promise of one. */
export interface FittedSynthesizer<Sample extends Table | Promise<Table> = Table> {
  /** So many new records, with the columns that were synthesized. */
  sample(rows: number, random: Streams): Sample
  /** What was learned, for reports: trees, leaf sizes, coefficients. */
  describe(): JsonObject
  /** Log probability (density) of each record under the fitted generator, minus infinity where it is impossible. */
  logProb?(records: Table): Float64Array
}

/** Random numbers by purpose, usually the name of a variable: what one variable draws does not move another's draws. */
export type Streams = (purpose: string) => Stream

export interface SynthesizeOptions {
  /** Records to make; as many as the table has when not given. */
  readonly rows?: number | undefined
  readonly seed: number
  /** Options of the synthesizer. */
  readonly options?: object | undefined
}

/** Fits and samples once; the same seed gives the same records. */
export async function synthesize(
  synthesizer: Synthesizer,
  data: Table,
  { rows = data.rows, seed, options = {} }: SynthesizeOptions,
): Promise<Table> {
  const random = (purpose: string) => stream(seed, `${synthesizer.id}/${purpose}`)
  const fitted = await synthesizer.fit(data, synthesizer.options.parse(options), random)
  return fitted.sample(rows, random)
}
