/**
 * Bounds the similarity of records to a query, sixteen records to a register, from one byte per record and column. What is
 * computed is told by its twin in `src/similarity-scan.ts`; both give the same numbers. The worth of the 64 classes of a
 * number lies in four registers of sixteen; a byte shuffle looks sixteen records up at once and gives 0 outside its
 * register, so that the four answers are joined by or. The host lays out the memory and hands over the addresses once.
 *
 * Of every 32 places the highest score and the fewest mismatches are kept: most of them need no second look.
 */
let categories: i32
let numbers: i32
let places: i32
let query: usize
let agreement: usize
let classes: usize
let codes: usize
let scores: usize
let mismatches: usize
let found: usize
let highestOf: usize
let fewestOf: usize

export function setup(
  categoryColumns: i32,
  numberColumns: i32,
  placeCount: i32,
  queryAt: usize,
  agreementAt: usize,
  classesAt: usize,
  codesAt: usize,
  scoresAt: usize,
  mismatchesAt: usize,
  foundAt: usize,
  highestAt: usize,
  fewestAt: usize,
): void {
  categories = categoryColumns
  numbers = numberColumns
  places = placeCount
  query = queryAt
  agreement = agreementAt
  classes = classesAt
  codes = codesAt
  scores = scoresAt
  mismatches = mismatchesAt
  found = foundAt
  highestOf = highestAt
  fewestOf = fewestAt
}

/** Scores of all places, 32 at a time. */
export function score(): void {
  const one = i8x16.splat(1)
  const sixteen = i8x16.splat(16)
  const thirtyTwo = i8x16.splat(32)
  const fortyEight = i8x16.splat(48)
  let at = codes
  for (let place: usize = 0; place < (places as usize); place += 32) {
    let a = i16x8.splat(0)
    let b = i16x8.splat(0)
    let c = i16x8.splat(0)
    let d = i16x8.splat(0)
    let differing = i8x16.splat(0)
    let alsoDiffering = i8x16.splat(0)
    for (let column: usize = 0; column < (categories as usize); column++) {
      const code = v128.load8_splat(query + column)
      const worth = v128.load8_splat(agreement + column)
      const equal = i8x16.eq(v128.load(at), code)
      const alsoEqual = i8x16.eq(v128.load(at, 16), code)
      differing = i8x16.add_sat_u(differing, v128.andnot(one, equal))
      alsoDiffering = i8x16.add_sat_u(alsoDiffering, v128.andnot(one, alsoEqual))
      const x = v128.and(equal, worth)
      const y = v128.and(alsoEqual, worth)
      a = i16x8.add(a, i16x8.extend_low_i8x16_u(x))
      b = i16x8.add(b, i16x8.extend_high_i8x16_u(x))
      c = i16x8.add(c, i16x8.extend_low_i8x16_u(y))
      d = i16x8.add(d, i16x8.extend_high_i8x16_u(y))
      at += 32
    }
    let table = classes
    for (let column: usize = 0; column < (numbers as usize); column++) {
      const first = v128.load(table)
      const second = v128.load(table, 16)
      const third = v128.load(table, 32)
      const fourth = v128.load(table, 48)
      table += 64
      const p = v128.load(at)
      const q = v128.load(at, 16)
      at += 32
      const x = v128.or(
        v128.or(i8x16.swizzle(first, p), i8x16.swizzle(second, i8x16.sub(p, sixteen))),
        v128.or(i8x16.swizzle(third, i8x16.sub(p, thirtyTwo)), i8x16.swizzle(fourth, i8x16.sub(p, fortyEight))),
      )
      const y = v128.or(
        v128.or(i8x16.swizzle(first, q), i8x16.swizzle(second, i8x16.sub(q, sixteen))),
        v128.or(i8x16.swizzle(third, i8x16.sub(q, thirtyTwo)), i8x16.swizzle(fourth, i8x16.sub(q, fortyEight))),
      )
      a = i16x8.add(a, i16x8.extend_low_i8x16_u(x))
      b = i16x8.add(b, i16x8.extend_high_i8x16_u(x))
      c = i16x8.add(c, i16x8.extend_low_i8x16_u(y))
      d = i16x8.add(d, i16x8.extend_high_i8x16_u(y))
    }
    const to = scores + (place << 1)
    v128.store(to, a)
    v128.store(to, b, 16)
    v128.store(to, c, 32)
    v128.store(to, d, 48)
    v128.store(mismatches + place, differing)
    v128.store(mismatches + place, alsoDiffering, 16)
    const group = place >> 5
    store<i16>(highestOf + (group << 1), largest(i16x8.max_s(i16x8.max_s(a, b), i16x8.max_s(c, d))) as i16)
    store<u8>(fewestOf + group, least(i8x16.min_u(differing, alsoDiffering)) as u8)
  }
}

/** Score less penalties of the eight places from `place` on. */
function penalised(place: usize, penalty: v128): v128 {
  const differing = v128.load8x8_u(mismatches + place)
  return i16x8.sub(v128.load(scores + (place << 1)), i16x8.mul(differing, penalty))
}

function largest(scores: v128): i32 {
  let most = i16x8.max_s(scores, i8x16.shuffle(scores, scores, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  most = i16x8.max_s(most, i8x16.shuffle(most, most, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11))
  most = i16x8.max_s(most, i8x16.shuffle(most, most, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13))
  return i16x8.extract_lane_s(most, 0) as i32
}

function least(counts: v128): i32 {
  let few = i8x16.min_u(counts, i8x16.shuffle(counts, counts, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
  few = i8x16.min_u(few, i8x16.shuffle(few, few, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11))
  few = i8x16.min_u(few, i8x16.shuffle(few, few, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13))
  few = i8x16.min_u(few, i8x16.shuffle(few, few, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14))
  return i8x16.extract_lane_u(few, 0) as i32
}

/** No place of the 32 from `place` on has a higher score less penalties. */
function bound(place: usize, penalty: i32): i32 {
  const group = place >> 5
  return (load<i16>(highestOf + (group << 1)) as i32) - penalty * (load<u8>(fewestOf + group) as i32)
}

export function highest(from: i32, to: i32, penalty: i32): i32 {
  const each = i16x8.splat(penalty as i16)
  let most = -16000
  for (let start = from as usize; start < (to as usize); start += 32) {
    if (bound(start, penalty) <= most) continue
    const first = i16x8.max_s(penalised(start, each), penalised(start + 8, each))
    const second = i16x8.max_s(penalised(start + 16, each), penalised(start + 24, each))
    const here = largest(i16x8.max_s(first, second))
    if (here > most) most = here
  }
  return most
}

export function between(from: i32, to: i32, penalty: i32, low: i32, high: i32): i32 {
  const each = i16x8.splat(penalty as i16)
  const lowest = i16x8.splat(low as i16)
  const beyond = i16x8.splat(high as i16)
  let count = 0
  for (let start = from as usize; start < (to as usize); start += 32) {
    if (bound(start, penalty) < low) continue
    for (let place = start; place < start + 32; place += 8) {
      const score = penalised(place, each)
      let within = i16x8.bitmask(v128.and(i16x8.ge_s(score, lowest), i16x8.lt_s(score, beyond)))
      while (within !== 0) {
        store<i32>(found + ((count as usize) << 2), (place as i32) + ctz(within))
        within &= within - 1
        count++
      }
    }
  }
  return count
}
