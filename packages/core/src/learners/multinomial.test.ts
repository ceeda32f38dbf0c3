import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stream } from '../random/stream.js'
import { sum } from '../stats/sums.js'
import { columnOf, selectRows, table, tableOf } from '../table/table.js'
import { classesOf, fitContext } from '../testing/fit.js'
import { reference, referenceJson, referenceTable } from '../testing/reference.js'
import { logistic } from './logistic.js'
import { multinomial } from './multinomial.js'

const options = multinomial.options.parse({})

describe.skipIf(reference() === undefined)('on the golden data', () => {
  const expected = z.object({
    multinomial: z.object({
      levels: z.array(z.string()),
      terms: z.array(z.string()),
      coef: z.array(z.array(z.number())),
      deviance: z.number(),
    }),
  })
  const dataOf = async (names: readonly string[], file = 'data.csv') => {
    const data = await referenceTable('golden', 'learners', file)
    return {
      data,
      features: table(
        't',
        names.map((name) => columnOf(data, name)),
      ),
    }
  }

  it('agrees with nnet as far as that converged when the ridge vanishes', async () => {
    const { multinomial: golden } = expected.parse(referenceJson('golden', 'learners', 'models.json'))
    const { data, features } = await dataOf(['x1', 'x2', 'h'])
    for (const ridge of [0, 1e-9]) {
      const model = await multinomial.fit(features, classesOf(data, 'k'), { ridge }, fitContext())
      expect(model.deviance).toBeCloseTo(golden.deviance, 9)
      expect(model.coefficients.map(({ level }) => level)).toEqual(golden.levels.slice(1))
      model.coefficients.forEach(({ coefficients }, k) => {
        expect(coefficients.map(({ term }) => term)).toEqual(golden.terms)
        coefficients.forEach(({ estimate }, j) => {
          expect(estimate).toBeCloseTo(golden.coef[k][j], 6)
        })
      })
    }
  })

  it('has the estimating equations of a maximum: fitted and observed sums of every column agree', async () => {
    const { data, features } = await dataOf(['x1', 'x2', 'x3', 'g', 'h'])
    const response = classesOf(data, 'k')
    const model = await multinomial.fit(features, response, { ridge: 0 }, fitContext())
    const p = await model.predictProbabilities(features)
    const x1 = columnOf(features, 'x1')
    if (x1.kind === 'categorical') throw new Error('x1 is numeric')
    for (let k = 0; k < 4; k++) {
      const gaps = Float64Array.from(response.codes, (code, i) => (code === k ? 1 : 0) - p[4 * i + k])
      expect(Math.abs(sum(gaps))).toBeLessThan(1e-7)
      expect(Math.abs(sum(gaps.map((gap, i) => gap * x1.values[i])))).toBeLessThan(1e-7)
    }
  })

  it('with two classes is logistic regression', async () => {
    const { data, features } = await dataOf(['x1', 'x2', 'x3', 'g', 'h'])
    const model = await multinomial.fit(features, classesOf(data, 'b'), { ridge: 0 }, fitContext())
    const logit = await logistic.fit(features, classesOf(data, 'b'), logistic.options.parse({}), fitContext())
    model.coefficients[0].coefficients.forEach(({ estimate }, j) => {
      expect(estimate).toBeCloseTo(logit.coefficients?.[j].estimate ?? 0, 6)
    })
  })

  it('takes weights for repeated rows, with missing values too', async () => {
    const { data, features } = await dataOf(['x1', 'x2', 'g'], 'data-missing.csv')
    const weights = Float64Array.from({ length: 400 }, (_, i) => i % 3)
    const repeated = Array.from(weights.keys()).flatMap((row) => new Array<number>(weights[row]).fill(row))
    const weighted = await multinomial.fit(features, classesOf(data, 'k'), options, fitContext({ weights }))
    const rows = selectRows(data, repeated)
    const plain = await multinomial.fit(selectRows(features, repeated), classesOf(rows, 'k'), options, fitContext())
    const expectedP = await plain.predictProbabilities(features)
    const p = await weighted.predictProbabilities(features)
    p.forEach((value, i) => {
      expect(value).toBeCloseTo(expectedP[i], 8)
    })
  })

  it('does not mind how classes are numbered', async () => {
    const { data, features } = await dataOf(['x1', 'g'])
    const response = classesOf(data, 'k')
    const turned = { ...response, codes: response.codes.map((code) => 3 - code) }
    const p = await (await multinomial.fit(features, response, { ridge: 1 }, fitContext())).predictProbabilities(
      features,
    )
    const q = await (await multinomial.fit(features, turned, { ridge: 1 }, fitContext())).predictProbabilities(features)
    p.forEach((value, i) => {
      expect(value).toBeCloseTo(q[4 * (i >> 2) + 3 - (i & 3)], 9)
    })
  })
})

describe('multinomial regression', () => {
  const levels = ['a', 'b', 'c', 'd']
  const classes = (...codes: number[]) => ({ kind: 'classes' as const, codes: Int32Array.from(codes), levels })

  it('is nearly certain where classes separate, and finite', async () => {
    const features = tableOf('t', { g: ['p', 'p', 'q', 'q', 'r', 'r'] })
    const model = await multinomial.fit(features, classes(0, 0, 1, 1, 3, 3), options, fitContext())
    const p = await model.predictProbabilities(features)
    expect(p[0]).toBeGreaterThan(0.999)
    expect(p[0]).toBeLessThan(1)
    expect([...(await model.predict(features))]).toEqual([0, 0, 1, 1, 3, 3])
    expect(p[2]).toBe(0)
  })

  it('bears one class, one row, constant and collinear columns, more columns than rows', async () => {
    const one = await multinomial.fit(tableOf('t', { x: [1] }), classes(2), options, fitContext())
    expect([...(await one.predictProbabilities(tableOf('t', { x: [5] })))]).toEqual([0, 0, 1, 0])
    const wide = tableOf('t', { x: [1, 2, 4], twice: [2, 4, 8], c: [1, 1, 1], g: ['u', 'v', 'w'], h: ['p', 'q', 'p'] })
    for (const ridge of [0, 1e-4, 1]) {
      const model = await multinomial.fit(wide, classes(0, 1, 2), { ridge }, fitContext())
      const p = await model.predictProbabilities(wide)
      expect(p.every((value) => value >= 0 && value <= 1)).toBe(true)
      expect([...(await model.predict(wide))]).toEqual([0, 1, 2])
    }
  })

  // Each class stays in few levels of g, so that most probabilities are close to 0: steps by the bound alone took thousands of rounds.
  it('settles at the maximum where there are many classes that columns nearly separate', async () => {
    const rows = 160
    const random = stream(1, 'many classes')
    const codes = Int32Array.from({ length: rows }, (_, row) => (row % 16) - (random.uniform() < 0.05 ? row % 16 : 0))
    const features = tableOf('t', {
      g: Array.from(codes, (code) => `g${(code >> 1) + random.below(2)}`),
      h: Array.from(codes, (code) => `h${(code + random.below(3)) % 5}`),
      x: Array.from(codes, (code) => code + 8 * random.uniform()),
    })
    const names = Array.from({ length: 16 }, (_, k) => `k${k}`)
    const model = await multinomial.fit(features, { kind: 'classes', codes, levels: names }, options, fitContext())
    expect(model.notes.filter((note) => note.startsWith('not settled'))).toEqual([])
    const p = await model.predictProbabilities(features)
    for (const [k] of names.entries()) {
      const gaps = Float64Array.from(codes, (code, row) => (code === k ? 1 : 0) - p[names.length * row + k])
      expect(Math.abs(sum(gaps))).toBeLessThan(1e-7)
    }
  })

  it('shrinks to the shares', async () => {
    const features = tableOf('t', { x: [1, 2, 3, 4] })
    const model = await multinomial.fit(features, classes(0, 1, 2, 2), { ridge: 1e9 }, fitContext())
    const p = await model.predictProbabilities(features)
    expect([...p.subarray(0, 4)].map((value) => Number(value.toFixed(6)))).toEqual([0.25, 0.25, 0.5, 0])
  })
})
