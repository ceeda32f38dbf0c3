import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { describeReference, referenceTable } from '../../../testing/reference.js'
import { shuffledRunner } from '../../../testing/shuffled-runner.js'
import { mixedRecords } from './mixed-records.js'
import { type PairMeans, pairMeans, pairMeansNow } from './pair-means.js'
import { slicedMeans, sphereFactor } from './slices.js'

const records = (x: readonly number[], y: readonly number[]) =>
  mixedRecords(tableOf('x', { v: x }), tableOf('y', { v: y }), ['v'], { standardise: false })
const all = ({ across, withinAll: [xx, yy] }: PairMeans) => 2 * across - xx - yy
const unbiased = ({ across, within: [xx, yy] }: PairMeans) => 2 * across - xx - yy

describe('means over pairs', () => {
  it('gives the energy distances of worked examples', () => {
    const [four] = pairMeansNow(records([1, 2, 3, 4], [2, 3, 5]), 'distance')
    expect(all(four)).toBeCloseTo(0.4166667, 7)
    expect(unbiased(four)).toBeCloseTo(-0.6666667, 7)
    const [three] = pairMeansNow(records([0, 0, 1], [0, 1, 1]), 'distance')
    expect(all(three)).toBeCloseTo(0.2222222, 7)
  })

  it('gives the kernel discrepancies of a worked example', () => {
    const [, middle] = pairMeansNow(records([0, 1], [0, 2]), 'gaussian', 1)
    expect(-unbiased(middle)).toBeCloseTo(-0.4323324, 7)
    expect(-all(middle)).toBeCloseTo(0.1967347, 7)
  })

  it('is the same on any number of threads', async () => {
    const random = stream(5, 'pairs')
    const draw = () => Array.from({ length: 400 }, () => random.uniform())
    const many = records(draw(), draw())
    const one = await pairMeans({ tasks: inline }, many, 'gaussian', 0.4)
    expect(await pairMeans({ tasks: shuffledRunner(3) }, many, 'gaussian', 0.4)).toEqual(one)
  })

  it('counts a category that differs as 1, missing as a category', () => {
    const found = mixedRecords(
      tableOf('x', { a: ['u', 'v'], n: [0, 0] }),
      tableOf('y', { a: ['u', null], n: [0, null] }),
      ['a', 'n'],
    )
    const [{ across, within }] = pairMeansNow(found, 'distance')
    expect(within).toEqual([1, Math.SQRT2])
    expect(across).toBeCloseTo((0 + Math.SQRT2 + 1 + Math.SQRT2) / 4, 12)
  })

  it('weighs records as often as their weight says', () => {
    const [x, y] = [tableOf('x', { v: [1, 4] }), tableOf('y', { v: [2, 3] })]
    const weighted = mixedRecords(x, y, ['v'], { standardise: false, weights: [Float64Array.of(2, 1), null] })
    const repeated = records([1, 1, 4], [2, 3])
    expect(all(pairMeansNow(weighted, 'distance')[0])).toBeCloseTo(all(pairMeansNow(repeated, 'distance')[0]), 12)
  })
})

describe('slices', () => {
  it.each([1, 1.570796, 2, 2.356194, 2.666667, 2.945243].map((factor, k) => ({ d: k + 1, factor })))(
    'has the factor $factor in $d dimensions',
    ({ d, factor }) => expect(sphereFactor(d)).toBeCloseTo(factor, 6),
  )

  it('is exact on a line, and on average in more dimensions', async () => {
    const line = records([1, 2, 3, 4], [2, 3, 5])
    expect(all(await slicedMeans({ tasks: inline }, line, 2, 1))).toBeCloseTo(0.4166667, 7)
    const random = stream(6, 'slices')
    const draw = (rows: number, shift: number) =>
      tableOf('t', {
        a: Array.from({ length: rows }, () => random.uniform() + shift),
        b: Array.from({ length: rows }, () => random.uniform() ** 2),
        c: Array.from({ length: rows }, () => 'pqr'[random.below(3)]),
      })
    const mixed = mixedRecords(draw(80, 0), draw(60, 0.3), ['a', 'b', 'c'])
    const [exact] = pairMeansNow(mixed, 'distance')
    const sliced = await slicedMeans({ tasks: inline }, mixed, 400, 2)
    expect(Math.abs(all(sliced) - all(exact))).toBeLessThan(4 * sliced.se)
    expect(sliced.se).toBeLessThan(0.1 * all(exact))
    expect(sliced.within[0] / exact.within[0]).toBeCloseTo(1, 1)
  })
})

describeReference('energy distance of the running example', async () => {
  it('is that of riskutility', async () => {
    const of = (file: string) => referenceTable('golden', 'vignette', file)
    const [found] = pairMeansNow(
      mixedRecords(await of('original.csv'), await of('synthetic.csv'), ['age', 'income']),
      'distance',
    )
    expect(found.across).toBeCloseTo(1.73173198, 8)
    expect(found.within[0]).toBeCloseTo(1.691663435, 8)
    expect(found.within[1]).toBeCloseTo(1.768489961, 8)
    expect(unbiased(found)).toBeCloseTo(0.003310564, 8)
    expect(all(found)).toBeCloseTo(0.010230871, 8)
  })
})
