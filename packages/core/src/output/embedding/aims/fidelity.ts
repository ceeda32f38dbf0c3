import type { Task, TaskRunner } from '../../../tasks/task.js'
import type { Output } from '../../description/description.js'
import type { OutputValue, Recomputed } from '../../description/value.js'
import { recomputed } from '../../numbers/recompute.js'
import { type CodedVariable, type Codes, decoded } from '../records/coded-records.js'
import { isReproduced } from '../records/statistic.js'
import { asPrinted } from './aims.js'

/**
 * How well embedded data reproduce an output, by computing it on them as on any other data. `fidelity` is the share of printed
 * numbers that come out within half a unit of their last printed digit, over all embedded sets.
 */
export type Fidelity = {
  readonly output: string
  readonly kind: string
  readonly fidelity: number
  readonly mae: number
  readonly mse: number
  readonly largest: number
  readonly elements: readonly EmbeddedElement[]
}

type EmbeddedElement = {
  readonly element: string
  readonly statistic: string
  readonly published: number
  readonly decimals: number
  readonly precision: number
  readonly standardError: number | null
  /** Over embedded sets; null where it is not defined on any. */
  readonly mean: number | null
  readonly least: number | null
  readonly most: number | null
}

/** All outputs on embedded records. */
export const confirmTask: Task<
  { readonly variables: readonly CodedVariable[]; readonly outputs: readonly Output[] },
  Codes,
  readonly Recomputed[]
> = {
  name: 'output/confirm',
  run({ variables, outputs }, codes) {
    const data = decoded('embedded', { variables, codes, rows: codes.length / variables.length })
    return outputs.map((output) => recomputed(output, data))
  },
}

export async function fidelityOf(
  variables: readonly CodedVariable[],
  outputs: readonly Output[],
  published: readonly Recomputed[],
  embedded: readonly Codes[],
  tasks: TaskRunner,
): Promise<Fidelity[]> {
  const confirmed = await tasks.map(confirmTask, { variables, outputs }, embedded)
  return outputs.map((output, k) =>
    compared(
      output,
      published[k].values,
      confirmed.map((one) => one[k].values),
    ),
  )
}

function compared(
  output: Output,
  published: readonly OutputValue[],
  sets: readonly (readonly OutputValue[])[],
): Fidelity {
  const nameOf = ({ element, statistic }: OutputValue) => `${statistic} ${element}`
  const byName = sets.map((values) => new Map(values.map((value) => [nameOf(value), value.value])))
  let good = 0
  let absolute = 0
  let squared = 0
  let largest = 0
  let count = 0
  const elements = published.map((value) => {
    const target = asPrinted(value)
    const reproduced = byName.map((values) => values.get(nameOf(value)))
    for (const number of reproduced) {
      count++
      if (number === undefined) continue
      const off = Math.abs(number - target)
      if (isReproduced(number, target, value.precision)) good++
      absolute += off
      squared += off * off
      largest = Math.max(largest, off)
    }
    const known = reproduced.filter((one) => one !== undefined)
    return {
      element: value.element,
      statistic: value.statistic,
      published: target,
      decimals: value.decimals,
      precision: value.precision,
      standardError: value.standardError,
      mean: known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length,
      least: known.length === 0 ? null : Math.min(...known),
      most: known.length === 0 ? null : Math.max(...known),
    }
  })
  const n = Math.max(1, count)
  return {
    output: output.id,
    kind: output.kind,
    fidelity: count === 0 ? 1 : good / n,
    mae: absolute / n,
    mse: squared / n,
    largest,
    elements,
  }
}
