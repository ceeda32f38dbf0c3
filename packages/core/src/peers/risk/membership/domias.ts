import type { Context, Subject } from '../../../measure.js'
import { membersOf } from '../../../neighbors/search.js'
import { space } from '../../../neighbors/space.js'
import { recordsWithin } from '../../../neighbors/tasks.js'
import { meanRatios, domias as own } from '../../../risk/membership/domias.js'
import { joined } from '../../../stats/joined.js'
import { auc } from '../../../stats/tests/auc.js'
import { tableOfPart } from '../../../table/classes.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'
import { completeRecords, fits } from './complete-records.js'

const RADIUS = 0.1
const LIMIT = 0.6

/** Radius 0.1, categories as numbers, complete records; null for none, or for files beyond its memory. */
export const domias = withFigures(own, {
  by: RISKUTILITY,
  literature: [{ value: LIMIT, meaning: 'AUC above which there is a membership risk', source: 'riskutility' }],
  compute: adding(own.compute, async ({ details }, subject, { variables }, context) => ({
    ...details,
    riskutility: await countedWithin(subject, variables ?? subject.release.variables, context),
  })),
})

/** VIM takes the ranges of the two tables it is handed, so that the two counts are on two scales. */
async function countedWithin({ release, part }: Subject, names: readonly string[], context: Context) {
  if (release.holdout === null) return null
  const real = [release.original, release.holdout].map((file) => completeRecords(file, names))
  const released = completeRecords(tableOfPart(release, part), names)
  if (Math.min(...real.map(({ rows }) => rows), released.rows) === 0) return null
  if (!fits(real[0].rows + real[1].rows + released.rows)) return null
  const within = async (tables: typeof real, searched: readonly number[], leaveOneOut: boolean) => {
    const points = space(tables, names, [...tables.keys()], { definition: 'vim' })
    const members = membersOf(points, ...searched.map((k) => points.ids[k]))
    const count = (k: number) => recordsWithin(context, points, members, points.ids[k], RADIUS, leaveOneOut)
    return [await count(0), await count(1)]
  }
  const inRelease = await within([...real, released], [2], false)
  const inReal = await within(real, [0, 1], true)
  const [training, others] = inRelease.map((counts, k) =>
    Float64Array.from(counts, (count, record) => (count + 1) / (inReal[k][record] + 1)),
  )
  const area = auc(training, others)?.auc ?? 0.5
  return {
    /** The ratio is its memorization score. */
    ...meanRatios(joined([training, others]), training.length),
    auc: area,
    verdict: area <= LIMIT ? 'PASS' : 'FAIL',
  }
}
