import { expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { PYTHON_FILES } from '../../../testing/python-peers.js'
import { dcr } from './dcr.js'

async function protection(files: Parameters<typeof release>[0]) {
  const [{ details }] = (await dcr(release({ ...files, type: 'synthetic' }), { definition: 'sdmetrics' })).releases
  if (details?.definition !== 'sdmetrics') throw new Error('computed by another definition')
  return details.sdmetrics
}

it('is what SDMetrics 0.32.0 prints', async () => {
  const { score, closerToTraining, medianToTraining } = await protection(PYTHON_FILES)
  expect(closerToTraining).toBeCloseTo(0.44545454545454544, 12)
  expect(score).toBe(1)
  expect(medianToTraining).toBeCloseTo(0.05931742043551089, 12)
})

const even = Array.from({ length: 100 }, (_, k) => 2 * k)
const odd = Array.from({ length: 100 }, (_, k) => 2 * k + 1)
const between = Array.from({ length: 100 }, (_, k) => 2 * k + (k % 2 === 0 ? 0.25 : 0.75))

it('one outlier among the training records brings all others nearer, which the measure itself does not follow', async () => {
  const files = {
    original: tableOf('original', { x: [...even, 2000] }),
    released: tableOf('released', { x: between }),
    holdout: tableOf('holdout', { x: odd }),
  }
  expect((await protection(files)).closerToTraining).toBe(1)
  const { details } = (await dcr(release({ ...files, type: 'synthetic' }))).releases[0]
  expect(details?.definition).toBeUndefined()
  if (details?.definition === undefined) expect(details?.nearer).toEqual({ training: 50, holdout: 50, tied: 0 })
})

it('who is equally near to both sides counts as nearer to the holdout', async () => {
  const same = tableOf('same', { sex: ['f', 'm', 'f', 'm'] })
  const score = await protection({ original: same, released: same, holdout: same })
  expect(score).toMatchObject({ score: 1, closerToTraining: 0, closerToHoldout: 1, medianToTraining: 0 })
})
