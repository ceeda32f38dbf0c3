import { expect, it } from 'vitest'
import { NotApplicable, UserError } from '../../../errors.js'
import { chiSquaredUpper } from '../../../stats/distributions.js'
import { numeric } from '../../../table/column.js'
import { release } from '../../../table/release.js'
import { table, tableOf } from '../../../table/table.js'
import { describeReference, referenceJson, referenceTable } from '../../../testing/reference.js'
import { parseFormula } from '../../predictive/regression/formula.js'
import { modelDesign } from '../../predictive/regression/model-matrix.js'
import { fitRegression } from '../../predictive/regression/regression-fit.js'
import { tableUtility } from '../../tables/table-utility.js'
import { fewerLevelsWarning, logisticPropensity, stackTables } from './propensity.js'
import { logisticPmse } from './propensity-statistics.js'

const one = (name: string, x: readonly number[]) => tableOf(name, { x })

it('one 0/1 variable: the propensity of a cell is its share', () => {
  const found = logisticPmse(one('original', [0, 0, 0, 1]), one('released', [0, 1, 1, 1]), {
    variables: ['x'],
    order: 1,
  })
  expect(found.pmse).toBeCloseTo(0.0625, 12)
  expect(found.nulls.conditional.ratio).toBeCloseTo(4, 10)
  expect(found.nulls.twoSample.ratio).toBeCloseTo(2, 10)
  expect(found).toMatchObject({ df: 1, specks: 0.5, po50: 25, u: 12, auc: 0.75, converged: true })
})

it('two categorical variables with products are a saturated table', () => {
  const table = (name: string, counts: readonly number[]) => {
    const cells = counts.flatMap((n, cell) => Array.from({ length: n }, () => cell))
    return tableOf(name, { a: cells.map((cell) => `a${cell >> 1}`), b: cells.map((cell) => `b${cell & 1}`) })
  }
  const [o, s] = [
    [10, 20, 30, 40],
    [15, 15, 25, 30],
  ]
  const found = logisticPmse(table('original', o), table('released', s), { variables: ['a', 'b'], order: 2 })
  const cells = tableUtility(o, s)
  expect(found.df).toBe(cells.df)
  expect(found.pmse).toBeCloseTo(cells.pMSE, 10)
  expect(found.nulls.conditional.ratio).toBeCloseTo(cells.S_pMSE ?? 0, 8)
  expect(found.specks).toBeCloseTo(cells.SPECKS, 10)
})

it('equal files cannot be told apart', () => {
  const same = one('same', [1, 2, 3, 4, 5])
  const found = logisticPmse(same, same, { variables: ['x'], order: 1 })
  const { ratio, p: pValue } = found.nulls.conditional
  const value = found.pmse
  expect([value, ratio]).toEqual([expect.closeTo(0, 20), expect.closeTo(0, 15)])
  expect(pValue).toBeCloseTo(1, 12)
})

it('separated files: scores near 0 and 1, said to be without end', () => {
  const found = logisticPmse(one('original', [1, 2, 3, 4]), one('released', [11, 12, 13, 14]), {
    variables: ['x'],
    order: 1,
  })
  expect(found.pmse).toBeCloseTo(0.25, 6)
  expect(found).toMatchObject({ specks: 1, auc: 1, po50: 50 })
})

it('constant files and models with too many coefficients are refused in words', () => {
  const options = { variables: ['x'], order: 1 } as const
  expect(() => logisticPmse(one('original', [1, 1]), one('released', [1, 1]), options)).toThrow(NotApplicable)
  const twoDigits = (row: number) => String(row % 25).padStart(2, '0')
  const grid = Array.from({ length: 625 }, (_, row) => row)
  const wide = tableOf('wide', { x: grid.map(twoDigits), y: grid.map((row) => twoDigits(Math.floor(row / 25))) })
  expect(() => logisticPmse(wide, wide, { variables: ['x', 'y'], order: 2 })).toThrow(UserError)
})

it('of more levels than a model may have coefficients the rare ones count as one', () => {
  const levels = (name: string, rare: number) =>
    tableOf(name, {
      x: [...Array.from({ length: rare }, (_, k) => `rare ${k}`), ...Array(60).fill('a'), ...Array(40).fill('b')],
    })
  const found = logisticPropensity(levels('original', 450), levels('released', 450), { variables: ['x'], order: 1 })
  // Each rare level has a record in either file.
  expect(found).toMatchObject({ fewest: 3, df: 2 })
  expect(fewerLevelsWarning(found)[0]).toContain('fewer than 3 records')
  expect(fewerLevelsWarning({ fewest: 1 })).toEqual([])
})

describeReference('beside synthpop', async () => {
  const folder = (name: string) => ['golden', name] as const
  const pairOf = async (...[where, original, released]: [string, string, string]) =>
    release({
      original: await referenceTable(...folder(where), original),
      released: await referenceTable(...folder(where), released),
    })
  const vignette = await pairOf('vignette', 'original.csv', 'synthetic.csv')
  const survey = await pairOf('sd2011', 'original.csv', 'synthetic-1.csv')
  const golden = referenceJson('golden', 'sd2011', 'synthpop-1.9-3-utility.json') as Record<
    string,
    Record<'pMSE' | 'S_pMSE' | 'df' | 'SPECKS' | 'PO50' | 'U', number>
  >

  it('running example, main effects', () => {
    const found = logisticPmse(vignette.original, vignette.released[0], { variables: vignette.variables, order: 1 })
    expect(found.pmse).toBeCloseTo(0.003191546, 9)
    expect(found.nulls.conditional.ratio).toBeCloseTo(2.83693, 5)
    expect(found.nulls.twoSample.ratio).toBeCloseTo(1.418465, 6)
    expect(found.nulls.twoSample.p).toBeCloseTo(0.1735, 4)
    expect(found.nulls.conditional.expected).toBeCloseTo(0.001125, 12)
    expect(found.nulls.twoSample.ratio * found.df).toBeCloseTo(12.76618, 5)
    expect(found.auc).toBeCloseTo(0.56034, 10)
    expect(found).toMatchObject({ df: 9, specks: expect.closeTo(0.092, 12), po50: expect.closeTo(3.1, 10), u: 140085 })
  })

  it('running example, the fit itself', () => {
    const { original, released, variables } = vignette
    const { scores } = logisticPropensity(original, released[0], { variables, order: 1 })
    const deviance = scores.reduce((sum, p, row) => sum - 2 * Math.log(row < 500 ? 1 - p : p), 0)
    expect(2 * 1000 * Math.LN2 - deviance).toBeCloseTo(12.83662, 4)
    expect(chiSquaredUpper(12.83662, 9)).toBeCloseTo(0.1701, 4)
    const pooled = stackTables(original, released[0], variables)
    const isReleased = numeric('released', [...Array(500).fill(0), ...Array(500).fill(1)])
    const both = table('both', [isReleased, ...pooled.columns])
    const { termNames, frames } = modelDesign(
      parseFormula('released ~ age + sex + education + region + income', both),
      [both],
    )
    const fit = fitRegression(frames[0], { family: 'logistic', intercept: true, weights: null })
    const at = (name: string) => {
      const k = termNames.indexOf(name)
      return [fit.estimates[k], fit.estimates[k] / fit.standardErrors[k]]
    }
    expect(at('age')).toEqual([expect.closeTo(0.00658352, 8), expect.closeTo(1.988, 3)])
    expect(at('sexM')).toEqual([expect.closeTo(-0.2950706, 7), expect.closeTo(-2.3, 2)])
    expect(at('regionR4')[0]).toBeCloseTo(-0.3915192, 7)
    expect(at('income')[0] / 2.353393e-7).toBeCloseTo(1, 5)
  })

  it('running example, products of two', () => {
    const found = logisticPmse(vignette.original, vignette.released[0], { variables: vignette.variables, order: 2 })
    expect(found.pmse).toBeCloseTo(0.007869716, 9)
    expect(found.nulls.conditional.ratio).toBeCloseTo(1.656782, 6)
    expect(found.nulls.twoSample.ratio).toBeCloseTo(0.8283911, 7)
    expect(found.nulls.twoSample.p).toBeCloseTo(0.7636, 4)
    expect(found.nulls.twoSample.ratio * found.df).toBeCloseTo(31.47886, 5)
    expect(found).toMatchObject({ df: 38, specks: expect.closeTo(0.15, 12), po50: expect.closeTo(6, 10), u: 148281 })
  })

  it.each([
    ['gen_logit_main', 1],
    ['gen_logit_int', 2],
  ] as const)('SD2011, %s', (name, order) => {
    const variables = ['sex', 'age', 'marital', 'depress']
    const found = logisticPmse(survey.original, survey.released[0], { variables, order })
    const expected = golden[name]
    expect(found.df).toBe(expected.df)
    expect(found.pmse / expected.pMSE).toBeCloseTo(1, 9)
    expect(found.nulls.conditional.ratio / expected.S_pMSE).toBeCloseTo(1, 9)
    expect([found.specks, found.po50, found.u]).toEqual([
      expect.closeTo(expected.SPECKS, 10),
      expect.closeTo(expected.PO50, 10),
      expected.U,
    ])
  })
})
