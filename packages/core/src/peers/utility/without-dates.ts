import { columnOf } from '../../table/table.js'
import type { Pair } from '../../utility/pair.js'

/** A definition by which a date is no number, as in R, where `is.numeric` of a date is false. */
export function withoutDates<Short extends readonly unknown[], Long extends readonly unknown[], Value, Finding>({
  statistic,
  compute,
}: {
  readonly statistic: (pair: Pair, ...rest: Short) => Value
  readonly compute: (pair: Pair, ...rest: Long) => Finding
}) {
  return {
    statistic: (pair: Pair, ...rest: Short) => statistic(dateless(pair), ...rest),
    compute: (pair: Pair, ...rest: Long) => compute(dateless(pair), ...rest),
  }
}

function dateless(pair: Pair): Pair {
  return { ...pair, variables: pair.variables.filter((name) => columnOf(pair.original, name).kind !== 'date') }
}
