import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCase, sharedInformation, tableOf } from '@scrim/core'
import { expect, it } from 'vitest'
import { epsilonOf } from '../../packages/core/src/attack/release-audit.js'

const page = readFileSync(join(import.meta.dirname, '../../docs/method.md'), 'utf8')

it('the example by hand in docs/method.md: 3, -2 and -2 bits beyond others', async () => {
  const original = tableOf('original', { sex: ['f', 'm', 'm'], region: ['x', 'y', 'y'] })
  const released = tableOf('released', { sex: ['f', 'm'], region: ['x', 'x'] })
  const { release } = openCase({ type: 'synthetic' }, { original, released })
  const [found] = (await sharedInformation(release, {}, { records: true })).releases
  expect(Array.from(found.records?.bitsBeyondOthers ?? [])).toEqual([3, -2, -2].map((bits) => expect.closeTo(bits, 9)))
  expect(found.value).toBeCloseTo(1 / 3, 9)
  expect(found.details?.bulk[0].chance).toBeCloseTo(2 / 4, 12)
  expect(page).toContain('D_a = 3 - 0')
  expect(page).toContain('D_b = 1 - 3 = -2')
})

it('nine twins, all released: 2^-9 is 0.002', () => {
  expect((2 ** -9).toFixed(3)).toBe('0.002')
})

it.each([
  [100, 100, 4, 'm = 100 pairs show ε ≥ '],
  [1000, 1000, 7, 'm = 1,000 (the most that are taken) ε ≥ '],
  [1000, 700, 7, '1,000 pairs show ε ≥ '],
])('%d pairs with %d right, %d numbers of guesses tried', (pairs, right, tried, said) => {
  const bound = epsilonOf({ pairs, guesses: pairs, right }, 0, 0.05 / (2 * tried))
  expect(page).toContain(`${said}${bound.toFixed(2)}`)
})

/** What docs/method.md quotes of pages that scripts make. */
it.each([
  ['coverage.md', /`shared-information`\]\([^)]*\) \| people, release \| 96 % ± 3 \| 98 % ± 2 /],
  ['coverage.md', /`membership-audit`\]\([^)]*\) \| people, release \| 99 % ± 1 \| 97 % ± 2 /],
  ['power.md', /\*\*the answer\*\* \| 5 % \| 100 % \| 5 % \| 5 % \| 100 % /],
])('%s still has the row that is quoted', (file, row) => {
  expect(readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8')).toMatch(row)
})
