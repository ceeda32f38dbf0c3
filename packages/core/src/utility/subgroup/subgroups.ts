import { significant } from '../../print.js'
import { quantiles } from '../../stats/quantile.js'
import { isMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'

/** The records of two tables that share a value of a column, or of several; missing is no group. */
export interface Subgroup {
  /** As people read it: region = north, sex = f. */
  readonly label: string
  readonly columns: readonly string[]
  /** Rows of the original and of the release. */
  readonly original: Int32Array
  readonly released: Int32Array
}

const NUMBER_CLASSES = 4

/** All groups by the columns together, in the order of their levels; numbers in quarters of the original. */
export function subgroupsBy(columns: readonly string[], original: Table, released: Table): Subgroup[] {
  const grouped = columns.map((name) => groupingOf(name, original, released))
  const found = new Map<string, { label: string; original: number[]; released: number[] }>()
  for (const [which, data] of [original, released].entries()) {
    for (let row = 0; row < data.rows; row++) {
      const codes = grouped.map(({ codes: both }) => both[which][row])
      if (codes.includes(-1)) continue
      const key = codes.map((code) => String(code).padStart(6, '0')).join(' ')
      const label = codes.map((code, k) => `${columns[k]} = ${grouped[k].labels[code]}`).join(', ')
      const group = found.get(key) ?? { label, original: [], released: [] }
      found.set(key, group)
      group[which === 0 ? 'original' : 'released'].push(row)
    }
  }
  return [...found.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({
      label: group.label,
      columns,
      original: Int32Array.from(group.original),
      released: Int32Array.from(group.released),
    }))
}

function groupingOf(name: string, original: Table, released: Table) {
  const [x, y] = [columnOf(original, name), columnOf(released, name)]
  if (x.kind === 'categorical' && y.kind === 'categorical') return { codes: [x.codes, y.codes], labels: x.levels }
  if (x.kind === 'categorical' || y.kind === 'categorical') throw new Error(`"${name}" has not been reconciled`)
  const known = x.values.filter((value) => !Number.isNaN(value))
  const shares = Array.from({ length: NUMBER_CLASSES - 1 }, (_, k) => (k + 1) / NUMBER_CLASSES)
  const cuts = [...new Set(quantiles(known, shares) ?? [])]
  const codesOf = (column: typeof x) =>
    Int32Array.from(column.values, (value, row) =>
      isMissing(column, row) ? -1 : cuts.reduce((code, cut) => code + (value > cut ? 1 : 0), 0),
    )
  const text = (value: number) => String(significant(value, 6))
  const labels = Array.from({ length: cuts.length + 1 }, (_, k) => {
    if (cuts.length === 0) return 'any'
    if (k === 0) return `up to ${text(cuts[0])}`
    return k === cuts.length ? `above ${text(cuts[k - 1])}` : `${text(cuts[k - 1])} to ${text(cuts[k])}`
  })
  return { codes: [codesOf(x), codesOf(y)], labels }
}
