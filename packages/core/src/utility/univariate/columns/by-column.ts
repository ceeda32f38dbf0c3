import { type Chart, dumbbellChart } from '../../../chart/chart.js'
import { distanceChart } from '../../../chart/comparison.js'
import { column, type FindingTable, findingTable } from '../../../evidence/finding-table.js'
import type { UtilityTest } from '../../../evidence/usefulness.js'
import type { JsonObject } from '../../../json.js'
import type { Context } from '../../../measure.js'
import { SIGNIFICANCE } from '../../../stats/levels.js'
import { largestFirst } from '../../../stats/sorted.js'
import { mean } from '../../../stats/sums.js'
import { holm } from '../../../stats/tests/tests.js'
import type { Pair } from '../../pair.js'
import type { UtilityFinding } from '../../utility-measure.js'

/** How far one column of the release lies from the same of the original. */
export type ColumnDistance = {
  readonly name: string
  readonly value: number
  /** What an honest sample as large as the release would give, where theory tells. */
  readonly expected: number | null
  /** Of both files being samples of one population; `adjusted` for looking at all columns (Holm). */
  readonly p: number | null
  readonly adjusted: number | null
}

/** A measure that looks at columns one by one: its headline is the mean over them. */
interface Columnwise<Options, Item, Column extends Untested, Details extends JsonObject> {
  /** The columns of both files, and the names of those that cannot be compared. */
  items(
    pair: Pair,
    options: Options,
    context: Context,
  ): { readonly pairs: readonly Item[]; readonly skipped?: readonly string[] }
  value(item: Item, options: Options): number
  column(item: Item, options: Options, context: Context): Column
  /** What the columns are tested by: "D of the column that differs most". */
  readonly test?: string
  details(columns: readonly (Column & Tested)[], items: readonly Item[], options: Options, pair: Pair): Details
  warnings?(pair: Pair, columns: readonly Column[]): readonly string[]
}

type Untested = Omit<ColumnDistance, 'adjusted'>
type Tested = Pick<ColumnDistance, 'adjusted'>

export function columnwise<Options, Item, Column extends Untested, Details extends JsonObject>({
  items,
  value,
  column,
  test,
  details,
  warnings,
}: Columnwise<Options, Item, Column, Details>) {
  return {
    statistic: (pair: Pair, options: Options, context: Context) =>
      mean(items(pair, options, context).pairs.map((item) => value(item, options))),
    compute: (pair: Pair, options: Options, context: Context): UtilityFinding<Details> => {
      const { pairs, skipped = [] } = items(pair, options, context)
      const columns = withAdjusted(pairs.map((item) => column(item, options, context)))
      return {
        value: meanOver(columns),
        ...(columns.length === 0 ? { reason: 'no column has known values in both files' } : {}),
        test: test === undefined ? null : testOver(columns, test),
        details: details(columns, pairs, options, pair),
        warnings: [...skippedWarnings(skipped), ...(warnings?.(pair, columns) ?? [])],
      }
    },
  }
}

/** With p adjusted for looking at all, by Holm. */
export function withAdjusted<T extends { readonly p: number | null }>(
  columns: readonly T[],
): (T & Pick<ColumnDistance, 'adjusted'>)[] {
  const tested = columns.filter(({ p }) => p !== null)
  const adjusted = holm(tested.map(({ p }) => p ?? 1))
  return columns.map((column) => {
    const at = tested.indexOf(column)
    return { ...column, adjusted: at < 0 ? null : adjusted[at] }
  })
}

/** The headline of a measure that looks at columns one by one. */
function meanOver(columns: readonly { readonly value: number }[]): number | null {
  return mean(columns.map(({ value }) => value))
}

/** Whether any column differs: the smallest p after Holm's correction. */
export function testOver(columns: readonly ColumnDistance[], statistic: string): UtilityTest | null {
  const tested = columns.flatMap(({ adjusted }) => adjusted ?? [])
  if (tested.length === 0) return null
  return {
    p: Math.min(...tested),
    what: `${statistic} of the column that differs most, for ${tested.length} looked at (Holm)`,
  }
}

/** Columns that a picture shows: by their distributions, and by a rate. */
const [MOST_SHOWN, MOST_RATES] = [12, 40]

/** The items behind the columns that differ most, which pictures show. */
export function furthest<Item extends { readonly name: string }>(
  items: readonly Item[],
  columns: readonly Pick<ColumnDistance, 'name' | 'value'>[],
): Item[] {
  const worst = largestFirst(columns, ({ value }) => value).slice(0, MOST_SHOWN)
  return worst.flatMap(({ name }) => items.filter((item) => item.name === name))
}

export function worstColumn<T extends { readonly value: number }>(columns: readonly T[]): T {
  return largestFirst(columns, ({ value }) => value)[0]
}

/** Columns by distance, furthest first, with what an honest sample would give. */
export function columnsChart(
  labels: { readonly name: string; readonly title: string; readonly x: string },
  columns: readonly ColumnDistance[],
): Chart {
  return distanceChart(
    labels,
    largestFirst(columns, ({ value }) => value).map(({ name, value, expected, adjusted }) => ({
      label: name,
      value,
      expected,
      alarm: adjusted !== null && adjusted < SIGNIFICANCE,
    })),
  )
}

/** A rate of each column in both files, furthest first. */
export function ratesChart(
  labels: { readonly name: string; readonly title: string; readonly x: string },
  columns: readonly (ColumnDistance & { readonly original: number; readonly released: number })[],
): Chart {
  return dumbbellChart(
    { ...labels, y: '' },
    largestFirst(columns, ({ value }) => value)
      .slice(0, MOST_RATES)
      .map(({ name, original, released }) => ({ label: name, original, release: released })),
  )
}

/** What is said of columns that could not be compared. */
function skippedWarnings(skipped: readonly string[]): string[] {
  return skipped.map((name) => `"${name}" has no known value in one of the files and was left out`)
}

/** What every measure of columns has of each. */
export function columnsTable(columns: readonly ColumnDistance[]): FindingTable {
  return findingTable('columns', 'By column', columns, [
    [column.text('column'), ({ name }) => name],
    [column.number('value'), ({ value }) => value],
    [column.number('expected'), ({ expected }) => expected],
    [column.p('p'), ({ p }) => p],
    [column.p('adjusted'), ({ adjusted }) => adjusted],
  ])
}
