import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../measure.js'
import type { DistanceOptions } from '../../../neighbors/release-space.js'
import { stream } from '../../../random/stream.js'
import { mean } from '../../../stats/sums.js'
import { auc } from '../../../stats/tests/auc.js'
import { type ReleaseInput, release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { reference, referenceTable } from '../../../testing/reference.js'
import { bestArea, kth, logRatios, neighbourhood, radiusRatios, realRecords, usualRadius } from './real-records.js'

const context: Context = {
  seed: 1,
  random: (purpose, index) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}
const usual: DistanceOptions = { variables: null, distance: 'gower', missing: 'match', scale: 'range', weights: {} }
const recordsOf = (input: ReleaseInput) => realRecords({ release: release(input), part: 0, target: '' }, usual)
const axis = (name: string, x: readonly number[]) => tableOf(name, { x })

describe('scores of real records', () => {
  const records = recordsOf({
    original: axis('T', [0, 2]),
    released: axis('S', [2, 3]),
    holdout: axis('H', [5, 10]),
  })

  it('compares the release with all other real records', async () => {
    const near = await neighbourhood(context, records, 5)
    expect(near.most).toBe(2)
    expect([...kth(near.toRelease, near, 1)]).toEqual([0.2, 0, 0.2, 0.7].map((d) => expect.closeTo(d, 9)))
    expect([...kth(near.toOthers, near, 2)]).toEqual([0.5, 0.3, 0.5, 0.8].map((d) => expect.closeTo(d, 9)))
    const scores = logRatios(near, 1)
    expect(scores[0]).toBeCloseTo(0, 6)
    expect(scores[1]).toBeCloseTo(Math.log(0.2 / 1e-9), 6)
    expect(scores[3]).toBeCloseTo(Math.log(0.5 / 0.7), 6)
  })

  it('counts within a radius, itself left out', async () => {
    expect([...(await radiusRatios(context, records, 0.3))]).toEqual([3 / 2, 3 / 3, 3 / 2, 1 / 1])
    // Distances to the second other record are .5, .3, .5, .8.
    expect(await usualRadius(context, records)).toBeCloseTo(0.5, 12)
  })
})

describe('bestArea', () => {
  const values = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 })

  it('is reached by no other score of records', () => {
    fc.assert(
      fc.property(values, values, fc.func(fc.nat(9)), (members, others, score) => {
        const records = recordsOf({
          original: axis('T', members),
          released: axis('S', [2]),
          holdout: axis('H', others),
        })
        const scoresOf = (people: readonly number[]) => Float64Array.from(people, (value) => score(value))
        const best = bestArea(records)
        expect(best).toBeGreaterThanOrEqual((auc(scoresOf(members), scoresOf(others))?.auc ?? 1) - 1e-12)
        expect(best).toBeGreaterThanOrEqual(0.5)
        expect(best).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('is 1 where no outsider equals a member, and a coin where both have the same records', () => {
    const area = (members: number[], others: number[]) =>
      bestArea(recordsOf({ original: axis('T', members), released: axis('S', [2]), holdout: axis('H', others) }))
    expect(area([1, 1, 2], [3, 4])).toBe(1)
    expect(area([1, 2, 2], [2, 2, 1])).toBe(0.5)
    expect(area([1, 2, 2], [2, 2, 1, 2, 2, 1])).toBe(0.5)
  })
})

describe.skipIf(reference() === undefined)('Adult', () => {
  it('real to synthetic: no training record is nearer than others', async () => {
    const [original, released, holdout] = await Promise.all(
      ['adults_train', 'adults_syn_ctgan', 'adults_control'].map((name) =>
        referenceTable('data', 'adult', `${name}.csv`),
      ),
    )
    const records = recordsOf({ original, released, holdout })
    const near = await neighbourhood(context, records, 1)
    const { members } = records
    expect(mean(near.toRelease.subarray(0, members))).toBeCloseTo(0.033664, 6)
    expect(mean(near.toRelease.subarray(members))).toBeCloseTo(0.033452, 6)
    const closeness = near.toRelease.map((distance) => -distance)
    const found = auc(closeness.subarray(0, members), closeness.subarray(members))
    expect(found?.auc).toBeCloseTo(0.499918, 6)
    expect(found?.nullSd).toBeCloseTo(0.003267, 6)
    expect(found?.z).toBeCloseTo(-0.025, 3)
    expect(found?.lowFalsePositives.map((one) => one.truePositiveRate)).toEqual(
      [0.00164, 0.01071, 0.09953].map((rate) => expect.closeTo(rate, 5)),
    )
  })
})
