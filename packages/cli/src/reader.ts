import { Worker } from 'node:worker_threads'
import { isBinaryFormat, type ReadOptions, readTable, type Table, UserError } from '@scrim/core'
import type { FileBytes } from './files.js'
import type { Read } from './read-worker.js'

/**
 * Reads tables. Binary formats are read on a thread of their own, which is stopped when it takes too long or too much: a
 * damaged file may send any reader round in circles.
 */
export interface TableReader {
  readonly read: (file: Pick<FileBytes, 'name' | 'bytes'>, options?: ReadOptions) => Promise<Table>
  readonly close: () => Promise<void>
}

const WORKER = new URL(import.meta.url.endsWith('.ts') ? '../dist/read-worker.js' : './read-worker.js', import.meta.url)
const LEAST_SECONDS = 10
const SECONDS_PER_MEGABYTE = 1
const MEGABYTES = 4096

export function tableReader(seconds = LEAST_SECONDS): TableReader {
  let worker: Promise<Worker> | undefined
  const close = async () => {
    const open = worker
    worker = undefined
    await (await open)?.terminate()
  }
  return {
    close,
    read: async ({ name, bytes }, options = {}) => {
      if (!isBinaryFormat(name, bytes, options)) return readTable(name, bytes, options)
      worker ??= openThread()
      const limit = seconds + (bytes.length / 1e6) * SECONDS_PER_MEGABYTE
      const answer = await readOn(await worker, { name, bytes, options }, limit)
      if (typeof answer !== 'string' && 'table' in answer) return answer.table
      if (typeof answer === 'string') await close()
      throw new UserError(typeof answer === 'string' ? `${name}: cannot be read: ${answer}` : answer.problems)
    },
  }
}

/** Its start does not count as time of reading. */
function openThread(): Promise<Worker> {
  const worker = new Worker(WORKER, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: MEGABYTES } })
  return new Promise((done, fail) => worker.once('message', () => done(worker)).once('error', fail))
}

/** What the thread found, or why it did not answer. */
function readOn(
  worker: Worker,
  file: { name: string; bytes: Uint8Array; options: ReadOptions },
  seconds: number,
): Promise<Read | string> {
  return new Promise((done) => {
    const finish = (answer: Read | string) => {
      clearTimeout(timer)
      worker.off('message', finish).off('error', broke).off('exit', ended)
      done(answer)
    }
    const broke = () => finish('it takes too much memory; the file is damaged, or too large')
    const ended = () => finish('its reader stopped; the file seems to be damaged')
    const late = () => finish(`it took more than ${Math.round(seconds)} s; the file seems to be damaged`)
    const timer = setTimeout(late, 1000 * seconds)
    worker.on('message', finish).on('error', broke).on('exit', ended)
    worker.postMessage(file)
  })
}
