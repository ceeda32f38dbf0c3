import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sum } from '../stats/sums.js'
import { categorical } from '../table/column.js'
import { columnOf, selectRows, table, tableOf } from '../table/table.js'
import { classesOf, fitContext } from '../testing/fit.js'
import { reference, referenceJson, referenceTable } from '../testing/reference.js'
import { designColumns, designOf } from './coding/design-matrix.js'
import { fitLogistic, logistic } from './logistic.js'

const options = logistic.options.parse({})
const classes = (...codes: number[]) => ({
  kind: 'classes' as const,
  codes: Int32Array.from(codes),
  levels: ['n', 'y'],
})

/** `share` of 50 at risk among F and among M. */
function groups(atRiskF: number, atRiskM: number) {
  const rows = Array.from({ length: 100 }, (_, i) => i)
  const features = tableOf('groups', { g: rows.map((i) => (i < 50 ? 'F' : 'M')) })
  const y = Float64Array.from(rows, (i) => (i % 50 < (i < 50 ? atRiskF : atRiskM) ? 1 : 0))
  return { features, y }
}

describe.skipIf(reference() === undefined)('R on the golden data', () => {
  const expected = z.object({
    logistic: z.object({
      term: z.array(z.string()),
      estimate: z.array(z.number()),
      se: z.array(z.number()),
      deviance: z.number(),
    }),
  })
  const names = ['x1', 'x2', 'x3', 'g', 'h']

  it('agrees in all digits printed', async () => {
    const { logistic: golden } = expected.parse(referenceJson('golden', 'learners', 'models.json'))
    const data = await referenceTable('golden', 'learners', 'data.csv')
    const features = table(
      't',
      names.map((name) => columnOf(data, name)),
    )
    const model = await logistic.fit(features, classesOf(data, 'b'), options, fitContext())
    const printed = (value: number | null) => Number(value?.toPrecision(13))
    expect(model.coefficients?.map(({ term }) => term)).toEqual(golden.term)
    expect(model.coefficients?.map(({ estimate }) => printed(estimate))).toEqual(golden.estimate)
    expect(model.coefficients?.map(({ standardError }) => printed(standardError))).toEqual(golden.se)
    expect(model.deviance).toBeCloseTo(golden.deviance, 11)
    const probabilities = await model.predictProbabilities(features)
    const { codes } = classesOf(data, 'b')
    const deviance = -2 * sum(Float64Array.from(codes, (code, row) => Math.log(probabilities[2 * row + code])))
    expect(deviance).toBeCloseTo(golden.deviance, 8)
  })

  it('takes weights for repeated rows, with missing values too', async () => {
    const data = await referenceTable('golden', 'learners', 'data-missing.csv')
    const features = table(
      't',
      names.map((name) => columnOf(data, name)),
    )
    const weights = Float64Array.from({ length: 400 }, (_, i) => i % 3)
    const repeated = Array.from(weights.keys()).flatMap((row) => new Array<number>(weights[row]).fill(row))
    const rows = selectRows(data, repeated)
    for (const how of [options, { ridge: 1, firth: false }, { ridge: 0, firth: true }]) {
      const weighted = await logistic.fit(features, classesOf(data, 'b'), how, fitContext({ weights }))
      const plain = await logistic.fit(selectRows(features, repeated), classesOf(rows, 'b'), how, fitContext())
      weighted.coefficients?.forEach(({ estimate, standardError }, j) => {
        expect(estimate).toBeCloseTo(plain.coefficients?.[j].estimate ?? 0, 7)
        expect(standardError).toBeCloseTo(plain.coefficients?.[j].standardError ?? 0, 7)
      })
    }
  })
})

describe('fitLogistic', () => {
  it('with sum coding is half the difference of log odds', () => {
    const { features, y } = groups(10, 30)
    const fit = fitLogistic(designColumns(designOf(features, { coding: 'sum' }), features), y)
    expect([...fit.coefficients].map((value) => value.toFixed(6))).toEqual(['-0.490415', '-0.895880'])
    expect(fit.standardErrors[1].toFixed(6)).toBe('0.228218')
  })

  it('with Firth adds half a case to every cell of a saturated model', () => {
    for (const [f, m] of [
      [10, 30],
      [0, 30],
      [0, 50],
    ]) {
      const { features, y } = groups(f, m)
      const fit = fitLogistic(designColumns(designOf(features), features), y, null, { firth: true })
      const logOdds = (count: number) => Math.log((count + 0.5) / (50.5 - count))
      expect(fit.coefficients[0]).toBeCloseTo(logOdds(f), 9)
      expect(fit.coefficients[1]).toBeCloseTo(logOdds(m) - logOdds(f), 9)
      expect(fit.converged).toBe(true)
    }
  })

  it('with Firth leaves out a combination of columns', () => {
    const x = Float64Array.of(1, 2, 3, 4, 5, 6)
    const y = Float64Array.of(0, 0, 1, 0, 1, 1)
    const twice = fitLogistic([x, x.map((value) => 2 * value)], y, null, { firth: true })
    const once = fitLogistic([x], y, null, { firth: true })
    expect(twice.coefficients[1]).toBeCloseTo(once.coefficients[1], 9)
    expect(twice.coefficients[2]).toBe(0)
    expect(twice.standardErrors[2]).toBeNaN()
  })

  it('with a ridge has the penalised score 0', () => {
    const x = Float64Array.of(1, 2, 3, 4, 5, 6)
    const y = Float64Array.of(0, 0, 0, 1, 1, 1)
    const fit = fitLogistic([x], y, null, { ridge: 0.01 })
    const score = sum(x.map((value, i) => value * (y[i] - fit.fitted[i])))
    expect(score).toBeCloseTo(0.01 * (35 / 12) * fit.coefficients[1], 7)
    expect(fit.converged).toBe(true)
  })

  it('has one penalty at a time', () => {
    expect(() => fitLogistic([], Float64Array.of(0, 1), null, { firth: true, ridge: 1 })).toThrow('choose one')
  })
})

describe('logistic regression', () => {
  it('ends at probabilities 0 and 1 where classes separate', async () => {
    const features = tableOf('t', { x: [1, 2, 3, 4, 5, 6] })
    const model = await logistic.fit(features, classes(0, 0, 0, 1, 1, 1), options, fitContext())
    const probabilities = await model.predictProbabilities(features)
    expect([...probabilities].map((p) => Number(p.toFixed(9)))).toEqual([1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1])
    expect(model.coefficients?.map(({ estimate }) => Number(estimate?.toPrecision(6)))).toEqual([-165.318, 47.2337])
    expect([...(await model.predict(features))]).toEqual([0, 0, 0, 1, 1, 1])
  })

  it('gives rows of probabilities that sum to 1 and 0 to classes that did not occur', async () => {
    const response = { kind: 'classes' as const, codes: Int32Array.of(3, 1, 1, 3, 1), levels: ['a', 'b', 'c', 'd'] }
    const features = tableOf('t', { x: [1, 2, 3, 4, null], g: ['u', 'v', 'u', 'v', 'u'] })
    const model = await logistic.fit(features, response, options, fitContext())
    const unseen = table('new', [columnOf(features, 'x'), categorical('g', [null, 'u', 'v', 'u', 'v'])])
    const probabilities = await model.predictProbabilities(unseen)
    for (let row = 0; row < 5; row++) {
      expect(sum(probabilities.subarray(4 * row, 4 * row + 4))).toBeCloseTo(1, 15)
      expect([probabilities[4 * row], probabilities[4 * row + 2]]).toEqual([0, 0])
    }
  })

  it('is certain of the only class', async () => {
    const features = tableOf('t', { x: [1, 2] })
    const model = await logistic.fit(features, classes(1, 1), options, fitContext())
    expect([...(await model.predictProbabilities(features))]).toEqual([0, 1, 0, 1])
    expect(model.notes).toEqual(['only "y" occurs in training'])
  })

  it('passes three classes on, and says so', async () => {
    const features = tableOf('t', { x: [1, 2, 3, 4, 5, 6] })
    const response = { kind: 'classes' as const, codes: Int32Array.of(0, 1, 2, 0, 1, 2), levels: ['a', 'b', 'c'] }
    const model = await logistic.fit(features, response, options, fitContext())
    expect(model.notes[0]).toBe('3 classes: multinomial logistic regression was used')
  })

  it('learns shares when no column says anything', async () => {
    const features = tableOf('t', { x: [1, 1, 1, 1] })
    const model = await logistic.fit(features, classes(0, 1, 1, 1), options, fitContext())
    const [no, yes] = await model.predictProbabilities(features)
    expect(no).toBeCloseTo(0.25, 9)
    expect(yes).toBeCloseTo(0.75, 9)
  })

  it('settles with more columns than rows', async () => {
    const features = tableOf('t', { a: [1, 2, 4], b: [3, 1, 2], c: [5, 5, 6], g: ['x', 'y', 'z'] })
    const model = await logistic.fit(features, classes(0, 1, 0), options, fitContext())
    expect([...(await model.predict(features))]).toEqual([0, 1, 0])
  })
})
