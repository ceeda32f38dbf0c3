import { expect, it } from 'vitest'
import { valueAt } from '../table/column.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { perturb } from './perturb.js'

const values = (of: Table, name: string) =>
  Array.from({ length: of.rows }, (_, row) => valueAt(columnOf(of, name), row))

const ROWS = 5000
const people = tableOf('people', {
  id: Array.from({ length: ROWS }, (_, row) => row),
  group: Array.from({ length: ROWS }, (_, row) => (row % 10 === 0 ? null : `g${row % 3}`)),
})

const unchanged = (release: Table) => values(release, 'id').filter((id, row) => id === row).length / ROWS

it('changes about the share of cells asked for, to the value of another record', () => {
  const release = perturb(people, { share: 0.1, seed: 1 })
  expect(unchanged(release)).toBeGreaterThan(0.88)
  expect(unchanged(release)).toBeLessThan(0.92)
  expect(values(release, 'id').every((id) => typeof id === 'number' && id >= 0 && id < ROWS)).toBe(true)
})

it('never takes the own value when every cell changes', () => {
  expect(unchanged(perturb(people, { share: 1, seed: 1 }))).toBe(0)
})

it('changes nothing for share 0, and nothing but the columns named', () => {
  expect(values(perturb(people, { share: 0, seed: 1 }), 'group')).toEqual(values(people, 'group'))
  const release = perturb(people, { share: 0.5, columns: ['group'], seed: 1 })
  expect(values(release, 'id')).toEqual(values(people, 'id'))
  expect(values(release, 'group')).not.toEqual(values(people, 'group'))
})

it('adds noise to numbers in standard deviations of their column and leaves missing values alone', () => {
  const noisy = perturb(tableOf('t', { x: Array.from({ length: ROWS }, (_, row) => (row === 0 ? null : row)) }), {
    share: 0,
    noise: 0.1,
    seed: 1,
  })
  const changes = values(noisy, 'x')
    .slice(1)
    .map((value, k) => Number(value) - (k + 1))
  const sd = Math.sqrt(changes.reduce((total, change) => total + change ** 2, 0) / changes.length)
  expect(sd / (ROWS / Math.sqrt(12))).toBeCloseTo(0.1, 2)
  expect(values(noisy, 'x')[0]).toBeNull()
})

it('leaves a single record as it is', () => {
  expect(values(perturb(tableOf('one', { x: [3] }), { share: 1, seed: 1 }), 'x')).toEqual([3])
})
