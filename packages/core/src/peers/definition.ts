import { z } from 'zod'
import type { Chart } from '../chart/chart.js'
import type { FindingTable } from '../evidence/finding-table.js'
import type { JsonObject } from '../json.js'
import { type AnyMeasure, type Context, type Measure, type MeasureDeclaration, measure, type Need } from '../measure.js'
import { choice } from '../option-kinds.js'
import type { Release } from '../table/release.js'
import type { ColumnSet } from '../table/table.js'
import {
  type AnyUtilityMeasure,
  type UtilityDeclaration,
  type UtilityMeasure,
  type UtilityOptions,
  utilityMeasure,
} from '../utility/utility-measure.js'

/**
 * What other software computes under the name of a measure, its faults included, so that its numbers can be reproduced and
 * stand beside the right ones. A measure's own file has the right definition only; here it gets the option `definition`,
 * which chooses among its own and those of others, and `measures.ts` lists it with them: every face has them, always.
 */
interface Peer extends Software {
  /** What it does differently: the help of the option, after its name. */
  readonly differs: string
}

export interface Software {
  readonly software: string
  readonly version: string
}

/** The version that most are taken from. */
export const RISKUTILITY = { software: 'riskutility', version: '0.2.0' } as const

/** What a definition may replace besides the computation; what it leaves out stays as the measure has it. */
type Replaceable = 'check' | 'needsWith' | 'sentence' | 'charts' | 'tables'

/** A definition says how it computes. Where its details differ in form, it also has a sentence and charts of its own. */
export type Definition<Options extends z.ZodObject, Details extends JsonObject> = Peer &
  Pick<MeasureDeclaration<Options, Details>, 'compute'> &
  Partial<Pick<MeasureDeclaration<Options, Details>, Replaceable>>

/** A utility measure is held against honest samples: a definition also says what their headline is. */
export type UtilityDefinition<Options extends UtilityOptions, Details extends JsonObject> = Peer &
  Pick<UtilityDeclaration<Options, Details>, 'statistic' | 'compute'> &
  Partial<Pick<UtilityDeclaration<Options, Details>, Replaceable>>

/** What the measure's own definition is called, what is said of it, and the options that only the others have. */
interface About<Name extends string, More extends z.ZodRawShape> {
  /** `scrim` unless the literature has a name for it. */
  readonly name?: Name
  readonly what?: string
  readonly options?: More
}

/** The options of a measure, those of its definitions, and the choice among these. */
type Chosen<Options extends z.ZodObject, More extends z.ZodRawShape, Names extends string> = z.ZodObject<
  Options['shape'] & More & { definition: z.ZodDefault<z.ZodEnum<{ [Name in Names]: Name }>> }
>

/** The details of one or of the other, with those of the other absent. */
type Either<A extends JsonObject, B extends JsonObject> = (A & Without<B, A>) | (B & Without<A, B>)
type Without<A, B> = { readonly [Name in Exclude<keyof A, keyof B>]?: undefined }

/** The measure with the definitions of others: `definition` chooses one, its own unless told otherwise. */
export function withDefinitions<
  Options extends z.ZodObject,
  Details extends JsonObject,
  Other extends JsonObject,
  Name extends string,
  OwnName extends string = 'scrim',
  More extends z.ZodRawShape = Record<never, never>,
>(
  measured: Measure<Options, Details>,
  definitions: Readonly<Record<Name, Definition<z.ZodObject<Options['shape'] & More>, Other>>>,
  about?: About<OwnName, More>,
): Measure<Chosen<Options, More, Name | OwnName>, Either<Details, Other & { readonly definition: Name }>>
export function withDefinitions(
  measured: AnyMeasure,
  definitions: Readonly<Record<string, Definition<z.ZodObject, JsonObject>>>,
  about: About<string, z.ZodRawShape> = {},
): AnyMeasure {
  return measure(redefined<MeasureDeclaration<z.ZodObject, JsonObject>>(measured, definitions, about))
}

/** The same for a measure of utility. */
export function withUtilityDefinitions<
  Options extends UtilityOptions,
  Details extends JsonObject,
  Other extends JsonObject,
  Name extends string,
>(
  measured: UtilityMeasure<Options, Details>,
  definitions: Readonly<Record<Name, UtilityDefinition<Options, Other>>>,
  about?: Pick<About<'scrim', never>, 'what'>,
): UtilityMeasure<
  Chosen<Options, Record<never, never>, Name | 'scrim'>,
  Either<Details, Other & { readonly definition: Name }>
>
export function withUtilityDefinitions(
  { declaration: measured }: Pick<UtilityMeasure<UtilityOptions, JsonObject>, 'declaration'>,
  definitions: Readonly<Record<string, UtilityDefinition<UtilityOptions, JsonObject>>>,
  about: Pick<About<'scrim', never>, 'what'> = {},
): AnyUtilityMeasure {
  return utilityMeasure<UtilityOptions, JsonObject>({
    ...redefined(measured, definitions, about),
    statistic: (pair, options, context) => (definitions[nameIn(options)] ?? measured).statistic(pair, options, context),
  })
}

/** A declaration whose options and details are not known to the compiler. */
interface Parts {
  readonly options: z.ZodObject
  readonly needs?: readonly Need[]
  needsWith?(options: Values, release: Release): readonly Need[]
  check?(release: Release, options: Values): readonly string[]
  isOfCounts?(options: Values): boolean
  countedColumns?(options: Values, release: Release): readonly ColumnSet[]
  compute(subject: never, options: Values, context: Context): Found | Promise<Found>
  sentence(finding: Found): string
  charts(finding: Found, about: never): readonly Chart[]
  tables?(finding: Found, about: never): readonly FindingTable[]
}

type Values = Readonly<Record<string, unknown>>
type Found = { readonly details: JsonObject }

const nameIn = (values: Values) => String(values.definition)

/** A finding by another definition carries its name in the details, so that its own sentence and charts are found. */
function redefined<Own extends Parts>(
  measured: Own,
  definitions: Readonly<Record<string, Peer & Partial<Parts>>>,
  { name = 'scrim', what, options = {} }: About<string, z.ZodRawShape>,
): Own {
  const chosen = (values: Values): Parts => ({ ...measured, ...definitions[nameIn(values)] })
  const help = Object.entries(definitions).map(([other, { differs }]) => `${other}: ${differs}`)
  if (what !== undefined) help.unshift(`${name}: ${what}`)
  const definition = choice([name, ...Object.keys(definitions)], name).describe(help.join('; '))
  return {
    ...measured,
    options: z.object({ ...measured.options.shape, definition, ...options }),
    needsWith: (values: Values, release: Release) =>
      chosen(values).needsWith?.(values, release) ?? measured.needs ?? [],
    check: (release: Release, values: Values) => chosen(values).check?.(release, values) ?? [],
    ...(measured.isOfCounts === undefined
      ? {}
      : {
          isOfCounts: (values: Values) =>
            definitions[nameIn(values)] === undefined && measured.isOfCounts?.(values) === true,
        }),
    ...(measured.countedColumns === undefined
      ? {}
      : {
          countedColumns: (values: Values, release: Release) =>
            definitions[nameIn(values)] === undefined ? (measured.countedColumns?.(values, release) ?? []) : [],
        }),
    compute: async (subject: never, values: Values, context: Context) => {
      const finding = await chosen(values).compute(subject, values, context)
      const by = nameIn(values)
      return definitions[by] === undefined ? finding : { ...finding, details: { ...finding.details, definition: by } }
    },
    sentence: (finding: Found) => chosen(finding.details).sentence(finding),
    charts: (finding: Found, about: never) => chosen(finding.details).charts(finding, about),
    tables: (finding: Found, about: never) => chosen(finding.details).tables?.(finding, about) ?? [],
  }
}
