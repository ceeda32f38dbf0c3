import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { kendallTau, meanRanks, midRanks, rankCorrelation } from './ranks.js'

const of = (...values: number[]) => Float64Array.from(values)

it('ranks share ties and skip what is missing', () => {
  expect([...meanRanks(of(3, 1, 3, Number.NaN))]).toEqual([2.5, 1, 2.5, Number.NaN])
  // Ties of two and of three: (8 - 2) + (27 - 3).
  expect(midRanks(of(5, 5, 1, 7, 7, 7)).tieTerm).toBe(30)
})

it('Kendall: R, cor(c(12, 2, 1, 12, 2), c(1, 4, 7, 1, 0), method = "kendall")', () => {
  expect(kendallTau(of(12, 2, 1, 12, 2), of(1, 4, 7, 1, 0))).toBeCloseTo(-0.4714045, 7)
  expect(kendallTau(of(1, 2, 3), of(4, 5, 6))).toBeCloseTo(1, 12)
  expect(kendallTau(of(1, 2, 3), of(6, 5, 4))).toBeCloseTo(-1, 12)
  expect(kendallTau(of(1, 1), of(1, 2))).toBeNull()
  expect(rankCorrelation(of(1, 2), of(1, 2))).toBeNull()
})

it('Kendall counts all pairs, ties in either', () => {
  const random = stream(2, 'kendall')
  const [x, y] = [0, 1].map(() => Float64Array.from({ length: 61 }, () => random.below(9)))
  let [sum, untiedX, untiedY] = [0, 0, 0]
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      sum += Math.sign(x[i] - x[j]) * Math.sign(y[i] - y[j])
      if (x[i] !== x[j]) untiedX++
      if (y[i] !== y[j]) untiedY++
    }
  expect(kendallTau(x, y)).toBeCloseTo(sum / Math.sqrt(untiedX * untiedY), 12)
})
