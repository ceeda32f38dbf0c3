import { describe, expect, it } from 'vitest'
import { categorical as levelled, numeric } from '../table/column.js'
import { table } from '../table/table.js'
import { distanceOf, type SpaceOptions, space, sumBetween } from './space.js'

/** Tables share their levels, as those of a release do. */
const LEVELS = ['A', 'B', 'C', 'u', 'v']
const categorical = (name: string, labels: readonly (string | null)[]) => levelled(name, labels, { levels: LEVELS })

/** Distances from each record of the first table to each of the second. */
function distances(
  [first, second]: readonly [ReturnType<typeof table>, ReturnType<typeof table>],
  options: SpaceOptions = {},
  real = [0],
): number[][] {
  const of = space(
    [first, second],
    first.columns.map((column) => column.name),
    real,
    options,
  )
  return Array.from(of.ids[0], (a) => Array.from(of.ids[1], (b) => distanceOf(of, sumBetween(of, a, b))))
}

describe('gower', () => {
  const groups = { levels: ['A', 'B', 'C'] }
  const query = table('query', [numeric('age', [30]), levelled('group', ['A'], groups)])
  const others = table('others', [numeric('age', [20, 40, 60]), levelled('group', ['A', 'B', 'C'], groups)])

  it('counts categories as equal or not', () => {
    const [row] = distances([query, others], {}, [0, 1])
    expect(row).toEqual([0.125, 0.625, 0.875])
  })

  it('compares categories by their place under vim, as riskutility does', () => {
    const [row] = distances([query, others], { definition: 'vim' })
    expect(row).toEqual([0.125, 0.375, 0.875])
  })

  it('takes ranges from the real records and cuts differences at 1', () => {
    const real = table('real', [numeric('x', [0, 10])])
    const wild = table('wild', [numeric('x', [5, 1e9])])
    expect(distances([real, wild])).toEqual([
      [0.5, 1],
      [0.5, 1],
    ])
    expect(distances([real, wild], { clip: false })[0][1]).toBe(1e8)
  })

  it('places ordered levels on a scale', () => {
    const levels = { levels: ['low', 'middle', 'high'], ordered: true }
    const a = table('a', [levelled('o', ['low'], levels)])
    const b = table('b', [levelled('o', ['low', 'middle', 'high'], levels)])
    expect(distances([a, b])).toEqual([[0, 0.5, 1]])
  })

  it('counts a column that is constant among the real records as equal or not', () => {
    const a = table('a', [numeric('x', [3, 3])])
    const b = table('b', [numeric('x', [3, 4])])
    expect(distances([a, b])[0]).toEqual([0, 1])
  })

  it('takes missing as a value of its own, or leaves the column out of the pair', () => {
    const a = table('a', [numeric('x', [null, 0, 10]), categorical('c', [null, 'u', 'v'])])
    const b = table('b', [numeric('x', [null, 0]), categorical('c', [null, 'u'])])
    expect(distances([a, b])).toEqual([
      [0, 1],
      [1, 0],
      [1, 1],
    ])
    const half = table('half', [numeric('x', [null]), categorical('c', ['v'])])
    expect(distances([a, half], { missing: 'ignore' })).toEqual([[1], [1], [0]])
  })

  it('weighs columns, and leaves out one without weight', () => {
    const a = table('a', [numeric('x', [0, 10]), categorical('c', ['u', 'u'])])
    const b = table('b', [numeric('x', [5]), categorical('c', ['v'])])
    expect(distances([a, b], { weights: { c: 3 } })[0]).toEqual([(0.5 + 3) / 4])
    expect(distances([a, b], { weights: { c: 0 } })[0]).toEqual([0.5])
  })

  it('takes records that differ only in a column without weight for equal', () => {
    const a = table('a', [numeric('x', [0, 10]), categorical('c', ['u', 'u'])])
    const b = table('b', [numeric('x', [0]), categorical('c', ['v'])])
    const { ids, count } = space([a, b], ['x', 'c'], [0], { weights: { c: 0 } })
    expect([count, ids[1][0]]).toEqual([2, ids[0][0]])
  })

  it.each(['range', 'iqr', 'rank'] as const)(
    'counts a column that is constant among real records as nominal: %s',
    (scale) => {
      const a = table('a', [numeric('x', [5, 5, 5])])
      const b = table('b', [numeric('x', [5, 5.1, 900])])
      expect(distances([a, b], { scale })[0]).toEqual([0, 1, 1])
    },
  )

  it('divides by the interquartile range or compares ranks when asked', () => {
    const a = table('a', [numeric('x', [0, 1, 2, 3, 100])])
    const b = table('b', [numeric('x', [1.5])])
    expect(distances([a, b], { scale: 'iqr' })[0][0]).toBe(0.75)
    expect(distances([a, b], { scale: 'rank' }).map(([one]) => Number(one.toFixed(12)))).toEqual([
      0.3, 0.1, 0.1, 0.3, 0.5,
    ])
  })
})

it('puts missing beyond all values under vim: {missing, 5} against {0, 10, missing}', () => {
  const a = table('a', [numeric('x', [null, 5])])
  const b = table('b', [numeric('x', [0, 10, null])])
  expect(distances([a, b], { definition: 'vim' })).toEqual([
    [2, 1, 0],
    [0.5, 0.5, 1.5],
  ])
})

it('is the root of the sum of squares of min-max scaled numbers under euclidean', () => {
  const a = table('a', [numeric('x', [0, 4]), numeric('y', [0, 8])])
  const b = table('b', [numeric('x', [3]), numeric('y', [8])])
  expect(distances([a, b], { metric: 'euclidean' })).toEqual([[1.25], [0.25]])
})

it('makes equal records of all tables one point', () => {
  const a = table('a', [numeric('x', [1, 0.1 + 0.2, -0]), categorical('c', ['u', 'v', null])])
  const b = table('b', [numeric('x', [1, 0.3, 0]), categorical('c', ['u', 'v', null])])
  const { ids, count } = space([a, b], ['x', 'c'], [0])
  expect(count).toBe(4)
  expect([...ids[0]].map((id, k) => id === ids[1][k])).toEqual([true, false, true])
})
