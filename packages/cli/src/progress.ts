import type { Io } from './io.js'

export interface Progress {
  readonly show: (text: string) => void
  /** Removes the line, so that what is printed next starts clean. */
  readonly clear: () => void
}

const LEAST_MILLISECONDS = 100
const CLEAR_LINE = '\r\u001b[K'

/** One line on stderr that is written over, on a terminal only and not more often than the eye needs. */
export function progressLine(io: Io): Progress {
  let last = Number.NEGATIVE_INFINITY
  let shown = false
  return {
    show(text) {
      const now = performance.now()
      if (!io.terminal || now - last < LEAST_MILLISECONDS) return
      last = now
      shown = true
      io.err(CLEAR_LINE + text.slice(0, io.columns - 1))
    },
    clear() {
      if (shown) io.err(CLEAR_LINE)
      shown = false
    },
  }
}
