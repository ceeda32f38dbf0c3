import { describe, expect, it } from 'vitest'
import type { DistanceOptions } from '../../../neighbors/release-space.js'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { auc } from '../../../stats/tests/auc.js'
import { type ReleaseInput, release } from '../../../table/release.js'
import { tableOf, tableOfRows } from '../../../table/table.js'
import { lookAt, realRecords } from './real-records.js'
import { sharedValuesTask, sharesOfValues, valuesCompared } from './shared-values.js'

const usual: DistanceOptions = { variables: null, distance: 'gower', missing: 'match', scale: 'range', weights: {} }

function scoresOf(input: ReleaseInput, options: Partial<DistanceOptions> = {}, sample = 1000) {
  const subject = { release: release(input), part: 0, target: '' } as const
  const looked = lookAt(realRecords(subject, { ...usual, ...options }), sample, 1)
  return { looked, scores: sharedValuesTask.run(valuesCompared(subject, looked), 'all') }
}

describe('shared values', () => {
  const NAMES = ['age', 'sex']
  const input = {
    original: tableOfRows('T', NAMES, [
      [30, 'f'],
      [41, 'm'],
    ]),
    holdout: tableOfRows('H', NAMES, [
      [30, 'm'],
      [52, null],
    ]),
    released: tableOfRows('S', NAMES, [
      [41, 'm'],
      [41, 'f'],
      [30, null],
    ]),
  }

  it('is the share of released records among those with the same value, over columns and pairs', () => {
    const { scores } = scoresOf(input)
    // age: 30 one of 3, 41 two of 3, 30 again, 52 none of 1; sex: f one of 2, m one of 3, m again, missing one of 2;
    // both: (30, f) none, (41, m) one of 2, (30, m) none, (52, missing) none
    const expected = [1 / 3 + 1 / 2, 2 / 3 + 1 / 3 + 1 / 2, 1 / 3 + 1 / 3, 1 / 2]
    for (const [record, sum] of expected.entries()) expect(scores[record]).toBeCloseTo(sum / 3, 9)
  })

  it('takes the columns and records that are compared', () => {
    const oneColumn = scoresOf(input, { variables: ['sex'] }).scores
    for (const [record, share] of [1 / 2, 1 / 3, 1 / 3, 1 / 2].entries())
      expect(oneColumn[record]).toBeCloseTo(share, 9)
    // Without the incomplete records.
    const complete = scoresOf(input, { missing: 'drop', variables: ['age', 'sex'] }).scores
    for (const [record, sum] of [0 + 1 / 2, 2 / 3 + 1 / 3 + 1 / 2, 0 + 1 / 3].entries())
      expect(complete[record]).toBeCloseTo(sum / 3, 9)
  })

  it('scores a sample as it scores everybody', () => {
    const numbers = (name: string, rows: number) =>
      tableOf(name, {
        x: Array.from({ length: rows }, (_, row) => row % 17),
        y: Array.from({ length: rows }, (_, row) => row % 5),
      })
    const large = { original: numbers('T', 300), holdout: numbers('H', 250), released: numbers('S', 90) }
    const all = scoresOf(large)
    const some = scoresOf(large, {}, 100)
    expect(some.looked.members).toBe(100)
    expect(some.scores.length).toBe(200)
    expect([...some.scores]).toEqual(Array.from(some.looked.places, (place) => all.scores[place]))
  })

  it('scores a few as it scores many, to the last bit', () => {
    const random = stream(4, 'coded')
    const columns = [3, 7, 40].map((cardinality) => ({
      cardinality,
      codes: Int32Array.from({ length: 90 }, () => random.below(cardinality + 1) - 1),
    }))
    const many = sharesOfValues(
      columns,
      50,
      Int32Array.from({ length: 50 }, (_, k) => k),
    )
    for (let place = 0; place < 50; place += 2)
      expect([...sharesOfValues(columns, 50, Int32Array.of(place, place + 1))]).toEqual([
        ...many.subarray(place, place + 2),
      ])
  })

  it('sees members whose numbers were taken one by one, where no record is near', () => {
    const random = stream(3, 'taken')
    const numbers = (rows: number) => Array.from({ length: rows }, () => drawNormal(random))
    const people = (name: string) =>
      tableOf(name, Object.fromEntries(['a', 'b', 'c'].map((column) => [column, numbers(200)])))
    const original = people('T')
    const released = tableOf(
      'S',
      Object.fromEntries(
        original.columns.map((column) => [
          column.name,
          Array.from({ length: 200 }, () => ('values' in column ? column.values[random.below(200)] : null)),
        ]),
      ),
    )
    const { scores } = scoresOf({ original, holdout: people('H'), released })
    expect(auc(scores.subarray(0, 200), scores.subarray(200))?.auc).toBeGreaterThan(0.9)
  })
})
