import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Part } from '../../table/classes.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { minimalUniques, type SearchOptions } from './counts/minimal-uniques.js'
import { disBands } from './population/dis-scores.js'
import { suda } from './suda.js'

type Given = Parameters<typeof suda>[1]

function keysOf(table: Table): string[] {
  return table.columns.map((column) => column.name)
}

async function assess(table: Table, options: Given = {}, more: Partial<ReleaseInput> = {}) {
  const subject = release({ original: table, released: table, keys: keysOf(table), ...more })
  const found = (await suda(subject, options, { records: true })).releases[0]
  if (found.details === null || found.records === undefined) throw new Error(found.reason?.text)
  const list = (name: string) => Array.from(found.records?.[name] ?? [], (value) => value)
  return { ...found, details: found.details, list, subject }
}

function sets(table: Table, options: Partial<SearchOptions> = {}, part: Part = 0): string[] {
  const subject = release({ original: table, released: table, keys: keysOf(table) })
  return minimalUniques(subject, part, options).map(({ row, keys }) => `${row + 1} ${keys.join('+')}`)
}

const three = tableOf('three', { a: [2, 1, 1], b: [0, 3, 0], c: [0, 6, 0] })

const book = tableOf('book', {
  age: ['20s', '20s', '20s', '20s', '20s', '20s', '20s', '60s'],
  gender: ['male', 'male', 'male', 'male', 'female', 'female', 'female', 'male'],
  income: ['50k+', '50k+', '50k-', '50k-', '50k-', '50k-', '50k-', '50k-'],
  edu: [
    'highschool',
    'highschool',
    'highschool',
    'highschool',
    'university',
    'highschool',
    'middleschool',
    'university',
  ],
})

const guideline = tableOf('guideline', {
  residence: [...'UUUURUUUUU'],
  gender: [...'FFFMFMFMFF'],
  education: ['SI', 'SI', 'PI', 'SC', 'SC', 'SC', 'PC', 'PS', 'SI', 'SI'],
  labour: [...'EENEUENUNN'],
})

/** sdcMicro 5.8.2 printed the figures below for these fourteen records; its DIS are of single precision. */
const fourteen = tableOf('fourteen', {
  a: [2, 2, 1, 1, 1, 2, 1, 2, 2, 2, 3, 2, 1, 3],
  b: [1, 3, 3, 1, 2, 1, 3, 4, 3, 3, 2, 2, 3, 3],
  c: [1, 2, 2, 1, 2, 1, 2, 2, 2, 1, 2, 1, 2, 2],
  d: [3, 1, 3, 1, 1, 1, 2, 1, 2, 3, 1, 2, 2, 1],
})

const fourteenWithGaps = tableOf('fourteen with gaps', {
  a: [2, null, 1, 1, null, 2, 1, 2, 2, 2, 3, 2, 1, 3],
  b: [1, 3, 3, 1, 2, 1, 3, 4, 3, 3, 2, null, 3, 3],
  c: [1, 2, 2, 1, 2, 1, 2, 2, null, 1, 2, 1, 2, 2],
  d: [3, 1, 3, 1, 1, 1, 2, 1, 2, 3, 1, 2, 2, 1],
})

describe('small tables', () => {
  it('three records', async () => {
    expect(sets(three)).toEqual(['1 a', '2 b', '2 c', '3 a+b', '3 a+c'])
    const elliot = await assess(three)
    expect(elliot.list('score')).toEqual([2, 4, 2])
    expect(elliot.list('msusOfSize1')).toEqual([1, 2, 0])
    expect(elliot.list('msusOfSize2')).toEqual([0, 0, 2])
    expect(elliot.details.contributions.map(({ share }) => share)).toEqual([0.5, 0.375, 0.375])
    expect(elliot.details.msusBySize).toEqual([
      { size: 1, msus: 3, records: 2 },
      { size: 2, msus: 2, records: 1 },
      { size: 3, msus: 0, records: 0 },
    ])
    expect(elliot.details.smallestMsu).toBe(1)
    expect((await assess(three, { score: 'halving' })).list('score')).toEqual([1, 2, 1])
  })

  it('no pairs: DIS is 1 and says why', async () => {
    const found = await assess(three)
    expect(found.list('dis')).toEqual([1, 1, 1])
    expect(found.details.fileDis).toBe(1)
    expect(found.warnings.join()).toContain('DIS has nothing to go by')
  })

  it('the book example', async () => {
    expect(sets(book)).toEqual(['5 age+edu', '5 gender+edu', '6 gender+edu', '7 edu', '8 age', '8 gender+edu'])
    const found = await assess(book, {})
    expect(found.list('score')).toEqual([0, 0, 0, 0, 4, 2, 6, 8])
    expect(found.details.pairs).toBe(4)
    const dis = [0, 0, 0, 0, 0.0108591, 0.0047559, 0.0175452, 0.0246011]
    for (const [row, value] of found.list('dis').entries()) expect(value).toBeCloseTo(dis[row], 7)
    expect(['age', 'gender', 'income', 'edu'].map((key) => found.list(`contribution ${key}`)[7])).toEqual([
      0.75, 0.25, 0, 0.25,
    ])
    expect((await assess(book, { score: 'halving' })).list('score')).toEqual([0, 0, 0, 0, 1, 0.5, 1, 1.5])
    expect(found.value).toBeCloseTo(found.list('dis').reduce<number>((sum, value) => sum + (value ?? 0), 0) / 8, 15)
  })

  it('the guideline example', async () => {
    const found = await assess(guideline)
    expect(found.list('score')).toEqual([0, 0, 6, 0, 12, 0, 6, 10, 0, 0])
    const dis = found.list('dis')
    expect(dis[2]).toBeCloseTo(0.0049868, 7)
    expect(dis[6]).toBeCloseTo(0.0049868, 7)
    expect(dis[4]).toBeCloseTo(0.011383, 7)
    expect(dis[7]).toBeCloseTo(0.0091667, 7)
  })

  it('one record: every key alone', async () => {
    const found = await assess(tableOf('one', { a: ['x'], b: ['y'], c: [1] }))
    expect(found.details.msusBySize.map(({ msus }) => msus)).toEqual([3, 0, 0])
  })

  it('nothing unique: no score, DIS 0', async () => {
    const found = await assess(tableOf('twins', { a: ['x', 'x', 'y', 'y'], b: [1, 1, 2, 2] }))
    expect(found.value).toBe(0)
    expect(found.details).toMatchObject({
      msus: 0,
      smallestMsu: null,
      meanPositiveScore: null,
      scoreHistogram: [],
      fileDis: 0,
    })
    expect(found.details).toMatchObject({ withMsu: 0, maxDis: 0, highRisk: 0 })
    expect(found.sentence).toBe('no record is unique on the keys')
  })

  it('maxMsu 1 with nothing unique still prints and draws', async () => {
    const subject = release({ original: book, released: book, keys: ['gender', 'income'] })
    const found = (await suda(subject, { maxMsu: 1 })).releases[0]
    expect(found.details).toMatchObject({ msus: 0, msusBySize: [{ size: 1, msus: 0, records: 0 }] })
    if (found.details === null) throw new Error(found.reason?.text)
    const finding = { value: found.value, interval: null, details: found.details }
    expect(suda.charts(finding, { name: 'r', original: null, targets: [] })).toHaveLength(3)
  })
})

describe('sdcMicro', () => {
  it('gives the same scores, DIS and contributions', async () => {
    const found = await assess(fourteen, {})
    expect(found.list('score')).toEqual([2, 1, 4, 4, 3, 2, 0, 6, 2, 3, 2, 8, 0, 2])
    const dis = [
      0.0474104290223, 0.0212043079515, 0.1026090692234, 0.1026090692234, 0.0748975183499, 0.0474104290223, 0,
      0.1568298765942, 0.0474104290223, 0.0748975183499, 0.0474104290223, 0.2080386657403, 0, 0.0474104290223,
    ]
    for (const [row, value] of found.list('dis').entries()) expect(value).toBeCloseTo(dis[row], 7)
    expect(found.details.contributions.map(({ share }) => share)).toEqual([21 / 39, 28 / 39, 13 / 39, 17 / 39])
    expect(found.list('contribution a')[4]).toBe(1)
    expect(found.list('contribution b')[4]).toBeCloseTo(2 / 3, 15)
    expect(found.list('contribution c')[11]).toBe(0.5)
  })

  it('gives the same scores with original_scores = FALSE (ihsn)', async () => {
    const found = await assess(fourteen, { score: 'ihsn' })
    expect(found.list('score')).toEqual([0.5, 0.25, 1, 1, 0.75, 0.5, 0, 1.75, 0.5, 0.75, 0.5, 2, 0, 0.5])
    expect(found.list('dis')[7]).toBeCloseTo(0.1821836632673, 7)
    expect(found.details.contributions.map(({ share }) => share)).toEqual([0.525, 0.725, 0.325, 0.425])
  })

  it('gives the same with three keys', async () => {
    const found = await assess(fourteen, {}, { keys: ['a', 'b', 'c'] })
    expect(found.list('score')).toEqual([0, 0, 0, 2, 1, 0, 0, 2, 0, 1, 1, 2, 0, 1])
    expect(found.list('dis')[3]).toBeCloseTo(0.03063215841, 7)
    expect(found.list('dis')[4]).toBeCloseTo(0.01311201264, 7)
  })

  it('gives the same with missing values read as noMatch', async () => {
    const found = await assess(fourteenWithGaps, { missing: 'noMatch' })
    expect(found.list('score')).toEqual([2, 0, 4, 6, 0, 2, 0, 8, 1, 3, 2, 2, 0, 2])
    expect(found.list('dis')[0]).toBeCloseTo(0.0425738170573, 7)
    expect(found.list('dis')[7]).toBeCloseTo(0.1900853201436, 7)
    expect(found.list('contribution b')[7]).toBe(0.75)
    expect(found.details.contributions.map(({ share }) => share)).toEqual([0.5625, 0.59375, 0.34375, 0.4375])
  })

  it('counts pairs of incomplete keys, as it does', async () => {
    const names = ['a', 'b', 'c', 'd']
    const rows = [
      [1, 1, 1, 2],
      [1, 1, 1, 2],
      [1, 2, 2, 1],
      [2, 2, 1, 1],
      [2, 3, 2, 2],
      [3, 3, null, 1],
      [3, 4, 1, 1],
      [1, null, 2, 2],
    ]
    const found = await assess(tableOfRows('eight', names, rows), { missing: 'noMatch' })
    expect(found.list('score')).toEqual([0, 0, 8, 8, 10, 4, 8, 1])
    expect(found.list('dis')[4]).toBeCloseTo(0.10719476531608, 7)
    const more = await assess(tableOfRows('nine', names, [...rows, rows[7]]), { missing: 'noMatch' })
    expect(more.details.pairs).toBe(4)
    expect(more.list('dis')[4]).toBeCloseTo(0.01961745074735, 7)
  })

  it('attributes to perfectly correlated keys alike, where sdcMicro credits only the first', async () => {
    const twin = [2, 3, 1, 3, 3, 1, 1, 1, 2, 3, 3, 3, 3, 2, 2, 3, 1, 4, 4, 2]
    const c = [1, 3, 1, 2, 3, 2, 1, 2, 2, 3, 1, 2, 2, 1, 3, 3, 3, 2, 2, 2]
    const d = [1, 2, 2, 1, 3, 1, 3, 3, 2, 1, 3, 3, 3, 2, 1, 2, 2, 1, 2, 3]
    const found = await assess(tableOf('correlated', { a: twin, b: twin, c, d }), {})
    expect(found.list('score')).toEqual([2, 0, 2, 2, 2, 4, 2, 2, 2, 2, 4, 0, 0, 2, 4, 0, 4, 4, 4, 4])
    expect(found.list('contribution a')).toEqual(found.list('contribution b'))
    expect([found.list('contribution a')[2], found.list('contribution c')[2]]).toEqual([0.5, 1])
  })

  it('puts a DIS on the edge of a band into the lower one, and every record into one (sdcMicro#74)', async () => {
    const bands = disBands(Float64Array.of(0, 0, 0.05, 0.1, 0.100001, 0.7, 0.71, 1))
    expect(bands).toEqual([
      { band: '0', records: 2 },
      { band: '(0, 0.1]', records: 2 },
      { band: '(0.1, 0.2]', records: 1 },
      { band: '(0.2, 0.3]', records: 0 },
      { band: '(0.3, 0.4]', records: 0 },
      { band: '(0.4, 0.5]', records: 0 },
      { band: '(0.5, 0.6]', records: 0 },
      { band: '(0.6, 0.7]', records: 1 },
      { band: '> 0.7', records: 2 },
    ])
    const { details } = await assess(fourteen)
    expect(details.disBands.map(({ records }) => records)).toEqual([2, 8, 3, 1, 0, 0, 0, 0, 0])
    expect(details.highRisk).toBe(4)
  })
})

describe('missing values', () => {
  const rows = [
    [1, 1, 1],
    [1, 1, null],
    [2, 2, 1],
    [2, 2, 2],
    [2, 2, 2],
  ]
  const gaps = tableOfRows('gaps', ['x', 'y', 'z'], rows)

  it('noMatch, wildcard, category and drop', async () => {
    expect((await assess(gaps, { missing: 'noMatch' })).list('score')).toEqual([2, 0, 2, 0, 0])
    expect((await assess(gaps, { missing: 'wildcard' })).list('score')).toEqual([0, 0, 2, 0, 0])
    expect(sets(gaps, { missing: 'category' })).toEqual(['1 x+z', '1 y+z', '2 z', '3 x+z', '3 y+z'])
    const dropped = await assess(gaps, { missing: 'drop' })
    expect(sets(gaps, { missing: 'drop' })).toEqual(['1 x', '1 y', '3 x+z', '3 y+z'])
    expect(dropped.list('score')).toEqual([4, Number.NaN, 2, 0, 0])
    expect(dropped.details).toMatchObject({ dropped: 1, records: 4, missingPolicy: 'drop' })
  })

  it('auto is wildcard for a perturbed release and category otherwise', async () => {
    expect((await assess(gaps, {}, { type: 'perturbed' })).details.missingPolicy).toBe('wildcard')
    expect((await assess(gaps)).details.missingPolicy).toBe('category')
  })
})

describe('bounds and budgets', () => {
  const wide = (p: number) =>
    tableOf(
      'wide',
      Object.fromEntries(Array.from({ length: p }, (_, c) => [`v${c}`, [0, 1, 2, 3].map((row) => (row + c) % 3)])),
    )

  it('with sets up to 2 keys the elliot weights change and larger sets are not looked for', async () => {
    const found = await assess(book, { maxMsu: 2 })
    expect(found.list('score')).toEqual([0, 0, 0, 0, 2, 1, 3, 4])
    expect(found.details).toMatchObject({ maxMsu: 2, searchedSize: 2, partial: false, scoreBound: 12 })
  })

  it('asks for maxMsu with more than 20 keys, and takes no more than 31', async () => {
    const many = (p: number, options: Given = {}) =>
      suda(release({ original: wide(p), released: wide(p), keys: keysOf(wide(p)) }), options)
    expect((await many(21)).reason?.text).toContain('maxMsu')
    expect((await many(21, { maxMsu: 2 })).status).toBe('ok')
    expect((await many(32, { maxMsu: 2 })).reason?.text).toContain('31 keys')
  })

  it('lowers the size when there are too many key sets, and says so', async () => {
    const columns = Array.from(
      { length: 8 },
      (_, c) => [`v${c}`, Array.from({ length: 300 }, (_, row) => (row >> c) & 1)] as const,
    )
    const table = tableOf(
      'bits',
      Object.fromEntries([...columns, ['v8', Array.from({ length: 300 }, (_, row) => (row < 256 ? 0 : 1))]]),
    )
    const found = await assess(table, { maxNodes: 50 })
    expect(found.details).toMatchObject({ partial: true, searchedSize: 2, maxMsu: 9 })
    expect(found.details.partialBecause).toContain('only sets of up to 2 keys')
    expect(found.warnings.join()).toContain('maxNodes')
    const whole = await assess(table)
    expect(whole.details).toMatchObject({ partial: false, searchedSize: 9 })
    expect(whole.details.msus).toBeGreaterThan(0)
  })

  it('the largest possible score', async () => {
    const bound = async (score: 'elliot' | 'halving', p: number) =>
      (await assess(wide(p), { score })).details.scoreBound
    expect(await bound('elliot', 4)).toBe(24)
    expect(await bound('halving', 4)).toBe(4)
    expect(await bound('halving', 8)).toBe(14)
  })

  it('takes the sampling fraction from the option, the weights or a population', async () => {
    const weighted = tableOf('w', { a: ['x', 'x', 'y', 'z'], b: [1, 1, 2, 2], w: [10, 20, 30, 40] })
    const more = { keys: ['a', 'b'] }
    expect((await assess(weighted, {}, more)).details).toMatchObject({ disFraction: 0.01, disFractionFrom: 'assumed' })
    expect((await assess(weighted, {}, { ...more, weight: 'w' })).details).toMatchObject({
      disFraction: 0.04,
      disFractionFrom: 'weights',
    })
    expect((await assess(weighted, { disFraction: 0.2 }, { ...more, weight: 'w' })).details.disFraction).toBe(0.2)
    const population = selectRows(weighted, [0, 0, 1, 1, 2, 2, 3, 3])
    expect((await assess(weighted, {}, { ...more, population })).details).toMatchObject({
      disFraction: 0.5,
      disFractionFrom: 'population',
    })
  })

  it('names a level only when ten records have it', async () => {
    const sex = [...'f'.repeat(12), ...'m'.repeat(3)]
    const table = tableOf('t', { sex, age: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 1, 2] })
    const { contributions } = (await assess(table)).details
    expect(contributions[0].levels.map(({ level }) => level)).toEqual(['f'])
    expect(contributions[0].otherLevels).toBeGreaterThan(0)
    expect(contributions[1]).toMatchObject({ levels: [], otherLevels: 1 })
  })
})

describe('properties', () => {
  const cell = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 6 })
  const table = fc
    .array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 30 })
    .map((rows) => tableOfRows('t', ['a', 'b', 'c', 'd'], rows))

  it('a record has a minimal unique exactly when its key is unique', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (one) => {
        const { details } = await assess(one, { missing: 'category' })
        expect(details.withMsu).toBe(details.uniques)
      }),
    )
  })

  it('the minimal uniques of a record never contain each other', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('noMatch' as const, 'wildcard' as const, 'category' as const),
        (one, missing) => {
          const subject = release({ original: one, released: one, keys: keysOf(one) })
          const found = minimalUniques(subject, 0, { missing })
          for (const { row, keys } of found) {
            const within = found.filter((other) => other.row === row && other.keys.every((key) => keys.includes(key)))
            expect(within).toHaveLength(1)
          }
        },
      ),
    )
  })

  it('does not depend on the order of rows or keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('noMatch' as const, 'wildcard' as const, 'category' as const),
        async (one, missing) => {
          const rows = Array.from({ length: one.rows }, (_, row) => one.rows - 1 - row)
          const forward = await assess(one, { missing })
          const backward = await assess(selectRows(one, rows), { missing }, { keys: ['d', 'b', 'a', 'c'] })
          expect(backward.list('score').reverse()).toEqual(forward.list('score'))
          expect(backward.details.msusBySize).toEqual(forward.details.msusBySize)
        },
      ),
    )
  })

  it('a constant key changes no minimal unique', () => {
    fc.assert(
      fc.property(table, (one) => {
        fc.pre(one.rows > 1)
        const widened = { ...one, columns: [...one.columns, ...tableOf('c', { e: Array(one.rows).fill('x') }).columns] }
        expect(sets(widened)).toEqual(sets(one))
      }),
    )
  })
})

describe.skipIf(reference() === undefined)('reference data', () => {
  it('SD2011', async () => {
    const original = await referenceTable('golden', 'sd2011', 'original.csv')
    const { details } = await assess(original, {}, { keys: ['sex', 'age', 'region', 'placesize'] })
    expect(details.msusBySize.map(({ msus }) => msus)).toEqual([1, 185, 1787, 732])
    expect(details).toMatchObject({ msus: 2705, withMsu: 2419, uniques: 2419, records: 5000 })
  })

  it('the vignette', async () => {
    const synthetic = await referenceTable('golden', 'vignette', 'synthetic.csv')
    const keys = ['age', 'sex', 'education', 'region']
    const halving = await assess(synthetic, { score: 'halving' }, { keys })
    expect(halving.details.msusBySize.map(({ msus }) => msus)).toEqual([0, 176, 330, 17])
    expect(halving.details.meanScore).toBeCloseTo(0.34525, 12)
    expect(halving.details.maxScore).toBe(1.5)
    const elliot = await assess(synthetic, {}, { keys })
    expect(elliot.details.meanScore * 500).toBeCloseTo(699, 9)
    expect(elliot.details.fileDis).toBeCloseTo(0.0303785, 7)
  })
})
