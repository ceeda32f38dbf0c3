/** The pieces of the platform that kernels use, alike in Node, workers and browsers. */
declare function atob(base64: string): string

declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}

/** Of ECMAScript 2024; engines that do not know it pass it over. */
interface ArrayBufferConstructor {
  new (byteLength: number, options: { readonly maxByteLength?: number }): ArrayBuffer
}
interface SharedArrayBufferConstructor {
  new (byteLength: number, options: { readonly maxByteLength?: number }): SharedArrayBuffer
}
