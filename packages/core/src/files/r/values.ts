/** What R keeps, as far as tables need it. Code, environments and pointers are read past. */
export type RValue = RVector | RSequence | RTexts | RList | RSymbol | RObject | RNothing

interface WithAttributes {
  readonly attributes: Attributes
}

export type Attributes = ReadonlyMap<string, RValue>

export interface RVector extends WithAttributes {
  readonly type: 'logical' | 'integer' | 'double'
  readonly values: Int32Array | Float64Array
}

/** `1:n` as R keeps it, not written out: a few bytes may stand for billions of numbers. */
export interface RSequence extends WithAttributes {
  readonly type: 'sequence'
  readonly length: number
  readonly from: number
  readonly step: number
}

/** `null` is NA. */
export interface RTexts extends WithAttributes {
  readonly type: 'texts'
  readonly values: readonly (string | null)[]
}

/** A list, or the pairs of a call or an attribute list. */
interface RList extends WithAttributes {
  readonly type: 'list'
  readonly values: readonly RValue[]
  /** Of pairs; a list has its names among its attributes. */
  readonly tags?: readonly string[]
}

interface RSymbol {
  readonly type: 'symbol'
  readonly name: string
}

/** An object of S4: all that it has are attributes. */
interface RObject extends WithAttributes {
  readonly type: 'object'
}

/** NULL, and what tables do not need. */
export interface RNothing extends WithAttributes {
  readonly type: 'nothing'
  /** What it is, for messages: `NULL`, `a function`, `raw bytes`. */
  readonly what: string
}

export const NO_ATTRIBUTES: Attributes = new Map()
export const NULL: RNothing = { type: 'nothing', what: 'NULL', attributes: NO_ATTRIBUTES }

export function attribute(value: RValue, name: string): RValue | undefined {
  return value.type === 'symbol' ? undefined : value.attributes.get(name)
}

export function textsOf(value: RValue | undefined): readonly (string | null)[] {
  return value?.type === 'texts' ? value.values : []
}

export function classesOf(value: RValue): readonly (string | null)[] {
  return textsOf(attribute(value, 'class'))
}

export function hasClass(value: RValue, name: string): boolean {
  return classesOf(value).includes(name)
}

/** The parts of a list with their names, or of an S4 object with those of its slots. */
export function partsOf(value: RValue): readonly (readonly [string, RValue])[] {
  if (value.type === 'object') return [...value.attributes]
  if (value.type !== 'list') return []
  const names = value.tags ?? textsOf(attribute(value, 'names'))
  return value.values.map((part, k) => [names[k] ?? '', part])
}

export function part(value: RValue, name: string): RValue | undefined {
  return partsOf(value).find(([own]) => own === name)?.[1]
}

/** The numbers of a short vector; none where it is not one. */
export function numbersOf(value: RValue | undefined): readonly number[] {
  if (value?.type === 'sequence' && value.length <= 1e5)
    return Array.from({ length: value.length }, (_, k) => value.from + k * value.step)
  return value !== undefined && 'values' in value && (value.type === 'integer' || value.type === 'double')
    ? Array.from(value.values)
    : []
}
