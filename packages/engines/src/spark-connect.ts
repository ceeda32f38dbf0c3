import { randomUUID } from 'node:crypto'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { crc32, EngineFailure, UserError } from '@scrim/core'
import { decoded, type Entry, encoded } from './protobuf.js'
import type { Sql } from './sql.js'

/**
 * Spark Connect as far as scrim needs it: a statement goes out, batches of Arrow come back, over gRPC, which is HTTP/2 with a length
 * before each message. No client is kept for it: those there are for Node are younger than the protocol, bring gRPC, protobuf and their own
 * data frames along, and all that is used of them is this file. Field numbers are those of spark/connect/base.proto, the same in
 * Spark 3.5 and 4.
 */
export interface SparkConnection {
  /** Streams of Arrow, one per batch, each whole. */
  query(statement: Sql): AsyncIterable<Uint8Array>
  /** Puts a file where every executor finds it, for as long as the session lasts. */
  send(name: string, bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Fields of the messages. */
const REQUEST = { session: 1, user: 2, plan: 3, client: 4 }
const RESPONSE = { arrowBatch: 2, resultComplete: 14 }
const FILES = { batch: 3, file: 1, name: 1, content: 2, bytes: 1, checksum: 2 }
const [ROOT, SQL_RELATION, QUERY, USER_ID, ARROW_DATA] = [1, 10, 1, 1, 2]

export interface SparkAddress {
  readonly host: string
  readonly port: number
  readonly isEncrypted: boolean
  readonly user: string
  readonly token?: string | undefined
  /** How executors call Node. */
  readonly node?: string
}

const DEFAULT_PORT = 15002

/** `sc://host:port/;use_ssl=true;user_id=me;node=/opt/node/bin/node`; the token comes from the environment. */
export function sparkAddress(url: string, environment: Readonly<Record<string, string | undefined>>): SparkAddress {
  const parts = /^sc:\/\/([^/:;]+|\[[^\]]+\])(?::(\d+))?\/?(?:;(.*))?$/.exec(url)
  if (parts === null) throw new UserError(`${url} is no address of Spark Connect; it is written sc://host:15002`)
  const settings = new Map((parts[3] ?? '').split(';').map((pair) => pair.split('=', 2) as [string, string]))
  const token = environment['SPARK_CONNECT_AUTHENTICATE_TOKEN']
  const node = settings.get('node') ?? 'node'
  if (!/^[\w./-]+$/.test(node)) throw new UserError(`${node} is no name of a program, such as /opt/node/bin/node`)
  return {
    host: parts[1],
    port: Number(parts[2] ?? DEFAULT_PORT),
    isEncrypted: settings.get('use_ssl') === 'true' || token !== undefined,
    user: settings.get('user_id') ?? environment['SPARK_USER'] ?? environment['USER'] ?? 'scrim',
    token,
    node,
  }
}

export async function connectSpark(address: SparkAddress): Promise<SparkConnection> {
  const { host, port, isEncrypted, user, token } = address
  const session = connect(`${isEncrypted ? 'https' : 'http'}://${host}:${port}`)
  await new Promise<void>((done, fail) => {
    session.once('connect', () => done()).once('error', fail)
  }).catch((error: unknown) => {
    throw new EngineFailure(`Spark cannot be reached at ${host}:${port}: ${messageOf(error)}`)
  })
  // Told by the stream that is waiting; without a listener it would end the process.
  session.on('error', () => {})
  const id = randomUUID()
  const head: readonly Entry[] = [
    [REQUEST.session, id],
    [REQUEST.user, [[USER_ID, user]]],
    [REQUEST.client, 'scrim'],
  ]
  const call = (method: string, message: readonly Entry[]) => answers(session, method, message, token)
  return {
    async *query(statement) {
      let isComplete = false
      const plan: Entry = [REQUEST.plan, [[ROOT, [[SQL_RELATION, [[QUERY, statement.text]]]]]]]
      for await (const message of call('ExecutePlan', [...head, plan])) {
        const response = decoded(message)
        const batch = response.get(RESPONSE.arrowBatch)
        if (response.has(RESPONSE.resultComplete)) isComplete = true
        const data = batch instanceof Uint8Array ? decoded(batch).get(ARROW_DATA) : undefined
        if (data instanceof Uint8Array) yield data
      }
      // Servers before 3.5.1 may not say that they are done; a stream that broke has thrown already.
      if (!isComplete && session.destroyed) throw broken('it ended early')
    },
    async send(name, bytes) {
      const content: Entry = [
        FILES.content,
        [
          [FILES.bytes, bytes],
          [FILES.checksum, crc32(0, bytes) >>> 0],
        ],
      ]
      const file: Entry = [FILES.file, [[FILES.name, `files/${name}`], content]]
      for await (const _ of call('AddArtifacts', [head[0], head[1], [FILES.batch, [file]]]));
    },
    async close() {
      if (!session.destroyed) {
        try {
          for await (const _ of call('ReleaseSession', [head[0], head[1]]));
        } catch {
          // The server forgets the session by itself after a while.
        }
      }
      session.close()
    },
  }
}

async function* answers(
  session: ClientHttp2Session,
  method: string,
  message: readonly Entry[],
  token: string | undefined,
): AsyncGenerator<Uint8Array> {
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/spark.connect.SparkConnectService/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  })
  const status = statusOf(stream)
  const body = encoded(message)
  const frame = new Uint8Array(PREFIX + body.length)
  new DataView(frame.buffer).setUint32(1, body.length)
  frame.set(body, PREFIX)
  stream.end(frame)
  try {
    yield* messagesIn(stream)
  } catch (error) {
    throw broken(messageOf(error))
  }
  const { code, text } = status()
  if (code === '0') return
  if (code === undefined) throw broken('it ended early')
  throw ofTheServer.has(code) ? broken(text) : new UserError(`Spark: ${firstSentence(text)}`)
}

/** Before each message: whether it is packed, and its length in four bytes. */
const PREFIX = 5

/** Cut out of what arrives; a message may lie in several pieces, and several in one. */
async function* messagesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    for (;;) {
      if (length < PREFIX) break
      if (waiting[0].length < PREFIX) waiting = [Buffer.concat(waiting)]
      const end = PREFIX + new DataView(waiting[0].buffer, waiting[0].byteOffset).getUint32(1)
      if (length < end) break
      const all = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting)
      yield all.subarray(PREFIX, end)
      waiting = [all.subarray(end)]
      length -= end
    }
  }
  if (length > 0) throw new Error('it ended in the middle of an answer')
}

/** gRPC says at the end how it went, in the trailers, or in the headers where there is nothing else. */
function statusOf(stream: ClientHttp2Stream): () => { readonly code: string | undefined; readonly text: string } {
  let code: string | undefined
  let text = ''
  const look = (headers: Readonly<Record<string, unknown>>) => {
    if (headers['grpc-status'] !== undefined) code = String(headers['grpc-status'])
    if (headers['grpc-message'] !== undefined) text = decodeURIComponent(String(headers['grpc-message']))
  }
  stream.on('response', look).on('trailers', look)
  return () => ({ code, text })
}

/** Codes of gRPC that say that the server, or the way to it, gave up: cancelled, deadline, exhausted, unavailable, data loss. */
const ofTheServer = new Set(['1', '4', '8', '14', '15'])

function broken(why: string): EngineFailure {
  return new EngineFailure(`the connection to Spark broke: ${firstSentence(why)}; run the command again`)
}

/** Spark tells the plan and the place in the code too. */
function firstSentence(text: string): string {
  return text
    .split(/\n|; line \d+|\s*SQLSTATE/)[0]
    .slice(0, LONGEST)
    .trim()
}

const LONGEST = 300

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
