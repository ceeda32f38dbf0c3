import { describe, expect, it } from 'vitest'
import { domias } from '../../peers/risk/membership/domias.js'
import { valueAt } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { scene } from '../../testing/scenes/membership-scenes.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'

async function find(input: ReleaseInput, options: Parameters<typeof domias>[1] = {}) {
  const [finding] = (await domias(release(input), options)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const ESTIMATORS = ['knn', 'radius', 'kde'] as const
const axis = (name: string, x: readonly number[]) => tableOf(name, { x })

describe('domias', () => {
  it('ranks every training record above everybody else when all are copied', async () => {
    const files = {
      original: axis('T', [0, 10, 20, 30]),
      released: axis('S', [0, 10, 20, 30]),
      holdout: axis('H', [4, 16, 25, 35]),
    }
    const found = await find(files)
    expect(found.value).toBe(1)
    expect(found.leakage?.value).toBe(1)
    expect(found.people).toBe(4)
    expect(found.effect?.lower).toBeLessThan(0.05 ** (1 / 4) - 0.5)
    expect(found.details.headline.lowFalsePositives[0]).toMatchObject({ truePositiveRate: 1, falsePositiveRate: 0 })
    const { releases } = await domias(release(files), {}, { records: true })
    expect([...Array.from(releases[0].records?.membershipPercentile ?? [])]).toEqual([1, 1, 1, 1])
  })

  it('lowers k to the neighbours that there are, and says so', async () => {
    const few = { original: axis('T', [0, 3]), released: axis('S', [1, 2]), holdout: axis('H', [5]) }
    const found = await find(few, { k: 9 })
    expect(found.details.estimator).toBe('knn, k = 2')
    expect(found.warnings).toEqual(['there are only 2 neighbours, so k is 2'])
  })

  it.each(ESTIMATORS)('%s stays quiet on honest releases and finds near copies', async (estimator) => {
    const runs = repeats(40, 100)
    let alarms = 0
    for (let index = 0; index < runs; index++) {
      const [finding] = (await domias(scene('honest', index), { estimator })).releases
      if ((finding.effect?.p ?? 0) < 0.01) alarms++
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.04)
    for (let index = 0; index < 3; index++) {
      const [finding] = (await domias(scene('near copies', index), { estimator })).releases
      if (estimator === 'radius') expect(finding.value).toBeGreaterThan(0.55)
      else {
        expect(finding.leakage?.lower).toBeGreaterThan(0.2)
        expect(finding.leakage?.p).toBeLessThan(1e-4)
      }
    }
  })

  it.each(ESTIMATORS)('%s has the same bits on several threads', async (estimator) => {
    const sizes = { training: 60, holdout: 40, released: 50 }
    expect(await domias(scene('honest', 1, sizes), { estimator }, { tasks: shuffledRunner(3) })).toEqual(
      await domias(scene('honest', 1, sizes), { estimator }),
    )
  })
})

describeReference('on the data of the riskutility vignette', async () => {
  const file = (name: string) => referenceTable('golden', 'vignette', `${name}.csv`)
  const [original, holdout, synthetic, everybody, nearCopy] = await Promise.all(
    ['train', 'holdout', 'synthetic', 'original', 'near-copy'].map(file),
  )
  const text = (of: Table, row: number) => JSON.stringify(of.columns.map((column) => valueAt(column, row)))
  const rowOf = new Map(Array.from({ length: everybody.rows }, (_, row) => [text(everybody, row), row]))
  const nearTraining = selectRows(
    nearCopy,
    Array.from({ length: original.rows }, (_, row) => rowOf.get(text(original, row)) ?? -1),
  )

  it('gives the figures of riskutility', async () => {
    const { riskutility: theirs } = (await find({ original, released: synthetic, holdout })).details
    expect(theirs?.auc).toBeCloseTo(0.5007, 4)
    expect(theirs?.training).toBeCloseTo(1.0213, 4)
    expect(theirs?.others).toBeCloseTo(1.0458, 4)
    expect(theirs?.ratio).toBeCloseTo(0.9766, 4)
    expect(theirs?.verdict).toBe('PASS')
    const copied = (await find({ original, released: nearTraining, holdout })).details.riskutility
    expect(copied?.auc).toBeCloseTo(0.6401, 4)
    expect(copied?.ratio).toBeCloseTo(1.0817, 4)
    expect(copied?.verdict).toBe('FAIL')
  })

  it.each([
    ['synthetic', synthetic, 0.1, 0.4677, 1.0435, 1.1004, 0.9484],
    ['near copies of training', nearTraining, 0.1, 0.6629, undefined, undefined, 1.1248],
    ['near copies of training', nearTraining, 0.02, 0.8572, undefined, undefined, 1.7],
  ])('counts within a radius: %s, %#', async (_, released, radius, area, training, others, ratio) => {
    const { value, details } = await find({ original, released, holdout }, { estimator: 'radius', radius })
    expect(value).toBeCloseTo(area, 4)
    expect(details.counted?.ratio).toBeCloseTo(ratio, 4)
    if (training !== undefined) expect(details.counted?.training).toBeCloseTo(training, 4)
    if (others !== undefined) expect(details.counted?.others).toBeCloseTo(others, 4)
  })

  it.each([
    ['synthetic', synthetic, 0.4761],
    ['near copies of training', nearTraining, 0.9718],
    // Made of the holdout too, which is then no control: a near copy goes unnoticed.
    ['near copies of everybody', nearCopy, 0.4908],
  ])('by the nearest neighbour: %s', async (_, released, area) => {
    const { value, effect, leakage, notAssessed } = await find({ original, released, holdout })
    expect(value).toBeCloseTo(area, 4)
    expect(effect?.value).toBeCloseTo(area - 0.5, 4)
    if (area > 0.9) {
      expect(effect?.p).toBeLessThan(1e-12)
      expect(leakage?.lower).toBeGreaterThan(0.85)
    } else {
      expect(effect?.p).toBeGreaterThan(0.5)
      expect(effect?.upper).toBeLessThan(0.05)
    }
    // The runner sees that the holdout was used, and takes nothing from it.
    if (released === nearCopy) {
      expect(leakage).toBeNull()
      expect(notAssessed?.code).toBe('used-holdout')
    }
  })
})
