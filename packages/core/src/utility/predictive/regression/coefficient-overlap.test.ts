import { describe, expect, it } from 'vitest'
import { synthpopOverlap } from '../../../peers/utility/predictive/regression-fidelity.js'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { release } from '../../../table/release.js'
import { type Table, tableOf } from '../../../table/table.js'
import { describeReference, referenceTable } from '../../../testing/reference.js'
import {
  coefficientOverlap,
  intervalJaccard,
  intervalOverlap,
  type OverlapRule,
  OWN_RULE,
} from './coefficient-overlap.js'
import { parseFormula } from './formula.js'
import { modelDesign } from './model-matrix.js'
import { fitRegression, isSeparatedByLevel, type RegressionFamily } from './regression-fit.js'

const RISKUTILITY: OverlapRule = { asEstimated: true, overlap: intervalOverlap }
const SYNTHPOP: OverlapRule = { asEstimated: true, overlap: synthpopOverlap }

function overlapOf(
  text: string,
  original: Table,
  released: Table,
  given: { family?: RegressionFamily; rule?: OverlapRule; withIntercept?: boolean; level?: number } = {},
) {
  const { family = 'linear', rule = OWN_RULE, withIntercept = false, level = 0.95 } = given
  const reconciled = release({ original, released })
  const formula = parseFormula(text, reconciled.original)
  const { termNames, frames } = modelDesign(formula, [reconciled.original, reconciled.released[0]])
  const [x, y] = frames.map((frame) => fitRegression(frame, { family, intercept: formula.intercept, weights: null }))
  const found = coefficientOverlap(termNames, x, y, { level, withIntercept, rule })
  if (found === null) throw new Error('nothing to compare')
  return found
}

describe('intervals', () => {
  it('shares of their mean length and of their hull', () => {
    expect(intervalOverlap({ lower: -1.959964, upper: 1.959964 }, { lower: -0.959964, upper: 2.959964 })).toBeCloseTo(
      0.7449,
      4,
    )
    expect(intervalJaccard({ lower: 0, upper: 2 }, { lower: 1, upper: 3 })).toBeCloseTo(1 / 3, 12)
    expect(intervalJaccard({ lower: 0, upper: 1 }, { lower: 1, upper: 2 })).toBe(0)
    expect(intervalJaccard({ lower: 1, upper: 1 }, { lower: 1, upper: 1 })).toBe(1)
    expect(intervalOverlap({ lower: 1, upper: 1 }, { lower: 1, upper: 1 })).toBe(1)
    expect(intervalOverlap({ lower: 1, upper: 1 }, { lower: 2, upper: 2 })).toBe(0)
  })
})

describe('coefficients', () => {
  const noise = stream(3, 'noise')
  const x = Array.from({ length: 60 }, () => drawNormal(noise))
  const group = x.map((_, k) => ['a', 'b', 'c'][k % 3])
  const y = x.map((value, k) => 2 * value + (k % 3) + drawNormal(noise))
  const original = tableOf('original', { x, group, y })

  it('of the file itself overlap fully', () => {
    const found = overlapOf('y ~ x + group', original, original)
    expect(found.overlap).toBeCloseTo(1, 12)
    expect(found.agreement).toBe(1)
    expect(found.wald?.statistic).toBeCloseTo(0, 12)
  })

  it('that a release cannot estimate count as 0, and as nothing by the reference', () => {
    const rows = group
      .map((label, k) => ({ label, k }))
      .filter(({ label }) => label !== 'c')
      .map(({ k }) => k)
    const released = tableOf('released', {
      x: rows.map((k) => x[k]),
      group: rows.map((k) => group[k]),
      y: rows.map((k) => y[k]),
    })
    const found = overlapOf('y ~ x + group', original, released)
    expect(found.lost).toEqual(['groupc'])
    expect(found.coefficients.map(({ overlap }) => overlap > 0)).toEqual([true, true, false])
    expect(overlapOf('y ~ x + group', original, released, { rule: RISKUTILITY }).coefficients).toHaveLength(2)
  })

  it('are not blamed for a larger release', () => {
    const twice = tableOf('twice', { x: [...x, ...x], group: [...group, ...group], y: [...y, ...y] })
    expect(overlapOf('y ~ x', original, twice).overlap).toBeGreaterThan(0.98)
    expect(overlapOf('y ~ x', original, twice, { rule: RISKUTILITY }).overlap).toBeCloseTo(
      (Math.SQRT1_2 * 2) / (1 + Math.SQRT1_2),
      1,
    )
  })

  it('with weights are those of repeated people, with standard errors of people', () => {
    const data = tableOf('d', { x: [0, 1, 2, 3, 4, 5], y: [0, 1, 1, 4, 3, 6] })
    const { frames } = modelDesign(parseFormula('y ~ x', data), [data])
    const fit = (weights: number[] | null) =>
      fitRegression(frames[0], { family: 'linear', intercept: true, weights: weights && Float64Array.from(weights) })
    const weighted = fit([1, 2, 1, 2, 1, 2])
    expect([...fit([10, 20, 10, 20, 10, 20]).standardErrors]).toEqual([...weighted.standardErrors])
    // R: lm(y ~ x, weights = w), and A⁻¹ (Σ w² r² x x') A⁻¹ written out.
    expect([...weighted.estimates]).toEqual([-0.25641025641, 1.17948717949].map((b) => expect.closeTo(b, 10)))
    expect([...weighted.standardErrors]).toEqual([0.269904046893, 0.108148034814].map((se) => expect.closeTo(se, 10)))
  })

  it('that grow without end are noticed', () => {
    const data = tableOf('d', { x: [1, 2, 3, 4, 5, 6], y: [0, 0, 0, 1, 1, 1] })
    const { frames } = modelDesign(parseFormula('y ~ x', data), [data])
    const options = { family: 'logistic', intercept: true, weights: null } as const
    expect(fitRegression(frames[0], options).separated).toBe(true)
    const levels = tableOf('l', { g: ['a', 'a', 'b', 'b'], y: [0, 1, 1, 1] })
    const [byLevel] = modelDesign(parseFormula('y ~ g', levels), [levels]).frames
    expect(isSeparatedByLevel(byLevel, 'logistic')).toBe(true)
    expect(isSeparatedByLevel(byLevel, 'poisson')).toBe(false)
    expect(isSeparatedByLevel(frames[0], 'logistic')).toBe(false)
    const shrunk = fitRegression(frames[0], { ...options, ridge: 1 })
    expect(shrunk.separated).toBe(false)
    expect(shrunk.standardErrors[1]).toBeLessThan(5)
  })
})

describeReference('published numbers', async () => {
  const vignette = (name: string) => referenceTable('golden', 'vignette', name)

  it('of the running example', async () => {
    const found = overlapOf(
      'income ~ age + sex + education',
      await vignette('original.csv'),
      await vignette('synthetic.csv'),
      {
        rule: RISKUTILITY,
        withIntercept: true,
      },
    )
    const column = (pick: (one: (typeof found.coefficients)[number]) => number | null | undefined) =>
      found.coefficients.map((one) => Number((pick(one) ?? Number.NaN).toFixed(4)))
    expect(column(({ original }) => original.estimate)).toEqual([40156.3727, 70.3695, 47.8233, 2162.0872, 4343.8707])
    expect(column(({ release: y }) => y?.estimate)).toEqual([45857.2451, -1.0538, 2994.6773, -3140.4233, 574.6118])
    expect(column(({ standardisedBias }) => standardisedBias)).toEqual([1.5177, -1.1833, 1.3061, -2.03, -1.1864])
    expect(column(({ overlap }) => overlap)).toEqual([0.6045, 0.6887, 0.6686, 0.4815, 0.6971])
    expect(found.overlap).toBeCloseTo(0.6281, 4)
    expect(found.meanStandardisedBias).toBeCloseTo(1.4447, 4)
    expect(found.agreement).toBe(1)
  })

  it.each([
    ['A', 'case-a-independent.csv', 0.17923],
    ['B', 'case-b-bootstrap-noise.csv', 0.794921],
    ['C', 'case-c-near-copy.csv', 0.985238],
  ])('of case %s', async (_, file, expected) => {
    const found = overlapOf(
      'log(income) ~ age_group + sex + education + region',
      await vignette('case-original.csv'),
      await vignette(file),
      {
        rule: RISKUTILITY,
        withIntercept: true,
      },
    )
    expect(found.coefficients).toHaveLength(11)
    expect(found.overlap).toBeCloseTo(expected, 6)
  })

  it('of synthpop on Social Diagnosis 2011', async () => {
    const found = overlapOf(
      'income ~ age + sex + marital',
      await referenceTable('golden', 'sd2011', 'original.csv'),
      await referenceTable('golden', 'sd2011', 'synthetic-1.csv'),
      { rule: SYNTHPOP, withIntercept: true },
    )
    // synthpop 1.9: compare(lm.synds(income ~ age + sex + marital, ...), original).
    const printed = [0.8717526, 0.825853, 0.926146, 0.9118337, 0.8878601, 0.8899063, 0.9519019, 0.9165124]
    expect(found.coefficients.map(({ overlap }) => overlap)).toEqual(printed.map((value) => expect.closeTo(value, 6)))
    expect(found.overlap).toBeCloseTo(0.8977207, 6)
    expect(found.meanStandardisedBias).toBeCloseTo(0.4009273, 6)
  })
})
