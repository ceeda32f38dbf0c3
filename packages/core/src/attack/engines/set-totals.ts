import type { ReleasedEntries } from '../generator/records.js'

/** What released records add to the log likelihood of each set: a finite part, and how many of them are impossible. */
export interface Totals {
  readonly finite: Float64Array
  readonly impossible: Float64Array
}

/** Some released records by set: how many of them each set has. */
export interface Entries {
  readonly set: Int32Array
  readonly count: Float64Array
}

export function emptyTotals(sets: number): Totals {
  return { finite: new Float64Array(sets), impossible: new Float64Array(sets) }
}

export function copyOf({ finite, impossible }: Totals): Totals {
  return { finite: finite.slice(), impossible: impossible.slice() }
}

export function sumOfTotals(a: Totals, b: Totals): Totals {
  const sum = copyOf(a)
  addTotals(sum, b)
  return sum
}

export function addTotals({ finite, impossible }: Totals, totals: Totals): void {
  for (let s = 0; s < finite.length; s++) {
    finite[s] += totals.finite[s]
    impossible[s] += totals.impossible[s]
  }
}

export function logLikelihood({ finite, impossible }: Totals): Float64Array {
  return finite.map((sum, s) => (impossible[s] > 0 ? Number.NEGATIVE_INFINITY : sum))
}

export function entriesOf({ sets, start, set, count }: ReleasedEntries, records: readonly number[]): Entries {
  const counts = new Float64Array(sets)
  for (const u of records) for (let k = start[u]; k < start[u + 1]; k++) counts[set[k]] += count[k]
  const occurring = Int32Array.from(counts.keys()).filter((s) => counts[s] > 0)
  return { set: occurring, count: Float64Array.from(occurring, (s) => counts[s]) }
}

export function addEntries(to: Float64Array, { set, count }: Entries, weight: number): void {
  for (let k = 0; k < set.length; k++) to[set[k]] += weight * count[k]
}

/** Adds the log of a released record as often as it occurs, or takes it away. */
export function addLog(
  { start, set, count }: ReleasedEntries,
  { finite, impossible }: Totals,
  u: number,
  log: number,
  sign: 1 | -1,
): void {
  for (let k = start[u]; k < start[u + 1]; k++) {
    if (log === Number.NEGATIVE_INFINITY) impossible[set[k]] += sign * count[k]
    else finite[set[k]] += sign * count[k] * log
  }
}

/** Hot. One log instead of another. */
export function replaceLog(released: ReleasedEntries, totals: Totals, u: number, before: number, log: number): void {
  if (log === before) return
  const { start, set, count } = released
  if (log > Number.NEGATIVE_INFINITY && before > Number.NEGATIVE_INFINITY) {
    const { finite } = totals
    for (let k = start[u]; k < start[u + 1]; k++) finite[set[k]] += count[k] * (log - before)
  } else {
    addLog(released, totals, u, before, -1)
    addLog(released, totals, u, log, 1)
  }
}
