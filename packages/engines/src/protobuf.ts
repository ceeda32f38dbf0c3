/**
 * The little of the Protocol Buffers wire format that Spark Connect needs: messages of texts, bytes, whole numbers and messages. A
 * field is its number and its value; what is not known is passed over.
 */
type Value = string | number | Uint8Array | readonly Entry[]
export type Entry = readonly [field: number, value: Value]

const [WHOLE_NUMBER, LENGTH_DELIMITED] = [0, 2]

export function encoded(entries: readonly Entry[]): Uint8Array {
  const parts = entries.map(([field, value]) => {
    if (typeof value === 'number') return [varint(field * 8 + WHOLE_NUMBER), varint(value)]
    const bytes =
      typeof value === 'string' ? new TextEncoder().encode(value) : value instanceof Uint8Array ? value : encoded(value)
    return [varint(field * 8 + LENGTH_DELIMITED), varint(bytes.length), bytes]
  })
  return concatenated(parts.flat())
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Uint8Array.from([...bytes, rest])
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The fields of a message: numbers as numbers, all else as its bytes. The last of several wins, as the format says. */
export function decoded(bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> {
  const fields = new Map<number, number | Uint8Array>()
  let at = 0
  const number = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      if (at >= bytes.length) throw new Error('a message is cut short')
      const byte = bytes[at++]
      value += (byte % 128) * scale
      if (byte < 128) return value
    }
  }
  const skip = (length: number) => {
    if (at + length > bytes.length) throw new Error('a message is cut short')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = number()
    const field = Math.floor(key / 8)
    const form = key % 8
    if (form === WHOLE_NUMBER) fields.set(field, number())
    else if (form === 1) skip(8)
    else if (form === LENGTH_DELIMITED) fields.set(field, skip(number()))
    else if (form === 5) skip(4)
    else throw new Error(`a message has a field of the form ${form}`)
  }
  return fields
}
