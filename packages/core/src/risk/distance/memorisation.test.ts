import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { permutation, sampleWithReplacement } from '../../random/sampling.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { cartSynthesizer } from '../../synthesizers/sequential/synthesizers.js'
import { synthesize } from '../../synthesizers/synthesizer.js'
import { type Column, numeric, stackColumns, takeRows } from '../../table/column.js'
import { type Release, release } from '../../table/release.js'
import { columnOf, selectRows, type Table, table, tableOf, tableOfRows } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { memorisation } from './memorisation.js'
import { memorisationTail } from './memorisation-tail.js'

async function find(of: Release, options = {}, how = {}) {
  const { details, ...finding } = (await memorisation(of, options, how)).releases[0]
  if (details === null) throw new Error('no details')
  return { ...finding, details }
}

const numbers = (original: readonly (number | null)[], released: readonly (number | null)[]) =>
  release({ original: tableOf('original', { x: original }), released: tableOf('released', { x: released }) })

describe('memorisation', () => {
  it('counts people who are nearer to a released record than to another original', async () => {
    // 0: 1 against 10; 10: 9 against 10; 20: 19 against 10
    const { value, details, records, leakage, effect } = await find(
      numbers([0, 10, 20], [1, 100]),
      {},
      { records: true },
    )
    expect(value).toBeCloseTo(2 / 3, 12)
    expect(details.chance).toBe(0.5)
    expect(effect?.value).toBeCloseTo(1 / 6, 12)
    // So few records are not enough for a place between chance and the original.
    expect(leakage).toBeNull()
    // 0 and 10 share their nearest record: 2/3; two fifths are released, and 20 -> 10 is not mutual: 2/5
    expect(details.designEffect).toBeCloseTo(2 / 3 + 2 / 5, 12)
    expect(effect?.se).toBeCloseTo(Math.sqrt(1 / 3) * Math.sqrt((2 / 3 + 2 / 5) / 3), 12)
    expect(Array.from(records?.releasedNearest ?? [])).toEqual([1, 1, 0])
    expect(Array.from(records?.distanceToReleased ?? [])).toEqual([1 / 20, 9 / 20, 19 / 20])
  })

  it('does not cut distances off at the range of the original', async () => {
    const { details } = await find(numbers([0, 10], [100]))
    expect(details.meanDistance).toEqual({ toReleased: 9.5, toOthers: 1 })
  })

  it('shares ties between the nearest, so that equal records leak nothing', async () => {
    const letters = (of: string) => tableOf('t', { g: [...of] })
    // a: one other a, one released a; b: two released ones, no other
    const some = await find(release({ original: letters('aab'), released: letters('abb') }))
    expect(some.value).toBeCloseTo((0.5 + 0.5 + 1) / 3, 12)
    for (const released of ['a', 'aaaaaaaaa']) {
      const { details, effect } = await find(release({ original: letters('aaaa'), released: letters(released) }))
      expect(details.closer).toBeCloseTo(details.chance, 12)
      expect(effect?.value).toBeCloseTo(0, 12)
    }
  })

  it('reads the original as 1 whatever the ties, and says where even that would not show', async () => {
    const letters = (of: string) => tableOf('t', { g: [...of] })
    // Of a pair, two released and one other are nearest: 2/3; c and d have their copies alone.
    const original = letters('aabbcd')
    const { value, details, leakage } = await find(release({ original, released: original }))
    expect(value).toBeCloseTo((4 * (2 / 3) + 2) / 6, 12)
    expect(details.ofOriginal).toBeCloseTo(value ?? 0, 12)
    expect(leakage?.value).toBeCloseTo(1, 12)
    const many = tableOf('t', { x: Array.from({ length: 400 }, (_, row) => row >> 1) })
    expect((await find(release({ original: many, released: many }))).leakage?.value).toBeCloseTo(1, 12)
    const same = letters('aaaaaaaa')
    expect(await find(release({ original: same, released: same }))).toMatchObject({
      leakage: null,
      notAssessed: { code: 'no-scale' },
    })
  })

  it('warns where originals have equals, beside which no near-copy is seen', async () => {
    const twice = await find(numbers([0, 0, 10, 10, 20, 20], [0.1, 0.1, 10.1, 10.1, 20.1, 20.1]))
    expect(twice.value).toBe(0)
    expect(twice.warnings).toEqual([
      '100.0 % of original records equal another original: near-copies of these are not seen here',
    ])
    expect((await find(numbers([0, 10, 20], [1, 100]))).warnings).toEqual([])
  })

  it('has missing equal to missing and one away from everything else', async () => {
    const { details } = await find(numbers([null, 0, 10], [null, 100]))
    // missing: 0 against 1; 0: 1 (missing) against 1 twice (10 and missing): a tie of one with two; 10: the same
    expect(details.closer).toBeCloseTo((1 + 1 / 3 + 1 / 3) / 3, 12)
  })

  it('equals the comparison of every pair', async () => {
    const record = fc.tuple(
      fc.constantFrom('a', 'b', null),
      fc.option(fc.integer({ min: 0, max: 6 })),
      fc.integer({ min: -9, max: 9 }),
    )
    const file = fc.array(record, { minLength: 2, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(file, file, async (x, y) => {
        const names = ['g', 'u', 'v']
        const { details } = await find(
          release({ original: tableOfRows('x', names, x), released: tableOfRows('y', names, y) }),
        )
        expect(details.closer).toBeCloseTo(bruteCloser(x, y), 12)
      }),
      { numRuns: 60 },
    )
  })

  it('is not sure of anything with two records, and not defined for one', async () => {
    const { effect, leakage } = await find(numbers([0, 10], [0, 10]))
    expect(effect?.value).toBeCloseTo(1 / 3, 12)
    expect(effect?.p).toBeGreaterThan(0.05)
    expect(effect?.lower).toBeLessThan(0)
    expect(leakage?.value).toBeCloseTo(1, 12)
    expect(await memorisation(numbers([1], [1, 2]))).toMatchObject({ status: 'not applicable' })
    await expect(memorisation(numbers([1, 2], [1]), { variables: ['y'] })).rejects.toThrow(UserError)
  })

  it('looks at a sample of a large file, the same on any number of threads', async () => {
    const random = stream(2, 'large')
    const draw = (rows: number) => Array.from({ length: rows }, () => random.uniform())
    const large = numbers(draw(10_001), draw(3000))
    const found = await find(large, { sample: 400 }, { records: true })
    expect(found.details).toMatchObject({ records: 400, originals: 10_001, released: 3000 })
    expect(Array.from(found.records?.releasedNearest ?? []).filter((h) => !Number.isNaN(h)).length).toBe(400)
    expect(found.warnings).toEqual(['a sample of 400 original records was looked at'])
    const { original, released } = large
    const again = release({ original, released })
    expect(await find(again, { sample: 400 }, { records: true, tasks: shuffledRunner(3) })).toEqual(found)
  })
})

type Cells = readonly [string | null, number | null, number | null]

function bruteCloser(x: readonly Cells[], y: readonly Cells[]): number {
  const ranges = [1, 2].map((j) => {
    const known = x.flatMap((record) => record[j] ?? []) as number[]
    return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known)
  })
  const distance = (a: Cells, b: Cells) => {
    let sum = a[0] === b[0] ? 0 : 1
    for (const j of [1, 2] as const) {
      const [u, v] = [a[j], b[j]]
      if (u === v) continue
      sum += u === null || v === null || ranges[j - 1] === 0 ? 1 : Math.abs(u - v) / ranges[j - 1]
    }
    return sum
  }
  let closer = 0
  for (const [i, record] of x.entries()) {
    const toY = y.map((other) => distance(record, other))
    const toX = x.filter((_, k) => k !== i).map((other) => distance(record, other))
    const least = Math.min(...toY, ...toX) + 1e-9
    const [inY, inX] = [toY, toX].map((all) => all.filter((d) => d <= least).length)
    closer += inY / (inY + inX)
  }
  return closer / x.length
}

const AGES = ['20-29', '30-39', '40-49', '50-59', '60-69']
const AGE_EFFECTS = [0, 0.15, 0.3, 0.4, 0.35]
const EDUCATION = ['Primary', 'Secondary', 'Tertiary']
const EDUCATION_EFFECTS = [0, 0.3, 0.7]

/** People as in the case study of riskutility's vignette: four categories, and an income that depends on two of them. */
function people(rows: number, random: Stream): Table {
  const pick = (count: number) => Int32Array.from({ length: rows }, () => random.below(count))
  const [age, sex, region] = [pick(5), pick(2), pick(4)]
  const education = Int32Array.from({ length: rows }, () => [0, 1, 1, 2][random.below(4)])
  const income = Float64Array.from({ length: rows }, (_, i) =>
    Math.round(Math.exp(10 + AGE_EFFECTS[age[i]] + EDUCATION_EFFECTS[education[i]] + drawNormal(random, 0, 0.4))),
  )
  const coded = (name: string, codes: Int32Array, levels: readonly string[]): Column => ({
    kind: 'categorical',
    name,
    codes,
    levels,
    ordered: false,
  })
  return table('people', [
    coded('age_group', age, AGES),
    coded('sex', sex, ['F', 'M']),
    coded('education', education, EDUCATION),
    coded('region', region, ['R1', 'R2', 'R3', 'R4']),
    numeric('income', income),
  ])
}

function replace(of: Table, name: string, column: (old: Column) => Column): Table {
  return table(
    of.name,
    of.columns.map((old) => (old.name === name ? column(old) : old)),
  )
}

const noisyIncome = (of: Table, sd: number, random: Stream) =>
  replace(of, 'income', (old) =>
    old.kind === 'categorical'
      ? old
      : numeric(
          'income',
          old.values.map((value) => Math.round(value * Math.exp(drawNormal(random, 0, sd)))),
        ),
  )

/** Every column resampled on its own. */
const marginals = (of: Table, random: Stream) =>
  table(
    'independent',
    of.columns.map((column) => takeRows(column, sampleWithReplacement(random, of.rows, of.rows))),
  )

function bootstrapWithNoise(of: Table, random: Stream): Table {
  const drawn = noisyIncome(selectRows(of, sampleWithReplacement(random, of.rows, of.rows)), 0.15, random)
  const moved = permutation(random, of.rows).subarray(0, of.rows / 5)
  return replace(drawn, 'age_group', (old) => {
    if (old.kind !== 'categorical') return old
    const codes = old.codes.slice()
    for (const row of moved) codes[row] = random.below(5)
    return { ...old, codes }
  })
}

function withCopies(of: Table, copies: number, random: Stream): Table {
  const kept = Array.from({ length: of.rows - copies }, (_, row) => row)
  const copied = permutation(random, of.rows).subarray(0, copies)
  const [own, others] = [selectRows(marginals(of, random), kept), selectRows(of, copied)]
  return table(
    'copies',
    own.columns.map((column, j) => stackColumns([column, others.columns[j]])),
  )
}

type Found = { readonly p: number; readonly lower: number; readonly upper: number }

async function evidence(original: Table, released: Table): Promise<{ bulk: Found; tail: Found }> {
  const of = release({ original, released })
  const [bulk, tail] = [await memorisation(of), await memorisationTail(of)].map(({ releases }) => releases[0].leakage)
  if (!bulk || !tail) throw new Error('no leakage')
  return { bulk, tail }
}

/** Bulk and tail are two questions about one thing, half of 5 % each; from 30 and 5 % on they are high. */
const shown = ({ p }: Found) => p < 0.025
const HIGH = { bulk: 0.3, tail: 0.05 }
const silent = ({ bulk, tail }: { bulk: Found; tail: Found }) =>
  !shown(bulk) && !shown(tail) && bulk.upper < HIGH.bulk && tail.upper < HIGH.tail
const high = ({ bulk, tail }: { bulk: Found; tail: Found }) =>
  (shown(bulk) && bulk.lower >= HIGH.bulk) || (shown(tail) && tail.lower >= HIGH.tail)
const some = (found: { bulk: Found; tail: Found }) => (shown(found.bulk) || shown(found.tail)) && !high(found)

describe('evidence of memorisation in bulk and tail', () => {
  // Five replicates each, ten in `npm run validate`, n = 1000; attribution is a third family that these two do without.
  it.each<
    [
      string,
      (of: Table, random: Stream, run: number) => Table | Promise<Table>,
      (found: { bulk: Found; tail: Found }) => boolean,
      number,
    ]
  >([
    ['independent marginals show nothing', marginals, silent, 0],
    ['a bootstrap with noise shows some', bootstrapWithNoise, some, 0],
    ['a near-copy shows much', (of, random) => noisyIncome(of, 0.03, random), high, 0],
    ['a fresh sample shows nothing', (of, random) => people(of.rows, random), silent, 1],
    [
      'a bootstrap shows much',
      (of, random) => selectRows(of, sampleWithReplacement(random, of.rows, of.rows)),
      high,
      0,
    ],
    ['a tenth of copies shows much', (of, random) => withCopies(of, of.rows / 10, random), high, 1],
    ['a twentieth of copies shows some', (of, random) => withCopies(of, of.rows / 20, random), some, 0],
    ['the original shows all', (of) => of, ({ bulk, tail }) => bulk.lower > 0.95 && tail.lower > 0.9, 0],
    [
      'CART with donors shows much',
      (of, _, run) => synthesize(cartSynthesizer, of, { seed: run, options: {} }),
      high,
      0,
    ],
  ])('%s', async (_, make, expected, allowed) => {
    const found: { bulk: Found; tail: Found }[] = []
    const runs = repeats(5, 10)
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'verdicts')
      const original = people(1000, random)
      found.push(await evidence(original, await make(original, random, run)))
    }
    expect(found.filter(expected).length, JSON.stringify(found)).toBeGreaterThanOrEqual(runs - allowed)
  })

  it('is there in at most 6 % of honest releases, in each', async () => {
    const runs = repeats(60, 200)
    let [inBulk, inTail, sum] = [0, 0, 0]
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'honest')
      const of = release({ original: people(250, random), released: people(250, random) })
      const [bulk, tail] = [(await find(of)).leakage, (await memorisationTail(of)).releases[0].leakage]
      if (!bulk || !tail) throw new Error('no leakage')
      sum += bulk.value / runs
      if (shown(bulk)) inBulk++
      if (shown(tail)) inTail++
    }
    expect(inBulk / runs).toBeLessThanOrEqual(0.06)
    expect(inTail / runs).toBeLessThanOrEqual(0.06)
    expect(Math.abs(sum)).toBeLessThan(0.02)
  })
})

describe.skipIf(reference() === undefined)('on the case study of the vignette', () => {
  const load = (name: string) => referenceTable('golden', 'vignette', `case-${name}.csv`)

  it.each([
    ['a-independent', 0.435, 0.008323, { p: [0.5, 1], lower: [-1, 0], upper: [-1, 0] }],
    ['b-bootstrap-noise', 0.582, 0.005313, { p: [0, 1e-4], lower: [0.05, 0.3], upper: [0.05, 0.3] }],
    ['c-near-copy', 0.8485, 0.001213, { p: [0, 1e-12], lower: [0.6, 0.7], upper: [0.7, 0.8] }],
    ['original', 1, 0, { p: [0, 1e-12], lower: [0.98, 1], upper: [1, 1] }],
  ] as const)('%s', async (name, closer, toReleased, within) => {
    const original = await load('original')
    expect(columnOf(original, 'income').kind).toBe('numeric')
    const { details, leakage, people } = await find(release({ original, released: await load(name) }))
    // A record that is copied is nearest for sure, and would be by chance with ν: of 1,000 copies 1,000 people are concerned.
    expect(people).toBe(Math.round((1000 * Math.max(0, closer - 1000 / 1999)) / (1 - 1000 / 1999)))
    expect(details.chance).toBeCloseTo(1000 / 1999, 12)
    expect(details.closer).toBeCloseTo(closer, 12)
    expect(details.meanDistance.toReleased).toBeCloseTo(toReleased, 6)
    expect(details.meanDistance.toOthers).toBeCloseTo(0.006945, 6)
    expect(leakage?.value).toBeCloseTo((closer - 1000 / 1999) / (999 / 1999), 12)
    for (const of of ['p', 'lower', 'upper'] as const) {
      expect(leakage?.[of], of).toBeGreaterThanOrEqual(within[of][0] - 1e-12)
      expect(leakage?.[of], of).toBeLessThanOrEqual(within[of][1] + 1e-12)
    }
  })
})
