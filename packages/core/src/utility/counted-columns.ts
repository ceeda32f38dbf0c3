import { subsets } from '../stats/special.js'
import type { Release } from '../table/release.js'
import { type ColumnSet, columnOf } from '../table/table.js'

/** The columns that a measure looks at one by one: their values are all that it needs of the records. */
interface Chosen {
  readonly variables: readonly string[] | null
}

export function everyColumn({ variables }: Chosen, release: Release): readonly ColumnSet[] {
  return (variables ?? release.variables).map((name) => ({ columns: [name], as: 'values' }))
}

export function everyNumber(chosen: Chosen, release: Release): readonly ColumnSet[] {
  return everyColumn(chosen, release).filter(({ columns: [name] }) => !isCategorical(release, name))
}

export function everyCategory(chosen: Chosen, release: Release): readonly ColumnSet[] {
  return everyColumn(chosen, release).filter(({ columns: [name] }) => isCategorical(release, name))
}

/** Every so many columns together, numbers in classes, and fewer of them. */
export function everySet({ variables }: Chosen, release: Release, ways: number): readonly ColumnSet[] {
  const names = variables ?? release.variables
  const together = Array.from({ length: ways }, (_, k) => subsets(names, k + 1)).flat()
  return together.map((columns) => ({ columns, as: columns.length === 1 ? 'values' : 'classes' }))
}

function isCategorical({ original }: Release, name: string): boolean {
  return columnOf(original, name).kind === 'categorical'
}
