import { countIds, scalarSimilarityScan } from '@scrim/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { bitSpace } from './bits.js'
import { bitSearch, type Draws } from './nearest-in-bits.js'

type Cells = readonly (string | number | null)[]

const NAMES = ['g', 'k', 'u', 'v']

/** Coarse and fine values, equal records, missing cells, a category with many levels. */
const record = fc.tuple(
  fc.constantFrom('a', 'b', 'c', null),
  fc.oneof(
    fc.constant('common'),
    fc.integer({ min: 0, max: 600 }).map((level) => `k${level}`),
  ),
  fc.option(fc.integer({ min: 0, max: 6 })),
  fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9000, max: 9000 }).map((value) => value / 1000),
  ),
)
const file = fc.array(record, { minLength: 2, maxLength: 100 })

/** Bits and mismatches of record i of X with every other record, straight from the definition. */
function straight(x: readonly Cells[], y: readonly Cells[], i: number) {
  const others = [...x.filter((_, k) => k !== i), ...y]
  const me = x[i]
  return others.map((other, k) => {
    let [bits, mismatches] = [0, 0]
    for (let j = 0; j < me.length; j++) {
      const [a, b] = [me[j], other[j]]
      if (j < 2) {
        if (a === b) bits -= Math.log2(others.filter((z) => z[j] === a).length / others.length)
        else mismatches++
      } else if (a === null || b === null) {
        if (a === b) bits -= Math.log2(others.filter((z) => z[j] === null).length / others.length)
      } else {
        const [from, to] = [Number(a), Number(b)]
        const reach = Math.abs(to - from) + 1e-9
        const near = others.filter((z) => z[j] !== null && Math.abs(Number(z[j]) - from) <= reach).length
        bits -= Math.log2(near / others.length)
      }
    }
    return { bits, mismatches, released: k >= x.length - 1 }
  })
}

function searched(
  x: readonly Cells[],
  y: readonly Cells[],
  draws: Draws | null = null,
  scan?: typeof scalarSimilarityScan,
) {
  const built = release({ original: tableOfRows('x', NAMES, x), released: tableOfRows('y', NAMES, y) })
  const space = bitSpace([built.original, built.released[0]], NAMES)
  const [originals, released] = space.ids.map((ids) => countIds(ids, space.points))
  return { space, search: bitSearch({ columns: space.columns, originals, released, draws }, scan) }
}

const most = (of: readonly number[]) => Math.max(Number.NEGATIVE_INFINITY, ...of)

describe.each([
  ['simd', undefined],
  ['scalar', scalarSimilarityScan],
])('nearest in bits, %s', (_, scan) => {
  it('are those of comparing with every record', () => {
    fc.assert(
      fc.property(file, file, (x, y) => {
        const { space, search } = searched(x, y, null, scan)
        for (let i = 0; i < x.length; i++) {
          search.ask(space.ids[0][i])
          const all = straight(x, y, i)
          const bits = (released: boolean) =>
            most(all.filter((one) => one.released === released).map((one) => one.bits))
          expect(search.mostReleased().bits).toBeCloseTo(bits(true), 9)
          expect(search.mostOthers().bits).toBeCloseTo(bits(false), 9)
          for (const charge of [0, 1, 4, 1000]) {
            const score = (one: (typeof all)[number]) => one.bits - charge * one.mismatches
            const tied = all.filter((one) => score(one) >= most(all.map(score)) - 1e-9)
            expect(search.ties(charge)).toMatchObject({
              records: tied.length,
              releasedRecords: tied.filter((one) => one.released).length,
            })
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})

it('knows the most bits within each draw', () => {
  fc.assert(
    fc.property(file, file, fc.integer(), fc.constantFrom('released', 'originals'), (x, y, seed, side) => {
      const random = stream(seed, 'draws')
      const larger = side === 'released' ? y : x
      const inDraw = larger.map(() => random.below(2 ** 5))
      const { space, search } = searched(x, y)
      const ids = space.ids[side === 'released' ? 1 : 0]
      const drawn = new Int32Array(space.points)
      const drawnOthers = new Int32Array(space.points)
      for (const [row, point] of ids.entries()) {
        drawn[point] |= inDraw[row]
        if (ids.indexOf(point) !== row) drawnOthers[point] |= inDraw[row]
      }
      const { search: drawing } = searched(x, y, { side, count: 5, drawn, drawnOthers })
      for (let i = 0; i < x.length; i++) {
        // Of equal records the first one is asked about.
        if (space.ids[0].indexOf(space.ids[0][i]) !== i) continue
        search.ask(space.ids[0][i])
        drawing.ask(space.ids[0][i])
        const of = side === 'released' ? drawing.mostReleased() : drawing.mostOthers()
        expect(of.bits).toBe((side === 'released' ? search.mostReleased() : search.mostOthers()).bits)
        const all = straight(x, y, i)
        for (let draw = 0; draw < 5; draw++) {
          const inside = all.filter((one, k) => {
            const row = side === 'released' ? k - (x.length - 1) : k < i ? k : k + 1
            return one.released === (side === 'released') && ((inDraw[row] >>> draw) & 1) === 1
          })
          const expected = most(inside.map((one) => one.bits))
          if (expected === Number.NEGATIVE_INFINITY) expect(of.drawnPoints[draw]).toBe(-1)
          else expect(of.drawnBits[draw]).toBeCloseTo(expected, 9)
        }
      }
    }),
    { numRuns: 40 },
  )
})

it('finds the needle among thousands, with more values than classes', () => {
  const random = stream(3, 'needle')
  const rows = 3000
  const draw = () => Array.from({ length: rows }, () => random.uniform())
  const [a, b, c] = [draw(), draw(), draw()]
  const x = tableOf('x', { a, b, c })
  // Row 17 again, a little moved in each number.
  const needle = [a, b, c].map((column) => column[17] + 1e-7)
  const columns = [draw(), draw(), draw()].map((column, j) =>
    column.map((value, row) => (row === 99 ? needle[j] : value)),
  )
  const y = tableOf('y', { a: columns[0], b: columns[1], c: columns[2] })
  const space = bitSpace([x, y], ['a', 'b', 'c'])
  const [originals, released] = space.ids.map((ids) => countIds(ids, space.points))
  const search = bitSearch({ columns: space.columns, originals, released, draws: null })
  search.ask(space.ids[0][17])
  const found = search.mostReleased()
  expect(found.point).toBe(space.ids[1][99])
  // Nobody else is as near in any of the three.
  expect(found.bits).toBeCloseTo(3 * Math.log2(2 * rows - 1), 9)
  expect(search.ties(0)).toEqual({ records: 1, releasedRecords: 1, points: [space.ids[1][99]] })
})
