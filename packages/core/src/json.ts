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
