/**
 * Threefry-4x32-20, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3" (SC 2011): a keyed bijection of 128-bit counters made of additions, rotations and exclusive ors, so it has
 * no state to carry and gives the same bits on every machine. It passes BigCrush; twenty rounds leave a wide margin.
 */
export type Words = Int32Array

/** Skein's key-schedule parity constant, C240 cut to 32 bits. */
const PARITY = 0x1bd11bda

/**
 * Writes the image of the counter `c0..c3` under `key` (four words) to `out` (four words).
 *
 * Hot, hence unrolled. The simple version: for each of 20 rounds mix the pairs (0,1)(2,3) in even and (0,3)(2,1) in odd
 * rounds, where mix(a, b, r) is `a += b; b = rotateLeft(b, r) ^ a`, and after every fourth round add the next subkey.
 */
export function threefry(c0: number, c1: number, c2: number, c3: number, key: Words, out: Words): void {
  const k0 = key[0]
  const k1 = key[1]
  const k2 = key[2]
  const k3 = key[3]
  const k4 = PARITY ^ k0 ^ k1 ^ k2 ^ k3

  let x0 = (c0 + k0) | 0
  let x1 = (c1 + k1) | 0
  let x2 = (c2 + k2) | 0
  let x3 = (c3 + k3) | 0

  x0 = (x0 + x1) | 0
  x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2
  x0 = (x0 + x1) | 0
  x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2
  x0 = (x0 + k1) | 0
  x1 = (x1 + k2) | 0
  x2 = (x2 + k3) | 0
  x3 = (x3 + k4 + 1) | 0

  x0 = (x0 + x1) | 0
  x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 20) | (x3 >>> 12)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 17) | (x3 >>> 15)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 11) | (x1 >>> 21)) ^ x2
  x0 = (x0 + x1) | 0
  x1 = ((x1 << 25) | (x1 >>> 7)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 10) | (x3 >>> 22)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 18) | (x3 >>> 14)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 20) | (x1 >>> 12)) ^ x2
  x0 = (x0 + k2) | 0
  x1 = (x1 + k3) | 0
  x2 = (x2 + k4) | 0
  x3 = (x3 + k0 + 2) | 0

  x0 = (x0 + x1) | 0
  x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2
  x0 = (x0 + x1) | 0
  x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2
  x0 = (x0 + k3) | 0
  x1 = (x1 + k4) | 0
  x2 = (x2 + k0) | 0
  x3 = (x3 + k1 + 3) | 0

  x0 = (x0 + x1) | 0
  x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 20) | (x3 >>> 12)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 17) | (x3 >>> 15)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 11) | (x1 >>> 21)) ^ x2
  x0 = (x0 + x1) | 0
  x1 = ((x1 << 25) | (x1 >>> 7)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 10) | (x3 >>> 22)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 18) | (x3 >>> 14)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 20) | (x1 >>> 12)) ^ x2
  x0 = (x0 + k4) | 0
  x1 = (x1 + k0) | 0
  x2 = (x2 + k1) | 0
  x3 = (x3 + k2 + 4) | 0

  x0 = (x0 + x1) | 0
  x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2
  x0 = (x0 + x1) | 0
  x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0
  x2 = (x2 + x3) | 0
  x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2
  x0 = (x0 + x3) | 0
  x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0
  x2 = (x2 + x1) | 0
  x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2
  x0 = (x0 + k0) | 0
  x1 = (x1 + k1) | 0
  x2 = (x2 + k2) | 0
  x3 = (x3 + k3 + 5) | 0

  out[0] = x0
  out[1] = x1
  out[2] = x2
  out[3] = x3
}
