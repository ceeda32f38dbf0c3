import { describe, expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { matchRisk } from './match-risk.js'

const people = tableOf('people', {
  sex: ['m', 'm', 'f', 'f', 'f'],
  age: [30, 40, 30, 30, 50],
  income: [1, 2, 3, 4, 5],
})
/** Ages of the first two and the last are replaced. */
const first = tableOf('first', { sex: ['m', 'm', 'f', 'f', 'f'], age: [40, 30, 30, 30, 30], income: [1, 2, 3, 4, 5] })
const second = tableOf('second', { sex: ['m', 'm', 'f', 'f', 'f'], age: [30, 40, 30, 30, 40], income: [1, 2, 3, 4, 5] })

const given = (released: (typeof people)[]) =>
  release({ original: people, released, keys: ['sex'], numericKeys: ['age'], type: 'perturbed' })

describe('match risk', () => {
  it('one release, by hand', async () => {
    const { releases } = await matchRisk(given([first]), {}, { records: true })
    // m 30 and m 40 point at each other's record; f 30 at three records; f 50 at none.
    expect(Array.from(releases[0].records?.matchRisk ?? [])).toEqual([0, 0, 1 / 3, 1 / 3, 0])
    expect(releases[0].details).toMatchObject({
      expectedMatches: 2 / 3,
      trueMatchRate: 0,
      falseMatchRate: 1,
      uniqueBest: 2,
      unmatched: 1,
      distinct: 4,
    })
    expect(releases[0].controls?.everything?.value).toBeCloseTo(0.8, 12)
  })

  it('two releases together', async () => {
    const { pooled } = await matchRisk(given([first, second]), {}, { records: true })
    // m 30: records 2 and 1 with one half each. f 30: rows 3 and 4 have (1/3 + 1/2) / 2, row 5 has 1/6.
    expect(Array.from(pooled?.records?.matchRisk ?? [])).toEqual([0.5, 0.5, 0.5, 0.5, 0])
    expect(pooled?.details).toMatchObject({ expectedMatches: 2, trueMatchRate: 0, falseMatchRate: null, unmatched: 1 })
  })

  it('numbers that are near match where they may', async () => {
    const { releases } = await matchRisk(given([second]), { within: { age: 10 } }, { records: true })
    // f 50 is within ten years of the released 40 alone, f 30 of all three.
    expect(Array.from(releases[0].records?.matchRisk ?? [])).toEqual([0.5, 0.5, 1 / 3, 1 / 3, 1])
  })

  it('is as much as the original gives away where nothing was replaced', async () => {
    const { releases } = await matchRisk(given([people]))
    expect(releases[0].leakage?.value).toBeCloseTo(1, 12)
    expect(releases[0].details?.trueMatchRate).toBeCloseTo(0.6, 12)
  })

  it('tells what is wrong with its options', async () => {
    await expect(matchRisk(given([first]), { within: { sex: 1 } })).rejects.toThrow('"sex" is not a number')
    await expect(matchRisk(given([first]), { within: { agee: 1 } })).rejects.toThrow('did you mean "age"')
  })
})
