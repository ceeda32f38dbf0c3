import { barChart, type Chart } from '../../../chart/chart.js'

/** How much a column helps to tell released records from original ones. */
export type ColumnShare = {
  readonly name: string
  readonly value: number
}

/** As shares of their sum. */
export function asShares(columns: readonly ColumnShare[]): ColumnShare[] {
  const total = columns.reduce((sum, { value }) => sum + value, 0)
  return columns.map(({ name, value }) => ({ name, value: total > 0 ? value / total : 0 }))
}

export function givenAwayChart(columns: readonly ColumnShare[], y: string, name: string): Chart {
  return barChart(
    { name: 'columns', title: `Which columns give the release away: ${name}`, x: '', y },
    [...columns].sort((a, b) => b.value - a.value).map((column) => ({ label: column.name, value: column.value })),
  )
}
