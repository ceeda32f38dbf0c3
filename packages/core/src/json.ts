/** What JSON can hold. Numbers in results are finite; what has no value is null, with its reason beside it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

export type JsonObject = { readonly [key: string]: Json | undefined }

/** The path of the first number that JSON cannot hold, or undefined. */
export function nonFinitePath(value: Json | undefined, path = ''): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = nonFinitePath(inner, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** A place in a file, as one would write it in a program: `waivers[0].reason`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  )
}

/** What stands at a place of a file that may have any form. */
export function atPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}

const LONGEST_SHOWN = 40

/** A value in a sentence. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value)
  return json.length > LONGEST_SHOWN ? `${json.slice(0, LONGEST_SHOWN)}...` : json
}
