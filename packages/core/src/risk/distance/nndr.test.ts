import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { distanceOptions, releaseSpace } from '../../neighbors/release-space.js'
import { distanceOf, type Space, space as spaceOf, sumBetween } from '../../neighbors/space.js'
import { nndr } from '../../peers/risk/distance/nndr.js'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { lookedAt } from './outsiders/distance-ratios.js'
import { neighbourLists } from './outsiders/neighbour-lists.js'

const axis = (name: string, x: readonly number[]) => tableOf(name, { x })
const onAxis = (original: readonly number[], holdout: readonly number[], released: readonly number[]) =>
  release({
    original: axis('original', original),
    holdout: axis('holdout', holdout),
    released: axis('released', released),
  })

const context = {
  seed: 1,
  random: (purpose: string) => stream(1, purpose),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}

async function detailsOf(...args: Parameters<typeof nndr>) {
  const { details, reason } = (await nndr(...args)).releases[0]
  if (details === null) throw new Error(reason?.text)
  return details
}

describe('nndr on one axis', () => {
  it('divides the nearest by the second-nearest distance', async () => {
    // Distances 1 and 4 tenths of the range to training, 2 and 9 to holdout.
    const { riskutility } = await detailsOf(onAxis([0, 5], [3, 10], [1, 1]))
    expect(riskutility.training.mean).toBeCloseTo(0.25, 12)
    expect(riskutility.holdout.mean).toBeCloseTo(2 / 9, 12)
  })

  it('is 0 at an equal record, alone or not', async () => {
    const { riskutility, equal } = await detailsOf(onAxis([0, 0, 5], [1, 4, 10], [0]))
    expect(riskutility).toMatchObject({ training: { mean: 0 }, suspicious: 1 })
    expect(equal).toEqual({ training: 1, holdout: 0, auc: 1 })
  })

  it('is not sure that there is nothing when few records show nothing', async () => {
    const far = Array.from({ length: 30 }, (_, k) => 10 * k)
    const { value, interval, effect } = (
      await nndr(
        onAxis(
          far,
          far.map((x) => x + 1),
          [5.4],
        ),
      )
    ).releases[0]
    expect(value).toBe(0)
    expect(interval?.upper).toBeGreaterThan(0.5)
    expect(effect?.upper).toBeGreaterThan(0.4)
    expect(effect?.p).toBeGreaterThan(0.5)
  })

  it('looks at a sample of the released records where lists of neighbours would not fit', () => {
    const of = onAxis([0, 5, 9], [3, 10], [1, 1, 2, 4, 7, 8])
    const space = releaseSpace({ release: of, part: 0, target: '' }, z.object(distanceOptions).parse({}))
    expect(lookedAt(context, space, 5)).toMatchObject({ count: 6, records: Int32Array.of(2, 1, 1, 1, 1) })
    const { count, records } = lookedAt(context, space, 3)
    expect([count, records.reduce((sum, one) => sum + one, 0)]).toEqual([3, 3])
  })

  it('takes distinct rows, where riskutility takes a pair of equal records for two neighbours', async () => {
    const { riskutility, equal } = await detailsOf(onAxis([0, 0, 10], [1, 2, 3], [0.5]))
    expect(riskutility.training.mean).toBe(1)
    // Of distinct rows 0.5 / 9.5.
    expect(equal.training).toBe(1)
  })

  it('compares as many records of the larger side as the smaller has', async () => {
    const { equalSize, records } = await detailsOf(onAxis([0, 1, 2, 3, 4, 5], [1.5, 3.5], [1, 2]))
    expect({ equalSize, records }).toEqual({ equalSize: 2, records: { training: 6, holdout: 2, released: 2 } })
  })

  it('needs two records on each side', async () => {
    const found = await nndr(onAxis([0, 5, 7], [3], [1]))
    expect(found).toMatchObject({
      status: 'not applicable',
      reason: { code: 'data', text: 'it needs two training and two holdout records' },
    })
  })

  it('says so when there are never two distinct records to compare with', async () => {
    expect(await nndr(onAxis([3, 3], [3, 3], [4]))).toMatchObject({ status: 'not applicable' })
    expect(await nndr(onAxis([3, 3], [3, 3], [3]))).toMatchObject({ status: 'ok', value: 1 })
  })

  it('counts for each original record the released records that lie at it alone', async () => {
    const { releases } = await nndr(onAxis([0, 10, 20], [5, 15, 25], [0, 0.1, 10.2, 14]), {}, { records: true })
    expect(Array.from(releases[0].records?.suspiciousReleased ?? [])).toEqual([2, 1, 0])
  })
})

describe('neighbourLists', () => {
  /** From the query to the points of a part, ascending. */
  const distancesTo = (space: Space, query: number, among: Int32Array, partsOf: Int32Array, part: number) =>
    Array.from(
      among.filter((point) => ((partsOf[point] >>> part) & 1) === 1),
      (point) => distanceOf(space, sumBetween(space, query, point)),
    ).sort((a, b) => a - b)

  it('has the two nearest of any part, however few are in it', async () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 40, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(numbers, numbers, fc.infiniteStream(fc.integer({ min: 0, max: 31 })), async (xs, qs, marks) => {
        const space = spaceOf([axis('x', xs), axis('q', qs)], ['x'], [0])
        const [among, queries] = space.ids.map((ids) => Int32Array.from(new Set(ids)))
        const lists = await neighbourLists(context, space, among, queries, 1)
        // Part 0 has few points, each next one more, the last one all.
        const partsOf = new Int32Array(space.count)
        for (const point of among) partsOf[point] = -1 << marks.next().value
        const ratios = new Float64Array(32)
        for (const [k, query] of queries.entries()) {
          lists.ratios(k, partsOf, 32, ratios)
          for (const [part, found] of ratios.entries()) {
            const [d1, d2] = distancesTo(space, query, among, partsOf, part)
            const ratio = d1 === undefined ? Number.NaN : d1 === 0 ? 0 : d2 === undefined ? Number.NaN : d1 / d2
            expect(found).toBe(ratio)
          }
          const [d1] = distancesTo(space, query, among, partsOf, 0)
          const nearest = lists.nearest(k, partsOf)
          if (d1 === undefined) expect(nearest).toBe(-1)
          else expect(distanceOf(space, sumBetween(space, query, nearest))).toBe(d1)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe.skipIf(reference() === undefined)('nndr on the vignette', async () => {
  if (reference() === undefined) return
  const file = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const [original, holdout, released] = await Promise.all(['train', 'holdout', 'synthetic'].map(file))
  const vignette = release({ original, holdout, released })

  it.each([
    ['vim', [0.664, 0.5897, 0.2065, 0.151, 1.3672, 0.2919, 0.2235, 7]],
    ['gower', [0.6572, 0.5535, 0.2064, 0.1252, 1.6483, 0.2822, 0.1755, 8]],
  ] as const)('as riskutility prints it, %s', async (distance, expected) => {
    const { riskutility, excess, advantage } = await detailsOf(vignette, { distance })
    const { training, holdout: outside, ratio, suspicious } = riskutility
    const found = [training.mean, outside.mean, training.p5, outside.p5, ratio, training.p10, outside.p10, suspicious]
    for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, 4)
    expect(riskutility.pass).toBe(true)
    for (const { p, bounds } of [excess, advantage]) {
      expect(p).toBeGreaterThan(0.05)
      expect(bounds.upper).toBeLessThan(0.1)
    }
  })
})
