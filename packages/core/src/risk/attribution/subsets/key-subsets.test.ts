import { expect, it } from 'vitest'
import type { Context } from '../../../measure.js'
import { stream } from '../../../random/stream.js'
import { keySubsets, overSubsets, sweepProblems } from './key-subsets.js'

type Needed = Pick<Context, 'random' | 'progress' | 'signal'>

const context = (given: Partial<Needed> = {}): Needed => ({
  random: (purpose, index) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  ...given,
})

it('lists small sets first, keys in their order', () => {
  const { subsets, total } = keySubsets(['a', 'b', 'c'], { min: 1, max: 3 }, 500, context())
  expect(total).toBe(7)
  expect(subsets.map((keys) => keys.join(''))).toEqual(['a', 'b', 'c', 'ab', 'ac', 'bc', 'abc'])
})

it('six keys have 42 sets of three to six', () => {
  const { subsets } = keySubsets([...'abcdef'], { min: 3, max: 6 }, 500, context())
  expect([3, 4, 5, 6].map((size) => subsets.filter((keys) => keys.length === size).length)).toEqual([20, 15, 6, 1])
})

it('draws a sample without repetition when there are too many, the same for the same seed', () => {
  const keys = Array.from({ length: 30 }, (_, k) => `k${k}`)
  const draw = () => keySubsets(keys, { min: 1, max: 4 }, 100, context())
  const { subsets, total } = draw()
  expect(total).toBe(30 + 435 + 4060 + 27405)
  expect(new Set(subsets.map((one) => one.join('+'))).size).toBe(100)
  expect(draw().subsets).toEqual(subsets)
})

it('says what is wrong with a sweep before it begins', () => {
  expect(sweepProblems(['a', 'b'], { min: 1, max: 4 })).toEqual([])
  expect(sweepProblems(['a', 'b'], { min: 4, max: 3 })).toEqual(['there is no key set of 4 to 3 keys'])
  const many = Array.from({ length: 200 }, (_, k) => `k${k}`)
  expect(sweepProblems(many, { min: 1, max: 100 }).join()).toContain('too many key sets')
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
