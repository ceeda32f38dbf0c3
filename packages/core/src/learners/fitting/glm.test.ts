import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { columnOf, table } from '../../table/table.js'
import { numbersOf } from '../../testing/fit.js'
import { reference, referenceJson, referenceTable } from '../../testing/reference.js'
import { designColumns, designOf } from '../coding/design-matrix.js'
import { fitLinear } from '../linear.js'
import { fitGlm, gaussian, poisson } from './glm.js'

const source = stream(1, 'glm test')
const x = [0, 1].map(() => Float64Array.from({ length: 30 }, () => drawNormal(source)))
const y = x[0].map((value, i) => 1 + value - 2 * x[1][i] + drawNormal(source))

describe.skipIf(reference() === undefined)('R on the golden data', () => {
  const expected = z.object({
    poisson_round_exp_y4: z.object({
      term: z.array(z.string()),
      estimate: z.array(z.number()),
      se: z.array(z.number()),
      deviance: z.number(),
    }),
  })

  it('agrees on the Poisson regression in all digits printed', async () => {
    const { poisson_round_exp_y4: golden } = expected.parse(referenceJson('golden', 'learners', 'models.json'))
    const data = await referenceTable('golden', 'learners', 'data.csv')
    const features = table(
      'features',
      ['x1', 'x2', 'g'].map((name) => columnOf(data, name)),
    )
    const counts = numbersOf(data, 'y').values.map((value) => Math.round(Math.exp(value / 4)))
    const design = designOf(features)
    const fit = fitGlm(designColumns(design, features), counts, { family: poisson })
    expect(['(Intercept)', ...design.terms.map(({ name }) => name)]).toEqual(golden.term)
    const printed = (value: number) => Number(value.toPrecision(13))
    expect([...fit.coefficients].map(printed)).toEqual(golden.estimate)
    expect([...fit.standardErrors].map(printed)).toEqual(golden.se)
    expect(fit.deviance).toBeCloseTo(golden.deviance, 11)
    expect(fit.converged).toBe(true)
  })
})

describe('generalised linear models', () => {
  it('with the gaussian family are least squares', () => {
    const fit = fitGlm(x, y, { family: gaussian })
    const linear = fitLinear(x, y)
    fit.coefficients.forEach((value, j) => {
      expect(value).toBeCloseTo(linear.coefficients[j], 12)
      expect(fit.standardErrors[j]).toBeCloseTo(linear.standardErrors[j], 12)
    })
  })

  it('estimate a Poisson mean by the mean, 0 by nearly 0', () => {
    const fit = fitGlm([], Float64Array.of(1, 2, 6), { family: poisson })
    expect(fit.coefficients[0]).toBeCloseTo(Math.log(3), 9)
    expect(fitGlm([], Float64Array.of(0, 0), { family: poisson }).fitted[0]).toBeLessThan(1e-8)
  })

  it('shrink with a ridge, but not the intercept', () => {
    const none = fitGlm(x, y, { family: gaussian })
    const some = fitGlm(x, y, { family: gaussian, ridge: 10 })
    const endless = fitGlm(x, y, { family: gaussian, ridge: 1e12 })
    expect(Math.abs(some.coefficients[1])).toBeLessThan(Math.abs(none.coefficients[1]))
    expect(endless.coefficients[1]).toBeCloseTo(0, 8)
    expect(endless.coefficients[0]).toBeCloseTo(y.reduce((a, b) => a + b, 0) / 30, 8)
  })

  it('do without an intercept', () => {
    const fit = fitGlm([Float64Array.of(1, 2, 3)], Float64Array.of(2, 4, 6), { family: gaussian, intercept: false })
    expect([...fit.coefficients].map((value) => Number(value.toFixed(12)))).toEqual([2])
  })
})
