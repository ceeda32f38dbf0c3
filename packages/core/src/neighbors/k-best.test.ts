import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Found, heap, type KBest, sortedList } from './k-best.js'

const TIE = 1e-9

interface Shown {
  readonly sum: number
  readonly records: number
}

/** Coarse sums tie, some of them only just. */
const shown = fc.array(
  fc.record({
    sum: fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0, TIE / 2, 1.5 * TIE)).map(([a, b]) => a + b),
    records: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 300 },
)

function collected(best: KBest, k: number, of: readonly Shown[]): readonly number[] {
  best.start(k)
  return of.map(({ sum, records }, point) => best.add(point, sum, records))
}

function listed({ count, points, sums, kth }: Found) {
  return { points: [...points.slice(0, count)], sums: [...sums.slice(0, count)], kth }
}

/** Sorts all of them. */
function simple(k: number, of: readonly Shown[]) {
  const sorted = [...of.keys()].sort((a, b) => of[a].sum - of[b].sum || a - b)
  const kth = sorted.flatMap((point) => new Array<number>(of[point].records).fill(of[point].sum))[k - 1] ?? Infinity
  const points = sorted.filter((point) => of[point].sum <= kth + TIE)
  return { points, sums: points.map((point) => of[point].sum), kth }
}

describe.each([
  ['sorted list', sortedList(TIE)],
  ['heap', heap(TIE)],
])('%s', (_, best) => {
  it('finds what sorting everything finds, in the same order, again and again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), shown, (k, of) => {
        const limits = collected(best, k, of)
        expect(limits).toEqual(of.map((_one, at) => simple(k, of.slice(0, at + 1)).kth))
        expect(listed(best.finish())).toEqual(simple(k, of))
      }),
      { numRuns: 60 },
    )
  })

  it('keeps everything when there is less than asked for, and nothing of nothing', () => {
    collected(best, 3, [
      { sum: 2, records: 1 },
      { sum: 1, records: 1 },
    ])
    expect(listed(best.finish())).toEqual({ points: [1, 0], sums: [1, 2], kth: Number.POSITIVE_INFINITY })
    collected(best, 3, [])
    expect(best.finish().count).toBe(0)
  })
})
