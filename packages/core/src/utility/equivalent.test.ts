import { expect, it } from 'vitest'
import { equivalentSample } from './equivalent.js'

const RECORDS = 1000
const curve = (loss: (v: number) => number, cv = 0.1) => ({
  points: [20, 50, 100, 250, 500].map((size) => {
    const v = 1 / size - 1 / RECORDS
    return { v, mean: loss(v), sd: cv * loss(v) }
  }),
  draws: 8,
  crosses: false,
})
const same = (loss: number) => loss

it.each([
  ['a distance', (v: number) => 3 * Math.sqrt(v)],
  ['a squared distance', (v: number) => 7 * v],
] as const)('finds the size of the subsample behind the loss of %s, within the sizes tried and beyond', (_, loss) => {
  for (const size of [5, 20, 77, 400, 900, 990]) {
    const found = equivalentSample(loss(1 / size - 1 / RECORDS), curve(loss), RECORDS, same)
    expect(found?.size).toBe(size)
    expect(found?.fraction).toBeCloseTo(size / RECORDS, 6)
    expect(found?.interval.lower).toBeLessThan(size / RECORDS)
    expect(found?.interval.upper).toBeGreaterThan(size / RECORDS)
  }
})

it('no loss, or less than none, is the whole original', () => {
  for (const loss of [0, -1])
    expect(equivalentSample(loss, curve(Math.sqrt), RECORDS, same)).toMatchObject({ size: 1000, fraction: 1 })
})

it('a loss beyond all subsamples is no more than two records', () => {
  expect(equivalentSample(1e6, curve(Math.sqrt), RECORDS, same)?.size).toBe(2)
})

it('is wider where losses scatter more', () => {
  const width = (cv: number) => {
    const { lower, upper } = equivalentSample(0.1, curve(Math.sqrt, cv), RECORDS, same)?.interval ?? {
      lower: 0,
      upper: 0,
    }
    return upper - lower
  }
  expect(width(0.3)).toBeGreaterThan(2 * width(0.1))
})

it('losses that fall by chance are made to rise', () => {
  const points = [
    { v: 0.001, mean: 1, sd: 0.1 },
    { v: 0.002, mean: 3, sd: 0.3 },
    { v: 0.004, mean: 2, sd: 0.2 },
    { v: 0.008, mean: 5, sd: 0.5 },
  ]
  const sizes = [0.5, 1.5, 2.4, 4, 6].map(
    (loss) => equivalentSample(loss, { points, draws: 8, crosses: false }, RECORDS, same)?.size ?? 0,
  )
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
})

it('there is none where no subsample loses anything', () => {
  expect(equivalentSample(1, { points: [], draws: 8, crosses: false }, RECORDS, same)).toBeNull()
})

it('knows that the scatter depends on the size', () => {
  const v = (size: number) => 1 / size - 1 / RECORDS
  const points = [20, 50, 100, 250, 500].map((size) => ({ v: v(size), mean: v(size), sd: v(size) ** 2 }))
  const widthAt = (size: number) => {
    const { lower, upper } = equivalentSample(v(size), { points, draws: 8, crosses: false }, RECORDS, same)
      ?.interval ?? {
      lower: 0,
      upper: 0,
    }
    return upper / lower
  }
  expect(widthAt(20)).toBeGreaterThan(1.1)
  expect(widthAt(400)).toBeLessThan(1.01)
})

it('allows for subsamples that do better than the original', () => {
  const points = [20, 50, 100, 250, 500].map((size) => ({ v: 1 / size, mean: 1 / size, sd: 2 / size }))
  for (const crosses of [true, false]) {
    const { lower, upper } = equivalentSample(-0.001, { points, draws: 8, crosses }, RECORDS, same)?.interval ?? {
      lower: 1,
      upper: 0,
    }
    expect(lower).toBeLessThan(0.01)
    expect(upper).toBe(1)
  }
})

it('follows losses that bend twice, as those of sparse tables do', () => {
  // Logarithms of what mutual information loses on average in subsamples of 600 records, with its scatter in parts of the mean.
  const known = [
    [9, -0.071, 0.167],
    [19, -0.428, 0.108],
    [38, -0.992, 0.096],
    [75, -1.817, 0.12],
    [150, -2.863, 0.171],
    [300, -4.149, 0.307],
  ] as const
  const points = known.map(([size, log, cv]) => ({
    v: 1 / size - 1 / 600,
    mean: Math.exp(log),
    sd: cv * Math.exp(log),
  }))
  const between = [
    [27, -0.699],
    [53, -1.383],
    [106, -2.319],
    [212, -3.497],
  ] as const
  for (const [size, log] of between) {
    const found = equivalentSample(Math.exp(log), { points, draws: 8, crosses: false }, 600, same)?.size ?? 0
    expect(Math.abs(Math.log(found / size))).toBeLessThan(0.06)
  }
})
