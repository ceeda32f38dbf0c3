import { expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { fitContext } from '../testing/fit.js'
import { prior } from './prior.js'

const features = tableOf('t', { x: [1, 2, 3, 4] })
const two = tableOf('two', { x: [9, 9] })

it('predicts the shares of classes', async () => {
  const response = { kind: 'classes' as const, codes: Int32Array.of(0, 2, 2, 0), levels: ['a', 'b', 'c'] }
  const model = await prior.fit(features, response, {}, fitContext())
  expect([...(await model.predictProbabilities(two))]).toEqual([0.5, 0, 0.5, 0.5, 0, 0.5])
  expect([...(await model.predict(two))]).toEqual([0, 0])
  const weighted = await prior.fit(features, response, {}, fitContext({ weights: Float64Array.of(1, 3, 0, 0) }))
  expect([...(await weighted.predictProbabilities(two))]).toEqual([0.25, 0, 0.75, 0.25, 0, 0.75])
  expect([...(await weighted.predict(two))]).toEqual([2, 2])
})

it('predicts the mean of numbers', async () => {
  const response = { kind: 'numbers' as const, values: Float64Array.of(1, 2, 3, 10) }
  const model = await prior.fit(features, response, {}, fitContext())
  expect([...(await model.predict(two))]).toEqual([4, 4])
  await expect(model.predictProbabilities(two)).rejects.toThrow('no class probabilities')
  const weighted = await prior.fit(features, response, {}, fitContext({ weights: Float64Array.of(0, 1, 3, 0) }))
  expect([...(await weighted.predict(two))]).toEqual([2.75, 2.75])
})

it('cannot learn from nothing', async () => {
  const response = { kind: 'numbers' as const, values: new Float64Array(4) }
  await expect(prior.fit(features, response, {}, fitContext({ weights: new Float64Array(4) }))).rejects.toThrow(
    'no rows of positive weight',
  )
})
