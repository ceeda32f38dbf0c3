import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { releaseSpace } from '../../neighbors/release-space.js'
import { sumBetween, TIE } from '../../neighbors/space.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf, tableOfRows } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { inference } from './inference.js'

const NAMES = ['c0', 'c1']
type Cells = readonly (readonly (string | number | null)[])[]

/** The secret is c1. */
const guess = async (original: Cells, released: Cells, options: object = {}) => {
  const of = release({
    original: tableOfRows('original', NAMES, original),
    released: tableOfRows('released', NAMES, released),
    target: 'c1',
  })
  return (await inference(of, options, { records: true })).releases[0]
}

describe('the nearest record', () => {
  it('gives away one of two', async () => {
    const { value, details, controls, leakage, notAssessed, records } = await guess(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      [
        ['a', 'b'],
        ['c', 'e'],
      ],
    )
    expect(value).toBe(0.5)
    expect(records?.inferred).toEqual(Float64Array.of(1, 0))
    expect(details?.naive.map(({ rate }) => rate)).toEqual([0.25, 0.25])
    expect(details).toMatchObject({ secret: 'c1', aux: ['c0'], tolerance: null, published: null })
    expect(controls).toEqual({
      nothing: { value: 0.25, se: null, what: 'a released record at random' },
      everything: { value: 1, se: null, what: 'the original itself' },
    })
    expect(leakage).toBeNull()
    expect(notAssessed).toEqual({ code: 'no-outsiders' })
  })

  it('counts in part when others are as near', async () => {
    const released = [
      ['a', 'x'],
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'z'],
    ]
    const { value, details } = await guess(
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
      released,
    )
    expect(value).toBeCloseTo(1 / 3, 12)
    expect(details?.tied).toEqual({ main: 1, control: null })
    expect(
      (
        await guess(
          [
            ['a', 'x'],
            ['b', 'y'],
          ],
          released,
          { guess: 'knn', k: 1 },
        )
      ).value,
    ).toBe(0.5)
  })

  it('knows a missing secret from others', async () => {
    const found = await guess(
      [
        ['a', null],
        ['b', null],
        ['c', 'x'],
      ],
      [
        ['a', null],
        ['b', 'x'],
        ['c', null],
      ],
    )
    expect(found.records?.inferred).toEqual(Float64Array.of(1, 0, 0))
  })

  it('does not profit from negative numbers', async () => {
    const negative = [-1, -2, -3, -4].map((value, row) => [`p${row}`, value])
    const { value } = await guess(
      [5, 6, 7, 8].map((secret, row) => [`p${row}`, secret]),
      negative,
    )
    expect(value).toBe(0)
    expect((await guess(negative, negative)).value).toBe(1)
  })

  it('asks for equality where regression is off, and for dates', async () => {
    const close: [Cells, Cells] = [
      [
        ['a', 100],
        ['b', 10],
      ],
      [
        ['a', 101],
        ['b', 90],
      ],
    ]
    expect((await guess(...close)).value).toBe(0.5)
    expect((await guess(...close)).details?.tolerance).toEqual({ value: 0.05, base: 'guess' })
    expect((await guess(...close, { regression: 'never' })).value).toBe(0)
    expect((await guess(...close, { tolerance: 0.95, toleranceBase: 'range' })).value).toBe(1)
    await expect(
      guess(
        [
          ['a', 'x'],
          ['b', 'y'],
        ],
        [['a', 'x']],
        { regression: 'always' },
      ),
    ).rejects.toThrow('holds categories')
    const days = (values: readonly number[]): Table => ({
      ...tableOf('days', { c0: ['a', 'b'] }),
      columns: [
        categorical('c0', ['a', 'b']),
        { kind: 'date', unit: 'day', name: 'c1', values: Float64Array.from(values) },
      ],
    })
    const of = release({ original: days([1000, 2000]), released: days([1001, 2000]), target: 'c1' })
    expect((await inference(of)).value).toBe(0.5)
    expect((await inference(of, { regression: 'always' })).value).toBe(1)
  })

  it('compares numbers only under the euclidean distance', async () => {
    const rows: Cells = [
      ['a', 1],
      ['b', 2],
    ]
    expect((await guess(rows, rows, { distance: 'euclidean' })).reason?.text).toBe(
      'there is no column to compare records by',
    )
    await expect(guess(rows, rows, { distance: 'euclidean', aux: ['c0'] })).rejects.toThrow('compares numbers only')
    await expect(guess(rows, rows, { aux: ['c7'] })).rejects.toThrow('unknown column "c7"')
  })

  it('cannot find a secret that is constant, and does not know it beforehand', async () => {
    const { status, reason } = await guess(
      [
        ['a', 'x'],
        ['b', 'x'],
      ],
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
    )
    expect({ status, reason }).toEqual({
      status: 'not applicable',
      reason: { code: 'data', text: 'the secret "c1" is constant in the original' },
    })
    await expect(
      guess(
        [
          ['a', 'x'],
          ['b', 'y'],
        ],
        [['a', 'x']],
        { aux: ['c1'] },
      ),
    ).rejects.toThrow('cannot know the secret')
  })
})

describe('the k nearest records', () => {
  const released: Cells = [1, 2, 3, 4, 5].map((near, row) => [near, ['x', 'y', 'y', 'x', 'x'][row]])

  it.each([
    [1, 1],
    [2, 0.5],
    [3, 0],
    [4, 0.5],
    [5, 1],
    [9, 1],
  ])('vote, %i of them', async (k, expected) => {
    const { records } = await guess(
      [
        [0, 'x'],
        [10, 'y'],
      ],
      released,
      { guess: 'knn', k },
    )
    expect(records?.inferred[0]).toBe(expected)
  })

  it.each([
    [1, 0],
    [2, 0.5],
    [3, 1],
    [4, 0.5],
  ])('have a median, %i of them', async (k, expected) => {
    const numbers: Cells = [1, 2, 3, 4].map((near, row) => [near, [10, 20, 90, 30][row]])
    const { records } = await guess(
      [
        [0, 20],
        [10, 1],
      ],
      numbers,
      { guess: 'knn', k },
    )
    expect(records?.inferred[0]).toBe(expected)
  })

  it('share what is left when too many are as near', async () => {
    // x is nearest; the other two places are shared by two y and a z: y has 4/3, x 1.
    const tied: Cells = [
      [1, 'x'],
      [2, 'y'],
      [2, 'y'],
      [2, 'z'],
    ]
    const { records } = await guess(
      [
        [0, 'y'],
        [9, 'q'],
      ],
      tied,
      { guess: 'knn', k: 3 },
    )
    expect(records?.inferred[0]).toBe(1)
  })
})

it('is what comparing with every record gives', async () => {
  const cells = fc.tuple(fc.constantFrom('p', 'q'), fc.nat(3), fc.nat(4))
  const some = fc.array(cells, { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(some, some, async (original, released) => {
      fc.pre(new Set(original.map(([, , secret]) => secret)).size > 1)
      const of = release({
        original: tableOfRows('original', ['a', 'b', 's'], original),
        released: tableOfRows('released', ['a', 'b', 's'], released),
        target: 's',
      })
      const how = { distance: 'gower', missing: 'match', scale: 'range', weights: {} } as const
      const space = releaseSpace({ release: of, part: 0, target: 's' }, { ...how, variables: ['a', 'b'] })
      const expected = original.map(([, , secret], person) => {
        const sums = Array.from(space.released.ids, (id) => sumBetween(space, space.training.ids[person], id))
        const nearest = released.filter((_, row) => sums[row] <= Math.min(...sums) + TIE)
        return nearest.filter(([, , said]) => Math.abs(said - secret) <= 0.05 * said).length / nearest.length
      })
      const { records } = (await inference(of, {}, { records: true })).releases[0]
      for (const [person, share] of expected.entries()) expect(records?.inferred[person]).toBeCloseTo(share, 12)
    }),
    { numRuns: 60 },
  )
})

/** A secret that goes with the known columns, and noise. */
function people(name: string, rows: number, random: Stream): Table {
  const known = Array.from({ length: rows }, () => drawNormal(random))
  return table(name, [
    numeric('known', known),
    numeric(
      'noise',
      Float64Array.from(known, () => drawNormal(random)),
    ),
    categorical(
      'secret',
      known.map(
        (value) => ['low', 'middle', 'high'][Math.max(0, Math.min(2, Math.round(1 + value + drawNormal(random))))],
      ),
    ),
    numeric(
      'income',
      known.map((value) => 100 + 30 * value + 10 * drawNormal(random)),
    ),
  ])
}

const drawn = (replicate: number, n: number) => {
  const random = stream(6, 'population', replicate)
  const [original, holdout, released] = ['original', 'holdout', 'released'].map((name) => people(name, n, random))
  return { original, holdout, released }
}

const found = async (input: ReleaseInput, options: object = {}) =>
  (await inference(release(input), options)).releases[0]

describe('with a holdout', () => {
  it('does not accuse releases drawn from the same population', async () => {
    const runs = repeats(60, 150)
    let rejected = 0
    let below = 0
    let beyond = 0
    for (let replicate = 0; replicate < runs; replicate++) {
      const target = replicate % 2 === 0 ? 'secret' : 'income'
      const { effect } = await found({ ...drawn(replicate, 200), target })
      if (effect === undefined) throw new Error('no effect')
      if (effect.p < 0.05) rejected++
      if (effect.lower > 0) below++
      if (effect.upper < 0) beyond++
    }
    // 5 % of 60 are 3, with a standard deviation of 1.7; of 150 they are 7.5, with 2.7.
    for (const times of [rejected, below, beyond]) expect(times / runs).toBeLessThanOrEqual(0.1)
  })

  it.each(['secret', 'income'])('finds copies by the %s', async (target) => {
    const { original, holdout } = drawn(0, 200)
    const {
      details,
      exposure,
      leakage,
      effect,
      people: concerned,
    } = await found({
      original,
      holdout,
      released: original,
      target,
    })
    expect(details?.main.rate).toBe(1)
    expect(details?.residual?.value).toBe(1)
    expect(exposure).toBeCloseTo(1, 12)
    expect(leakage?.value).toBeCloseTo(1, 12)
    expect(leakage?.lower).toBeGreaterThan(0.8)
    expect(effect?.p).toBeLessThan(1e-20)
    expect(concerned).toBe(200)
  })

  it.each([
    { guess: 'knn' },
    { guess: 'model', learner: 'cart' },
    { toleranceBase: 'range', tolerance: 0.01 },
    { attacks: 100 },
  ] as const)('the original itself leaks all there is to leak, whatever the attack: %o', async (options) => {
    const { original, holdout } = drawn(4, 200)
    for (const target of ['secret', 'income']) {
      const { leakage, notAssessed } = await found({ original, holdout, released: original, target }, options)
      if (notAssessed === undefined) expect(leakage?.value, target).toBeCloseTo(1, 12)
      else expect(notAssessed).toEqual({ code: 'no-scale' })
    }
  })

  it('warns of a value whose people are given away', async () => {
    const { original, holdout, released } = drawn(1, 600)
    const column = original.columns[2]
    const rows = Array.from({ length: 600 }, (_, row) => row)
    const high = rows.filter((row) => column.kind === 'categorical' && column.levels[column.codes[row]] === 'high')
    const leaking = table(
      'leaking',
      [selectRows(released, rows), selectRows(original, high)].reduce((first, second) => stackTables(first, second))
        .columns,
    )
    const { details, warnings } = await found({ original, holdout, released: leaking, target: 'secret' })
    const group = details?.groups.find(({ secret }) => secret === 'high')
    expect(group?.rate).toBe(1)
    expect(
      warnings.some((warning) => warning.startsWith('among people with high the guess is right for 100.0 %')),
    ).toBe(true)
  })

  it('pools values that fewer than ten people have, and tells no remainder', async () => {
    const of = (name: string, counts: Record<string, number>) => {
      const secret = Object.entries(counts).flatMap(([value, times]) => Array<string>(times).fill(value))
      return tableOf(name, { known: secret.map((_, row) => row), secret })
    }
    const original = of('original', { a: 30, b: 20, c: 10, d: 4, e: 3 })
    const { details } = await found({ original, released: original, target: 'secret' })
    expect(details?.groups.map(({ secret, records }) => [secret, records])).toEqual([
      ['a', 30],
      ['b', 20],
      ['(other values)', 17],
    ])
    const holdout = of('holdout', { a: 20, b: 9, c: 9, d: 9 })
    const groups = (await found({ original, released: original, holdout, target: 'secret' })).details?.groups
    expect(groups?.map(({ controlRate }) => controlRate !== null)).toEqual([true, false, true])
  })

  it('shows numbers in quarters', async () => {
    const { details } = await found({ ...drawn(2, 200), target: 'income' })
    expect(details?.groups.map(({ records }) => records)).toEqual([50, 50, 50, 50])
  })

  it('gives the same bits on several threads, and for the same sample', async () => {
    const of = release({ ...drawn(3, 3000), target: ['secret', 'income'] })
    const options = { attacks: 2500, guess: 'knn' } as const
    const once = await inference(of, options, { records: true })
    expect(await inference(of, options, { tasks: shuffledRunner(3), records: true })).toEqual(once)
    expect(once.releases[0].details?.main.attacks).toBe(2500)
    const about = { name: 'released', original: null, targets: once.releases[0].targets ?? [] }
    const { details } = once.releases[0]
    if (details === null) throw new Error('no details')
    const charts = inference.charts({ ...once.releases[0], details }, about)
    expect(charts.map(({ name }) => name)).toEqual(['rates', 'groups', 'secrets'])
  })
})

function stackTables(first: Table, second: Table): Table {
  return table(
    first.name,
    first.columns.map((column, j) => {
      const other = second.columns[j]
      if (column.kind === 'categorical' && other.kind === 'categorical')
        return categorical(
          column.name,
          [column, other].flatMap(({ codes, levels }) => Array.from(codes, (code) => levels[code])),
        )
      if (column.kind === 'categorical' || other.kind === 'categorical') throw new Error('columns differ')
      return numeric(column.name, [...column.values, ...other.values])
    }),
  )
}

describe('a model of the release', () => {
  /** c1 follows c0 in most released records; each combination often enough for a leaf. */
  const repeated = (rows: Cells, times: number) => Array.from({ length: times }, () => rows).flat()
  const released = [
    ...repeated(
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
      60,
    ),
    ...repeated([['a', 'y']], 10),
  ]
  const people = [
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'y'],
    ['b', 'z'],
  ]

  it.each(['rf', 'cart', 'multinomial', 'logit'])('guesses the most probable class: %s', async (learner) => {
    const { value, records, details } = await guess(people, released, { guess: 'model', learner })
    expect(records?.inferred).toEqual(Float64Array.of(1, 0, 1, 0))
    expect(value).toBe(0.5)
    expect(details).toMatchObject({ guess: 'model', tied: { main: 0, control: null }, tolerance: null })
  })

  it('shares the guess among classes that are equally probable', async () => {
    const even = repeated(
      [
        ['a', 'x'],
        ['a', 'y'],
      ],
      20,
    )
    const { records, details } = await guess(people, even, { guess: 'model', learner: 'prior' })
    expect(records?.inferred).toEqual(Float64Array.of(0.5, 0.5, 0.5, 0))
    expect(details?.tied.main).toBe(4)
  })

  it('predicts numbers, which need only be close, and never guesses a missing one', async () => {
    const line = Array.from({ length: 50 }, (_, k) => [k, k === 7 ? null : 2 * k + 100])
    const { records, details } = await guess(
      [
        [10, 120],
        [20, 150],
        [30, null],
        [40, 189],
      ],
      line,
      { guess: 'model', learner: 'lm' },
    )
    expect(records?.inferred).toEqual(Float64Array.of(1, 0, 0, 1))
    expect(details?.tolerance).toEqual({ value: 0.05, base: 'guess' })
  })

  it('says which learners there are, and what they cannot do', async () => {
    const of = release({
      original: tableOfRows('original', NAMES, people),
      released: tableOfRows('released', NAMES, released),
      target: 'c1',
    })
    await expect(inference(of, { guess: 'model', learner: 'forst' })).rejects.toThrow(
      /inference: unknown learner "forst"/,
    )
    await expect(inference(of, { guess: 'model', learner: 'lm' })).rejects.toThrow('cannot predict classes')
  })

  it('is not applicable to hundreds of values that must be hit exactly', async () => {
    const many = Array.from({ length: 1200 }, (_, k) => [k % 7, k])
    expect(await guess(many, many, { guess: 'model', regression: 'never' })).toMatchObject({ status: 'not applicable' })
    const missing = many.map(([known]) => [known, null])
    expect(await guess(many, [...missing.slice(1), [1, null]], { guess: 'model' })).toMatchObject({
      status: 'not applicable',
    })
  })

  it('gives the same guesses on any number of threads', async () => {
    const of = release({
      original: tableOfRows('original', NAMES, people),
      released: tableOfRows('released', NAMES, released),
      target: 'c1',
    })
    const run = async (tasks?: ReturnType<typeof shuffledRunner>) =>
      (await inference(of, { guess: 'model' }, tasks === undefined ? {} : { tasks })).releases
    expect(await run(shuffledRunner(3))).toEqual(await run())
  })
})

describe('cells of the keys', () => {
  const cells = (name: string, counts: readonly (readonly [string, string, number])[], secret: (k: number) => string) =>
    tableOfRows(
      name,
      ['sex', 'region', 'id', 's'],
      counts.flatMap(([sex, region, times]) => Array.from({ length: times }, (_, k) => [sex, region, k, secret(k)])),
    )
  const sizes = [
    ['F', 'R1', 40],
    ['M', 'R1', 12],
    ['M', 'R2', 9],
    ['F', 'R2', 3],
  ] as const
  const original = cells('original', sizes, (k) => (k % 2 === 0 ? 'u' : 'v'))
  const holdout = cells('holdout', [['F', 'R1', 30]], (k) => (k % 3 === 0 ? 'u' : 'v'))
  const found = async (input: Partial<ReleaseInput>) =>
    (await inference(release({ original, released: original, target: 's', ...input }))).releases[0].details

  it('are shown from ten people on, all others together', async () => {
    const details = await found({ keys: ['sex', 'region'], holdout })
    expect(details?.cells?.map(({ cell, records, rate }) => [cell, records, rate])).toEqual([
      ['F, R1', 40, 1],
      ['M, R1', 12, 1],
      ['(other cells)', 12, 1],
    ])
    // Too few outsiders in two of them.
    expect(details?.cells?.map(({ controlRate }) => controlRate)).toEqual([0.5, null, null])
    expect(details?.cells?.[0].residual).toBe(1)
  })

  it('tell nothing of a remainder of a few people', async () => {
    const few = cells('original', [...sizes.slice(0, 2), ['F', 'R2', 3]], (k) => (k % 2 === 0 ? 'u' : 'v'))
    const details = await found({ original: few, released: few, keys: ['sex', 'region'] })
    expect(details?.cells?.map(({ cell, records }) => [cell, records])).toEqual([
      ['F, R1', 40],
      ['(other cells)', 15],
    ])
  })

  it('are not there without keys', async () => {
    expect((await found({}))?.cells).toBeNull()
  })
})
