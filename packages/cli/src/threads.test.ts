import { assessCase, findTask, openCase, rapid } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { afterAll, describe, expect, it } from 'vitest'
import { threads } from './threads.js'

const two = threads(2)
const four = threads(4)
afterAll(() => Promise.all([two.close(), four.close()]))

const original = simulateHealth({ n: 150, kappa: 10, seed: 1 })
const released = simulateHealth({ n: 150, kappa: 10, seed: 2 })
const opened = openCase(
  { keys: ['gender', 'age', 'education', 'income'], target: 'disease_status' },
  { original, released },
)

describe('results do not depend on the number of threads', () => {
  it.each(['rf', 'gbm', 'cart', 'l1', 'multinomial'])('%s: identical bits on 1, 2 and 4', async (attacker) => {
    const run = (tasks: typeof two | undefined) =>
      rapid(
        opened.release,
        { attackers: [attacker], hyper: { l1: { folds: 3, lambdas: 10 }, rf: { trees: 100 } } },
        tasks === undefined ? {} : { tasks },
      )
    const alone = await run(undefined)
    expect(alone.status).toBe('ok')
    expect(await run(two)).toEqual(alone)
    expect(await run(four)).toEqual(alone)
  })
})

describe('measures of utility', () => {
  it('are the same run whole on a thread', async () => {
    const run = async (tasks: typeof two | undefined) =>
      (await assessCase(opened, { measures: ['pmse', 'tables', 'ks', 'energy-distance'], tasks })).results
    expect(await run(two)).toEqual(await run(undefined))
  })
})

describe('a job', () => {
  it('that fails on a thread fails here, with its reason; the next one runs', async () => {
    const broken = { ...findTask('learners/grow-trees'), run: () => 0 }
    await expect(two.map(broken, {}, [1, 2, 3])).rejects.toThrow()
    expect(await rapid(opened.release, { attackers: ['cart'] }, { tasks: two })).toMatchObject({ status: 'ok' })
  })

  it('can be cancelled before it starts', async () => {
    await expect(two.map({ name: 'none', run: () => 0 }, {}, [1, 2], { signal: { aborted: true } })).rejects.toThrow(
      'cancelled',
    )
  })
})
