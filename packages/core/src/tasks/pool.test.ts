import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NotApplicable, UserError } from '../errors.js'
import { workerPool } from './pool.js'
import type { FromWorker, ToWorker, WorkerPort } from './port.js'
import { type AnyTask, inline, type Task } from './task.js'
import { serveTasks } from './worker.js'

const square: Task<{ plus: number }, number, number> = { name: 'square', run: ({ plus }, item) => item * item + plus }
const tasks: Record<string, AnyTask> = {
  square,
  user: {
    name: 'user',
    run() {
      throw new UserError(['first problem', 'second problem'])
    },
  },
  senseless: {
    name: 'senseless',
    run() {
      throw new NotApplicable({ code: 'needs', needs: ['holdout'] })
    },
  },
  odd: {
    name: 'odd',
    run(_, item) {
      if (item === 3) throw new RangeError('three is odd')
      return item
    },
  },
}

function find(name: string): AnyTask {
  const task = tasks[name]
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}

interface FakeWorker {
  readonly received: ToWorker[]
  closed: number
  /** No more answers, and the pool hears why. */
  die(error: Error): void
}

/**
 * Workers in memory: messages are cloned and delivered later, in order, each answer after as many turns of the event
 * queue as `turns` says; a closed or dead worker is silent.
 */
function fakeWorkers(turns: (index: number) => number = () => 1): { workers: FakeWorker[]; open: () => WorkerPort } {
  const workers: FakeWorker[] = []
  const open = (): WorkerPort => {
    let silent = false
    let toPool = (_: FromWorker) => {}
    let toWorker = (_: ToWorker) => {}
    let wire = Promise.resolve()
    const later = (wait: number, deliver: () => void) => {
      wire = wire.then(async () => {
        for (let turn = 0; turn < wait; turn++) await Promise.resolve()
        if (!silent) deliver()
      })
    }
    serveTasks(
      {
        post: (message) => {
          const clone = structuredClone(message)
          later(message.kind === 'done' ? turns(message.index) : 1, () => toPool(clone))
        },
        listen: (onMessage) => {
          toWorker = onMessage
        },
      },
      find,
    )
    const worker: FakeWorker = { received: [], closed: 0, die: () => {} }
    workers.push(worker)
    return {
      post(message) {
        worker.received.push(message)
        const clone = structuredClone(message)
        later(1, () => toWorker(clone))
      },
      listen(onMessage, onError) {
        toPool = onMessage
        worker.die = (error) => {
          silent = true
          onError(error)
        }
      },
      async close() {
        silent = true
        worker.closed++
      },
    }
  }
  return { workers, open }
}

const kinds = (worker: FakeWorker) => worker.received.map((message) => message.kind)

describe('a pool of workers', () => {
  it('gives what one thread gives, in the order of the items, whoever finishes first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 20 }),
        fc.array(fc.nat({ max: 9 }), { minLength: 1 }),
        async (count, items, turns) => {
          const { open } = fakeWorkers((index) => turns[index % turns.length])
          const progress: string[] = []
          const how = { progress: (done: number, total: number) => progress.push(`${done}/${total}`) }
          const outputs = await workerPool(count, open).map(square, { plus: 1 }, items, how)
          expect(outputs).toEqual(await inline.map(square, { plus: 1 }, items))
          expect(progress).toEqual(items.map((_, k) => `${k + 1}/${items.length}`))
        },
      ),
    )
  })

  it('sends the shared data once per worker, one item at a time, and says when to forget', async () => {
    const { workers, open } = fakeWorkers((index) => (index === 0 ? 500 : 1))
    await workerPool(2, open).map(square, { plus: 0 }, [1, 2, 3, 4, 5])
    // The first worker is held up by the first item; the second does all the others.
    expect(kinds(workers[0])).toEqual(['open', 'run', 'close'])
    expect(kinds(workers[1])).toEqual(['open', 'run', 'run', 'run', 'run', 'close'])
    expect(workers[0].received[0]).toEqual({ kind: 'open', job: 1, task: 'square', shared: { plus: 0 } })
  })

  it('sends the shared data to no worker that has nothing to do', async () => {
    const { workers, open } = fakeWorkers()
    await workerPool(4, open).map(square, { plus: 0 }, [1, 2])
    expect(workers.map(kinds)).toEqual([['open', 'run', 'close'], ['open', 'run', 'close'], [], []])
  })

  it('keeps its workers from job to job', async () => {
    const { workers, open } = fakeWorkers()
    const pool = workerPool(2, open)
    for (const plus of [1, 2, 3])
      expect(await pool.map(square, { plus }, [1, 2, 3])).toEqual([1 + plus, 4 + plus, 9 + plus])
    expect(workers).toHaveLength(2)
    await pool.close()
    expect(workers.map(({ closed }) => closed)).toEqual([1, 1])
  })

  it('keeps jobs that run at the same time apart', async () => {
    const { workers, open } = fakeWorkers((index) => (index * 7) % 5)
    const pool = workerPool(3, open)
    const both = [pool.map(square, { plus: 1 }, [1, 2, 3, 4]), pool.map(square, { plus: 100 }, [4, 3, 2, 1])]
    expect(await Promise.all(both)).toEqual([
      [2, 5, 10, 17],
      [116, 109, 104, 101],
    ])
    expect(workers).toHaveLength(3)
  })

  it('gives a new job to whoever is idle, and goes on with older ones after it', async () => {
    const { workers, open } = fakeWorkers((index) => (index === 0 ? 300 : 1))
    const pool = workerPool(2, open)
    const long = pool.map(square, { plus: 0 }, [1, 2, 3])
    await new Promise((done) => setTimeout(done, 0))
    expect(await pool.map(square, { plus: 5 }, [4, 5, 6, 7])).toEqual([21, 30, 41, 54])
    expect(await long).toEqual([1, 4, 9])
    expect(workers.flatMap(({ received }) => received).filter(({ kind }) => kind === 'run')).toHaveLength(7)
  })

  it('holds items ahead of the last job alone', async () => {
    const { workers, open } = fakeWorkers((index) => 100 * (index + 1))
    const pool = workerPool(2, open)
    const ahead = pool.map(square, { plus: 0 }, [1, 2, 3, 4, 5, 6, 7], { ahead: 3 })
    const given = () => workers.map(({ received }) => received.filter(({ kind }) => kind === 'run').length)
    expect(given()).toEqual([3, 3])
    const later = pool.map(square, { plus: 0 }, [1, 2, 3, 4, 5, 6])
    expect(await Promise.all([ahead, later])).toEqual([
      [1, 4, 9, 16, 25, 36, 49],
      [1, 4, 9, 16, 25, 36],
    ])
    // The seventh is for a worker that has nothing else left.
    const lastOf = workers.map(({ received }) => received.filter((one) => one.kind === 'run').at(-1))
    expect(lastOf).toContainEqual(expect.objectContaining({ job: 1, index: 6 }))
  })

  it('of one is this thread, and so is a job of one item', async () => {
    const { workers, open } = fakeWorkers()
    expect(await workerPool(1, open).map(square, { plus: 0 }, [1, 2, 3])).toEqual([1, 4, 9])
    expect(await workerPool(3, open).map(square, { plus: 0 }, [5])).toEqual([25])
    expect(await workerPool(3, open).map(square, { plus: 0 }, [])).toEqual([])
    expect(workers).toEqual([])
    expect(await workerPool(3, open).map(square, { plus: 0 }, [5], { beside: true })).toEqual([25])
    expect(workers.map(kinds)).toEqual([['open', 'run', 'close'], [], []])
  })
})

describe('a job that fails on a worker', () => {
  const rejection = (task: string) =>
    workerPool(2, fakeWorkers().open)
      .map(find(task), {}, [1, 2, 3, 4])
      .then(
        () => undefined,
        (error: unknown) => error,
      )

  it('fails here with its reason', async () => {
    expect(await rejection('odd')).toEqual(new Error('three is odd'))
    const unknown = workerPool(2, fakeWorkers().open).map({ name: 'none', run: () => 0 }, {}, [1, 2])
    await expect(unknown).rejects.toThrow('no task none')
  })

  it('stays a mistake of the user or a measure without meaning, as on one thread', async () => {
    const user = await rejection('user')
    expect(user).toBeInstanceOf(UserError)
    expect(user instanceof UserError && user.problems).toEqual(['first problem', 'second problem'])
    const senseless = await rejection('senseless')
    expect(senseless).toBeInstanceOf(NotApplicable)
    expect(senseless instanceof NotApplicable && senseless.reason).toEqual({ code: 'needs', needs: ['holdout'] })
  })

  it('disturbs no other, at the same time or after it', async () => {
    const { workers, open } = fakeWorkers((index) => 3 + index)
    const pool = workerPool(2, open)
    const before = pool.map(square, { plus: 0 }, [1, 2, 3, 4, 5])
    const odd = pool.map(find('odd'), {}, [1, 2, 3, 4, 5, 6])
    await expect(odd).rejects.toThrow('three is odd')
    expect(await pool.map(square, { plus: 1 }, [1, 2, 3])).toEqual([2, 5, 10])
    expect(await before).toEqual([1, 4, 9, 16, 25])
    expect(workers.map(({ closed }) => closed)).toEqual([0, 0])
    const given = workers.flatMap(({ received }) => received).filter((one) => one.kind === 'run' && one.job === 2)
    // Two to begin with, and one for each of the outputs before the third failed.
    expect(given.length).toBeLessThan(6)
  })
})

describe('a worker that dies', () => {
  it('fails the job it was at; the next one starts afresh', async () => {
    const { workers, open } = fakeWorkers()
    const pool = workerPool(2, open)
    const progress = (done: number) => {
      if (done === 2) workers[1].die(new Error('out of memory'))
    }
    await expect(pool.map(square, { plus: 0 }, [1, 2, 3, 4], { progress })).rejects.toThrow('out of memory')
    expect(workers.map(({ closed }) => closed)).toEqual([1, 1])
    expect(await pool.map(square, { plus: 0 }, [1, 2, 3])).toEqual([1, 4, 9])
    expect(workers).toHaveLength(4)
  })

  it('fails every job that runs, so that none waits forever', async () => {
    const { workers, open } = fakeWorkers(() => 1000)
    const pool = workerPool(2, open)
    const outcomes = Promise.allSettled([
      pool.map(square, { plus: 0 }, [1, 2, 3]),
      pool.map(square, { plus: 1 }, [1, 2, 3]),
    ])
    workers[0].die(new Error('gone'))
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('between two jobs is replaced', async () => {
    const { workers, open } = fakeWorkers()
    const pool = workerPool(2, open)
    await pool.map(square, { plus: 0 }, [1, 2])
    workers[0].die(new Error('gone'))
    expect(await pool.map(square, { plus: 0 }, [1, 2, 3])).toEqual([1, 4, 9])
    expect(workers).toHaveLength(4)
  })
})

describe('a job that is cancelled', () => {
  it('before it starts opens no worker', async () => {
    const { workers, open } = fakeWorkers()
    const job = workerPool(2, open).map(square, { plus: 0 }, [1, 2], { signal: { aborted: true } })
    await expect(job).rejects.toThrow(UserError)
    expect(workers).toEqual([])
  })

  it('on its way gives out no more items and ends its workers', async () => {
    const { workers, open } = fakeWorkers()
    const pool = workerPool(2, open)
    const signal = { aborted: false }
    const progress = (done: number) => {
      signal.aborted = done === 3
    }
    await expect(pool.map(square, { plus: 0 }, [1, 2, 3, 4, 5, 6, 7, 8], { signal, progress })).rejects.toThrow(
      'cancelled',
    )
    const given = workers.flatMap(({ received }) => received).filter(({ kind }) => kind === 'run')
    // Two to begin with and one for each of the first two outputs.
    expect(given).toHaveLength(4)
    expect(workers.map(({ closed }) => closed)).toEqual([1, 1])
    expect(await pool.map(square, { plus: 0 }, [1, 2, 3])).toEqual([1, 4, 9])
  })

  it('by closing the pool does not wait forever', async () => {
    const { open } = fakeWorkers(() => 1000)
    const pool = workerPool(2, open)
    const job = pool.map(square, { plus: 0 }, [1, 2, 3])
    await Promise.all([expect(job).rejects.toThrow('cancelled'), pool.close()])
  })

  it('when a listener to its progress fails, fails with that', async () => {
    const { workers, open } = fakeWorkers()
    const progress = () => {
      throw new Error('the screen is gone')
    }
    await expect(workerPool(2, open).map(square, { plus: 0 }, [1, 2, 3], { progress })).rejects.toThrow('the screen')
    expect(workers.map(({ closed }) => closed)).toEqual([1, 1])
  })
})

it('data that cannot be sent fail the job', async () => {
  const { open } = fakeWorkers()
  const pool = workerPool(2, open)
  const uncloneable: Task<() => number, number, number> = { name: 'square', run: (shared) => shared() }
  await expect(pool.map(uncloneable, () => 1, [1, 2])).rejects.toThrow(/could not be cloned/)
  expect(await pool.map(square, { plus: 0 }, [1, 2])).toEqual([1, 4])
})
