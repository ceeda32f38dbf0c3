import { findTask } from '../task-list.js'
import type { TaskRunner } from '../tasks/task.js'

/**
 * A runner that does what threads do to work, on one thread: everything is cloned on the way in and out, and items run in
 * another order than they were given. Whoever depends on either gives other bits here than inline.
 */
export function shuffledRunner(threads: number): TaskRunner {
  return {
    threads,
    async map(task, shared, items, how = {}) {
      if (findTask(task.name) !== task) throw new Error(`no worker knows ${task.name}`)
      const outputs = new Array(items.length)
      const order = items.map((_, k) => k).sort((a, b) => (a % threads) - (b % threads) || b - a)
      for (const [done, k] of order.entries()) {
        outputs[k] = structuredClone(await task.run(structuredClone(shared), structuredClone(items[k])))
        how.output?.(k, outputs[k])
        how.progress?.(done + 1, items.length)
      }
      return outputs
    },
  }
}
