import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { LOGISTIC, prepared, survey } from '../../testing/scenes/survey.js'
import { drawResponses } from './direct.js'

it('responses drawn from a model are within sampling error of it, and what is known stays', () => {
  const data = survey(4000)
  const { whole, aims } = prepared([LOGISTIC], data)
  const { variables, codes } = whole
  const start = variables.map(({ shares }) => shares)
  const at = variables.findIndex(({ name }) => name === 'ill')
  const event = variables[at].labels.indexOf('yes')
  const share = (records: typeof codes) =>
    records.filter((code, k) => k % variables.length === at && code === event).length / 4000
  const drawn = codes.slice()
  drawResponses(aims, variables, start, new Set(), drawn, stream(1, 'drawn'))
  expect(drawn).not.toEqual(codes)
  expect(Math.abs(share(drawn) - share(codes))).toBeLessThan(0.03)
  const fixed = codes.slice()
  drawResponses(aims, variables, start, new Set([at]), fixed, stream(1, 'drawn'))
  expect(fixed).toEqual(codes)
})
