import { totalmem } from 'node:os'
import { Worker } from 'node:worker_threads'
import {
  type Contents,
  isBinaryFormat,
  originalTable,
  type ReadOptions,
  readContents,
  type Table,
  UserError,
} from '@scrim/core'
import type { Read } from '../read-worker.js'
import { threadFile } from '../thread-file.js'
import { allThreads } from '../threads.js'
import type { FileBytes } from './files.js'
import { inTurn } from './in-turn.js'

/**
 * Reads tables. Binary formats are read on a thread of their own, which is stopped when it takes too long or too much: a
 * damaged file may send any reader round in circles. Large texts have a thread each, so that several are read at once.
 */
export interface TableReader {
  /** All that a file holds. */
  readonly contents: (file: Pick<FileBytes, 'name' | 'bytes'>, options?: ReadOptions) => Promise<Contents>
  /** The one table of a file, or the original of those that it holds. */
  readonly read: (file: Pick<FileBytes, 'name' | 'bytes'>, options?: ReadOptions) => Promise<Table>
  readonly close: () => Promise<void>
}

const WORKER = threadFile('read-worker.js')
/** Small files take milliseconds; that somebody waits 10 s at most leaves room for a slow start and a slow end. */
const LEAST_SECONDS = 5
const SECONDS_PER_MEGABYTE = 1
const LEAST_MEGABYTES = Math.min(4096, totalmem() / 2e6)
/** In memory, for each of the file: what is packed, and texts as objects. */
const TIMES = 30
const LOOK_EVERY = 100

/** In bytes: a smaller text is read sooner than a thread starts. */
const LARGE_TEXT = 4e6

interface Limits {
  readonly seconds?: number
  readonly megabytes?: number
  /** On one thread texts are read right here. */
  readonly threads?: number | undefined
}

export function tableReader({
  seconds = LEAST_SECONDS,
  megabytes = LEAST_MEGABYTES,
  threads = allThreads(),
}: Limits = {}): TableReader {
  let worker: Promise<Worker> | undefined
  const ends: Promise<unknown>[] = []
  // Freeing what a stopped thread had takes a while, which nobody need wait for.
  const stop = () => {
    const open = worker
    worker = undefined
    if (open !== undefined) ends.push(open.then((thread) => thread.terminate()))
  }
  const close = async () => {
    stop()
    await Promise.all(ends)
  }
  const contents: TableReader['contents'] = async (file, options = {}) => {
    const { name, bytes } = file
    if (isBinaryFormat(name, bytes, options)) return binaryInTurn(() => binary(file, options))
    if (threads < 2 || bytes.length < LARGE_TEXT) return readContents(name, bytes, options)
    const thread = await openThread()
    const answer = await readApart(thread, { name, bytes, options })
    ends.push(thread.terminate())
    return contentsIn(name, answer)
  }
  const binaryInTurn = inTurn()
  const binary = async ({ name, bytes }: Pick<FileBytes, 'name' | 'bytes'>, options: ReadOptions) => {
    worker ??= openThread()
    const size = bytes.length / 1e6
    const limits = { seconds: seconds + size * SECONDS_PER_MEGABYTE, megabytes: megabytes + size * TIMES }
    const answer = await readOn(await worker, { name, bytes, options }, limits)
    if (typeof answer === 'string') stop()
    return contentsIn(name, answer)
  }
  return { close, contents, read: async (file, options) => originalTable(file.name, await contents(file, options)) }
}

function contentsIn(name: string, answer: Read | string): Contents {
  if (typeof answer !== 'string' && 'contents' in answer) return answer.contents
  throw new UserError(typeof answer === 'string' ? `${name}: cannot be read: ${answer}` : answer.problems)
}

/** The bytes go over to the thread, and its columns come back in memory that both share. */
function readApart(
  worker: Worker,
  file: { name: string; bytes: Uint8Array; options: ReadOptions },
): Promise<Read | string> {
  const { buffer, byteLength } = file.bytes
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return new Promise((done) => {
    worker
      .on('message', done)
      .on('error', () => done(TOO_MUCH))
      .on('exit', () => done(TOO_MUCH))
    worker.postMessage(file, isWhole ? [buffer] : [])
  })
}

const TOO_MUCH = 'it takes too much memory; the file is damaged, or too large'

/** Its start does not count as time of reading. */
function openThread(): Promise<Worker> {
  const worker = new Worker(WORKER, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: LEAST_MEGABYTES } })
  return new Promise((done, fail) => worker.once('message', () => done(worker)).once('error', fail))
}

/**
 * What the thread found, or why it did not answer. V8 limits its heap but not its typed arrays, so what the whole process
 * gains is watched as well; the main thread does nothing else meanwhile.
 */
function readOn(
  worker: Worker,
  file: { name: string; bytes: Uint8Array; options: ReadOptions },
  { seconds, megabytes }: Required<Pick<Limits, 'seconds' | 'megabytes'>>,
): Promise<Read | string> {
  return new Promise((done) => {
    const finish = (answer: Read | string) => {
      clearTimeout(timer)
      clearInterval(watch)
      worker.off('message', finish).off('error', broke).off('exit', ended)
      done(answer)
    }
    const broke = () => finish(TOO_MUCH)
    const ended = () => finish('its reader stopped; the file seems to be damaged')
    const late = () => finish(`it took more than ${Math.round(seconds)} s; the file seems to be damaged`)
    const timer = setTimeout(late, 1000 * seconds)
    const before = process.memoryUsage.rss()
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > 1e6 * megabytes) broke()
    }, LOOK_EVERY)
    worker.on('message', finish).on('error', broke).on('exit', ended)
    worker.postMessage(file)
  })
}
