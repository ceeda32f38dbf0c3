import { NotApplicable, UserError } from '../errors.js'
import type { Reason } from '../reason.js'

/**
 * One end of the wire between a pool and a worker. Node's worker threads and a browser's web workers each give such ends
 * from what they have; everything else about running tasks elsewhere is the same for both. Messages arrive as clones, in
 * the order in which they were posted, and never before `post` has returned.
 */
export interface Port<Sent, Received> {
  post(message: Sent): void
  /** Called once. `onError` hears of a message that cannot be read, and, at the pool's end, of a worker that died. */
  listen(onMessage: (message: Received) => void, onError: (error: Error) => void): void
}

/** The pool's end: whoever opened a worker also ends it. */
export interface WorkerPort extends Port<ToWorker, FromWorker> {
  close(): Promise<void>
}

export type ToWorker =
  | { readonly kind: 'open'; readonly job: number; readonly task: string; readonly shared: unknown }
  /** With the `last` item that there is to give out the worker forgets the job as soon as it has begun. */
  | {
      readonly kind: 'run'
      readonly job: number
      readonly index: number
      readonly item: unknown
      readonly last: boolean
    }
  | { readonly kind: 'close'; readonly job: number }

export type FromWorker =
  | { readonly kind: 'done'; readonly job: number; readonly index: number; readonly output: unknown }
  | { readonly kind: 'failed'; readonly job: number; readonly why: Failure }

/** What was thrown, as plain values: a clone of an error forgets which of ours it was, and with it what becomes of the run. */
export type Failure =
  | { readonly kind: 'user'; readonly problems: readonly string[] }
  | { readonly kind: 'not applicable'; readonly reason: Reason }
  | { readonly kind: 'fault'; readonly message: string }

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof UserError) return { kind: 'user', problems: thrown.problems }
  if (thrown instanceof NotApplicable) return { kind: 'not applicable', reason: thrown.reason }
  return { kind: 'fault', message: thrown instanceof Error ? thrown.message : String(thrown) }
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === 'user') return new UserError(failure.problems)
  return failure.kind === 'not applicable' ? new NotApplicable(failure.reason) : new Error(failure.message)
}
