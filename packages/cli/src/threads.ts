import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { type WorkerPool, type WorkerPort, workerPool } from '@scrim/core'
import { threadFile } from './thread-file.js'

const WORKER = threadFile('worker.js')

export const allThreads = (): number => availableParallelism()

/** Runs tasks on this many worker threads of Node, one per core unless it is said; on one thread right here. */
export function threads(count: number = allThreads()): WorkerPool {
  collectSeldom(count)
  return workerPool(count, openThread)
}

/** In MB, what new threads may hold together before their first collection. */
const UNCOLLECTED = 256
/** After a collection memory may grow to so much more than was in use, in percent, before the next one. */
const GROWTH = 200

/**
 * V8 begins with next to no memory, and counts large arrays as its own: threads that make and drop them would collect all that they
 * hold several times a second, and with it compiled code that is needed again.
 */
function collectSeldom(count: number): void {
  setFlagsFromString(`--initial-old-space-size=${Math.ceil(UNCOLLECTED / count)}`)
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
}

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
