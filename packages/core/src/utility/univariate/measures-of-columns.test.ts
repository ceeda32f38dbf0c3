import { describe, expect, it } from 'vitest'
import { outliers } from '../../peers/utility/univariate/outliers.js'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { table, tableOf } from '../../table/table.js'
import { ciProximity } from './ci-proximity.js'
import { densityDifference } from './density-difference.js'
import { ks } from './ks.js'
import { meansFrequencies } from './means-frequencies.js'
import { missingness } from './missingness.js'
import { tailFidelity } from './tail-fidelity.js'
import { totalVariation } from './total-variation.js'
import { wasserstein } from './wasserstein.js'

const none = { resamples: 0 }
const few = { resamples: 4 }

/** People with a skewed number and a category, moved by `shift` sds. */
function people(name: string, seed: number, shift = 0, rows = 400) {
  const random = stream(seed, 'columns')
  return table(name, [
    numeric(
      'income',
      Array.from({ length: rows }, () => Math.exp(drawNormal(random) / 2 + shift)),
    ),
    categorical(
      'region',
      Array.from({ length: rows }, () => (random.uniform() < 0.3 + shift / 4 ? 'north' : 'south')),
    ),
  ])
}

describe('an honest file and one that moved', () => {
  const original = people('original', 1)
  const honest = release({ original, released: people('honest', 2) })
  const moved = release({ original, released: people('moved', 3, 0.6) })

  it.each([wasserstein, ks, totalVariation, meansFrequencies, tailFidelity, densityDifference])(
    '$id tells them apart',
    async (measure) => {
      const [good, bad] = [await measure(honest, few), await measure(moved, few)]
      expect(bad.value).toBeGreaterThan(2 * (good.value ?? Number.NaN))
      const { utility, controls } = good.releases[0]
      // Both files vary, an honest sample of the original only once: a factor of about √2.
      expect(utility?.ratio).toBeLessThan(2.5)
      expect(controls?.honest?.value).toBeGreaterThan(0)
      expect(bad.releases[0].utility?.equivalent?.fraction).toBeLessThan(
        good.releases[0].utility?.equivalent?.fraction ?? 0,
      )
    },
  )

  it.each([wasserstein, ks, totalVariation, meansFrequencies])('$id tests them', async (measure) => {
    const p = async (of: typeof honest) => (await measure(of, none)).releases[0].utility?.test?.p ?? Number.NaN
    expect(await p(honest)).toBeGreaterThan(0.01)
    expect(await p(moved)).toBeLessThan(1e-3)
  })

  it('of intervals the moved ones do not overlap', async () => {
    const [good, bad] = [await ciProximity(honest, none), await ciProximity(moved, none)]
    expect(bad.value).toBeLessThan(0.5 * (good.value ?? 0))
  })

  it('expects of a column what an honest sample gives', async () => {
    const { details, controls } = (await wasserstein(honest, { resamples: 20 })).releases[0]
    const expected = details?.columns[0].expected ?? 0
    expect(Math.abs(expected / (controls?.honest?.value ?? 1) - 1)).toBeLessThan(0.4)
  })
})

it('a column that is uniform anyway has no place: uniform columns are another sample', async () => {
  const uniform = (name: string, seed: number) => {
    const random = stream(seed, 'uniform')
    return tableOf(name, { c: Array.from({ length: 300 }, () => `level ${random.below(60)}`) })
  }
  const { utility } = (await totalVariation(release({ original: uniform('x', 1), released: uniform('y', 2) })))
    .releases[0]
  expect(utility?.place).toBeNull()
  expect(utility?.reasons.join()).toContain('uniform columns are not clearly worse than')
})

describe('missing values', () => {
  const files = release({
    original: tableOf('original', { a: [1, 2, null, 4], b: ['x', null, null, 'y'] }),
    released: tableOf('released', { a: [1, 2, 3, 4], b: ['x', 'x', 'y', 'y'] }),
  })
  it('are compared as patterns', async () => {
    // Known: 2 of 4 originals and all released; the other two originals need another pattern.
    const { value, releases } = await missingness(files, none)
    expect(value).toBe(0.5)
    const { columns, patterns } = releases[0].details ?? { columns: [], patterns: [] }
    expect(columns.map(({ original, released }) => [original, released])).toEqual([
      [0.25, 0],
      [0.5, 0],
    ])
    expect(patterns.find(({ missing }) => missing.length === 2)).toEqual({
      missing: ['a', 'b'],
      original: 0.25,
      released: 0,
    })
  })
  it('together or apart: the correlation of their indicators', async () => {
    const gaps = release({
      original: tableOf('x', { a: [null, null, 3, 4], b: [null, null, 'u', 'v'] }),
      released: tableOf('y', { a: [null, null, 3, 4], b: ['u', 'v', null, null] }),
    })
    const { together } = (await missingness(gaps, none)).releases[0].details ?? {}
    expect(together).toEqual([{ a: 'a', b: 'b', original: 1, released: -1 }])
    expect((await missingness(files, none)).releases[0].details?.together[0]?.released).toBeNull()
  })
  it('count as a category, or not', async () => {
    expect((await totalVariation(files, none)).value).toBe(0.5)
    expect((await totalVariation(files, { ...none, missing: 'drop' })).value).toBe(0)
  })
})

describe('weights', () => {
  it('count in histograms too', async () => {
    const released = tableOf('released', { v: [1, 1, 2, 3, 4, 5, 6] })
    const weighted = release({
      original: tableOf('original', { v: [1, 2, 3, 4, 5, 6], w: [2, 1, 1, 1, 1, 1] }),
      released,
      weight: 'w',
    })
    const [{ bins }] = (await densityDifference(weighted, none)).releases[0].details?.curves ?? []
    expect(bins.map((bin) => bin.original)).toEqual(bins.map((bin) => expect.closeTo(bin.released, 12)))
  })

  it('count: half of the weight is on each category', async () => {
    const weighted = release({
      original: tableOf('original', { c: ['a', 'a', 'b'], w: [1, 1, 2] }),
      released: tableOf('released', { c: ['a', 'b', 'b'] }),
      weight: 'w',
    })
    expect((await totalVariation(weighted, none)).value).toBeCloseTo(2 / 3 - 1 / 2, 12)
  })
  it('are as good as repetition', async () => {
    const released = tableOf('released', { v: [2, 3, 5] })
    const weighted = release({
      original: tableOf('original', { v: [1, 4], w: [3, 1] }),
      released,
      weight: 'w',
    })
    const repeated = release({ original: tableOf('original', { v: [1, 1, 1, 4] }), released })
    const distance = async (of: typeof repeated) =>
      (await wasserstein(of, none)).releases[0].details?.columns[0].distance
    expect(await distance(weighted)).toBeCloseTo((await distance(repeated)) ?? Number.NaN, 12)
  })
})

describe('outliers', () => {
  const upTo = Array.from({ length: 100 }, (_, k) => k + 1)
  it('are counted beyond the limits of the original, which a stretched release hides behind its own', async () => {
    const stretched = release({
      original: tableOf('original', { v: upTo }),
      released: tableOf('released', { v: upTo.map((value) => 50 + 5 * (value - 50)) }),
    })
    expect((await outliers(stretched, { ...none, definition: 'riskutility' })).value).toBe(0)
    expect((await outliers(stretched, none)).value).toBeGreaterThan(0.5)
  })
  it('of all numbers together are combinations that neither number shows', async () => {
    const random = stream(4, 'ellipse')
    const draw = (sign: number) => {
      const a = Array.from({ length: 300 }, () => drawNormal(random))
      return { a, b: a.map((value) => sign * value + 0.1 * drawNormal(random)) }
    }
    const files = release({ original: tableOf('x', draw(1)), released: tableOf('y', draw(-1)) })
    const [alone, together] = [await outliers(files, none), await outliers(files, { ...none, method: 'robust' })]
    expect(alone.value).toBeLessThan(0.02)
    expect(together.value).toBeGreaterThan(0.7)
    expect(together.releases[0].sentence).toContain('by all their numbers together')
    const own = await outliers(files, { ...none, method: 'robust', definition: 'riskutility' })
    expect(own.value).toBeLessThan(0.05)
    expect(own.releases[0].details?.columns[0].original).toBeLessThan(0.08)
  })
  it('at one value look like top coding', async () => {
    const coded = release({
      original: tableOf('original', { v: upTo }),
      released: tableOf('released', { v: upTo.map((value) => Math.min(90, value)) }),
    })
    expect((await outliers(coded, none)).releases[0].warnings.join()).toContain('top-coded')
  })
})

it('lays a column side by side within groups, as multi.compare', async () => {
  const files = release({ original: people('x', 1), released: people('y', 3, 0.6) })
  const { details } = (await meansFrequencies(files, { ...none, within: ['region'] })).releases[0]
  expect(details?.groups.map(({ group, name }) => [group, name])).toEqual([
    ['region = south', 'income'],
    ['region = north', 'income'],
  ])
  const total = details?.groups[0].classes.reduce((sum, { originalPercent }) => sum + originalPercent, 0)
  expect(total).toBeCloseTo(100, 9)
  expect(details?.groups[0].S_pMSE).toBeGreaterThan(2)
  await expect(meansFrequencies(files, { within: ['regoin'] })).rejects.toThrow('"region"')
})

it('lays percentages side by side as synthpop does, and says how far they are off', async () => {
  const of = release({
    original: tableOf('x', { v: ['a', 'a', 'b', null], n: [1, 1, 2, 3] }),
    released: tableOf('y', { v: ['a', 'b', 'b', 'b'], n: [1, 2, 2, 3] }),
  })
  const { details } = (await meansFrequencies(of, none)).releases[0]
  expect(details?.compare.find(({ name }) => name === 'v')?.classes).toEqual([
    { label: 'missing', originalPercent: 25, releasedPercent: 0 },
    { label: 'a', originalPercent: 50, releasedPercent: 25 },
    { label: 'b', originalPercent: 25, releasedPercent: 75 },
  ])
  expect(details?.compare.find(({ name }) => name === 'n')).toMatchObject({ df: 2, classes: [{ label: '1' }, {}, {}] })
  // |25| + |25| + |50| and |25| + |25| + 0 over six percentages.
  expect(details?.errors).toMatchObject({ n: 6, mae: 25 })
})
