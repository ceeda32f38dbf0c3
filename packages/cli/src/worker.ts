import { parentPort } from 'node:worker_threads'
import { findTask, serveTasks } from '@scrim/core'

/** What a thread opened by `threads.ts` runs. */
const port = parentPort
if (port === null) throw new Error('worker.js runs on a worker thread only')

serveTasks(
  {
    post: (message) => port.postMessage(message),
    listen: (onMessage, onError) => port.on('message', onMessage).on('messageerror', onError),
  },
  findTask,
)
