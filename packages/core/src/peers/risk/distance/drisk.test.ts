import { expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { describeReference, liveFiles } from '../../../testing/reference.js'
import { TEN, TEN_RELEASED } from '../../../testing/scenes/linkage.js'
import { drisk } from './drisk.js'

it.each([
  [0.05, 0],
  [0.1, 0.1],
  [0.2, 0.6],
])('ten people, age and income, k = %d: %d as sdcMicro has it', async (k, expected) => {
  const files = release({ original: TEN, released: TEN_RELEASED, numericKeys: ['age', 'inc'], type: 'perturbed' })
  const { value, releases } = await drisk(files, { definition: 'sdcmicro', k })
  expect(value).toBeCloseTo(expected, 12)
  expect(releases[0].details).toMatchObject({ definition: 'sdcmicro', columns: ['age', 'inc'] })
})

it('the own record is known only where rows are in their places', async () => {
  const files = release({ original: TEN, released: TEN_RELEASED, type: 'synthetic' })
  const { value, reason } = await drisk(files, { definition: 'sdcmicro' })
  expect(value).toBeNull()
  expect(reason).toMatchObject({ code: 'needs', needs: ['paired rows'] })
})

describeReference('sdcMicro 5.8.2, dRisk', () => {
  it.each([
    [0.05, 0.246],
    [0.01, 0.018],
  ])('prices of diamonds with noise, k = %d: %d', async (k, expected) => {
    const files = release({ ...(await liveFiles('dia', 'p')), type: 'perturbed' })
    expect((await drisk(files, { definition: 'sdcmicro', k, variables: ['carat', 'price', 'x'] })).value).toBe(expected)
  })
})
