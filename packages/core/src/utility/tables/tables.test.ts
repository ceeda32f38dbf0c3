import { describe, expect, it } from 'vitest'
import { chisqGof } from '../../peers/utility/tables/chisq-gof.js'
import { contingencyFidelity } from '../../peers/utility/tables/contingency-fidelity.js'
import { crossTable } from '../../peers/utility/tables/cross-table.js'
import { hellinger } from '../../peers/utility/tables/hellinger.js'
import { stream } from '../../random/stream.js'
import { mean } from '../../stats/sums.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { describeReference, liveFiles, referenceJson, referenceTable } from '../../testing/reference.js'
import { classesOf } from './cells.js'
import {
  expectedTotalVariation,
  hellingerDistance,
  pearson,
  simulatedP,
  totalVariation,
  twoSample,
} from './table-tests.js'
import { tableUtility } from './table-utility.js'
import { tables } from './tables.js'

const counts = (...of: number[]) => Float64Array.from(of)
const less = { resamples: 0 }

describe('by hand', () => {
  it('two cells: X² 2, total variation a half', () => {
    expect(pearson(counts(3, 1), counts(1, 3))).toBeCloseTo(2, 12)
    expect(totalVariation(counts(3, 1), counts(1, 3))).toBeCloseTo(0.5, 12)
    expect(twoSample(counts(3, 1, 0), counts(1, 3, 2))).toMatchObject({ df: 2, newCells: 1, lostCells: 0, sparse: 1 })
  })

  it('four cells of 40, 30, 20, 10 and of 25 each', () => {
    expect(hellingerDistance(counts(40, 30, 20, 10), counts(25, 25, 25, 25))).toBeCloseTo(0.1678996, 7)
    expect(totalVariation(counts(40, 30, 20, 10), counts(25, 25, 25, 25))).toBeCloseTo(0.2, 12)
  })

  it.each([
    [0.5, 2],
    [0.2, 1.25],
    [0.8, 5],
  ])('S_pMSE of a correct model is 1, and of another sample %d released 1 / (1 - c)', (c, expected) => {
    const random = stream(6, 'tables', 100 * c)
    const draw = (of: readonly number[], size: number) => {
      const cells = new Float64Array(of.length)
      const total = of.reduce((sum, one) => sum + one, 0)
      for (let k = 0; k < size; k++) {
        let at = random.uniform() * total
        let cell = 0
        while (at >= of[cell]) at -= of[cell++]
        cells[cell]++
      }
      return cells
    }
    const shares = [4, 4, 3, 3, 2, 2, 2, 1, 1, 1]
    const ratios = Array.from({ length: 300 }, () => {
      const original = draw(shares, 1000 * (1 - c))
      const ratio = (released: Float64Array) => tableUtility(original, released).S_pMSE ?? 0
      return [ratio(draw([...original], 1000 * c)), ratio(draw(shares, 1000 * c))]
    })
    const [conditional, twoSample] = [0, 1].map((k) => mean(ratios.map((pair) => pair[k])) ?? 0)
    // Of 300 means of χ² with 9 df: four standard errors.
    const error = 4 * Math.sqrt(2 / 9 / 300)
    expect(Math.abs(conditional - 1)).toBeLessThan(error + 0.02)
    expect(Math.abs(twoSample / expected - 1)).toBeLessThan(error + 0.02)
  })

  it('weights: a, a, b with weights 1, 1, 2 against a, b, b', async () => {
    const found = await hellinger(
      release({
        original: tableOf('x', { v: ['a', 'a', 'b'], w: [1, 1, 2] }),
        released: tableOf('y', { v: ['a', 'b', 'b'], w: [1, 1, 1] }),
        weight: 'w',
      }),
      less,
    )
    expect(found.value).toBeCloseTo(0.120006, 6)
  })

  it('expected distances of the running example: sex by education, no difference', () => {
    const [o, s] = [counts(70, 121, 52, 81, 121, 55), counts(88, 132, 56, 69, 104, 51)]
    expect(expectedTotalVariation(o, s, 2 / 500)).toBeCloseTo(0.0553, 4)
    expect(hellingerDistance(o, s)).toBeCloseTo(0.050412484, 9)
    expect(pearson(o, s)).toBeCloseTo(5.07243, 5)
  })

  it('p is simulated where categories are rare: of all dealings of 3 and 3 one in ten is as far apart', async () => {
    expect(simulatedP(counts(3, 0), counts(0, 3), stream(1, 'dealt'), 9999)).toBeCloseTo(0.1, 1.5)
    const [x, y] = [counts(3, 0, 0), counts(0, 2, 1)]
    expect(simulatedP(x, y, stream(1, 'dealt'), 999)).toBe(simulatedP(x, y, stream(1, 'dealt'), 999))
    const of = release({
      original: tableOf('x', { v: ['a', 'a', 'a'] }),
      released: tableOf('y', { v: ['b', 'b', 'b'] }),
    })
    const run = async (simulations: number) =>
      (await chisqGof(of, { ...less, simulations })).releases[0].details?.columns[0]
    expect(await run(0)).toMatchObject({ simulated: false, p: expect.closeTo(0.0143, 3) })
    expect(await run(1999)).toMatchObject({ simulated: true, p: expect.closeTo(0.1, 1) })
  })

  it('with weights the test counts effective records', async () => {
    const [v, w] = [
      ['a', 'a', 'b', 'b', 'b', 'a'],
      [1, 3, 1, 3, 1, 3],
    ]
    const weighted = release({
      original: tableOf('x', { v, w }),
      released: tableOf('y', { v: ['a', 'b', 'b', 'b', 'b', 'b'], w }),
      weight: 'w',
    })
    const [column] = (await chisqGof(weighted, less)).releases[0].details?.columns ?? []
    // Σ w = 12, Σ w² = 30: 4.8 effective records; shares of a are 7/12 and 1/12.
    const n = 4.8
    expect(column.statistic).toBeCloseTo(pearson(counts((7 / 12) * n, (5 / 12) * n), counts(n / 12, (11 / 12) * n)), 10)
  })

  it('one table with weights is that of repeated records, but for the size of the test', async () => {
    const original = { v: ['a', 'a', 'b', 'b', 'c'], w: [2, 1, 1, 1, 3] }
    const repeated = { v: ['a', 'a', 'a', 'b', 'b', 'c', 'c', 'c'] }
    const released = tableOf('y', { v: ['a', 'b', 'c', 'c', 'c', 'c', 'a', 'b'] })
    const weighted = release({ original: tableOf('x', original), released, weight: 'w' })
    const plain = release({ original: tableOf('x', repeated), released })
    const [one, other] = [await crossTable(weighted, less), await crossTable(plain, less)]
    const figures = (of: typeof one) => of.releases[0].details?.riskutility
    expect(figures(one)?.chi2).toBeCloseTo(figures(other)?.chi2 ?? Number.NaN, 10)
    // (Σ w)² / Σ w² = 64 / 16 = 4 effective originals beside 8 released records.
    const shares = counts(1.5, 1, 1.5)
    expect(one.value).toBeCloseTo(Math.sqrt(pearson(shares, counts(2, 2, 4)) / 12), 10)
  })

  it('tables of three and four columns', async () => {
    const column = (k: number) => Array.from({ length: 16 }, (_, row) => 'ab'[(row >> k) & 1])
    const original = tableOf('x', { a: column(0), b: column(1), c: column(2), d: column(3) })
    const xor = column(0).map((value, row) => (value === column(1)[row] ? 'a' : 'b'))
    const released = tableOf('y', { a: column(0), b: column(1), c: xor, d: column(3) })
    const files = release({ original, released })
    const distance = async (ways: number) =>
      (await contingencyFidelity(files, { ...less, ways })).releases[0].details?.pairs
    expect((await distance(2))?.every((pair) => pair.distance === 0)).toBe(true)
    expect((await distance(3))?.map((one) => one.distance)).toEqual([0.5, 0, 0, 0])
    expect((await distance(4))?.map((one) => one.distance)).toEqual([0.5])
    const four = (await tables(files, { ...less, ways: 4 })).releases[0].details
    expect([four?.count, four?.third]).toEqual([1, null])
  })

  it('missing is a class, or left out as riskutility does', async () => {
    const of = release({
      original: tableOf('x', { v: ['a', 'b', null, null] }),
      released: tableOf('y', { v: ['a', 'b', 'a', 'b'] }),
    })
    expect((await hellinger(of, less)).value).toBeGreaterThan(0.3)
    expect((await hellinger(of, { ...less, definition: 'riskutility' })).value).toBeCloseTo(0, 12)
  })

  it('one record in a new cell: riskutility’s chi2 is 1e10, X² is not', async () => {
    const many = (n: number, of: string) => Array.from({ length: n }, () => of)
    const of = release({
      original: tableOf('x', { v: [...many(50, 'a'), ...many(50, 'b')] }),
      released: tableOf('y', { v: [...many(50, 'a'), ...many(49, 'b'), 'c'] }),
    })
    const { details, utility } = (await crossTable(of, less)).releases[0]
    expect(details?.riskutility?.chi2).toBeGreaterThan(1e9)
    expect(details?.test.statistic).toBeLessThan(2)
    expect(utility?.test?.what).toContain('permuted')
    expect(utility?.test?.p).toBeGreaterThan(0.5)
    expect((await chisqGof(of, less)).releases[0].details?.columns[0].riskutility.statistic).toBeNull()
  })

  it('constant columns have no tables to compare', async () => {
    const one = tableOf('x', { v: ['a', 'a'], w: ['b', 'b'] })
    expect(await tables(release({ original: one, released: one }))).toMatchObject({ status: 'not applicable' })
  })

  it('a constant column makes no release look better', async () => {
    const files = (constant: object) =>
      release({
        original: tableOf('x', { v: ['a', 'a', 'b', 'b'], w: ['c', 'd', 'c', 'd'], ...constant }),
        released: tableOf('y', { v: ['a', 'a', 'a', 'b'], w: ['c', 'c', 'c', 'd'], ...constant }),
      })
    for (const definition of ['scrim', 'riskutility'] as const) {
      const without = (await contingencyFidelity(files({}), { ...less, definition })).value
      expect(without).toBeCloseTo(0.5, 12)
      expect((await contingencyFidelity(files({ one: ['x', 'x', 'x', 'x'] }), { ...less, definition })).value).toBe(
        without,
      )
    }
    const plain = (await tables(files({}), less)).releases[0]
    expect(plain.details?.tables).toHaveLength(1)
    expect((await tables(files({ one: ['x', 'x', 'x', 'x'] }), less)).releases[0]).toEqual(plain)
  })

  it('says so when there would be too many tables', async () => {
    const wide = tableOf('wide', Object.fromEntries(Array.from({ length: 80 }, (_, k) => [`c${k}`, [1, 2]])))
    await expect(tables(release({ original: wide, released: wide }), { ways: 3 })).rejects.toThrow('82160 tables')
  })
})

describeReference('the running example', async () => {
  const example = release({
    original: await referenceTable('golden', 'vignette', 'original.csv'),
    released: await referenceTable('golden', 'vignette', 'synthetic.csv'),
  })

  it('all pairs, as utility.tables', async () => {
    const { details } = (await tables(example, less)).releases[0]
    const ratio = (a: string, b: string) => {
      const found = details?.tables.find(({ variables }) => variables.includes(a) && variables.includes(b))
      return [found?.utility.S_pMSE, found?.utility.df]
    }
    expect(ratio('age', 'sex')).toEqual([expect.closeTo(3.644313, 6), 9])
    expect(ratio('age', 'income')).toEqual([expect.closeTo(1.782744, 6), 24])
    expect(ratio('education', 'region')).toEqual([expect.closeTo(1.30503, 6), 14])
    expect(details?.variables.map(({ name }) => name)).toEqual(['age', 'sex', 'region', 'income', 'education'])
    expect(details?.variables.map(({ score }) => score)).toEqual(
      [2.556166, 2.515181, 2.010763, 1.640541, 1.509244].map((score) => expect.closeTo(score, 6)),
    )
    expect(details?.variables[0].oneWay).toBeCloseTo(4.212586, 6)
  })

  it('triples: age by sex by education is the worst', async () => {
    const { details } = (await tables(example, { ...less, ways: 3 })).releases[0]
    expect(details?.tables[0]).toMatchObject({ variables: ['age', 'sex', 'education'] })
    expect(details?.tables[0].utility.S_pMSE).toBeCloseTo(2.592351, 6)
    expect(details?.third).toBe('age')
    const own = (await tables(example, { ...less, ways: 3, third: 'region' })).releases[0]
    const [chart] = tables.charts(
      { ...own, details: own.details as NonNullable<typeof own.details> },
      { name: 'y', original: null, targets: [] },
    )
    expect(chart.title).toContain('with region')
    await expect(tables(example, { ...less, ways: 3, third: 'regoin' })).rejects.toThrow('"region"')
  })

  it('Hellinger distance of sex and education', async () => {
    const { value, releases } = await hellinger(example, { ...less, variables: ['sex', 'education'] })
    expect(value).toBeCloseTo(0.0282659, 7)
    expect(releases[0].details?.columns.map(({ distance }) => distance)).toEqual([
      expect.closeTo(0.0467284425, 10),
      expect.closeTo(0.0098033408, 10),
    ])
    expect(releases[0].details?.columns[0].expected).toBeCloseTo(0.02236 / Math.SQRT2, 5)
    const all = (await hellinger(example, less)).releases[0].details?.columns ?? []
    expect(all.find(({ name }) => name === 'region')?.distance).toBeCloseTo(0.0452969074, 10)
    // Two samples vary twice as much as one.
    const noise = Object.fromEntries(all.map(({ name, expected }) => [name, Math.SQRT2 * expected]))
    expect(noise).toEqual({
      sex: expect.closeTo(0.02236, 5),
      education: expect.closeTo(0.03162, 5),
      region: expect.closeTo(0.04472, 5),
    })
  })

  it('cells of sex by education in standard deviations', async () => {
    const { details } = (await crossTable(example, { ...less, variables: ['sex', 'education'] })).releases[0]
    expect(Object.fromEntries((details?.worst ?? []).map(({ cell, z }) => [cell, z]))).toEqual({
      'F, Primary': expect.closeTo(2.025158, 6),
      'F, Secondary': expect.closeTo(0.978019, 6),
      'F, Tertiary': expect.closeTo(0.544331, 6),
      'M, Primary': expect.closeTo(-1.385641, 6),
      'M, Secondary': expect.closeTo(-1.602775, 6),
      'M, Tertiary': expect.closeTo(-0.549442, 6),
    })
  })

  it('classes of age and income are cut at quintiles of both files', () => {
    const classes = (name: string) => classesOf(example, 0, name, 5).labels
    expect(classes('age')).toEqual(['[18,31)', '[31,45)', '[45,59)', '[59,73)', '[73,85]'])
    expect(classes('income').join()).toMatch(/^\[10489,26141\.8\),.*\[35190\.6,45368\.2\),.*\[62004,240137\]$/)
  })

  it('contingency fidelity, as riskutility', async () => {
    const { value, releases } = await contingencyFidelity(example, { ...less, definition: 'riskutility' })
    expect(value).toBeCloseTo(0.074667, 6)
    expect(releases[0].details?.pairs.map(({ distance }) => distance)).toEqual(
      [0.084, 0.074, 0.066].map((distance) => expect.closeTo(distance, 12)),
    )
    // What two samples give by chance: what one gives times √2.
    const chance = (releases[0].details?.pairs ?? []).map(({ expected }) => Math.SQRT2 * expected)
    expect(chance).toEqual([0.0756, 0.0929, 0.0553].map((expected) => expect.closeTo(expected, 4)))
  })

  it.each([
    [['sex'], [8.7188356, 1, 0.0031494, 0.0154377, 8.7341894, 8.7227063, 0.0021827, 85.695]],
    [
      ['sex', 'education'],
      [10.3933804, 5, 0.0648261, 0.0107868, 10.1656742, 10.2270306, 0.0025397, 89.775],
    ],
    [
      ['sex', 'education', 'region'],
      [41.1921075, 29, 0.0662507, 0.0243842, 38.9609861, 39.2335341, 0.0096866, 78.361],
    ],
  ] as const)('chisq_utility of %o', async (variables, expected) => {
    const { details } = (await crossTable(example, { ...less, variables: [...variables] })).releases[0]
    const { chi2, df, p, VW, FT, G, JSD, pct_utility } = details?.riskutility ?? {}
    const found = [chi2, df, p, VW, FT, G, JSD, pct_utility]
    for (const [k, number] of expected.entries()) expect(found[k], String(k)).toBeCloseTo(number, k === 7 ? 3 : 6)
  })

  it('compare_chisq_gof of education', async () => {
    const { details } = (await chisqGof(example, { ...less, variables: ['education'] })).releases[0]
    expect(details?.columns[0].riskutility).toEqual({
      statistic: expect.closeTo(0.3871709, 7),
      df: 2,
      p: expect.closeTo(0.8239994, 7),
      cramersV: expect.closeTo(0.01967666, 8),
    })
  })
})

describeReference('SD2011, utility.tables', async () => {
  const survey = release({
    original: await referenceTable('golden', 'sd2011', 'original.csv'),
    released: await referenceTable('golden', 'sd2011', 'synthetic-1.csv'),
  })
  const golden = referenceJson('golden', 'sd2011', 'synthpop-1.9-3-utility.json') as {
    readonly tables_twoway: readonly { readonly pair: string; readonly S_pMSE: number; readonly dBhatt: number }[]
  }

  it('every pair', async () => {
    const { details } = (await tables(survey, less)).releases[0]
    expect(details?.count).toBe(golden.tables_twoway.length)
    for (const { pair, S_pMSE, dBhatt } of golden.tables_twoway) {
      const names = pair.split(':').map((name) => name.replace(/^\d+\./, ''))
      const found = details?.tables.find(({ variables }) => names.every((name) => variables.includes(name)))
      expect(found?.utility.S_pMSE, pair).toBeCloseTo(S_pMSE, 8)
      expect(found?.utility.dBhatt, pair).toBeCloseTo(dBhatt, 9)
    }
  })
})

describeReference('riskutility 0.2.0 on files with missing values', () => {
  it.each([
    ['sur', ['Sex', 'W.Hnd'], [7.691125541, 3, 0.01996223635, 6.415858255, 6.783180397, 0.003400264708, 81.90399941]],
    [
      'gss',
      ['gender', 'nativeBorn'],
      [4.764957742, 3, 0.003544091852, 3.996899473, 4.229436463, 0.001000710246, 96.51797568],
    ],
    ['lun', ['sex', 'ph.ecog'], [9.599398364, 6, 0.01578683493, 10.10769175, 9.905873598, 0.005531767133, 85.39621993]],
    ['sdx', ['edu', 'marital'], [20000000220, 20, 28653295.41, 130.5977104, 220.8345716, 0.02140720166, 0]],
  ] as const)('%s: chisq_utility of %o', async (name, variables, expected) => {
    const { details } = (await crossTable(release(await liveFiles(name, 's')), { ...less, variables: [...variables] }))
      .releases[0]
    const { chi2, df, VW, FT, G, JSD, pct_utility } = details?.riskutility ?? {}
    expect([chi2, df, VW, FT, G, JSD, pct_utility].map((found) => Number(found?.toPrecision(10)))).toEqual(expected)
  })

  it('contingency_fidelity leaves out a column of one level', async () => {
    const files = release(await liveFiles('hard', 'r'))
    const { value } = await contingencyFidelity(files, { ...less, definition: 'riskutility' })
    expect(value).toBeCloseTo(0.1363636364, 10)
  })

  it.each([
    [
      'sur',
      { Sex: 0.07627118644, 'W.Hnd': 0.1436739428, Clap: 0.005803481573, Smoke: 0.1004065449, 'M.I': 0.06004054162 },
    ],
    ['gss', { nativeBorn: 0.06739205818, ageGroup: 0.08074516734, educGroup: 0.04184995521 }],
  ] as const)('%s: Cramér’s V of compare_chisq_gof', async (name, expected) => {
    const { details } = (await chisqGof(release(await liveFiles(name, 's')), { ...less, simulations: 0 })).releases[0]
    for (const [column, v] of Object.entries(expected)) {
      const found = details?.columns.find(({ name }) => name === column)?.riskutility.cramersV
      expect(Number(found?.toPrecision(10)), column).toBe(v)
    }
  })
})
