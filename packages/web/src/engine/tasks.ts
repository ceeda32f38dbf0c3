import { findTask, serveTasks } from '@scrim/core'

/** What a worker opened by `threads.ts` runs. */
serveTasks(
  {
    post: (message) => postMessage(message),
    listen: (onMessage, onError) => {
      addEventListener('message', ({ data }) => onMessage(data))
      addEventListener('messageerror', () => onError(new Error('a message to a worker cannot be read')))
    },
  },
  findTask,
)
