import { describe, expect, it } from 'vitest'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS } from '../../study/buyer-beware-published.js'
import type { Table } from '../../table/table.js'
import { attack } from '../game.js'
import { acceptedShares, totalVariation } from './abc.js'
import { dirichletNoise, logDirichletMultinomial } from './dirichlet.js'
import { effectiveDraws } from './mixture.js'

const original = cellTable('original', ORIGINAL_CELLS)
const column = (k: number) => cellTable(`set ${k}`, SYNTHETIC_CELLS[k - 1])
const LAST = 15

async function after(engine: 'exact' | 'path' | 'dm' | 'mix' | 'abc' | 'classifier', set: Table, more: object = {}) {
  return (await attack({ original, released: [set], record: 'last', engine, ...more })).targets[0].posteriors[0]
}

describe('dm', () => {
  it('has the log likelihoods of the authors pooled counts', () => {
    const pooled1111 = [718, 550, 778, 659, 739, 674, 597, 729, 715, 677, 519, 672, 803, 536, 625, 9]
    const pooled0000 = [662, 588, 787, 631, 681, 634, 626, 764, 743, 639, 534, 686, 752, 633, 640, 0]
    const log = (counts: readonly number[]) =>
      logDirichletMultinomial(
        SYNTHETIC_CELLS[0],
        counts.map((x) => x + 0.5),
      )
    expect(log(pooled1111)).toBeCloseTo(-44.99067, 5)
    expect(log(pooled0000)).toBeCloseTo(-46.51182, 5)
  })

  it('tells its noise', async () => {
    expect(dirichletNoise(16, 10)).toBeCloseTo(1.73, 2)
    expect(dirichletNoise(16, 100)).toBeCloseTo(0.55, 2)
    const found = await attack({ original, released: [column(2)], record: 'last', engine: 'dm', simulations: 10 })
    expect(found.notes.join()).toContain('about 1.73')
  })

  it('comes near the exact posterior with enough simulations', async () => {
    const simulated = await after('dm', column(2), { simulations: 300, alpha: 1 / 16 })
    const exact = await after('exact', column(2))
    simulated.probabilities.forEach((p, k) => {
      expect(Math.abs(p - exact.probabilities[k])).toBeLessThan(0.02)
    })
    expect((await after('dm', column(4), { simulations: 300, alpha: 1 / 16 })).probabilities[LAST]).toBeGreaterThan(
      0.95,
    )
  })

  it('has little noise, because worlds share their random numbers', async () => {
    const spread = async () => {
      const differences: number[] = []
      for (let seed = 1; seed <= 12; seed++) {
        const { logLikelihoods } = await after('dm', column(2), { simulations: 10, seed })
        differences.push(logLikelihoods[0] - logLikelihoods[1])
      }
      const mean = differences.reduce((a, b) => a + b) / differences.length
      return Math.sqrt(differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / (differences.length - 1))
    }
    expect(await spread()).toBeLessThan(0.6)
  })
})

it('path: as exact while the structure stays, blind to what the structure gives away', async () => {
  const [path, exact] = [await after('path', column(2)), await after('exact', column(2))]
  path.probabilities.forEach((p, k) => {
    expect(p).toBeCloseTo(exact.probabilities[k], 10)
  })
  expect((await after('path', column(1))).probabilities[LAST]).toBe(1)
  const leak = { options: { minbucket: 67 }, releases: 200 }
  const [seen] = (await attack({ original, record: 'last', engine: 'exact', ...leak })).targets
  const [screened] = (await attack({ original, record: 'last', engine: 'path', ...leak })).targets
  expect(seen.summary?.meanPosterior).toBeGreaterThan(0.6)
  expect(screened.summary?.meanPosterior).toBeLessThan(0.07)
})

it('mix: one fit is as good as many where fitting is not random', async () => {
  const [mix, exact] = [await after('mix', column(2), { simulations: 15 }), await after('exact', column(2))]
  mix.probabilities.forEach((p, k) => {
    expect(p).toBeCloseTo(exact.probabilities[k], 10)
  })
  expect(effectiveDraws([0, 0, 0, 0])).toBe(4)
  expect(effectiveDraws([0, -1000])).toBe(1)
  const few = await attack({ original, released: [column(2)], record: 'last', engine: 'mix', simulations: 5 })
  expect(few.verdict).toBeNull()
  expect(few.notes.join()).toContain('fewer than 10 effective')
})

it('abc: keeps the nearest, and hardly sees the one cell that matters', async () => {
  expect(totalVariation([1, 1, 2], [2, 0, 2])).toBe(0.25)
  const near = [Float64Array.of(1, 1), Float64Array.of(2, 0)]
  const far = [Float64Array.of(0, 2), Float64Array.of(0, 2)]
  expect(acceptedShares([near, far], Float64Array.of(1, 1), 0.25)).toEqual([0.5, 0])
  const found = await after('abc', column(1), { simulations: 20, accept: 0.1 })
  expect(found.probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
  expect(found.probabilities[LAST]).toBeLessThan(1)
})

it('classifier: finds the occupied cell', async () => {
  const options = { simulations: 40, candidates: { kind: 'attribute', sensitive: 'var4' } }
  const present = await after('classifier', column(4), options)
  const absent = await after('classifier', column(2), options)
  expect(present.probabilities.at(-1)).toBeGreaterThan(0.8)
  expect(absent.probabilities.at(-1)).toBeLessThan(0.5)
})
