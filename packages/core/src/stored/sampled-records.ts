import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * A sample that is the same in every engine: the records whose keyed hash is smallest, MD5 of `seed:number` as 32 hexadecimal digits,
 * with records numbered from 0. SQL engines have the same function under the same name. Records with the same number are in the
 * samples of both files, so that pairs of a perturbed release stay together.
 */
export function sampledRecords(rows: number, n: number, seed: number): Int32Array {
  const cut = cutFor(rows, n)
  const below = cut === null ? hashed(rows, seed) : hashed(rows, seed, cut)
  const candidates = below.length >= n ? below : hashed(rows, seed)
  return Int32Array.from(
    candidates
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .slice(0, n)
      .map(({ row }) => row),
  ).sort()
}

interface Hashed {
  readonly row: number
  readonly hash: string
}

function hashed(rows: number, seed: number, cut?: string): Hashed[] {
  const kept: Hashed[] = []
  for (let row = 0; row < rows; row++) {
    const hash = bytesToHex(md5(utf8ToBytes(`${seed}:${row}`)))
    if (cut === undefined || hash < cut) kept.push({ row, hash })
  }
  return kept
}

const DIGITS = 12
const HIGHEST = 0x1000000000000
/** In standard deviations of how many hashes lie below the cut. */
const SURELY = 8

/**
 * Digits such that, but for a chance that never comes, at least n of the hashes lie below them: only these need be sorted. Null where
 * that would be most of them.
 */
export function cutFor(rows: number, n: number): string | null {
  const share = (n + SURELY * Math.sqrt(n) + SURELY ** 2) / rows
  return share >= 0.5
    ? null
    : Math.floor(share * HIGHEST)
        .toString(16)
        .padStart(DIGITS, '0')
}
