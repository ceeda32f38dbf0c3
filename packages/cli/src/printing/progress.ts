import { timeLeftText } from '@scrim/core'
import type { Io } from '../io.js'

export interface Progress {
  /** `share` is how much is done, where that is known. */
  readonly show: (text: string, share?: number) => void
  /** Removes the line, so that what is printed next starts clean. */
  readonly clear: () => void
}

const LEAST_MILLISECONDS = 100
/** Long enough that a short run is silent, short enough that a log shows life. */
const PLAIN_MILLISECONDS = 15_000

/** One line on stderr that is written over, not more often than the eye needs; a program that listens gets it as values; without either a plain line now and then. */
export function progressLine(io: Io): Progress {
  let last = Number.NEGATIVE_INFINITY
  let shown = false
  let quiet = performance.now()
  const plain = (text: string, now: number) => {
    if (now - quiet < (io.progressEvery ?? PLAIN_MILLISECONDS)) return
    quiet = now
    io.err(`${text}\n`)
  }
  return {
    show(text, share) {
      const now = performance.now()
      if (!io.terminal && io.progress === undefined) return plain(text, now)
      if (now - last < LEAST_MILLISECONDS) return
      last = now
      if (io.progress !== undefined) return io.progress(text, share ?? null)
      shown = true
      io.status(text.slice(0, io.columns - 1))
    },
    clear() {
      if (shown) io.status('')
      shown = false
    },
  }
}

/** Text for the time left, once enough was done to tell; to be asked with the share done. */
export function timeLeft(now: () => number = () => performance.now()): (share: number) => string {
  const start = now()
  return (share) => {
    const text = timeLeftText(share, (now() - start) / 1000)
    return text === '' ? '' : `, ${text}`
  }
}
