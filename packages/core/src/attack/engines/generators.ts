import type { Streams, Synthesizer } from '../../synthesizers/synthesizer.js'
import type { Table } from '../../table/table.js'
import { type CartSettings, drawRecords, fitCart, logProbabilities } from '../generator/cart-generator.js'
import { codeRecords, type Records, tableOfRecords, type Variable } from '../generator/records.js'

/** What the attacker takes the generator to be: fitted to a world it makes records, and knows how probable they are. */
export interface Generator {
  /** Fits differ from each other even for the same data (proper synthesis, neural networks). */
  readonly fitsAnew: boolean
  fit(world: Records, random: Streams): Promise<FittedGenerator>
}

interface FittedGenerator {
  sample(rows: number, random: Streams): Promise<Records>
  /** Null where there is none in closed form. */
  readonly logProb: ((records: Records) => Float64Array) | null
  /** Log probability of a whole set, where the fit draws parameters that can be averaged out; else null. */
  readonly logProbOfSet: ((records: Records) => number) | null
}

/** The trees of `cart-generator.ts`: exact, and drawn by inversion. */
export function cartGenerator(variables: readonly Variable[], settings: CartSettings): Generator {
  return {
    fitsAnew: false,
    async fit(world) {
      const fitted = fitCart(variables, world, settings)
      return {
        sample: async (rows, random) => drawRecords(fitted, rows, random),
        logProb: (records) => logProbabilities(fitted, records),
        logProbOfSet: null,
      }
    },
  }
}

/** Any synthesizer; `like` is the original, whose columns the worlds have. */
export function synthesizerGenerator(
  variables: readonly Variable[],
  synthesizer: Synthesizer,
  options: Record<string, unknown>,
  like: Table,
): Generator {
  return {
    fitsAnew: synthesizer.fitsAnew?.(options) ?? false,
    async fit(world, random) {
      const fitted = await synthesizer.fit(tableOfRecords(variables, world, like), options, random)
      const logProb = fitted.logProb?.bind(fitted)
      const logProbOfSet = fitted.logProbOfSet?.bind(fitted)
      return {
        sample: async (rows, own) => codeRecords(variables, await fitted.sample(rows, own)),
        logProb: logProb === undefined ? null : (records) => logProb(tableOfRecords(variables, records, like)),
        logProbOfSet:
          logProbOfSet === undefined ? null : (records) => logProbOfSet(tableOfRecords(variables, records, like)),
      }
    },
  }
}
