import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { cloudChart } from '../../chart/comparison.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { membersOf } from '../../neighbors/search.js'
import { runsOf, searched } from '../../neighbors/tasks.js'
import { whole } from '../../option-kinds.js'
import { inUnit } from '../../print.js'
import { tInterval } from '../../stats/intervals.js'
import { joined } from '../../stats/joined.js'
import { mean } from '../../stats/sums.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { cloudOf } from './axes/cloud.js'
import { freshPair, spaceOf } from './axes/fresh-pair.js'
import { mixingTask } from './axes/mixing-task.js'
import { coordinates, principalAxes } from './axes/principal-axes.js'

/**
 * Are both files mixed like two samples of one population? Among the 15 nearest neighbours of each record, of both files
 * together by Gower's distance, the share that belongs to the other file, over the share that would by chance; the
 * headline is the mean over the records of each file, then over both files (Schilling 1986). 1: mixed; 0: each file keeps to
 * itself; above 1: released records lie beside originals more often than new people would, which is no utility. Found in
 * the data, not in a picture of them. Equal records share a place. Looks at 1,000 random records of each file. Blind to
 * what distances do not show, such as a single wrong column among many.
 */
const options = z.object({
  ...utilityOptions,
  k: whole(15, { min: 1, max: 500 }).describe('neighbours of each record'),
})

type Options = z.output<typeof options>

export const mixing = utilityMeasure({
  id: 'mixing',
  title: 'Mixing of nearest neighbours',
  summary: 'how often neighbours of a record belong to the other file, compared with chance',
  orientation: 'utility',
  nothing: 'independent',
  mostRows: 1000,
  stochastic: true,
  varies: ['people', 'release'],
  unit: 'ratio',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'what distances between whole records do not show',
  options,
  statistic: async (pair, chosen, context) => {
    const fresh = freshPair(pair)
    return fresh === null ? null : ((await mixingOf(fresh, chosen, context))?.value ?? null)
  },
  compute: async (pair, chosen, context) => {
    const found = await mixingOf(pair, chosen, context)
    const points = coordinates(pair, pair.variables, true)
    const pictured = points.width >= 2 && pair.original.rows > 2
    const cloud = pictured
      ? cloudOf(points, principalAxes(joined([points.original, points.released]), points.width, null))
      : null
    const none = { share: 0, expected: 0 }
    const details = {
      k: chosen.k,
      /** Share of the other file among the neighbours, and what chance would give. */
      original: found?.original ?? none,
      released: found?.released ?? none,
      cloud,
    }
    if (found === null) return { value: null, reason: 'there are too few records to have neighbours', details }
    return { value: found.value, interval: found.interval, details }
  },
  sentence: ({ value, details: { k } }) =>
    `among the ${k} nearest neighbours of a record the other file is ${inUnit(value ?? 0, 'ratio')} times as frequent as by chance`,
  tables: ({ details: { original, released } }) => [
    findingTable(
      'neighbours',
      'Nearest records that are of the same file',
      [
        { file: 'original', ...original },
        { file: 'release', ...released },
      ],
      [
        [column.text('records of'), ({ file }) => file],
        [column.share('same file'), ({ share }) => share],
        [column.share('if mixed'), ({ expected }) => expected],
      ],
    ),
  ],
  charts: ({ details: { original, released, cloud } }, { name }) => [
    barChart(
      {
        name: 'neighbours',
        title: `Neighbours from the other file: ${name}`,
        x: '',
        y: 'share',
        grey: 'by chance',
      },
      [
        { label: 'of an original', value: original.expected, series: 'original' },
        { label: 'of an original', value: original.share },
        { label: 'of a released record', value: released.expected, series: 'original' },
        { label: 'of a released record', value: released.share },
      ],
    ),
    ...(cloud === null
      ? []
      : [
          cloudChart(
            { name: 'embedding', title: `Both files on the axes of both: ${name}`, x: 'first axis', y: 'second axis' },
            cloud.cells,
            cloud.step,
          ),
        ]),
  ],
})

async function mixingOf(pair: Pair, { k }: Options, context: Context) {
  const space = spaceOf(pair)
  const { training, released } = space
  const [n1, n2] = [training.ids.length, released.ids.length]
  if (n1 + n2 < 3) return null
  const members = membersOf(space, training.ids, released.ids)
  const originals = new Int32Array(space.count)
  for (const point of training.ids) originals[point]++
  const near = Math.min(k, n1 + n2 - 1)
  const shared = { ...(await searched(context, space, members)), originals, k: near }
  const runs = await context.tasks.map(mixingTask, shared, runsOf(members.points), context)
  const byPoint = new Float64Array(2 * space.count).fill(Number.NaN)
  const flat = joined(runs)
  members.points.forEach((point, place) => {
    byPoint[2 * point] = flat[2 * place]
    byPoint[2 * point + 1] = flat[2 * place + 1]
  })
  const side = (ids: Int32Array, which: number, others: number) => {
    const shares = Float64Array.from(ids, (point) => byPoint[2 * point + which]).filter((share) => !Number.isNaN(share))
    const expected = others / (n1 + n2 - 1)
    return { share: mean(shares) ?? 0, expected, ratios: shares.map((share) => share / expected) }
  }
  const [x, y] = [side(training.ids, 0, n2), side(released.ids, 1, n1)]
  const value = (x.share / x.expected + y.share / y.expected) / 2
  const interval = tInterval(joined([x.ratios, y.ratios]))
  return {
    value,
    interval:
      interval === null
        ? null
        : { ...interval, lower: Math.min(value, Math.max(0, interval.lower)), upper: Math.max(value, interval.upper) },
    original: { share: x.share, expected: x.expected },
    released: { share: y.share, expected: y.expected },
  }
}
