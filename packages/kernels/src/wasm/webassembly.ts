/** What a kernel in WebAssembly needs of the platform; null where it lacks SIMD or the memory, and the scalar twin runs. */
export function compile(base64: string): WebAssembly.Module | null {
  try {
    const letters = atob(base64)
    const bytes = new Uint8Array(letters.length)
    for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at)
    return new WebAssembly.Module(bytes)
  } catch {
    return null
  }
}

const PAGE = 65_536

export function memoryOf(bytes: number): WebAssembly.Memory | null {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
  } catch {
    return null
  }
}

/** Makes arrays of zeros, and arrays with given values: a copy to write to, or one to read, which may be the given one itself. */
export interface Room {
  readonly int32: (length: number) => Int32Array
  readonly float64: (length: number) => Float64Array
  /** The same with whatever is there, for what is written before it is read: memory that is not touched costs nothing. */
  readonly unclearedInt32: (length: number) => Int32Array
  readonly unclearedFloat64: (length: number) => Float64Array
  readonly uint8: (length: number) => Uint8Array
  readonly uint16: (length: number) => Uint16Array
  readonly copied: (values: Int32Array) => Int32Array
  readonly sharedCodes: (values: Int32Array) => Int32Array
  readonly sharedNumbers: (values: Float64Array) => Float64Array
}

export const plainRoom: Room = {
  int32: (length) => new Int32Array(length),
  float64: (length) => new Float64Array(length),
  unclearedInt32: (length) => new Int32Array(length),
  unclearedFloat64: (length) => new Float64Array(length),
  uint8: (length) => new Uint8Array(length),
  uint16: (length) => new Uint16Array(length),
  copied: (values) => values.slice(),
  sharedCodes: (values) => values,
  sharedNumbers: (values) => values,
}

const LARGEST_KEPT = 2 ** 26

/**
 * Gives a kernel, with room for so many bytes that is empty; null where the platform cannot. There is one instance, whose memory grows, unless
 * it was large: code is compiled for the functions that it calls, and would be anew for those of another.
 * @param wrap what is made of the exports, once for each instance
 * @param imports functions that the kernel calls, by module and name
 */
export function keptKernel<Exports, Kernel>(
  base64: string,
  wrap: (exports: Exports) => Kernel,
  imports: Readonly<Record<string, Readonly<Record<string, () => void>>>> = {},
): (bytes: number) => { readonly room: Room; readonly kernel: Kernel } | null {
  let compiled: WebAssembly.Module | null | undefined
  let kept: { readonly memory: WebAssembly.Memory; readonly kernel: Kernel } | null = null
  return (bytes) => {
    compiled ??= compile(base64)
    if (compiled === null) return null
    if (kept === null) {
      const memory = memoryOf(bytes)
      if (memory === null) return null
      const { exports } = new WebAssembly.Instance(compiled, { ...imports, env: { memory } })
      kept = { memory, kernel: wrap(exports as unknown as Exports) }
    }
    const { memory, kernel } = kept
    if (!growTo(memory, bytes)) return null
    if (memory.buffer.byteLength > LARGEST_KEPT) kept = null
    return { room: roomIn(memory.buffer), kernel }
  }
}

function growTo(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE)
  try {
    if (missing > 0) memory.grow(missing)
    return true
  } catch {
    return false
  }
}

/** One array after the other, from the front; each begins at a multiple of 8. */
function roomIn(buffer: ArrayBuffer): Room {
  let used = 0
  const reserve = (bytes: number): number => {
    const at = used
    used += Math.ceil(bytes / 8) * 8
    return at
  }
  const copied = (values: Int32Array): Int32Array => {
    const copy = new Int32Array(buffer, reserve(4 * values.length), values.length)
    copy.set(values)
    return copy
  }
  const unclearedInt32 = (length: number) => new Int32Array(buffer, reserve(4 * length), length)
  const unclearedFloat64 = (length: number) => new Float64Array(buffer, reserve(8 * length), length)
  return {
    int32: (length) => unclearedInt32(length).fill(0),
    float64: (length) => unclearedFloat64(length).fill(0),
    unclearedInt32,
    unclearedFloat64,
    uint8: (length) => new Uint8Array(buffer, reserve(length), length).fill(0),
    uint16: (length) => new Uint16Array(buffer, reserve(2 * length), length).fill(0),
    copied,
    sharedCodes: copied,
    sharedNumbers: (values) => {
      const copy = new Float64Array(buffer, reserve(8 * values.length), values.length)
      copy.set(values)
      return copy
    },
  }
}
