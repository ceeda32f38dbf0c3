import { math } from '@scrim/kernels'
import { UserError } from '../../../errors.js'
import { fixed } from '../../../print.js'
import { parseCondition } from '../../../table/condition.js'
import { columnOf, type Table } from '../../../table/table.js'
import { type Output, variablesOf } from '../../description/description.js'
import type { OutputValue } from '../../description/value.js'
import { type CodedVariable, decoded, emptyCodes } from '../records/coded-records.js'
import { codesAt, jointCode } from '../records/joint-code.js'
import type { Aim } from '../records/ledger.js'
import type { ScoreAim } from '../records/score.js'
import type { Aims, Included } from '../records/statistic.js'

/**
 * From a described output and its numbers to what a search can aim at. The numbers are taken as printed: what an outsider has.
 * A percentage is held as a count of its total, as if the total were public.
 */
export const SCALES = ['joint', 'se', 'raw', 'print'] as const
/**
 * What a difference is divided by: the standard error of the number, nothing, or half a unit of its last printed digit. `joint` is
 * `se` with the coefficients of a model taken together.
 */
export type Scale = (typeof SCALES)[number]

export interface Prepared {
  readonly output: Output
  /** The aims for these numbers, weighing `share` in the error; `base` has the coefficients that scores are taken at, if not the printed ones. */
  aims(values: readonly OutputValue[], scale: Scale, share: number, base?: 'printed' | 'exact'): Aim[]
  /** Why a part of it cannot be aimed at. */
  readonly left: readonly string[]
}

/** What all aims of an output share: the variables, the records that it is about, and their weights. */
export interface Frame {
  readonly variables: readonly CodedVariable[]
  indexOf(name: string): number
  readonly included: Included
  readonly weight: ScoreAim['weight']
}

/** `data` has the columns and levels of the output. */
export function frameOf(output: Output, data: Table, variables: readonly CodedVariable[]): Frame {
  const indexOf = (name: string) => variables.findIndex((variable) => variable.name === name)
  const variable = output.weights === null ? -1 : indexOf(output.weights)
  const weight = variable < 0 ? null : { variable, values: withoutNaN(variables[variable].values) }
  return { variables, indexOf, included: includedBy(output, data, variables, indexOf), weight }
}

/** What is the same in every aim of an output. */
export function framed({ variables, included, weight }: Frame) {
  return { variables: variables.length, included, weight }
}

/** A number as it is printed. */
export function asPrinted({ value, decimals, precision }: OutputValue): number {
  const isRounded = precision > 0.5 / math.pow(10, decimals)
  return isRounded ? value : Number(fixed(value, Math.min(decimals, 15)))
}

export function aimsFor(values: readonly OutputValue[], scale: Scale, share: number): Aims {
  return {
    targets: Float64Array.from(values, asPrinted),
    halfUnits: Float64Array.from(values, ({ precision }) => precision),
    scales: Float64Array.from(values, (value) => scaleOf(value, scale)),
    weights: new Float64Array(values.length).fill(share),
  }
}

const WITHOUT_ERROR = 0.01

/** A number without a standard error counts as known to 1 %. */
function scaleOf({ value, precision, standardError }: OutputValue, scale: Scale): number {
  if (scale === 'raw') return 1
  if (scale === 'print') return precision
  const known = standardError !== null && standardError > 0 ? standardError : WITHOUT_ERROR * Math.abs(value)
  return Math.max(known, precision)
}

/** Finds a number by what it is of. */
export function finder(
  values: readonly OutputValue[],
): (statistic: string, element: string) => OutputValue | undefined {
  const byName = new Map(values.map((value) => [`${value.statistic} ${value.element}`, value]))
  return (statistic, element) => byName.get(`${statistic} ${element}`)
}

export function withoutNaN(values: Float64Array): Float64Array {
  return values.map((value) => (Number.isNaN(value) ? 0 : value))
}

/** Centre and standard deviation of the numbers that a variable can have, each once; 1 where they do not vary. */
export function spreadOf(values: Float64Array): { readonly centre: number; readonly spread: number } {
  const known = values.filter((value) => !Number.isNaN(value))
  const n = Math.max(1, known.length)
  const centre = known.reduce((sum, value) => sum + value, 0) / n
  return { centre, spread: Math.sqrt(known.reduce((sum, value) => sum + (value - centre) ** 2, 0) / n) || 1 }
}

const MOST_JOINT = 4_000_000

/** Records of the filter in which nothing that the output needs is missing. */
function includedBy(
  output: Output,
  data: Table,
  variables: readonly CodedVariable[],
  indexOf: Frame['indexOf'],
): Included {
  const needed = variablesOf(output)
  const allowed = variables.flatMap(({ name, labels, missing }, variable) => {
    if (missing < 0 || !needed.includes(name)) return []
    return [{ variable, codes: Uint8Array.from(labels, (_, code) => (code === missing ? 0 : 1)) }]
  })
  if (output.filter === null) return { allowed, joint: null }
  const condition = parseCondition(output.filter, data, `output "${output.id}": filter`)
  const joint = jointCode(condition.names.map(indexOf), variables)
  const { by, places } = joint
  if (places > MOST_JOINT)
    throw new UserError(
      `output "${output.id}": the variables of its filter have ${places} combinations, more than ${MOST_JOINT}`,
    )
  const subset = by.map(({ variable }) => variables[variable])
  const codes = emptyCodes(subset, places)
  for (let place = 0; place < places; place++) codes.set(codesAt(joint, place), place * by.length)
  const all = decoded('filter', { variables: subset, codes, rows: places })
  return { allowed, joint: { by, holds: condition.holds((name) => columnOf(all, name), places) } }
}
