import { lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { percent } from '../../print.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { integrated, precisionCurve, type SupportCurve } from './axes/support.js'

/**
 * Are released records typical of the original? P_α is the share of them in the α-support of the original, the α of its records
 * nearest to its centre; for a good release P_α = α. The headline is 1 - Σ |P_α - α| / Σ α over α = 0.05, ..., 1 (Alaa, van Breugel, Saveliev
 * and van der Schaar 2022, with the mean as the centre instead of a learnt one). Too many records near the centre cost as
 * much as too many far out. Blind to everything but the distance from the centre: a release of one typical record repeated
 * around it may do well; see beta-recall.
 */
export const alphaPrecision = utilityMeasure({
  id: 'alpha-precision',
  title: 'Alpha-precision',
  summary: 'whether released records are as typical as original ones',
  orientation: 'utility',
  nothing: 'uniform',
  mostRows: 5000,
  unit: 'share',
  blindTo: 'everything but the distance of records from the centre of the original',
  options: plainOptions,
  statistic: (pair) => {
    const curve = precisionCurve(pair)
    return curve === null ? null : integrated(curve)
  },
  compute: (pair) => {
    const curve = precisionCurve(pair) ?? []
    /** `outside`: the share of released records beyond every original. */
    const details = { curve, outside: curve.length === 0 ? 0 : 1 - curve[curve.length - 1].share }
    return curve.length === 0
      ? { value: null, reason: 'no column varies in the original', details }
      : { value: integrated(curve), details }
  },
  citations: ['alaa2022'],
  sentence: ({ value, details: { curve, outside } }) =>
    `${percent(curve[9].share, 0)} of the released records are in the typical half of the original, ${percent(outside)} beyond all of it: precision ${percent(value ?? 0, 0)}`,
  tables: ({ details: { curve } }) => [
    supportTable('Released records in the typical part of the original', 'released in it', curve),
  ],
  charts: ({ details: { curve } }, { name }) => [
    supportChart('alpha-precision', `Alpha-precision: ${name}`, curve, 'share of released records in it'),
  ],
})

export function supportTable(title: string, within: string, curve: SupportCurve) {
  return findingTable('curve', title, curve, [
    [column.share('typical part', 0), ({ level }) => level],
    [column.share(within), ({ share }) => share],
  ])
}

export function supportChart(name: string, title: string, curve: SupportCurve, y: string) {
  return lineChart({ name, title, x: 'share of records in the typical part', y }, [
    ...curve.map(({ level, share }) => ({ x: level, y: share, series: 'this release' })),
    { x: 0, y: 0, series: 'ideal' },
    { x: 1, y: 1, series: 'ideal' },
  ])
}
