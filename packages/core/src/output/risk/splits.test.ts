import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { splitsOf } from './splits.js'

it('splits: everybody is once inside and once outside', () => {
  const random = (purpose: string, index?: number) => stream(1, purpose, index)
  const plan = { splits: 3, folds: 2, depth: 1 }
  for (const design of ['repeated', 'foldfold', 'kfold'] as const) {
    const found = splitsOf(101, { ...plan, design }, random)
    expect(found).toHaveLength({ repeated: 6, foldfold: 12, kfold: 2 }[design])
    for (const { members, outsiders } of found)
      expect(new Set([...members, ...outsiders]).size).toBe(members.length + outsiders.length)
  }
  const five = splitsOf(101, { ...plan, design: 'kfold', folds: 5 }, random)
  expect(five.reduce((sum, { outsiders }) => sum + outsiders.length, 0)).toBe(101)
  expect(splitsOf(101, { ...plan, design: 'none' }, random)).toEqual([])
})
