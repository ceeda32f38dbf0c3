import type { Table } from '../../../table/table.js'
import type { Output } from '../../description/description.js'
import type { CodedVariable } from '../records/coded-records.js'
import { frameOf, type Prepared } from './aims.js'
import { prepareCells, prepareCorrelation } from './moments-aims.js'
import { prepareRegression } from './regression-aims.js'

/** Everything about an output that does not depend on its numbers. `data` has its columns and levels. */
export function prepareOutput(output: Output, data: Table, variables: readonly CodedVariable[]): Prepared {
  const frame = frameOf(output, data, variables)
  if (output.kind === 'regression') return prepareRegression(output, data, frame)
  return output.kind === 'correlation' ? prepareCorrelation(output, frame) : prepareCells(output, frame)
}
