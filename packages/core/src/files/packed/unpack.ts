import { bunzip2, isBzip2 } from './bzip2.js'
import { gunzip, isGzip } from './gzip.js'
import { isXz, unxz } from './xz.js'

/** Whether a file is packed as a whole, by its first bytes. */
export function isPacked(bytes: Uint8Array): boolean {
  return isGzip(bytes) || isBzip2(bytes) || isXz(bytes)
}

/** What a packed file holds; any other file as it is. */
export function unpack(name: string, bytes: Uint8Array, maxSize?: number): Uint8Array {
  if (isGzip(bytes)) return gunzip(name, bytes, maxSize)
  if (isBzip2(bytes)) return bunzip2(name, bytes, maxSize)
  return isXz(bytes) ? unxz(name, bytes, maxSize) : bytes
}

/** `people.csv.gz` is a CSV file. */
export function withoutPacking(name: string): string {
  return name.replace(/\.(gz|bz2|xz)$/i, '')
}
