import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { mean, sum, variance } from '../stats/sums.js'
import { numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { columnOf, type Table, table } from '../table/table.js'
import { deviations, groupsLeftOut } from './left-out.js'
import { type Pair, pairOf } from './pair.js'

const numbers = (name: string, rows: number) => {
  const random = stream(3, name)
  return table(name, [
    numeric(
      'v',
      Float64Array.from({ length: rows }, () => drawNormal(random)),
    ),
  ])
}
const valuesOf = (file: Table) => {
  const column = columnOf(file, 'v')
  return column.kind === 'numeric' ? column.values : new Float64Array()
}
const difference = ({ original, released }: Pair) => (mean(valuesOf(released)) ?? 0) - (mean(valuesOf(original)) ?? 0)
const squares = (values: readonly number[]) => sum(values.map((value) => value ** 2))

it('the variance of a difference of means is about the one of the formula, of each file and of both at once', () => {
  const files = release({ original: numbers('original', 400), released: numbers('released', 200) })
  const pair = pairOf({ release: files, part: 0, target: '' })
  const [ofOriginal, ofReleased] = [pair.original, pair.released].map(
    (file) => (variance(valuesOf(file)) ?? 0) / file.rows,
  )
  const average = (which: 'original' | 'released' | 'both') =>
    mean(
      Array.from({ length: 40 }, (_, seed) => {
        const left = groupsLeftOut(files, seed, 'release')[which]
        return left === null ? 0 : squares(deviations(left.pairs(pair).map(difference), left.shrink))
      }),
    ) ?? 0
  expect(average('original') / ofOriginal).toBeCloseTo(1, 0)
  expect(average('released') / ofReleased).toBeCloseTo(1, 0)
  expect(average('both') / (ofOriginal + ofReleased)).toBeCloseTo(1, 0)
})

it('rows of a perturbed release are left out with those of the original', () => {
  const original = numbers('original', 50)
  const files = release({ original, released: original, type: 'perturbed' })
  const { released, both } = groupsLeftOut(files, 1, 'release')
  expect(released).toBeNull()
  for (const pair of both.pairs(pairOf({ release: files, part: 0, target: '' }))) expect(difference(pair)).toBe(0)
})
