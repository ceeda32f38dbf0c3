import type { Chart } from '../../chart/chart.js'
import { distanceChart } from '../../chart/comparison.js'
import type { UtilityTest } from '../../evidence/usefulness.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { mean } from '../../stats/sums.js'
import { holm } from '../../stats/tests.js'

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
export function meanOver(columns: readonly { readonly value: number }[]): number | null {
  return mean(columns.map(({ value }) => value))
}

/** Whether any column differs: the smallest p after Holm's correction. */
export function testOver(columns: readonly ColumnDistance[], of: string): UtilityTest | null {
  const found = columns.flatMap(({ adjusted }) => adjusted ?? [])
  if (found.length === 0) return null
  return { p: Math.min(...found), what: `${of} of the column that differs most, for ${found.length} looked at (Holm)` }
}

export function worstColumn<T extends { readonly value: number }>(columns: readonly T[]): T {
  return columns.reduce((worst, column) => (column.value > worst.value ? column : worst))
}

/** Columns by distance, furthest first, with what an honest sample would give. */
export function columnsChart(
  labels: { readonly name: string; readonly title: string; readonly x: string },
  columns: readonly ColumnDistance[],
): Chart {
  return distanceChart(
    labels,
    [...columns]
      .sort((a, b) => b.value - a.value)
      .map(({ name, value, expected, adjusted }) => ({
        label: name,
        value,
        expected,
        alarm: adjusted !== null && adjusted < SIGNIFICANCE,
      })),
  )
}

/** What is said of columns that could not be compared. */
export function skippedWarnings(skipped: readonly string[]): string[] {
  return skipped.map((name) => `"${name}" has no known value in one of the files and was left out`)
}
