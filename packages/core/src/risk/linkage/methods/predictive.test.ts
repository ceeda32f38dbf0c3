import { expect, it } from 'vitest'
import { categorical } from '../../../table/column.js'
import { table } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/linkage.js'
import { predictiveCosts } from './predictive.js'

const context = { seed: 1, tasks: inline, progress: () => {}, signal: undefined }
const known = table(
  'released',
  TEN_RELEASED.columns.map((column) =>
    column.name === 'sex' ? categorical('sex', ['f', 'm', 'm', 'm', 'f', 'm', 'f', 'm', 'f', 'm']) : column,
  ),
)

it('links the ten people by logistic propensity', async () => {
  const files = together(TEN, known)
  const { costs, query, search } = await predictiveCosts(files, 'logit', 0, 'query', context)
  expect(query[0]).toBeCloseTo(0.58252661, 6)
  expect(search[0]).toBeCloseTo(0.58390326, 6)
  const { risk } = await score(files, costs)
  expect(risk).toEqual([1, 1, 0, 0, 1, 0, 1, 1, 1, 0])
})

it('does not break ties of a release that is the original by rounding', async () => {
  const files = together(TEN, TEN)
  const { costs } = await predictiveCosts(files, 'logit', 0, 'query', context)
  expect(meanOf((await score(files, costs)).risk)).toBeCloseTo(0.1, 12)
})

it('keeps records with missing keys in their place', async () => {
  const files = together(TEN, TEN_RELEASED)
  const { query, search } = await predictiveCosts(files, 'logit', 0, 'query', context)
  expect([query.length, search.length]).toEqual([10, 10])
  expect([...query, ...search].every(Number.isFinite)).toBe(true)
})

it('links by the propensity of a forest', async () => {
  const files = together(TEN, known)
  const { costs } = await predictiveCosts(files, 'forest', 50, 'query', context)
  const mean = meanOf((await score(files, costs)).risk)
  expect(mean).toBeGreaterThan(0)
  expect(mean).toBeLessThanOrEqual(1)
})
