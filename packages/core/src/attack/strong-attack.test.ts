import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { strongAttack } from './strong-attack.js'

async function run(of: Parameters<typeof strongAttack>[0], options: Parameters<typeof strongAttack>[1] = {}) {
  const [finding] = (await strongAttack(of, options, { records: true })).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const draw = stream(1, 'people')
const n = 60
const original = tableOf('o', {
  sex: Array.from({ length: n }, () => 'mf'[draw.below(2)]),
  region: Array.from({ length: n }, () => `r${draw.below(6)}`),
  // One person whom nobody is like.
  ill: Array.from({ length: n }, (_, row) => (row === 0 ? 'rare' : 'yn'[draw.below(2)])),
})
const madeBy = (method: string, options: object = {}) =>
  release({ original, released: original, generator: { method, options } })

it('trees with a leaf for everybody tell that nearly everybody was in the data', async () => {
  const { value, controls, effect, leakage, exposure, details } = await run(madeBy('cart', { minbucket: 1, cp: 0 }), {
    records: 30,
  })
  expect(controls).toMatchObject({
    nothing: { value: 0.5 },
    fair: { value: 0.5, basis: 'chance' },
    everything: { value: 1 },
  })
  expect(value).toBeGreaterThan(0.5)
  expect(leakage?.value).toBeCloseTo(2 * ((value ?? 0) - 0.5), 12)
  expect(exposure).toBe(leakage?.value)
  expect(effect?.p).toBeLessThan(0.05)
  expect(details).toMatchObject({ synthesizer: 'cart', records: 30, releases: 10, prior: 0.5 })
  expect(details.posteriors.reduce((sum, { count }) => sum + count, 0)).toBe(30)
})

it('independent columns hardly tell, though somebody with a value of their own', async () => {
  const all = await run(madeBy('independent'), { records: n })
  expect(all.value).toBeLessThan(0.6)
  expect(all.details.quantiles.q50).toBeLessThan(0.55)
  // The rare value is released with probability 1 - (59/60)^60, about 0.63, and then only one world could have done it.
  const posteriors = Array.from(all.records?.posterior ?? [])
  expect(posteriors[0]).toBeGreaterThan(0.6)
  expect(Math.max(...posteriors)).toBe(posteriors[0])
  expect(all.effect?.lower).toBeLessThan(0.01)
})

it('is about the generator: the same for every released file, and for the same seed', async () => {
  const of = release({
    original,
    released: [original, tableOf('s', { sex: ['m'], region: ['r1'], ill: ['y'] })],
    generator: { method: 'cart', options: {} },
  })
  const [first, second] = (await strongAttack(of, { records: 10 })).releases
  expect(first.value).toBe(second.value)
  expect((await run(madeBy('cart'), { records: 10 })).value).toBe(first.value)
})

describe('where it cannot be played', () => {
  it.each([
    ['ctgan', {}, 'unknown synthesizer "ctgan"'],
    ['catall', { noise: 'laplace' }, 'catall with these options is not known exactly'],
    ['cart', { proper: true }, 'cart with these options is not known exactly'],
  ])('%s %j is not applicable', async (method, options, reason) => {
    expect(await strongAttack(madeBy(method, options))).toMatchObject({
      status: 'not applicable',
      reason: { text: expect.stringContaining(reason) },
    })
  })

  it('needs to know the synthesizer, and its options must be right', async () => {
    expect(await strongAttack(release({ original, released: original }))).toMatchObject({
      status: 'not applicable',
      reason: { code: 'needs', needs: ['generator'] },
    })
    await expect(strongAttack(madeBy('cart', { minbuckets: 3 }))).rejects.toThrow('unknown option "minbuckets"')
  })

  it('with one record there is nobody to know', async () => {
    const one = tableOf('o', { sex: ['m'] })
    const of = release({ original: one, released: one, generator: { method: 'independent', options: {} } })
    expect(await strongAttack(of)).toMatchObject({
      status: 'not applicable',
      reason: { text: expect.stringContaining('fewer than two') },
    })
  })
})
