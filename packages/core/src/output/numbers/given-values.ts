import { fixed } from '../../print.js'
import { cellName, type Output } from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { classTerm } from './regression.js'

/** A printed number: which, and what it says. */
export interface GivenValue {
  readonly element: string
  readonly statistic: string
  readonly value: number
}

/** The numbers that a request gives for an output. */
export function givenValues(output: Output): GivenValue[] {
  switch (output.kind) {
    case 'regression':
      return (output.values ?? []).flatMap(({ term, level, ...numbers }) => {
        const element = level === undefined ? term : classTerm(level, term)
        return Object.entries(numbers).map(([statistic, value]) => ({ element, statistic, value: Number(value) }))
      })
    case 'table':
      return (output.values ?? []).map(({ cell, value }) => ({
        element: cellName(output.by, cell),
        statistic: output.statistic,
        value,
      }))
    case 'summary':
      return (output.values ?? []).flatMap(({ group, ...numbers }) => {
        const element = output.by.length === 0 ? output.var : cellName(output.by, group ?? {})
        return Object.entries(numbers).map(([statistic, value]) => ({ element, statistic, value: Number(value) }))
      })
    case 'correlation':
      return (output.values ?? []).map(({ pair, value }) => ({
        element: inOrder(pair, output.vars).join(', '),
        statistic: output.method,
        value,
      }))
  }
}

function inOrder(pair: readonly [string, string], vars: readonly string[]): readonly string[] {
  return vars.indexOf(pair[0]) <= vars.indexOf(pair[1]) ? pair : [pair[1], pair[0]]
}

/** Of half a unit of the last digit; what binary numbers cannot hold exactly. */
const ROUNDING = 1e-7
const SHOWN = 3

const ofValue = ({ element, statistic }: { readonly element: string; readonly statistic: string }) =>
  `${element}\n${statistic}`

/** Numbers that are given and that no data could have: a term, a cell or a statistic that the description does not ask for. */
export function unaskedProblems(output: Output, { values, dropped }: Recomputed): string[] {
  const asked = new Set(values.map(ofValue))
  const undefinedHere = new Set(dropped.map(({ element }) => element))
  return givenValues(output).flatMap((value) =>
    asked.has(ofValue(value)) || undefinedHere.has(value.element)
      ? []
      : [`${placeOf(output, value)} is given, but ${UNASKED}`],
  )
}

const UNASKED = 'the description does not ask for it'

function placeOf({ id }: Output, { element, statistic }: GivenValue): string {
  return `output "${id}": ${element} ${statistic}`
}

/** What the data say otherwise than the request: a printed 0.34 is any value from 0.335 to 0.345. */
export function givenProblems(output: Output, { values, dropped }: Recomputed, data: string): string[] {
  const computed = new Map(values.map((value) => [ofValue(value), value]))
  const problems = givenValues(output).flatMap((printed) => {
    const { element, value } = printed
    const same = computed.get(ofValue(printed))
    const place = placeOf(output, printed)
    if (same === undefined) {
      const why = dropped.find((one) => one.element === element)?.reason
      return [`${place} is given, but ${why ?? UNASKED}`]
    }
    const slack = same.precision * (1 + ROUNDING) + Math.abs(same.value) * Number.EPSILON
    if (Math.abs(same.value - value) <= slack) return []
    return [`${place} is given as ${value}, but ${data} gives ${fixed(same.value, same.decimals)}`]
  })
  return problems.length <= SHOWN
    ? problems
    : [...problems.slice(0, SHOWN), `output "${output.id}": ${problems.length - SHOWN} more of its numbers differ`]
}
