import { countUpTo } from './sorted.js'
import { total } from './sums.js'

/** Numbers, one for each record; or, where equal records were counted, each for as many records as `times` says. */
export interface Repeated<Values extends ArrayLike<number> = Float64Array> {
  readonly values: Values
  readonly times: Int32Array | null
}

/** Those that are known, in their order. */
export function known({ values, times }: Repeated): Repeated {
  return {
    values: values.filter((value) => !Number.isNaN(value)),
    times: times === null ? null : times.filter((_, k) => !Number.isNaN(values[k])),
  }
}

/** Those that are known, ascending. */
export function ascending(repeated: Repeated): Repeated {
  const { values, times } = known(repeated)
  if (times === null) return { values: values.sort(), times }
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b])
  return { values: Float64Array.from(order, (k) => values[k]), times: order.map((k) => times[k]) }
}

export function recordsOf({ values, times }: Repeated<ArrayLike<number>>): number {
  return times === null ? values.length : total(times)
}

/** How many records have at most the limit, of ascending numbers. */
export function recordsUpTo({ values, times }: Repeated, limit: number): number {
  const places = countUpTo(values, limit)
  return times === null ? places : total(times.subarray(0, places))
}
