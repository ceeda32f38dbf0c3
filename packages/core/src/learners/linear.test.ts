import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { numeric } from '../table/column.js'
import { columnOf, selectRows, table, tableOf } from '../table/table.js'
import { fitContext, numbersOf } from '../testing/fit.js'
import { reference, referenceJson, referenceTable } from '../testing/reference.js'
import { correctDigits, strd } from '../testing/strd.js'
import { designColumns, designOf } from './coding/design-matrix.js'
import { fitLinear, linear } from './linear.js'

const options = linear.options.parse({})
const numbers = (...values: number[]) => ({ kind: 'numbers' as const, values: Float64Array.from(values) })

describe('NIST certified regressions', () => {
  // Powers of Filip's x are rounded before they get here; that is what limits its digits.
  const digits = (name: string) => (name === 'Filip' ? 7 : 12)

  it.each(strd)('$name', (set) => {
    const fit = fitLinear(set.x, set.y, { intercept: set.intercept })
    const pairs = [
      ...set.coefficients.map((certified, j) => [fit.coefficients[j], certified]),
      ...set.standardErrors.map((certified, j) => [fit.standardErrors[j], certified]),
      [fit.sigma, set.sigma],
      [fit.rSquared, set.rSquared],
    ]
    for (const [value, certified] of pairs)
      expect(correctDigits(value, certified)).toBeGreaterThanOrEqual(digits(set.name))
  })
})

describe.skipIf(reference() === undefined)('R on the golden data', () => {
  const expected = z.object({
    lm: z.object({
      term: z.array(z.string()),
      estimate: z.array(z.number()),
      se: z.array(z.number()),
      p: z.array(z.number()),
      sigma: z.number(),
      r2: z.number(),
    }),
  })

  it('agrees in all digits printed', async () => {
    const { lm } = expected.parse(referenceJson('golden', 'learners', 'models.json'))
    const data = await referenceTable('golden', 'learners', 'data.csv')
    const features = table(
      'features',
      ['x1', 'x2', 'x3', 'g', 'h'].map((name) => columnOf(data, name)),
    )
    const { values } = numbersOf(data, 'y')
    const design = designOf(features)
    const fit = fitLinear(designColumns(design, features), values)
    expect(['(Intercept)', ...design.terms.map(({ name }) => name)]).toEqual(lm.term)
    const printed = (value: number) => Number(value.toPrecision(13))
    expect([...fit.coefficients].map(printed)).toEqual(lm.estimate.map(printed))
    expect([...fit.standardErrors].map(printed)).toEqual(lm.se.map(printed))
    fit.pValues.forEach((p, j) => {
      expect(p / lm.p[j]).toBeCloseTo(1, 9)
    })
    expect(printed(fit.sigma)).toBe(printed(lm.sigma))
    expect(printed(fit.rSquared)).toBe(printed(lm.r2))
    const model = await linear.fit(features, numbersOf(data, 'y'), options, fitContext())
    const predicted = await model.predict(features)
    predicted.forEach((value, i) => {
      expect(value).toBeCloseTo(values[i] - fit.residuals[i], 12)
    })
    expect(model.rSquared).toBe(fit.rSquared)
  })

  it('leaves a combination of columns out, as R', async () => {
    const data = await referenceTable('golden', 'learners', 'data.csv')
    const [x1, x2] = [numbersOf(data, 'x1').values, numbersOf(data, 'x2').values]
    const both = numeric(
      'both',
      x1.map((value, i) => value + x2[i]),
    )
    const features = table('t', [columnOf(data, 'x1'), columnOf(data, 'x2'), both, columnOf(data, 'g')])
    const { coefficients } = await linear.fit(features, numbersOf(data, 'y'), options, fitContext())
    expect(coefficients.map(({ estimate }) => Number(estimate?.toPrecision(11)))).toEqual([
      1.0513768271, 2.0321928505, -4.8638921013, 0, 1.4468519815, 0.043333574457, 1.5068420243, -0.19062882632,
    ])
    expect(coefficients[3].standardError).toBeNull()
  })

  it('takes weights for repeated rows, with missing values too', async () => {
    const data = selectRows(
      await referenceTable('golden', 'learners', 'data-missing.csv'),
      Array.from({ length: 60 }, (_, i) => i),
    )
    const features = table(
      't',
      ['x1', 'x3', 'g', 'h'].map((name) => columnOf(data, name)),
    )
    const weights = Float64Array.from({ length: 60 }, (_, i) => i % 3)
    const repeated = Array.from(weights.keys()).flatMap((row) => new Array<number>(weights[row]).fill(row))
    const weighted = await linear.fit(features, numbersOf(data, 'y'), options, fitContext({ weights }))
    const rows = selectRows(data, repeated)
    const plain = await linear.fit(selectRows(features, repeated), numbersOf(rows, 'y'), options, fitContext())
    weighted.coefficients.forEach(({ term, estimate, standardError }, j) => {
      expect(term).toBe(plain.coefficients[j].term)
      expect(estimate).toBeCloseTo(plain.coefficients[j].estimate ?? 0, 11)
      expect(standardError).toBeCloseTo(plain.coefficients[j].standardError ?? 0, 11)
    })
    expect(weighted.sigma).toBeCloseTo(plain.sigma ?? 0, 11)
    weighted.importance.forEach(({ value }, j) => {
      expect(value).toBeCloseTo(plain.importance[j].value, 11)
    })
  })
})

describe('linear regression', () => {
  it('is the line of four points', async () => {
    const model = await linear.fit(
      tableOf('t', { x: [1, 2, 3, 4] }),
      numbers(2.1, 3.9, 6.2, 7.8),
      options,
      fitContext(),
    )
    expect(model.coefficients.map(({ estimate }) => Number(estimate?.toFixed(14)))).toEqual([0.15, 1.94])
    const predicted = await model.predict(tableOf('u', { x: [1, 2, 3, 4] }))
    expect([...predicted].map((value) => Number(value.toFixed(12)))).toEqual([2.09, 4.03, 5.97, 7.91])
    expect(model.notes[1]).toBe('x: 1.94 (se 0.0905539)')
  })

  it.each([
    ['a constant response', { x: [1, 2, 3] }, [5, 5, 5]],
    ['one row', { x: [1] }, [5]],
    ['constant columns', { x: [1, 1, 1], g: ['a', 'a', 'a'] }, [4, 5, 6]],
    ['columns of nothing', { x: [null, null, null] }, [4, 5, 6]],
  ])('predicts the mean from %s', async (_, columns, values) => {
    const features = tableOf('t', columns)
    const model = await linear.fit(features, numbers(...values), options, fitContext())
    for (const value of await model.predict(features)) expect(value).toBeCloseTo(5, 13)
    expect(() => JSON.stringify(model)).not.toThrow()
  })

  it('has no sigma without degrees of freedom and no R² for a constant', async () => {
    const one = await linear.fit(tableOf('t', { x: [1] }), numbers(5), options, fitContext())
    expect([one.sigma, one.rSquared]).toEqual([null, null])
    expect(one.coefficients).toEqual([{ term: '(Intercept)', estimate: 5, standardError: null }])
  })

  it('goes through all points with more columns than rows', async () => {
    const features = tableOf('t', { a: [1, 2, 4], b: [3, 1, 2], c: [5, 5, 6], g: ['x', 'y', 'z'] })
    const model = await linear.fit(features, numbers(1, 2, 4), options, fitContext())
    const predicted = await model.predict(features)
    expect([...predicted].map((value) => Number(value.toFixed(10)))).toEqual([1, 2, 4])
  })

  it('refuses classes', async () => {
    const response = { kind: 'classes' as const, codes: Int32Array.of(0), levels: ['a'] }
    await expect(linear.fit(tableOf('t', { x: [1] }), response, options, fitContext())).rejects.toThrow(
      'lm predicts numbers, not classes',
    )
  })
})
