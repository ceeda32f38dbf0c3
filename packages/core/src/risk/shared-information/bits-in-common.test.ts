import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import type { Where } from '../../neighbors/tasks.js'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { quantile } from '../../stats/quantile.js'
import { type CategoricalColumn, numeric, stackColumns } from '../../table/column.js'
import { release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { changeNumbers, people, permuteColumns } from '../../testing/scenes/people.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { type BitsInCommon, bitsInCommon } from './bits-in-common.js'
import { bitsInTail } from './tail.js'

async function compare(original: Table, released: Table, given = {}, where: Where = { tasks: inline }) {
  const built = release({ original, released })
  const input = { original: built.original, released: built.released[0], variables: built.variables, seed: 1, ...given }
  return bitsInCommon(input, where)
}

/** Leakage against ν alone. */
const againstChance = ({ bulk }: BitsInCommon) => bulk.map(({ closer, chance }) => (closer - chance) / (1 - chance))

const numbers = (values: readonly number[]) => tableOf('t', { x: values })

describe('bits in common', () => {
  it('are counted as defined, by hand', async () => {
    // others of 0: 1 (2 bits), 10 (1), 20 (log2 4/3), 100 (0); of 10: 1 (2), then 0 and 20 (log2 4/3 each), 100 (0);
    // of 20: 10 (2), 1 (1), 0 (log2 4/3), 100 (0)
    const { around, bulk } = await compare(numbers([0, 10, 20]), numbers([1, 100]), { charges: [0] })
    expect(Array.from(around.toReleased.bits)).toEqual([2, 2, 1])
    expect(around.toOthers.bits[0]).toBe(1)
    expect(around.toOthers.bits[1]).toBeCloseTo(Math.log2(4 / 3), 12)
    expect(around.toOthers.bits[2]).toBe(2)
    expect(Array.from(around.nearest[0].releasedShare)).toEqual([1, 1, 0])
    expect(bulk[0]).toMatchObject({ records: 3, closer: 2 / 3, chance: 1 / 2 })
    // 0 and 10 share their nearest record: 2/3; two fifths are released, and 20 -> 10 is not mutual: 2/5
    expect(bulk[0].designEffect).toBeCloseTo(2 / 3 + 2 / 5, 12)
  })

  it('charge categories that differ', async () => {
    // With the first original the first released one shares a, which one of three others has: log2 3 bits, and differs in
    // two; the two others share g and k, which two of three have: 2 log2 3/2 bits, and differ in one.
    const original = tableOf('x', { a: ['rare', 'other'], g: ['u', 'u'], k: ['v', 'v'] })
    const released = tableOf('y', { a: ['rare', 'other'], g: ['w', 'u'], k: ['z', 'v'] })
    const found = await compare(original, released, { charges: [0, 0.25, 1] })
    expect(found.around.toReleased.bits[0]).toBeCloseTo(Math.log2(3), 12)
    expect(found.around.toOthers.bits[0]).toBeCloseTo(2 * Math.log2(3 / 2), 12)
    expect(found.around.nearest.map(({ releasedShare }) => releasedShare[0])).toEqual([1, 1, 0.5])
  })

  it('share ties: equal records leak nothing', async () => {
    const letters = (of: string) => tableOf('t', { g: [...of] })
    for (const released of ['a', 'aaaa']) {
      const found = await compare(letters('aaaa'), letters(released))
      for (const leakage of againstChance(found)) expect(leakage).toBeCloseTo(0, 12)
    }
  })

  it('are all on the side of the release when it is the original and records differ', async () => {
    const original = people(150, stream(1, 'same'))
    const found = await compare(original, original)
    for (const { closer, leakage, p } of found.bulk) {
      expect(closer).toBe(1)
      expect(leakage).toBe(1)
      expect(p).toBeLessThan(1e-6)
    }
    expect(found.tail.released).toBeGreaterThan(0.1)
    expect(found.tail.others).toBe(0)
  })

  it('are most with the copy of a person, whose age was changed', async () => {
    const random = stream(5, 'exposed')
    const [original, others] = [people(300, random), people(299, random)]
    const copied = selectRows(original, [7])
    const changed = changeNumbers(copied, (value, { name }) => (name === 'age' ? 20 : value))
    const released = table(
      'released',
      others.columns.map((column, j) => stackColumns([changed.columns[j], column])),
    )
    const { around } = await compare(original, released)
    const gap = around.toReleased.bits.map((bits, at) => bits - around.toOthers.bits[at])
    expect(gap.indexOf(Math.max(...gap))).toBe(7)
  })

  it('are the same on any number of threads', async () => {
    const random = stream(2, 'threads')
    const [original, released] = [people(300, random), people(420, random)]
    const one = await compare(original, released)
    const many = await compare(original, released, {}, { tasks: shuffledRunner(3) })
    expect(JSON.stringify(many)).toBe(JSON.stringify(one))
    expect(many.around).toEqual(one.around)
  })

  it('of a large file are those of a sample', async () => {
    const random = stream(2, 'large')
    const draw = (rows: number) => numbers(Array.from({ length: rows }, () => random.uniform()))
    const found = await compare(draw(10_001), draw(2000), { sample: 150, charges: [0] })
    expect(found.around.rows.length).toBe(150)
    expect(found.bulk[0]).toMatchObject({ records: 150, chance: 2000 / 12_000 })
    expect(found.around.draws).toBe(20)
  })

  it('tell how far they are, and stop when cancelled', async () => {
    const random = stream(2, 'progress')
    const [original, released] = [people(40, random), people(40, random)]
    const seen: [number, number][] = []
    await compare(original, released, {}, { tasks: inline, progress: (done, total) => seen.push([done, total]) })
    expect(seen.at(-1)).toEqual([20, 20])
    const cancelled = compare(original, released, {}, { tasks: inline, signal: { aborted: true } })
    await expect(cancelled).rejects.toThrow(UserError)
  })
})

describe('bits in common do not depend on', () => {
  const random = stream(11, 'invariance')
  const original = people(120, random)
  const fresh = people(120, random)
  const released = table(
    'released',
    original.columns.map((_, j) =>
      stackColumns([selectRows(original, [1, 2, 3]).columns[j], selectRows(fresh, range(3, 120)).columns[j]]),
    ),
  )

  /** What must not change, up to the order of rows. */
  const figures = ({ around, tail }: BitsInCommon) => ({
    bits: [around.toReleased.bits, around.toOthers.bits].map((bits) => Array.from(bits, (value) => value.toFixed(9))),
    closer: around.nearest.map(({ releasedShare }) => Array.from(releasedShare)),
    designEffect: around.nearest.map((one) => one.designEffect.toFixed(9)),
    tail: [tail.released, tail.others, tail.p],
  })

  const expectSame = async (x: Table, y: Table) => {
    const [expected, found] = [await compare(original, released), await compare(x, y)]
    expect(figures(found)).toEqual(figures(expected))
  }

  it('names of levels', async () => {
    const renamed = (of: Table) =>
      table(
        of.name,
        of.columns.map((column) =>
          column.kind === 'categorical'
            ? { ...column, levels: column.levels.map((level, k) => `${(k * 7) % column.levels.length} ${level}`) }
            : column,
        ),
      )
    await expectSame(renamed(original), renamed(released))
  })

  it.each([
    ['reflection', -1, 0],
    ['another origin and unit', 0.3048, 32],
  ])('%s of numbers', async (_, factor, plus) => {
    const moved = (of: Table) => changeNumbers(of, (value) => factor * value + plus)
    await expectSame(moved(original), moved(released))
  })

  it('the order of columns', async () => {
    const turned = (of: Table) => table(of.name, of.columns.toReversed())
    await expectSame(turned(original), turned(released))
  })

  it('a constant column', async () => {
    const [x, y] = [original, released].map((of) =>
      table(of.name, [
        ...of.columns,
        numeric('one', new Float64Array(of.rows).fill(1)),
        { kind: 'categorical', name: 'all', levels: ['all'], ordered: false, codes: new Int32Array(of.rows) },
      ]),
    )
    await expectSame(x, y)
  })

  it('the order of originals', async () => {
    const order = permutation(stream(2, 'rows'), original.rows)
    const [expected, found] = [await compare(original, released), await compare(selectRows(original, order), released)]
    const [one, other] = [figures(expected), figures(found)]
    const turned = <T>(values: readonly T[]) => Array.from(order, (row) => values[row])
    expect(other).toEqual({ ...one, bits: one.bits.map(turned), closer: one.closer.map(turned) })
  })

  it('the order of released records', async () => {
    await expectSame(original, selectRows(released, permutation(stream(1, 'rows'), released.rows)))
  })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, k) => from + k)
}

const deviation = (values: Float64Array): number => {
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / values.length)
}

const STEPS: Readonly<Record<string, number>> = { age: 10, income: 10_000, weight: 100, gain: 500 }

/** What is done to records before they are released. */
const SHAPES: readonly (readonly [string, (of: Table) => Table])[] = [
  ['as it is', (of) => of],
  [
    'a few people ten times each',
    (of) =>
      selectRows(
        of,
        range(0, of.rows).map((row) => row % (of.rows / 10)),
      ),
  ],
  ['a third of the people', (of) => selectRows(of, range(0, of.rows / 3))],
  ['numbers rounded', (of) => changeNumbers(of, (value, { name }) => Math.round(value / STEPS[name]) * STEPS[name])],
  ['numbers replaced by the median', (of) => changeNumbers(of, (_, { values }) => quantile(values, 0.5) ?? 0)],
  ['noise in numbers', (of) => noisy(of, 0.3)],
  ['half of the columns shuffled', (of) => permuteColumns(of, stream(4, 'half'), (name) => name < 'i')],
  ['all columns shuffled', (of) => permuteColumns(of, stream(4, 'all'))],
]

function noisy(of: Table, sds: number): Table {
  const random = stream(4, 'noise')
  return changeNumbers(of, (value, { values }) => value + sds * deviation(values) * drawNormal(random))
}

describe('an honest release in another shape raises no alarm:', () => {
  const random = stream(21, 'shapes')
  const [original, honest] = [people(300, random), people(300, random)]

  it.each(SHAPES)('%s', async (_, shaped) => {
    const { bulk, tail } = await compare(original, shaped(honest))
    for (const { p } of bulk) expect(p).toBeGreaterThan(0.05 / 3)
    expect(tail.p).toBeGreaterThan(0.05)
  })
})

describe('a disguised copy is found:', () => {
  const original = people(300, stream(22, 'copies'))
  const lowerCase = (of: Table) =>
    table(
      of.name,
      of.columns.map((column) =>
        column.name === 'sex' && column.kind === 'categorical'
          ? ({ ...column, levels: column.levels.map((level) => level.toUpperCase()) } satisfies CategoricalColumn)
          : column,
      ),
    )

  it.each<readonly [string, (of: Table) => Table, number]>([
    ['a category in capitals', lowerCase, 0.95],
    ['a little noise', (of) => noisy(of, 0.05), 0.8],
    ['much noise', (of) => noisy(of, 0.3), 0.25],
    [
      'two columns shuffled',
      (of) => permuteColumns(of, stream(4, 'x'), (name) => name === 'weight' || name === 'sex'),
      0.5,
    ],
  ])('%s', async (_, disguise, least) => {
    const { bulk: worst } = await compare(original, disguise(original))
    expect(Math.max(...worst.map(({ leakage }) => leakage ?? -1))).toBeGreaterThan(least)
    expect(Math.min(...worst.map(({ p }) => p))).toBeLessThan(0.001)
  })
})

describe.skipIf(reference() === undefined)('on the case study of the vignette', () => {
  const load = (name: string) => referenceTable('golden', 'vignette', `case-${name}.csv`)

  it.each([
    ['a-independent', [0.0845, -0.0245, -0.0905, -0.1236, -0.1286], [0.004, 0.002]],
    ['b-bootstrap-noise', [0.0065, 0.0605, 0.1236, 0.1636, 0.1636], [0.012, 0.003]],
    ['c-near-copy', [0.2846, 0.4487, 0.5528, 0.6728, 0.6968], [0.009, 0.004]],
  ])('%s', async (name, leakages, twins) => {
    const found = await compare(await load('original'), await load(name), { charges: [0, 1, 2, 4, 8] })
    for (const [k, leakage] of againstChance(found).entries()) expect(leakage).toBeCloseTo(leakages[k], 4)
    const { released, others } = bitsInTail(found.around, 5)
    expect([released, others]).toEqual(twins)
  })

  it('independent marginals are not closer than independent marginals are', async () => {
    const found = await compare(await load('original'), await load('a-independent'), { charges: [0, 4] })
    const [free, charged] = found.bulk
    // The section has L = +0.08 and -0.07 for them, against chance alone.
    expect((free.shape - free.chance) / (1 - free.chance)).toBeCloseTo(0.08, 1)
    expect(charged.shape).toBeLessThan(charged.chance)
    expect(free.fair).toBe(free.shape)
    expect(charged.fair).toBe(charged.chance)
    expect(free.p).toBeGreaterThan(0.1)
  })
})

describe.skipIf(reference() === undefined)('on census2k, the first 600 originals', async () => {
  if (reference() === undefined) return
  const load = (name: string) => referenceTable('data', 'census2k', `census2k-${name}.csv`)
  const original = await load('trn')
  const lowerCase = table(
    'lower case',
    original.columns.map((column) =>
      column.name === 'sex' && column.kind === 'categorical'
        ? { ...column, levels: column.levels.map((level) => level.toLowerCase()) }
        : column,
    ),
  )

  it.each<readonly [string, Table, readonly (number | null)[], readonly number[]]>([
    ['holdout', await load('hol'), [-0.017, 0.003, -0.02], [0.002, 0.002]],
    ['mostly', await load('syn_mostly'), [-0.22, null, null], [0, 0.008]],
    ['flip30', await load('syn_flip30'), [0.675, 0.628, 0.398], [0.315, 0]],
    ['verbatim, sex in lower case', lowerCase, [1, 1, 0.997], [0.773, 0]],
  ])('%s', async (_, released, leakages, twins) => {
    const found = await compare(original, released, { rows: Int32Array.from(range(0, 600)) })
    const seen = againstChance(found)
    for (const [k, leakage] of leakages.entries()) if (leakage !== null) expect(seen[k]).toBeCloseTo(leakage, 3)
    expect(found.tail.released).toBeCloseTo(twins[0], 3)
    expect(found.tail.others).toBeCloseTo(twins[1], 3)
    // Against people of the same population the second control asks for less.
    for (const { shape, chance } of found.bulk) expect(shape).toBeLessThan(chance)
  })

  it('all columns permuted', async () => {
    const found = await compare(original, permuteColumns(original, stream(1, 'census')), {
      rows: Int32Array.from(range(0, 600)),
    })
    // The section has -0.650 and -0.780 with SE 0.04 for another permutation, and 0.000 / 0.037 in the tail.
    const [free, , charged] = againstChance(found)
    expect(Math.abs(free + 0.65)).toBeLessThan(0.08)
    expect(Math.abs(charged + 0.78)).toBeLessThan(0.08)
    expect(found.tail.released).toBeLessThan(0.005)
    expect(Math.abs(found.tail.others - 0.037)).toBeLessThan(0.025)
  })
})
