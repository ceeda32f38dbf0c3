import { describe, expect, it } from 'vitest'
import { bitSpace } from '../../neighbors/in-bits/bits.js'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { mean, variance } from '../../stats/sums.js'
import { selectRows, type Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { repeats } from '../../testing/long.js'
import { people } from '../../testing/scenes/people.js'
import { aroundInBits } from './around-in-bits.js'
import { bitsInBulk } from './bulk.js'
import type { ShapeControl } from './shape-control.js'

const CHARGES = [0, 1, 4]
/** Never above chance: the test is then one against ν alone, which rejects more. */
const noShape = (charge: number): ShapeControl => ({ charge, closer: 0, standardDeviation: 0, replicates: 20 })

async function around(original: Table, released: Table) {
  const { columns, points, ids } = bitSpace(
    [original, released],
    original.columns.map(({ name }) => name),
  )
  const rows = Int32Array.from({ length: original.rows }, (_, row) => row)
  const sides = { columns, points, originals: ids[0], released: ids[1] }
  return aroundInBits(sides, rows, CHARGES, 1, { tasks: inline })
}

async function bulk(original: Table, released: Table) {
  const found = await around(original, released)
  return found.nearest.map((nearest) => bitsInBulk(found, nearest, noShape(nearest.charge)))
}

describe('leakage in bulk', () => {
  const shares = Float64Array.of(1, 1, 1, 0, 0.5, 1, 0, 1, 1, 0.5)
  const found = {
    rows: new Int32Array(10),
    points: new Int32Array(10),
    equals: new Int32Array(10).fill(1),
    originals: 10,
    released: 6,
    chance: 0.4,
    nearest: [],
    toReleased: empty(),
    toOthers: empty(),
    draws: 0,
  }
  const nearest = { charge: 1, releasedShare: shares, around: null, designEffect: 1.25 }

  it('is measured from chance, as a share of what is left', () => {
    const of = bitsInBulk(found, nearest, { charge: 1, closer: 0.3, standardDeviation: 0.1, replicates: 20 })
    expect(of).toMatchObject({ records: 10, closer: 0.7, chance: 0.4, shape: 0.3, fair: 0.4 })
    expect(of.leakage).toBeCloseTo(0.5, 12)
    // sd of the shares: Σ (h - 0.7)² = 6 · 0.09 + 2 · 0.49 + 2 · 0.04 = 1.6, over 9
    expect(of.standardError).toBeCloseTo(Math.sqrt(1.6 / 9) / Math.sqrt(8) / 0.6, 12)
    expect(of.z).toBeCloseTo(0.3 / Math.sqrt((0.4 * 0.6) / 8), 12)
    // n_eff is 8 here: P(Binomial(8, 0.4) >= 5.6) lies between those of 6 and of 5 or more
    expect(of.p).toBeGreaterThan(0.0498)
    expect(of.p).toBeLessThan(0.1737)
    expect(of.lower).toBeLessThan(0.5)
    expect(of.upper).toBeGreaterThan(0.5)
  })

  it('is measured from independent marginals where these are closer, with their uncertainty', () => {
    const of = bitsInBulk(found, nearest, { charge: 1, closer: 0.6, standardDeviation: 0.1, replicates: 20 })
    expect(of.fair).toBe(0.6)
    expect(of.leakage).toBeCloseTo(0.25, 12)
    const error = 0.1 / Math.sqrt(20)
    expect(of.z).toBeCloseTo(0.1 / Math.hypot(Math.sqrt(0.24 / 8), error), 12)
    expect(of.standardError).toBeCloseTo(Math.hypot(Math.sqrt(1.6 / 9) / Math.sqrt(8) / 0.4, (0.3 * error) / 0.16), 12)
  })

  it('cannot be told from a control that nothing exceeds', () => {
    const of = bitsInBulk(found, nearest, { charge: 1, closer: 1, standardDeviation: 0, replicates: 20 })
    expect(of).toMatchObject({ leakage: null, standardError: null, lower: null, upper: null, p: 1 })
  })
})

function empty() {
  return {
    bits: new Float64Array(),
    points: new Int32Array(),
    equals: new Int32Array(),
    drawnBits: new Float64Array(),
    drawnPoints: new Int32Array(),
  }
}

describe('honest releases', () => {
  it.each([
    [100, 100],
    [60, 150],
    [150, 60],
  ])('of %i people and %i released records: about one of twenty is taken for a leak', async (n, m) => {
    const runs = repeats(60, 200)
    const rejected = CHARGES.map(() => 0)
    const leakage = CHARGES.map(() => 0)
    for (let run = 0; run < runs; run++) {
      const random = stream(run, `honest bulk ${n} ${m}`)
      const found = await bulk(people(n, random), people(m, random))
      for (const [k, { p, leakage: of }] of found.entries()) {
        if (p < 0.05) rejected[k] += 1 / runs
        leakage[k] += (of ?? 0) / runs
      }
    }
    // 5 % of 200 is 10; more than 16 would be one of fifty runs. In 1,500 runs it is 3.4 % to 5 %.
    for (const share of rejected) expect(share).toBeLessThanOrEqual(0.08)
    for (const average of leakage) expect(Math.abs(average)).toBeLessThan(0.03)
  })
})

it('the design effect is the variance under random labels', async () => {
  const [n, m] = [80, 160]
  const all = people(n + m, stream(1, 'pool'))
  const random = stream(1, 'labels')
  const closer: number[][] = CHARGES.map(() => [])
  const said: number[][] = CHARGES.map(() => [])
  for (let run = 0; run < 250; run++) {
    const order = permutation(random, n + m)
    const found = await around(selectRows(all, order.subarray(0, n)), selectRows(all, order.subarray(n)))
    for (const [k, { releasedShare, designEffect }] of found.nearest.entries()) {
      closer[k].push(mean(releasedShare) ?? 0)
      said[k].push(designEffect)
    }
  }
  const chance = m / (n + m - 1)
  for (const k of CHARGES.keys()) {
    const seen = (variance(closer[k]) ?? 0) / ((chance * (1 - chance)) / n)
    // The variance of 250 draws is off by 9 %.
    expect(mean(said[k])).toBeGreaterThan(seen * 0.8)
    expect(mean(said[k])).toBeLessThan(seen * 1.3)
    expect(Math.abs((mean(closer[k]) ?? 0) - chance)).toBeLessThan(0.01)
  }
})
