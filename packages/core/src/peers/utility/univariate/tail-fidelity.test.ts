import { expect, it } from 'vitest'
import { columnOf } from '../../../table/table.js'
import { describeReference, referenceTable } from '../../../testing/reference.js'
import { gridTailDistance, hillAbove } from './tail-fidelity.js'

it('tails differ by the last value alone', () => {
  const upTo = (n: number) => Float64Array.from({ length: n }, (_, k) => k + 1)
  const [x, y] = [upTo(100), Float64Array.of(...upTo(99), 200)]
  expect(gridTailDistance(x, y, 0.05, 'upper') / 49.5).toBeCloseTo(0.2203669, 7)
  expect(gridTailDistance(x, y, 0.05, 'lower')).toBe(0)
})

describeReference('tails of the running example', async () => {
  const numbers = async (file: string, name: string) => {
    const column = columnOf(await referenceTable('golden', 'vignette', file), name)
    if (column.kind === 'categorical') throw new Error(`${name} is no number`)
    return column.values.slice().sort()
  }
  it.each([
    { name: 'age', iqr: 31, upper: 0.0423265, lower: 0.0075997 },
    { name: 'income', iqr: 28338.75, upper: 0.1286752, lower: 0.0136858 },
  ])('$name', async ({ name, iqr, upper, lower }) => {
    const [a, b] = [await numbers('original.csv', name), await numbers('synthetic.csv', name)]
    expect(gridTailDistance(a, b, 0.05, 'upper') / iqr).toBeCloseTo(upper, 7)
    expect(gridTailDistance(a, b, 0.05, 'lower') / iqr).toBeCloseTo(lower, 7)
  })
  it('has the tail indices of income, and none of age', async () => {
    expect(hillAbove(await numbers('original.csv', 'income'), 0.05)).toMatchObject({ k: 5 })
    expect(hillAbove(await numbers('original.csv', 'income'), 0.05)?.alpha).toBeCloseTo(5.102944, 6)
    expect(hillAbove(await numbers('synthetic.csv', 'income'), 0.05)?.alpha).toBeCloseTo(8.575832, 6)
    expect(hillAbove(await numbers('original.csv', 'age'), 0.05)).toBeNull()
  })
})
