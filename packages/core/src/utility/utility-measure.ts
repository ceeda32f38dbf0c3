import { z } from 'zod'
import { unknownName } from '../errors.js'
import type { UtilityScale, UtilityTest } from '../evidence/usefulness.js'
import type { JsonObject } from '../json.js'
import {
  type AnyMeasure,
  type Context,
  type Finding,
  type Measure,
  type MeasureDeclaration,
  measure,
} from '../measure.js'
import { columnNames, whole } from '../option-kinds.js'
import { parseOptions } from '../options.js'
import {
  besideControls,
  type Expected,
  equivalentChart,
  type Resampled,
  unlessNotApplicable,
} from './honest-samples.js'
import { type Pair, pairOf, reducedPair } from './pair.js'

/**
 * A measure of utility: an ordinary measure that also says what its value would be for an honest sample of the original as
 * large as the release, for a file that keeps nothing, and which honest subsample would be as far off. A measure only
 * says how to compute its headline for any two files; the rest is done in `honest-samples.ts`, the same way for all.
 */
export const utilityOptions = {
  variables: columnNames().describe('columns to compare; all that original and release share when not given'),
  resamples: whole(20, { min: 0, max: 10_000 }).describe(
    'honest samples that are drawn to know what one would give, half as many files that keep nothing; fewer for large files; 0: none',
  ),
}

/** For measures that have no options of their own. */
export const plainOptions = z.object(utilityOptions)

/** Every measure of utility has these options, `z.object({ ...utilityOptions })`, and may have more. */
export type UtilityOptions = z.ZodObject<typeof utilityOptions>

export interface UtilityDeclaration<Options extends UtilityOptions, Details extends JsonObject>
  extends Omit<
      MeasureDeclaration<Options, Details>,
      | 'family'
      | 'threat'
      | 'role'
      | 'orientation'
      | 'scope'
      | 'compute'
      | 'about'
      | 'fooledBy'
      | 'pools'
      | 'range'
      | 'needs'
    >,
    Partial<Pick<MeasureDeclaration<Options, Details>, 'needs'>>,
    Resampled {
  /** More rows of a table than these are not looked at: a random sample of them is. For measures that cost more than O(n log n). */
  readonly mostRows?: number
  /** The headline for any pair of files, fast: it is computed some eighty times. Null where it has none. */
  statistic(pair: Pair, options: z.output<Options>, context: Context): number | null | Promise<number | null>
  /** The finding for the release itself; its value is what `statistic` gives. */
  compute(
    pair: Pair,
    options: z.output<Options>,
    context: Context,
  ): UtilityFinding<Details> | Promise<UtilityFinding<Details>>
}

export interface UtilityFinding<Details extends JsonObject>
  extends Omit<Finding<Details>, 'interval' | 'controls' | 'effect' | 'people' | 'looks' | 'added' | 'utility'> {
  /** None unless given: the controls tell how the value varies. */
  readonly interval?: Finding['interval']
  /** A test of whether both files could be samples of one population, where there is one. */
  readonly test?: UtilityTest | null
  /** What an honest sample would give, where theory tells; otherwise it is found by resampling. */
  readonly expected?: Expected | null
}

/** What a measure of utility has besides what every measure has. */
interface UtilityPart {
  readonly scale: UtilityScale
  /** The headline for any pair of files, without controls; options as for the measure. */
  valueFor(pair: Pair, options: object, context: Context): Promise<number | null>
}

export type AnyUtilityMeasure = AnyMeasure & UtilityPart

export type UtilityMeasure<Options extends UtilityOptions, Details extends JsonObject> = Measure<Options, Details> &
  UtilityPart & { readonly declaration: UtilityDeclaration<Options, Details> }

export function utilityMeasure<Options extends UtilityOptions, Details extends JsonObject>(
  declaration: UtilityDeclaration<Options, Details>,
): UtilityMeasure<Options, Details> {
  const { statistic, compute, mostRows, nothingDraws, subsampleSize, standardised, nothing, ...rest } = declaration
  const { scale = null } = rest
  const whole = measure<Options, Details>({
    version: 1,
    needs: [],
    ...rest,
    profile: rest.profile ?? (scale === null ? 'full' : 'standard'),
    family: 'utility',
    role: 'utility',
    scope: 'pair',
    check: (release, options) => [
      ...unknownColumns(options.variables, release.variables),
      ...(rest.check?.(release, options) ?? []),
    ],
    compute: async (subject, options, context) => {
      const pair = reduced(pairOf(subject, options.variables), mostRows, context)
      const { test = null, expected = null, value, interval = null, ...rest } = await compute(pair, options, context)
      const finding = { value, interval, ...rest }
      if (finding.value === null) return finding
      const { resamples } = options
      const drawn = { declaration, statistic: (file: Pair, own: Context) => statistic(file, options, own), resamples }
      return { ...finding, ...(await besideControls({ ...drawn, pair, context }, finding.value, expected, test)) }
    },
    charts: (finding, about) => [...rest.charts(finding, about), ...equivalentChart(rest.title, finding, about.name)],
  })
  const valueFor = async (pair: Pair, asked: object, context: Context) => {
    const options = parseOptions(declaration.id, declaration.options, asked)
    return unlessNotApplicable(() => statistic(reduced(pair, mostRows, context), options, context))
  }
  return Object.assign(whole, { scale, valueFor, declaration })
}

function reduced(pair: Pair, mostRows: number | undefined, context: Context): Pair {
  return mostRows === undefined ? pair : reducedPair(pair, mostRows, (purpose) => context.random(purpose))
}

/** A sentence for each name that no column has. */
export function unknownColumns(names: readonly string[] | null, variables: readonly string[]): string[] {
  return (names ?? []).filter((name) => !variables.includes(name)).map((name) => unknownName('column', name, variables))
}
