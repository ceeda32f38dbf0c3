import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { drawMultinomial } from '../../stats/draws.js'
import { findSynthesizer } from '../../synthesizers/synthesizers.js'
import { type Table, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { simulateHealth } from '../../testing/scenes/health.js'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS } from '../../testing/scenes/unique-record.js'
import { attack } from '../game.js'
import { codeRecords, recordAt, variablesOf } from '../generator/records.js'
import { acceptedShares, summaries, totalVariation } from './abc.js'
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

  it('has the noise that the formula says, without common random numbers', () => {
    // Pooled counts of R sets are one multinomial draw; measured in R: 1.62, 0.54, 0.17 at R = 10, 100, 1000.
    const probabilities = ORIGINAL_CELLS.map((n) => n / 1000)
    for (const simulations of [10, 100, 1000]) {
      const log = (index: number, world: string) => {
        const pooled = drawMultinomial(stream(7, `noise/${world}`, index), 1000 * simulations, probabilities)
        return logDirichletMultinomial(
          drawMultinomial(stream(7, 'noise/release', index), 1000, probabilities),
          Array.from(pooled, (x) => x + 0.5),
        )
      }
      const differences = Array.from({ length: 400 }, (_, k) => log(k, 'a') - log(k, 'b'))
      const spread = Math.sqrt(differences.reduce((sum, d) => sum + d ** 2, 0) / differences.length)
      expect(spread / dirichletNoise(16, simulations)).toBeGreaterThan(0.75)
      expect(spread / dirichletNoise(16, simulations)).toBeLessThan(1.25)
    }
  })

  it('comes near the exact posterior with enough simulations', async () => {
    const simulated = await after('dm', column(2), { simulations: repeats(120, 300), alpha: 1 / 16 })
    const exact = await after('exact', column(2))
    simulated.probabilities.forEach((p, k) => {
      expect(Math.abs(p - exact.probabilities[k])).toBeLessThan(0.02)
    })
    expect(
      (await after('dm', column(4), { simulations: repeats(120, 300), alpha: 1 / 16 })).probabilities[LAST],
    ).toBeGreaterThan(0.95)
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

it('exact: the cross table with and without drawn parameters has the posteriors computed apart (F4)', async () => {
  const of = async (id: string, k: number, options: object = {}) => {
    const found = await attack({
      original,
      released: [column(k)],
      record: 'last',
      synthesizer: findSynthesizer(id),
      options,
    })
    expect(found.engine).toBe('exact')
    return found.targets[0].posteriors[0].probabilities[LAST]
  }
  const plugIn = [0.29534, 0.023981, 0.99183]
  const drawn: [number, number[]][] = [
    [1e-4, [0.99701, 0.032272, 0.999]],
    [0.1, [0.26838, 0.032295, 0.5087]],
    [1, [0.062923, 0.032506, 0.11856]],
    [5, [0.0398, 0.033409, 0.052446]],
  ]
  for (const [place, k] of [1, 2, 4].entries()) {
    expect(await of('catall', k)).toBeCloseTo(plugIn[place], 5)
    for (const [a, values] of drawn) expect(await of('catall-dirichlet', k, { a })).toBeCloseTo(values[place], 5)
  }
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

it('abc: numbers with many values are compared by shares, means and covariances', async () => {
  const data = tableOf('t', { sex: ['f', 'm', 'm', 'f'], x: [1, 2, 3, null], y: [2, 4, 6, 0] })
  const variables = variablesOf(['sex', 'x', 'y'], [data])
  const records = codeRecords(variables, data)
  const cells = Array.from({ length: 4 }, (_, row) => recordAt(records, row))
  // Shares of f, m, unknown; of missing x and its mean; of missing y and its mean; var(x), cov(x, y), var(y) over n.
  expect([...summaries(variables, cells, Float64Array.of(1, 1, 1, 1))]).toEqual(
    [0.5, 0.5, 0, 0.25, 2, 0, 3, 0.5, 1, 5].map((value) => expect.closeTo(value, 12)),
  )
  const health = simulateHealth({ n: 60, kappa: 10, seed: 1 })
  const found = await attack({
    original: health,
    record: 3,
    engine: 'abc',
    releases: 2,
    simulations: 20,
    accept: 0.2,
    candidates: { kind: 'attribute', sensitive: 'disease_status' },
  })
  expect(found.notes.join()).toContain('means, covariances and shares')
  expect(found.targets[0].posteriors[0].probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
})

it('classifier: finds the occupied cell', async () => {
  const options = { simulations: 40, candidates: { kind: 'attribute', sensitive: 'var4' } }
  const present = await after('classifier', column(4), options)
  const absent = await after('classifier', column(2), options)
  expect(present.probabilities.at(-1)).toBeGreaterThan(0.8)
  expect(absent.probabilities.at(-1)).toBeLessThan(0.5)
})
