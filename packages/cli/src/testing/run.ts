import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import type { Face } from '../faces.js'
import { CLEAR_LINE } from '../io.js'
import { main } from '../main.js'

/** A working directory with files, in which the command line is run in process. */
interface Workplace {
  readonly folder: string
  readonly run: (command: string, how?: How) => Promise<Run>
  readonly read: (name: string) => string
  /** All files, folders included, sorted. */
  readonly files: () => string[]
}

interface How {
  readonly terminal?: boolean
  /** Milliseconds between plain lines of progress; none unless given, for it would depend on the machine. */
  readonly progressEvery?: number
  readonly columns?: number
  readonly face?: Face
  readonly color?: boolean
  /** What somebody at a terminal answers: the same to every question, or one after the other. */
  readonly answer?: string | readonly string[]
  /** What standard input has. */
  readonly stdin?: string | Uint8Array
  /** As if Ctrl-C was pressed. */
  readonly signal?: AbortSignal
}

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0).flatMap((one) => [one, `${one}-cache`]))
    rmSync(folder, { recursive: true, force: true })
})

export function workplace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-'))
  made.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return {
    folder,
    run: (command, how = {}) => runIn(folder, command, how),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    files: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        .sort(),
  }
}

async function runIn(folder: string, command: string, how: How): Promise<Run> {
  let out = ''
  let err = ''
  const code = await main(words(command), {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    status: (line) => {
      err += CLEAR_LINE + line
    },
    data: (piece) => {
      out += typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1')
    },
    stdin: () => Buffer.from(how.stdin ?? ''),
    force: false,
    safeCsv: false,
    ...(how.answer === undefined ? {} : { ask: answering(how.answer) }),
    terminal: how.terminal ?? false,
    progressEvery: how.progressEvery ?? Number.POSITIVE_INFINITY,
    color: how.color ?? false,
    face: how.face ?? 'shell',
    columns: how.columns ?? 120,
    cwd: folder,
    cache: join(folder, '..', `${basename(folder)}-cache`),
    interruption: () => how.signal ?? new AbortController().signal,
  })
  return { code, out, err }
}

function answering(answer: string | readonly string[]): () => Promise<string> {
  const left = typeof answer === 'string' ? [] : [...answer]
  return async () => (typeof answer === 'string' ? answer : (left.shift() ?? ''))
}

/** Splits a command as a shell would: at blanks, except between single quotes. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''))
}

/** Eight people and a release of them; `sex` and `age` are keys, `income` is the target. */
export const PEOPLE = {
  'original.csv':
    'sex,age,income,weight\nf,30,low,1.5\nf,30,low,2\nf,40,high,1\nm,30,low,1\nm,40,high,3\nm,40,low,1\nm,50,high,2\nf,50,low,1\n',
  'released.csv': 'sex,age,income\nf,30,low\nf,30,low\nf,40,low\nm,30,low\nm,40,high\nm,40,high\nm,40,high\nf,50,low\n',
  'other.csv': 'sex,age,income\nf,30,low\nf,30,low\nf,30,low\nm,30,low\nm,30,high\nm,40,high\nm,40,high\nf,30,low\n',
} as const
