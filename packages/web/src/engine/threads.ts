import tasksAddress from 'scrim-worker:tasks'
import { type WorkerPool, type WorkerPort, workerPool } from '@scrim/core'
import { openWorker } from './open-worker.js'

/** Runs tasks on web workers, one per core; no result depends on how many there are. */
export function threads(): WorkerPool {
  return workerPool(navigator.hardwareConcurrency, openThread)
}

function openThread(): WorkerPort {
  const worker = openWorker(tasksAddress, 'tasks')
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onError) {
      worker.onmessage = ({ data }) => onMessage(data)
      worker.onmessageerror = () => onError(new Error('an answer of a worker cannot be read'))
      worker.onerror = ({ message }) => onError(new Error(message || 'a worker has stopped'))
    },
    close: async () => worker.terminate(),
  }
}
