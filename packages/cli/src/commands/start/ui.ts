import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { UserError } from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { reasonOf } from '../../files/files.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { type PageServer, pageFolder, servePage } from '../../page-server.js'

const LARGEST_PORT = 65_535

export const uiCommand: Command = {
  usage: '[options]',
  flags: {
    port: { value: 'N', help: 'port on this machine (default: any that is free)' },
    'no-open': { help: 'print the address and open no browser' },
  },
  writes: false,
  notes: [
    'The page reads files where they are and computes in the browser; nothing is sent anywhere, also not to this command. It is served to this machine only, until Ctrl-C.',
  ],
  examples: ['scrim ui', 'scrim ui --port 8080 --no-open'],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  if (args.positionals.length > 0)
    throw new UserError(`unexpected argument "${args.positionals[0]}"; files are opened in the page`)
  const port = wholeNumber('--port', args.text('port') ?? '0')
  if (port < 0 || port > LARGEST_PORT)
    throw new UserError(`--port must be from 0 to ${LARGEST_PORT}, but it is ${port}`)
  if (!existsSync(pageFolder())) throw new Error('the page was not built with this command line')
  const signal = io.interruption()
  const server = await opened(port)
  io.out(`scrim: the page is at ${server.address} (this machine only; Ctrl-C ends it)\n`)
  if (!args.has('no-open')) openBrowser(server.address)
  await interrupted(signal)
  await server.close()
  return EXIT.ok
}

async function opened(port: number): Promise<PageServer> {
  try {
    return await servePage(port, pageFolder())
  } catch (error) {
    throw new UserError(`cannot serve the page on port ${port}: ${reasonOf(error)}`)
  }
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

/** Where no browser can be opened the address is printed all the same. */
function openBrowser(address: string): void {
  const [command, ...words] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address]
  spawn(command, words, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
