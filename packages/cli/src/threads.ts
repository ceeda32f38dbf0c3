import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { inline, type TaskRunner, throwIfAborted, UserError } from '@scrim/core'

/**
 * Runs tasks on worker threads. Each worker gets the shared data of a job once, then one item at a time, so that a slow
 * item holds nobody up; outputs are put in the order of the items, whoever finishes first. Threads start with the first
 * job and end with `close`.
 */
export interface Threads extends TaskRunner {
  close(): Promise<void>
}

export type ToWorker =
  | { readonly kind: 'open'; readonly job: number; readonly task: string; readonly shared: unknown }
  | { readonly kind: 'run'; readonly job: number; readonly index: number; readonly item: unknown }
  | { readonly kind: 'close'; readonly job: number }

export interface FromWorker {
  readonly job: number
  readonly index: number
  readonly output?: unknown
  readonly error?: string
}

/** Tests run this file as it is written; a worker needs the built one, which npm test has made before. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? '../dist/worker.js' : './worker.js', import.meta.url)

export const allThreads = (): number => availableParallelism()

export function threads(count: number): Threads {
  if (count <= 1) return { ...inline, close: async () => {} }
  let workers: Worker[] | undefined
  let jobs = 0
  const close = async () => {
    const running = workers ?? []
    workers = undefined
    await Promise.all(running.map((worker) => worker.terminate()))
  }
  return {
    threads: count,
    async map(task, shared, items, how = {}) {
      throwIfAborted(how.signal)
      if (items.length <= 1) return inline.map(task, shared, items, how)
      workers ??= Array.from({ length: count }, () => new Worker(WORKER, { execArgv: [] }))
      const job = ++jobs
      try {
        const outputs = await runJob(workers, job, task.name, shared, items, how)
        return outputs as ReturnType<typeof task.run>[]
      } catch (error) {
        // A worker may be dead or still busy with the rest of the job: start afresh next time.
        await close()
        throw error
      }
    },
    close,
  }
}

type How = Parameters<TaskRunner['map']>[3]

function runJob(
  workers: readonly Worker[],
  job: number,
  task: string,
  shared: unknown,
  items: readonly unknown[],
  how: How,
): Promise<unknown[]> {
  const outputs = new Array<unknown>(items.length)
  let next = 0
  let done = 0
  return new Promise((resolve, reject) => {
    const listeners = workers.map((worker) => {
      const send = (message: ToWorker) => worker.postMessage(message)
      const give = () => {
        if (next < items.length) {
          send({ kind: 'run', job, index: next, item: items[next] })
          next++
        }
      }
      const receive = (message: FromWorker) => {
        if (message.job !== job) return
        if (message.error !== undefined) return finish(new Error(message.error))
        outputs[message.index] = message.output
        done++
        how?.progress?.(done, items.length)
        if (done === items.length) return finish()
        if (how?.signal?.aborted) return finish(new UserError('cancelled'))
        give()
      }
      const fail = (error: Error) => finish(error)
      worker.on('message', receive).on('error', fail)
      send({ kind: 'open', job, task, shared })
      give()
      return () => {
        worker.off('message', receive).off('error', fail)
        send({ kind: 'close', job })
      }
    })
    const finish = (error?: Error) => {
      for (const stop of listeners) stop()
      if (error === undefined) resolve(outputs)
      else reject(error)
    }
  })
}
