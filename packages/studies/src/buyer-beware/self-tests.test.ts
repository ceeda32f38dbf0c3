import { disco, epsilonIdentifiability, householdRisk, kAnonymity, repu } from '@scrim/core'
import { expect, it } from 'vitest'
import { buyerBewareDesign } from './buyer-beware.js'
import { selfTests } from './self-tests.js'

it('repU and DiSCO do not notice a certain disclosure, and DiSCO rises with noise; the attacker passes', async () => {
  const design = { ...buyerBewareDesign({ seed: 1, quick: true }), permutations: 2 }
  const { figures, checks } = await selfTests(design, {
    registry: [kAnonymity, disco, repu, householdRisk, epsilonIdentifiability],
  })
  const table = Object.fromEntries(figures[0].rows.map(([name, ...cells]) => [name, cells]))
  expect(figures[0].header.slice(1)).toEqual(['present', 'absent', 'constant', 'permuted', 'rises', 'D1', 'D2', 'D5'])
  // Without the record the 66 originals with 1110 would be right (and the one with 1111 wrong); 547 originals have var4 = 0.
  expect(table.disco).toEqual([0, 0.066, 0.547, 0, 'no', 'failed', 'failed', 'failed'])
  expect(table.repu).toEqual([0, 0, 0, 0, 'no', 'failed', 'n/a', 'failed'])
  expect(table['k-anonymity'].slice(4)).toEqual(['no', 'failed', 'n/a', 'failed'])
  expect(table['household-risk']).toEqual([null, null, null, null, 'n/a', 'n/a', 'n/a', 'n/a'])
  // It rises a little, but what it says of a certain disclosure is far from the worst that it can say, and concerns nearly nobody.
  expect(table['epsilon-identifiability'].slice(4)).toEqual(['yes', 'failed', 'n/a', 'failed'])
  expect(table['strong attacker']).toEqual([1, expect.closeTo(0.024, 3), 1, 1, 'yes', 'passed', 'passed', 'passed'])
  expect(checks).toMatchObject([{ holds: true }])
})
