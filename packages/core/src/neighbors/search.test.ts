import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { scalarBlockScan } from '@scrim/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { membersOf, search } from './search.js'
import { distanceOf, type Space, type SpaceOptions, space, sumBetween, TIE } from './space.js'
import { nearestCredit, nearestDistances, recordsWithin } from './tasks.js'

/** Mixed records, coarse enough to repeat and to tie, some values missing, some beyond the range of the first table. */
function mixed(name: string, rows: number, seed: number, coarse: boolean): Table {
  const random = stream(seed, name)
  const some = (make: () => number) => Array.from({ length: rows }, () => (random.below(9) === 0 ? null : make()))
  const labelled = (column: string, levels: number, used: number) => {
    const names = Array.from({ length: levels }, (_, code) => `${column}${code}`)
    const codes = some(() => random.below(used))
    return categorical(
      column,
      codes.map((code) => (code === null ? null : names[code])),
      { levels: names },
    )
  }
  const columns: Column[] = [
    labelled('c', 3, 3),
    labelled('d', 40, coarse ? 2 : 40),
    numeric(
      'x',
      some(() => (coarse ? random.below(4) : random.uniform() * (name === 's' ? 3 : 1))),
    ),
    numeric(
      'y',
      some(() => random.below(coarse ? 3 : 1000)),
    ),
  ]
  return table(name, columns)
}

const cases = fc.record({
  rows: fc.integer({ min: 1, max: 150 }),
  others: fc.integer({ min: 1, max: 150 }),
  seed: fc.nat(1000),
  coarse: fc.boolean(),
  k: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 30, max: 60 })),
  options: fc.constantFrom<SpaceOptions>(
    {},
    { clip: false },
    { missing: 'ignore' },
    { definition: 'vim' },
    { scale: 'rank', weights: { c: 2, x: 0.5 } },
    { metric: 'euclidean' },
  ),
})

function build({
  rows,
  others,
  seed,
  coarse,
  options,
}: {
  rows: number
  others: number
  seed: number
  coarse: boolean
  options: SpaceOptions
}): Space {
  return space([mixed('t', rows, seed, coarse), mixed('s', others, seed, coarse)], ['c', 'd', 'x', 'y'], [0], options)
}

/** Sums to every record of the second table, ascending; the query's own record left out. */
function allSums(of: Space, query: number, leaveOneOut: boolean): number[] {
  const others = [...of.ids[1]]
  if (leaveOneOut) others.splice(others.indexOf(query), 1)
  return others.map((other) => (other === query ? 0 : sumBetween(of, query, other))).sort((a, b) => a - b)
}

describe.each([
  ['simd', undefined],
  ['scalar', scalarBlockScan],
])('search (%s)', (_, scan) => {
  it('finds what comparing with every record finds, ties included', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), (given, leaveOneOut) => {
        const of = build(given)
        const members = membersOf(of, of.ids[1])
        const { nearest, countWithin } = search(of, members, undefined, scan)
        for (const query of leaveOneOut ? of.ids[1] : of.ids[0]) {
          const sums = allSums(of, query, leaveOneOut)
          const { kth, count, points, sums: found } = nearest(query, given.k, leaveOneOut)
          expect(kth).toBe(sums[given.k - 1] ?? Number.POSITIVE_INFINITY)
          const expected = new Set(
            [...members.points].filter((point, place) => {
              const own = leaveOneOut && point === query
              if (own && members.records[place] === 1) return false
              return (point === query ? 0 : sumBetween(of, query, point)) <= kth + TIE
            }),
          )
          expect(new Set(points.slice(0, count))).toEqual(expected)
          expect([...found.slice(0, count)]).toEqual([...found.slice(0, count)].sort((a, b) => a - b))
          const middle = sums[sums.length >> 1] ?? 1
          expect(countWithin(query, middle, leaveOneOut)).toBe(sums.filter((sum) => sum <= middle + TIE).length)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('tasks', () => {
  const of = space([mixed('t', 3000, 1, false), mixed('s', 4000, 1, false)], ['c', 'd', 'x', 'y'], [0])
  const members = membersOf(of, of.ids[1])
  const marked = members.records.map((records, place) => place % (records + 1))

  it('give distances per record, copies counted', async () => {
    const found = await nearestDistances({ tasks: inline }, of, members, of.ids[1], { k: 3, leaveOneOut: true })
    for (const row of [0, 17, 3999]) {
      const sums = allSums(of, of.ids[1][row], true).slice(0, 3)
      expect([...found.slice(3 * row, 3 * row + 3)]).toEqual(sums.map((sum) => distanceOf(of, sum)))
    }
  })

  it('give a few queries the distances that many have', async () => {
    const leaveOneOut = true
    const many = await nearestDistances({ tasks: inline }, of, members, of.ids[1], { leaveOneOut })
    const few = await nearestDistances({ tasks: inline }, of, members, of.ids[1].slice(0, 30), { leaveOneOut })
    expect([...few]).toEqual([...many.subarray(0, 30)])
    const own = { points: of.ids[1].slice(0, 1), records: Int32Array.of(1) }
    expect(await nearestDistances({ tasks: inline }, of, own, own.points, { leaveOneOut })).toEqual(
      Float64Array.of(Number.NaN),
    )
  })

  it('say where there are fewer records than asked for', async () => {
    const one = { points: members.points.slice(0, 1), records: Int32Array.of(2) }
    const found = await nearestDistances({ tasks: inline }, of, one, of.ids[0].slice(0, 1), { k: 3 })
    expect(Number.isNaN(found[1])).toBe(false)
    expect(found[2]).toBeNaN()
  })

  it('share the credit of a query among all that are nearest', async () => {
    const { distance, markedShare, credit } = await nearestCredit({ tasks: inline }, of, members, marked, of.ids[0])
    const expected = new Float64Array(members.points.length)
    for (const [row, query] of of.ids[0].entries()) {
      const sums = Array.from(members.points, (point) => (point === query ? 0 : sumBetween(of, query, point)))
      const least = Math.min(...sums)
      const tied = [...members.points.keys()].filter((place) => sums[place] <= least + TIE)
      const records = tied.reduce((sum, place) => sum + members.records[place], 0)
      for (const place of tied) expected[place] += 1 / records
      expect(distance[row]).toBe(distanceOf(of, least))
      expect(markedShare[row]).toBeCloseTo(tied.reduce((sum, place) => sum + marked[place], 0) / records, 12)
    }
    for (const [place, one] of expected.entries()) expect(credit[place]).toBeCloseTo(one, 10)
    const total = credit.reduce((sum, one, place) => sum + one * members.records[place], 0)
    expect(total).toBeCloseTo(3000, 8)
  })

  it('give the same bits in whatever order they run', async () => {
    const everything = (where: { tasks: typeof inline }) =>
      Promise.all([
        nearestDistances(where, of, members, of.ids[0], { k: 2 }),
        nearestCredit(where, of, members, marked, of.ids[0]),
        recordsWithin(where, of, members, of.ids[0], 0.2),
      ])
    expect(await everything({ tasks: shuffledRunner(3) })).toEqual(await everything({ tasks: inline }))
  })
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

it('holds no table of all distances: 30,000 x 30,000 takes little memory', async () => {
  const rows = 30_000
  const of = space([mixed('t', rows, 1, false), mixed('s', rows, 2, false)], ['c', 'd', 'x', 'y'], [0])
  const buffers = () => process.memoryUsage().arrayBuffers / 2 ** 20
  // What earlier tests left behind would hide what this one takes.
  collectGarbage()
  const before = buffers()
  const taken: number[] = []
  const watch = { tasks: inline, progress: () => void taken.push(buffers() - before) }
  await nearestDistances(watch, of, membersOf(of, of.ids[1]), of.ids[0])
  expect(taken.length).toBeGreaterThan(10)
  // One byte a pair would be 858 MB.
  expect(Math.max(...taken)).toBeLessThan(100)
})
