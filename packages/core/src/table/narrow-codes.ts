/** Codes in the smallest words that hold them: what is looked up at random, or by the million, should stay in the cache. */
export type NarrowCodes = Uint8Array | Uint16Array | Int32Array

/** Room for `length` codes below `cardinality`. */
export function roomForCodes(cardinality: number, length: number): NarrowCodes {
  if (cardinality <= 2 ** 8) return new Uint8Array(length)
  return cardinality <= 2 ** 16 ? new Uint16Array(length) : new Int32Array(length)
}

export function narrowCodes(codes: Int32Array, cardinality: number): NarrowCodes {
  const narrow = roomForCodes(cardinality, codes.length)
  narrow.set(codes)
  return narrow
}
