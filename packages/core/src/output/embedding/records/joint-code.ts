import type { CodedVariable, Codes } from './coded-records.js'

/** A variable and what its code is multiplied with in a joint code Σ code · stride, the first variable running fastest. */
export interface Stride {
  readonly variable: number
  readonly stride: number
}

export interface JointCode {
  readonly by: readonly Stride[]
  readonly sizes: readonly number[]
  /** How many joint codes there are. */
  readonly places: number
}

export function jointCode(axes: readonly number[], variables: readonly CodedVariable[]): JointCode {
  const sizes = axes.map((variable) => variables[variable].labels.length)
  let places = 1
  const by = axes.map((variable, k) => {
    const stride = places
    places *= sizes[k]
    return { variable, stride }
  })
  return { by, sizes, places }
}

/** The joint code of the record that starts at `at`. Hot. */
export function placeOf(by: readonly Stride[], codes: Codes, at: number): number {
  let place = 0
  for (let k = 0; k < by.length; k++) place += codes[at + by[k].variable] * by[k].stride
  return place
}

/** The codes behind a joint code, in the order of its variables. */
export function codesAt({ by, sizes }: JointCode, place: number): number[] {
  return by.map(({ stride }, k) => Math.floor(place / stride) % sizes[k])
}

/** The codes of the first variable at these places, 1 or 0. */
export function firstCodes(by: readonly Stride[], places: number, isIn: (place: number) => boolean): Uint8Array {
  const [{ stride }, next] = by
  const levels = (next?.stride ?? places) / stride
  const codes = new Uint8Array(levels)
  for (let place = 0; place < places; place++) if (isIn(place)) codes[Math.floor(place / stride) % levels] = 1
  return codes
}
