import type { Context, Subject } from '../../../measure.js'
import { membersOf } from '../../../neighbors/search.js'
import { space, TIE } from '../../../neighbors/space.js'
import { nearestDistances } from '../../../neighbors/tasks.js'
import { nnaa as own } from '../../../risk/membership/nnaa.js'
import { strictAccuracy, withLoss } from '../../../risk/membership/scores/label-permutations.js'
import { tableOfPart } from '../../../table/classes.js'
import type { Table } from '../../../table/table.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'
import { completeRecords, fits } from './complete-records.js'

const LIMIT = 0.1

/** All complete records, whatever the sizes of the files; null with fewer than two of a kind, and for files beyond its memory. */
export const nnaa = withFigures(own, {
  by: RISKUTILITY,
  literature: [
    { value: LIMIT, meaning: 'privacy loss above which it is significant', source: 'riskutility' },
    { value: 0.05, meaning: 'privacy loss up to which it is minor', source: 'riskutility vignette' },
  ],
  compute: adding(own.compute, async ({ details }, subject, { variables }, context) => ({
    ...details,
    riskutility: await onFiveScales(subject, variables ?? subject.release.variables, context),
  })),
})

/** VIM takes the ranges of the two tables it is handed, so that riskutility measures with five scales. */
async function onFiveScales({ release, part }: Subject, names: readonly string[], context: Context) {
  if (release.holdout === null) return null
  const [training, holdout, released] = [release.original, release.holdout, tableOfPart(release, part)].map((file) =>
    completeRecords(file, names),
  )
  if (Math.min(training.rows, holdout.rows, released.rows) < 2) return null
  if (!fits(training.rows + holdout.rows + released.rows)) return null
  const within = async (file: Table) => {
    const points = space([file], names, [0], { definition: 'vim' })
    return nearestDistances(context, points, membersOf(points, points.ids[0]), points.ids[0], { leaveOneOut: true })
  }
  const withinReleased = await within(released)
  const accuracy = async (real: Table) => {
    const both = space([real, released], names, [0, 1], { definition: 'vim' })
    const [inReal, inReleased] = both.ids
    return strictAccuracy({
      toReleased: await nearestDistances(context, both, membersOf(both, inReleased), inReal),
      toOwn: await within(real),
      fromReleased: await nearestDistances(context, both, membersOf(both, inReal), inReleased),
      withinReleased,
      tie: TIE / names.length,
    })
  }
  const accuracies = withLoss(await accuracy(training), await accuracy(holdout))
  return { ...accuracies, verdict: accuracies.loss <= LIMIT ? 'PASS' : 'FAIL' }
}
