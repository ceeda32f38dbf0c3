import fc from 'fast-check'
import { expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { describeReference, liveFiles } from '../../../testing/reference.js'
import { recordLinkage } from '../record-linkage.js'

type Records = readonly (readonly [string, string])[]

async function oneToOne(people: Records, records: Records) {
  const columns = (name: string, rows: Records) => tableOf(name, { a: rows.map(([a]) => a), b: rows.map(([, b]) => b) })
  const files = { original: columns('original', people), released: columns('released', records) }
  const paired = release({ ...files, keys: ['a', 'b'], type: 'perturbed' })
  const [finding] = (await recordLinkage(paired, { method: 'deterministic', matching: 'one-to-one' })).releases
  return { value: finding.value ?? Number.NaN, range: finding.details?.matched?.range, sentence: finding.sentence }
}

it('four people who look alike: nobody or everybody', async () => {
  const { value, range, sentence } = await oneToOne(
    [
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
    ],
    [
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
    ],
  )
  expect(range).toEqual({ least: 0, most: 1 })
  expect(value).toBeCloseTo(0.25, 12)
  expect(sentence).toContain('0.0 % to 100.0 % by assignments that cost the same')
})

it('one person with a key of their own is always found', async () => {
  const people: Records = [
    ['x', 'y'],
    ['x', 'y'],
    ['z', 'y'],
  ]
  expect((await oneToOne(people, people)).range).toEqual({ least: 1 / 3, most: 1 })
})

it('is that of all assignments, tried one by one', async () => {
  const record = fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.constantFrom('u', 'v'))
  const files = fc
    .integer({ min: 2, max: 6 })
    .chain((n) =>
      fc.tuple(fc.array(record, { minLength: n, maxLength: n }), fc.array(record, { minLength: n, maxLength: n })),
    )
  await fc.assert(
    fc.asyncProperty(files, async ([people, records]) => {
      const { value, range } = await oneToOne(people, records)
      const tried = permutations(people.length).map((order) => ({
        cost: order.reduce((sum, j, i) => sum + mismatches(people[i], records[j]), 0),
        right: order.filter((j, i) => i === j).length / people.length,
      }))
      const least = Math.min(...tried.map(({ cost }) => cost))
      const shares = tried.filter(({ cost }) => cost === least).map(({ right }) => right)
      expect(range).toEqual({ least: Math.min(...shares), most: Math.max(...shares) })
      expect(value).toBeGreaterThanOrEqual(Math.min(...shares) - 1e-12)
      expect(value).toBeLessThanOrEqual(Math.max(...shares) + 1e-12)
    }),
    { numRuns: 60 },
  )
})

const mismatches = (x: Records[number], y: Records[number]) => Number(x[0] !== y[0]) + Number(x[1] !== y[1])

function permutations(n: number): number[][] {
  if (n === 0) return [[]]
  return permutations(n - 1).flatMap((order) =>
    Array.from({ length: n }, (_, at) => [...order.slice(0, at), n - 1, ...order.slice(at)]),
  )
}

describeReference('riskutility 0.2.0, one of the assignments', () => {
  it('perturbed groups in the General Social Survey', async () => {
    const keys = { keys: ['gender', 'ageGroup', 'educGroup'], numericKeys: ['age'] }
    const files = release({ ...(await liveFiles('lk4', 'p')), ...keys, type: 'perturbed' })
    const options = { matching: 'one-to-one', definition: 'riskutility' } as const
    for (const [method, theirs] of [
      ['deterministic', 0.4347826087],
      ['probabilistic', 0.375],
    ] as const) {
      const { details, value } = (await recordLinkage(files, { method, ...options })).releases[0]
      const { least, most } = details?.matched?.range ?? { least: 1, most: 0 }
      for (const share of [theirs, value]) {
        expect(share).toBeGreaterThanOrEqual(least)
        expect(share).toBeLessThanOrEqual(most)
      }
    }
  })
})
