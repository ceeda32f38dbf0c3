import { barChart, type Chart } from '../chart/chart.js'
import type { Suggestion } from './suggest.js'

const SHOWN = 20

/** What each column adds to the uniqueness of people, and how far the best set of each size goes. */
export function suggestionCharts({ table, columns, keys, best, largest }: Suggestion): readonly Chart[] {
  const isKey = new Set(keys.map(({ column }) => column))
  const sizes = Array.from({ length: largest }, (_, k) => best.find((set) => set.columns.length === k + 1))
  return [
    barChart(
      {
        name: 'keys-added',
        title: `Which columns single people out? ${table}`,
        red: 'suggested as key',
        x: 'column',
        y: 'share of people made unique',
      },
      columns
        .slice(0, SHOWN)
        .map(({ column, added }) => ({ label: column, value: added, alarm: isKey.has(column), series: 'original' })),
    ),
    barChart(
      {
        name: 'keys-sets',
        title: `How many are unique on the worst set of each size? ${table}`,
        x: 'set of columns',
        y: 'share of unique people',
      },
      sizes.flatMap((set) =>
        set === undefined ? [] : [{ label: set.columns.join(' + '), value: set.unique, series: 'original' as const }],
      ),
    ),
  ]
}
