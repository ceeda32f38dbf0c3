import { type Classes, type FitContext, fitContext as fitWithin, type Numbers } from '../learners/learner.js'
import { columnOf, type Table } from '../table/table.js'
import { inline } from '../tasks/task.js'

/** A context to fit learners in on this thread. */
export function fitContext(given: Partial<FitContext> = {}): FitContext {
  return { ...fitWithin({ seed: 1, tasks: inline }, 'test'), ...given }
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
