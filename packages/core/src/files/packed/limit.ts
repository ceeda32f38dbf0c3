import { UserError } from '../../errors.js'

/** A table of any kind packs less well than this; below `SMALL` bytes it does not matter. */
const MOST_TIMES = 500
const SMALL = 2 ** 28
/** More than a table may have, see `csv.ts`. */
const LARGEST = 2 ** 32

/** To how many bytes so many packed ones may unpack: a file that says more is damaged, or made to fill the memory. */
export function mostUnpacked(packed: number, small = SMALL): number {
  return Math.min(LARGEST, Math.max(small, MOST_TIMES * packed))
}

export function unpacksToTooMuch(name: string, format: string, most: number): UserError {
  const megabytes = Math.round(most / 1e6)
  return new UserError(
    `${name}: the ${format} file is damaged, or unpacks to more than ${megabytes} MB, which no table does`,
  )
}

/** Bytes that grow as they are unpacked, never beyond a limit. */
export interface Unpacked {
  bytes: Uint8Array
  length: number
  /** Makes room for `more` bytes beyond `length`. */
  reserve(more: number): void
}

export function unpackedBytes(expected: number, most: number, tooMuch: () => Error): Unpacked {
  const output: Unpacked = {
    bytes: new Uint8Array(Math.min(expected, most)),
    length: 0,
    reserve(more) {
      const needed = output.length + more
      if (needed > most) throw tooMuch()
      if (needed <= output.bytes.length) return
      const grown = new Uint8Array(Math.min(most, Math.max(needed, 2 * output.bytes.length)))
      grown.set(output.bytes.subarray(0, output.length))
      output.bytes = grown
    },
  }
  return output
}
