import { parentPort } from 'node:worker_threads'
import { type Contents, type ReadOptions, readContents, UserError } from '@scrim/core'

/** What a thread opened by `reader.ts` runs: reads one file after the other. */
const port = parentPort
if (port === null) throw new Error('read-worker.js runs on a worker thread only')

export type Read = { readonly contents: Contents } | { readonly problems: readonly string[] }

port.on('message', async ({ name, bytes, options }: { name: string; bytes: Uint8Array; options: ReadOptions }) => {
  port.postMessage(await answerTo(name, bytes, options))
})

port.postMessage('ready')

async function answerTo(name: string, bytes: Uint8Array, options: ReadOptions): Promise<Read> {
  try {
    return { contents: await readContents(name, bytes, options) }
  } catch (error) {
    if (error instanceof UserError) return { problems: error.problems }
    return { problems: [`${name}: cannot be read: the file is damaged, or of a kind that scrim does not know`] }
  }
}
