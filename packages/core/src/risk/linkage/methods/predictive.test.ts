import { expect, it } from 'vitest'
import { categorical } from '../../../table/column.js'
import { table } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
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

it('knows the error of a logistic propensity, and takes it for the width of a kernel', async () => {
  const files = together(TEN, known)
  const { costs } = await predictiveCosts(files, 'logit', 0, 'query', context)
  // e (1 - e) times the standard error of R's predict(glm, se.fit = TRUE).
  const widths = [0.192380096, 0.173624115, 0.303425008, 0.342036874]
  for (const [k, width] of widths.entries()) expect(costs.widths?.[k + 6]).toBeCloseTo(width, 5)
  const rule = { strategy: 'topk' as const, k: 5, weighting: 'kernel' as const }
  const { risk } = await score(files, costs, { rule })
  const theirs = [
    0.20430277, 0.20015697, 0, 0.20011992, 0.20327313, 0.20014978, 0.20538351, 0.20018148, 0.20173037, 0.20041958,
  ]
  for (const [k, value] of theirs.entries()) expect(risk[k]).toBeCloseTo(value, 6)
  const narrow = await score(files, costs, { rule: { ...rule, bandwidth: 1e-6 } })
  expect(narrow.risk[0]).toBe(1)
})

it('says nothing where the means of the keys are kept exactly, as by swapping values', async () => {
  const swapped = table(
    'swapped',
    TEN.columns.map((column, v) =>
      column.kind === 'numeric'
        ? { ...column, values: column.values.map((_, row, all) => all[(row + (row % 2 === v % 2 ? 1 : 9)) % 10]) }
        : column,
    ),
  )
  const files = together(TEN, swapped, ['age', 'inc'])
  const { costs, query, search } = await predictiveCosts(files, 'logit', 0, 'query', context)
  for (const e of [...query, ...search]) expect(e).toBeCloseTo(0.5, 10)
  expect((await score(files, costs)).risk).toEqual(new Array(10).fill(0.1))
})
