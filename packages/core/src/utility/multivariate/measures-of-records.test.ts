import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { alphaPrecision } from './alpha-precision.js'
import { associations } from './associations.js'
import { betaRecall } from './beta-recall.js'
import { copulaDistance, empiricalCopula, FROM_PERFECT_TO_NONE, rankSquares } from './copula.js'
import { copulaFidelity } from './copula-fidelity.js'
import { energyDistance } from './energy-distance.js'
import { gower } from './gower.js'
import { mahalanobis } from './mahalanobis.js'
import { mixing } from './mixing.js'
import { mmd } from './mmd.js'
import { pca } from './pca.js'

const none = { resamples: 0 }

/** Two numbers with correlation `r` and a category that goes with the first. */
function people(name: string, seed: number, r: number, rows = 200) {
  const random = stream(seed, 'records')
  const a = Array.from({ length: rows }, () => drawNormal(random))
  return table(name, [
    numeric('a', a),
    numeric(
      'b',
      a.map((value) => r * value + Math.sqrt(1 - r * r) * drawNormal(random)),
    ),
    categorical(
      'c',
      a.map((value) => (value + (1.1 - r) * 3 * drawNormal(random) > 0 ? 'high' : 'low')),
    ),
  ])
}

describe('a file that kept the relations and one that lost them', () => {
  const original = people('original', 1, 0.8)
  const kept = release({ original, released: people('kept', 2, 0.8) })
  const lost = release({ original, released: people('lost', 3, 0) })

  it.each([energyDistance, mmd, copulaFidelity, associations])('$id is larger for the second', async (measure) => {
    const [good, bad] = [await measure(kept, { resamples: 4 }), await measure(lost, { resamples: 4 })]
    expect(bad.value).toBeGreaterThan(2 * (good.value ?? Number.NaN))
    expect(good.releases[0].utility?.place).toBeGreaterThan(0.5)
    expect(bad.releases[0].utility?.place).toBeLessThan(0.4)
  })

  it.each([pca, mixing])('$id is smaller for the second', async (measure) => {
    const [good, bad] = [await measure(kept, none), await measure(lost, none)]
    expect(good.value).toBeGreaterThan((bad.value ?? Number.NaN) + 0.05)
  })

  it.each([energyDistance, mmd, associations, copulaFidelity])('$id tests them', async (measure) => {
    const p = async (of: typeof kept) => (await measure(of, none)).releases[0].utility?.test?.p ?? Number.NaN
    expect(await p(kept)).toBeGreaterThan(0.01)
    expect(await p(lost)).toBeLessThanOrEqual(0.01)
  })

  it('slices and features agree with the exact values, within their standard errors', async () => {
    const exact = (await energyDistance(lost, none)).releases[0].details
    const sliced = (await energyDistance(lost, { ...none, method: 'slices', directions: 100 })).releases[0].details
    expect(Math.abs((sliced?.v ?? 0) - (exact?.v ?? 1))).toBeLessThan(4 * (sliced?.se ?? 0))
    const sure = (await mmd(lost, none)).releases[0].details
    for (const kernel of ['gaussian', 'rational quadratic'] as const) {
      const all = (await mmd(lost, { ...none, kernel })).releases[0].details
      const featured = (await mmd(lost, { ...none, kernel, method: 'features', features: 500 })).releases[0].details
      expect(Math.abs((featured?.v ?? 0) - (all?.v ?? 1))).toBeLessThan(4 * (featured?.se ?? 0))
      expect(Math.abs((featured?.u ?? 0) - (all?.u ?? 1))).toBeLessThan(4 * (featured?.se ?? 0))
    }
    expect(sure?.scales.map(({ sigma }) => sigma / (sure?.sigma ?? 1))).toEqual([0.5, 1, 2])
  })

  it('is the same on any number of threads', async () => {
    for (const measure of [energyDistance, mmd, mixing, betaRecall]) {
      const given = { ...none, ...(measure === energyDistance ? { method: 'slices' } : {}) }
      const one = await measure.run(lost, given)
      expect(await measure.run(lost, given, { tasks: shuffledRunner(4) })).toEqual(one)
    }
  })
})

describe('support', () => {
  const random = stream(9, 'support')
  const cloud = (name: string, rows: number, spread: number) =>
    table(
      name,
      ['a', 'b'].map((column) =>
        numeric(
          column,
          Array.from({ length: rows }, () => spread * drawNormal(random)),
        ),
      ),
    )
  const original = cloud('original', 250, 1)
  const against = (released: ReturnType<typeof cloud>) => release({ original, released })

  it('is kept by a new sample, too narrow or too wide otherwise', async () => {
    const precision = async (spread: number) => (await alphaPrecision(against(cloud('y', 250, spread)), none)).value
    expect(await precision(1)).toBeGreaterThan(0.9)
    expect(await precision(0.3)).toBeLessThan(0.7)
    expect(await precision(3)).toBeLessThan(0.7)
  })

  it('is covered by a new sample, and not by one that left out the margin', async () => {
    const recall = async (spread: number) => (await betaRecall(against(cloud('y', 250, spread)), none)).value
    expect(await recall(1)).toBeGreaterThan(0.85)
    expect(await recall(0.2)).toBeLessThan(0.5)
  })
})

describe('copulas', () => {
  const copula = (x: number[], y: number[], grid: number) =>
    empiricalCopula(rankSquares(Float64Array.from(x), grid), rankSquares(Float64Array.from(y), grid), grid)
  it('of the worked example lie 1/81 apart', () => {
    expect(copulaDistance(copula([1, 2, 3], [1, 2, 3], 3), copula([1, 2, 3], [3, 2, 1], 3))).toBeCloseTo(1 / 81, 12)
  })
  it('of perfect dependence and independence lie as far apart as worked out', () => {
    expect(FROM_PERFECT_TO_NONE).toBeCloseTo(0.01068222, 8)
    const grid = 50
    let squares = 0
    for (let i = 0; i < grid; i++)
      for (let j = 0; j < grid; j++) {
        const [a, b] = [i / (grid - 1), j / (grid - 1)]
        squares += (Math.min(a, b) - Math.max(0, a + b - 1)) ** 2
      }
    expect(squares / grid ** 2).toBeCloseTo(0.04004998, 8)
    // Many records that rise together, and as many that fall.
    const upTo = Array.from({ length: 4999 }, (_, k) => k)
    const [rising, falling] = [copula(upTo, upTo, grid), copula(upTo, upTo.toReversed(), grid)]
    expect(copulaDistance(rising, falling)).toBeCloseTo(0.04004998, 3)
  })
})

describe('paired records', () => {
  const original = tableOf('original', {
    age: [25, 30, 35, 40],
    income: [30000, 45000, 50000, 60000],
    sex: ['m', 'f', 'f', 'm'],
  })
  const released = tableOf('released', {
    age: [26, 31, 34, 42],
    income: [32000, 44000, 52000, 58000],
    sex: ['m', 'f', 'f', 'm'],
  })
  it('moved by the worked-out distance', async () => {
    const moved = await gower(release({ original, released, type: 'perturbed' }), none)
    expect(moved.value).toBeCloseTo(0.04395425, 8)
    const same = await gower(release({ original, released: original, type: 'perturbed' }), none)
    expect(same.value).toBe(0)
    expect(same.releases[0].details?.unchanged).toBe(1)
  })
})

describeReference('measures of several variables on the running example', async () => {
  const table = (file: string) => referenceTable('golden', 'vignette', file)
  const running = release({ original: await table('original.csv'), released: await table('synthetic.csv') })
  const numbers = { ...none, columns: 'numbers' as const }
  const definition = 'riskutility'

  it('energy distance', async () => {
    const { value, releases } = await energyDistance(running, { ...numbers, definition })
    expect(value).toBeCloseTo(0.003310564, 8)
    expect(releases[0].details?.v).toBeCloseTo(0.010230871, 8)
    expect(Math.exp(-(value ?? 0))).toBeCloseTo(0.996695, 6)
    // The permutation p of the specification is 0.161.
    expect(Math.abs((releases[0].utility?.test?.p ?? 0) - 0.161)).toBeLessThan(0.1)
  })

  it('energy distance within regions, numbers standardised in each', async () => {
    const region = columnOf(running.original, 'region')
    if (region.kind !== 'categorical') throw new Error('region is a category')
    const utilities: number[] = []
    for (const code of region.levels.keys()) {
      const within = (of: Table) => {
        const column = columnOf(of, 'region')
        if (column.kind !== 'categorical') throw new Error('region is a category')
        return selectRows(
          of,
          Int32Array.from(column.codes.keys()).filter((row) => column.codes[row] === code),
        )
      }
      const files = release({ original: within(running.original), released: within(running.released[0]) })
      utilities.push(Math.exp(-((await energyDistance(files, { ...numbers, definition })).value ?? Number.NaN)))
    }
    expect(utilities).toEqual([0.9995149, 0.9847494, 1, 0.9985004, 1].map((utility) => expect.closeTo(utility, 6)))
    expect(Math.min(...utilities) / 0.996695).toBeCloseTo(0.98801, 5)
  })

  it('maximum mean discrepancy', async () => {
    const { value, releases } = await mmd(running, { ...numbers, definition })
    expect(releases[0].details?.sigma).toBeCloseTo(1.6005962, 7)
    expect(value).toBeCloseTo(0.0012528, 7)
    expect(releases[0].details?.v).toBeCloseTo(0.00293599, 7)
    const other = await mmd(running, { ...numbers, definition, kernel: 'rational quadratic' })
    expect(other.value).toBeCloseTo(0.00093421, 7)
  })

  it('copulas', async () => {
    const { value } = await copulaFidelity(running, { ...none, definition })
    expect(value).toBeCloseTo(0.000124248, 9)
    expect(1 / (1 + 100 * (value ?? 0))).toBeCloseTo(0.987728, 6)
    const { details, utility } = (await copulaFidelity(running, { ...none, permutations: 199 })).releases[0]
    expect(details?.pairs[0].spearman).toEqual({
      original: expect.closeTo(0.05983585, 8),
      released: expect.closeTo(-0.01367355, 8),
    })
    // Permuted labels of whole records gave 0.41 in the specification.
    expect(Math.abs((utility?.test?.p ?? 0) - 0.41)).toBeLessThan(0.15)
  })

  it('associations', async () => {
    const pairs = (await associations(running, { ...none, method: 'pearson', definition })).releases[0].details?.pairs
    const pair = (a: string, b: string) => {
      const found = pairs?.find((one) => one.a === a && one.b === b)
      return [found?.original, found?.released].map((value) => value?.toFixed(7))
    }
    expect(pair('age', 'income')).toEqual(['0.0510939', '0.0017802'])
    expect(pair('age', 'sex')).toEqual(['0.0774219', '0.0827865'])
    expect(pair('age', 'education')).toEqual(['0.1008734', '0.0612083'])
    expect(pair('sex', 'education')).toEqual(['0.0314269', '0.0300643'])
    expect(pair('education', 'region')).toEqual(['0.0748138', '0.0654127'])
    expect(pairs?.find(({ a, b }) => a === 'age' && b === 'income')?.p).toBeCloseTo(0.4365, 4)
    const ranks = (await associations(running, none)).releases[0].details?.pairs
    const spearman = ranks?.find(({ a, b }) => a === 'age' && b === 'income')
    expect(spearman?.original).toBeCloseTo(0.05983585, 8)
    expect(spearman?.released).toBeCloseTo(-0.01367355, 8)
  })

  it('principal axes', async () => {
    const { eigenvalues } = (await pca(running, numbers)).releases[0].details ?? {}
    expect(eigenvalues?.original.map((value) => value.toFixed(7))).toEqual(['1.0510939', '0.9489061'])
    const own = (await pca(running, { ...numbers, definition })).releases[0].details?.eigenvalues
    expect(own?.released.map((value) => value.toFixed(7))).toEqual(['1.0017802', '0.9982198'])
  })

  it('mean vectors', async () => {
    expect((await mahalanobis(running, none)).value).toBeCloseTo(0.1072672, 7)
  })
})
