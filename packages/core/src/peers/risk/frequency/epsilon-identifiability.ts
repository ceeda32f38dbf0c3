import { histogramChart } from '../../../chart/chart.js'
import type { Context, Subject } from '../../../measure.js'
import { membersOf, search } from '../../../neighbors/search.js'
import { distanceOf } from '../../../neighbors/space.js'
import { real } from '../../../option-kinds.js'
import { percent } from '../../../print.js'
import { comparedRecords } from '../../../risk/frequency/counts/weighted-space.js'
import {
  askedAtRandom,
  type Options,
  epsilonIdentifiability as own,
  someOf,
  weightsChart,
} from '../../../risk/frequency/epsilon-identifiability.js'
import { histogram } from '../../../stats/histogram.js'
import { wilson } from '../../../stats/intervals.js'
import { quantileSorted } from '../../../stats/quantile.js'
import { standardDeviation } from '../../../stats/sums.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'

const options = {
  epsilon: real(0.05, { above: 0, below: 1 }).describe(
    'distance below which a released record is flagged, for riskutility',
  ),
}

/** riskutility 0.2.0 asks from the released records: which lie within ε of an original one? */
export const epsilonIdentifiability = withDefinitions(
  own,
  {
    riskutility: {
      ...RISKUTILITY,
      differs: 'its share of released records within epsilon of an original one',
      compute: withinEpsilon,
      sentence: ({ details: { threshold } }) =>
        `${percent(threshold.rate)} of the released records are within ${threshold.epsilon} of an original one`,
      charts: ({ details }, { name }) => [
        histogramChart(
          {
            name: 'distances',
            title: `Distance to the nearest original: ${name}`,
            x: 'distance',
            y: 'released records',
          },
          details.threshold.histogram,
          [{ value: details.threshold.epsilon, label: 'epsilon' }],
        ),
        weightsChart(details, name),
      ],
    },
  },
  { name: 'closer', what: 'Yoon et al.', options },
)

/** The distance of each released record to the nearest original one, flagged below ε. */
function withinEpsilon(subject: Subject, chosen: Options & { readonly epsilon: number }, context: Context) {
  const { epsilon, exactUpTo, queries } = chosen
  const { points, details, warnings, poor } = comparedRecords(subject, chosen)
  const [originals, released] = points.ids
  const sampled = released.length > exactUpTo
  const asked = sampled ? someOf(released, queries, context.random('queries')) : released
  const { nearest } = search(points, membersOf(points, originals))
  const known = new Float64Array(points.count).fill(-1)
  const distances = new Float64Array(asked.length)
  for (let k = 0; k < asked.length; k++) {
    if (k % 256 === 0) {
      throwIfAborted(context.signal)
      context.progress(k, asked.length)
    }
    const point = asked[k]
    if (known[point] < 0) known[point] = distanceOf(points, nearest(point, 1).kth)
    distances[k] = known[point]
  }
  const sorted = distances.slice().sort()
  const at = (share: number) => quantileSorted(sorted, share) ?? 0
  const flagged = sorted.filter((distance) => distance < epsilon).length
  const rate = flagged / asked.length
  const threshold = {
    epsilon,
    rate,
    flagged,
    queries: asked.length,
    sampled,
    mean: sorted.reduce((a, b) => a + b, 0) / sorted.length,
    sd: standardDeviation(sorted),
    quantiles: { p0: at(0), p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), p100: at(1) },
    histogram: histogram(sorted, 30, 0, Math.max(at(1), epsilon)),
  }
  return {
    value: rate,
    interval: sampled ? wilson(flagged, asked.length) : null,
    controls: { everything: { value: 1, se: null, what: 'the original itself' } },
    notAssessed: 'a distance weighted by entropies has no scale: what is near by chance is not known',
    details: { ...details, threshold },
    warnings: sampled ? [...warnings, askedAtRandom(asked.length, released.length, 'released')] : warnings,
    ...poor,
  }
}
