import { describe, expect, it } from 'vitest'
import { tableOf } from '../../../table/table.js'
import { meanOf, score, together } from '../../../testing/linkage.js'
import { expectedPramRisk, pramCosts, transitionProblems } from './pram.js'

const X = tableOf('x', { k1: ['a', 'a', 'b', 'c'], k2: ['a', 'b', 'b', 'c'] })
const A = tableOf('a', { k1: ['a', 'a', 'b', 'a'], k2: ['a', 'b', 'a', 'c'] })
const transition = {
  levels: ['a', 'b', 'c'],
  matrix: [
    [0.8, 0.1, 0.1],
    [0.1, 0.8, 0.1],
    [0.1, 0.1, 0.8],
  ],
}
const transitions = { k1: transition, k2: transition }
const posterior = { rule: { strategy: 'posterior' as const } }
const close = (found: ArrayLike<number>, expected: readonly number[]) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, 8)
}

describe('linkage with known transition probabilities', () => {
  it('takes the posterior of the true record', async () => {
    const files = together(X, A)
    const { risk } = await score(files, pramCosts(files, transitions, 'ignore', 'query'), posterior)
    close(risk, [0.72727273, 0.79012346, 0.44444444, 0.72727273])
    expect(meanOf(risk)).toBeCloseTo(0.67227834, 8)
  })

  it('and the other way round', async () => {
    const files = together(A, X)
    const { risk } = await score(files, pramCosts(files, transitions, 'ignore', 'search'), posterior)
    close(risk, [0.86486486, 0.79012346, 0.44444444, 0.32])
    expect(meanOf(risk)).toBeCloseTo(0.60485819, 8)
  })

  it('averages over the randomisation of the own record', () => {
    const files = together(X, A)
    const expected = expectedPramRisk(files, pramCosts(files, transitions, 'ignore', 'query'), transitions)
    close(expected, [0.54705455, 0.61030123, 0.6993721, 0.85407056])
    expect(meanOf([...expected])).toBeCloseTo(0.67769961, 8)
  })

  it('maximises the likelihood, not the sum of probabilities', async () => {
    const files = together(tableOf('x', { k: ['a', 'b'] }), tableOf('a', { k: ['a', 'b'] }))
    const matrix = [
      [0.64, 0.36],
      [0.82, 0.18],
    ]
    const { keys } = pramCosts(files, { k: { levels: ['a', 'b'], matrix } }, 'ignore', 'query')
    expect(keys[0].kind === 'table' && keys[0].table[0]).toBeCloseTo(-Math.log(0.64), 12)
  })

  it('missing values: a factor of 1, of staying, or of 0', async () => {
    const files = together(tableOf('x', { k: ['a', 'b'] }), tableOf('a', { k: [null, 'b'] }))
    const t = {
      k: {
        levels: ['a', 'b'],
        matrix: [
          [0.9, 0.1],
          [0.2, 0.8],
        ],
      },
    }
    const risk = async (missing: 'ignore' | 'match' | 'mismatch') =>
      (await score(files, pramCosts(files, t, missing, 'query'), posterior)).risk[0]
    expect(await risk('ignore')).toBeCloseTo(1 / 1.1, 12)
    expect(await risk('match')).toBeCloseTo(0.9 / 1, 12)
    expect(await risk('mismatch')).toBe(0)
  })

  it('says what is wrong with a matrix', () => {
    const bad = {
      levels: ['a', 'b'],
      matrix: [
        [0.9, 0.2],
        [0, 1],
      ],
    }
    expect(transitionProblems({ k: bad, z: bad }, [{ name: 'k', labels: ['a', 'q'] }])).toEqual([
      'row 1 of the transition matrix of "k" does not sum to 1',
      'the transition matrix of "k" has no level "q", which occurs',
      'there is a transition matrix for "z", which is no key',
      'row 1 of the transition matrix of "z" does not sum to 1',
    ])
  })
})
