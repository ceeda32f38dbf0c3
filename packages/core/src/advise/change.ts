import type { Json, JsonObject } from '../json.js'

/**
 * One thing that could be done to a release, as a command of scrim can do it. Changes of one `slot` are doses of one cure and
 * exclude each other. Several changes are a plan; what they amount to is one step per method, in an order that makes sense:
 * a new synthesis first, then removals, then what moves values, then what coarsens them, and suppression last.
 */
export interface Change {
  /** A few words: "age in 5 classes". */
  readonly what: string
  readonly slot: string
  readonly method: string
  readonly options: JsonObject
  /** The dose that is tried first; others only where it helped. */
  readonly first: boolean
}

export interface Step {
  readonly command: 'synthesize' | 'anonymise'
  readonly method: string
  readonly options: JsonObject
}

const ORDER = ['sdc', 'noise', 'pram', 'top-coding', 'recode', 'local-suppression']

/** Methods that recode everybody's values by one rule that the release shows: whoever attacks it recodes what they know alike. */
export const RECODINGS: readonly string[] = ['top-coding', 'recode']

export function stepsOf(plan: readonly Change[]): readonly Step[] {
  const methods = [...new Set(plan.map(({ method }) => method))]
  return methods
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map((method) => ({
      command: ORDER.includes(method) ? 'anonymise' : 'synthesize',
      method,
      options: plan.filter((change) => change.method === method).reduce((all, { options }) => merged(all, options), {}),
    }))
}

/** The plan with a change more; one that takes the place of another dose of the same cure replaces it. */
export function withChange(plan: readonly Change[], change: Change): readonly Change[] {
  return [...plan.filter(({ slot }) => slot !== change.slot), change]
}

export function planText(plan: readonly Change[]): string {
  return plan.length === 0 ? 'as it is' : plan.map(({ what }) => what).join('; ')
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const both = Object.entries(b).map(([name, value]): [string, Json | undefined] => {
    const before = Object.hasOwn(a, name) ? a[name] : undefined
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value]
  })
  return { ...a, ...Object.fromEntries(both) }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
