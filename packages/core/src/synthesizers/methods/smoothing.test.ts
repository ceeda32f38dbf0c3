import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { numeric } from '../../table/column.js'
import { roundingOf } from '../../table/precision.js'
import { addKernelNoise, densityKernel, kernelMass, sheatherJones, smoothByRank } from './smoothing.js'
import { smoothingSpline } from './spline.js'

const count = Array.from({ length: 60 }, (_, k) => k + 1)
const y = Float64Array.from(count, (k) => 3 * Math.sqrt((k * 37) % 101) + (k % 5))

it('bandwidth of Sheather and Jones: that of R, which counts distances a little differently', () => {
  expect(sheatherJones(y.slice().sort())).toBeCloseTo(3.14473638719, 1)
  const three = Float64Array.from([...y, ...y.map((v) => v + 10), ...y.map((v) => 2 * v)]).sort()
  expect(Math.abs((sheatherJones(three) ?? 0) / 4.32952014761 - 1)).toBeLessThan(0.002)
  expect(sheatherJones(Float64Array.of(3, 3, 3, 3))).toBeNull()
})

it('smoothing spline: that of R with all knots and GCV', () => {
  const smooth = smoothingSpline(y.slice().sort())
  const expected = [5.22004641344, 6.7625864183, 14.1711653849, 23.343947601, 33.6514736935]
  ;[0, 1, 9, 29, 59].forEach((place, k) => {
    expect(Math.abs(smooth[place] - expected[k])).toBeLessThan(1e-3)
  })
})

it('running mean of five, of fewer at the ends', () => {
  const drawn = Float64Array.of(9, 1, 2, 3, 4, 100)
  expect([...smoothByRank(drawn, 'rmean', { perUnit: null })]).toEqual([(4 + 9 + 100) / 3, 1, 2, 19 / 5, 118 / 5, 100])
})

it.each([
  [[1, 2, 30], 1],
  [[1.5, 2, 30], 10],
  [[0.1, 0.25], 100],
  [[1 / 3], null],
])('%j is rounded to 1 / %s', (values, perUnit) => {
  expect(roundingOf(numeric('x', values), Float64Array.from(values))).toEqual({ perUnit })
})

it('noise stays in the range, keeps the decimals and leaves heaps and top codes alone', () => {
  const values = Float64Array.from({ length: 1000 }, (_, k) => (k % 4 === 0 ? 5000 : 100 + ((k * 37) % 1000) / 2))
  const kernel = densityKernel(numeric('x', values), values)
  if (kernel === null) throw new Error('no kernel')
  expect(kernel.exempt).toEqual([5000])
  const noisy = addKernelNoise(values, kernel, stream(1, 'noise'))
  expect(noisy.every((value) => value >= 100 && value <= 5000 && Number.isInteger(value * 2 * 5))).toBe(true)
  expect(noisy.filter((value, k) => value === values[k]).length).toBeLessThan(300)
  expect(noisy.every((value, k) => values[k] !== 5000 || value === 5000)).toBe(true)
  expect(densityKernel(numeric('c', [4, 4, 4]), Float64Array.of(4, 4, 4))).toBeNull()
})

it('what the noise makes of donors sums to 1', () => {
  const donors = Float64Array.of(10, 12, 13, 19, 25)
  const kernel = densityKernel(numeric('x', donors), donors)
  if (kernel === null) throw new Error('no kernel')
  let total = 0
  for (let value = 0; value <= 100; value++) total += kernelMass(kernel, donors, value)
  expect(total).toBeCloseTo(5, 9)
  expect(kernelMass(kernel, donors, 9)).toBe(0)
  expect(kernelMass(kernel, donors, 12.5)).toBe(0)
})

it('tells how unlikely a value is as well above a donor as below it', () => {
  const kernel = { bandwidth: 1, lower: -100, upper: 100, rounding: { perUnit: 1 }, exempt: [] }
  // R: pnorm(11.5, lower = FALSE) - pnorm(12.5, lower = FALSE)
  const expected = 6.59573412047069e-31
  for (const value of [12, -12]) expect(kernelMass(kernel, Float64Array.of(0), value) / expected).toBeCloseTo(1, 9)
  const ends = [-100, 100].map((value) => kernelMass(kernel, Float64Array.of(value > 0 ? 90 : -90), value))
  expect(ends[0]).toBeGreaterThan(0)
  expect(ends[1]).toBe(ends[0])
})
