/**
 * Arrays that threads can share: views of memory that is sent to a worker without a copy. Where there is no such memory, as on
 * a page that is not isolated from other sites, and where an array is so small that a copy is cheaper, they are plain arrays.
 */
export const sharedUint8 = (length: number): Uint8Array => new Uint8Array(bufferOf(length), 0, length)
export const sharedUint16 = (length: number): Uint16Array => new Uint16Array(bufferOf(2 * length), 0, length)
export const sharedInt32 = (length: number): Int32Array => new Int32Array(bufferOf(4 * length), 0, length)
export const sharedFloat32 = (length: number): Float32Array => new Float32Array(bufferOf(4 * length), 0, length)
export const sharedFloat64 = (length: number): Float64Array => new Float64Array(bufferOf(8 * length), 0, length)

/** Arrays that no other thread need see, and that are soon done with: the long ones have pages of their own, as `ofPages` says. */
export const longInt32 = (length: number): Int32Array => new Int32Array(bufferOf(4 * length, WORTH_PAGES), 0, length)
export const longUint32 = (length: number): Uint32Array => new Uint32Array(bufferOf(4 * length, WORTH_PAGES), 0, length)
export const longFloat64 = (length: number): Float64Array =>
  new Float64Array(bufferOf(8 * length, WORTH_PAGES), 0, length)

/** In bytes: what is smaller is copied. */
const WORTH_SHARING = 65_536
/** In bytes: of what is smaller the allocator keeps little, and pages cost more than it. */
const WORTH_PAGES = 2 ** 20

const canShare = typeof SharedArrayBuffer === 'function'

/**
 * Shared memory counts for nothing when V8 decides whether to collect garbage, so that what is done with would pile up. Hence
 * each large piece keeps a plain one of its size: that counts, and takes no memory as long as nobody writes to it.
 */
const counted = new WeakMap<SharedArrayBuffer, ArrayBuffer>()

/**
 * Buffers that could grow are pages of their own, which go back to the system when they are done with and take none before
 * they are written to. Of others the allocator of the system keeps much, with holes. None ever grows.
 */
const ofPages = (bytes: number) => (bytes < WORTH_PAGES ? {} : { maxByteLength: bytes })

function bufferOf(bytes: number, least = WORTH_SHARING): ArrayBufferLike {
  if (!canShare || bytes < least) return new ArrayBuffer(bytes)
  const buffer = new SharedArrayBuffer(bytes, ofPages(bytes))
  if (bytes >= WORTH_PAGES) counted.set(buffer, new ArrayBuffer(bytes, ofPages(bytes)))
  return buffer
}

/** Counts what is shared with another thread, from which it came, where it is much. */
export function countShared({ buffer }: SharableArray): void {
  if (!canShare || !(buffer instanceof SharedArrayBuffer)) return
  if (buffer.byteLength < WORTH_PAGES || counted.has(buffer)) return
  counted.set(buffer, new ArrayBuffer(buffer.byteLength, ofPages(buffer.byteLength)))
}

type SharableArray = Int32Array | Uint32Array | Float32Array | Float64Array | Uint8Array | Uint16Array

export const isSharable = (value: unknown): value is SharableArray =>
  value instanceof Int32Array ||
  value instanceof Float64Array ||
  value instanceof Float32Array ||
  value instanceof Uint8Array ||
  value instanceof Uint16Array ||
  value instanceof Uint32Array

/** The array itself where it is shared already or need not be, else a shared copy. */
export function shared<Numbers extends SharableArray>(array: Numbers): Numbers {
  if (!canShare || array.byteLength < WORTH_SHARING || array.buffer instanceof SharedArrayBuffer) return array
  const make = array.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => Numbers
  const copy = new make(bufferOf(array.byteLength), 0, array.length)
  copy.set(array)
  return copy
}
