import { UserError } from '../errors.js'
import { errorOf, type Failure, type FromWorker, type WorkerPort } from './port.js'
import { countingShared, sharing } from './sharing.js'
import { type AsyncTask, inline, type Task, type TaskProgress, type TaskRunner, throwIfAborted } from './task.js'

/**
 * Runs tasks on workers. Each worker gets the shared data of a job once, then one item at a time (or `ahead`), so that a slow
 * item holds nobody up; outputs are put in the order of the items, whoever finishes first. Workers start with the first job
 * and end with `close`. A task that fails ends its own job alone. After a job that was cancelled, or whose worker died, workers
 * may be dead or still busy with the rest of it, so all of them are ended and the next job starts afresh.
 */
export interface WorkerPool extends TaskRunner {
  close(): Promise<void>
}

export function workerPool(count: number, open: () => WorkerPort): WorkerPool {
  if (count <= 1) return { ...inline, close: async () => {} }
  let crew: Crew | undefined
  let jobs = 0
  const dismiss = async (whom: Crew | undefined, why: unknown) => {
    if (crew === whom) crew = undefined
    await whom?.end(why)
  }
  const hire = (): Crew => {
    const hired: Crew = startCrew(count, open, (error) => dismiss(hired, error))
    return hired
  }
  return {
    threads: count,
    async map<Shared, Item, Output>(
      task: Task<Shared, Item, Output> | AsyncTask<Shared, Item, Output>,
      shared: Shared,
      items: readonly Item[],
      how: TaskProgress = {},
    ) {
      throwIfAborted(how.signal)
      if (items.length === 0 || (items.length === 1 && how.beside !== true)) return inline.map(task, shared, items, how)
      crew ??= hire()
      const mine = crew
      const job = { id: ++jobs, task: task.name, shared: sharing(shared), items, how }
      const { outputs, failure } = await mine.run(job).catch(async (error) => {
        await dismiss(mine, error)
        throw error
      })
      if (failure !== undefined) throw errorOf(failure)
      // The worker ran the task of this name, so these are its outputs.
      return outputs as Output[]
    },
    close: () => dismiss(crew, new UserError('cancelled')),
  }
}

interface Job {
  readonly id: number
  readonly task: string
  readonly shared: unknown
  readonly items: readonly unknown[]
  readonly how: TaskProgress
}

/** A job whose items are done, or one of which failed. */
interface Ended {
  readonly outputs: unknown[]
  readonly failure?: Failure | undefined
}

/** Workers that live and die together, and the jobs they are at. */
interface Crew {
  run(job: Job): Promise<Ended>
  /** Ends all workers, once; jobs that are not finished fail with `why`. */
  end(why: unknown): Promise<void>
}

function startCrew(count: number, open: () => WorkerPort, onDeath: (error: Error) => void): Crew {
  /** Those under way, the newest last. */
  const running = new Map<number, RunningJob>()
  let ended: Promise<unknown> | undefined

  // A job is off the list as soon as it is over: what workers still answer to one that failed reaches nobody.
  const fail = (id: number, error: unknown) => {
    const job = running.get(id)
    running.delete(id)
    job?.reject(error)
  }
  const receive = (worker: Worker, message: FromWorker) => {
    worker.holds--
    const job = running.get(message.job)
    try {
      if (job?.work.take(message)) {
        running.delete(message.job)
        job.resolve({ outputs: job.work.outputs, failure: message.kind === 'failed' ? message.why : undefined })
      }
    } catch (error) {
      fail(message.job, error)
    }
    give(worker)
  }
  /** Whoever asked last waits for it here, and comes first; older jobs are for workers that would be idle. */
  const give = (worker: Worker) => {
    for (const [place, [id, { work }]] of [...running].reverse().entries())
      try {
        while (work.give(worker, place === 0)) {}
      } catch (error) {
        fail(id, error)
      }
  }

  const workers = Array.from({ length: count }, (): Worker => ({ port: open(), holds: 0 }))
  for (const worker of workers) worker.port.listen((message) => receive(worker, message), onDeath)
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const work = workOf(job)
        running.set(job.id, { work, resolve, reject })
        try {
          // One round after the other: each of several idle workers begins before one of them gets a second item.
          for (let isGiven = true; isGiven; )
            isGiven = workers.reduce((given, worker) => work.give(worker, true) || given, false)
        } catch (error) {
          fail(job.id, error)
        }
      }),
    async end(why) {
      for (const id of [...running.keys()]) fail(id, why)
      ended ??= Promise.all(workers.map(({ port }) => port.close()))
      await ended
    },
  }
}

interface Worker {
  readonly port: WorkerPort
  /** How many items it has been given and not answered. */
  holds: number
}

interface RunningJob {
  readonly work: Work
  resolve(ended: Ended): void
  reject(error: unknown): void
}

/** Gives out the items of a job and collects their outputs; throws where the job cannot go on. */
interface Work {
  readonly outputs: unknown[]
  /** Gives the next item to a worker that holds fewer than the job wants, or none where other jobs came later; whether there was one to give. */
  give(worker: Worker, isLatest: boolean): boolean
  /** Whether that was the last output, or the job has failed. */
  take(message: FromWorker): boolean
}

function workOf({ id, task, shared, items, how }: Job): Work {
  const outputs = new Array<unknown>(items.length)
  const opened = new Set<WorkerPort>()
  let next = 0
  let done = 0
  const close = () => {
    for (const port of opened) port.post({ kind: 'close', job: id })
    return true
  }
  return {
    outputs,
    give(worker, isLatest) {
      if (next === items.length || worker.holds >= (isLatest ? (how.ahead ?? 1) : 1)) return false
      throwIfAborted(how.signal)
      const { port } = worker
      if (!opened.has(port)) port.post({ kind: 'open', job: id, task, shared })
      opened.add(port)
      const index = next++
      worker.holds++
      port.post({ kind: 'run', job: id, index, item: items[index], last: next === items.length })
      return true
    },
    take(message) {
      if (message.kind === 'failed') return close()
      outputs[message.index] = countingShared(message.output)
      done++
      how.output?.(message.index, message.output)
      how.progress?.(done, items.length)
      if (done < items.length) {
        throwIfAborted(how.signal)
        return false
      }
      return close()
    },
  }
}
