import { UserError } from '../errors.js'
import { errorOf, type FromWorker, type WorkerPort } from './port.js'
import { type AsyncTask, inline, type Task, type TaskProgress, type TaskRunner, throwIfAborted } from './task.js'

/**
 * Runs tasks on workers. Each worker gets the shared data of a job once, then one item at a time (or `ahead`), so that a slow
 * item holds nobody up; outputs are put in the order of the items, whoever finishes first. Workers start with the first job
 * and end with `close`. After a job that failed or was cancelled a worker may be dead or still busy with the rest of it,
 * so all of them are ended and the next job starts afresh.
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
      if (items.length <= 1) return inline.map(task, shared, items, how)
      crew ??= hire()
      const mine = crew
      try {
        const outputs = await mine.run({ id: ++jobs, task: task.name, shared, items, how })
        // The worker ran the task of this name, so these are its outputs.
        return outputs as Output[]
      } catch (error) {
        await dismiss(mine, error)
        throw error
      }
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

/** Workers that live and die together, and the jobs they are at. */
interface Crew {
  run(job: Job): Promise<unknown[]>
  /** Ends all workers, once; jobs that are not finished fail with `why`. */
  end(why: unknown): Promise<void>
}

function startCrew(count: number, open: () => WorkerPort, onDeath: (error: Error) => void): Crew {
  const running = new Map<number, RunningJob>()
  let ended: Promise<unknown> | undefined

  // A job is off the list as soon as it is over: what workers still answer to one that failed reaches nobody.
  const fail = (id: number, error: unknown) => {
    const job = running.get(id)
    running.delete(id)
    job?.reject(error)
  }
  const receive = (port: WorkerPort, message: FromWorker) => {
    const job = running.get(message.job)
    try {
      if (job === undefined || !job.work.take(port, message)) return
      running.delete(message.job)
      job.resolve(job.work.outputs)
    } catch (error) {
      fail(message.job, error)
    }
  }

  const ports = Array.from({ length: count }, open)
  for (const port of ports) port.listen((message) => receive(port, message), onDeath)
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const work = workOf(job)
        running.set(job.id, { work, resolve, reject })
        try {
          work.start(ports)
        } catch (error) {
          fail(job.id, error)
        }
      }),
    async end(why) {
      for (const id of [...running.keys()]) fail(id, why)
      ended ??= Promise.all(ports.map((port) => port.close()))
      await ended
    },
  }
}

interface RunningJob {
  readonly work: Work
  resolve(outputs: unknown[]): void
  reject(error: unknown): void
}

/** Gives out the items of a job and collects their outputs; throws where the job cannot go on. */
interface Work {
  readonly outputs: unknown[]
  start(ports: readonly WorkerPort[]): void
  /** Whether that was the last output. */
  take(port: WorkerPort, message: FromWorker): boolean
}

function workOf({ id, task, shared, items, how }: Job): Work {
  const outputs = new Array<unknown>(items.length)
  const busy: WorkerPort[] = []
  let next = 0
  let done = 0
  const give = (port: WorkerPort) => {
    if (next === items.length) return
    const index = next++
    port.post({ kind: 'run', job: id, index, item: items[index] })
  }
  return {
    outputs,
    start(ports) {
      for (const port of ports.slice(0, items.length)) {
        busy.push(port)
        port.post({ kind: 'open', job: id, task, shared })
        for (let k = 0; k < (how.ahead ?? 1); k++) give(port)
      }
    },
    take(port, message) {
      if (message.kind === 'failed') throw errorOf(message.why)
      outputs[message.index] = message.output
      done++
      how.output?.(message.index, message.output)
      how.progress?.(done, items.length)
      if (done === items.length) {
        for (const each of busy) each.post({ kind: 'close', job: id })
        return true
      }
      throwIfAborted(how.signal)
      give(port)
      return false
    },
  }
}
