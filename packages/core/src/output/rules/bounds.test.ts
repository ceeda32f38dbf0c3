import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { check, rulesOf } from '../../testing/scenes/checked-people.js'
import { frechet } from './bounds.js'

it('bounds a joint cell by its margins: 3 of 10 and 9 of 10 share 2 or 3', () => {
  const exactly = (value: number) => ({ lower: value, upper: value })
  expect(frechet(exactly(3), exactly(9), 10)).toEqual({ lower: 2, upper: 3 })
})

it('finds a small cell that tables fix together though none of them shows it', () => {
  const counts = [
    ['1', '1', '1', 1],
    ['1', '1', '2', 12],
    ['1', '2', '1', 12],
    ['2', '1', '1', 12],
    ['2', '1', '2', 15],
    ['2', '2', '1', 15],
  ] as const
  const column = (at: 0 | 1 | 2) => counts.flatMap((one) => Array(one[3]).fill(one[at]))
  const data = tableOf('cube.csv', { a: column(0), b: column(1), c: column(2) })
  const pairs = [
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ].map((by) => ({ id: by.join(''), kind: 'table', by }))
  const appetite = { zeros: false }
  expect(rulesOf(check(pairs.slice(0, 2), { appetite }, data))).toEqual([])
  const found = check(pairs, { appetite }, data)
  expect(found.outputs[0].findings.map(({ rule, element, found }) => [rule, element, found])).toContainEqual([
    'bounds',
    'a=1, b=1, c=1',
    1,
  ])
  expect(found.outputs[0].findings[0].sentence).toContain('"ab" and "ac" and "bc" fix a=1, b=1, c=1 at 1 record')
})
