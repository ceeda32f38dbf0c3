import { readSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { checkSize, UserError } from '@scrim/core'
import { EXIT } from './exit.js'
import { type Face, faceOf } from './faces.js'
import { reasonOf } from './files/files.js'

/** What a command may touch besides files: injected, so that tests run the whole command line in process. */
export interface Io {
  /** What is printed for people; like `err` and `status` made fit for a terminal before it gets here. */
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Writes over the last line of stderr; only where that is a terminal. */
  readonly status: (line: string) => void
  /** The content of a file that goes to standard output, as it is. */
  readonly data: (piece: string | Uint8Array) => void
  /** All of standard input, which may have at most so many bytes. */
  readonly stdin: (maxSize?: number) => Uint8Array
  /** Whether files may be replaced that scrim did not write. */
  readonly force: boolean
  /** Whether text in written CSV that a spreadsheet would take for a formula is marked. */
  readonly safeCsv: boolean
  /** Whether stderr is a terminal: only then are progress and remarks written to it. */
  readonly terminal: boolean
  /** Whether stdout shows colours. */
  readonly color: boolean
  /** Where a program listens: what is done, and how much of all. */
  readonly progress?: ((text: string, share: number | null) => void) | undefined
  /** Milliseconds between plain lines of progress where there is no terminal; 15 s unless given. */
  readonly progressEvery?: number
  /** Who reads what is printed: it says how to give what is missing. */
  readonly face: Face
  /** Width to fold tables at. */
  readonly columns: number
  readonly cwd: string
  /** Where results of a run under way are kept. */
  readonly cache: string
  /** Asks somebody a question; only where somebody sits at a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Listens for Ctrl-C from now on; without this an interruption ends the process at once. */
  readonly interruption: () => AbortSignal
}

export const CLEAR_LINE = '\r\u001b[K'
const DEFAULT_WIDTH = 120
const NARROWEST = 40

export function processIo(): Io {
  // A reader that has seen enough, such as `head`, closes the pipe, also that of stderr; that is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`scrim: cannot write to standard output: ${reasonOf(error)}\n`)
    process.exit(EXIT.userError)
  })
  process.stderr.on('error', () => process.exit(EXIT.ok))
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    status: (line) => process.stderr.write(CLEAR_LINE + line),
    data: (piece) => process.stdout.write(piece),
    stdin: standardInput,
    force: false,
    safeCsv: false,
    terminal: process.stderr.isTTY === true,
    color: showsColor(process.env, process.stdout.isTTY === true),
    face: faceOf(process.env),
    progress: progressRecords(process.env),
    columns: widthOf(process.stdout.columns, process.env),
    cwd: process.cwd(),
    cache: cacheFolder(),
    ask: process.stdin.isTTY === true && process.stderr.isTTY === true ? ask : undefined,
    interruption,
  }
}

/** One JSON text a line, each after the mark of RFC 7464, which no text for people has. */
function progressRecords({ SCRIM_PROGRESS }: NodeJS.ProcessEnv): Io['progress'] {
  if (SCRIM_PROGRESS !== 'json') return undefined
  return (text, share) => process.stderr.write(`\u001e${JSON.stringify({ text, share })}\n`)
}

/** That of the terminal, or what COLUMNS says where there is none. */
export function widthOf(terminal: number | undefined, { COLUMNS }: NodeJS.ProcessEnv): number {
  return Math.max(NARROWEST, terminal ?? (Number(COLUMNS) || DEFAULT_WIDTH))
}

/** A terminal does, unless NO_COLOR says no; FORCE_COLOR says yes also to what is no terminal, such as the log of a pipeline. */
export function showsColor({ NO_COLOR = '', FORCE_COLOR }: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTerminal && NO_COLOR === ''
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return lines.question(question).finally(() => lines.close())
}

const STDIN_DESCRIPTOR = 0
const PIECE = 2 ** 16

function standardInput(maxSize?: number): Uint8Array {
  const pieces: Uint8Array[] = []
  let total = 0
  for (;;) {
    const piece = new Uint8Array(PIECE)
    const read = readPiece(piece)
    if (read === 0) return Buffer.concat(pieces, total)
    pieces.push(piece.subarray(0, read))
    total += read
    checkSize('standard input', total, maxSize)
  }
}

function readPiece(piece: Uint8Array): number {
  try {
    return readSync(STDIN_DESCRIPTOR, piece)
  } catch (error) {
    // What ends a pipe is an error on Windows.
    if ((error as NodeJS.ErrnoException).code === 'EOF') return 0
    throw new UserError(`cannot read standard input (-): ${reasonOf(error)}`)
  }
}

function cacheFolder(): string {
  const { SCRIM_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  return SCRIM_CACHE ?? join(XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(homedir(), '.cache'), 'scrim')
}

/** The first Ctrl-C asks the run to stop, a second one does not wait for it. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort()
  })
  return controller.signal
}
