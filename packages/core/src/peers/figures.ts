import type { z } from 'zod'
import type { JsonObject } from '../json.js'
import { type Measure, type MeasureDeclaration, measure } from '../measure.js'
import {
  type UtilityDeclaration,
  type UtilityMeasure,
  type UtilityOptions,
  utilityMeasure,
} from '../utility/utility-measure.js'
import type { Software } from './definition.js'

/**
 * What other software prints of the same comparison: its figures and verdict stand beside the details of the measure, always
 * and without an option, so that somebody who comes from there finds what they know. A measure's own file has none of it.
 */
interface Printed<Options extends z.ZodObject, Details extends JsonObject>
  extends Partial<Pick<MeasureDeclaration<Options, Details>, 'literature' | 'sentence' | 'charts' | 'tables'>> {
  readonly by: Software
}

export type Figures<Options extends z.ZodObject, Details extends JsonObject> = Printed<Options, Details> &
  Pick<MeasureDeclaration<Options, Details>, 'compute'>

export type UtilityFigures<Options extends UtilityOptions, Details extends JsonObject> = Printed<Options, Details> &
  Pick<UtilityDeclaration<Options, Details>, 'compute'>

/** The measure with such figures; whatever they do not replace stays as the measure has it. */
export function withFigures<Options extends z.ZodObject, Own extends JsonObject, Details extends Own>(
  measured: Measure<Options, Own>,
  figures: Figures<Options, Details>,
): Measure<Options, Details> {
  return measure<Options, Details>({ ...measured, ...figures })
}

/** The same for a measure of utility; its headline, and so what is held against honest samples, is its own. */
export function withUtilityFigures<Options extends UtilityOptions, Own extends JsonObject, Details extends Own>(
  { declaration }: UtilityMeasure<Options, Own>,
  figures: UtilityFigures<Options, Details>,
): UtilityMeasure<Options, Details> {
  return utilityMeasure<Options, Details>({ ...declaration, ...figures })
}

/** A computation whose details are made anew from what was found, and from its workings where it has any. */
export function adding<Seen, Options, Context, Found extends { readonly details: JsonObject }, Details>(
  compute: (seen: Seen, options: Options, context: Context) => Found | Promise<Found>,
  details: (found: Found, seen: Seen, options: Options, context: Context) => Details | Promise<Details>,
): (seen: Seen, options: Options, context: Context) => Promise<Omit<Found, 'details'> & { readonly details: Details }> {
  return async (seen, options, context) => {
    const found = await compute(seen, options, context)
    return { ...found, details: await details(found, seen, options, context) }
  }
}
