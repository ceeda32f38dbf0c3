import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { linkability } from '../../peers/risk/article29/linkability.js'
import { permutation } from '../../random/sampling.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { numeric, stackColumns, takeRows } from '../../table/column.js'
import { release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf, tableOfRows } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'

const NAMES = ['col0', 'col1']
const four = {
  original: tableOfRows('original', NAMES, [
    [0, 0],
    [0, 1],
    [4, 9],
    [0, 4],
  ]),
  released: tableOfRows('released', NAMES, [
    [0, 0],
    [1, 1],
    [4, 4],
    [9, 9],
  ]),
}
const halves = { columnsA: ['col0'], columnsB: ['col1'] }

describe("anonymeter's example of four people", () => {
  it('links one at k = 1 and all from k = 2 on', async () => {
    const { value, releases } = await linkability(release(four), halves)
    expect(value).toBe(0.25)
    const [{ interval, details, controls, leakage, notAssessed, exposure }] = releases
    expect(interval?.lower).toBeCloseTo(0.0456, 4)
    expect(interval?.upper).toBeCloseTo(0.6994, 4)
    expect(controls?.nothing).toEqual({ value: 0.25, se: null, what: 'released records at random' })
    // The original itself: 0 is shared by three on col0, and each value of col1 is one's own: (1/3 + 1/3 + 1 + 1/3) / 4.
    expect(controls?.everything).toMatchObject({ value: expect.closeTo(0.5, 12), se: null })
    expect(exposure).toBeCloseTo(0, 12)
    expect(details?.curve.map(({ main }) => main)).toEqual([0.25, 1, 1, 1])
    expect(details?.curve.map(({ naive }) => naive)).toEqual([0.25, expect.closeTo(5 / 6, 12), 1, 1])
    expect(leakage).toBeNull()
    expect(notAssessed).toEqual({ code: 'no-outsiders' })
    expect(details).toMatchObject({ control: null, residual: null, published: null })
  })

  it('has an interval from .5101 at k = 2', async () => {
    const { interval } = await linkability(release(four), { ...halves, k: 2 })
    expect(interval?.lower).toBeCloseTo(0.5101, 4)
    expect(interval?.upper).toBe(1)
  })

  it('gives every person a score when asked', async () => {
    const { releases } = await linkability(release(four), halves, { records: true })
    expect(releases[0].records?.linked).toEqual(Float64Array.of(1, 0, 0, 0))
    const some = await linkability(release(four), { ...halves, attacks: 3 }, { records: true })
    expect(some.releases[0].details?.main.attacks).toBe(3)
    expect(Array.from(some.releases[0].records?.linked ?? []).filter(Number.isNaN)).toHaveLength(1)
  })

  it('takes no more neighbours than there are', async () => {
    const { releases } = await linkability(release(four), { ...halves, k: 9 })
    expect(releases[0].details?.k).toBe(4)
    expect(releases[0].warnings).toContain('k is 4: the release has no more records')
  })
})

it('counts tied records by chance', async () => {
  // Two released records are nearest on a, two on b, and one is both: 1/2 * 1/2.
  const of = release({
    original: tableOf('original', { a: ['x'], b: ['p'] }),
    released: tableOf('released', { a: ['x', 'x', 'y'], b: ['q', 'p', 'p'] }),
  })
  const split = { columnsA: ['a'], columnsB: ['b'] }
  expect((await linkability(of, split)).value).toBe(0.25)
  expect((await linkability(of, { ...split, ties: 'index' })).value).toBe(0)
})

it('counts a released record once, however often it is written', async () => {
  const rows = [
    [0, 0],
    [1, 1],
    [4, 4],
    [4, 4],
    [9, 9],
    [0, 0],
  ]
  const repeated = release({ ...four, released: tableOfRows('released', NAMES, rows) })
  const { value, releases } = await linkability(repeated, halves)
  expect(value).toBe(0.25)
  expect(releases[0].details?.curve).toEqual((await linkability(release(four), halves)).releases[0].details?.curve)
  // As anonymeter does, with ties in the order of the file, a record is as many as there are.
  expect((await linkability(repeated, { ...halves, ties: 'index' })).releases[0].details?.curve).toHaveLength(6)
})

describe('the two sets of columns', () => {
  const wide = (name: string) => tableOf(name, { d: [1, 2], b: ['x', 'y'], a: [3, 4], c: ['u', 'v'] })
  const of = release({ original: wide('original'), released: wide('released') })
  const sets = async (given: object) => {
    const { columnsA, columnsB } = (await linkability(of, given)).releases[0].details ?? {}
    return [columnsA, columnsB]
  }

  it('alternate by name, or are all that is left', async () => {
    expect(await sets({})).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ])
    expect(await sets({ columnsA: ['d'] })).toEqual([['d'], ['a', 'b', 'c']])
    expect(await sets({ columnsB: ['d', 'a'] })).toEqual([
      ['b', 'c'],
      ['d', 'a'],
    ])
    expect(await sets({ distance: 'euclidean' })).toEqual([['a'], ['d']])
  })

  it('do not change for a column in which all people are alike', async () => {
    const more = (name: string) => table(name, [...wide(name).columns, numeric('aa', [7, 7])])
    const { releases } = await linkability(release({ original: more('original'), released: more('released') }))
    expect(releases[0].details).toMatchObject({ columnsA: ['a', 'c'], columnsB: ['b', 'd'] })
  })

  it('exist and do not overlap', async () => {
    await expect(linkability(of, { columnsA: ['e'] })).rejects.toThrow('unknown column "e"')
    await expect(linkability(of, { columnsA: ['a'], columnsB: ['a'] })).rejects.toThrow(UserError)
    await expect(linkability(of, { weights: { e: 1 } })).rejects.toThrow('linkability: unknown column "e"')
    await expect(linkability(of, { columnsA: ['b'], distance: 'euclidean' })).rejects.toThrow('compares numbers only')
    const single = release({ original: tableOf('o', { a: [1] }), released: tableOf('r', { a: [1] }) })
    expect(await linkability(single)).toMatchObject({ status: 'not applicable', value: null })
    expect(await linkability(of, { columnsA: ['a', 'b', 'c', 'd'] })).toMatchObject({ status: 'not applicable' })
  })
})

const COLUMNS = ['a', 'b', 'c', 'd']

function people(name: string, rows: number, random: Stream): Table {
  const common = Array.from({ length: rows }, () => drawNormal(random))
  return table(
    name,
    COLUMNS.map((column) =>
      numeric(
        column,
        common.map((shared) => shared + drawNormal(random)),
      ),
    ),
  )
}

/** Every value moved a little. */
const nearCopy = (of: Table, random: Stream) =>
  table(
    'near copy',
    of.columns.map(({ name, ...column }) =>
      numeric(name, 'values' in column ? column.values.map((value) => value + drawNormal(random, 0, 0.01)) : []),
    ),
  )

const drawn = (replicate: number, n: number) => {
  const random = stream(5, 'population', replicate)
  const [original, holdout, released] = ['original', 'holdout', 'released'].map((name) => people(name, n, random))
  return { original, holdout, released, random }
}

describe('with a holdout', () => {
  it('does not accuse releases drawn from the same population', async () => {
    const runs = repeats(60, 150)
    let rejected = 0
    let below = 0
    let beyond = 0
    for (let replicate = 0; replicate < runs; replicate++) {
      const { original, holdout, released } = drawn(replicate, 200)
      const { releases } = await linkability(release({ original, holdout, released }), { k: 1 + (replicate % 10) })
      const { effect } = releases[0]
      if (effect === undefined) throw new Error('no effect')
      if (effect.p < 0.05) rejected++
      if (effect.lower > 0) below++
      if (effect.upper < 0) beyond++
    }
    // 5 % of 60 are 3, with a standard deviation of 1.7; of 150 they are 7.5, with 2.7.
    for (const times of [rejected, below, beyond]) expect(times / runs).toBeLessThanOrEqual(0.1)
  })

  it('finds near copies', async () => {
    const { original, holdout, random } = drawn(0, 200)
    const { releases } = await linkability(release({ original, holdout, released: nearCopy(original, random) }))
    const [{ leakage, effect, people: concerned, details }] = releases
    expect(details?.residual?.value).toBeGreaterThan(0.5)
    expect(leakage?.lower).toBeGreaterThan(0.5)
    expect(effect?.p).toBeLessThan(1e-20)
    expect(concerned).toBe(Math.round(200 * (effect?.value ?? 0)))
  })

  it.each([200, 10])('finds that the original itself leaks all there is, with %i people outside', async (outside) => {
    const { original } = drawn(0, 200)
    const of = release({ original, holdout: people('holdout', outside, stream(9, 'holdout')), released: original })
    const [{ leakage, exposure, effect, value }] = (await linkability(of)).releases
    expect(value).toBe(1)
    expect(exposure).toBeCloseTo(1, 12)
    expect(leakage?.value).toBeCloseTo(1, 12)
    expect(leakage?.lower).toBeGreaterThan(0.6)
    expect(effect?.p).toBeLessThan(1e-6)
  })

  it('knows that a copy of coarse columns links few, and finds it all the same', async () => {
    const coarse = (name: string, seed: number) => {
      const random = stream(seed, 'coarse')
      const draw = () => Array.from({ length: 400 }, () => random.below(16))
      return tableOf(name, { a: draw(), b: draw(), c: draw(), d: draw() })
    }
    const [original, holdout] = [coarse('original', 1), coarse('holdout', 2)]
    const [{ value, controls, leakage }] = (await linkability(release({ original, holdout, released: original })))
      .releases
    expect(value).toBeLessThan(0.4)
    expect(controls?.everything?.value).toBe(value)
    expect(leakage?.value).toBeCloseTo(1, 12)
  })

  it('shows copies of one person in ten among independent records', async () => {
    const { original, holdout, released } = drawn(2, 300)
    const rows = Array.from({ length: 300 }, (_, row) => row)
    const mixed = table(
      'mixed',
      original.columns.map((column, j) =>
        stackColumns([takeRows(column, rows.slice(0, 30)), takeRows(released.columns[j], rows.slice(30))]),
      ),
    )
    const [{ details, effect, leakage }] = (await linkability(release({ original, holdout, released: mixed }))).releases
    expect(details?.residual?.p).toBeLessThan(0.01)
    expect(effect?.p).toBeLessThan(0.01)
    expect(leakage?.lower).toBeGreaterThan(0)
    expect(leakage?.upper).toBeLessThan(0.25)
  })

  it('attacks 5,000 of more people, the same ones in any order, and says so', async () => {
    const many = (name: string, rows: number, index: number) => {
      const random = stream(3, 'many', index)
      const draw = (most: number) => Array.from({ length: rows }, () => random.below(most))
      return tableOf(name, { a: draw(40), b: draw(40), c: draw(30), d: draw(30) })
    }
    const [original, holdout] = [many('original', 6000, 1), many('holdout', 5100, 2)]
    const found = async (released: Table, shuffled = false) => {
      const order = (of: Table) => (shuffled ? selectRows(of, permutation(stream(1, 'order', of.rows), of.rows)) : of)
      const of = release({ original: order(original), holdout: order(holdout), released })
      return (await linkability(of, {}, { records: true })).releases[0]
    }
    const one = await found(many('released', 6000, 3))
    expect(one.details?.main.attacks).toBe(5000)
    expect(one.details?.control?.attacks).toBe(5000)
    expect(Array.from(one.records?.linked ?? []).filter(Number.isNaN)).toHaveLength(1000)
    expect(one.warnings).toContain(
      'attacked are 5,000 of 6,000 people in the release and 5,000 of 5,100 people outside it, drawn at random',
    )
    const another = await found(many('released', 6000, 3), true)
    expect(another.value).toBeCloseTo(one.value ?? Number.NaN, 12)
    expect(another.controls?.fair?.value).toBeCloseTo(one.controls?.fair?.value ?? Number.NaN, 12)
    expect(one.controls?.everything?.se).toBeGreaterThan(0)
    // Whoever is drawn, the original itself leaks all there is to leak.
    const copy = await found(original)
    expect(copy.value).toBeLessThan(0.5)
    expect(copy.leakage?.value).toBeCloseTo(1, 12)
    expect(copy.people).toBe(6000)
  })

  it('draws people by their numbers where there are more than 20,000 in and outside the release', async () => {
    const attacked = async (rows: number, index: number) => {
      const numbers = (name: string, count: number) =>
        table(
          name,
          ['a', 'b'].map((column, k) =>
            numeric(
              column,
              Float64Array.from({ length: count }, (_, row) => (row * (7 + k + index)) % 211),
            ),
          ),
        )
      const of = release({
        original: numbers('original', rows),
        holdout: numbers('holdout', 9000),
        released: numbers('released', 50),
      })
      const [{ records }] = (await linkability(of, { attacks: 10 }, { records: true })).releases
      return Array.from(records?.linked ?? []).flatMap((score, row) => (Number.isNaN(score) ? [] : [row]))
    }
    expect(await attacked(11_001, 1)).toEqual(await attacked(11_001, 2))
    expect(await attacked(11_000, 1)).not.toEqual(await attacked(11_000, 2))
  })

  it('gives the same bits on several threads', async () => {
    const { original, holdout, released } = drawn(1, 3000)
    const of = release({ original, holdout, released })
    expect(await linkability(of, {}, { tasks: shuffledRunner(3), records: true })).toEqual(
      await linkability(of, {}, { records: true }),
    )
  })
})

describe('as riskutility', () => {
  it('takes the first of the nearest originals, and looks for it among the k nearest on the other columns', async () => {
    // From (1, 1): nearest on a are the first two, the first counts; on b it is second.
    const of = release({
      original: tableOfRows(
        'original',
        ['a', 'b'],
        [
          [0, 3],
          [2, 9],
          [9, 1],
        ],
      ),
      released: tableOfRows('released', ['a', 'b'], [[1, 1]]),
    })
    const { releases } = await linkability(of, { definition: 'riskutility', columnsA: ['a'] })
    const [{ details, notAssessed, effect, leakage }] = releases
    expect(details?.curve.map(({ main }) => main).slice(0, 4)).toEqual([0, 1, 1, 1])
    expect(details).toMatchObject({ control: null, naive: [] })
    expect(notAssessed?.text).toMatch(/depend on how many records there are/)
    expect([effect, leakage]).toEqual([undefined, null])
  })

  it('leaves incomplete records out', async () => {
    const rows = [
      [1, 1],
      [5, null],
    ]
    const of = release({
      original: tableOfRows('original', ['a', 'b'], [...rows, [7, 7]]),
      released: tableOfRows('released', ['a', 'b'], rows),
    })
    const { releases } = await linkability(of, { definition: 'riskutility', columnsA: ['a'] })
    expect(releases[0].details?.main).toMatchObject({ successes: 1, attacks: 1 })
    const none = release({
      original: tableOfRows('original', ['a', 'b'], rows.slice(0, 1)),
      released: tableOfRows('released', ['a', 'b'], rows.slice(1)),
    })
    expect(await linkability(none, { definition: 'riskutility' })).toMatchObject({ status: 'not applicable' })
  })

  describe.skipIf(reference() === undefined)('on the vignette', async () => {
    if (reference() === undefined) return
    const file = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
    const [original, holdout, synthetic, nearCopy] = await Promise.all(
      ['train', 'holdout', 'synthetic', 'near-copy'].map(file),
    )
    // riskutility 0.2.0 with all 500 released records: columns, k, successes, control successes, risk, end of its interval.
    it.each([
      ['synthetic', 'age,income', 1, 3, 3, 0.0, 0.015479],
      ['synthetic', 'age,income', 5, 6, 23, 0.0, -0.005071],
      ['synthetic', 'age,income', 10, 15, 41, 0.0, -0.012903],
      ['synthetic', 'age,sex', 1, 1, 5, 0.0, 0.006992],
      ['synthetic', 'age,sex', 5, 7, 25, 0.0, -0.005674],
      ['synthetic', 'age,sex', 10, 11, 47, 0.0, -0.034963],
      ['synthetic', 'income,region,sex', 1, 0, 3, 0.0, 0.005593],
      ['synthetic', 'income,region,sex', 5, 5, 20, 0.0, -0.002924],
      ['synthetic', 'income,region,sex', 10, 12, 32, 0.0, -0.004421],
      ['synthetic', 'education', 1, 2, 4, 0.0, 0.011386],
      ['synthetic', 'education', 5, 12, 20, 0.0, 0.015849],
      ['synthetic', 'education', 10, 22, 38, 0.0, 0.010433],
      ['near copy', 'age,income', 1, 25, 27, 0.0, 0.036768],
      ['near copy', 'age,income', 5, 109, 107, 0.005089, 0.092673],
      ['near copy', 'age,income', 10, 189, 145, 0.123944, 0.226364],
      ['near copy', 'age,sex', 1, 42, 44, 0.0, 0.048612],
      ['near copy', 'age,sex', 5, 56, 63, 0.0, 0.047673],
      ['near copy', 'age,sex', 10, 59, 75, 0.0, 0.031704],
      ['near copy', 'income,region,sex', 1, 46, 54, 0.0, 0.04018],
      ['near copy', 'income,region,sex', 5, 192, 134, 0.15847, 0.255294],
      ['near copy', 'income,region,sex', 10, 239, 157, 0.239067, 0.340513],
      ['near copy', 'education', 1, 4, 7, 0.0, 0.013682],
      ['near copy', 'education', 5, 14, 24, 0.0, 0.01445],
      ['near copy', 'education', 10, 20, 45, 0.0, -0.007477],
    ])('%s, %s, k = %i: %i and %i links', async (name, aux, k, links, controls, risk, upper) => {
      const of = release({ original, holdout, released: name === 'synthetic' ? synthetic : nearCopy })
      const { releases } = await linkability(of, { definition: 'riskutility', columnsA: aux.split(','), k })
      const { main, control, published: printed } = releases[0].details ?? {}
      expect([main?.successes, main?.attacks]).toEqual([links, 500])
      expect([control?.successes, control?.attacks]).toEqual([controls, 500])
      expect(printed?.riskutility.risk).toBeCloseTo(risk, 6)
      expect(printed?.riskutility.pass).toBe(risk <= 0.1)
      // riskutility lets the upper end fall below the lower one, which is 0.
      expect(printed?.riskutility.interval.upper).toBeCloseTo(Math.max(0, upper), 6)
    })
  })
})
