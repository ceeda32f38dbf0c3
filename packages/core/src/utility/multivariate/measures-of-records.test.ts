import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { table, tableOf } from '../../table/table.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { alphaPrecision } from './alpha-precision.js'
import { copulaDistance, empiricalCopula, FROM_PERFECT_TO_NONE, rankSquares } from './association/copula.js'
import { associations } from './associations.js'
import { betaRecall } from './beta-recall.js'
import { copulaFidelity } from './copula-fidelity.js'
import { energyDistance } from './energy-distance.js'
import { gower } from './gower.js'
import { mixing } from './mixing.js'
import { mmd } from './mmd.js'
import { pca } from './pca.js'

const none = { resamples: 0 }

/** Two numbers with correlation `r` and a category that goes with the first. */
function people(name: string, seed: number, r: number, rows = 200) {
  const random = stream(seed, 'records')
  const a = Array.from({ length: rows }, () => drawNormal(random))
  return table(name, [
    numeric('a', a),
    numeric(
      'b',
      a.map((value) => r * value + Math.sqrt(1 - r * r) * drawNormal(random)),
    ),
    categorical(
      'c',
      a.map((value) => (value + (1.1 - r) * 3 * drawNormal(random) > 0 ? 'high' : 'low')),
    ),
  ])
}

describe('a file that kept the relations and one that lost them', () => {
  const original = people('original', 1, 0.8)
  const kept = release({ original, released: people('kept', 2, 0.8) })
  const lost = release({ original, released: people('lost', 3, 0) })

  it.each([energyDistance, mmd, copulaFidelity, associations])('$id is larger for the second', async (measure) => {
    const [good, bad] = [await measure(kept, { resamples: 4 }), await measure(lost, { resamples: 4 })]
    expect(bad.value).toBeGreaterThan(2 * (good.value ?? Number.NaN))
    expect(good.releases[0].utility?.place).toBeGreaterThan(0.5)
    expect(bad.releases[0].utility?.place).toBeLessThan(0.4)
  })

  it.each([pca, mixing])('$id is smaller for the second', async (measure) => {
    const [good, bad] = [await measure(kept, none), await measure(lost, none)]
    expect(good.value).toBeGreaterThan((bad.value ?? Number.NaN) + 0.05)
  })

  it.each([energyDistance, mmd, associations, copulaFidelity])('$id tests them', async (measure) => {
    const p = async (of: typeof kept) => (await measure(of, none)).releases[0].utility?.test?.p ?? Number.NaN
    expect(await p(kept)).toBeGreaterThan(0.01)
    expect(await p(lost)).toBeLessThanOrEqual(0.01)
  })

  it('slices and features agree with the exact values, within their standard errors', async () => {
    const exact = (await energyDistance(lost, none)).releases[0].details
    const sliced = (await energyDistance(lost, { ...none, method: 'slices', directions: 100 })).releases[0].details
    expect(Math.abs((sliced?.v ?? 0) - (exact?.v ?? 1))).toBeLessThan(4 * (sliced?.se ?? 0))
    const sure = (await mmd(lost, none)).releases[0].details
    for (const kernel of ['gaussian', 'rational quadratic'] as const) {
      const all = (await mmd(lost, { ...none, kernel })).releases[0].details
      const featured = (await mmd(lost, { ...none, kernel, method: 'features', features: 500 })).releases[0].details
      expect(Math.abs((featured?.v ?? 0) - (all?.v ?? 1))).toBeLessThan(4 * (featured?.se ?? 0))
      expect(Math.abs((featured?.u ?? 0) - (all?.u ?? 1))).toBeLessThan(4 * (featured?.se ?? 0))
    }
    expect(sure?.scales.map(({ sigma }) => sigma / (sure?.sigma ?? 1))).toEqual([0.5, 1, 2])
  })

  it('is the same on any number of threads', async () => {
    for (const measure of [energyDistance, mmd, mixing, betaRecall]) {
      const given = { ...none, ...(measure === energyDistance ? { method: 'slices' } : {}) }
      const one = await measure.run(lost, given)
      expect(await measure.run(lost, given, { tasks: shuffledRunner(4) })).toEqual(one)
    }
  })
})

describe('support', () => {
  const random = stream(9, 'support')
  const cloud = (name: string, rows: number, spread: number) =>
    table(
      name,
      ['a', 'b'].map((column) =>
        numeric(
          column,
          Array.from({ length: rows }, () => spread * drawNormal(random)),
        ),
      ),
    )
  const original = cloud('original', 250, 1)
  const against = (released: ReturnType<typeof cloud>) => release({ original, released })

  it('is kept by a new sample, too narrow or too wide otherwise', async () => {
    const precision = async (spread: number) => (await alphaPrecision(against(cloud('y', 250, spread)), none)).value
    expect(await precision(1)).toBeGreaterThan(0.9)
    expect(await precision(0.3)).toBeLessThan(0.7)
    expect(await precision(3)).toBeLessThan(0.7)
  })

  it('is covered by a new sample, and not by one that left out the margin', async () => {
    const recall = async (spread: number) => (await betaRecall(against(cloud('y', 250, spread)), none)).value
    expect(await recall(1)).toBeGreaterThan(0.85)
    expect(await recall(0.2)).toBeLessThan(0.5)
  })
})

describe('copulas', () => {
  const copula = (x: number[], y: number[], grid: number) =>
    empiricalCopula(rankSquares(Float64Array.from(x), grid), rankSquares(Float64Array.from(y), grid), grid)
  it('of the worked example lie 1/81 apart', () => {
    expect(copulaDistance(copula([1, 2, 3], [1, 2, 3], 3), copula([1, 2, 3], [3, 2, 1], 3))).toBeCloseTo(1 / 81, 12)
  })
  it('of perfect dependence and independence lie as far apart as worked out', () => {
    expect(FROM_PERFECT_TO_NONE).toBeCloseTo(0.01068222, 8)
    const grid = 50
    let squares = 0
    for (let i = 0; i < grid; i++)
      for (let j = 0; j < grid; j++) {
        const [a, b] = [i / (grid - 1), j / (grid - 1)]
        squares += (Math.min(a, b) - Math.max(0, a + b - 1)) ** 2
      }
    expect(squares / grid ** 2).toBeCloseTo(0.04004998, 8)
    // Many records that rise together, and as many that fall.
    const upTo = Array.from({ length: 4999 }, (_, k) => k)
    const [rising, falling] = [copula(upTo, upTo, grid), copula(upTo, upTo.toReversed(), grid)]
    expect(copulaDistance(rising, falling)).toBeCloseTo(0.04004998, 3)
  })
})

describe('paired records', () => {
  const original = tableOf('original', {
    age: [25, 30, 35, 40],
    income: [30000, 45000, 50000, 60000],
    sex: ['m', 'f', 'f', 'm'],
  })
  const released = tableOf('released', {
    age: [26, 31, 34, 42],
    income: [32000, 44000, 52000, 58000],
    sex: ['m', 'f', 'f', 'm'],
  })
  it('moved by the worked-out distance', async () => {
    const moved = await gower(release({ original, released, type: 'perturbed' }), none)
    expect(moved.value).toBeCloseTo(0.04395425, 8)
    const same = await gower(release({ original, released: original, type: 'perturbed' }), none)
    expect(same.value).toBe(0)
    expect(same.releases[0].details?.unchanged).toBe(1)
  })
})
