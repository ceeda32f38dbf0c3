import { fixed } from '../../print.js'
import { cellName, type Output } from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { classTerm } from '../numbers/regression.js'

/** A printed number: which, and what it says. */
interface GivenValue {
  readonly element: string
  readonly statistic: string
  readonly value: number
}

/** The numbers that a request gives for an output. */
function givenValues(output: Output): GivenValue[] {
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

/** What the data say otherwise than the request: a printed 0.34 is any value from 0.335 to 0.345. */
export function givenProblems(output: Output, { values, dropped }: Recomputed, data: string): string[] {
  const found = new Map(values.map((value) => [`${value.element}\n${value.statistic}`, value]))
  const problems = givenValues(output).flatMap(({ element, statistic, value }) => {
    const own = found.get(`${element}\n${statistic}`)
    const place = `output "${output.id}": ${element} ${statistic}`
    if (own === undefined) {
      const why = dropped.find((one) => one.element === element)?.reason
      return [`${place} is given, but ${why === undefined ? 'the description does not ask for it' : why}`]
    }
    const slack = own.precision * (1 + ROUNDING) + Math.abs(own.value) * Number.EPSILON
    if (Math.abs(own.value - value) <= slack) return []
    return [`${place} is given as ${value}, but ${data} gives ${fixed(own.value, own.decimals)}`]
  })
  return problems.length <= SHOWN
    ? problems
    : [...problems.slice(0, SHOWN), `output "${output.id}": ${problems.length - SHOWN} more of its numbers differ`]
}
