import { parentPort } from 'node:worker_threads'
import { findTask } from '@scrim/core'
import type { FromWorker, ToWorker } from './threads.js'

/** The other side of `threads.ts`: runs items of named tasks, keeping the data of a task until told to forget it. */
const shared = new Map<number, { task: string; data: unknown }>()

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'open') shared.set(message.job, { task: message.task, data: message.shared })
  else if (message.kind === 'close') shared.delete(message.job)
  else parentPort?.postMessage(run(message))
})

function run({ job, index, item }: Extract<ToWorker, { kind: 'run' }>): FromWorker {
  try {
    const opened = shared.get(job)
    if (opened === undefined) throw new Error(`job ${job} was not opened`)
    return { job, index, output: findTask(opened.task).run(opened.data, item) }
  } catch (error) {
    return { job, index, error: error instanceof Error ? error.message : String(error) }
  }
}
