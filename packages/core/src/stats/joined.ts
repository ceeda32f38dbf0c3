/** Numbers, or codes, of several groups of records one after the other. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lengthOf(parts))
  for (let k = 0, at = 0; k < parts.length; at += parts[k++].length) all.set(parts[k], at)
  return all
}

export function joinedCodes(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lengthOf(parts))
  for (let k = 0, at = 0; k < parts.length; at += parts[k++].length) all.set(parts[k], at)
  return all
}

function lengthOf(parts: readonly ArrayLike<number>[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
