import { countShared, isSharable, shared } from '@scrim/kernels'

/** Data of a job with its large arrays in memory that all workers share: one copy for all of them, and none of what is shared already. */
export function sharing(value: unknown, known = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isSharable(value)) return once(value, known, () => shared(value))
  if (Array.isArray(value)) {
    // Texts and numbers hold no arrays; of a list the first element tells.
    if (typeof value[0] !== 'object') return value
    return once(value, known, () => value.map((element) => sharing(element, known)))
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return once(value, known, () =>
    Object.fromEntries(Object.entries(value).map(([name, element]) => [name, sharing(element, known)])),
  )
}

/** Counts the shared arrays of a message that came: they would not make this thread collect what is done with. */
export function countingShared<Message>(message: Message): Message {
  visit(message, new Set())
  return message
}

function visit(value: unknown, known: Set<object>): void {
  if (typeof value !== 'object' || value === null || known.has(value)) return
  known.add(value)
  if (isSharable(value)) countShared(value)
  if (ArrayBuffer.isView(value) || (Array.isArray(value) && typeof value[0] !== 'object')) return
  for (const element of Object.values(value)) visit(element, known)
}

/** What is named twice stays one. */
function once(value: object, known: Map<object, unknown>, make: () => unknown): unknown {
  if (!known.has(value)) known.set(value, make())
  return known.get(value)
}
