/**
 * Records in groups of equal values, without those that are alone in theirs: a stripped partition (Huhtala et al. 1999,
 * TANE). A record that is unique on some columns is unique on more of them too, so it never comes back, and a further
 * column costs only as much as there are records left.
 */
export interface Partition {
  /** The records of each group, one group after the other. */
  readonly rows: Int32Array
  /** Where each group starts, and at the end where the last one stops. */
  readonly starts: Int32Array
}

export function wholePartition(rows: number): Partition {
  return { rows: Int32Array.from({ length: rows }, (_, row) => row), starts: Int32Array.of(0, rows) }
}

/** Room for `refine` to count in; made once, clean before and after each call. */
export interface Scratch {
  readonly counts: Int32Array
  readonly places: Int32Array
}

export function scratchFor(largestCardinality: number): Scratch {
  return { counts: new Int32Array(largestCardinality + 1), places: new Int32Array(largestCardinality + 1) }
}

/** Splits every group by a further column; `codes` run from -1, which is missing and counts as a value of its own. */
export function refine({ rows, starts }: Partition, codes: Int32Array, { counts, places }: Scratch): Partition {
  const kept = new Int32Array(rows.length)
  const ends: number[] = [0]
  const seen: number[] = []
  let at = 0
  for (let group = 0; group + 1 < starts.length; group++) {
    const [from, to] = [starts[group], starts[group + 1]]
    seen.length = 0
    for (let k = from; k < to; k++) {
      const value = codes[rows[k]] + 1
      if (counts[value]++ === 0) seen.push(value)
    }
    for (const value of seen) {
      if (counts[value] < 2) continue
      places[value] = at
      at += counts[value]
      ends.push(at)
    }
    for (let k = from; k < to; k++) {
      const value = codes[rows[k]] + 1
      if (counts[value] > 1) kept[places[value]++] = rows[k]
    }
    for (const value of seen) counts[value] = 0
  }
  return { rows: kept.subarray(0, at), starts: Int32Array.from(ends) }
}
