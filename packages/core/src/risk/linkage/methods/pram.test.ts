import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { meanOf, score, together } from '../../../testing/scenes/linkage.js'
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

  const known = { transitions, missing: 'ignore' as const, blocking: [] }

  it('averages over the randomisation of the own record', () => {
    const { own } = expectedPramRisk(together(X, A), known, stream(1, 'outcomes'))
    close(own, [0.54705455, 0.61030123, 0.6993721, 0.85407056])
    expect(meanOf([...own])).toBeCloseTo(0.67769961, 8)
  })

  it('and of all records: others weigh what they weigh on average', () => {
    const { all } = expectedPramRisk(together(X, A), known, stream(1, 'outcomes'))
    // Two people with the same level meet with 0.8² + 2 · 0.1² = 0.66, with different ones with 2 · 0.8 · 0.1 + 0.1² = 0.17.
    const same = 0.66
    const other = 0.17
    const others = [
      same * other + other * other + other * other,
      same * other + other * same + other * other,
      other * other + other * same + other * other,
      3 * other * other,
    ]
    // Outcomes of the own record: 0.64 once, 0.08 four times, 0.01 four times.
    const risk = (rest: number) =>
      0.64 ** 2 / (rest + 0.64) + (4 * 0.08 ** 2) / (rest + 0.08) + (4 * 0.01 ** 2) / (rest + 0.01)
    close(all, others.map(risk))
  })

  it('in blocks only those who stay are candidates', () => {
    const { own, all } = expectedPramRisk(together(X, A), { ...known, blocking: ['k1'] }, stream(1, 'outcomes'))
    // Person 1 (a, a): of the block a are released (a, a), the own one, (a, b) and (a, c).
    const risk = (rest: number) => 0.64 ** 2 / (rest + 0.64) + (2 * 0.08 ** 2) / (rest + 0.08)
    close([own[0]], [risk(0.08 + 0.08)])
    // Others reach the block with 0.8 (person 2) or 0.1, and the own record is there with 0.8.
    close([all[0]], [risk(0.8 * 0.8 * 0.17 + 2 * 0.1 * 0.8 * 0.17)])
  })

  it('draws outcomes where there are too many to go through', () => {
    const size = 200
    const levels = Array.from({ length: size }, (_, k) => `l${k}`)
    const total = (size * (size + 1)) / 2
    const matrix = levels.map((_, i) => levels.map((_, j) => (1 + ((i + j) % size)) / total))
    const names = ['p', 'q', 'r']
    const two = (name: string) => tableOf(name, Object.fromEntries(names.map((key) => [key, ['l3', 'l3']])))
    const { own } = expectedPramRisk(
      together(two('x'), two('a')),
      { ...known, transitions: Object.fromEntries(names.map((name) => [name, { levels, matrix }])) },
      stream(1, 'outcomes'),
    )
    const other = matrix[3][3] ** 3
    let expected = 0
    for (let i = 1; i <= size; i++)
      for (let j = 1; j <= size; j++)
        for (let k = 1; k <= size; k++) {
          const p = (i * j * k) / total ** 3
          expected += (p * p) / (other + p)
        }
    expect(own[0] / expected).toBeGreaterThan(0.98)
    expect(own[0] / expected).toBeLessThan(1.02)
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
