import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { columnOf, selectRows, tableOf } from '../table/table.js'
import { bayesianNetwork, dependence } from './bayesian-network.js'
import { domainOf, domainsOf } from './domain.js'
import { synthesizeSets } from './synthesizer.js'

const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const parse = (options: object) => bayesianNetwork.options.parse(options)

const people = tableOf('people', {
  a: ['x', 'x', 'x', 'y', 'y', 'y', 'x', 'y'],
  b: ['p', 'p', 'p', 'q', 'q', 'q', 'p', 'q'],
  c: ['u', 'v', 'u', 'v', 'u', 'v', 'u', 'v'],
})
const variable = (data: typeof people, name: string) => {
  const column = columnOf(data, name)
  const { domain, guessed } = domainOf(column, undefined, 16)
  return { domain, guessed, codes: domain.codesOf(column) }
}

it('R by hand: b equals a, c and a agree in six of eight', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => variable(people, name))
  // n(x, p) = 4, expected 2, and so on: |2| four times over 2.
  expect(dependence(b, [a])).toBe(4)
  // n(x, u) = 3, n(x, v) = 1, n(y, u) = 1, n(y, v) = 3; expected 2 each.
  expect(dependence(c, [a])).toBe(2)
  expect(dependence(c, [])).toBe(0)
})

it('one person moves R by at most 2, as its privacy needs', () => {
  let most = 0
  for (let seed = 0; seed < 300; seed++) {
    const random = stream(seed, 'sensitivity')
    const draw = (levels: number) => Array.from({ length: 3 + random.below(12) }, () => `l${random.below(levels)}`)
    const a = draw(3)
    const b = a.map(() => `m${random.below(4)}`)
    const data = tableOf('random', { a, b })
    const without = selectRows(
      data,
      Array.from({ length: data.rows - 1 }, (_, k) => k),
    )
    const score = (of: typeof data) => dependence(variable(of, 'b'), [variable(of, 'a')])
    most = Math.max(most, Math.abs(score(data) - score(without)))
  }
  expect(most).toBeGreaterThan(0.5)
  expect(most).toBeLessThanOrEqual(2)
})

it('takes the column that depends most, one parent each at degree 1; a and b tell the same of c', () => {
  const { variables } = bayesianNetwork.fit(people, parse({ degree: 1 }), streams(1)).describe() as {
    variables: { variable: string; parents: string[] }[]
  }
  expect(variables.map(({ variable: name, parents }) => [name, parents])).toEqual([
    ['a', []],
    ['b', ['a']],
    ['c', ['b']],
  ])
})

it('private syntheses of the same data choose each their own network, as a fit of other data does', async () => {
  const options = { epsilon: 2, degree: 2, domains: domainsOf(people.columns) }
  const { sets } = await synthesizeSets(bayesianNetwork, people, { sets: 4, seed: 5, options })
  for (const [set, made] of sets.entries()) {
    const own = (purpose: string) => stream(5, `bayesian-network/${purpose}`, set)
    expect(bayesianNetwork.fit({ ...people }, parse(options), own).sample(people.rows, own)).toEqual(made)
  }
})

it('says what of the domains is not private, and nothing where they are given', () => {
  const warnings = (options: object) => bayesianNetwork.fit(people, parse(options), streams(1)).describe().warnings
  expect(warnings({ epsilon: 1 })).toEqual([
    'the domains of "a", "b", "c" were read off the data and are not private; give them as domains',
  ])
  expect(warnings({ epsilon: 1, domains: domainsOf(people.columns) })).toEqual([])
})

it('its noise is Laplace noise of scale d / 0.7 epsilon on each table', () => {
  const long = tableOf('long', {
    a: Array.from({ length: 4000 }, (_, k) => (k % 4 === 0 ? 'x' : 'y')),
    b: Array.from({ length: 4000 }, (_, k) => (k % 5 === 0 ? 'p' : 'q')),
  })
  const shares = Array.from({ length: 400 }, (_, seed) => {
    const fitted = bayesianNetwork.fit(long, parse({ epsilon: 0.1, domains: domainsOf(long.columns) }), streams(seed))
    const logs = fitted.logProb?.(tableOf('one', { a: ['x', 'x', 'y', 'y'], b: ['p', 'q', 'p', 'q'] })) ?? []
    return Math.exp(logs[0]) + Math.exp(logs[1])
  })
  const centre = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const spread = Math.sqrt(shares.reduce((sum, share) => sum + (share - centre) ** 2, 0) / (shares.length - 1))
  // The share of x among 4000 + noise: sd of a Laplace difference weighted by 3/4 and 1/4, scale 2 / 0.07.
  const scale = 2 / (0.7 * 0.1)
  const expected = (Math.SQRT2 * scale * Math.hypot(0.75, 0.25)) / 4000
  expect(centre).toBeCloseTo(0.25, 2)
  expect(spread / expected).toBeGreaterThan(0.85)
  expect(spread / expected).toBeLessThan(1.15)
})

it('numbers are drawn evenly within bins of equal width over the domain that is given', () => {
  const ages = tableOf('ages', { age: Array.from({ length: 100 }, (_, k) => k % 10) })
  const domains = { age: { lower: 0, upper: 99, decimals: 0, missing: false } }
  const fitted = bayesianNetwork.fit(ages, parse({ bins: 10, domains }), streams(1))
  const made = fitted.sample(5000, streams(2)).columns[0]
  const values = made.kind === 'categorical' ? [] : Array.from(made.values)
  expect(new Set(values)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
  expect(Array.from(fitted.logProb?.(tableOf('two', { age: [3, 30] })) ?? [], Math.exp)).toEqual([
    expect.closeTo(0.1, 9),
    0,
  ])
})

it('refuses a domain of a column that is not there, or from nowhere to nowhere', () => {
  const fit = (domains: object) => () => bayesianNetwork.fit(people, parse({ domains }), streams(1))
  expect(fit({ d: { missing: false } })).toThrow('domains: people has no column "d"')
})
