import { expect, it } from 'vitest'
import { pmse } from '../../peers/utility/global/pmse.js'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { type Table, tableOf } from '../../table/table.js'
import { describeReference, liveFiles, referenceTable } from '../../testing/reference.js'
import { crossTable } from '../tables/cross-table.js'
import { c2st } from './c2st.js'
import { specks } from './specks.js'

/** Two numbers that go together, and a group; `shift` moves one level. */
function people(name: string, rows: number, index: number, shift = 0): Table {
  const random = stream(3, 'people', index)
  const group = Array.from({ length: rows }, () => ['a', 'b', 'c'][random.below(3)])
  const x = group.map((one) => random.uniform() + (one === 'c' ? shift : 0))
  return tableOf(name, { group, x, y: x.map((value) => value + random.uniform() / 2) })
}
const original = people('original', 300, 0)
const fresh = release({ original, released: people('fresh', 300, 1) })
const shifted = release({ original, released: people('shifted', 300, 2, 1) })

it('keeps three nulls apart, under the names of both packages', async () => {
  const { releases } = await pmse(fresh)
  const { details, controls, utility, value } = releases[0]
  const { conditional, twoSample, pairs } = details?.nulls ?? {}
  expect(details?.order).toBe(2)
  expect(conditional?.expected).toBeCloseTo(((details?.df ?? 0) * 0.125) / 600, 15)
  expect(twoSample?.expected).toBeCloseTo(2 * (conditional?.expected ?? 0), 15)
  expect(pairs?.expected).toBeCloseTo((details?.df ?? 0) / 2400, 15)
  expect(controls?.honest?.value).toBe(conditional?.expected)
  expect(utility?.test?.p).toBe(twoSample?.p)
  expect(details?.synthpop.S_pMSE).toBe(conditional?.ratio)
  expect(details?.riskutility.pMSE_ratio).toBe(conditional?.ratio)
  const z = ((value ?? 0) - (conditional?.expected ?? 0)) / Math.sqrt((2 * (details?.df ?? 0) * 0.5 ** 6) / 600 ** 2)
  expect(details?.riskutility.S_pMSE).toBeCloseTo(z, 9)
})

it('compares densities of the scores only where that is asked for', async () => {
  const [plain, near, far] = [
    await pmse(fresh, { resamples: 0 }),
    await pmse(fresh, { resamples: 0, densities: true }),
    await pmse(shifted, { resamples: 0, densities: true }),
  ]
  expect(plain.releases[0].details).not.toHaveProperty('densities')
  const [small, large] = [near, far].map(({ releases }) => releases[0].details?.densities?.kl ?? -1)
  expect(small).toBeGreaterThan(0)
  expect(large).toBeGreaterThan(5 * small)
})

it('says which column and which records give a release away', async () => {
  const { releases } = await pmse(shifted, {}, { records: true })
  const { details, utility, records } = releases[0]
  expect(utility?.test?.p).toBeLessThan(1e-10)
  expect(utility?.equivalent?.fraction).toBeLessThan(0.1)
  const share = new Map(details?.columns.map(({ name, value }) => [name, value]))
  expect(share.get('x')).toBeGreaterThan(share.get('y') ?? 1)
  expect(details?.artificial[0]).toMatchObject({ column: 'group', level: 'c' })
  expect(records?.propensity.length).toBe(300)
})

it('trees are compared with trees on permuted labels, with any number of threads', async () => {
  const [same, other] = [
    await pmse(fresh, { model: 'cart', resamples: 0 }),
    await pmse(shifted, { model: 'cart', resamples: 0 }),
  ]
  expect(same.releases[0].utility?.test?.p).toBeGreaterThan(0.05)
  expect(other.releases[0].utility?.test?.p).toBeCloseTo(1 / 21, 12)
  expect(other.releases[0].utility?.equivalent).toBeNull()
  const forest = await pmse(shifted, { model: 'forest', trees: 50, permutations: 4, resamples: 0 })
  expect(forest.releases[0].utility?.test?.p).toBeCloseTo(1 / 5, 12)
})

it('SPECKS and the classifier tell the same two releases apart', async () => {
  const [near, far] = [await specks(fresh), await specks(shifted, { resamples: 0 })]
  expect(near.releases[0].utility?.ratio).toBeLessThan(2)
  expect(far.value).toBeGreaterThan(0.25)
  const [even, uneven] = [await c2st(fresh, { resamples: 0 }), await c2st(shifted, { resamples: 0 })]
  expect(even.releases[0].utility?.test?.p).toBeGreaterThan(0.01)
  expect(uneven.value).toBeGreaterThan(0.6)
  expect(uneven.releases[0].utility?.test?.p).toBeLessThan(1e-4)
})

it('missing values are told apart, left out, or filled', async () => {
  const blank = (of: Table, share: number) =>
    tableOf(of.name, {
      x: Array.from({ length: of.rows }, (_, row) => (row % 10 < 10 * share ? null : row % 7)),
      g: Array.from({ length: of.rows }, (_, row) => (row % 3 === 0 ? 'a' : 'b')),
    })
  const files = release({ original: blank(original, 0.1), released: blank(original, 0.5) })
  const found = async (missing: 'indicator' | 'drop' | 'impute') =>
    (await pmse(files, { missing, order: 1, resamples: 0 }, { records: true })).releases[0]
  const [told, dropped, filled] = [await found('indicator'), await found('drop'), await found('impute')]
  expect([told, dropped, filled].map(({ details }) => details?.df)).toEqual([3, 2, 2])
  expect(told.utility?.test?.p).toBeLessThan(1e-6)
  expect(dropped.utility?.test?.p).toBeGreaterThan(0.05)
  // 30 of 300 originals have no score.
  expect(Array.from(dropped.records?.propensity ?? []).filter(Number.isNaN).length).toBe(30)
  expect(Array.from(filled.records?.propensity ?? []).some(Number.isNaN)).toBe(false)
  const none = release({ original: blank(original, 1), released: blank(original, 0) })
  expect((await specks(none, { missing: 'drop', resamples: 0 })).status).toBe('not applicable')
})

it('trees say that missing numbers are filled otherwise than by synthpop', async () => {
  const files = release({
    original: tableOf('x', { x: [null, ...Array.from({ length: 39 }, (_, k) => k % 7)] }),
    released: tableOf('y', { x: Array.from({ length: 40 }, (_, k) => k % 5) }),
  })
  const warnings = async (model: 'logit' | 'cart', missing: 'indicator' | 'drop' = 'indicator') =>
    (await pmse(files, { model, missing, permutations: 1, resamples: 0 })).releases[0].warnings
  expect(await warnings('cart')).toContain(
    'missing numbers of x are filled by the median; synthpop fills 0, and its tree is another',
  )
  expect(await warnings('cart', 'drop')).toEqual([])
  expect(await warnings('logit')).toEqual([])
})

it('numbers as classes of two columns with products are a table', async () => {
  const files = release({ original, released: people('fresh', 300, 1) })
  const variables = ['group', 'x']
  const { details, value } = (await pmse(files, { variables, groups: 5, order: 2, resamples: 0 })).releases[0]
  const table = (await crossTable(files, { variables, groups: 5, resamples: 0 })).releases[0].details?.synthpop
  expect(details?.df).toBe(table?.df)
  expect(value).toBeCloseTo(table?.pMSE ?? Number.NaN, 10)
})

it('columns released as they are do not count in what is expected', async () => {
  const files = release({ original, released: original })
  const df = async (kept: string[]) => (await pmse(files, { kept, order: 2, resamples: 0 })).releases[0].details?.df
  // group: 2, x: 1, y: 1; products 2 + 2 + 1.
  expect(await df([])).toBe(9)
  expect(await df(['group'])).toBe(7)
  expect(await df(['group', 'x'])).toBe(4)
  expect((await pmse(files, { kept: ['group', 'x', 'y'], resamples: 0 })).status).toBe('not applicable')
  await expect(pmse(files, { kept: ['grup'] })).rejects.toThrow('"group"')
})

it('copies mislead a learner that has not seen them: less than one half', async () => {
  const copy = await c2st(release({ original, released: original }), { resamples: 0 })
  expect(copy.value).toBeLessThan(0.5)
})

describeReference('beside rpart, on the running example', async () => {
  const example = release({
    original: await referenceTable('golden', 'vignette', 'original.csv'),
    released: await referenceTable('golden', 'vignette', 'synthetic.csv'),
  })

  it.each([
    [{ cp: 1e-8 }, 89, 0.07466572, 0.494, 74.7],
    [{ cp: 1e-3 }, 85, 0.07246564, 0.49, 74.5],
    [{ cp: 0.01, minbucket: 7 }, 8, 0.007597137, 0.146, 57.3],
  ] as const)('a tree with %o', async (chosen, leaves, value, ks, po50) => {
    const found = await pmse(example, { model: 'cart', ...chosen, permutations: 2, resamples: 0 })
    const { details } = found.releases[0]
    expect(details?.leaves).toBe(leaves)
    expect(found.value).toBeCloseTo(value, 8)
    expect(details?.specks).toBeCloseTo(ks, 12)
    expect(details?.riskutility.PO50).toBeCloseTo(po50, 10)
    const { cp, minbucket } = { minbucket: 5, ...chosen }
    const own = await specks(example, { model: 'cart', resamples: 0, cp, minbucket, minsplit: 3 * minbucket })
    expect(own.value).toBeCloseTo(ks, 12)
  })

  it('riskutility: z of main effects and of products', async () => {
    for (const [order, z] of [
      [1, 3.896716],
      [2, 2.862847],
    ] as const) {
      const { releases } = await pmse(example, { order, resamples: 0 })
      expect(releases[0].details?.riskutility.S_pMSE).toBeCloseTo(z, 5)
    }
  })

  it('forest scores scatter as those of randomForest do', async () => {
    const { value } = await pmse(example, { model: 'forest', permutations: 1, resamples: 0, trees: 100 })
    expect(value).toBeGreaterThan(0.018)
    expect(value).toBeLessThan(0.03)
  })
})

describeReference('riskutility 0.2.0, specks by trees', () => {
  it('lung cancer: rpart splits nodes of 20 records', async () => {
    const files = release(await liveFiles('lun', 's'))
    const options = { model: 'cart', missing: 'drop', resamples: 0 } as const
    expect((await specks(files, options)).value).toBeCloseTo(0.3674369748, 10)
    expect((await specks(files, { ...options, minsplit: 21 })).value).toBeCloseTo(0.337535014, 10)
  })
})

describeReference('several syntheses of SD2011, told from each other', () => {
  const file = (name: string) => referenceTable('golden', 'sd2011', `${name}.csv`)
  const variables = ['sex', 'age', 'depress']

  it('S_pMSE, S_SPECKS, S_PO50 and S_U as utility.gen defines them for pairs, by glm of R', async () => {
    const released = await Promise.all(['synthetic-1', 'synthetic-2', 'synthetic-3'].map(file))
    const files = release({ original: await file('original'), released })
    const { details } = (await pmse(files, { variables, order: 1, pairs: true, resamples: 0 })).releases[0]
    expect(details?.pairs).toMatchObject({
      count: 3,
      synthpop: {
        S_pMSE: expect.closeTo(2.833296849, 6),
        S_SPECKS: expect.closeTo(1.757961783, 9),
        S_PO50: expect.closeTo(25.796178344, 8),
        S_U: expect.closeTo(1.992326531, 8),
      },
    })
    // Files of equal size: synthpop has the right factor for pMSE, and √2 too much for SPECKS.
    expect(details?.pairs?.pmse).toBeCloseTo(2.833296849, 6)
    expect(details?.pairs?.specks).toBeCloseTo(1.757961783 / Math.SQRT2, 9)
  })

  it('one file has no other to be told from', async () => {
    const files = release({ original, released: people('fresh', 300, 1) })
    expect((await pmse(files, { pairs: true, resamples: 0 })).releases[0].details?.pairs).toBeNull()
  })
})
