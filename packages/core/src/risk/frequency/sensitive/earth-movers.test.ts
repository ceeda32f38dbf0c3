import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Distance, nominalDistance, orderedDistance, treeDistance } from './earth-movers.js'

function shares(counts: readonly number[]): Float64Array {
  const total = counts.reduce((a, b) => a + b, 0)
  return Float64Array.from(counts, (count) => count / total)
}

/** The distance of a class that is given by its counts of all values. */
function distanceOf(distance: Distance, counts: readonly number[]): number {
  const values = Int32Array.from(counts.keys()).filter((value) => counts[value] > 0)
  const all = shares(counts)
  return distance(
    values,
    Float64Array.from(values, (value) => all[value]),
    values.length,
  )
}

const counts = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 5 }), { minLength: length, maxLength: length })
    .filter((list) => list.some((count) => count > 0))
const pairs = fc.integer({ min: 1, max: 12 }).chain((m) => fc.tuple(counts(m), counts(m)))

describe('ordered', () => {
  it('equals the direct sum over all values', () => {
    fc.assert(
      fc.property(pairs, ([file, own]) => {
        const [p, q] = [shares(own), shares(file)]
        let [difference, sum] = [0, 0]
        for (let i = 0; i + 1 < p.length; i++) {
          difference += p[i] - q[i]
          sum += Math.abs(difference)
        }
        const direct = p.length === 1 ? 0 : sum / (p.length - 1)
        expect(distanceOf(orderedDistance(q, null), own)).toBeCloseTo(direct, 14)
      }),
      { numRuns: 1000 },
    )
  })

  it('along numbers equals the direct sum', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 12, maxLength: 12 }),
        ([file, own], steps) => {
          const [p, q] = [shares(own), shares(file)]
          const numbers = Float64Array.from(p, (_, i) => steps.slice(0, i).reduce((a, b) => a + b, -7))
          let [difference, sum] = [0, 0]
          for (let i = 0; i + 1 < p.length; i++) {
            difference += p[i] - q[i]
            sum += Math.abs(difference) * (numbers[i + 1] - numbers[i])
          }
          const direct = p.length === 1 ? 0 : sum / (numbers[p.length - 1] - numbers[0])
          expect(distanceOf(orderedDistance(q, numbers), own)).toBeCloseTo(direct, 14)
        },
      ),
    )
  })

  it('moves mass along the order, not between any two values (arx#192, arx#199)', () => {
    const file = shares([1, 1, 1, 1, 1])
    // By hand: |1/5-1| + |2/5-1| + |3/5-1| + |4/5-1| = 2 over 4 steps; from the middle 1/5 + 2/5 + 2/5 + 1/5 = 6/5 over 4.
    expect(distanceOf(orderedDistance(file, null), [1, 0, 0, 0, 0])).toBeCloseTo(0.5, 15)
    expect(distanceOf(orderedDistance(file, null), [0, 0, 0, 0, 1])).toBeCloseTo(0.5, 15)
    expect(distanceOf(orderedDistance(file, null), [0, 0, 1, 0, 0])).toBeCloseTo(0.3, 15)
    expect(distanceOf(orderedDistance(file, null), [1, 0, 0, 0, 1])).toBeCloseTo(0.2, 15)
    expect(distanceOf(nominalDistance(file), [1, 0, 0, 0, 0])).toBeCloseTo(0.8, 15)
  })
})

describe('nominal', () => {
  it('is half the sum of absolute differences', () => {
    fc.assert(
      fc.property(pairs, ([file, own]) => {
        const [p, q] = [shares(own), shares(file)]
        const direct = p.reduce((sum, share, i) => sum + Math.abs(share - q[i]), 0) / 2
        expect(distanceOf(nominalDistance(q), own)).toBeCloseTo(direct, 14)
      }),
    )
  })
})

describe('hierarchical', () => {
  const labels = ['flu', 'pneumonia', 'ulcer', 'cancer']
  const tree = { flu: 'lungs', pneumonia: 'lungs', ulcer: 'stomach', cancer: 'stomach', lungs: 'any', stomach: 'any' }

  it('costs less within a group than between groups', () => {
    const distance = treeDistance(shares([1, 1, 1, 1]), labels, tree, 'disease')
    // Half of the mass crosses the root (height 2 of 2), a quarter moves within lungs (height 1 of 2).
    expect(distanceOf(distance, [1, 0, 0, 0])).toBeCloseTo(0.5 + 0.25 / 2, 15)
    expect(distanceOf(distance, [1, 1, 0, 0])).toBeCloseTo(0.5, 15)
    expect(distanceOf(distance, [1, 0, 1, 0])).toBeCloseTo(0.25, 15)
    expect(distanceOf(distance, [1, 1, 1, 1])).toBe(0)
  })

  it('with one group is nominal', () => {
    const flat = Object.fromEntries(labels.map((label) => [label, 'any']))
    fc.assert(
      fc.property(counts(4), counts(4), (file, own) => {
        const distance = distanceOf(treeDistance(shares(file), labels, flat, 'disease'), own)
        expect(distance).toBeCloseTo(distanceOf(nominalDistance(shares(file)), own), 14)
      }),
    )
  })

  it('equals the cost summed over all nodes', () => {
    fc.assert(
      fc.property(counts(4), counts(4), (file, own) => {
        const extra = shares(own).map((share, value) => share - shares(file)[value])
        const cost = (height: number, ...children: number[]) => {
          const surplus = children.reduce((sum, child) => sum + Math.max(0, child), 0)
          const lack = children.reduce((sum, child) => sum + Math.max(0, -child), 0)
          return (height / 2) * Math.min(surplus, lack)
        }
        const direct =
          cost(1, extra[0], extra[1]) + cost(1, extra[2], extra[3]) + cost(2, extra[0] + extra[1], extra[2] + extra[3])
        expect(distanceOf(treeDistance(shares(file), labels, tree, 'disease'), own)).toBeCloseTo(direct, 14)
      }),
    )
  })

  it('tells what is wrong with a tree', () => {
    const build = (given: Record<string, string>) => () => treeDistance(shares([1, 1, 1, 1]), labels, given, 'disease')
    expect(build({ flu: 'lungs', pneumonia: 'lungs' })).toThrow('lacks the value "ulcer" of "disease"')
    expect(build({ ...tree, angina: 'heart' })).toThrow('one topmost group, but it has any, heart')
    expect(build({ ...tree, any: 'lungs' })).toThrow('but it has none')
    expect(build({ ...tree, cold: 'warm', warm: 'cold' })).toThrow('in a circle')
    expect(build({ ...tree, h1n1: 'flu' })).toThrow('has values below "flu"')
  })
})

it('every distance is between 0 and 1, and 0 from the file itself', () => {
  fc.assert(
    fc.property(pairs, ([file, own]) => {
      const labels = file.map((_, value) => String(value))
      const tree = Object.fromEntries(labels.map((label, value) => [label, value % 2 === 0 ? 'even' : 'odd']))
      const q = shares(file)
      for (const distance of [
        orderedDistance(q, null),
        nominalDistance(q),
        treeDistance(q, labels, { ...tree, even: 'all', odd: 'all' }, 'v'),
      ]) {
        const found = distanceOf(distance, own)
        expect(found).toBeGreaterThanOrEqual(0)
        expect(found).toBeLessThanOrEqual(1)
        expect(distanceOf(distance, file)).toBeCloseTo(0, 14)
      }
    }),
  )
})
