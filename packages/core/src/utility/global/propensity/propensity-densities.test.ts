import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { densityCharts, densityTable, scoreDensities } from './propensity-densities.js'

/** Scores around two places, with standard deviation 1. */
function scores(shift: number, rows = 4000): Float64Array {
  const random = stream(5, 'scores')
  return Float64Array.from({ length: 2 * rows }, (_, k) => drawNormal(random) + (k < rows ? 0 : shift))
}

it('KL of two normals is half of their squared distance, up to the bandwidth', () => {
  const found = scoreDensities(scores(1), 4000)
  expect(found?.kl).toBeCloseTo(0.5, 1)
  expect(found?.klReverse).toBeCloseTo(0.5, 1)
  expect(found?.meanReleased).toBeCloseTo(1, 1)
  expect(found?.aboveToBelow).toBeCloseTo(1, 1)
})

it('is 0 for the same scores twice, and the ratio is 1 everywhere', () => {
  const part = scores(0, 500).slice(0, 500)
  const found = scoreDensities(Float64Array.from([...part, ...part]), 500)
  expect([found?.kl, found?.klReverse, found?.klBayes, found?.logRatioSd]).toEqual([0, 0, 0, 0])
  expect([found?.ratioMean, found?.ratioSd]).toEqual([1, 0])
})

it('has a number where the files can be told apart without error, and none where nothing differs', () => {
  const apart = scoreDensities(scores(1000, 200), 200)
  expect(Number.isFinite(apart?.kl)).toBe(true)
  expect(Number.isFinite(apart?.ratioMean)).toBe(true)
  expect(scoreDensities(new Float64Array(10).fill(0.5), 5)).toBeNull()
})

it('curves have an integral of 1, in two pictures; the figures are a table', () => {
  const found = scoreDensities(scores(1), 4000)
  if (found === null) throw new Error('no densities')
  const pieces = found.curve.slice(1).map(({ score, original }, k) => {
    const before = found.curve[k]
    return ((score - before.score) * (original + before.original)) / 2
  })
  expect(pieces.reduce((total, piece) => total + piece, 0)).toBeCloseTo(1, 2)
  expect(densityCharts(found, 'release').map(({ name }) => name)).toEqual(['densities', 'density-ratio'])
  const { rows } = densityTable(found)
  expect(rows[0]).toEqual(['KL, original from release', found.kl])
  expect(rows).toHaveLength(9)
})
