import { UserError } from '@scrim/core'
import { openWorker } from './open-worker.js'
import type { FromEngine, RequestKind, Requests, RunProgress, ToEngine } from './protocol.js'

/** A worker to ask. Questions are answered one after the other; `end` stops it in the middle of anything. */
export interface Engine {
  ask<Kind extends RequestKind>(
    kind: Kind,
    input: Requests[Kind]['in'],
    progress?: (at: RunProgress) => void,
  ): Promise<Requests[Kind]['out']>
  /** Asks a run to stop with what it has. */
  cancel(): void
  end(): void
}

/** How long a run is waited for that was asked to stop, before its worker is ended; in milliseconds. */
export const PATIENCE = 4000

interface Open {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly progress: ((at: RunProgress) => void) | undefined
}

export function openEngine(address: string, name: string): Engine {
  const worker = openWorker(address, name)
  const open = new Map<number, Open>()
  let asked = 0
  const post = (message: ToEngine) => worker.postMessage(message)
  let ended: Error | undefined
  const failAll = (error: Error) => {
    ended = error
    for (const one of open.values()) one.reject(error)
    open.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
    const one = open.get(data.id)
    if (one === undefined) return
    if ('progress' in data) return one.progress?.(data.progress)
    open.delete(data.id)
    if ('answer' in data) one.resolve(data.answer)
    else one.reject(data.isOurs ? new Error(data.problems.join('\n')) : new UserError(data.problems))
  }
  worker.onerror = ({ message }) => failAll(new Error(message || 'a worker has stopped; perhaps memory has run out'))
  return {
    ask: (kind, input, progress) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended)
        const id = ++asked
        // The worker answers a question of this kind, so this is its answer.
        open.set(id, { resolve: resolve as (answer: unknown) => void, reject, progress })
        post({ id, kind, input })
      }),
    cancel: () => post({ kind: 'cancel' }),
    end: () => {
      worker.terminate()
      failAll(new UserError('cancelled'))
    },
  }
}
