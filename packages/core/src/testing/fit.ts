import type { Classes, FitContext, Numbers } from '../learners/learner.js'
import { stream } from '../random/stream.js'
import { columnOf, type Table } from '../table/table.js'
import { inline } from '../tasks/task.js'

/** A context to fit learners in on this thread. */
export function fitContext(given: Partial<FitContext> = {}): FitContext {
  return {
    random: (purpose, index = 0) => stream(1, `test/${purpose}`, index),
    seed: 1,
    purpose: 'test',
    tasks: inline,
    weights: null,
    ...given,
  }
}

export function classesOf(from: Table, name: string): Classes {
  const column = columnOf(from, name)
  if (column.kind !== 'categorical') throw new Error(`${name} is not categorical`)
  return { kind: 'classes', codes: column.codes, levels: column.levels }
}

export function numbersOf(from: Table, name: string): Numbers {
  const column = columnOf(from, name)
  if (column.kind === 'categorical') throw new Error(`${name} is not numeric`)
  return { kind: 'numbers', values: column.values }
}
