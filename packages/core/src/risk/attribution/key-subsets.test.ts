import { expect, it } from 'vitest'
import type { Context } from '../../measure.js'
import { stream } from '../../random/stream.js'
import { keySubsets, overSubsets } from './key-subsets.js'

type Needed = Pick<Context, 'random' | 'progress' | 'signal'>

const context = (given: Partial<Needed> = {}): Needed => ({
  random: (purpose, index) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  ...given,
})

it('lists small sets first, keys in their order', () => {
  const { subsets, total } = keySubsets(['a', 'b', 'c'], { smallest: 1, largest: 3, limit: 500 }, context())
  expect(total).toBe(7)
  expect(subsets.map((keys) => keys.join(''))).toEqual(['a', 'b', 'c', 'ab', 'ac', 'bc', 'abc'])
})

it('six keys have 42 sets of three to six', () => {
  const { subsets } = keySubsets([...'abcdef'], { smallest: 3, largest: 6, limit: 500 }, context())
  expect([3, 4, 5, 6].map((size) => subsets.filter((keys) => keys.length === size).length)).toEqual([20, 15, 6, 1])
})

it('draws a sample without repetition when there are too many, the same for the same seed', () => {
  const keys = Array.from({ length: 30 }, (_, k) => `k${k}`)
  const draw = () => keySubsets(keys, { smallest: 1, largest: 4, limit: 100 }, context())
  const { subsets, total } = draw()
  expect(total).toBe(30 + 435 + 4060 + 27405)
  expect(new Set(subsets.map((one) => one.join('+'))).size).toBe(100)
  expect(draw().subsets).toEqual(subsets)
})

it('tells its progress and stops when cancelled', () => {
  const seen: number[] = []
  const signal = { aborted: false }
  const subsets = { subsets: [['a'], ['b'], ['c']], total: 3 }
  const visit = () => {
    if (seen.length === 1) signal.aborted = true
  }
  expect(() => overSubsets(subsets, context({ progress: (done) => seen.push(done), signal }), visit)).toThrow(
    'cancelled',
  )
  expect(seen).toEqual([1, 2])
})
