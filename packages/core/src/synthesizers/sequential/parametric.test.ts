import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { mean, variance } from '../../stats/sums.js'
import { categorical, numeric } from '../../table/column.js'
import { columnOf, type Table, table, tableOf } from '../../table/table.js'
import { fitOrderedLogit } from '../methods/ordered-logit.js'
import { synthesize } from '../synthesizer.js'
import { parametricSynthesizer } from './synthesizers.js'

const count = Array.from({ length: 60 }, (_, k) => k + 1)
const x = count.map((k) => (k * 37) % 101)
const g = count.map((k) => k % 3)
const y = count.map((k, at) => 3 * Math.sqrt(x[at]) + (k % 5))
const numbers = (from: Table, name: string) => {
  const column = columnOf(from, name)
  return column.kind === 'categorical' ? Float64Array.from(column.codes) : column.values
}
const residual = async (method: string) => {
  const data = table('d', [numeric('x', x), numeric('g', g), numeric('y', y)])
  const options = parametricSynthesizer.options.parse({ method: { y: method, g: 'sample' } })
  const { variables } = (await parametricSynthesizer.fit(data, options, (p) => stream(1, p))).describe() as {
    variables: { variable: string; residual: number }[]
  }
  return variables.find(({ variable }) => variable === 'y')?.residual
}

describe('the numbers of R', () => {
  it('residual standard deviations of norm and normrank', async () => {
    expect(await residual('norm')).toBeCloseTo(2.00906087297, 9)
    expect(await residual('normrank')).toBeCloseTo(0.284113176816, 9)
  })

  it('ordered logistic regression: that of polr', () => {
    const latent = count.map((k, at) => x[at] / 30 + 0.4 * g[at] + ((k * 13) % 17) / 6)
    const classes = Int32Array.from(latent, (l) => [2, 3.2, 4.5].filter((cut) => l >= cut).length)
    const fit = fitOrderedLogit([Float64Array.from(x), Float64Array.from(g)], classes, 4)
    expect(fit.converged).toBe(true)
    expect(fit.deviance).toBeCloseTo(114.75599231, 7)
    const found = [...fit.slopes, ...fit.thresholds]
    ;[0.0708308295, 0.8147402239, 1.4766910599, 3.7318726549, 6.6016622251].forEach((value, k) => {
      expect(found[k]).toBeCloseTo(value, 6)
    })
  })
})

it.each(['norm', 'normrank'])('%s: far above what is expected is as unlikely as far below', async (method) => {
  const lower = Array.from({ length: 200 }, (_, k) => k - 200)
  const upper = lower.map((value) => -value)
  const noisy = lower.map((value, k) => value + ((k * 37) % 53) - 26)
  const at = [...lower, ...upper]
  const near = [...noisy, ...noisy.map((value) => -value)]
  const data = table('d', [numeric('x', at), numeric('y', near)])
  const options = parametricSynthesizer.options.parse({ method: { y: method } })
  const fitted = await parametricSynthesizer.fit(data, options, (p) => stream(1, p))
  // About 0 is expected, give or take 15.
  const asked = table('asked', [numeric('x', [-1, 1]), numeric('y', [Math.max(...near), Math.min(...near)])])
  const [above, below] = fitted.logProb?.(asked) ?? []
  expect(above).toBeLessThan(-50)
  expect(above).toBeCloseTo(below, 6)
})

const N = 3000
const random = stream(7, 'data')
const base = Float64Array.from({ length: N }, () => Math.round(100 * random.uniform()))
const linear = base.map((value) => Math.round(10 * (2 * value + 20 * (random.uniform() - 0.5))) / 10)
const mixed = table('mixed', [
  numeric('base', base),
  numeric('linear', linear),
  numeric(
    'positive',
    base.map((value) => Math.round(Math.exp(value / 30 + random.uniform()))),
  ),
  categorical(
    'two',
    Array.from(base, (value) => (value + 30 * random.uniform() > 60 ? 'yes' : 'no')),
  ),
  categorical(
    'grade',
    Array.from(base, (value) => ['low', 'mid', 'high'][Math.min(2, Math.floor((value + 30 * random.uniform()) / 45))]),
    { levels: ['low', 'mid', 'high'], ordered: true },
  ),
  categorical(
    'three',
    Array.from(base, (value) => ['a', 'b', 'c'][(Math.floor(value / 40) + random.below(2)) % 3]),
  ),
])

const correlation = (a: Float64Array, b: Float64Array) => {
  const [ma, mb] = [mean(a) ?? 0, mean(b) ?? 0]
  const covariance = a.reduce((sum, value, k) => sum + (value - ma) * (b[k] - mb), 0) / (a.length - 1)
  return covariance / Math.sqrt((variance(a) ?? 1) * (variance(b) ?? 1))
}

it.each([
  [{}],
  [{ proper: true }],
  [{ method: { linear: 'norm', positive: 'lognorm' } }],
  [{ method: { linear: 'cubertnorm', positive: 'sqrtnorm' }, proper: true }],
])('keeps relations and levels: %j', async (options) => {
  const made = await synthesize(parametricSynthesizer, mixed, { seed: 1, options })
  for (const name of ['linear', 'positive', 'two', 'grade']) {
    const was = correlation(base, numbers(mixed, name))
    expect(Math.abs(correlation(numbers(made, 'base'), numbers(made, name)) - was)).toBeLessThan(0.2)
  }
  expect(numbers(made, 'linear').every((value) => Math.abs(10 * value - Math.round(10 * value)) < 1e-9)).toBe(true)
  const share = (from: Table) => numbers(from, 'three').filter((code) => code === 1).length / N
  expect(Math.abs(share(made) - share(mixed))).toBeLessThan(0.05)
})

it('a predictor that separates the classes does not break a logistic regression', async () => {
  const data = tableOf('separated', {
    x: Array.from({ length: 200 }, (_, k) => k),
    y: Array.from({ length: 200 }, (_, k) => (k < 100 ? 'no' : 'yes')),
  })
  const made = await synthesize(parametricSynthesizer, data, { seed: 1 })
  const right = numbers(made, 'x').filter((value, row) => value < 100 === (numbers(made, 'y')[row] === 0)).length
  expect(right).toBeGreaterThan(185)
})
