import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { requestSchema, type TableOutput } from '../description/description.js'
import { isListed, isWithin, printedCells, subsets } from './crossed.js'

const data = tableOf('t', { sex: ['f', 'm', 'f'], ill: ['yes', 'no', null], income: [1, 2, 3] })

function cellsOf(more: object) {
  const [output] = requestSchema.parse({ outputs: [{ id: 't', kind: 'table', by: ['sex', 'ill'], ...more }] }).outputs
  const { cells, all } = printedCells(output as TableOutput, data)
  return { named: cells.map(({ element, rows }) => `${element}: ${rows.length}`), all: all.length }
}

it('every combination has a cell, also those that no complete record is in', () => {
  expect(cellsOf({}).named).toEqual(['sex=f, ill=no: 0', 'sex=f, ill=yes: 1', 'sex=m, ill=no: 1', 'sex=m, ill=yes: 0'])
})

it('totals come after the cells; what is suppressed is crossed, but not printed', () => {
  const { named, all } = cellsOf({ totals: true, suppressed: [{ sex: 'f' }, { sex: 'm', ill: 'no' }] })
  expect(named).toEqual([
    'sex=f, ill=no: 0',
    'sex=f, ill=yes: 1',
    'sex=m, ill=yes: 0',
    'sex=m: 1',
    'ill=no: 1',
    'ill=yes: 1',
    'total: 2',
  ])
  expect(all).toBe(9)
})

it('a cell is listed as it is, and lies within every line that names less', () => {
  expect([isListed({ a: '1' }, [{ a: '1', b: '2' }]), isListed({ a: '1', b: '2' }, [{ b: '2', a: '1' }])]).toEqual([
    false,
    true,
  ])
  expect([
    isWithin({ a: '1', b: '2' }, { b: '2' }),
    isWithin({ a: '1' }, { b: '2' }),
    isWithin({ a: '1' }, {}),
  ]).toEqual([true, false, true])
  expect(subsets(['a', 'b'])).toEqual([[], ['a'], ['b'], ['a', 'b']])
})
