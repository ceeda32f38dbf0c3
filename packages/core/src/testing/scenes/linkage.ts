import { blocksOf } from '../../risk/linkage/costs/blocks.js'
import type { Costs } from '../../risk/linkage/costs/costs.js'
import { type KeyKnowledge, type LinkedFiles, linkedFiles } from '../../risk/linkage/costs/linked-files.js'
import { type GuessRule, NEAREST } from '../../risk/linkage/matching/guesses.js'
import { link } from '../../risk/linkage/matching/link.js'
import { askedOf, sameRows, type Truth } from '../../risk/linkage/truth/truth.js'
import { categorical, numeric } from '../../table/column.js'
import { reconcile } from '../../table/reconcile.js'
import { columnNames, columnOf, type Table, table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'

/** Ten people and the released record of each: the example that every method is checked on. */
export const TEN = table('ten', [
  numeric('age', [23, 25, 31, 34, 38, 41, 47, 52, 58, 64]),
  numeric('inc', [18, 22, 30, 28, 45, 39, 52, 41, 75, 33]),
  categorical('sex', ['f', 'm', 'f', 'm', 'f', 'm', 'f', 'm', 'f', 'm']),
  categorical('edu', ['1', '2', '2', '3', '3', '1', '2', '2', '3', '1'], { levels: ['1', '2', '3'], ordered: true }),
])
export const TEN_RELEASED = table('ten released', [
  numeric('age', [24, 27, 30, 36, 36, 44, 47, 50, 60, 61]),
  numeric('inc', [17, 22, 33, 28, 44, 40, 47, 41, 71, 33]),
  categorical('sex', ['f', 'm', 'm', 'm', 'f', 'm', 'f', null, 'f', 'm']),
  categorical('edu', ['1', '2', '2', '2', '3', '1', '2', '2', '3', '2'], { levels: ['1', '2', '3'], ordered: true }),
])

/** Two tables with the columns of the first, reconciled. */
export function together(
  query: Table,
  search: Table,
  names: readonly string[] = columnNames(query),
  knowledge: KeyKnowledge = {},
): LinkedFiles {
  const columns = names.map((name) => {
    const both = reconcile([columnOf(query, name), columnOf(search, name)], [query.name, search.name])
    if (typeof both === 'string') throw new Error(both)
    return both
  })
  const side = (k: number, of: Table) =>
    table(
      of.name,
      columns.map((both) => both[k]),
    )
  return linkedFiles(side(0, query), side(1, search), names, knowledge)
}

export interface Scored {
  readonly risk: number[]
  readonly distance: number[]
  readonly least: number[]
  readonly rank: number[]
  readonly guessed: number[]
}

/** Risk per query row and where its true record stands. */
export async function score(
  files: LinkedFiles,
  costs: Costs,
  given: { rule?: Partial<GuessRule>; truth?: Truth; blocks?: readonly (readonly string[])[] } = {},
): Promise<Scored> {
  const truth = given.truth ?? sameRows(files.query.ids.length)
  const asked = askedOf(files, truth)
  const blocks = blocksOf(files, given.blocks ?? [])
  const context = { tasks: inline, progress: () => {}, signal: undefined }
  const linked = await link(files, costs, { ...NEAREST, ...given.rule }, asked, blocks, context)
  const perRow = (of: (row: number, place: number) => number) =>
    Array.from(files.query.ids, (_, row) => of(row, asked.place[truth.start[row]]))
  return {
    risk: perRow((_, place) => linked.pairWeight[place]),
    distance: perRow((_, place) => linked.pairCost[place]),
    least: perRow((row) => linked.least[files.query.ids[row]]),
    rank: perRow((_, place) => 1 + linked.nearer[place]),
    guessed: perRow((row) => linked.guessed[files.query.ids[row]]),
  }
}

export const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
