import { expect, it } from 'vitest'
import { buyerBewareDesign } from './buyer-beware.js'
import { dataThresholds, hyperparameters } from './hyperparameters.js'
import { cellTable, ORIGINAL_CELLS } from './published.js'

const original = cellTable('original', ORIGINAL_CELLS)

it('finds the thresholds that depend on the data', () => {
  const { minbucket, cp } = dataThresholds(original)
  // 67 records have 111 and 203 have 11; of 463 with 1 and of all 1000 a third: a node splits if it has three times minbucket.
  expect(minbucket).toEqual([67, 154, 203, 333])
  // The first complexity of the tree of var4, as rpart gives it.
  expect(cp.at(-1)).toBeCloseTo(0.0191985, 7)
})

it('shows that one record decides at a threshold, and what that gives away', async () => {
  const design = { ...buyerBewareDesign({ seed: 1, quick: true }), releases: 20, settingSets: 1 }
  const { figures } = await hyperparameters(original, design)
  const [{ header, rows }] = figures
  const of = (setting: string) => {
    const row = rows.find(([name]) => name === setting) ?? []
    return Object.fromEntries(header.map((title, k) => [title, row[k]]))
  }
  expect(of('minbucket 67')).toMatchObject({ leaves: '2/4/8', copies: expect.closeTo(1, 6) })
  expect(of('minbucket 68')).toMatchObject({ leaves: '2/4/7', copies: expect.closeTo(19.803, 3), P99: 0 })
  expect(of('cp 0.019179')).toMatchObject({ leaves: '1/1/4' })
  expect(of('cp 0.019218')).toMatchObject({ leaves: '1/1/1', copies: expect.closeTo(45.937, 3), posterior: 1, P99: 1 })
  expect(of('cp 0.05')).toMatchObject({ leaves: '1/1/1', copies: expect.closeTo(45.937, 3), P99: 0 })
})
