import type { JsonObject } from '../json.js'
import type { Context, Finding, Subject } from '../measure.js'
import { remember, tableOfPart } from '../table/classes.js'
import type { NumericColumn } from '../table/column.js'
import { roundedToStep, roundingOf, stepOf } from '../table/precision.js'
import type { Release } from '../table/release.js'
import { columnOf, type Table, table } from '../table/table.js'
import { alsoIn } from './narrow-looks.js'

/**
 * A released income of 30,001 where originals have ten thousands equals nobody's, and everybody knows whose it was: whoever
 * sees the step of the numbers rounds back. So must a measure that compares values: where the numbers of an original column
 * lie on a step (see `stepOf`) and those of the release do not, the same is also asked with that column rounded to it, in all
 * files. Numbers that were moved by more than half a step come to lie elsewhere, and are then as far away as they were.
 */
export function alsoOnGrid<Options, Details extends JsonObject>(
  compute: (subject: Subject, options: Options, context: Context) => Finding<Details> | Promise<Finding<Details>>,
) {
  return alsoIn<Options, Details>(
    'with numbers rounded to the step of the original',
    async (...given) => compute(...given),
    async (subject) => onGrid(subject),
  )
}

/** So many more released than original values off the step are no accident. */
const OFF_STEP = 0.05

/** The release with numbers on the steps of the original; null where they are. All releases together are not looked at once more. */
function onGrid({ release, part }: Subject): Release | null {
  if (part === 'all') return null
  return remember(release, `on grid ${part}`, () => {
    const released = tableOfPart(release, part)
    const back = new Map(release.variables.flatMap((name) => wayBack(name, release.original, released)))
    if (back.size === 0) return null
    const rounded = (of: Table) => withNumbers(of, back)
    return {
      ...release,
      original: rounded(release.original),
      released: [rounded(released)],
      holdout: release.holdout === null ? null : rounded(release.holdout),
      population: release.population === null ? null : rounded(release.population),
    }
  })
}

type WayBack = (value: number) => number

function wayBack(name: string, original: Table, released: Table): [string, WayBack][] {
  const [own, theirs] = [columnOf(original, name), columnOf(released, name)]
  const step = stepOf(own)
  if (own.kind !== 'numeric' || theirs.kind !== 'numeric' || step === null) return []
  if (offStep(theirs, step) <= offStep(own, step) + OFF_STEP) return []
  const rounding = roundingOf(
    own,
    own.values.filter((value) => !Number.isNaN(value)),
  )
  return [[name, (value) => roundedToStep(value, step, rounding)]]
}

/** As the decimals of computed numbers are: nobody means anything by the last of them. */
const TOLERANCE = 1e-9

function offStep({ values }: NumericColumn, step: number): number {
  let [known, off] = [0, 0]
  for (const value of values) {
    if (Number.isNaN(value)) continue
    known++
    const steps = value / step
    if (Math.abs(steps - Math.round(steps)) > TOLERANCE * Math.max(1, Math.abs(steps))) off++
  }
  return known === 0 ? 0 : off / known
}

function withNumbers(of: Table, back: ReadonlyMap<string, WayBack>): Table {
  const columns = of.columns.map((column) => {
    const toStep = back.get(column.name)
    return toStep === undefined || column.kind !== 'numeric' ? column : { ...column, values: column.values.map(toStep) }
  })
  return { ...table(of.name, columns), rows: of.rows }
}
