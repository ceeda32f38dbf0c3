/** What a kernel in WebAssembly needs of the platform; null where it lacks SIMD or the memory, and the scalar twin runs. */
export function compile(base64: string): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))
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
