/**
 * Scans blocks of records for those within a distance of a query, four records at a time. What is computed, and in which
 * order it is added up, is told by its twin in `src/block-scan.ts`; both give the same bits. The host lays out the memory
 * and hands over the addresses once; all numbers are f32, all addresses bytes.
 */
let nominal: i32
let metric: i32
let squared: bool
let blocks: i32
let weights: usize
let query: usize
let queryMasks: usize
let opened: usize
let masks: usize
let lows: usize
let highs: usize
let bounds: usize
let found: usize
let sums: usize

export function setup(
  nominalColumns: i32,
  metricColumns: i32,
  isSquared: bool,
  blockCount: i32,
  weightsAt: usize,
  queryAt: usize,
  queryMasksAt: usize,
  openedAt: usize,
  masksAt: usize,
  lowsAt: usize,
  highsAt: usize,
  boundsAt: usize,
  foundAt: usize,
  sumsAt: usize,
): void {
  nominal = nominalColumns
  metric = metricColumns
  squared = isSquared
  blocks = blockCount
  weights = weightsAt
  query = queryAt
  queryMasks = queryMasksAt
  opened = openedAt
  masks = masksAt
  lows = lowsAt
  highs = highsAt
  bounds = boundsAt
  found = foundAt
  sums = sumsAt
}

/** A lower bound of the distance from the query to everything in each block. */
export function bound(): void {
  const zero = f32x4.splat(0)
  const noBits = i32x4.splat(0)
  for (let block = 0; block < blocks; block += 4) {
    const at = (block as usize) << 2
    let sum = zero
    for (let column = 0; column < nominal; column++) {
      const offset = ((column * blocks) as usize) << 2
      const present = v128.and(v128.load(masks + offset + at), v128.load32_splat(queryMasks + ((column as usize) << 2)))
      const absent = i32x4.eq(present, noBits)
      sum = f32x4.add(sum, v128.and(absent, v128.load32_splat(weights + ((column as usize) << 2))))
    }
    for (let column = 0; column < metric; column++) {
      const offset = ((column * blocks) as usize) << 2
      const x = v128.load32_splat(query + (((nominal + column) as usize) << 2))
      const below = f32x4.sub(v128.load(lows + offset + at), x)
      const above = f32x4.sub(x, v128.load(highs + offset + at))
      const weight = v128.load32_splat(weights + (((nominal + column) as usize) << 2))
      const gap = f32x4.min(f32x4.max(f32x4.max(below, above), zero), weight)
      sum = f32x4.add(sum, squared ? f32x4.mul(gap, gap) : gap)
    }
    v128.store(bounds + at, sum)
  }
}

/** The first block from `from` on whose bound is at most `limit`; the number of blocks when there is none. */
export function next(from: i32, limit: f32): i32 {
  let block = from
  for (; block < blocks && (block & 3) !== 0; block++) {
    if (load<f32>(bounds + ((block as usize) << 2)) <= limit) return block
  }
  const most = f32x4.splat(limit)
  for (; block < blocks; block += 4) {
    const near = i32x4.bitmask(f32x4.le(v128.load(bounds + ((block as usize) << 2)), most))
    if (near !== 0) return block + ctz(near)
  }
  return blocks
}

/** The block with the least bound, the first of several. */
export function nearest(): i32 {
  let best = 0
  let least: f32 = load<f32>(bounds)
  for (let block = 1; block < blocks; block++) {
    const here = load<f32>(bounds + ((block as usize) << 2))
    if (here < least) {
      least = here
      best = block
    }
  }
  return best
}

/**
 * Writes the places within `limit` of the query to `found`, among the `size` from `start` on, which the host has copied here, and
 * the distances of at least these to `sums`.
 */
export function scan(start: i32, size: i32, limit: f32): i32 {
  const stride = (size as usize) << 2
  const most = f32x4.splat(limit)
  let count = 0
  for (let row = 0; row < size; row += 16) {
    let at = opened + ((row as usize) << 2)
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    for (let column = 0; column < nominal; column++) {
      const x = v128.load32_splat(query + ((column as usize) << 2))
      const weight = v128.load32_splat(weights + ((column as usize) << 2))
      a = f32x4.add(a, v128.and(f32x4.ne(v128.load(at), x), weight))
      b = f32x4.add(b, v128.and(f32x4.ne(v128.load(at, 16), x), weight))
      c = f32x4.add(c, v128.and(f32x4.ne(v128.load(at, 32), x), weight))
      d = f32x4.add(d, v128.and(f32x4.ne(v128.load(at, 48), x), weight))
      at += stride
    }
    if (nominal > 0 && !v128.any_true(f32x4.le(f32x4.min(f32x4.min(a, b), f32x4.min(c, d)), most))) continue
    for (let column = nominal; column < nominal + metric; column++) {
      const x = v128.load32_splat(query + ((column as usize) << 2))
      const weight = v128.load32_splat(weights + ((column as usize) << 2))
      let p = f32x4.min(f32x4.abs(f32x4.sub(v128.load(at), x)), weight)
      let q = f32x4.min(f32x4.abs(f32x4.sub(v128.load(at, 16), x)), weight)
      let r = f32x4.min(f32x4.abs(f32x4.sub(v128.load(at, 32), x)), weight)
      let s = f32x4.min(f32x4.abs(f32x4.sub(v128.load(at, 48), x)), weight)
      if (squared) {
        p = f32x4.mul(p, p)
        q = f32x4.mul(q, q)
        r = f32x4.mul(r, r)
        s = f32x4.mul(s, s)
      }
      a = f32x4.add(a, p)
      b = f32x4.add(b, q)
      c = f32x4.add(c, r)
      d = f32x4.add(d, s)
      at += stride
    }
    let near =
      i32x4.bitmask(f32x4.le(a, most)) |
      (i32x4.bitmask(f32x4.le(b, most)) << 4) |
      (i32x4.bitmask(f32x4.le(c, most)) << 8) |
      (i32x4.bitmask(f32x4.le(d, most)) << 12)
    if (near === 0) continue
    const distances = sums + ((row as usize) << 2)
    v128.store(distances, a)
    v128.store(distances, b, 16)
    v128.store(distances, c, 32)
    v128.store(distances, d, 48)
    while (near !== 0) {
      store<i32>(found + ((count as usize) << 2), start + row + ctz(near))
      near &= near - 1
      count++
    }
  }
  return count
}
