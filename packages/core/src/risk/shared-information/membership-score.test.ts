import { countIds } from '@scrim/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitSpace } from '../../neighbors/in-bits/bits.js'
import { stream } from '../../random/stream.js'
import { mean } from '../../stats/sums.js'
import { auc } from '../../stats/tests/auc.js'
import { release } from '../../table/release.js'
import { type Table, table, tableOf, tableOfRows } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { people } from '../../testing/scenes/people.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { membershipInBitsTask, membershipScores } from './membership-score.js'

async function scores(original: Table, released: Table, holdout: Table, exponent?: number, tasks = inline) {
  const built = release({ original, released, holdout })
  if (built.holdout === null) throw new Error('no holdout')
  const space = bitSpace([built.original, built.released[0], built.holdout], built.variables)
  const places = Int32Array.from({ length: original.rows + holdout.rows }, (_, place) => place)
  const found = await membershipScores(space, places, { tasks }, exponent)
  return { members: found.slice(0, original.rows), outsiders: found.slice(original.rows) }
}

type Cells = readonly [string | null, number | null]

/** S(r) straight from the definition. */
function straight(candidate: Cells, real: readonly Cells[], released: readonly Cells[], b: number): number {
  const pool = [...real, ...released]
  const share = (is: (cells: Cells) => boolean) => pool.filter(is).length / pool.length
  const bits = (other: Cells) => {
    const [g, v] = candidate
    const inG = g === other[0] ? -Math.log2(share((z) => z[0] === g)) : 0
    const [x, y] = [v, other[1]]
    if (x === null || y === null) return inG + (x === y ? -Math.log2(share((z) => z[1] === null)) : 0)
    return inG - Math.log2(share((z) => z[1] !== null && Math.abs(z[1] - x) <= Math.abs(y - x)))
  }
  const density = (of: readonly Cells[]) => Math.log2(of.reduce((sum, other) => sum + 2 ** (b * bits(other)), 0))
  return (density(released) - density(real)) / b
}

describe('membership by bits in common', () => {
  it('is a ratio of densities, by hand', async () => {
    // Others of the member 0: 4 (released), 1 and 2. As near as 1: one of three; as 2: two; as 4: all.
    const found = await scores(tableOf('x', { v: [0, 1] }), tableOf('y', { v: [4] }), tableOf('h', { v: [2] }), 1)
    // 2^0 against 3 + 3/2
    expect(found.members[0]).toBeCloseTo(-Math.log2(4.5), 12)
    // of 2: 1 is nearest (3), then 0 and 4 (1 each): 1 against 3 + 1
    expect(found.outsiders[0]).toBeCloseTo(-2, 12)
  })

  it('equals the definition', async () => {
    const record = fc.tuple(fc.constantFrom('a', 'b', 'c', null), fc.option(fc.integer({ min: -9, max: 9 })))
    const file = fc.array(record, { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(file, file, file, fc.constantFrom(0.3, 0.7, 2), async (x, y, h, exponent) => {
        const [original, released, holdout] = [x, y, h].map((rows, k) => tableOfRows(`t${k}`, ['g', 'v'], rows))
        const { members, outsiders } = await scores(original, released, holdout, exponent)
        const real = [...x, ...h]
        const expected = real.map((one, k) =>
          straight(
            one,
            real.filter((_, other) => other !== k),
            y,
            exponent,
          ),
        )
        for (const [k, score] of [...members, ...outsiders].entries()) expect(score).toBeCloseTo(expected[k], 9)
      }),
      { numRuns: 60 },
    )
  })

  it('does not overflow with any number of columns', async () => {
    const random = stream(2, 'wide')
    const wide = (rows: number, columns: number) =>
      tableOf(
        't',
        Object.fromEntries(
          Array.from({ length: columns }, (_, j) => [`v${j}`, Array.from({ length: rows }, () => random.uniform())]),
        ),
      )
    const [original, others] = [wide(20, 500), wide(20, 500)]
    const { members, outsiders } = await scores(original, original, others)
    // An equal record is the nearest in all 500 columns, of 59 others, and has all bits there are; no other comes near.
    for (const score of members) expect(score).toBeGreaterThan(500)
    for (const score of outsiders) expect(Math.abs(score)).toBeLessThan(500)
  })

  it('cannot tell members from outsiders of an honest release', async () => {
    const areas: number[] = []
    let rejected = 0
    for (let run = 0; run < 60; run++) {
      const random = stream(run, 'honest membership')
      const { members, outsiders } = await scores(people(60, random), people(80, random), people(50, random))
      const found = auc(members, outsiders)
      areas.push(found?.auc ?? 0)
      if ((found?.p ?? 0) < 0.05) rejected++
    }
    expect(Math.abs((mean(areas) ?? 0) - 0.5)).toBeLessThan(0.02)
    expect(rejected / 60).toBeLessThanOrEqual(0.1)
  })

  it('tells them apart when the release is the original', async () => {
    const random = stream(3, 'copy')
    const [original, holdout] = [people(100, random), people(100, random)]
    const { members, outsiders } = await scores(original, original, holdout)
    expect(auc(members, outsiders)?.auc).toBeGreaterThan(0.98)
  })

  it('is the same on any number of threads', async () => {
    const random = stream(4, 'sample')
    const [original, released, holdout] = [people(150, random), people(90, random), people(140, random)]
    const one = await scores(original, released, holdout)
    expect(await scores(original, released, holdout, undefined, shuffledRunner(3))).toEqual(one)
  })

  it('does not depend on the order of columns', async () => {
    const random = stream(5, 'order')
    const tables = [people(40, random), people(40, random), people(40, random)]
    const [x, y, h] = tables
    const [p, q, r] = tables.map((of) => table(of.name, of.columns.toReversed()))
    const [one, other] = [await scores(x, y, h), await scores(p, q, r)]
    for (const [k, score] of one.members.entries()) expect(other.members[k]).toBeCloseTo(score, 9)
  })
})

describe.skipIf(reference() === undefined)('on census2k', () => {
  const load = (name: string) => referenceTable('data', 'census2k', `census2k-${name}.csv`)

  it.each([
    ['syn_mostly', [0.552, 0.573, 0.582, 0.58, 0.575]],
    ['syn_flip30', [0.807, 0.875, 0.896, 0.904, 0.904]],
  ])('%s: the first 400 members and outsiders', async (name, areas) => {
    const built = release({ original: await load('trn'), released: await load(name), holdout: await load('hol') })
    const tables = [built.original, built.released[0], ...(built.holdout === null ? [] : [built.holdout])]
    const { columns, points, ids } = bitSpace(tables, built.variables)
    const real = countIds(ids[0], points)
    for (const point of ids[2]) real[point]++
    for (const [k, exponent] of [0.3, 0.5, 0.7, 1, 2].entries()) {
      const shared = { columns, released: countIds(ids[1], points), real, exponent }
      const [members, outsiders] = [ids[0], ids[2]].map((of) => membershipInBitsTask.run(shared, of.subarray(0, 400)))
      expect(auc(members, outsiders)?.auc).toBeCloseTo(areas[k], 3)
    }
  })
})
