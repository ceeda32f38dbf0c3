import { NotApplicable } from '../../../errors.js'
import { unlessMostAreComplete } from '../../../evidence/incomplete.js'
import type { Subject } from '../../../measure.js'
import { type Space, space } from '../../../neighbors/space.js'
import { type Part, tableOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { completeRows, selectRows, table } from '../../../table/table.js'
import type { Options } from '../epsilon-identifiability.js'
import { weighVariables } from './entropy-weights.js'

/** Records in a space whose columns weigh by their entropies. */
export type Compared = ReturnType<typeof comparedRecords>

/** The complete records of all files in one space, and what is said of them under any definition. */
export function comparedRecords({ release, part }: Subject, chosen: Options) {
  if (release.variables.length === 0) throw new NotApplicable('the original and the release have no variable in common')
  const parts: readonly Part[] = release.holdout === null ? ['original', part] : ['original', part, 'holdout']
  const files = parts.map((file) => {
    const data = tableOfPart(release, file)
    return { data, kept: completeRows(data, release.variables) }
  })
  const empty = files.find(({ kept }) => kept.length === 0)
  if (empty !== undefined) throw new NotApplicable(`every record of ${empty.data.name} has a missing value`)
  const variables = weighVariables(release, files[0].kept, chosen)
  return {
    points: pointsOf(release, files, Object.fromEntries(variables.map(({ variable, weight }) => [variable, weight]))),
    complete: files.map(({ kept }) => kept),
    details: {
      originals: files[0].kept.length,
      released: files[1].kept.length,
      droppedOriginals: files[0].data.rows - files[0].kept.length,
      droppedReleased: files[1].data.rows - files[1].kept.length,
      variables,
    },
    poor: unlessMostAreComplete(files.map(({ data, kept }) => ({ ...data, kept: kept.length }))),
    warnings: [
      ...files
        .filter(({ data, kept }) => kept.length < data.rows)
        .map(
          ({ data, kept }) => `${data.rows - kept.length} records of ${data.name} with a missing value were left out`,
        ),
      ...(variables.every(({ entropy }) => entropy === 0)
        ? ['every variable is constant in the original: all weigh the same']
        : []),
    ],
  }
}

interface CompleteFile {
  readonly data: ReturnType<typeof tableOfPart>
  readonly kept: Int32Array
}

/** The complete records as points; a variable's range is that of the original and the release, and categories have no order. */
function pointsOf(release: Release, files: readonly CompleteFile[], weights: Readonly<Record<string, number>>): Space {
  const tables = files.map(({ data, kept }) => {
    const { columns } = selectRows(data, kept)
    const unordered = columns.map((column) => (column.kind === 'categorical' ? { ...column, ordered: false } : column))
    return table(data.name, unordered)
  })
  return space(tables, release.variables, [0, 1], { clip: false, weights })
}
