import { groupRows } from '@scrim/kernels'
import { stream } from '../random/stream.js'
import { jointCodes, rowsOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { rowsLeft, withRows } from './repetition.js'
import { view, withoutColumns } from './view.js'

/**
 * Every record written several times with one column dealt out anew: no record is repeated, so that all of them count, and those
 * that differ from a twin in that column only stand around people and hide it. Without the column they repeat each other,
 * more than the originals do, and whoever sees that leaves it out and takes the repetition with it (`repetition.ts`). The column
 * is the one without which the release is longest for what it says, where it is half as long again for it. The choice looks at
 * how often records are repeated, not at who they are. Blind to several columns dealt out at once.
 */
export const redealtColumn = view<Redealt>({
  id: 'redealt-column',
  undoes: 'records written several times with one column dealt out anew',
  what: 'without a column that was dealt out anew',
  detect(release, { seed }) {
    const { variables } = release
    if (variables.length < FEWEST_COLUMNS) return undefined
    const all = release.released[0].rows
    const left = (names: readonly string[]) => rowsLeft(release, stream(seed, 'views/redealt'), names)
    const [worst] = repeatedWithout(release, variables, all / LONGER)
      .map((column) => ({ column, others: variables.filter((other) => other !== column) }))
      .map(({ column, others }) => ({ column, rows: left(others) }))
      .toSorted((a, b) => (a.rows?.length ?? all) - (b.rows?.length ?? all))
    if (worst === undefined || worst.rows === null) return undefined
    const { column, rows } = worst
    return LONGER * rows.length <= (left(variables)?.length ?? all) ? { column, rows } : undefined
  },
  apply: (release, { column, rows }) => withRows(withoutColumns(release, new Set([column])), rows),
})

interface Redealt {
  readonly column: string
  /** Of the release, that are left without the column. */
  readonly rows: Int32Array
}

/**
 * The columns without each of which at most so many released records differ. Leaving more columns out makes no more of them
 * differ: where too many do without several columns, none of these is asked about alone.
 */
function repeatedWithout(release: Release, columns: readonly string[], most: number): string[] {
  const others = release.variables.filter((name) => !columns.includes(name))
  if (differentRecords(release, others) > most) return []
  if (columns.length === 1) return [...columns]
  const middle = columns.length >> 1
  return [columns.slice(0, middle), columns.slice(middle)].flatMap((half) => repeatedWithout(release, half, most))
}

/** Different released records in these columns: at least as many are left. */
function differentRecords(release: Release, names: readonly string[]): number {
  const columns = names.map((name) => {
    const joint = jointCodes(release, name)
    return { codes: rowsOfPart(release, joint, joint.codes, 0), cardinality: joint.cardinality }
  })
  return groupRows(columns, release.released[0].rows).count
}

const FEWEST_COLUMNS = 3
const LONGER = 1.5
