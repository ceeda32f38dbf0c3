/**
 * Threefry-4x32-20 of many counters, four of them to a register. What is computed is told by its twin in
 * `src/threefry.ts`; both give the same bits.
 */
const PARITY: i32 = 0x1bd11bda
/** The key schedule, k0 to k4 and k0 to k3 again; then the words. */
const KEYS: usize = 0
const WORDS: usize = 64

function rotated(word: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(word, bits), i32x4.shr_u(word, 32 - bits))
}

function subkey(place: usize): v128 {
  return v128.load32_splat(KEYS + (place << 2))
}

/** Writes the images of the counters (low, high, indexLow, indexHigh), the 64 bits of low and high counting up, a multiple of four. */
export function words(
  low: i32,
  high: i32,
  indexLow: i32,
  indexHigh: i32,
  k0: i32,
  k1: i32,
  k2: i32,
  k3: i32,
  blocks: i32,
): void {
  const k4 = PARITY ^ k0 ^ k1 ^ k2 ^ k3
  store<i32>(KEYS, k0, 0)
  store<i32>(KEYS, k1, 4)
  store<i32>(KEYS, k2, 8)
  store<i32>(KEYS, k3, 12)
  store<i32>(KEYS, k4, 16)
  store<i32>(KEYS, k0, 20)
  store<i32>(KEYS, k1, 24)
  store<i32>(KEYS, k2, 28)
  store<i32>(KEYS, k3, 32)
  const first = i32x4.splat(low)
  let counter = i32x4.add(first, i32x4(0, 1, 2, 3))
  for (let to = WORDS, end = WORDS + ((blocks as usize) << 4); to < end; to += 64) {
    // A lane that is below the first one has begun again at 0.
    const carry = i32x4.lt_u(counter, first)
    let x0 = i32x4.add(counter, i32x4.splat(k0))
    let x1 = i32x4.add(i32x4.sub(i32x4.splat(high), carry), i32x4.splat(k1))
    let x2 = i32x4.splat(indexLow + k2)
    let x3 = i32x4.splat(indexHigh + k3)
    for (let group: i32 = 1; ; group += 2) {
      x0 = i32x4.add(x0, x1)
      x1 = v128.xor(rotated(x1, 10), x0)
      x2 = i32x4.add(x2, x3)
      x3 = v128.xor(rotated(x3, 26), x2)
      x0 = i32x4.add(x0, x3)
      x3 = v128.xor(rotated(x3, 11), x0)
      x2 = i32x4.add(x2, x1)
      x1 = v128.xor(rotated(x1, 21), x2)
      x0 = i32x4.add(x0, x1)
      x1 = v128.xor(rotated(x1, 13), x0)
      x2 = i32x4.add(x2, x3)
      x3 = v128.xor(rotated(x3, 27), x2)
      x0 = i32x4.add(x0, x3)
      x3 = v128.xor(rotated(x3, 23), x0)
      x2 = i32x4.add(x2, x1)
      x1 = v128.xor(rotated(x1, 5), x2)
      x0 = i32x4.add(x0, subkey(group % 5))
      x1 = i32x4.add(x1, subkey((group % 5) + 1))
      x2 = i32x4.add(x2, subkey((group % 5) + 2))
      x3 = i32x4.add(x3, i32x4.add(subkey((group % 5) + 3), i32x4.splat(group)))
      if (group === 5) break
      x0 = i32x4.add(x0, x1)
      x1 = v128.xor(rotated(x1, 6), x0)
      x2 = i32x4.add(x2, x3)
      x3 = v128.xor(rotated(x3, 20), x2)
      x0 = i32x4.add(x0, x3)
      x3 = v128.xor(rotated(x3, 17), x0)
      x2 = i32x4.add(x2, x1)
      x1 = v128.xor(rotated(x1, 11), x2)
      x0 = i32x4.add(x0, x1)
      x1 = v128.xor(rotated(x1, 25), x0)
      x2 = i32x4.add(x2, x3)
      x3 = v128.xor(rotated(x3, 10), x2)
      x0 = i32x4.add(x0, x3)
      x3 = v128.xor(rotated(x3, 18), x0)
      x2 = i32x4.add(x2, x1)
      x1 = v128.xor(rotated(x1, 20), x2)
      x0 = i32x4.add(x0, subkey(1 + group))
      x1 = i32x4.add(x1, subkey(2 + group))
      x2 = i32x4.add(x2, subkey(3 + group))
      x3 = i32x4.add(x3, i32x4.add(subkey(4 + group), i32x4.splat(group + 1)))
    }
    // From four words of each of four counters to counter after counter.
    const a = i32x4.shuffle(x0, x1, 0, 4, 1, 5)
    const b = i32x4.shuffle(x2, x3, 0, 4, 1, 5)
    const c = i32x4.shuffle(x0, x1, 2, 6, 3, 7)
    const d = i32x4.shuffle(x2, x3, 2, 6, 3, 7)
    v128.store(to, i64x2.shuffle(a, b, 0, 2), 0)
    v128.store(to, i64x2.shuffle(a, b, 1, 3), 16)
    v128.store(to, i64x2.shuffle(c, d, 0, 2), 32)
    v128.store(to, i64x2.shuffle(c, d, 1, 3), 48)
    counter = i32x4.add(counter, i32x4.splat(4))
  }
}
