import type { Context, Subject } from '../../../measure.js'
import { membersOf } from '../../../neighbors/search.js'
import { space, TIE } from '../../../neighbors/space.js'
import { nearestDistances } from '../../../neighbors/tasks.js'
import { fixed, percent } from '../../../print.js'
import { compute, dcr as measured } from '../../../risk/distance/dcr.js'
import { normalInterval, wilson } from '../../../stats/intervals.js'
import { quantile } from '../../../stats/quantile.js'
import { signedRank } from '../../../stats/tests/wilcoxon.js'
import { tableOfPart } from '../../../table/classes.js'
import type { Table } from '../../../table/table.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'
import { PASSES_UP_TO, passes } from './passes.js'

/** Its share is of records strictly nearer to training. */
const own = withFigures(measured, {
  by: RISKUTILITY,
  literature: [
    {
      value: PASSES_UP_TO,
      meaning: 'strict share up to which a release passes, meant for a holdout as large as the original',
      source: 'riskutility',
    },
  ],
  compute: adding(compute, ({ details, workings: { toTraining, toHoldout } }) => {
    const { nearer, records, expected, sd } = details
    const share = nearer.training / records.released
    const wilcoxonP = signedRank(toTraining.map(asWhole), toHoldout.map(asWhole), 'less')?.p ?? null
    const { lower, upper } = normalInterval(expected, sd)
    return {
      ...details,
      riskutility: {
        share,
        ratio: details.toHoldout.mean > 0 ? details.toTraining.mean / details.toHoldout.mean : null,
        wilcoxonP,
        /** What the labels alone give, from all records rather than from 50. */
        nullMean: expected,
        nullInterval: { lower: Math.max(0, lower), upper: Math.min(1, upper) },
        pass: passes(share, wilcoxonP),
      },
    }
  }),
})

/** Whole numbers, so that equal differences of distances are tied whatever their rounding. */
function asWhole(distance: number): number {
  return Math.round(distance * 1e12)
}

/**
 * SDMetrics 0.32.0, DCROverfittingProtection: numbers are divided by the range of the side that is searched, so that an outlier among
 * the training records brings all of these nearer, and who is equally near to both sides counts as nearer to the holdout. The sizes
 * of the sides do not matter to it.
 */
export const dcr = withDefinitions(own, {
  sdmetrics: {
    software: 'SDMetrics',
    version: '0.32.0',
    differs: 'numbers over the range of each side by itself, ties go to the holdout, sizes are not looked at',
    compute: overfittingProtection,
    sentence: ({ value, details: { sdmetrics } }) =>
      `${percent(value ?? 0)} of released records are nearer to a training than to a holdout record: DCROverfittingProtection ${fixed(sdmetrics.score, 3)}`,
    tables: () => [],
    charts: () => [],
  },
})

async function overfittingProtection(
  { release, part }: Subject,
  { variables }: { readonly variables: readonly string[] | null },
  context: Context,
) {
  const released = tableOfPart(release, part)
  const names = variables ?? release.variables
  const distancesTo = (real: Table) => {
    const both = space([real, released], names, [0])
    const [inReal, queries] = both.ids
    return nearestDistances(context, both, membersOf(both, inReal), queries)
  }
  const toTraining = await distancesTo(release.original)
  const toHoldout = await distancesTo(release.holdout ?? release.original)
  const closer = toTraining.filter((distance, k) => distance < toHoldout[k] - TIE).length
  const share = closer / released.rows
  return {
    value: share,
    interval: wilson(closer, released.rows),
    notAssessed: 'the share depends on how many training and holdout records there are, and on who has the outliers',
    details: {
      sdmetrics: {
        /** DCROverfittingProtection, 1 is best: twice the share that is not nearer to training, at most 1. */
        score: Math.min(1, 2 * (1 - share)),
        closerToTraining: share,
        closerToHoldout: 1 - share,
        /** Of the distances to training records, in DCRBaselineProtection; its random records are not drawn here. */
        medianToTraining: quantile(toTraining, 0.5) ?? 0,
      },
    },
    warnings: [],
    records: () => ({ releasedDistanceToTraining: toTraining, releasedDistanceToHoldout: toHoldout }),
  }
}
