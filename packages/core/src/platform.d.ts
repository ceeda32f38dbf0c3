/** The pieces of the platform that core uses: the Encoding Standard's decoder and encoder, alike in Node, workers and browsers. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: Uint8Array, options?: { stream?: boolean }): string
}

declare class TextEncoder {
  encode(input?: string): Uint8Array
}
