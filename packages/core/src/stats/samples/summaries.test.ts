import { expect, it } from 'vitest'
import { columnOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { sampleQuantile, summaryOf } from './summaries.js'
import { sampleOf } from './two-samples.js'

it('summarises a small sample', () => {
  const found = summaryOf(sampleOf(Float64Array.of(1, 2, 3, 4, 10)))
  expect(found).toMatchObject({ n: 5, mean: 4, min: 1, q1: 2, median: 3, q3: 4, max: 10, iqr: 2 })
  expect(found?.sd).toBeCloseTo(Math.sqrt(50 / 4), 12)
  expect(found?.se).toBeCloseTo(Math.sqrt(50 / 4 / 5), 12)
})

it('has no shape where there is no spread, and nothing for nothing', () => {
  expect(summaryOf(sampleOf(Float64Array.of(7, 7)))).toMatchObject({ sd: 0, skewness: null, kurtosis: null, huber: 7 })
  expect(summaryOf(sampleOf(Float64Array.of(7)))).toMatchObject({ sd: null, se: null })
  expect(summaryOf(sampleOf(Float64Array.of(Number.NaN)))).toBeNull()
})

it('weighs', () => {
  const weighted = sampleOf(Float64Array.of(1, 2, 3), Float64Array.of(1, 1, 4))
  expect(summaryOf(weighted)).toMatchObject({ mean: 2.5, median: 3 })
  expect(sampleQuantile(weighted, 1 / 6)).toBe(1)
})

it('says the same of values that were counted', () => {
  const counted = sampleOf(Float64Array.of(10, 1, Number.NaN, 4), null, Int32Array.of(1, 3, 9, 2))
  const each = sampleOf(Float64Array.of(1, 1, 1, 4, 4, 10))
  expect(counted).toMatchObject({ values: Float64Array.of(1, 4, 10), total: 6 })
  for (const [name, value] of Object.entries(summaryOf(each) ?? {}))
    expect(summaryOf(counted)).toHaveProperty(name, expect.closeTo(Number(value), 12))
  const weighted = sampleOf(Float64Array.of(1, 2), Float64Array.of(2, 5), Int32Array.of(4, 1))
  const byRecord = sampleOf(Float64Array.of(1, 1, 1, 1, 2), Float64Array.of(2, 2, 2, 2, 5))
  expect(summaryOf(weighted)).toEqual(summaryOf(byRecord))
})

describeReference('the running example', async () => {
  const numbers = async (file: string, name: string) => {
    const column = columnOf(await referenceTable('golden', 'vignette', file), name)
    if (column.kind === 'categorical') throw new Error(`${name} is no number`)
    return sampleOf(column.values)
  }
  const expected = {
    'original.csv age': [50.696, 50.5, 18.787163, 31, 22.9803, 0.0252667, -1.1342735],
    'synthetic.csv age': [52.78, 54, 20.048828, 36, 26.6868, -0.0885267, -1.280546],
    'original.csv income': [45724.444, 39633, 25102.27287, 28338.75, 19858.6857, 2.0955796, 8.6695199],
    'synthetic.csv income': [45783.93, 39318.5, 25140.67573, 27740.75, 19401.3036, 1.6561859, 4.214264],
  }
  it.each(Object.entries(expected))('has the statistics of %s', async (name, values) => {
    const [file, column] = name.split(' ')
    const found = summaryOf(await numbers(file, column))
    const names = ['mean', 'median', 'sd', 'iqr', 'mad', 'skewness', 'kurtosis'] as const
    names.forEach((statistic, k) => {
      expect(found?.[statistic], statistic).toBeCloseTo(values[k], 4)
    })
  })
  it('has the M-estimates of income', async () => {
    expect(summaryOf(await numbers('original.csv', 'income'))?.huber).toBeCloseTo(42901.65465, 1)
    expect(summaryOf(await numbers('synthetic.csv', 'income'))?.huber).toBeCloseTo(42717.33856, 1)
  })
})
