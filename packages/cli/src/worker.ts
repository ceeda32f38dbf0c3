import { parentPort } from 'node:worker_threads'
import { type AnyTask, findTask, serveTasks } from '@scrim/core'

/** Tasks of studies are loaded where they are run: most threads never see one. */
const OF_STUDIES = 'study/'

function findAnyTask(name: string): AnyTask {
  if (!name.startsWith(OF_STUDIES)) return findTask(name)
  const run: AnyTask['run'] = async (shared, item) => {
    const { findStudyTask } = await import('@scrim/studies')
    const task = findStudyTask(name)
    if (task === undefined) throw new Error(`no task ${name}`)
    return task.run(shared, item)
  }
  return { name, run }
}

/** What a thread opened by `threads.ts` runs. */
const port = parentPort
if (port === null) throw new Error('worker.js runs on a worker thread only')

serveTasks(
  {
    post: (message) => port.postMessage(message),
    listen: (onMessage, onError) => port.on('message', onMessage).on('messageerror', onError),
  },
  findAnyTask,
)
