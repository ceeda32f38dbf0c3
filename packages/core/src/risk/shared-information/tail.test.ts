import { describe, expect, it } from 'vitest'
import { bitSpace } from '../../neighbors/in-bits/bits.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { numeric, stackColumns } from '../../table/column.js'
import { selectRows, type Table, table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { repeats } from '../../testing/long.js'
import { people } from '../../testing/scenes/people.js'
import { type AroundInBits, aroundInBits, type MostOfRows } from './around-in-bits.js'
import { bitsInTail } from './tail.js'

/** Most bits of rows, and who has them. */
const side = (bits: readonly number[], points: readonly number[]): MostOfRows => ({
  bits: Float64Array.from(bits),
  points: Int32Array.from(points),
  drawnBits: new Float64Array(),
  drawnPoints: new Int32Array(),
})

const aroundOf = (toReleased: MostOfRows, toOthers: MostOfRows, draws = 0): AroundInBits => ({
  rows: Int32Array.from(toReleased.bits.keys()),
  points: Int32Array.from(toReleased.bits.keys()),
  equals: new Int32Array(toReleased.bits.length).fill(1),
  originals: toReleased.bits.length,
  released: 100,
  chance: 0.5,
  nearest: [],
  toReleased,
  toOthers,
  draws,
})

describe('twins', () => {
  it('are counted on both sides', () => {
    // D = 12, 10, 9.9, -10, 0; people 0 and 1 have the same released twin
    const found = bitsInTail(
      aroundOf(side([30, 20, 20, 5, 8], [101, 101, 102, 103, 104]), side([18, 10, 10.1, 15, 8], [1, 2, 3, 4, 0])),
    )
    expect(found).toMatchObject({ bits: 10, records: 5, released: 0.4, others: 0.2, twins: 1, draws: 0 })
    expect(found.excess).toBeCloseTo(0.2, 12)
    // one group of two and one of one: (4 + 1) / 3; then P(Binomial >= 1.2 of 1.8)
    expect(found.designEffect).toBeCloseTo(5 / 3, 12)
    expect(found.p).toBeGreaterThan(0.3)
  })

  it('of six people, none among the others, are more than chance', () => {
    const found = bitsInTail(
      aroundOf(side(Array(6).fill(30), [10, 11, 12, 13, 14, 15]), side(Array(6).fill(1), Array(6).fill(0))),
    )
    expect(found.designEffect).toBe(1)
    expect(found.p).toBeCloseTo(1 / 64, 12)
    expect(found.lower).toBeGreaterThan(0)
    expect(found.upper).toBeLessThanOrEqual(1)
  })

  it('that are one released record count once', () => {
    const found = bitsInTail(
      aroundOf(side(Array(6).fill(30), Array(6).fill(10)), side(Array(6).fill(1), Array(6).fill(0))),
    )
    expect(found.designEffect).toBe(6)
    expect(found.p).toBeCloseTo(0.5, 12)
  })

  it('of each other, among originals, are one group', () => {
    // 0 <-> 1, 2 -> 1, 3 <-> 4
    const found = bitsInTail(
      aroundOf(side(Array(5).fill(1), Array(5).fill(9)), side(Array(5).fill(30), [1, 0, 1, 4, 3])),
    )
    expect(found).toMatchObject({ released: 0, others: 1, twins: 0, p: 1 })
    expect(found.designEffect).toBeCloseTo((9 + 4) / 5, 12)
  })

  it('are means over the parts of a larger side; a part without another original does not count', () => {
    const others: MostOfRows = {
      ...side([25, 25], [1, 0]),
      drawnBits: Float64Array.of(5, 25, Number.NEGATIVE_INFINITY, 6),
      drawnPoints: Int32Array.of(1, 1, -1, 0),
    }
    const found = bitsInTail(aroundOf(side([20, 20], [10, 11]), others, 2))
    // person 0: D = 15 and -5; person 1: none, and 14
    expect(found).toMatchObject({ released: 0.5, others: 0, twins: 1, draws: 2 })
  })

  it('are none where nobody is close', () => {
    expect(bitsInTail(aroundOf(side([1], [5]), side([1], [0])))).toMatchObject({ released: 0, others: 0, p: 1 })
  })
})

async function tail(original: Table, released: Table, bits?: number) {
  const { columns, points, ids } = bitSpace(
    [original, released],
    original.columns.map(({ name }) => name),
  )
  const rows = Int32Array.from({ length: original.rows }, (_, row) => row)
  const sides = { columns, points, originals: ids[0], released: ids[1] }
  return bitsInTail(await aroundInBits(sides, rows, [], 1, { tasks: inline }), bits)
}

/** People in families of near-equals: many have a twin, honest release or not. */
function families(rows: number, random: Stream): Table {
  const family = Int32Array.from({ length: rows }, () => random.below(150))
  return table(
    'families',
    Array.from({ length: 4 }, (_, j) =>
      numeric(
        `v${j}`,
        Float64Array.from(family, (of) => 1000 * stream(of, 'family', j).uniform() + drawNormal(random)),
      ),
    ),
  )
}

describe('honest releases', () => {
  it.each<readonly [string, number, number, (rows: number, random: Stream) => Table, number]>([
    ['people', 100, 100, people, 4],
    ['people', 60, 150, people, 4],
    ['families', 120, 120, families, 10],
    ['families', 80, 200, families, 10],
    ['families', 200, 80, families, 10],
  ])(
    'of %s, %i people and %i released records: at most one of twenty is taken for a leak',
    async (name, n, m, draw, bits) => {
      const runs = repeats(60, 200)
      let [rejected, released, others] = [0, 0, 0]
      for (let run = 0; run < runs; run++) {
        const random = stream(run, `honest ${name} ${n} ${m}`)
        const found = await tail(draw(n, random), draw(m, random), bits)
        if (found.p < 0.05) rejected++
        released += found.released
        others += found.others
      }
      expect(rejected / runs).toBeLessThanOrEqual(0.06)
      // As many on both sides, within what these pairs can tell.
      expect(released).toBeGreaterThan(0)
      expect(Math.abs(released - others) / (released + others)).toBeLessThan(0.15)
    },
  )
})

describe('copies among honest records', () => {
  it.each([
    [12, 300],
    [30, 600],
    [30, 200],
  ])('%i of %i are found', async (copies, m) => {
    const random = stream(copies, 'copies')
    const original = people(300, random)
    const honest = people(m - copies, random)
    const copied = selectRows(original, sampleWithoutReplacement(random, 300, copies))
    const released = table(
      'released',
      honest.columns.map((column, j) => stackColumns([column, copied.columns[j]])),
    )
    const found = await tail(original, released, 8)
    expect(found.p).toBeLessThan(0.01)
    expect(found.lower).toBeGreaterThan(0)
  })
})
