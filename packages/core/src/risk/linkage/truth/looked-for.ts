import type { Context } from '../../../measure.js'
import { rowsLookedAt } from '../../../random/sampling.js'
import { stackColumns } from '../../../table/column.js'
import { distinctRecords } from '../../../table/distinct-records.js'
import { onlyColumns, selectRows, type Table, table } from '../../../table/table.js'
import type { BothFiles } from './row-order.js'
import { requirePairedRows, type Sides } from './sides.js'
import { sameRows } from './truth.js'

/**
 * People who are looked for by their keys among all records of a release, where row i of it is row i of the original. A linkage depends
 * on how many records have which keys, so that where some of the people are looked for each different record is held once: in the same
 * order whether files are in memory or were counted elsewhere (`scanned-people.ts`), so that sums are the same to the last bit.
 */
export interface LookedFor {
  /** Their rows, and how many records both files have. */
  readonly rows: Int32Array
  readonly records: readonly [original: number, released: number]
  /** Their keys in the original. */
  readonly people: Table
  /** The keys of all, in both files those of the people first; where these are some of many, the different ones behind them count all. */
  readonly original: Table
  readonly released: Table
}

export function lookedForIn(
  [original, released]: BothFiles,
  names: readonly string[],
  sample: number | null,
  random: Context['random'],
): LookedFor {
  requirePairedRows(original, released)
  const rows = rowsLookedAt(original.rows, sample, () => random('people'))
  const keys = [onlyColumns(original, names), onlyColumns(released, names)] as const
  const isAll = rows.length === original.rows
  const people = isAll ? keys : ([selectRows(keys[0], rows), selectRows(keys[1], rows)] as const)
  return lookedForAmong(
    rows,
    original.rows,
    people,
    isAll ? null : [distinctRecords(keys[0]), distinctRecords(keys[1])],
  )
}

/** Some people among the records that were counted, or all people. */
export function lookedForAmong(rows: Int32Array, of: number, people: BothFiles, counted: BothFiles | null): LookedFor {
  const [original, released] = counted === null ? people : counted.map((all, k) => inFrontOf(people[k], all))
  return { rows, records: [of, of], people: people[0], original, released }
}

/** People who are among those counted, so that they count for none in front of them. */
function inFrontOf(people: Table, counted: Table): Table {
  const times = new Int32Array(people.rows + counted.rows)
  times.set(counted.times ?? [], people.rows)
  const columns = counted.columns.map((column, k) => stackColumns([people.columns[k], column]))
  return table(counted.name, columns, times)
}

export function sidesByRow({ rows, records, people, original, released }: LookedFor, names: readonly string[]): Sides {
  const truth = sameRows(rows.length)
  return {
    query: people,
    search: released,
    names,
    truth,
    kind: 'row',
    known: 'query',
    people: rows,
    of: records[0],
    everything: { search: original, truth },
  }
}
