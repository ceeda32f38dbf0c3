import { countIds, groupLoosely } from '@scrim/kernels'
import type { Context } from '../../../measure.js'
import { doneElsewhere } from '../../../neighbors/tasks.js'
import { joinedCodes } from '../../../stats/joined.js'
import { jointCodes, type Part, remember, rowCount, rowsOfPart } from '../../../table/classes.js'
import { tableByTable } from '../../../table/coded-records.js'
import type { Release } from '../../../table/release.js'
import type { Task } from '../../../tasks/task.js'

/**
 * Share of records that are unique over all variables and stand in the release, of the original and of the holdout; nothing where
 * only keys and target were counted.
 */
export async function replicatedRecords(release: Release, part: Part, context: Context): Promise<readonly number[]> {
  if (release.countedBy !== undefined) return []
  return remember(release, `replicated records ${part}`, () => {
    const parts: readonly Part[] = [part, 'original', ...(release.holdout === null ? [] : (['holdout'] as const))]
    const columns = release.variables.map((name) => {
      const joint = jointCodes(release, name)
      return {
        cardinality: joint.cardinality,
        codes: parts.map((which) => rowsOfPart(release, joint, joint.codes, which)),
      }
    })
    const records = parts.reduce<number>((sum, which) => sum + rowCount(release, which), 0)
    return doneElsewhere(context, replicatedTask, columns, records)
  })
}

type ColumnByPart = { readonly cardinality: number; readonly codes: readonly Int32Array[] }

/** Of each part but the first the share of records that are unique in it and stand in the first. */
export const replicatedTask: Task<readonly ColumnByPart[], string, number[]> = {
  name: 'records unique over all variables',
  run(columns) {
    const joint = columns.map(({ cardinality, codes }) => ({ cardinality, codes: joinedCodes(codes) }))
    const { ids, count } = groupLoosely(joint, joint[0].codes.length)
    const [released, ...truths] = tableByTable(
      ids,
      columns[0].codes.map((codes) => codes.length),
    )
    const inRelease = countIds(released, count)
    return truths.map((truth) => {
      const times = countIds(truth, count)
      return truth.filter((id) => times[id] === 1 && inRelease[id] > 0).length / truth.length
    })
  },
}
