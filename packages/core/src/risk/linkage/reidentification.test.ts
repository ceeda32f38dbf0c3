import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { reidentification } from './reidentification.js'
import { chanceOfFinds } from './truth/finds-by-chance.js'

type Columns = Parameters<typeof tableOf>[1]
type Options = Parameters<typeof reidentification>[1]

async function look(original: Table, released: Table, given: Partial<ReleaseInput> = {}, options: Options = {}) {
  const subject = release({ original, released, type: 'perturbed', ...given })
  const [found] = (await reidentification(subject, options, { records: true })).releases
  if (found.details === null) throw new Error(found.reason?.text)
  const list = (name: string) => Array.from(found.records?.[name] ?? [])
  return { ...found, details: found.details, list }
}

const finds = async (x: Columns, y: Columns) => (await look(tableOf('x', x), tableOf('y', y))).list('found')

describe('by hand', () => {
  it('takes the nearest record', async () => {
    expect(await finds({ age: [20, 40, 60] }, { age: [41, 19, 61] })).toEqual([0, 0, 1])
    expect(await finds({ age: [20, 30], sex: ['m', 'f'] }, { age: [22, 28], sex: ['m', 'f'] })).toEqual([1, 1])
  })

  it('shares a find among records that are as near', async () => {
    expect(await finds({ age: [20, 40] }, { age: [30, 30] })).toEqual([0.5, 0.5])
    expect(await finds({ age: [1, 1, 1, 1, 1] }, { age: [1, 1, 1, 1, 1] })).toEqual([0.2, 0.2, 0.2, 0.2, 0.2])
    const [sex, job] = [
      ['m', 'f', 'm'],
      ['a', 'b', 'b'],
    ]
    expect(await finds({ sex, job }, { sex, job: ['a', 'a', 'b'] })).toEqual([1, 0.5, 1])
  })

  it('compares ordered categories by their ranks', async () => {
    const levels = ['low', 'mid', 'high']
    const of = (...values: string[]) => table('t', [categorical('g', values, { levels, ordered: true })])
    const { list } = await look(of('low', 'high'), of('low', 'mid'))
    expect(list('found')).toEqual([1, 1])
    expect(list('distanceToOwn')).toEqual([0, 0.5])
  })

  it('the original itself gives away one person per key', async () => {
    const file = tableOf('x', { k: [1, 1, 2, 2, 2, 3] })
    const { value, controls, leakage, exposure, list } = await look(file, file)
    expect(list('found')).toEqual([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1])
    expect(value).toBeCloseTo(0.5, 14)
    expect(controls).toMatchObject({
      nothing: { value: 1 / 6 },
      fair: { value: 1 / 6, basis: 'chance' },
      everything: { value: 0.5 },
    })
    expect(leakage?.value).toBeCloseTo(1, 14)
    expect(exposure).toBeCloseTo(1, 14)
  })

  it('everybody has a key of their own, unperturbed: everybody is found', async () => {
    const n = 200
    const file = tableOf('x', { id: Array.from({ length: n }, (_, row) => row) })
    const { value, effect, leakage, people, details } = await look(file, file)
    expect(value).toBe(1)
    expect(effect).toMatchObject({ value: 1 - 1 / n, se: 0, upper: 1 - 1 / n, p: 0 })
    expect(leakage).toMatchObject({ value: 1, upper: 1 })
    expect(leakage?.lower).toBeCloseTo((200 / (200 + 1.6448536 ** 2) - 1 / n) / (1 - 1 / n), 7)
    expect(people).toBe(200)
    expect(details).toMatchObject({ certain: n, oneNearest: n, precision: 1, distinct: n, found: n, foundByChance: 1 })
  })

  it('follows the own record through the nearest ones', async () => {
    // From 0 the released records lie at 3, 1, 2, 9: the own one is the third; from 10 at 13, 9, 8, 1.
    const { details, list } = await look(tableOf('x', { v: [0, 100, 101, 10] }), tableOf('y', { v: [3, 1, 2, 9] }))
    expect(list('nearerThanOwn')).toEqual([2, 3, 2, 0])
    expect(details.amongNearest.map(({ share }) => share)).toEqual([0.25, 0.25, 0.75, 1])
    expect(details.amongNearest.map(({ chance }) => chance)).toEqual([0.25, 0.5, 0.75, 1])
  })

  it('ten people of the literature: age, income, sex, education', async () => {
    const people = (name: string, age: number[], income: number[], sex: (string | null)[], education: number[]) =>
      table(name, [
        numeric('age', age),
        numeric('income', income),
        categorical('sex', sex),
        categorical('education', education.map(String), { levels: ['1', '2', '3'], ordered: true }),
      ])
    const original = people(
      'x',
      [23, 25, 31, 34, 38, 41, 47, 52, 58, 64],
      [18, 22, 30, 28, 45, 39, 52, 41, 75, 33],
      [...'fmfmfmfmfm'],
      [1, 2, 2, 3, 3, 1, 2, 2, 3, 1],
    )
    const released = people(
      'y',
      [24, 27, 30, 36, 36, 44, 47, 50, 60, 61],
      [17, 22, 33, 28, 44, 40, 47, 41, 71, 33],
      ['f', 'm', 'm', 'm', 'f', 'm', 'f', null, 'f', 'm'],
      [1, 2, 2, 2, 3, 1, 2, 2, 3, 2],
    )
    const { list, value, effect, notAssessed } = await look(original, released)
    expect(list('found')).toEqual([1, 1, 0, 1, 1, 1, 1, 0, 1, 1])
    expect(value).toBe(0.8)
    expect(effect?.p).toBeCloseTo(1 / 40320, 12)
    expect(notAssessed).toBeUndefined()
    expect((await look(original, original)).value).toBe(1)
  })
})

describe('what the intruder knows', () => {
  const original = tableOf('x', { a: [1, 2, 3, 4], b: ['p', 'p', 'q', 'q'], c: [9, 9, 9, 9] })

  it('keys and numeric keys; everything where there are none; or as told', async () => {
    const known = async (given: Partial<ReleaseInput>, options: Options = {}) =>
      (await look(original, original, given, options)).details.variables
    expect(await known({})).toEqual(['a', 'b', 'c'])
    expect(await known({ keys: ['b'], numericKeys: ['a'] })).toEqual(['b', 'a'])
    expect(await known({ numericKeys: ['a'] })).toEqual(['a'])
    expect(await known({ keys: ['b'] }, { variables: ['c', 'b', 'b'] })).toEqual(['c', 'b'])
    expect((await look(original, original, { keys: ['b'] })).value).toBe(0.5)
  })

  it('a column that there is not is the user’s mistake', async () => {
    await expect(look(original, original, {}, { variables: ['d'] })).rejects.toThrow(
      'reidentification: unknown column "d"',
    )
  })

  it('needs rows that correspond', async () => {
    const run = (given: Partial<ReleaseInput>) => reidentification(release({ original, released: original, ...given }))
    expect(await run({})).toMatchObject({ status: 'not applicable', reason: { code: 'needs', needs: ['paired rows'] } })
    const fewer = await run({ type: 'perturbed', released: selectRows(original, [0, 1]) })
    expect(fewer).toMatchObject({ status: 'not applicable' })
    expect(fewer.reason?.text).toContain('x has 2 records and x 4')
  })

  it('says nothing where rows were put into another order', async () => {
    const random = stream(2, 'order')
    const file = tableOf('x', {
      a: Array.from({ length: 300 }, () => random.below(50)),
      b: Array.from({ length: 300 }, () => random.below(50)),
    })
    const copy = await look(file, file)
    expect(copy).toMatchObject({ leakage: { value: expect.closeTo(1, 12) } })
    expect(copy.notAssessed).toBeUndefined()
    const shuffled = await look(file, selectRows(file, permutation(random, 300)))
    expect(shuffled.leakage).toBeNull()
    expect(shuffled.notAssessed?.text).toContain('another order')
    expect(shuffled.effect?.p).toBeGreaterThan(0.01)
  })

  it('a release in which all records are equal finds nobody, whatever their order', async () => {
    const file = tableOf('x', { a: Array.from({ length: 50 }, (_, row) => row) })
    const { value, leakage, effect } = await look(file, tableOf('y', { a: Array(50).fill(7) }))
    expect(value).toBeCloseTo(1 / 50, 14)
    expect(leakage?.value).toBeCloseTo(0, 14)
    expect(effect?.p).toBe(1)
    expect(effect?.upper).toBeLessThan(0.08)
  })

  it('one person, and constant keys, leave nothing to find', async () => {
    const one = await look(tableOf('x', { a: [1] }), tableOf('y', { a: [2] }))
    expect(one).toMatchObject({ value: 1, leakage: null, effect: { p: 1 } })
    const constant = tableOf('x', { a: [1, 1, 1], b: [1, 2, 3] })
    const same = await look(constant, constant, { keys: ['a'] })
    expect(same.value).toBeCloseTo(1 / 3, 14)
    expect(same.leakage).toBeNull()
    expect(same.notAssessed).toEqual({ code: 'no-scale' })
  })
})

describe('missing values', () => {
  it('a suppressed record is nearer than one that contradicts, and farther than one that agrees', async () => {
    const sex = ['m', 'm', 'f', 'f']
    const region = ['n', 's', 'n', 's']
    const { list } = await look(tableOf('x', { sex, region }), tableOf('y', { sex, region: [null, 's', 'n', 's'] }))
    expect(list('found')).toEqual([1, 1, 1, 1])
    // Of n, s, n, s one n is suppressed: (1 + 2) / (1 + 3), over two columns.
    expect(list('distanceToOwn')).toEqual([0.375, 0, 0, 0])
    const agreeing = await look(
      tableOf('x', { sex: ['m', 'm'], region: ['n', 'n'] }),
      tableOf('y', { sex: ['m', 'm'], region: [null, 'n'] }),
    )
    expect(agreeing.list('found')).toEqual([0, 1])
  })

  it('a record without a single value is nobody’s nearest', async () => {
    const file = { a: [1, 2, 3, 4, 5, 6], g: [...'uvuvuv'] }
    const { list } = await look(
      tableOf('x', file),
      tableOf('y', { a: [null, 2, 3, 4, 5, 6], g: [null, 'v', 'u', 'v', 'u', 'v'] }),
    )
    expect(list('found')).toEqual([0, 1, 1, 1, 1, 1])
  })

  it('missing in both agrees: the original itself is found as well as can be', async () => {
    const file = tableOf('x', { a: [1, null, 3, null, 5], g: ['u', null, null, 'u', 'u'] })
    const { list, leakage } = await look(file, file)
    expect(list('found')).toEqual([1, 1, 1, 1, 1])
    expect(leakage?.value).toBe(1)
  })

  it('weighs each of many patterns of missing values', async () => {
    const random = stream(3, 'patterns')
    const columns = Object.fromEntries(
      Array.from({ length: 8 }, (_, j) => [
        `v${j}`,
        Array.from({ length: 300 }, () => (random.below(2) === 0 ? null : random.below(9))),
      ]),
    )
    const file = tableOf('x', columns)
    const { leakage, list } = await look(file, file)
    expect(list('distanceToNearest')).toEqual(Array.from({ length: 300 }, () => 0))
    expect(leakage?.value).toBeCloseTo(1, 12)
  })
})

/** The definition, pair by pair. */
function pairByPair(x: readonly Row[], y: readonly Row[]) {
  const numbers = x.flatMap(([a]) => a ?? [])
  const range = Math.max(...numbers) - Math.min(...numbers)
  const isNumber = range > 0
  const known = [y.flatMap(([a]) => a ?? []), y.flatMap(([, g]) => g ?? [])] as const
  const terms = [
    (a: number, b: number) => (isNumber ? Math.abs(a - b) / range : Number(a !== b)),
    (a: number, b: number) => Number(a !== b),
  ]
  const expected = (j: 0 | 1, value: number) =>
    (1 + known[j].reduce((sum, other) => sum + terms[j](value, other), 0)) / (1 + known[j].length)
  const overall = (j: 0 | 1) => {
    const all = x.flatMap((row) => (row[j] === null ? [] : [expected(j, row[j])]))
    return all.length === 0 ? 1 : all.reduce((a, b) => a + b, 0) / all.length
  }
  const term = (j: 0 | 1, a: number | null, b: number | null) => {
    if (a === null) return b === null ? 0 : overall(j)
    return b === null ? expected(j, a) : terms[j](a, b)
  }
  return x.map((row, i) => {
    const sums = y.map((other) => term(0, row[0], other[0]) + term(1, row[1], other[1]))
    const least = Math.min(...sums)
    const tied = sums.filter((sum) => sum <= least + 1e-9).length
    return {
      found: sums[i] <= least + 1e-9 ? 1 / tied : 0,
      nearer: sums.filter((sum) => sum < sums[i] - 1e-9).length,
      distance: sums[i] / 2,
    }
  })
}

type Row = readonly [number | null, number | null]

it('equals the definition pair by pair, with ties and missing values', async () => {
  const value = (most: number) => fc.option(fc.integer({ min: 0, max: most }), { nil: null, freq: 4 })
  const rows = fc.array(fc.tuple(value(6), value(2), value(6), value(2)), { minLength: 1, maxLength: 18 })
  const toTable = (name: string, list: readonly Row[]) =>
    table(name, [
      numeric(
        'a',
        list.map(([a]) => a),
      ),
      categorical(
        'g',
        list.map(([, g]) => (g === null ? null : `g${g}`)),
      ),
    ])
  await fc.assert(
    fc.asyncProperty(rows, async (both) => {
      const x = both.map(([a, g]): Row => [a, g])
      const y = both.map(([, , a, g]): Row => [a, g])
      fc.pre(x.some(([a]) => a !== null) && [...x, ...y].some(([, g]) => g !== null))
      const { list } = await look(toTable('x', x), toTable('y', y))
      const expected = pairByPair(x, y)
      for (const [row, one] of expected.entries()) {
        expect(list('found')[row]).toBeCloseTo(one.found, 9)
        expect(list('nearerThanOwn')[row]).toBe(one.nearer)
        expect(list('distanceToOwn')[row]).toBeCloseTo(one.distance, 9)
      }
    }),
    { numRuns: 300 },
  )
})

describe('evidence', () => {
  it('bounds the chance of finds: five where one is expected are 1 in 120', () => {
    expect([0, 0.5, 1, 2, 3, 5].map((found) => chanceOfFinds(found, 100, 100))).toEqual([
      1,
      1,
      1,
      1 / 2,
      expect.closeTo(1 / 6, 14),
      expect.closeTo(1 / 120, 14),
    ])
    expect(chanceOfFinds(2.5, 100, 100)).toBeCloseTo(1 / (2.5 * 1.5), 14)
    expect(chanceOfFinds(1e-16 + 3 * (1 / 3), 3, 3)).toBe(1)
    expect(chanceOfFinds(2, 50, 100)).toBeCloseTo((50 / 100) * (49 / 99) * (1 / 2), 14)
    expect(chanceOfFinds(300, 400, 400)).toBe(0)
  })

  it('the bound holds for every way to deal out six records, exactly', () => {
    const orders = permutations([0, 1, 2, 3, 4, 5])
    const candidates = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }), {
      minLength: 6,
      maxLength: 6,
    })
    fc.assert(
      fc.property(candidates, (near) => {
        const finds = orders
          .map((order) => order.reduce((sum, own, i) => sum + (near[i].includes(own) ? 1 / near[i].length : 0), 0))
          .sort((a, b) => b - a)
        for (const [k, found] of finds.entries())
          if (k + 1 === finds.length || finds[k + 1] < found - 1e-9)
            expect((k + 1) / finds.length).toBeLessThanOrEqual(chanceOfFinds(found, 6, 6) + 1e-9)
      }),
    )
  })

  it('people with the same keys count once: repeating everybody does not make the bounds narrower', async () => {
    const random = stream(4, 'repeat')
    const x = Array.from({ length: 60 }, (_, row) => 10 * row)
    const y = x.map((value) => (random.below(3) === 0 ? value + 11 : value))
    const once = await look(tableOf('x', { x }), tableOf('y', { x: y }))
    const thrice = await look(tableOf('x', { x: [...x, ...x, ...x] }), tableOf('y', { x: [...y, ...y, ...y] }))
    expect(thrice.value).toBeCloseTo((once.value ?? 0) / 3, 12)
    expect(thrice.controls?.everything?.value).toBeCloseTo(1 / 3, 12)
    const width = ({ leakage }: typeof once) => (leakage?.upper ?? 0) - (leakage?.lower ?? 0)
    expect(width(thrice)).toBeCloseTo(width(once), 1)
    expect(width(thrice)).toBeGreaterThan(0.9 * width(once))
  })

  it('the bounds hold in simulation, also for rates near 0 and 1', async () => {
    const n = 40
    for (const rate of [0.02, 0.5, 0.98]) {
      const random = stream(6, `rate ${rate}`)
      let [below, above] = [0, 0]
      const runs = repeats(120, 300)
      for (let run = 0; run < runs; run++) {
        const x = Array.from({ length: n }, (_, row) => 10 * row)
        const y = x.map((value) => (random.uniform() < rate ? value : value - 1e4 - 100 * random.uniform()))
        const { effect } = await look(tableOf('x', { x }), tableOf('y', { x: y }))
        if ((effect?.upper ?? 0) < rate - 1 / n) below++
        if ((effect?.lower ?? 0) > rate - 1 / n) above++
      }
      expect(below / runs, `upper bound at ${rate}`).toBeLessThanOrEqual(0.09)
      expect(above / runs, `lower bound at ${rate}`).toBeLessThanOrEqual(0.09)
    }
  })

  it('who drives it: people of one group whose keys were left as they are', async () => {
    const random = stream(7, 'group')
    const n = 400
    const group = Array.from({ length: n }, (_, row) => (row % 4 === 0 ? 'rural' : 'urban'))
    const a = group.map(() => random.below(10_000))
    const masked = a.map((value, row) => (group[row] === 'rural' ? value : random.below(10_000)))
    const { drivers, people, leakage } = await look(tableOf('x', { group, a }), tableOf('y', { group, a: masked }))
    expect(drivers[0]).toMatchObject({ column: 'group', level: 'rural', people: 100 })
    expect(drivers[0].mean).toBeGreaterThan(0.9)
    expect(people).toBe(Math.round(n * (leakage?.value ?? 0)))
  })

  it('looks for a sample of many people among all released records', async () => {
    const random = stream(8, 'sample')
    const n = 20_100
    const x = Array.from({ length: n }, (_, row) => row)
    const y = x.map((value) => (random.below(4) === 0 ? value + 0.4 : value + 3 * random.below(2)))
    const [original, released] = [tableOf('x', { x }), tableOf('y', { x: y })]
    const sampled = await look(original, released, {}, { sample: 1000 })
    const everybody = await look(original, released, {}, { sample: n })
    expect(sampled.details).toMatchObject({ lookedFor: 1000, people: n })
    expect(sampled.warnings.join()).toContain('1,000 people were looked for')
    expect(everybody.details.lookedFor).toBe(n)
    expect(Math.abs((sampled.value ?? 0) - (everybody.value ?? 1))).toBeLessThan(4 * (sampled.effect?.se ?? 0))
    expect(sampled.list('found').filter((found) => !Number.isNaN(found)).length).toBe(1000)
  })
})

it('gives the same bits on any number of threads', async () => {
  const random = stream(9, 'threads')
  const n = 5000
  const x = {
    a: Array.from({ length: n }, () => random.below(900)),
    g: Array.from({ length: n }, () => `g${random.below(5)}`),
  }
  const y = { a: x.a.map((value) => (random.below(9) === 0 ? null : value + random.below(30))), g: x.g }
  const subject = () => release({ original: tableOf('x', x), released: tableOf('y', y), type: 'perturbed' })
  const run = (tasks?: Parameters<typeof reidentification>[2]) =>
    reidentification(subject(), {}, { records: true, ...tasks })
  expect(await run({ tasks: shuffledRunner(3) })).toEqual(await run())
})

function permutations(of: readonly number[]): number[][] {
  if (of.length <= 1) return [[...of]]
  return of.flatMap((first, at) => permutations(of.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}
