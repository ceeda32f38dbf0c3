import { expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { jsd } from '../../utility/univariate/jsd.js'
import { ks } from '../../utility/univariate/ks.js'
import { meansFrequencies } from '../../utility/univariate/means-frequencies.js'
import { totalVariation } from '../../utility/univariate/total-variation.js'
import { ciProximity } from './univariate/ci-proximity.js'
import { outliers } from './univariate/outliers.js'
import { tailFidelity } from './univariate/tail-fidelity.js'
import { wasserstein } from './univariate/wasserstein.js'

it.each([
  { x: [0, 0, 1], y: [0, 1, 1], exact: 1 / 3, grid: 0.4994995 },
  { x: [1, 2, 3, 4], y: [2, 3, 5], exact: 0.8333333, grid: 0.7502503 },
])('by hand: $x and $y lie $exact apart, on the grid of riskutility $grid', async ({ x, y, exact, grid }) => {
  const files = release({ original: tableOf('x', { v: x }), released: tableOf('y', { v: y }) })
  const distance = async (definition: 'scrim' | 'riskutility') =>
    (await wasserstein(files, { resamples: 0, definition })).releases[0].details?.columns[0].distance
  expect(await distance('scrim')).toBeCloseTo(exact, 7)
  expect(await distance('riskutility')).toBeCloseTo(grid, 7)
})

it('by hand: both tails of 1 to 100, the last being 200, as riskutility', async () => {
  const upTo = Array.from({ length: 100 }, (_, k) => k + 1)
  const files = release({
    original: tableOf('x', { v: upTo }),
    released: tableOf('y', { v: [...upTo.slice(0, 99), 200] }),
  })
  const { value } = await tailFidelity(files, { resamples: 0, definition: 'riskutility' })
  expect(value).toBeCloseTo(0.1101835, 7)
})

/** What riskutility's vignette prints of its running example, and what the specification worked out. */
describeReference('measures of one variable on the running example', async () => {
  const table = (file: string) => referenceTable('golden', 'vignette', file)
  const running = release({ original: await table('original.csv'), released: await table('synthetic.csv') })
  const none = { resamples: 0 }
  const definition = 'riskutility'

  it('Wasserstein distances are exact, and on the grid those of riskutility', async () => {
    const exact = (await wasserstein(running, none)).releases[0].details?.columns ?? []
    expect(exact.map(({ name }) => name)).toEqual(['age', 'income'])
    expect(exact[0].distance).toBeCloseTo(2.188, 9)
    expect(exact[1].distance).toBeCloseTo(909.134, 8)
    expect(exact.map(({ scale }) => scale)).toEqual([31, 28338.75])
    const grid = (await wasserstein(running, { ...none, definition })).releases[0].details?.columns ?? []
    expect(grid[0].distance).toBeCloseTo(2.19019019, 7)
    expect(grid[1].distance).toBeCloseTo(876.4307, 4)
  })

  it('Wasserstein distances of the case study', async () => {
    const original = await table('case-original.csv')
    const expected = { a: 678.539, b: 1775.484, c: 229.489 }
    const files = ['case-a-independent.csv', 'case-b-bootstrap-noise.csv', 'case-c-near-copy.csv']
    for (const [k, distance] of Object.values(expected).entries()) {
      const one = release({ original, released: await table(files[k]) })
      const found = (await wasserstein(one, none)).releases[0].details?.columns ?? []
      const income = found.find(({ name }) => name === 'income')
      expect(income?.distance).toBeCloseTo(distance, 3)
      expect(income?.scale).toBe(27531)
    }
  })

  it('Kolmogorov-Smirnov distances', async () => {
    const columns = (await ks(running, none)).releases[0].details?.columns ?? []
    expect(columns[0].value).toBeCloseTo(0.08, 12)
    expect(columns[1].value).toBeCloseTo(0.03, 12)
    // Ages repeat: the table of Kolmogorov says 0.0815, which is too cautious.
    expect(columns[0].p).toBeLessThanOrEqual(0.0815189)
    expect(columns[1].p).toBeCloseTo(0.9780359, 6)
  })

  it('total variation and divergence of the shares', async () => {
    const columns = (await totalVariation(running, none)).releases[0].details?.columns ?? []
    expect(columns.map(({ name }) => name)).toEqual(['sex', 'education', 'region'])
    // Shares of sex differ by 33 of 500.
    expect(columns[0].value).toBeCloseTo(0.066, 12)
    expect(columns[0].p).toBeCloseTo(0.0368, 3)
    const bits = (await jsd(running, none)).releases[0].details?.columns ?? []
    expect(bits[0].value * Math.LN2).toBeCloseTo(0.0021827, 6)
  })

  it('intervals of means as in riskutility', async () => {
    const { value, releases } = await ciProximity(running, { ...none, definition })
    expect(value).toBeCloseTo(0.7935755, 6)
    expect(releases[0].details?.contains).toBe(0.5)
    const overlap = await ciProximity(running, none)
    expect(overlap.releases[0].details?.compared.map(({ name }) => name)).toContain('region')
    expect(overlap.value).toBeGreaterThan(0.5)
  })

  it('tails as in riskutility, and divergences of the tails integrated', async () => {
    const { value, releases } = await tailFidelity(running, { ...none, definition })
    expect(value).toBeCloseTo(0.0480718, 7)
    expect(Math.exp(-(value ?? 0))).toBeCloseTo(0.953065, 6)
    const columns = releases[0].details?.columns ?? []
    expect(columns[0].value).toBeCloseTo(0.0249631, 7)
    expect(columns[1].value).toBeCloseTo(0.0711805, 7)
    // The specification took densities on R's grid; here the kernel is summed exactly.
    expect(Math.abs((columns[0].jsd ?? 0) - 0.0024745)).toBeLessThan(2e-4)
    expect(Math.abs((columns[1].jsd ?? 0) - 0.0043107)).toBeLessThan(2e-4)
    expect(columns[1].hill.original?.alpha).toBeCloseTo(5.102944, 6)
  })

  it('outliers as in riskutility', async () => {
    const counts = async (method: 'iqr' | 'zscore') =>
      (await outliers(running, { ...none, method, definition })).releases[0].details?.columns.map(
        ({ counts }) => counts,
      )
    expect(await counts('iqr')).toEqual([
      [0, 0],
      [18, 18],
    ])
    expect(await counts('zscore')).toEqual([
      [0, 0],
      [9, 11],
    ])
  })

  it('utilities of the case study as rumap takes them: 1 - W₁ / IQR of income', async () => {
    const original = await table('case-original.csv')
    const files = ['case-a-independent.csv', 'case-b-bootstrap-noise.csv', 'case-c-near-copy.csv']
    for (const [k, utility] of [0.9753536, 0.9355096, 0.9916643].entries()) {
      const one = release({ original, released: await table(files[k]) })
      expect(1 - ((await wasserstein(one, none)).value ?? 0)).toBeCloseTo(utility, 5)
    }
  })

  it('means and frequencies', async () => {
    const details = (await meansFrequencies(running, none)).releases[0].details
    const income = details?.numbers.find(({ name }) => name === 'income')
    expect(income?.original.mean).toBeCloseTo(45724.444, 3)
    expect(income?.released.kurtosis).toBeCloseTo(4.214264, 4)
    const age = details?.columns.find(({ name }) => name === 'age')
    expect(age?.value).toBeCloseTo((52.78 - 50.696) / 18.787163, 6)
    const sex = details?.categories.find(({ name }) => name === 'sex')
    expect(sex?.levels[0]).toEqual({ level: 'F', original: 243 / 500, released: 276 / 500 })
  })
})
