import { expect, it } from 'vitest'
import { z } from 'zod'
import { choice, columnNames, flag, real, whole } from './option-kinds.js'

const options = z.object({
  method: choice(['knn', 'kde'], 'knn'),
  exact: flag(true),
  k: whole(5, { min: 1, max: 9 }),
  sample: whole(null, { min: 100 }),
  share: real(0.5, { above: 0, below: 1 }),
  columns: columnNames(),
  keys: columnNames(1),
})

it('has the defaults that are given', () => {
  expect(options.parse({})).toEqual({
    method: 'knn',
    exact: true,
    k: 5,
    sample: null,
    share: 0.5,
    columns: null,
    keys: null,
  })
})

it.each([
  [{ k: 1 }, true],
  [{ k: 9 }, true],
  [{ k: 0 }, false],
  [{ k: 10 }, false],
  [{ k: 1.5 }, false],
  [{ k: null }, false],
  [{ sample: 100 }, true],
  [{ sample: 99 }, false],
  [{ share: 0 }, false],
  [{ share: 0.01 }, true],
  [{ share: 1 }, false],
  [{ method: 'kde' }, true],
  [{ method: 'mean' }, false],
  [{ columns: [] }, true],
  [{ keys: [] }, false],
  [{ keys: ['age'] }, true],
])('%j is allowed: %s', (chosen, isAllowed) => {
  expect(options.safeParse(chosen).success).toBe(isAllowed)
})
