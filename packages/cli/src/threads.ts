import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type WorkerPool, type WorkerPort, workerPool } from '@scrim/core'
import { threadFile } from './thread-file.js'

const WORKER = threadFile('worker.js')

export const allThreads = (): number => availableParallelism()

/** Runs tasks on this many worker threads of Node, one per core unless it is said; on one thread right here. */
export const threads = (count: number = allThreads()): WorkerPool => workerPool(count, openThread)

function openThread(): WorkerPort {
  const worker = new Worker(WORKER, { execArgv: [] })
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onError) {
      worker.on('message', onMessage).on('messageerror', onError).on('error', onError)
      // A thread may also end without an error, as by process.exit; while it is needed that is a death too.
      worker.on('exit', (code) => onError(new Error(`a worker thread ended with code ${code}`)))
    },
    close: async () => {
      await worker.terminate()
    },
  }
}
