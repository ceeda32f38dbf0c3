import { UserError } from '../errors.js'

/**
 * A piece of work that may run anywhere: on this thread, on another, in a browser's worker. Its function is found by name
 * on the other side, so it uses nothing but what it is handed: `shared`, the same for all items, and the item. Both and
 * the output consist of plain values and typed arrays. Random numbers come from streams named by the item, so who runs
 * it, and in which order, changes no bit.
 */
export interface Task<Shared, Item, Output> {
  readonly name: string
  run(shared: Shared, item: Item): Output
}

/** One that waits for others: it runs whole where it is. */
export interface AsyncTask<Shared, Item, Output> {
  readonly name: string
  run(shared: Shared, item: Item): Promise<Output>
}

/** A task whose types are not known to the compiler, as the registry hands it out. */
export interface AnyTask {
  readonly name: string
  run(shared: unknown, item: unknown): unknown
}

/** The part of an AbortSignal that is used, without the DOM. */
export interface AbortSignalLike {
  readonly aborted: boolean
}

export interface TaskProgress {
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Is given each output as soon as it is there. */
  readonly output?: ((index: number, output: unknown) => void) | undefined
  /** How many items a worker holds at a time, one unless said otherwise; more where who gives them out is busy too. */
  readonly ahead?: number | undefined
  /** Whether who gives them out goes on with something else, so that even one item belongs on another thread. */
  readonly beside?: boolean | undefined
  readonly signal?: AbortSignalLike | undefined
}

/** Runs a task on many items and returns the outputs in the order of the items. */
export interface TaskRunner {
  /** How many items may run at the same time: what work is best cut into. */
  readonly threads: number
  map<Shared, Item, Output>(
    task: Task<Shared, Item, Output> | AsyncTask<Shared, Item, Output>,
    shared: Shared,
    items: readonly Item[],
    how?: TaskProgress,
  ): Promise<Output[]>
}

/** One item after the other on this thread. */
export const inline: TaskRunner = {
  threads: 1,
  async map(task, shared, items, how = {}) {
    const outputs = []
    for (const [k, item] of items.entries()) {
      throwIfAborted(how.signal)
      const output = await task.run(shared, item)
      outputs.push(output)
      how.output?.(k, output)
      how.progress?.(k + 1, items.length)
    }
    return outputs
  },
}

export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted) throw new UserError('cancelled')
}

/** Numbers 0 to n - 1 cut into at most `parts` runs of nearly equal length; runs are `[from, to)`. */
export function cut(n: number, parts: number): { readonly from: number; readonly to: number }[] {
  const count = Math.min(n, Math.max(1, parts))
  return Array.from({ length: count }, (_, k) => ({
    from: Math.floor((k * n) / count),
    to: Math.floor(((k + 1) * n) / count),
  }))
}
