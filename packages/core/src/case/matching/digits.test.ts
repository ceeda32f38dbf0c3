import { expect, it } from 'vitest'
import { columnOf, tableOf } from '../../table/table.js'
import { withCommonDigits } from './digits.js'

const values = (table: ReturnType<typeof tableOf>, column: string) => {
  const found = columnOf(table, column)
  return found.kind === 'numeric' ? [...found.values] : []
}
const long = tableOf('a.rds', { x: [1 / 3, 2 / 3, 5, null], y: [0.1, 0.2, 0.3, 0.25] })
const written = tableOf('b.csv', { x: [0.333333333333333, 7.5, 5, null], y: [0.1, 0.2, 0.3, 0.25] })

it('numbers with all digits meet the same numbers with 15', () => {
  const { tables, columns } = withCommonDigits([long, written])
  expect(columns).toEqual(['x'])
  expect(values(tables[0], 'x')).toEqual([0.333333333333333, 0.666666666666667, 5, Number.NaN])
  expect(values(tables[1], 'x')).toEqual([0.333333333333333, 7.5, 5, Number.NaN])
  expect(withCommonDigits([written, long]).columns).toEqual(['x'])
})

it('nothing is rounded where all have all digits, all have 15, or no value would meet another', () => {
  const other = tableOf('c.csv', { x: [0.125, 0.5, 0.75, 0.1], y: [0.1, 0.2, 0.3, 0.4] })
  for (const pair of [
    [long, long],
    [written, written],
    [long, other],
  ])
    expect(withCommonDigits(pair)).toEqual({ tables: pair, columns: [] })
})
