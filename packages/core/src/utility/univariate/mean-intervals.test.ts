import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../stats/summaries.js'
import { sampleOf } from '../../stats/two-samples.js'
import { columnOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { karrOverlap, meanEstimate, proximity } from './mean-intervals.js'

function estimate(values: Float64Array) {
  const summary = summaryOf(sampleOf(values))
  const found = summary === null ? null : meanEstimate(summary, 0.95)
  if (found === null) throw new Error('no estimate')
  return found
}

describe('intervals of means', () => {
  const x = estimate(Float64Array.of(1, 2, 3, 4, 5))
  const y = estimate(Float64Array.of(2, 3, 4, 5, 6))
  it('overlap as worked out', () => {
    expect((x.upper - x.lower) / 2).toBeCloseTo(1.963243, 6)
    expect(karrOverlap(x, y)).toBeCloseTo(0.7453194, 7)
    const found = proximity(x, y, { x: 5, y: 5 })
    expect(found.overlap).toBeCloseTo(0.5940311, 7)
    expect(found.relativeError).toBeCloseTo(1 / 3, 12)
    expect(found.proximity).toBeCloseTo(0.6720156, 7)
    expect(found.contains).toBe(true)
  })
  it('are signed when disjoint, and 1 when the same', () => {
    const far = estimate(Float64Array.of(102, 103, 104, 105, 106))
    expect(karrOverlap(x, far)).toBeLessThan(-1)
    expect(proximity(x, far, { x: 5, y: 5 })).toMatchObject({ overlap: 0, contains: false })
    expect(karrOverlap(x, x)).toBe(1)
    const point = { value: 1, se: 0, lower: 1, upper: 1 }
    expect(karrOverlap(point, point)).toBe(1)
    expect(karrOverlap(point, { ...point, value: 2, lower: 2, upper: 2 })).toBe(0)
  })
  it('need two values', () => {
    const summary = summaryOf(sampleOf(Float64Array.of(3)))
    expect(summary && meanEstimate(summary, 0.95)).toBeNull()
  })
})

describeReference('intervals of the running example', async () => {
  it.each([
    { name: 'age', overlap: 0.241677, relativeError: 0.0411078, near: 0.6010962, contains: false },
    { name: 'income', overlap: 0.9734087, relativeError: 0.001301, near: 0.9860547, contains: true },
  ])('$name', async ({ name, overlap, relativeError, near, contains }) => {
    const of = async (file: string) => {
      const column = columnOf(await referenceTable('golden', 'vignette', file), name)
      return estimate(column.kind === 'categorical' ? new Float64Array() : column.values)
    }
    const found = proximity(await of('original.csv'), await of('synthetic.csv'), { x: 500, y: 500 })
    expect(found.overlap).toBeCloseTo(overlap, 6)
    expect(found.relativeError).toBeCloseTo(relativeError, 7)
    expect(found.proximity).toBeCloseTo(near, 6)
    expect(found.contains).toBe(contains)
  })
})
