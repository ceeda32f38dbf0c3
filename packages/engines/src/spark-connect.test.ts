import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { decoded, type Entry, encoded } from './protobuf.js'
import { connectSpark, sparkAddress } from './spark-connect.js'
import { sql } from './sql.js'

const servers: Http2Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server that answers every statement with these messages, in pieces of so many bytes, and ends as told. */
async function answering(
  messages: readonly (readonly Entry[])[],
  pieces: number,
  status: Readonly<Record<string, string>> | null,
) {
  const server = createServer()
  servers.push(server)
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: status !== null })
    stream.on('wantTrailers', () => stream.sendTrailers(status ?? {})).on('error', () => {})
    for (const message of messages) {
      const body = encoded(message)
      const frame = Buffer.alloc(5 + body.length)
      frame.writeUInt32BE(body.length, 1)
      frame.set(body, 5)
      for (let at = 0; at < frame.length; at += pieces) stream.write(frame.subarray(at, at + pieces))
    }
    if (status === null) stream.session?.destroy()
    else stream.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return connectSpark({ host: '127.0.0.1', port, isEncrypted: false, user: 'me' })
}

const batch = (text: string): Entry => [2, [[2, text]]]
const complete: Entry = [14, []]

async function texts(answers: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const all: string[] = []
  for await (const data of answers) all.push(new TextDecoder().decode(data))
  return all
}

describe('an answer', () => {
  it.each([1, 3, 7, 1000])('is put together from pieces of %i bytes', async (pieces) => {
    const messages = [
      [[1, 'session'], batch('first')],
      [batch('second')],
      [[1, 'x'.repeat(300)], batch('')],
      [complete],
    ] as const
    const connection = await answering(messages, pieces, { 'grpc-status': '0' })
    expect(await texts(connection.query(sql`SELECT 1`))).toEqual(['first', 'second', ''])
    await connection.close()
  })

  it('that tells a mistake is one sentence of the user’s', async () => {
    const told = {
      'grpc-status': '13',
      'grpc-message': encodeURIComponent('[TABLE] not found: ä. SQLSTATE: 42P01; line 1\nplan'),
    }
    const connection = await answering([], 10, told)
    await expect(texts(connection.query(sql`SELECT 1`))).rejects.toMatchObject({
      name: 'UserError',
      message: 'Spark: [TABLE] not found: ä.',
    })
    await connection.close()
  })

  it.each([
    ['says that it is unavailable', { 'grpc-status': '14', 'grpc-message': 'gone' }],
    ['hangs up', null],
  ])('of a server that %s is a broken connection', async (_, status) => {
    const connection = await answering([[batch('first')]], 10, status)
    await expect(texts(connection.query(sql`SELECT 1`))).rejects.toMatchObject({ name: 'EngineFailure' })
    await connection.close()
  })
})

it('an address is a host, with what else the protocol has, and the token comes from the environment', () => {
  expect(sparkAddress('sc://spark.example', { USER: 'ann' })).toEqual({
    host: 'spark.example',
    port: 15002,
    isEncrypted: false,
    user: 'ann',
    token: undefined,
    node: 'node',
  })
  expect(sparkAddress('sc://h;node=/opt/node/bin/node', {})).toMatchObject({ node: '/opt/node/bin/node' })
  expect(() => sparkAddress('sc://h;node=node -e x', {})).toThrow('is no name of a program')
  expect(sparkAddress('sc://h:7/;use_ssl=true;user_id=me', {})).toMatchObject({
    port: 7,
    isEncrypted: true,
    user: 'me',
  })
  expect(sparkAddress('sc://h:7', { SPARK_CONNECT_AUTHENTICATE_TOKEN: 'x' })).toMatchObject({
    isEncrypted: true,
    token: 'x',
  })
  expect(() => sparkAddress('sc://', {})).toThrow('sc://host:15002')
})

it('messages come back as they were written', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 500_000 }), fc.uint8Array()), { selector: ([field]) => field }),
      (entries) => {
        const back = decoded(encoded(entries))
        expect(back.size).toBe(entries.length)
        for (const [field, value] of entries) expect(back.get(field)).toEqual(value)
      },
    ),
  )
  expect(decoded(Uint8Array.of(8, 0xac, 0x02, 0x0d, 1, 2, 3, 4)).get(1)).toBe(300)
  expect(() => decoded(Uint8Array.of(18, 5, 1))).toThrow('cut short')
})
