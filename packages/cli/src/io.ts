import { homedir } from 'node:os'
import { join } from 'node:path'

/** What a command may touch besides files: injected, so that tests run the whole command line in process. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether stderr is a terminal: only then are progress and remarks written to it. */
  readonly terminal: boolean
  /** Width to fold tables at. */
  readonly columns: number
  readonly cwd: string
  /** Where results of a run under way are kept. */
  readonly cache: string
  /** Listens for Ctrl-C from now on; without this an interruption ends the process at once. */
  readonly interruption: () => AbortSignal
}

const DEFAULT_WIDTH = 120
const NARROWEST = 72

export function processIo(): Io {
  // A reader that has seen enough, such as `head`, closes the pipe; that is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stderr.isTTY === true,
    columns: Math.max(NARROWEST, process.stdout.columns ?? (Number(process.env.COLUMNS) || DEFAULT_WIDTH)),
    cwd: process.cwd(),
    cache: cacheFolder(),
    interruption,
  }
}

function cacheFolder(): string {
  const { SCRIM_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  return SCRIM_CACHE ?? join(XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(homedir(), '.cache'), 'scrim')
}

const INTERRUPTED = 130

/** The first Ctrl-C asks the run to stop, a second one does not wait for it. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  })
  return controller.signal
}
