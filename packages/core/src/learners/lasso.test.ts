import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { sum } from '../stats/sums.js'
import { categorical, numeric } from '../table/column.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { classesOf, fitContext, numbersOf } from '../testing/fit.js'
import { isLong } from '../testing/long.js'
import { reference, referenceTable } from '../testing/reference.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { designColumns, designOf, onRawScale, standardBlocks } from './coding/design-matrix.js'
import { crossValidate, fitPath } from './fitting/lasso-path.js'
import { type LassoModel, lasso } from './lasso.js'
import type { Response } from './learner.js'
import { linear } from './linear.js'

const options = lasso.options.parse({})
const names = ['x1', 'x2', 'x3', 'g', 'h']

async function golden(file = 'data.csv') {
  const data = await referenceTable('golden', 'learners', file)
  const features = table(
    't',
    names.map((name) => columnOf(data, name)),
  )
  return { data, features }
}

const estimates = (model: LassoModel, k = 0) => model.coefficients[k].coefficients.map(({ estimate }) => estimate ?? 0)

/**
 * Largest violation of the conditions for a minimum: the gradient of the mean loss by a standardised slope is -λ times
 * the sign of the slope, or at most λ where that is 0; the gradient by the intercept is 0.
 */
async function violation(model: LassoModel, features: Table, response: Response, weights: Float64Array | null) {
  const rows = response.kind === 'classes' ? response.codes.length : response.values.length
  const w = weights ?? new Float64Array(rows).fill(1)
  const total = sum(w)
  const columns = designColumns(designOf(features, { weights }), features)
  const { levels } = response.kind === 'classes' ? response : { levels: ['number'] }
  const predicted =
    response.kind === 'classes' ? await model.predictProbabilities(features) : await model.predict(features)
  let worst = 0
  model.coefficients.forEach(({ level, coefficients }) => {
    const k = level === null ? levels.length - 1 : levels.indexOf(level)
    const gaps = Float64Array.from({ length: rows }, (_, i) => {
      const y = response.kind === 'numbers' ? response.values[i] : response.codes[i] === k ? 1 : 0
      return w[i] * (y - predicted[i * levels.length + k])
    })
    worst = Math.max(worst, Math.abs(sum(gaps)) / total)
    columns.forEach((column, j) => {
      const mean = sum(column.map((x, i) => x * w[i])) / total
      const spread = Math.sqrt(sum(column.map((x, i) => w[i] * (x - mean) ** 2)) / total)
      const pull = sum(column.map((x, i) => (x - mean) * gaps[i])) / total / spread
      const slope = coefficients[j + 1].estimate ?? 0
      const gap =
        slope === 0 ? Math.max(0, Math.abs(pull) - model.lambda) : Math.abs(pull - Math.sign(slope) * model.lambda)
      worst = Math.max(worst, gap)
    })
  })
  return worst
}

describe.skipIf(reference() === undefined)('glmnet 4.1-6 (thresh 1e-16) on the golden data', () => {
  it('numbers', async () => {
    const { data, features } = await golden()
    const at = async (lambdaRule: number) =>
      estimates(await lasso.fit(features, numbersOf(data, 'y'), { ...options, lambdaRule }, fitContext()))
    expectClose(await at(0.868033247195), [0.0622656127027, 1.1443221990323, -1.6441264726968, 0, 0, 0, 0, 0, 0, 0])
    expectClose(
      await at(0.0532617151503),
      [
        1.080236042675, 1.9790063142477, -4.647565720967, -0.0669262422956, 1.2467602218653, 0, 1.3557603938526,
        -0.1479369195111, 0.0372280738078, 0,
      ],
    )
  })

  it('two classes', async () => {
    const { data, features } = await golden()
    const at = async (lambdaRule: number) =>
      estimates(await lasso.fit(features, classesOf(data, 'b'), { ...options, lambdaRule }, fitContext()))
    expectClose(await at(0.13456473068), [0.0850307767218, 0.7908827427783, 0, 0, 0, 0, 0, 0, 0, 0])
    expectClose(
      await at(0.00825676709724),
      [
        2.20606043815591, 2.24899801245425, 0, 0, -2.22004714362377, -2.05021959068359, -1.80173653613226,
        -2.3148526069267, -1.56737959180652, 0.00288834478396,
      ],
    )
  })

  it('four classes', async () => {
    const { data, features } = await golden()
    const model = await lasso.fit(
      features,
      classesOf(data, 'k'),
      { ...options, lambdaRule: 0.0255566713613 },
      fitContext(),
    )
    expectClose(
      estimates(model, 0).slice(1),
      [-1.1380923831402, 0, 0, 0, 0, 0.1140937133463, -0.7116003200723, 0.0713651766419, 0],
    )
    expectClose(estimates(model, 1).slice(1), [-0.334402340777, 0, 0, 0, 0, 0, 0, 0, 0.185870683074])
    expectClose(estimates(model, 2).slice(1), [0.334402340777, 0, 0, 0, 0, 0, 0, 0, 0])
    expectClose(estimates(model, 3).slice(1), [1.397226542692, 0, 0, 0, -0.18662088438, 0, 0.760992470307, 0, 0])
    const intercepts = [0, 1, 2, 3].map((k) => estimates(model, k)[0])
    expectClose(
      intercepts.map((value) => value - intercepts[0]),
      [-0.152674225661, 0.222688871597, 0.362518154173, -0.432532800109].map((value) => value + 0.152674225661),
    )
  })

  it('the elastic net with weights', async () => {
    const { data, features } = await golden()
    const weights = Float64Array.from({ length: 400 }, (_, i) => [1, 2, 3, 1.5][i % 4])
    const how = { ...options, mix: 0.5, lambdaRule: 0.105382579002 }
    const model = await lasso.fit(features, classesOf(data, 'b'), how, fitContext({ weights }))
    expectClose(estimates(model), [0.149108023303, 0.98242569569, 0, 0, 0, 0, 0, 0, -0.355043496241, 0])
  })

  it('starts and ends the path at the same penalties', async () => {
    const { data, features } = await golden()
    const standard = standardBlocks(designOf(features), features, null)
    const weights = new Float64Array(400).fill(1)
    const path = fitPath({ standard, y: numbersOf(data, 'y'), weights }, { mix: 1, count: 100, end: null })
    expect(path.lambdas[0]).toBeCloseTo(2.005269385, 9)
    expect(path.lambdas).toHaveLength(65)
    expect(onRawScale(path.coefficients[0][0], standard).filter((value) => value !== 0)).toHaveLength(1)
  })

  it('cross-validates alike with the same folds', async () => {
    const { data, features } = await golden()
    const standard = standardBlocks(designOf(features), features, null)
    const weights = new Float64Array(400).fill(1)
    const folds = Int32Array.from(weights, (_, i) => i % 10)
    const lambdas = [0.2, 0.0752120618617, 0.0282842712475, 0.0106365917939, 0.004]
    const run = (codes: Int32Array, classes: number) =>
      crossValidate({ standard, y: { kind: 'classes', codes, classes }, weights }, lambdas, 1, folds, fitContext())
    const two = await run(classesOf(data, 'b').codes, 2)
    expectClose(
      two.map(({ deviance }) => deviance),
      [1.14821471875, 0.933052671354, 0.826159875474, 0.720080656, 0.707281736977],
      3,
    )
    expectClose(
      two.map(({ standardError }) => standardError ?? 0),
      [0.0115677433255, 0.0276474743618, 0.045623163995, 0.0565423504458, 0.0670100767828],
      3,
    )
    const four = await run(classesOf(data, 'k').codes, 4)
    expectClose(
      four.map(({ deviance }) => deviance),
      [2.6918435164, 2.35113861774, 2.1749466477, 2.14804506806, 2.16772085291],
      3,
    )
  })

  it.each(['y', 'b', 'k'])('chooses a penalty for %s that satisfies the conditions of a minimum', async (name) => {
    for (const file of name === 'k' && !isLong ? ['data-missing.csv'] : ['data.csv', 'data-missing.csv']) {
      const { data, features } = await golden(file)
      const response = name === 'y' ? numbersOf(data, name) : classesOf(data, name)
      const model = await lasso.fit(features, response, options, fitContext())
      expect(await violation(model, features, response, null)).toBeLessThan(1e-5 * model.crossValidation[0].lambda)
      const simpler = await lasso.fit(features, response, { ...options, lambdaRule: '1se' }, fitContext())
      expect(simpler.lambda).toBeGreaterThan(model.lambda)
      expect(simpler.crossValidation).toEqual(model.crossValidation)
    }
  })

  it('takes weights for repeated rows at a given penalty', async () => {
    const { data, features } = await golden('data-missing.csv')
    const weights = Float64Array.from({ length: 400 }, (_, i) => i % 3)
    const repeated = Array.from(weights.keys()).flatMap((row) => new Array<number>(weights[row]).fill(row))
    const rows = selectRows(data, repeated)
    for (const name of ['b', 'k']) {
      const how = { ...options, lambdaRule: 0.01 }
      const weighted = await lasso.fit(features, classesOf(data, name), how, fitContext({ weights }))
      const plain = await lasso.fit(selectRows(features, repeated), classesOf(rows, name), how, fitContext())
      weighted.coefficients.forEach((_, k) => {
        expectClose(estimates(weighted, k), estimates(plain, k), 5)
      })
    }
  })

  it('gives the same bits whoever runs the folds', async () => {
    const { data, features } = await golden()
    const few = { ...options, folds: 4, lambdas: 20 }
    const one = await lasso.fit(features, classesOf(data, 'k'), few, fitContext())
    const other = await lasso.fit(features, classesOf(data, 'k'), few, fitContext({ tasks: shuffledRunner(3) }))
    expect(other.crossValidation).toEqual(one.crossValidation)
    expect(await other.predictProbabilities(features)).toEqual(await one.predictProbabilities(features))
  })
})

describe('lasso', () => {
  const levels = ['a', 'b', 'c', 'd']
  const classes = (...codes: number[]) => ({ kind: 'classes' as const, codes: Int32Array.from(codes), levels })
  const numbers = (...values: number[]) => ({ kind: 'numbers' as const, values: Float64Array.from(values) })

  it('thresholds softly on one column', async () => {
    const features = tableOf('t', { x: [-1, 1, -1, 1] })
    const model = await lasso.fit(features, numbers(1, 5, 1, 5), { ...options, lambdaRule: 0.5 }, fitContext())
    expectClose(estimates(model), [3, 1.5])
    const ridge = await lasso.fit(features, numbers(1, 5, 1, 5), { ...options, lambdaRule: 1, mix: 0 }, fitContext())
    expectClose(estimates(ridge), [3, 1])
  })

  it('without a penalty is least squares', async () => {
    const source = stream(1, 'lasso test')
    const draw = (n: number) => Array.from({ length: n }, () => drawNormal(source))
    const features = tableOf('t', { a: draw(50), b: draw(50), g: draw(50).map((z) => (z > 0 ? 'p' : 'q')) })
    const response = numbers(...draw(50))
    const model = await lasso.fit(features, response, { ...options, lambdaRule: 0 }, fitContext())
    const ols = await linear.fit(features, response, linear.options.parse({}), fitContext())
    expectClose(
      estimates(model),
      ols.coefficients.map(({ estimate }) => estimate ?? 0),
    )
  })

  it('finds the few columns that matter among more than there are rows', async () => {
    const source = stream(2, 'lasso test')
    const columns = Array.from({ length: 60 }, (_, j) =>
      numeric(
        `x${j}`,
        Array.from({ length: 40 }, () => drawNormal(source)),
      ),
    )
    const features = table('wide', columns)
    const values = columns[3].values.map((x, i) => 3 * x - 2 * columns[7].values[i] + 0.1 * drawNormal(source))
    const model = await lasso.fit(features, numbers(...values), options, fitContext())
    const important = model.importance.toSorted((a, b) => b.value - a.value).map(({ name }) => name)
    expect(important.slice(0, 2)).toEqual(['x3', 'x7'])
    expect(await violation(model, features, numbers(...values), null)).toBeLessThan(1e-5)
    expect(model.crossValidation.length).toBeGreaterThan(4)
  })

  it.each([
    ['a constant number', numbers(2, 2, 2), [2, 2, 2]],
    ['one class', classes(1, 1, 1), [1, 1, 1]],
  ])('predicts %s', async (_, response, expected) => {
    const features = tableOf('t', { x: [1, 2, 3], g: ['u', 'v', 'u'] })
    const model = await lasso.fit(features, response, options, fitContext())
    expect([...(await model.predict(features))]).toEqual(expected)
    expect(JSON.stringify(model.crossValidation)).not.toContain('null')
  })

  it('bears one row, constant columns, classes of one row, separation and perfect collinearity', async () => {
    const one = await lasso.fit(tableOf('t', { x: [1] }), classes(2), options, fitContext())
    expect([...(await one.predictProbabilities(tableOf('u', { x: [1] })))]).toEqual([0, 0, 1, 0])
    const constant = await lasso.fit(tableOf('t', { x: [1, 1, 1, 1] }), classes(0, 0, 0, 3), options, fitContext())
    const shares = await constant.predictProbabilities(tableOf('u', { x: [1] }))
    expectClose([...shares], [0.75, 0, 0, 0.25])
    const features = tableOf('t', { x: [1, 2, 3, 4, 5, 6], y: [2, 4, 6, 8, 10, 12], g: ['u', 'u', 'u', 'v', 'v', 'w'] })
    for (const codes of [
      [0, 0, 0, 1, 1, 1],
      [0, 0, 1, 1, 2, 3],
    ]) {
      const model = await lasso.fit(features, classes(...codes), options, fitContext())
      const p = await model.predictProbabilities(features)
      expect(p.every((value) => value >= 0 && value <= 1)).toBe(true)
      for (let row = 0; row < 6; row++) expect(sum(p.subarray(4 * row, 4 * row + 4))).toBeCloseTo(1, 14)
    }
  })

  it('treats an unseen level as the reference and a missing number as the median', async () => {
    const given = { levels: ['u', 'v', 'w'] }
    const features = table('t', [numeric('x', [1, 2, 3, 4]), categorical('g', ['u', 'v', 'u', 'v'], given)])
    const model = await lasso.fit(features, numbers(1, 3, 2, 5), { ...options, lambdaRule: 0.01 }, fitContext())
    const odd = table('o', [numeric('x', [null, 2.5]), categorical('g', ['w', 'u'], given)])
    const [missing, known] = await model.predict(odd)
    expect(missing).toBe(known)
  })
})

function expectClose(values: readonly number[], expected: readonly number[], digits = 6) {
  expect(values).toHaveLength(expected.length)
  values.forEach((value, j) => {
    expect(value).toBeCloseTo(expected[j], digits)
    if (expected[j] === 0) expect(Math.abs(value)).toBe(0)
  })
}
