import { expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { columnOf, selectRows, type Table } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { mahalanobis } from '../../utility/multivariate/mahalanobis.js'
import { associations } from './multivariate/associations.js'
import { copulaFidelity } from './multivariate/copula-fidelity.js'
import { energyDistance } from './multivariate/energy-distance.js'
import { mmd } from './multivariate/mmd.js'
import { pca } from './multivariate/pca.js'

const none = { resamples: 0 }

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
