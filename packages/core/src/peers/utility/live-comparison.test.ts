import { expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { describeReference, liveFiles } from '../../testing/reference.js'
import { copulaFidelity } from './multivariate/copula-fidelity.js'
import { energyDistance } from './multivariate/energy-distance.js'
import { mmd } from './multivariate/mmd.js'
import { regressionFidelity } from './predictive/regression-fidelity.js'
import { tailFidelity } from './univariate/tail-fidelity.js'

const printed = (value: number | null | undefined) => Number(value?.toPrecision(10))

describeReference('riskutility 0.2.0, mmd', () => {
  it.each([
    ['gss', 's', 2.121474643, -0.0002681048032, -0.0002159211594],
    ['sdx', 's', 3.10904822, -0.0002408161948, -0.0002235812839],
    ['eia', 'p', 1.004713104, -0.001467276493, -0.001238541505],
  ] as const)('%s: the scale is the median distance of all records', async (name, made, sigma, gaussian, quadratic) => {
    const files = release(await liveFiles(name, made))
    const options = { definition: 'riskutility', columns: 'numbers', resamples: 0 } as const
    const found = await mmd(files, options)
    expect(printed(found.releases[0].details?.sigma)).toBe(sigma)
    expect(printed(found.value)).toBe(gaussian)
    expect(printed((await mmd(files, { ...options, kernel: 'rational quadratic' })).value)).toBe(quadratic)
  })
})

describeReference('riskutility 0.2.0 on a file with a date, a constant and a column without values', () => {
  it('takes no date for a number', async () => {
    const files = release(await liveFiles('hard', 'r'))
    const options = { definition: 'riskutility', resamples: 0 } as const
    const numbers = { ...options, columns: 'numbers' } as const
    expect(printed((await mmd(files, numbers)).releases[0].details?.sigma)).toBe(1.650555004)
    expect(printed((await energyDistance(files, numbers)).releases[0].details?.across)).toBe(1.79090587)
    expect(printed((await copulaFidelity(files, options)).value)).toBe(0.001524793388)
    expect(printed((await tailFidelity(files, options)).value)).toBe(0.03413264131)
  })
})

describeReference('coefficients have the names of R', () => {
  it('lgTRUE of a logical column', async () => {
    const files = release(await liveFiles('hard', 'r'))
    const { details } = (
      await regressionFidelity(files, { formula: 'a ~ un + lg + tie', resamples: 0, intercept: true })
    ).releases[0]
    expect(details?.coefficients.map(({ term, original }) => [term, original?.estimate])).toEqual([
      ['(Intercept)', expect.closeTo(-3.8369368, 7)],
      ['unq', expect.closeTo(-0.771701, 7)],
      ['unr', expect.closeTo(-0.3706192, 7)],
      ['lgTRUE', expect.closeTo(-0.6500445, 7)],
      ['tie', expect.closeTo(-0.2521501, 7)],
    ])
  })
})

it('says of how many records the scale is', async () => {
  const files = (rows: number) => {
    const numbers = (name: string, factor: number) =>
      tableOf(name, { x: Array.from({ length: rows }, (_, k) => (k * factor) % 101) })
    return release({ original: numbers('o', 7), released: numbers('r', 11) })
  }
  const of = async (rows: number) => (await mmd(files(rows), { method: 'features', resamples: 0 })).releases[0]
  const [few, many] = [await of(1000), await of(1001)]
  expect([few.details?.sigmaFrom, many.details?.sigmaFrom]).toEqual([2000, 2000])
  expect(few.warnings).toEqual([])
  expect(many.warnings).toEqual([
    'the scale of the kernel is the median distance of 2,000 records drawn at random from 2002',
  ])
})
