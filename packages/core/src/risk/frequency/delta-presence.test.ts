import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { deltaPresence } from './delta-presence.js'

type Options = Parameters<typeof deltaPresence>[1]

async function presence(
  x: readonly (string | null)[],
  y: readonly (string | null)[],
  options: Options = {},
  given: Partial<ReleaseInput> = {},
) {
  const input = release({
    original: tableOf('X', { key: x }),
    released: tableOf('Y', { key: y }),
    keys: ['key'],
    ...given,
  })
  const [found] = (await deltaPresence(input, options, { records: true })).releases
  if (found.details === null) throw new Error(found.reason?.text)
  return { ...found, details: found.details, records: Array.from(found.records?.['presence'] ?? []) }
}

describe('delta-presence', () => {
  it('is the count in the release over the count in the larger table', async () => {
    const { records, details } = await presence(['A', 'A', 'A', 'B', 'B'], ['A', 'A', 'B'])
    expect(records).toEqual([2 / 3, 2 / 3, 2 / 3, 1 / 2, 1 / 2])
    expect(details.achieved).toMatchObject({ keys: 2, lowest: 0.5, highest: 2 / 3, absent: 0, above1: 0 })
  })

  it('is at most 1 as a probability, while the ratio is told as it is', async () => {
    const { details, value, warnings } = await presence(['A', 'B'], ['A', 'A', 'A', 'B'], { deltaMax: 1 })
    expect(details.achieved.highest).toBe(3)
    expect(details.achieved.above1).toBe(1)
    expect(details.meanProbability).toBe(1)
    expect(value).toBe(0)
    expect(warnings.some((text) => text.includes('not a subset'))).toBe(true)
  })

  it('counts violations of the lower and of the upper bound, strictly', async () => {
    const lower = await presence(['A', 'A', 'A', 'A', 'A', 'B'], ['A'], { deltaMin: 0.5 })
    expect(lower.details.belowMinimum).toBe(6)
    expect(lower.value).toBe(1)
    const upper = await presence(['A', 'B'], ['A', 'B'], { deltaMax: 0.5 })
    expect(upper.details.aboveMaximum).toBe(2)
    expect(upper.value).toBe(1)
    const equal = await presence(['A', 'A'], ['A'], { deltaMin: 0.5, deltaMax: 0.5 })
    expect(equal.value).toBe(0)
  })

  it('tells keys that only the release has', async () => {
    const { records, details, warnings } = await presence(['A', 'A', 'B'], ['C', 'D'])
    expect(records).toEqual([0, 0, 0])
    expect(details.fabricated).toEqual({ keys: 2, records: 2 })
    expect(warnings[0]).toContain('2 keys')
  })

  it('has no value without bounds, and says nothing', async () => {
    const { value, reason, notAssessed, leakage } = await presence(['A', 'B'], ['A'])
    expect(value).toBeNull()
    expect(reason?.text).toContain('no bounds')
    expect(notAssessed).toEqual(reason)
    expect(leakage).toBeNull()
  })

  it('is relative presence for synthetic data, on equal sizes, and says nothing', async () => {
    const options = { deltaMax: 0.5 }
    const { details, value, notAssessed, records } = await presence(
      ['A', 'A', 'A', 'B'],
      ['A', 'A', 'A', 'B', 'A', 'A', 'A', 'B'],
      options,
      { type: 'synthetic' },
    )
    expect(records).toEqual([1, 1, 1, 1])
    expect(details.relative).toBe(true)
    expect(value).toBeNull()
    expect(notAssessed?.text).toContain('no membership probability')
  })

  it('by hand: two of four people drawn, beside a random pair and the original', async () => {
    // Of the six pairs of A, A, B, C, those with both As (1/6) show two people; B and C are each in one pair of two.
    const { value, controls, effect, leakage, people } = await presence(['A', 'A', 'B', 'C'], ['B', 'C'], {
      deltaMax: 0.5,
    })
    expect(value).toBe(0.5)
    const fair = (2 * (1 / 6) + 1 / 2 + 1 / 2) / 4
    expect(controls?.fair).toMatchObject({ value: expect.closeTo(fair, 12), basis: 'chance' })
    expect(controls?.everything).toMatchObject({ value: 1, se: null })
    const se = Math.sqrt((1 / 4) * (1 / 6) * (5 / 6) + 2 * (1 / 16) * (1 / 4))
    expect(effect).toMatchObject({ value: expect.closeTo(0.5 - fair, 12), se: expect.closeTo(se, 12) })
    expect(leakage, 'four people tell nothing').toBeNull()
    expect(people).toBeNull()
  })

  it('a random half shows no more than chance; the half that is whole keys shows everything', async () => {
    const x = Array.from({ length: 400 }, (_, row) => `k${row >> 1}`)
    const random = stream(5, 'half')
    const drawn = sampleWithoutReplacement(random, 400, 200)
    const bySample = await presence(
      x,
      [...drawn].map((row) => x[row]),
      { deltaMax: 0.5 },
    )
    expect(Math.abs(bySample.effect?.value ?? 1)).toBeLessThan(3 * (bySample.effect?.se ?? 0))
    const whole = await presence(x, x.slice(0, 200), { deltaMax: 0.5 })
    expect(whole.value).toBe(0.5)
    expect(whole.effect?.p).toBeLessThan(1e-10)
    // A pair is whole with probability 199/798 among 200 of 400.
    expect(whole.controls?.fair?.value).toBeCloseTo(199 / 798, 12)
    expect(whole.leakage?.value).toBeCloseTo((0.5 - 199 / 798) / (1 - 199 / 798), 12)
  })

  it('a release as large as the larger table can reveal no more than any other such release', async () => {
    const { value, leakage, notAssessed } = await presence(['A', 'A', 'B'], ['A', 'A', 'B'], { deltaMax: 0.5 })
    expect(value).toBe(1)
    expect(leakage).toBeNull()
    expect(notAssessed).toEqual({ code: 'no-scale' })
  })

  it('is compared with nothing where the release is no subset', async () => {
    const { value, notAssessed, effect } = await presence(['A', 'B'], ['A', 'A', 'C'], { deltaMax: 0.5 })
    expect(value).toBe(0.5)
    expect(notAssessed?.text).toContain('not a subset')
    expect(effect).toBeUndefined()
  })

  it('drops missing keys in each file, or makes them a category', async () => {
    const dropped = await presence(['A', 'A', null], ['A', null])
    expect(dropped.records).toEqual([0.5, 0.5, Number.NaN])
    expect([dropped.details.dropped, dropped.details.droppedReleased, dropped.details.records]).toEqual([1, 1, 2])
    const category = await presence(['A', 'A', null], ['A', null], { missing: 'category' })
    expect(category.records).toEqual([0.5, 0.5, 1])
  })

  it('can be asked of a population table, and of weighted counts', async () => {
    const population = tableOf('population', { key: ['A', 'A', 'A', 'A', 'B'] })
    const { details } = await presence(['A', 'B'], ['A', 'B'], { against: 'population', deltaMax: 0.9 }, { population })
    expect(details.achieved).toMatchObject({ lowest: 0.25, highest: 1 })
    expect(details.aboveMaximum).toBe(1)
    const original = tableOf('X', { key: ['A', 'B'], w: [4, 8] })
    const weighted = release({ original, released: tableOf('Y', { key: ['A', 'B'] }), keys: ['key'], weight: 'w' })
    const [found] = (await deltaPresence(weighted, { weighted: true })).releases
    expect(found.details?.achieved).toMatchObject({ lowest: 0.125, highest: 0.25 })
    await expect(presence(['A'], ['A'], { weighted: true })).rejects.toThrow('weight')
    const without = release({ original, released: original, keys: ['key'] })
    await expect(deltaPresence(without, { against: 'population' })).rejects.toThrow(
      'delta-presence: against population needs the population',
    )
  })

  it('rejects bounds the wrong way round', async () => {
    await expect(presence(['A'], ['A'], { deltaMin: 0.6, deltaMax: 0.5 })).rejects.toThrow('above deltaMax')
  })

  it('lists the keys with the highest ratio, larger first among equals', async () => {
    const { details } = await presence(['A', 'B', 'B', 'C'], ['A', 'B', 'B'])
    expect(details.highest).toEqual([
      { ratio: 1, original: 2, released: 2 },
      { ratio: 1, original: 1, released: 1 },
      { ratio: 0, original: 1, released: 0 },
    ])
  })
})

it('the value is a share, whatever the files: never above 1', async () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(keys, keys, fc.double({ min: 0, max: 1, noNaN: true }), async (x, y, deltaMax) => {
      const { value, details } = await presence(x, y, { deltaMax })
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      expect(details.meanProbability).toBeLessThanOrEqual(1)
    }),
    { numRuns: 50 },
  )
})

describe.skipIf(reference() === undefined)('case study of the vignette', () => {
  it.each([
    ['case-a-independent.csv', 0.816],
    ['case-b-bootstrap-noise.csv', 0.85],
    ['case-c-near-copy.csv', 1],
  ])('%s: mean probability', async (file, expected) => {
    const original = await referenceTable('golden', 'vignette', 'case-original.csv')
    const released = await referenceTable('golden', 'vignette', file)
    const [found] = (
      await deltaPresence(release({ original, released, keys: ['age_group', 'sex', 'education', 'region'] }))
    ).releases
    expect(found.details?.meanProbability).toBeCloseTo(expected, 3)
  })
})
