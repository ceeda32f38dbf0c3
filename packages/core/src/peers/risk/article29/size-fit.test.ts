import { describe, expect, it } from 'vitest'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { allSingleColumnPredicates } from '../../../risk/article29/predicates/predicate-search.js'
import { countSingledOut, indexTable } from '../../../table/predicates.js'
import { fittedSizeFactor, fitWeight, singlingOutIntegral } from './size-fit.js'

describe('singlingOutIntegral', () => {
  it('over all weights is 1 / (n + 1)', () => {
    expect(singlingOutIntegral(100, 1)).toBeCloseTo(1 / 101, 15)
  })

  it('is the integral of n u (1 - u)^(n - 1)', () => {
    const [n, w] = [30, 0.05]
    const steps = 100_000
    let total = 0
    for (let i = 0; i < steps; i++) {
      const u = (w * (i + 0.5)) / steps
      total += (n * u * (1 - u) ** (n - 1) * w) / steps
    }
    expect(singlingOutIntegral(n, w)).toBeCloseTo(total, 10)
  })

  it('keeps its digits for tiny weights: n w² / 2', () => {
    expect(singlingOutIntegral(1000, 1e-9) / (0.5 * 1000 * 1e-18)).toBeCloseTo(1, 5)
  })
})

describe('the fitted factor', () => {
  it('finds the weight that made the counts', () => {
    const sizes = Array.from({ length: 10 }, (_, k) => 1000 + 900 * k)
    const successes = sizes.map((n) => 5e5 * singlingOutIntegral(n, 0.0004))
    expect(fitWeight(sizes, successes)).toBeCloseTo(0.0004, 8)
  })

  it('is null when nobody is singled out', () => {
    expect(fitWeight([1, 2], [0, 0])).toBeNull()
  })

  it('fits what single predicates find in tables of the sampled records', () => {
    const random = stream(1, 'levels')
    const codes = Int32Array.from({ length: 1300 }, () => random.below(700))
    const table = (name: string, rows: Int32Array) =>
      indexTable(name, [{ name: 'x', numeric: false, cardinality: 700, codes: rows }])
    const holdout = table('holdout', codes)
    const predicates = allSingleColumnPredicates(
      table(
        'each',
        Int32Array.from({ length: 700 }, (_, code) => code),
      ),
    )
    const samples = stream(2, 'samples')
    const sizes = Array.from({ length: 50 }, (_, k) => Math.floor(1000 + (300 * Math.floor(k / 5)) / 9))
    const successes = sizes.map((size) => {
      const sample = sampleWithoutReplacement(samples, 1300, size)
      return countSingledOut(
        predicates,
        table(
          'sample',
          sample.map((row) => codes[row]),
        ),
      )
    })
    const w = fitWeight(sizes, successes) ?? 0
    expect(fittedSizeFactor(predicates, holdout, 6000, stream(2, 'samples'), () => {})).toBe(
      singlingOutIntegral(6000, w) / singlingOutIntegral(1300, w),
    )
  })

  it('is null for predicates that are too broad, and the ratio of sizes for values of one record', () => {
    const level = (rows: number) => Int32Array.from({ length: rows }, (_, row) => (row * 7) % 60)
    const column = (rows: number) => ({ name: 'x', numeric: false, cardinality: 60, codes: level(rows) })
    const one = indexTable('one', [column(60)])
    const rows = Int32Array.from({ length: 1500 }, (_, row) => row)
    const holdout = indexTable('holdout', [column(1500)])
    expect(fittedSizeFactor(allSingleColumnPredicates(one), holdout, 6000, stream(1, 'test'), () => {})).toBeNull()
    const each = indexTable('each', [{ name: 'x', numeric: false, cardinality: 1500, codes: rows }])
    // Every predicate holds for one record of the holdout: a subsample singles out in proportion to its size.
    expect(fittedSizeFactor(allSingleColumnPredicates(each), each, 3000, stream(1, 'test'), () => {})).toBeCloseTo(2, 2)
  })
})
