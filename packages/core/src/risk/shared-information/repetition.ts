/** stub for experiments */
export function withoutRepetition(_points: number, _originals: Int32Array, _released: Int32Array): Int32Array | null {
  return null
}
