import type { Stream } from '../random/stream.js'
import { aliasTable, drawBinomial, drawCategory, drawMultinomial } from '../stats/draws.js'
import { massOf } from '../stats/samples/two-samples.js'
import { type Column, columnLength, isMissing, takeRows } from '../table/column.js'
import { codeJointly } from '../table/joint.js'
import { type CountedRecords, recordsIn, selectRows, type Table, table } from '../table/table.js'
import type { Nothing } from './pair.js'

/**
 * Files drawn from an original of which all records were counted: each set of columns by itself, as often as its values occur. So each
 * set is what it is in a file that is drawn record by record; only that sets do not vary together.
 */
interface Drawing {
  readonly records: number
  /** Whether the file that is drawn has a column. */
  readonly has: (column: string) => boolean
  readonly random: (purpose: string) => Stream
}

/** Random records, with replacement, or in proportion to their weights. */
export function drawnCounts(
  original: CountedRecords,
  weightsOf: (counted: Table) => Float64Array | null,
  { records, has, random }: Drawing,
): CountedRecords {
  return eachSet(original, records, (counted, set) => {
    const chances = massOf(weightsOf(counted), counted.times ?? null) ?? new Float64Array(counted.rows).fill(1)
    return occurring(onlyColumns(counted, has), drawMultinomial(random(`rows of ${set}`), records, chances))
  })
}

/** All records as they are. */
export function sameCounts(original: CountedRecords, has: Drawing['has']): CountedRecords {
  return eachSet(original, original.records, (counted) => onlyColumns(counted, has))
}

/** Every column on its own; without weights, which would be drawn on their own too. */
export function nothingCounts(
  original: CountedRecords,
  kind: Nothing,
  weight: string | null,
  { records, random }: Pick<Drawing, 'records' | 'random'>,
): CountedRecords {
  return eachSet(original, records, (counted, set) => {
    const values = onlyColumns(counted, (name) => name !== weight)
    const draws = random(`values of ${set}`)
    const isUniform = kind === 'uniform' && values.columns.length === 1
    return isUniform ? uniform(values, records, draws) : independent(values, records, draws)
  })
}

function eachSet(
  { by }: CountedRecords,
  records: number,
  draw: (counted: Table, set: string) => Table,
): CountedRecords {
  return { records, by: Object.fromEntries(Object.entries(by).map(([set, counted]) => [set, draw(counted, set)])) }
}

function onlyColumns({ name, columns, times }: Table, has: Drawing['has']): Table {
  return table(
    name,
    columns.filter((column) => has(column.name)),
    times,
  )
}

function occurring(counted: Table, times: Int32Array): Table {
  const rows = Int32Array.from(times.keys()).filter((row) => times[row] > 0)
  return selectRows({ ...counted, times }, rows)
}

/** Numbers are drawn from so many places between the least and the greatest. */
const PLACES = 100_000

/** Levels that occur, missing among them, equally often; numbers anywhere between the least and the greatest, missing as often as they are. */
function uniform(counted: Table, records: number, random: Stream): Table {
  const [column] = counted.columns
  const times = counted.times ?? new Int32Array(counted.rows).fill(1)
  if (column.kind === 'categorical') {
    const seen = Int32Array.from(times.keys()).filter((row) => times[row] > 0)
    const levels = selectRows(counted, seen)
    return occurring(levels, drawMultinomial(random, records, new Float64Array(levels.rows).fill(1)))
  }
  let [least, greatest, missing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let row = 0; row < counted.rows; row++) {
    if (isMissing(column, row)) missing += times[row]
    else [least, greatest] = [Math.min(least, column.values[row]), Math.max(greatest, column.values[row])]
  }
  const without = drawBinomial(random, records, missing / recordsIn(counted))
  const places = records === without ? 0 : Math.min(PLACES, records)
  const drawn = drawMultinomial(random, records - without, new Float64Array(places).fill(1))
  const values = Float64Array.from(drawn, (_, k) => least + ((greatest - least) * (k + 0.5)) / places)
  const all = table(counted.name, [{ ...column, values: Float64Array.of(Number.NaN, ...values) }])
  return occurring(all, Int32Array.of(without, ...drawn))
}

/** Records of which some values are drawn: how many, and for each column a row with its value. */
interface Cell {
  readonly records: number
  readonly rows: readonly number[]
}

function independent(counted: Table, records: number, random: Stream): Table {
  let cells: readonly Cell[] = [{ records, rows: [] }]
  for (const column of counted.columns) {
    const margin = marginOf(column, counted.times)
    const alias = aliasTable(margin.times)
    cells = cells.flatMap((cell) =>
      dealt(cell.records, margin.times, alias, random).map(([value, times]) => ({
        records: times,
        rows: [...cell.rows, margin.rows[value]],
      })),
    )
  }
  return table(
    counted.name,
    counted.columns.map((column, k) =>
      takeRows(
        column,
        cells.map(({ rows }) => rows[k]),
      ),
    ),
    Int32Array.from(cells, (cell) => cell.records),
  )
}

/** How many records have each value of a column, and a row with it. */
function marginOf(column: Column, repeats: Int32Array | undefined) {
  const { codes, cardinality } = codeJointly([column])
  const [times, rows] = [new Float64Array(cardinality + 1), new Int32Array(cardinality + 1)]
  for (let row = 0; row < columnLength(column); row++) {
    times[codes[row] + 1] += repeats?.[row] ?? 1
    rows[codes[row] + 1] = row
  }
  return { times, rows }
}

/** The values that so many records get, with how many each. */
function dealt(
  records: number,
  times: Float64Array,
  alias: ReturnType<typeof aliasTable>,
  random: Stream,
): [value: number, records: number][] {
  const drawn = new Map<number, number>()
  if (records < times.length)
    for (let k = 0; k < records; k++) {
      const value = drawCategory(random, alias)
      drawn.set(value, (drawn.get(value) ?? 0) + 1)
    }
  else
    for (const [value, count] of drawMultinomial(random, records, times).entries())
      if (count > 0) drawn.set(value, count)
  return [...drawn]
}
