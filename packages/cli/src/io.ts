/** What a command may touch besides files: injected, so that tests run the whole command line in process. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether stderr is a terminal: only then are progress and remarks written to it. */
  readonly terminal: boolean
  /** Width to fold tables at. */
  readonly columns: number
  readonly cwd: string
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
    columns: Math.max(NARROWEST, process.stdout.columns ?? DEFAULT_WIDTH),
    cwd: process.cwd(),
  }
}
