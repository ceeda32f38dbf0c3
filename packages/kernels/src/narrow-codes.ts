import { sharedInt32, sharedUint8, sharedUint16 } from './shared-arrays.js'

/** Codes in the smallest words that hold them: what is looked up by the million should stay in the cache. */
export type NarrowCodes = Uint8Array | Uint16Array | Int32Array

/** Room for `length` codes below `cardinality`. */
export function roomForCodes(cardinality: number, length: number): NarrowCodes {
  if (cardinality <= 2 ** 8) return sharedUint8(length)
  return cardinality <= 2 ** 16 ? sharedUint16(length) : sharedInt32(length)
}

export function narrowCodes(codes: Int32Array, cardinality: number): NarrowCodes {
  const narrow = roomForCodes(cardinality, codes.length)
  narrow.set(codes)
  return narrow
}
