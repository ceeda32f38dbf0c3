import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { lineThrough, trajectoryOf } from './trajectory.js'

describe('trajectory', () => {
  it("O6: at the paper's error the line is within 2.2e-5 of its end", () => {
    const line = { intercept: 0.2279, slope: -0.0556 }
    const points = [0, 0.1, 0.5, 1].map((mae) => ({ run: 0, mae, risk: line.intercept + line.slope * mae }))
    const found = lineThrough(points)
    expect(found?.intercept).toBeCloseTo(0.2279, 12)
    expect(-(found?.slope ?? 0) * 0.0004).toBeCloseTo(2.2e-5, 6)
    expect(found?.correlation).toBeCloseTo(-1, 12)
  })

  it('runs are drawn anew, and a bend is told', () => {
    const points = [0, 1, 2].flatMap((run) =>
      [1, 0.5, 0.2, 0.1, 0.05, 0.01].map((mae) => ({
        run,
        mae,
        risk: (mae > 0.1 ? 0.2 : 0.4 - mae) + 0.1 * mae * run,
      })),
    )
    const found = trajectoryOf(points, stream(1, 'trajectory'))
    expect(found.interval).not.toBeNull()
    expect(found.warning).toMatch(/last power of ten/)
  })
})
