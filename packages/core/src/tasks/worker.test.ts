import { expect, it } from 'vitest'
import type { FromWorker, ToWorker } from './port.js'
import { serveTasks } from './worker.js'

it('forgets what a job shares when it begins with the last item that there is', async () => {
  const answers: FromWorker[] = []
  let tell = (_: ToWorker) => {}
  const plus = { name: 'plus', run: (shared: unknown, item: unknown) => Number(shared) + Number(item) }
  const listen = (onMessage: (message: ToWorker) => void) => {
    tell = onMessage
  }
  serveTasks({ post: (answer) => answers.push(answer), listen }, () => plus)
  tell({ kind: 'open', job: 1, task: 'plus', shared: 10 })
  tell({ kind: 'run', job: 1, index: 0, item: 1, last: false })
  tell({ kind: 'run', job: 1, index: 1, item: 2, last: true })
  tell({ kind: 'run', job: 1, index: 2, item: 3, last: false })
  await expect.poll(() => answers.length).toBe(3)
  expect(answers).toContainEqual({ kind: 'done', job: 1, index: 0, output: 11 })
  expect(answers).toContainEqual({ kind: 'done', job: 1, index: 1, output: 12 })
  const why = { kind: 'fault', message: 'job 1 was not opened' }
  expect(answers).toContainEqual({ kind: 'failed', job: 1, why })
})
