import { describe, expect, it } from 'vitest'
import { emFit } from './em.js'

/** Three keys, 1,600 pairs; patterns 000, 100, 010, 110, 001, 101, 011, 111, 1 meaning agreement (level 0 here). */
const patterns = {
  counts: [526.53, 527.07, 175.77, 180.63, 58.67, 61.73, 21.03, 48.57],
  levels: Array.from({ length: 8 }, (_, g) => [0, 1, 2].map((v) => ((g >> v) & 1 ? 0 : 1))),
}
const both = (agree: number) => [agree, 1 - agree]
const agrees = (levels: readonly (readonly number[])[]) => levels.map(([agree]) => agree)
const close = (found: readonly number[], expected: readonly number[], digits: number) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe('EM on patterns of agreement', () => {
  it('takes one step', () => {
    const start = { m: [0.9, 0.9, 0.9].map(both), u: [0.2, 0.2, 0.2].map(both), lambda: 0.025 }
    close(agrees(emFit(patterns, { ...start, mostIterations: 1 }).m), [0.96638331, 0.90589704, 0.76098757], 8)
  })

  it('takes one step, and converges, with u and λ fixed', () => {
    const start = { m: [0.9, 0.9, 0.9].map(both), u: [0.5, 0.25, 0.1].map(both), lambda: 0.025 }
    close(agrees(emFit(patterns, { ...start, mostIterations: 1 }).m), [0.90549853, 0.89937183, 0.89847181], 8)
    const { m, converged, iterations } = emFit(patterns, start)
    expect(converged).toBe(true)
    expect(iterations).toBeLessThan(1000)
    close(agrees(m), [0.95, 0.9, 0.85], 5)
  })

  it('leaves missing comparisons out', () => {
    const counts = [90, 10, 50]
    const levels = [[0], [1], [-1]]
    const { m } = emFit({ counts, levels }, { m: [both(0.5)], u: [both(0.5)], lambda: 0.5, mostIterations: 1 })
    close(m[0], [0.9, 0.1], 12)
  })
})
