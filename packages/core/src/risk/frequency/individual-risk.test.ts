import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ReleaseInput, release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { individualRisk } from './individual-risk.js'

type Columns = Parameters<typeof tableOf>[1]
type Options = Parameters<typeof individualRisk>[1]

function fileOf(columns: Columns, roles: Omit<ReleaseInput, 'original' | 'released'>) {
  const file = tableOf('file', columns)
  return release({ original: file, released: file, ...roles })
}

async function risksOf(columns: Columns, roles: Omit<ReleaseInput, 'original' | 'released'>, options: Options = {}) {
  const { original } = await individualRisk(fileOf(columns, roles), options, { records: true })
  if (original === null || original.details === null || original.records === undefined)
    throw new Error(original?.reason?.text)
  return {
    details: original.details,
    warnings: original.warnings,
    risk: Array.from(original.records['risk']),
  }
}

function expectAll(found: readonly number[], expected: readonly number[], digits: number) {
  expect(found.length).toBe(expected.length)
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

const A = [2, 3, 2, 2, 3, 3, 1, 2]
const B = [3, 3, 3, 3, 3, 3, 4, 3]
const C = [1, 3, 1, 2, 1, 1, 1, 1]
const w = [18, 45.5, 39, 17, 92, 8, 123.5, 51]
const weighted = { keys: ['A', 'B', 'C'], weight: 'w' }

describe('individual risk with weights', () => {
  it('is E(1/F | f) of the negative binomial model', async () => {
    const { risk, details } = await risksOf({ A, B, C, w }, weighted)
    expectAll(risk, [0.01355297, 0.08579129, 0.01355297, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01355297], 8)
    expect(details.method).toBe('nb')
    expect(details.expectedReidentifications).toBeCloseTo(0.3803999, 7)
    expect(details.globalRisk).toBeCloseTo(0.04755, 7)
    expect(details.sampling).toEqual({ source: 'weights', populationSize: 394, fraction: 8 / 394, inconsistent: 0 })
  })

  it("has sdcMicro's approximation as an option", async () => {
    const { risk } = await risksOf({ A, B, C, w }, weighted, { method: 'approx' })
    expect(risk[0]).toBeCloseTo(0.01369863, 8)
    expect(risk[1]).toBeCloseTo(0.08579129, 8)
  })

  it('reads missing keys as wildcards', async () => {
    const columns = { A: [2, 3, 2, 2, 3, 3, 1, null], B, C: [1, 3, null, 2, 1, 1, null, 1], w }
    const { risk } = await risksOf(columns, weighted, { missing: 'wildcard' })
    expectAll(
      risk,
      [0.013552968, 0.085791288, 0.010504889, 0.032466112, 0.009756889, 0.009756889, 0.039316254, 0.005962551],
      9,
    )
    const sample = await risksOf(columns, weighted, { missing: 'wildcard', method: 'sample' })
    expectAll(sample.risk, [1 / 3, 1, 1 / 4, 1 / 2, 1 / 3, 1 / 3, 1, 1 / 5], 15)
  })

  it('has the values of Capobianchi, Polettini and Lucarelli', async () => {
    const columns = {
      k1: [1, 1, 1, 3, 4, 4, 6, 1],
      k2: [2, 2, 2, 3, 3, 3, 2, 2],
      k3: [5, 1, 1, 1, 1, 1, 1, 5],
      k4: [1, 1, 1, 5, 4, 1, 5, 1],
      w: [18, 45.5, 39, 17, 541, 8, 5, 92],
    }
    const { risk } = await risksOf(columns, { keys: ['k1', 'k2', 'k3', 'k4'], weight: 'w' })
    expectAll(risk, [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426], 8)
  })
})

/** Random tables, frequencies and risks printed by sdcMicro 5.8.2 (freqCalc, indivRisk); the last two rows are its summaries. */
const SDCMICRO = [
  {
    a: [1, 3, 1, 2, 1, 3, 3, 2, 2, 3, 3, 1, 1, 1],
    b: [2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1],
    c: [2, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 2, 2, 1],
    w: [34.1, 32.7, 47.8, 3.4, 29.7, 44.5, 42.2, 29.7, 52.0, 27.4, 16.2, 6.1, 7.8, 20.3],
    alpha: 1,
    f: [3, 1, 3, 1, 2, 2, 2, 1, 1, 2, 2, 3, 2, 1],
    F: [88.0, 32.7, 88.0, 3.4, 37.5, 86.7, 86.7, 29.7, 52.0, 43.6, 43.6, 88.0, 37.5, 20.3],
    exact: [
      0.01654992968, 0.11001183211, 0.01654992968, 0.50990642984, 0.04703449712, 0.02151112868, 0.02151112868,
      0.11815843365, 0.07747536703, 0.04095342555, 0.04095342555, 0.01654992968, 0.04703449712, 0.15599071948,
    ],
    approximateSum: 1.240820214,
    observedThreshold: 0,
  },
  {
    a: [1, 3, 2, 2, 1, 1, 1, 1, 1, 2, null, 1, 3, null],
    b: [2, 2, 2, 1, 1, 1, 2, 1, 1, null, 1, 2, 2, 1],
    c: [2, 1, 2, 2, 2, 1, 2, 2, 2, 1, null, 1, 2, 1],
    w: [48.1, 58.5, 22.2, 31.1, 49.0, 2.4, 2.9, 41.6, 55.9, 18.0, 49.1, 47.6, 59.4, 37.6],
    alpha: 1,
    f: [2, 1, 1, 2, 4, 3, 2, 4, 4, 3, 8, 1, 1, 4],
    F: [51.0, 58.5, 22.2, 80.2, 195.6, 89.1, 51.0, 195.6, 195.6, 104.7, 284.7, 47.6, 59.4, 107.1],
    exact: [
      0.035420777256, 0.070765682682, 0.146230768343, 0.023160905322, 0.006749381395, 0.016351003938, 0.035420777256,
      0.006749381395, 0.006749381395, 0.013970286651, 0.003995657693, 0.082893406894, 0.069936544972, 0.012230763773,
    ],
    approximateSum: 0.5311154327,
    observedThreshold: 0.006770480704,
  },
  {
    a: [1, 2, null, 2, 3, 3, 2, 3, 1, null, null, 1, 1, 1],
    b: [1, 1, null, 2, 2, 2, 2, 1, 2, null, 2, 2, 1, 2],
    c: [2, 1, 2, null, 1, 1, 1, 2, 1, 1, 1, null, 2, null],
    w: [59.6, 51.0, 54.8, 29.3, 15.0, 9.4, 18.2, 49.3, 5.3, 48.6, 8.1, 46.5, 19.7, 46.6],
    alpha: 1,
    f: [3, 2, 7, 5, 4, 4, 4, 2, 5, 10, 9, 6, 3, 6],
    F: [134.1, 99.6, 305.8, 159.0, 81.1, 81.1, 104.2, 104.1, 155.1, 278.0, 227.0, 209.9, 134.1, 209.9],
    exact: [
      0.010963536446, 0.018850773068, 0.00379785898, 0.007781629168, 0.016065595989, 0.016065595989, 0.012565248637,
      0.018072119268, 0.007975295565, 0.003979012792, 0.004928239427, 0.005676900956, 0.010963536446, 0.005676900956,
    ],
    approximateSum: 0.1439076413,
    observedThreshold: 0.01617468662,
  },
]

describe('individual risk beside sdcMicro', () => {
  it.each(SDCMICRO)('%#', async ({ a, b, c, w, alpha, f, F, exact, approximateSum, observedThreshold }) => {
    const roles = { keys: ['a', 'b', 'c'], weight: 'w' }
    const input = fileOf({ a, b, c, w }, roles)
    const { original } = await individualRisk(input, { missing: 'wildcard', alpha, method: 'nb' }, { records: true })
    expect(Array.from(original?.records?.['classSize'] ?? [])).toEqual(f)
    expectAll(Array.from(original?.records?.['populationFrequency'] ?? []), F, 10)
    expectAll(Array.from(original?.records?.['risk'] ?? []), exact, 10)
    const approx = await risksOf({ a, b, c, w }, roles, { missing: 'wildcard', alpha, method: 'approx' })
    expect(approx.details.expectedReidentifications).toBeCloseTo(approximateSum, 8)
    expect(approx.details.target.observedThreshold).toBeCloseTo(observedThreshold, 9)
  })

  it('gives a positive risk to a class between 1 and 2 (sdcMicro: 0) and to any fractional class (sdcMicro exact: NaN)', async () => {
    const columns = {
      a: [3, null, 3, 3, 3, 2, null, 2, 3, 2, 2, 2, 2, 1],
      b: [2, 1, 1, 1, 1, 1, 2, 2, 1, 1, 2, null, null, 2],
      c: [1, 1, 1, 2, 1, 2, 2, null, 2, 1, null, 2, 2, 1],
      w: [54.3, 53.7, 44.0, 34.8, 24.5, 45.3, 53.9, 48.9, 49.5, 26.4, 12.2, 12.1, 53.8, 45.1],
    }
    const options = { missing: 'wildcard', alpha: 0.5, method: 'approx' } as const
    const { risk } = await risksOf(columns, { keys: ['a', 'b', 'c'], weight: 'w' }, options)
    expect(risk[0]).toBeCloseTo(0.074944169361, 10)
    expect(risk[2]).toBeCloseTo(0.017179178835, 10)
    expect(risk[11]).toBeCloseTo(0.007563660812, 10)
    expect(risk[9]).toBeGreaterThan(risk[2])
    expect(risk[9]).toBeLessThan(risk[0])
    const exact = await risksOf(columns, { keys: ['a', 'b', 'c'], weight: 'w' }, { ...options, method: 'nb' })
    expect(exact.risk.every((value) => value > 0 && value < 1)).toBe(true)
  })

  it('never exceeds 1, with weights below 1 or a large quality factor', async () => {
    const { risk, warnings } = await risksOf({ a: [1, 2, 2], w: [0.2, 0.3, 0.4] }, { keys: ['a'], weight: 'w' })
    expectAll(risk, [1, 0.5, 0.5], 12)
    expect(warnings.some((text) => text.includes('less than the 3 records'))).toBe(true)
    const scaled = await risksOf({ a: [1, 2, 2] }, { keys: ['a'] }, { qual: 3 })
    expect(scaled.risk).toEqual([1, 1, 1])
  })
})

describe('other estimators', () => {
  it('plugin is systematically lower than nb for an estimated F', async () => {
    const one = { a: [1, 2, 2, 2] }
    const plugin = await risksOf(one, { keys: ['a'] }, { method: 'plugin', samplingFraction: 0.01 })
    const nb = await risksOf(one, { keys: ['a'] }, { samplingFraction: 0.01 })
    expect(plugin.risk[0]).toBeCloseTo(0.01, 15)
    expect(nb.risk[0]).toBeCloseTo(0.0465169, 7)
    expect(nb.details.method).toBe('nb')
  })

  it('counts F in a population table, and says what the table lacks', async () => {
    const file = tableOf('file', { a: ['x', 'y', 'z', 'z'] })
    const population = tableOf('population', { a: ['x', 'x', 'x', 'x', 'z'] })
    const { original } = await individualRisk(
      release({ original: file, released: file, population, keys: ['a'] }),
      {},
      { records: true },
    )
    expect(Array.from(original?.records?.['risk'] ?? [])).toEqual([0.25, 1, 0.5, 0.5])
    expect(original?.details?.method).toBe('plugin')
    expect(original?.details?.sampling).toEqual({
      source: 'population',
      populationSize: 5,
      fraction: 0.8,
      inconsistent: 3,
    })
    expect(original?.warnings.length).toBe(2)
  })

  it('counts persons compatible with a record whose key is partly missing', async () => {
    const file = tableOf('file', { a: ['x', 'x', 'y'], b: ['p', null, 'q'] })
    const population = tableOf('population', { a: ['x', 'x', 'x', 'y', 'y'], b: ['p', 'p', 'q', 'q', null] })
    const input = release({ original: file, released: file, population, keys: ['a', 'b'] })
    const { original } = await individualRisk(input, { missing: 'wildcard', alpha: 0.5 }, { records: true })
    expect(Array.from(original?.records?.['populationFrequency'] ?? [])).toEqual([2, 3, 1.5])
  })

  it('poisson under independence: the published model, not the fitted sample mean', async () => {
    const columns = { a: ['x', 'x', 'y', 'y', 'y'], b: ['p', 'q', 'p', 'p', 'q'] }
    const { risk, details } = await risksOf(columns, { keys: ['a', 'b'] }, { method: 'poisson', samplingFraction: 0.1 })
    const nu = (0.9 * ((2 * 3) / 5)) / 0.1
    expect(risk[0]).toBeCloseTo((1 - Math.exp(-nu)) / nu, 12)
    expect(details.logLinear).toMatchObject({ model: 'independence', gridCells: 4, emptyCells: 0 })
    const others = [(2 * 3) / 5, (2 * 2) / 5, (3 * 2) / 5].map((mu) => Math.exp(-9 * mu))
    expect(details.logLinear?.tau1).toBeCloseTo(others[0] + others[1] + others[2], 12)
  })

  it('poisson with all weights 100 gives next to no population uniques (sdcMicro modRisk prints 0.553)', async () => {
    const n = 200
    const columns = {
      a: Array.from({ length: n }, (_, k) => k % 7),
      b: Array.from({ length: n }, (_, k) => (k * k) % 5),
      w: Array.from({ length: n }, () => 100),
    }
    const { details } = await risksOf(columns, { keys: ['a', 'b'], weight: 'w' }, { method: 'poisson' })
    expect(details.logLinear?.tau1 ?? 1).toBeLessThan(1e-4)
  })

  it('poisson with cliques: a name that is no key is told', async () => {
    const columns = { a: [1, 2], b: [1, 2] }
    const options = { method: 'poisson', logLinear: 'cliques', cliques: [['a', 'bb']] } as const
    await expect(
      individualRisk(fileOf(columns, { keys: ['a', 'b'] }), { ...options, cliques: [['a', 'bb']] }),
    ).rejects.toThrow('"bb"')
    await expect(
      individualRisk(fileOf(columns, { keys: ['a', 'b'] }), { method: 'poisson', logLinear: 'cliques' }),
    ).rejects.toThrow('cliques')
    const fine = await risksOf(
      columns,
      { keys: ['a', 'b'] },
      { method: 'poisson', logLinear: 'two-way', samplingFraction: 0.5 },
    )
    expect(fine.details.logLinear?.model).toBe('decomposable')
  })

  it('riskutility: the smaller of 1/f and 1/max(1, fitted count), also where keys are numbers of different width', async () => {
    const columns = { a: [5, 5, 15, 15, 15], b: ['p', 'q', 'p', 'p', 'q'] }
    const both = await risksOf(columns, { keys: ['a', 'b'] }, { method: 'riskutility' })
    expectAll(both.risk, [5 / 6, 1, 0.5, 0.5, 5 / 6], 12)
    const model = await risksOf(columns, { keys: ['a', 'b'] }, { method: 'riskutility', riskutilityMethod: 'model' })
    expectAll(model.risk, [5 / 6, 1, 5 / 9, 5 / 9, 5 / 6], 12)
    const weights = await risksOf(
      { ...columns, w: [4, 2, 1, 3, 9] },
      { keys: ['a', 'b'], weight: 'w' },
      { method: 'riskutility' },
    )
    expectAll(weights.risk, [1 / 4, 1 / 2, 1 / 4, 1 / 4, 1 / 9], 12)
  })
})

describe('aggregates', () => {
  /** Risks .5, .4, .2, .1, as 1/F of the weights. */
  it('finds the threshold for a target global risk: exactly 0.35, the observed level 0.2', async () => {
    const columns = { a: ['p', 'q', 'r', 's'], w: [2, 2.5, 5, 10] }
    const { details } = await risksOf(columns, { keys: ['a'], weight: 'w' }, { method: 'plugin', maxGlobalRisk: 0.25 })
    expect(details.target.threshold).toBeCloseTo(0.35, 12)
    expect(details.target.observedThreshold).toBeCloseTo(0.2, 12)
    const none = await risksOf(columns, { keys: ['a'], weight: 'w' }, { method: 'plugin', maxGlobalRisk: 0.5 })
    expect(none.details.target).toEqual({ globalRisk: 0.5, threshold: null, observedThreshold: 0.5 })
  })

  it('caps at the exact threshold to the target, whatever the risks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0.005, max: 0.9, noNaN: true }),
        async (weights, target) => {
          const columns = { a: weights.map((_, k) => k), w: weights.map((weight) => weight + 0.5) }
          const { risk, details } = await risksOf(columns, { keys: ['a'], weight: 'w' }, { maxGlobalRisk: target })
          const total = (cap: number) => risk.reduce((sum, r) => sum + Math.min(r, cap), 0)
          const { threshold, observedThreshold } = details.target
          if (threshold === null) expect(total(2)).toBeLessThan(target * risk.length)
          else expect(total(threshold)).toBeCloseTo(target * risk.length, 9)
          const levels = risk.filter((level) => total(level) < target * risk.length - 1e-12)
          expect(observedThreshold).toBeCloseTo(Math.max(0, ...levels), 9)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('summarises: quantiles, bands, records above the threshold, mean by class size', async () => {
    const columns = { a: [1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3] }
    const { details } = await risksOf(columns, { keys: ['a'] })
    expect(details.globalRisk).toBeCloseTo(3 / 23, 12)
    expect(details.maximum).toBe(1)
    expect(details.uniques).toBe(1)
    expect(details.aboveThreshold).toBe(3)
    expect(details.quantiles.p50).toBeCloseTo(0.05, 15)
    expect(details.bands.map(({ records }) => records)).toEqual([1, 0, 2, 0, 0, 20])
    expect(details.outliers).toBe(3)
    expect(details.bySize).toEqual([
      { size: '1', records: 1, mean: 1 },
      { size: '2', records: 2, mean: 0.5 },
      { size: '10+', records: 20, mean: expect.closeTo(0.05, 12) },
    ])
    expect(details.aboveThresholdShare).toBeCloseTo(3 / 23, 12)
  })

  it('summarises by a column with the frequencies of the whole file', async () => {
    const columns = { a: [1, 2, 2, 3], g: ['m', 'm', 'f', null] }
    const { details } = await risksOf(columns, { keys: ['a'] }, { by: 'g', threshold: 0.6 })
    expect(details.by).toEqual({
      variable: 'g',
      levels: [
        {
          level: '(missing)',
          records: 1,
          mean: 1,
          maximum: 1,
          aboveThreshold: 1,
          aboveThresholdShare: 1,
          shareOfHighRisk: 0.5,
        },
        {
          level: 'f',
          records: 1,
          mean: 0.5,
          maximum: 0.5,
          aboveThreshold: 0,
          aboveThresholdShare: 0,
          shareOfHighRisk: 0,
        },
        {
          level: 'm',
          records: 2,
          mean: 0.75,
          maximum: 1,
          aboveThreshold: 1,
          aboveThresholdShare: 0.5,
          shareOfHighRisk: 0.5,
        },
      ],
    })
    await expect(individualRisk(fileOf(columns, { keys: ['a'] }), { by: 'gg' })).rejects.toThrow('did you mean "g"')
  })
})

describe('edge cases', () => {
  it('one record', async () => {
    const { details, risk } = await risksOf({ a: [7] }, { keys: ['a'] })
    expect(risk).toEqual([1])
    expect(details.target.threshold).toBeCloseTo(0.01, 12)
  })

  it('dropped records have no risk and are told', async () => {
    const { risk, details, warnings } = await risksOf({ a: [1, null, 1] }, { keys: ['a'] }, { missing: 'drop' })
    expect(risk).toEqual([0.5, Number.NaN, 0.5])
    expect(details.dropped).toBe(1)
    expect(details.expectedReidentifications).toBe(1)
    expect(warnings.some((text) => text.includes('dropped'))).toBe(true)
  })

  it('every key missing: not applicable when dropped, one class otherwise', async () => {
    const input = fileOf({ a: [null, null], b: [1, 2] }, { keys: ['a'] })
    expect((await individualRisk(input, { missing: 'drop' })).status).toBe('not applicable')
    expect((await individualRisk(input)).value).toBe(0.5)
  })

  it('a model of classes reads a wildcard as one more value, and says so', async () => {
    const columns = { a: [1, null, 1], b: [1, 1, 1] }
    const { warnings, details } = await risksOf(
      columns,
      { keys: ['a', 'b'] },
      { missing: 'wildcard', method: 'poisson', samplingFraction: 0.5 },
    )
    expect(warnings.some((text) => text.includes('equivalence classes'))).toBe(true)
    expect(details.missingPolicy).toBe('category')
  })

  it('a sampling fraction beside weights is not used, and that is said', async () => {
    const { details, warnings } = await risksOf(
      { a: [1, 2], w: [10, 20] },
      { keys: ['a'], weight: 'w' },
      { samplingFraction: 0.5 },
    )
    expect(details.sampling.source).toBe('weights')
    expect(warnings[0]).toContain('samplingFraction was not used')
  })

  it('weights of 1 and no sampling information mean that the file is the population', async () => {
    const ones = await risksOf({ a: [1, 2, 2], w: [1, 1, 1] }, { keys: ['a'], weight: 'w' })
    expect(ones.details.method).toBe('sample')
    expect(ones.warnings[0]).toContain('all weights are 1')
    const nothing = await risksOf({ a: [1, 2, 2] }, { keys: ['a'] })
    expect(nothing.warnings[0]).toContain('taken to be the whole population')
    expect(nothing.details.globalRisk).toBeCloseTo(2 / 3, 15)
  })

  it('keys with a separator in them, or equal to 7 digits, stay apart', async () => {
    const rows = [
      ['a|b', 'c', 1234567.81],
      ['a', 'b|c', 1234567.81],
      ['a', 'b|c', 1234567.89],
    ]
    const file = tableOfRows('file', ['x', 'y', 'z'], rows)
    const { value } = await individualRisk(release({ original: file, released: file, keys: ['x', 'y', 'z'] }))
    expect(value).toBe(1)
  })
})

describe('properties', () => {
  const rows = fc.array(
    fc.record({
      a: fc.integer({ min: 0, max: 3 }),
      b: fc.integer({ min: 0, max: 2 }),
      w: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 25 },
  )

  it('mean 1/f is the number of classes over the number of records', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const { details } = await risksOf({ a: list.map((r) => r.a), b: list.map((r) => r.b) }, { keys: ['a', 'b'] })
        const classes = new Set(list.map((r) => 10 * r.a + r.b)).size
        expect(details.globalRisk).toBeCloseTo(classes / list.length, 12)
      }),
      { numRuns: 40 },
    )
  })

  it('lies between 1/F and 1/f, does not depend on the order of rows or keys', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const columns = (of: typeof list) => ({
          a: of.map((r) => r.a),
          b: of.map((r) => r.b),
          w: of.map((r) => r.w + 1),
        })
        const { risk } = await risksOf(columns(list), { keys: ['a', 'b'], weight: 'w' })
        const reversed = await risksOf(columns([...list].reverse()), { keys: ['b', 'a'], weight: 'w' })
        expectAll([...reversed.risk].reverse(), risk, 12)
        for (const [k, r] of risk.entries()) {
          const same = list.filter((other) => other.a === list[k].a && other.b === list[k].b)
          expect(r).toBeLessThanOrEqual(1 / same.length + 1e-12)
          expect(r).toBeGreaterThanOrEqual(1 / same.reduce((sum, other) => sum + other.w + 1, 0) - 1e-12)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe.skipIf(reference() === undefined)('case study of the vignette', () => {
  const keys = ['age_group', 'sex', 'education', 'region']
  it.each([
    ['case-original.csv', 0.1042],
    ['case-a-independent.csv', 0.103],
    ['case-b-bootstrap-noise.csv', 0.0967],
    ['case-c-near-copy.csv', 0.1042],
  ])('%s: mean 1/f is 0.12 for every file, and the figure that riskutility prints', async (file, both) => {
    const original = await referenceTable('golden', 'vignette', 'case-original.csv')
    const released = await referenceTable('golden', 'vignette', file)
    const input = release({ original, released, keys })
    expect((await individualRisk(input)).value).toBeCloseTo(0.12, 12)
    expect((await individualRisk(input, { method: 'riskutility' })).value).toBeCloseTo(both, 4)
  })
})
