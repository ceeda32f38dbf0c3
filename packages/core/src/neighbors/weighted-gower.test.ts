import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type GowerVariable, gowerDistance, gowerIndex, gowerRecords, nearestIn } from './weighted-gower.js'

function bruteForce(records: ReturnType<typeof gowerRecords>, members: readonly number[], query: number) {
  let distance = Number.POSITIVE_INFINITY
  let found: number[] = []
  for (const member of members) {
    if (member === query) continue
    const d = gowerDistance(records, query, member)
    if (d < distance) found = []
    if (d <= distance) found.push(member)
    distance = Math.min(distance, d)
  }
  return { distance, records: found.sort((a, b) => a - b) }
}

describe('weighted Gower neighbours', () => {
  it('adds up weighted parts: 3/10 of half a numeric variable and one category that differs', () => {
    const records = gowerRecords(
      [
        { kind: 'numeric', weight: 0.5, values: [0.1, 0.4] },
        { kind: 'categorical', weight: 0.3, values: [0, 2] },
        { kind: 'categorical', weight: 0.2, values: [1, 1] },
      ],
      2,
    )
    expect(gowerDistance(records, 0, 1)).toBeCloseTo(0.15 + 0.3, 15)
  })

  it('ties whole numbers at equal distance on both sides, whatever the range', () => {
    const records = gowerRecords([{ kind: 'numeric', weight: 0.37, range: 91, values: [32, 30, 34, 41] }], 4)
    expect(nearestIn(gowerIndex(records, [0, 1, 2, 3]))(0).records).toEqual([1, 2])
  })

  it('equals the scan of all records, ties included, for any mix of variables and any members', () => {
    const column = fc.record({
      kind: fc.constantFrom<'numeric' | 'categorical'>('numeric', 'categorical'),
      weight: fc.constantFrom(0, 0.1, 0.25, 0.6),
      values: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 120, maxLength: 120 }),
    })
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 3 }), (columns, step) => {
        const variables: GowerVariable[] = columns.map((one) => ({
          ...one,
          values: one.kind === 'numeric' ? one.values.map((value) => value / 4) : one.values,
        }))
        const records = gowerRecords(variables, 120)
        const members = Array.from({ length: 120 }, (_, row) => row).filter((row) => row % step === 0)
        const nearest = nearestIn(gowerIndex(records, members))
        for (let query = 0; query < 120; query += 7) {
          const found = nearest(query)
          expect({ ...found, records: [...found.records].sort((a, b) => a - b) }).toEqual(
            bruteForce(records, members, query),
          )
        }
      }),
    )
  })

  it('equals the scan on continuous data with several numeric variables', () => {
    const random = stream(5, 'test')
    const rows = 3000
    const columns = Array.from(
      { length: 4 },
      (_, v): GowerVariable => ({
        kind: v === 3 ? 'categorical' : 'numeric',
        weight: 0.1 * (v + 1),
        values: Float64Array.from({ length: rows }, () => (v === 3 ? random.below(5) : random.uniform())),
      }),
    )
    const records = gowerRecords(columns, rows)
    const members = Array.from({ length: rows }, (_, row) => row)
    const nearest = nearestIn(gowerIndex(records, members))
    for (let query = 0; query < rows; query += 97) expect(nearest(query)).toEqual(bruteForce(records, members, query))
  })

  it('has no neighbour among nobody, or among itself only', () => {
    const records = gowerRecords([{ kind: 'numeric', weight: 1, values: [0, 1] }], 2)
    expect(nearestIn(gowerIndex(records, []))(0).distance).toBe(Number.POSITIVE_INFINITY)
    expect(nearestIn(gowerIndex(records, [0]))(0).distance).toBe(Number.POSITIVE_INFINITY)
    expect(nearestIn(gowerIndex(records, [0, 1]))(0)).toEqual({ distance: 1, records: [1] })
  })

  it('finds every record at distance 0 where no variable has weight', () => {
    const records = gowerRecords([{ kind: 'categorical', weight: 0, values: [0, 1, 2] }], 3)
    expect(nearestIn(gowerIndex(records, [0, 1, 2]))(0)).toEqual({ distance: 0, records: [1, 2] })
  })
})
