import { UserError } from '../../errors.js'

/**
 * How much one file may take, the same for every reader: `maxSize` bytes as it lies or unpacked, and as many in memory, where a
 * cell takes 8. Checked while a file is unpacked and before room is made for its cells, so that what is made to fill the memory is
 * refused in little of it.
 */
const USUAL_SIZE = 2e9
const CELL = 8

/** Where nobody says how large a file may be: a table of any kind packs less well than this; below `SMALL` bytes it does not matter. */
const MOST_TIMES = 500
const SMALL = 2 ** 28

/** To how many bytes so many packed ones may unpack. */
export function mostUnpacked(packed: number, maxSize?: number): number {
  return maxSize ?? Math.min(USUAL_SIZE, Math.max(SMALL, MOST_TIMES * packed))
}

export function unpacksToTooMuch(name: string, most: number): UserError {
  return new UserError(
    `${name}: is damaged, or unpacks to more than ${sizeText(most)}; if it should be so large, ${ALLOWING}`,
  )
}

const ALLOWING = 'allow it with --max-size, such as --max-size 8GB'

/** To be asked before there is room for the cells. */
export function checkCells(name: string, rows: number, columns: number, maxSize: number = USUAL_SIZE): void {
  if (rows * columns * CELL <= maxSize) return
  throw new UserError(
    `${name}: ${rows} rows of ${columns} columns take more than ${sizeText(maxSize)} in memory; if it should be so large, ${ALLOWING}`,
  )
}

/** Files of so many bytes cannot have too many cells. */
export function mayHaveTooManyCells(bytes: number, maxSize: number = USUAL_SIZE): boolean {
  return bytes * CELL > maxSize
}

export function checkSize(name: string, bytes: number, maxSize: number = USUAL_SIZE): void {
  if (bytes > maxSize)
    throw new UserError(`${name}: is larger than ${sizeText(maxSize)}; if it should be so large, ${ALLOWING}`)
}

export function sizeText(bytes: number): string {
  if (bytes < 1e5) return `${bytes} bytes`
  return bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e5) / 10} MB`
}

/** What the parts of one file unpack to, together. */
export interface Allowance {
  readonly left: () => number
  readonly take: (bytes: number) => void
}

export function allowance(name: string, packed: number, maxSize?: number): Allowance {
  const most = mostUnpacked(packed, maxSize)
  let left = most
  return {
    left: () => left,
    take(bytes) {
      left -= bytes
      if (left < 0) throw unpacksToTooMuch(name, most)
    },
  }
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
