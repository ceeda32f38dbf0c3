import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { categorical, numeric } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { repeats } from '../testing/long.js'
import { auditRelease, chanceOf, epsilonOf } from './release-audit.js'

const VARIABLES = ['age', 'income', 'region']

function people(name: string, seed: number, rows = 200): Table {
  const random = stream(seed, name)
  const of = <Value>(one: () => Value) => Array.from({ length: rows }, one)
  return table(name, [
    numeric(
      'age',
      of(() => 20 + random.below(60)),
    ),
    numeric(
      'income',
      of(() => Math.round(3000 + 800 * drawNormal(random))),
    ),
    categorical(
      'region',
      of(() => 'abcd'[random.below(4)]),
      { levels: ['a', 'b', 'c', 'd'] },
    ),
  ])
}

const audited = (released: Table, seed: number) =>
  auditRelease(
    { original: people('original', seed), holdout: people('holdout', seed), released, variables: VARIABLES },
    0,
    seed,
    { tasks: inline },
  )

describe('how likely so many right guesses are', () => {
  it('is binomial: 20 of 20 with epsilon 1 for a record more or less are 2 for a replaced one', () => {
    const right = Math.exp(2) / (1 + Math.exp(2))
    expect(chanceOf({ pairs: 20, guesses: 20, right: 20 }, 1, 0)).toBeCloseTo(right ** 20, 12)
    // 19 of 20 or more: 20 ways to miss one.
    expect(chanceOf({ pairs: 20, guesses: 20, right: 19 }, 1, 0)).toBeCloseTo(
      right ** 20 + 20 * right ** 19 * (1 - right),
      12,
    )
  })

  it('grows with delta, as the theorem has it', () => {
    // Of one guess, B is 1 with q, else 0: the steepest step is P(B = 0) = 1 - q.
    const [right, delta] = [Math.exp(2) / (1 + Math.exp(2)), 0.001]
    expect(chanceOf({ pairs: 1, guesses: 1, right: 1 }, 1, delta)).toBeCloseTo(
      right + 2 * (1 + Math.exp(1)) * delta * (1 - right),
      12,
    )
  })

  it('gives the epsilon at which it reaches the level', () => {
    const guessed = { pairs: 100, guesses: 50, right: 48 }
    const bound = epsilonOf(guessed, 0, 0.01)
    expect(chanceOf(guessed, bound, 0)).toBeCloseTo(0.01, 9)
    expect(epsilonOf({ ...guessed, right: 26 }, 0, 0.01)).toBe(0)
    expect(epsilonOf(guessed, 1e-4, 0.01)).toBeLessThan(bound)
  })
})

it('a copy of the original breaks any small claim', async () => {
  const audit = await audited({ ...people('original', 1), name: 'release' }, 1)
  expect(audit).toMatchObject({ pairs: 200, attack: 'information and values', guesses: 200, right: 200 })
  expect(audit.bound).toBe(audit.most)
  expect(audit.bound).toBeGreaterThan(1.5)
})

it('a release of other people contradicts no claim, but one time in twenty', async () => {
  const runs = repeats(20, 200)
  let above = 0
  for (let seed = 1; seed <= runs; seed++) {
    const { bound } = await audited(people('others', 1000 + seed), seed)
    if (bound > 0) above++
  }
  expect(above / runs).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs))
})
