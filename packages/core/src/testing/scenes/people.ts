import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { type Column, type NumericColumn, numeric, takeRows } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'

/** Draws from one population: related numbers, coarse and fine, one mostly zero; frequent and rare categories. */
export function people(rows: number, random: Stream): Table {
  const health = Float64Array.from({ length: rows }, () => drawNormal(random))
  const number = (name: string, of: (z: number) => number) => numeric(name, health.map(of))
  const category = (name: string, count: number, of: (z: number) => number): Column => ({
    kind: 'categorical',
    name,
    ordered: false,
    levels: Array.from({ length: count }, (_, level) => `${name}${level}`),
    codes: Int32Array.from(health, (z) => Math.min(count - 1, Math.max(0, Math.floor(of(z))))),
  })
  return table('people', [
    number('age', (z) => Math.round(45 + 10 * z + 8 * drawNormal(random))),
    number('income', (z) => Math.exp(10 + 0.4 * z + 0.5 * drawNormal(random))),
    number('weight', () => Math.round(1000 * random.uniform())),
    number('gain', (z) => (random.uniform() < 0.85 ? 0 : Math.round(500 * Math.exp(0.5 * z + drawNormal(random))))),
    category('sex', 2, () => 2 * random.uniform()),
    category('region', 6, (z) => 3 + z + drawNormal(random)),
    category('job', 25, () => 25 * random.uniform() ** 3),
    category('family', 4, (z) => 2 + 0.8 * z + drawNormal(random)),
  ])
}

/** The table with its numbers, or one of them, changed. */
export function changeNumbers(file: Table, change: (value: number, column: NumericColumn) => number): Table {
  return table(
    file.name,
    file.columns.map((column) =>
      column.kind === 'numeric'
        ? numeric(
            column.name,
            column.values.map((value) => change(value, column)),
          )
        : column,
    ),
  )
}

/** Every column, or those chosen, in an order of its own. */
export function permuteColumns(file: Table, random: Stream, chosen: (name: string) => boolean = () => true): Table {
  return table(
    file.name,
    file.columns.map((column) => (chosen(column.name) ? takeRows(column, permutation(random, file.rows)) : column)),
  )
}
