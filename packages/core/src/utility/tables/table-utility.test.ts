import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { subsets } from '../../stats/special.js'
import { type Release, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { describeReference, referenceJson, referenceTable } from '../../testing/reference.js'
import { classesOf, countCells, GROUPS } from './cells.js'
import { type TableUtility, tableUtility } from './table-utility.js'

/** All tables of so many columns, numbers in fifths. */
const crossTables = (files: Release, variables: readonly string[], ways: number) =>
  subsets(
    variables.map((name) => classesOf(files, 0, name, GROUPS)),
    ways,
  ).map((columns) => {
    const { original, released } = countCells({ columns, originals: files.original.rows, weights: null })
    return { variables: columns.map(({ name }) => name), utility: tableUtility(original, released) }
  })

describe('by hand', () => {
  it('two cells', () => {
    expect(tableUtility([3, 1], [1, 3])).toMatchObject({ VW: 4, pMSE: 0.0625, S_pMSE: 4, df: 1, SPECKS: 0.5 })
  })

  it('files of different size: total variation 1/4, 20 points on the right side', () => {
    const found = tableUtility([30, 10], [5, 5])
    expect(found.MabsDD / 2).toBeCloseTo(0.25, 15)
    expect(found.SPECKS).toBeCloseTo(0.25, 15)
    expect(found.PO50).toBeCloseTo(20, 12)
  })

  it('equal files have no distance', () => {
    const found = tableUtility([4, 5, 6], [4, 5, 6])
    expect(found).toMatchObject({ VW: 0, FT: 0, JSD: 0, SPECKS: 0, MabsDD: 0, dBhatt: 0, G: 0, S_pMSE: 0, df: 2 })
  })

  it('one cell cannot be standardised', () => {
    expect(tableUtility([4], [7])).toMatchObject({ df: 0, S_pMSE: null, S_G: null, SPECKS: 0 })
  })
})

it('sex by education: the figures of synthpop', () => {
  const found = tableUtility([70, 121, 52, 81, 121, 55], [88, 132, 56, 69, 104, 51])
  const expected = {
    VW: 10.14486,
    FT: 10.165674,
    JSD: 0.0036639843,
    SPECKS: 0.066,
    WMabsDD: 8.8801904,
    U: 134757,
    G: 10.227031,
    pMSE: 0.0012681074,
    PO50: 3.3,
    MabsDD: 0.132,
    dBhatt: 0.050412484,
    S_VW: 2.0289719,
    S_FT: 2.0331348,
    S_JSD: 2.1144048,
    S_WMabsDD: 1.7760381,
    S_G: 2.0454061,
    df: 5,
  }
  expect(rounded(found, 8)).toMatchObject(rounded(expected, 8))
})

it('holds the identities between its figures', () => {
  const counts = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), { minLength: 2 })
  fc.assert(
    fc.property(counts, (cells) => {
      const o = [9, ...cells.map(([first]) => first)]
      const s = [4, ...cells.map(([, second]) => second)]
      const found = tableUtility(o, s)
      const n = [...o, ...s].reduce((sum, one) => sum + one, 0)
      const c = s.reduce((sum, one) => sum + one, 0) / n
      expect(found.SPECKS).toBeCloseTo(found.MabsDD / 2, 12)
      const pearson = o.reduce((sum, one, k) => {
        const both = one + s[k]
        return both === 0
          ? sum
          : sum + (s[k] - c * both) ** 2 / (c * both) + (one - (1 - c) * both) ** 2 / ((1 - c) * both)
      }, 0)
      expect((1 - c) * found.VW).toBeCloseTo(pearson, 8)
      expect((n * found.pMSE) / (c * (1 - c))).toBeCloseTo(pearson, 8)
      expect(found.FT).toBeCloseTo(8 * n * c * found.dBhatt ** 2, 8)
    }),
  )
})

describeReference('the running example of the riskutility vignette', async () => {
  const of = await pair(['golden', 'vignette', 'original.csv'], ['golden', 'vignette', 'synthetic.csv'])
  const variables = ['age', 'sex', 'education', 'region', 'income']
  const ratios = (ways: number) =>
    Object.fromEntries(crossTables(of, variables, ways).map((one) => [one.variables.join(':'), one.utility]))

  it('one variable', () => {
    const one = ratios(1)
    expect(rounded(one.age, 8)).toMatchObject({
      VW: 16.850344,
      S_VW: 4.2125859,
      U: 136121.5,
      SPECKS: 0.07,
      G: 17.575672,
    })
    expect(one.age.pMSE).toBeCloseTo(0.002106293, 9)
    expect(one.sex.S_pMSE).toBeCloseTo(8.724598, 6)
    expect(one.education.S_pMSE).toBeCloseTo(0.1921969, 7)
    expect(one.region.S_pMSE).toBeCloseTo(2.048097, 6)
    expect(one.income.S_pMSE).toBeCloseTo(0.1, 6)
  })

  it('two variables', () => {
    const expected = [
      ['age:sex', 3.644313, 9],
      ['age:education', 2.275548, 14],
      ['age:region', 2.52206, 24],
      ['age:income', 1.782744, 24],
      ['sex:education', 2.028972, 5],
      ['sex:region', 2.125703, 9],
      ['sex:income', 2.261734, 9],
      ['education:region', 1.30503, 14],
      ['education:income', 0.427426, 14],
      ['region:income', 2.090259, 24],
    ] as const
    const found = ratios(2)
    expect(Object.keys(found)).toEqual(expected.map(([name]) => name))
    for (const [name, ratio, df] of expected) {
      expect(found[name].S_pMSE).toBeCloseTo(ratio, 6)
      expect(found[name].df).toBe(df)
    }
    expect(rounded(found['age:income'], 8)).toMatchObject({ VW: 42.785848, SPECKS: 0.124 })
  })

  it('three variables', () => {
    const found = ratios(3)
    expect(found['age:sex:education'].S_pMSE).toBeCloseTo(2.592351, 6)
    expect(rounded(found['sex:education:region'], 8)).toMatchObject({
      VW: 38.329597,
      df: 29,
      SPECKS: 0.104,
      dBhatt: 0.098692687,
    })
  })
})

describeReference('SD2011 beside synthpop 1.9-3', async () => {
  const of = await pair(['golden', 'sd2011', 'original.csv'], ['golden', 'sd2011', 'synthetic-1.csv'])
  const golden = referenceJson('golden', 'sd2011', 'synthpop-1.9-3-utility.json') as Record<string, unknown>
  const variables = of.variables
  /** Eleven digits were printed. */
  const expectFigures = (found: TableUtility, printed: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(found)) {
      const expected = printed[name]
      expect({ name, value }).toEqual({
        name,
        value: expect.closeTo(expected, 10 - Math.log10(Math.abs(expected) + 1e-9)),
      })
    }
  }

  it.each([
    ['tab_sex_marital', ['sex', 'marital']],
    ['tab_sex_age5_marital', ['sex', 'age', 'marital']],
    ['tab_age5_depress5', ['age', 'depress']],
  ])('%s', (name, names) => {
    const [{ utility }] = crossTables(of, names, names.length)
    expectFigures(utility, golden[name] as Record<string, number>)
  })

  it.each([
    ['tables_oneway', 1],
    ['tables_twoway', 2],
  ])('%s', (name, ways) => {
    const found = crossTables(of, variables, ways)
    const expected = golden[name] as Record<string, number>[]
    expect(found.length).toBe(expected.length)
    for (const [k, { utility }] of found.entries()) expectFigures(utility, expected[k])
  })
})

it('missing is a class of its own', () => {
  const original = tableOf('original', { a: ['x', 'x', null, null], b: [1, 2, 3, 4] })
  const released = tableOf('released', { a: ['x', null, null, null], b: [1, 2, 3, 4] })
  const [{ utility }] = crossTables(release({ original, released }), ['a'], 1)
  expect(utility).toMatchObject(tableUtility([2, 2], [1, 3]))
})

async function pair(original: string[], released: string[]): Promise<Release> {
  const [first, second] = await Promise.all([referenceTable(...original), referenceTable(...released)])
  return release({ original: first, released: second })
}

/** To so many significant digits, as they were printed. */
function rounded<T extends object>(figures: T, digits: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(digits)) : value,
    ]),
  )
}
