import { valuesAt } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { remember } from '../../../table/classes.js'
import { columnOf, completeRows, type Table } from '../../../table/table.js'
import { type Pair, weightsOf } from '../../pair.js'
import type { Options } from '../interval-overlap.js'
import { type BootstrapInterval, bootstrapInterval, ESTIMATORS } from './bootstrap-interval.js'

/** Statistics of a column with their bootstrap intervals, those of the original once. */
export const STATISTICS = Object.keys(ESTIMATORS) as [string, ...string[]]

/** Once per original and column. */
export function originalInterval({ original, weight }: Pair, name: string, chosen: Options, context: Context) {
  const key = JSON.stringify(['bootstrap', name, chosen.statistic, chosen.draws, chosen.level, context.seed])
  return remember(original, key, () =>
    intervalOf(original, weight, name, chosen, original.rows, (draw) => context.random(`original/${name}`, draw)),
  )
}

export function intervalOf(
  data: Table,
  weight: string | null,
  name: string,
  { statistic, draws, level }: Options,
  records: number,
  random: (draw: number) => ReturnType<Context['random']>,
): BootstrapInterval | null {
  const column = columnOf(data, name)
  if (column.kind === 'categorical') return null
  const rows = completeRows(data, [name])
  const size = Math.max(1, Math.round((records * rows.length) / data.rows))
  return bootstrapInterval(
    valuesAt(column.values, rows),
    ESTIMATORS[statistic],
    { draws, level, size, weights: weightsOf(data, weight, rows) },
    random,
  )
}
