import { describe, expect, it } from 'vitest'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { blocksOf } from '../costs/blocks.js'
import { sameRows } from '../truth/truth.js'
import { type FellegiSunterOptions, fellegiSunter } from './fellegi-sunter.js'

const options: FellegiSunterOptions = {
  parameters: 'oracle',
  m: {},
  u: {},
  termFrequency: false,
  closeness: 'equal',
  breaks: {},
  missing: 'ignore',
  shrink: false,
  original: 'query',
}

const fit = (files: ReturnType<typeof together>, chosen: Partial<FellegiSunterOptions>) =>
  fellegiSunter(
    files,
    sameRows(files.query.ids.length),
    blocksOf(files, []),
    { ...options, ...chosen },
    { tasks: inline, signal: undefined },
  )

const posterior = { rule: { strategy: 'posterior' as const } }
const threshold = { rule: { strategy: 'threshold' as const, threshold: 0 } }
const close = (found: readonly number[], expected: readonly number[], digits = 8) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe('probabilistic linkage', () => {
  it('one key, m and u given', async () => {
    const files = together(tableOf('x', { sex: ['M', 'F', 'M'] }), tableOf('a', { sex: ['M', 'F', 'F'] }))
    const { costs } = await fit(files, { parameters: 'given', m: { sex: 0.9 }, u: { sex: 0.3 } })
    close((await score(files, costs, threshold)).risk, [1, 0.5, 0])
    const { risk } = await score(files, costs, posterior)
    close(risk, [0.91304348, 0.48837209, 0.04347826])
    expect(meanOf(risk)).toBeCloseTo(0.48163128, 8)
  })

  it('numbers within a tolerance', async () => {
    const files = together(tableOf('x', { age: [20, 40, 60] }), tableOf('a', { age: [21, 39, 62] }))
    const { costs } = await fit(files, { parameters: 'given', m: { age: 0.95 }, u: { age: 0.2 }, closeness: 'mad' })
    close((await score(files, costs, threshold)).risk, [0.5, 1 / 3, 0.5])
  })

  it('the ten people, ages in classes', async () => {
    const files = together(TEN, TEN_RELEASED, ['age', 'sex', 'edu'])
    const { costs, m, u } = await fit(files, { breaks: { age: [30, 45] } })
    close(
      m.map(([agree]) => agree),
      [0.9, 8 / 9, 0.8],
      12,
    )
    close(
      u.map(([agree]) => agree),
      [25 / 90, 37 / 81, 28 / 90],
      12,
    )
    const { risk, distance } = await score(files, costs, posterior)
    close([distance[0], distance[2], distance[7]], [-2.7857831, 2.6196661, -2.1200349], 7)
    close(
      risk,
      [
        0.95584388, 0.46956511, 0.01413894, 0.3194946, 0.92582203, 0.87166365, 0.56962567, 0.29116927, 0.81143853,
        0.43953913,
      ],
    )
    expect(meanOf(risk)).toBeCloseTo(0.56683008, 8)
    const uniform = await score(files, costs, threshold)
    expect(meanOf(uniform.risk)).toBeCloseTo(0.54166667, 8)
    expect(uniform.guessed).toEqual([1, 2, 2, 3, 1, 2, 4, 3, 2, 1])
  })

  it('counts more for a rare value that is shared', async () => {
    const city = [...new Array(50).fill('big'), ...new Array(45).fill('other'), ...new Array(5).fill('small')]
    const files = together(tableOf('x', { city }), tableOf('a', { city }))
    const given = { parameters: 'given' as const, m: { city: 0.9 }, u: { city: 0.3 } }
    const weights = async (termFrequency: boolean) => {
      const { costs } = await fit(files, { ...given, termFrequency })
      const { distance } = await score(files, costs, posterior)
      return [-distance[0], -distance[99]]
    }
    close(await weights(false), [1.0986, 1.0986], 4)
    close(await weights(true), [0.5878, 2.8904], 4)
  })

  it('texts by levels of likeness, and EM that finds out what agreement is worth', async () => {
    const names = ['MARTHA', 'DWAYNE', 'DIXON', 'JELLYFISH', 'SMITH', 'ANNA', 'BERTA', 'CLARA', 'DORA', 'EMIL']
    const typos = ['MARHTA', 'DUANE', 'DIXON', 'JELLYFISH', 'SMYTH', 'ANNA', 'BERTA', 'CLARA', 'DORA', 'EMIL']
    const year = names.map((_, k) => 1950 + k)
    const both = together(tableOf('x', { names, year }), tableOf('a', { names: typos, year }))
    const files = {
      ...both,
      keys: both.keys.map((key) => (key.name === 'names' ? { ...key, kind: 'text' as const } : key)),
    }
    const { costs, m, em } = await fit(files, { parameters: 'em', shrink: true })
    expect(em?.converged).toBe(true)
    expect(m[0].length).toBe(5)
    expect(m[1][0]).toBeGreaterThan(0.9)
    expect(meanOf((await score(files, costs, posterior)).risk)).toBeGreaterThan(0.9)
  })

  it('perfect agreement counts more than nearly perfect agreement', async () => {
    const key = Array.from({ length: 1000 }, (_, row) => `k${row % 10}`)
    const once = key.map((value, row) => (row === 0 ? 'k5' : value))
    const rate = async (released: string[], shrink: boolean) =>
      (await fit(together(tableOf('x', { key }), tableOf('a', { key: released })), { shrink })).m[0][0]
    // riskutility puts 1 to 0.99 and leaves 0.999 where it is.
    expect([await rate(key, false), await rate(once, false)]).toEqual([0.99, 0.999])
    expect(await rate(key, true)).toBeCloseTo(1000.5 / 1001, 12)
    expect(await rate(once, true)).toBeCloseTo(999.5 / 1001, 12)
  })

  it('u is that of all pairs, in every run; within 1.4826 MAD half of all people agree, in steps few', async () => {
    const files = together(TEN, TEN_RELEASED, ['age'])
    const mad = await fit(files, { closeness: 'mad' })
    expect(mad.m[0][0]).toBe(0.99)
    expect(mad.u[0][0]).toBeCloseTo(48 / 90, 12)
    expect((await fit(files, { closeness: 'mad' })).u).toEqual(mad.u)
    const { u } = await fit(files, { closeness: 'steps' })
    expect(u[0][0] + u[0][1] + u[0][2]).toBeLessThan(0.2)
  })

  it('takes ordered levels as numbers', async () => {
    const files = together(TEN, TEN_RELEASED, ['edu'])
    const { m, costs } = await fit(files, { closeness: 'equal' })
    expect(m[0][0]).toBeCloseTo(0.8, 12)
    expect(meanOf((await score(files, costs, posterior)).risk)).toBeGreaterThan(0.1)
  })

  it('a posterior sees how much better the best candidate is, a threshold does not', async () => {
    const files = together(
      tableOf('x', { a: ['u', 'v'], b: ['u', 'v'], c: ['u', 'v'] }),
      tableOf('a', { a: ['u', 'u'], b: ['u', 'u'], c: ['u', 'v'] }),
    )
    const each = (rate: number) => ({ a: rate, b: rate, c: rate })
    const { costs } = await fit(files, { parameters: 'given', m: each(0.9), u: each(0.2) })
    expect((await score(files, costs, threshold)).risk[0]).toBe(0.5)
    // Ratios of agreeing and disagreeing: 4.5 and 1/8, so that the odds of the two are 36 to 1.
    expect((await score(files, costs, posterior)).risk[0]).toBeCloseTo(36 / 37, 12)
  })
})
