/**
 * What is made of one value or of several together, once for as long as all of them live: a task builds its search once on each
 * thread, columns are coded once for all measures.
 */
export function oncePer<Keys extends readonly object[], Made>(make: (...keys: Keys) => Made): (...keys: Keys) => Made {
  const root: Place<Made> = { next: new WeakMap(), made: null }
  return (...keys) => {
    let place = root
    for (const key of keys) {
      const next: Place<Made> = place.next.get(key) ?? { next: new WeakMap(), made: null }
      place.next.set(key, next)
      place = next
    }
    place.made ??= { value: make(...keys) }
    return place.made.value
  }
}

/** By the first value, the second and so on: forgotten with any of them. */
interface Place<Made> {
  readonly next: WeakMap<object, Place<Made>>
  made: { readonly value: Made } | null
}
