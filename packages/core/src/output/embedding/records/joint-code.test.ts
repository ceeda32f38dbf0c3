import { expect, it } from 'vitest'
import { tableOf } from '../../../table/table.js'
import { codedTable } from './coded-records.js'
import { codesAt, firstCodes, jointCode, placeOf } from './joint-code.js'

const { variables } = codedTable(tableOf('t', { a: ['x', 'y', 'x'], b: ['1', '2', '3'], c: ['p', 'q', 'q'] }))

it('the first variable runs fastest, and every joint code comes back as its codes', () => {
  const joint = jointCode([2, 1], variables)
  expect(joint).toEqual({
    by: [
      { variable: 2, stride: 1 },
      { variable: 1, stride: 2 },
    ],
    sizes: [2, 3],
    places: 6,
  })
  expect(Array.from({ length: 6 }, (_, place) => codesAt(joint, place).join(''))).toEqual([
    '00',
    '10',
    '01',
    '11',
    '02',
    '12',
  ])
  // The second record has the codes 1, 1, 1 for a, b and c.
  expect(placeOf(joint.by, Uint8Array.of(0, 0, 0, 1, 1, 1), 3)).toBe(3)
})

it('nothing crossed is one place', () => {
  expect(jointCode([], variables)).toEqual({ by: [], sizes: [], places: 1 })
})

it('tells which codes of the first variable some places have', () => {
  const { by, places } = jointCode([1, 0], variables)
  expect([...firstCodes(by, places, (place) => place === 4 || place === 2)]).toEqual([0, 1, 1])
})
