import { type FromWorker, failureOf, type Port, type ToWorker } from './port.js'
import { countingShared } from './sharing.js'
import type { AnyTask } from './task.js'

/** The other side of `pool.ts`: runs items of named tasks, keeping the data of a job until told to forget it. */
export function serveTasks(port: Port<FromWorker, ToWorker>, findTask: (name: string) => AnyTask): void {
  const open = new Map<number, { readonly task: string; readonly shared: unknown }>()

  const run = async ({ job, index, item, last }: Extract<ToWorker, { kind: 'run' }>): Promise<FromWorker> => {
    try {
      const opened = open.get(job)
      if (opened === undefined) throw new Error(`job ${job} was not opened`)
      // Not when the job is closed: until that is read a worker may be long at something else, with all of this in memory.
      if (last) open.delete(job)
      return { kind: 'done', job, index, output: await findTask(opened.task).run(opened.shared, item) }
    } catch (error) {
      return { kind: 'failed', job, why: failureOf(error) }
    }
  }

  const receive = (message: ToWorker) => {
    if (message.kind === 'open') open.set(message.job, { task: message.task, shared: countingShared(message.shared) })
    else if (message.kind === 'close') open.delete(message.job)
    else run(message).then(port.post, die)
  }

  port.listen(receive, die)
}

/** A worker that cannot read its orders, or send what it found, is of no use: it dies, and the pool hears of it. */
function die(error: unknown): never {
  throw error
}
