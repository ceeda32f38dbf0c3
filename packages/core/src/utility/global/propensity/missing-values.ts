import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import { choice } from '../../../option-kinds.js'
import { median } from '../../../stats/quantile.js'
import { type Column, countMissing, MISSING_CODE } from '../../../table/column.js'
import { columnOf, type Table, table } from '../../../table/table.js'
import { completePair, type Pair, withTables } from '../../pair.js'

/** What a propensity model makes of missing values. */
export const missingOption = choice(['indicator', 'drop', 'impute'], 'indicator').describe(
  'missing values; indicator: a level of their own, and a 0/1 column beside a number; drop: records with any are left out; impute: the median or most frequent level of both files',
)

export function withoutMissing(pair: Pair, missing: z.output<typeof missingOption>): Pair {
  const hasAny = [pair.original, pair.released].some((file) =>
    pair.variables.some((name) => countMissing(columnOf(file, name)) > 0),
  )
  if (missing === 'indicator' || !hasAny) return pair
  if (missing === 'impute') return imputed(pair)
  const complete = completePair(pair, pair.variables)
  if (complete === pair) throw new NotApplicable('one of the files has no record without a missing value')
  return complete
}

function imputed(pair: Pair): Pair {
  const fills = new Map(
    pair.variables.map((name) => [name, fillOf(columnOf(pair.original, name), columnOf(pair.released, name))]),
  )
  const filled = (file: Table) =>
    table(
      file.name,
      file.columns.map((column) => filledColumn(column, fills.get(column.name) ?? null)),
    )
  return withTables(pair, filled(pair.original), filled(pair.released))
}

/** A number or a code; null where no file has a value. */
function fillOf(x: Column, y: Column): number | null {
  if (x.kind === 'categorical' && y.kind === 'categorical') {
    const counts = new Int32Array(x.levels.length)
    for (const codes of [x.codes, y.codes]) for (const code of codes) if (code !== MISSING_CODE) counts[code]++
    const most = counts.reduce((high, count) => Math.max(high, count), 0)
    return most === 0 ? null : counts.indexOf(most)
  }
  if (x.kind === 'categorical' || y.kind === 'categorical') return null
  return median([...x.values, ...y.values].filter((value) => !Number.isNaN(value)))
}

function filledColumn(column: Column, fill: number | null): Column {
  if (fill === null) return column
  return column.kind === 'categorical'
    ? { ...column, codes: column.codes.map((code) => (code === MISSING_CODE ? fill : code)) }
    : { ...column, values: column.values.map((value) => (Number.isNaN(value) ? fill : value)) }
}
