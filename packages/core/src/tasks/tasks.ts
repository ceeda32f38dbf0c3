import { lassoFold } from '../learners/lasso-path.js'
import type { AnyTask } from './task.js'

/** The one list of all tasks: what a worker must be able to run. */
const tasks: readonly AnyTask[] = [lassoFold]

export function findTask(name: string): AnyTask {
  const task = tasks.find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}
