import { largestFirst } from '../../../stats/sorted.js'
import { binNumbers } from '../../../table/grouping.js'
import { codeJointly } from '../../../table/joint.js'
import { columnOf, countedBy, type Table } from '../../../table/table.js'
import { massIn, type Pair } from '../../pair.js'
import { tableUtility } from '../../tables/table-utility.js'
import { levelPair, MISSING_LABEL, sharesOf } from './columns.js'

/**
 * One column of both files side by side, as synthpop's `compare` shows it: a category by its levels, a number with fewer than
 * six values by these, any other in classes of equal width between round numbers, missing as a class of its own. Percentages
 * are of all records, weighted where there are weights; pMSE, S_pMSE and df are those of the column's table of records.
 */
export type ComparedColumn = {
  readonly name: string
  readonly pMSE: number
  readonly S_pMSE: number | null
  readonly df: number
  readonly classes: readonly {
    readonly label: string
    readonly originalPercent: number
    readonly releasedPercent: number
  }[]
}

const FEW_VALUES = 6
const BREAKS = 20
const MOST_CLASSES = 30

export function comparedColumn(pair: Pair, name: string): ComparedColumn {
  const { labels, original, released } =
    columnOf(pair.original, name).kind === 'categorical' ? levelPair(pair, name, 0) : numberClasses(pair, name)
  const records = pair.weight === null ? { original, released } : unweighted(pair, name)
  const { pMSE, S_pMSE, df } = tableUtility(records.original, records.released)
  const [p, q] = [sharesOf(original), sharesOf(released)]
  const classes = labels.map((label, k) => ({ label, originalPercent: 100 * p[k], releasedPercent: 100 * q[k] }))
  return { name, pMSE, S_pMSE, df, classes: shortened(classes) }
}

function unweighted(pair: Pair, name: string) {
  const plain = { ...pair, weight: null }
  return columnOf(pair.original, name).kind === 'categorical' ? levelPair(plain, name, 0) : numberClasses(plain, name)
}

/** Levels beyond the most frequent ones together. */
function shortened(classes: ComparedColumn['classes']): ComparedColumn['classes'] {
  if (classes.length <= MOST_CLASSES) return classes
  const order = largestFirst(classes, (one) => one.originalPercent + one.releasedPercent)
  const kept = new Set(order.slice(0, MOST_CLASSES))
  const rest = order.slice(MOST_CLASSES)
  const over = (of: 'originalPercent' | 'releasedPercent') => rest.reduce((sum, one) => sum + one[of], 0)
  return [
    ...classes.filter((one) => kept.has(one)),
    {
      label: `${rest.length} others`,
      originalPercent: over('originalPercent'),
      releasedPercent: over('releasedPercent'),
    },
  ]
}

function numberClasses(pair: Pair, name: string) {
  const [original, released] = [pair.original, pair.released].map((file) => countedBy(file, [name]))
  const { codes, numbers } = codeJointly([columnOf(original, name), columnOf(released, name)])
  const counts = new Float64Array(numbers.length)
  for (const [from, { rows, times }] of [[0, original] as const, [original.rows, released] as const])
    for (let row = 0; row < rows; row++) if (codes[from + row] >= 0) counts[codes[from + row]] += times?.[row] ?? 1
  const { bins, labels } =
    numbers.length < FEW_VALUES
      ? { bins: Int32Array.from(numbers.keys()), labels: Array.from(numbers, String) }
      : binNumbers({ numbers, counts }, { style: 'pretty', n: BREAKS })
  const weigh = (from: number, file: Table) => {
    const sums = new Float64Array(labels.length + 1)
    const mass = massIn(file, pair.weight)
    for (let row = 0; row < file.rows; row++) {
      const code = codes[from + row]
      sums[code < 0 ? labels.length : bins[code]] += mass === null ? 1 : mass[row]
    }
    return sums
  }
  const x = weigh(0, original)
  const y = weigh(original.rows, released)
  const kept = [...x.keys()].filter((k) => x[k] + y[k] > 0)
  return {
    labels: kept.map((k) => labels[k] ?? MISSING_LABEL),
    original: Float64Array.from(kept, (k) => x[k]),
    released: Float64Array.from(kept, (k) => y[k]),
  }
}
