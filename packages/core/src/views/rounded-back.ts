import type { NumericColumn } from '../table/column.js'
import { countedValues } from '../table/counted-values.js'
import { type Rounding, roundedToStep, roundingOf, stepOf } from '../table/precision.js'
import { columnOf, type Table, table } from '../table/table.js'
import { view, withTables } from './view.js'

/**
 * A released income of 30,001 where originals have ten thousands equals nobody's, and everybody knows whose it was: whoever
 * sees the step of the numbers rounds back. Where the numbers of an original column lie on a step (see `stepOf`) and those of
 * the release do not, the column is rounded to it in all files, which keeps them exchangeable. Numbers that were moved by
 * more than half a step come to lie elsewhere, and are then as far away as they were.
 */
export const roundedBack = view<ReadonlyMap<string, WayBack>>({
  id: 'rounded-back',
  undoes: 'numbers moved off the step that those of the original lie on',
  what: 'with numbers rounded to the step of the original',
  detect({ variables, original, released: [released] }) {
    const back = new Map(variables.flatMap((name) => wayBack(name, original, released)))
    return back.size === 0 ? undefined : back
  },
  apply: (release, back) => withTables(release, (file) => withNumbers(file, back)),
})

interface WayBack {
  readonly step: number
  readonly rounding: Rounding
}

/** So many more released than original values off the step are no accident. */
const OFF_STEP = 0.05

function wayBack(name: string, original: Table, released: Table): [string, WayBack][] {
  const [ours, theirs] = [columnOf(original, name), columnOf(released, name)]
  const step = stepOf(ours)
  if (ours.kind !== 'numeric' || theirs.kind !== 'numeric' || step === null) return []
  if (offStep(theirs, step) <= offStep(ours, step) + OFF_STEP) return []
  return [[name, { step, rounding: roundingOf(ours, countedValues(ours).values) }]]
}

/** As the decimals of computed numbers are: nobody means anything by the last of them. */
const TOLERANCE = 1e-9

function offStep(column: NumericColumn, step: number): number {
  const { values, counts, known } = countedValues(column)
  let off = 0
  for (const [k, value] of values.entries()) {
    const steps = value / step
    if (Math.abs(steps - Math.round(steps)) > TOLERANCE * Math.max(1, Math.abs(steps))) off += counts[k]
  }
  return known === 0 ? 0 : off / known
}

function withNumbers(file: Table, back: ReadonlyMap<string, WayBack>): Table {
  const columns = file.columns.map((column) => {
    const way = back.get(column.name)
    return way === undefined || column.kind !== 'numeric'
      ? column
      : { ...column, values: column.values.map((value) => roundedToStep(value, way.step, way.rounding)) }
  })
  return { ...table(file.name, columns), rows: file.rows }
}
