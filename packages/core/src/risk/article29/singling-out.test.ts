import { describe, expect, it } from 'vitest'
import type { RunOptions } from '../../measure.js'
import { singlingOut } from '../../peers/risk/article29/singling-out.js'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { type Interval, residualRisk } from '../../stats/intervals.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { categorical, numeric } from '../../table/column.js'
import { type Release, type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOfRows } from '../../table/table.js'
import { isLong } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'

type Options = Parameters<typeof singlingOut>[1]

async function find(of: Release, options?: Options, how?: RunOptions) {
  const [finding] = (await singlingOut(of, options, how)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

async function attackOf(of: Release, mode: 'multivariate' | 'univariate', options?: Options) {
  const { details } = await find(of, { ...options, mode })
  return details.attacks[0]
}

const NAMES = ['age', 'sex', 'job']

/** People: the released first record has the only 61-year-old, as has the original. */
const ORIGINAL = tableOfRows('original', NAMES, [
  [61, 'f', 'baker'],
  [33, 'f', 'clerk'],
  [35, 'm', 'clerk'],
  [35, 'm', 'smith'],
])
const RELEASED = tableOfRows('released', NAMES, [
  [61, 'm', 'clerk'],
  [33, 'f', 'clerk'],
  [35, 'f', 'baker'],
  [35, 'm', 'clerk'],
])
const HOLDOUT = tableOfRows('holdout', NAMES, [
  [33, 'f', 'clerk'],
  [40, 'm', 'smith'],
  [50, 'm', 'clerk'],
  [35, 'f', 'clerk'],
])

describe('a table that can be followed by hand', () => {
  const of = release({ original: ORIGINAL, released: RELEASED, holdout: HOLDOUT })

  it('univariate: ages 33 and 61 twice each, and the baker', async () => {
    const attack = await attackOf(of, 'univariate')
    // age ≤ 33, ≥ 61, = 33, = 61 and job = baker hold for one released record each.
    expect(attack.main).toMatchObject({ attacks: 5, successes: 5, rate: 1 })
    // Outside the release, age ≤ 33 and = 33 hold for one; nobody is 61 or a baker.
    expect(attack.control).toMatchObject({ attacks: 5, successes: 2 })
    expect(attack.comparison?.residual).toBeCloseTo((1 - 0.4) / (1 - 0.4), 12)
    expect(attack.people).toEqual({ singledOut: 2, mostPredicates: 3 })
    expect(attack.columns).toEqual([
      { column: 'age', predicates: 4, successes: 4 },
      { column: 'job', predicates: 1, successes: 1 },
      { column: 'sex', predicates: 0, successes: 0 },
    ])
    expect(attack.shapes).toEqual([
      { shape: 'age =', predicates: 2, successes: 2 },
      { shape: 'age ≤', predicates: 1, successes: 1 },
      { shape: 'age ≥', predicates: 1, successes: 1 },
      { shape: 'job =', predicates: 1, successes: 1 },
    ])
    expect(attack.matches.slice(0, 3)).toEqual([
      { records: 0, original: 0, holdout: 3 },
      { records: 1, original: 5, holdout: 2 },
      { records: 2, original: 0, holdout: 0 },
    ])
  })

  it('counts per record how many predicates single it out', async () => {
    const { records } = await find(of, { mode: 'univariate' }, { records: true })
    expect([...Array.from(records?.univariate ?? [])]).toEqual([3, 2, 0, 0])
  })

  it('multivariate: all pairs of columns that isolate', async () => {
    const attack = await attackOf(of, 'multivariate', { nColumns: 2 })
    // age (median 35: ≥ 61, ≤ 33, and 35 either way) with sex: ≥ 61 m; ≤ 33 f; ≤ 35 m; ≥ 35 f. With job: ≥ 61 clerk,
    // ≤ 33 clerk, ≤ 35 baker, ≥ 35 baker. Sex with job: f clerk, f baker; m clerk twice. In the original ≥ 61 m, ≥ 61 clerk
    // and ≤ 35 baker hold for nobody, ≤ 35 m for two, ≤ 33 f, ≥ 35 f, ≤ 33 clerk, ≥ 35 baker, f clerk and f baker for one.
    expect(attack.main).toMatchObject({ attacks: 10, successes: 6 })
    // Holdout: ≤ 33 f one, ≥ 35 f one, ≤ 33 clerk one, f clerk two.
    expect(attack.control).toMatchObject({ attacks: 10, successes: 3 })
    // As published, 35 is described by "at most" only: neither ≥ 35 f nor ≥ 35 baker.
    const published = await attackOf(of, 'multivariate', { nColumns: 2, definition: 'anonymeter' })
    expect(published.main).toMatchObject({ attacks: 8, successes: 4 })
    expect(published.control).toMatchObject({ attacks: 8, successes: 2 })
  })

  it('tells shapes of predicates, never values', async () => {
    expect(JSON.stringify(await find(of))).not.toMatch(/baker|clerk|smith/)
  })

  it('tells the finding in a sentence', async () => {
    expect((await find(of, { mode: 'univariate' })).sentence).toMatch(
      /^100\.0 % of 5 univariate predicates single out one of 4 people \(naive ones .* %, one of 4 outside the release 40\.0 %, residual risk 100\.0 %\)$/,
    )
  })

  it('stands between naive predicates and the original, beside what people outside the release would give', async () => {
    const { value, controls, effect, people: concerned } = await find(of, { mode: 'univariate' })
    expect(controls).toMatchObject({
      nothing: { value: expect.any(Number), se: null, what: 'naive predicates' },
      fair: { value: 0.4, se: null, what: 'people outside the release', basis: 'outsiders' },
      everything: { value: 1, se: null, what: 'the original itself' },
    })
    expect(value).toBe(1)
    // Of the original age ≤ 33, ≥ 61, = 33, = 61, job baker and smith single out; of those outside age ≤ 33, = 33 and smith.
    expect(effect).toMatchObject({ value: 0.6, ceiling: 0.5 })
    // Four people are too few for a scale.
    expect(concerned).toBeNull()
  })

  it('scales up what two people outside give', async () => {
    const fewer = release({ original: ORIGINAL, released: RELEASED, holdout: selectRows(HOLDOUT, [1, 2]) })
    const { controls, details, effect } = await find(fewer, { mode: 'univariate' })
    // Nobody of the two is singled out: nothing of the rate is there without the release.
    expect(details.attacks[0].comparison).toMatchObject({
      attack: expect.closeTo(2.5, 12),
      control: 0,
      residualAtSize: expect.closeTo(0.5, 12),
      residual: expect.closeTo(1, 12),
    })
    expect(controls?.fair?.value).toBeCloseTo(0, 12)
    expect(effect?.value).toBeCloseTo(1, 12)
    // Two of six people are no proof.
    expect(effect?.p).toBeGreaterThan(0.05)
    expect(effect?.lower).toBeLessThanOrEqual(0)
  })

  it('says so when there are fewer predicates than asked for', async () => {
    expect((await find(of, { nColumns: 2 })).warnings).toContain('only 10 of 2000 multivariate predicates were found')
  })
})

describe('evidence', () => {
  it('is none without a holdout, but for the place between naive predicates and the original', async () => {
    const found = await find(release({ original: ORIGINAL, released: RELEASED }), { mode: 'univariate' })
    expect(found.value).toBe(1)
    expect(found.exposure).toBe(1)
    expect(found.controls).not.toHaveProperty('fair')
    expect(found.effect).toBeUndefined()
    expect(found.leakage).toBeNull()
    expect(found.notAssessed).toEqual({ code: 'no-outsiders' })
  })

  it.each([400, 80, 20])('finds a copy of the original, with %d people outside it', async (size) => {
    const original = people('original', 400, 1)
    const found = await find(release({ original, released: original, holdout: people('holdout', size, 2) }))
    expect(found.value).toBe(1)
    expect(found.exposure).toBe(1)
    expect(found.effect?.value).toBe(found.effect?.ceiling)
    // Some hundred predicates of three columns are few beside twenty people, which the bounds tell; those of one column do.
    if (size === 400) expect(found).toMatchObject({ leakage: { value: 1, p: 0.001 }, people: 400 })
    else expect(found.notAssessed).toEqual({ code: 'no-scale' })
    const [{ what, leakage, people: concerned }] = found.looks ?? []
    expect(concerned).toBe(400)
    expect(what).toBe('predicates over one column')
    expect(leakage).toMatchObject({ value: 1, p: 0.001 })
    expect(leakage?.lower).toBeGreaterThan(0.7)
  })

  it('finds copies of every third record', async () => {
    const original = people('original', 600, 1)
    const fresh = people('fresh', 600, 3)
    const released = mix(fresh, original, (row) => row % 3 === 0)
    const found = await find(release({ original, released, holdout: people('holdout', 300, 2) }))
    const [{ leakage, effect, people: concerned }] = found.looks ?? []
    const { residual, p } = found.details.attacks[1].comparison ?? {}
    expect(residual).toBeGreaterThan(0.1)
    expect(residual).toBeLessThan(0.6)
    expect(effect?.p).toBe(p)
    expect(p).toBe(0.001)
    expect(leakage?.lower).toBeGreaterThan(0.1)
    expect(leakage?.upper).toBeLessThan(0.6)
    expect(concerned).toBe(Math.round(600 * (leakage?.value ?? 0)))
  })

  it('keeps its level, bounds and interval on honest releases', async () => {
    let rejected = 0
    let below = 0
    let beyond = 0
    const rates: { value: number | null; interval: Interval | null }[] = []
    const rounds = 40
    for (let round = 0; round < rounds; round++) {
      const of = release({
        original: people('original', 300, 10 * round + 1),
        released: people('released', 300, 10 * round + 2),
        holdout: people('holdout', 150, 10 * round + 3),
      })
      const { value, interval, effect } = await find(of, { attacks: 300, mode: 'multivariate' })
      if (effect === undefined) throw new Error('no effect')
      rates.push({ value, interval })
      if (effect.p <= 0.01) rejected++
      if (effect.lower > 0) below++
      if (effect.upper < 0) beyond++
    }
    expect(rejected).toBeLessThanOrEqual(2)
    // 5 % of 40 are 2.
    expect(below).toBeLessThanOrEqual(5)
    expect(beyond).toBeLessThanOrEqual(5)
    const truth = mean(rates.map(({ value }) => value ?? Number.NaN)) ?? Number.NaN
    const covered = rates.filter(({ interval }) => interval && interval.lower <= truth && truth <= interval.upper)
    expect(covered.length).toBeGreaterThanOrEqual(36)
  })

  it('names the groups that are singled out more than others', async () => {
    // Only people of the north are copied.
    const [original, fresh, holdout] = [1, 3, 2].map((seed) => people('people', 900, seed))
    const region = original.columns[2]
    const northern = (row: number) => region.kind === 'categorical' && region.levels[region.codes[row]] === 'north'
    const found = await find(release({ original, holdout, released: mix(fresh, original, northern) }), {
      mode: 'univariate',
    })
    expect(found.effect?.p).toBe(0.001)
    expect(found.drivers[0]).toMatchObject({ column: 'region', level: 'north' })
    expect(found.drivers[0].mean).toBeGreaterThan(found.drivers[0].overall)
  })

  it('shows that predicates of other people single out nobody, where those of the original would', async () => {
    const [original, holdout] = [1, 2].map((seed) => people('people', 200, seed))
    // A release of other people altogether: its rare values are nobody's.
    const released = tableOfRows(
      'released',
      ['age', 'sex', 'region', 'income'],
      Array.from({ length: 50 }, (_, row) => [200 + row, 'x', 'nowhere', -row]),
    )
    const found = await find(release({ original, released, holdout }))
    expect(found.value).toBe(0)
    expect(found.controls?.everything?.value).toBe(1)
    expect(found.effect).toMatchObject({ value: 0, p: 1 })
    expect(found.people).toBe(0)
    expect(found.leakage?.value).toBe(0)
    // As if one had succeeded by half on either side.
    const predicates = found.details.attacks[0].main.attacks
    expect(found.effect?.upper).toBeCloseTo(1.644854 / (predicates + 2), 6)
  })

  it('concerns no more people than the release has predicates', async () => {
    const answers = (name: string, rows: number, seed: number) => {
      const random = stream(seed, 'answers')
      const levels = () => Array.from({ length: rows }, () => 'abcde'[random.below(5)])
      return table(
        name,
        Array.from({ length: 6 }, (_, k) => categorical(`q${k}`, levels())),
      )
    }
    const [original, holdout] = [1, 2].map((seed) => answers('people', 200, seed))
    // Of 800 people hardly anybody stands alone by three answers.
    const found = await find(release({ original, released: answers('released', 800, 3), holdout }))
    const predicates = found.details.attacks[0].main.attacks
    expect(predicates).toBeGreaterThan(0)
    expect(predicates).toBeLessThan(40)
    expect(found.shareOfPeople?.reach).toBeGreaterThan(0.2)
    expect(found.shareOfPeople?.upper).toBeLessThanOrEqual(predicates / 200)
  })

  it('is none when people outside the release are always singled out', async () => {
    const of = release({ original: ORIGINAL, released: RELEASED, holdout: selectRows(RELEASED, [0, 1, 2, 3]) })
    const found = await find(of, { mode: 'univariate' })
    expect(found).toMatchObject({ value: 1, leakage: null })
    expect(found.effect).toBeUndefined()
    expect(found.notAssessed?.text).toBe('every predicate singles out somebody outside the release too')
  })

  it('is none when even the original would not be told from people outside', async () => {
    const original = tableOfRows('original', ['a'], [['x'], ['x'], ['y'], ['y']])
    const released = tableOfRows('released', ['a'], [['x'], ['y']])
    const found = await find(release({ original, released, holdout: original }), { mode: 'univariate' })
    expect(found).toMatchObject({ value: 0, people: null, leakage: null, effect: { value: 0, ceiling: 0 } })
    expect(found.notAssessed).toEqual({ code: 'no-scale' })
  })
})

describe('definitions', () => {
  const rows = [
    [20, 'a'],
    [20, 'a'],
    [30, null],
    [40, 'b'],
    [50, 'b'],
  ] as const
  const original = tableOfRows('original', ['age', 'job'], rows)
  const of = (input: Partial<ReleaseInput> = {}) =>
    release({ original, released: original, holdout: original, ...input })

  it('scrim counts every person, equal released records once, and missing values as such', async () => {
    const { details } = await find(of(), { mode: 'univariate' })
    expect(details.leftOut).toEqual({ original: 0, holdout: 0, released: 1 })
    // age ≤ 20, ≥ 50, four ages, job missing and a hold for one released record; ≤ 20, = 20 and a hold for two people.
    expect(details.attacks[0].main).toMatchObject({ attacks: 8, successes: 5 })
  })

  it('scrim does not care how often a released record is written', async () => {
    const repeated = selectRows(original, [0, 1, 2, 3, 4, 4, 3, 2, 3])
    const once = await find(of({ holdout: selectRows(original, [0, 2]) }))
    const often = await find(of({ holdout: selectRows(original, [0, 2]), released: repeated }))
    expect(often.details.leftOut.released).toBe(5)
    expect({ ...often, details: { ...often.details, leftOut: once.details.leftOut } }).toEqual(once)
  })

  it('anonymeter drops duplicates, samples, and divides by what was asked for', async () => {
    const found = await find(of({ holdout: selectRows(original, [0, 1]) }), {
      definition: 'anonymeter',
      mode: 'univariate',
      attacks: 100,
    })
    expect(found.details.leftOut).toEqual({ original: 1, holdout: 1, released: 1 })
    const [attack] = found.details.attacks
    // age ≤ 20, ≥ 50, four ages, job missing and a: all single out among distinct records.
    expect(attack.main).toMatchObject({ attacks: 8, successes: 8 })
    // 8 of 100 asked for, against 3 (age ≤ 20, = 20 and job a hold for the one record that is left) times the factor.
    expect(attack.control?.successes).toBe(3)
    const { sizeFactor } = attack.published?.anonymeter ?? {}
    const compared = residualRisk(8, 100, 3 * (sizeFactor ?? Number.NaN), 100)
    expect(attack.published?.anonymeter).toEqual({ ...compared?.deltaMethod, sizeFactor })
    const some = await find(of(), { definition: 'anonymeter', mode: 'univariate', attacks: 3 })
    expect(some.details.attacks[0].main.attacks).toBe(3)
    // Per record: the copy that was dropped has no score.
    const { records } = await find(of(), { definition: 'anonymeter', mode: 'univariate' }, { records: true })
    expect(Array.from(records?.univariate ?? [])).toEqual([3, Number.NaN, 2, 1, 2])
  })

  it('riskutility leaves out incomplete records and takes any predicate', async () => {
    const found = await find(of(), { definition: 'riskutility', attacks: 200, mode: 'univariate' })
    expect(found.details.leftOut).toEqual({ original: 1, holdout: 1, released: 1 })
    const [{ main, control, published: printed }] = found.details.attacks
    expect(main.attacks).toBe(200)
    expect(main.rate).toBeLessThan(0.5)
    const compared = residualRisk(main.successes, 200, control?.successes ?? 0, 200)
    expect(printed?.riskutility).toEqual({ risk: compared?.risk, interval: compared?.conservative, pass: true })
  })

  it('without a complete record has nothing to attack', async () => {
    const released = tableOfRows('released', ['age', 'job'], [[20, null]])
    const { releases } = await singlingOut(of({ released }), { definition: 'riskutility' })
    expect(releases[0]).toMatchObject({ status: 'not applicable', reason: { text: 'released has no complete record' } })
  })
})

describe('the same people written in another way', () => {
  const tables = () => ({
    original: people('original', 120, 1),
    released: people('released', 120, 2),
    holdout: people('holdout', 60, 3),
  })
  type Change = (of: Table, seed: number) => Table
  const shuffled: Change = (of, seed) => selectRows(of, permutation(stream(seed, 'rows'), of.rows))
  const turned: Change = (of) => table(of.name, of.columns.toReversed())
  const renamed: Change = (of) =>
    table(
      of.name,
      of.columns.map((column) =>
        column.kind === 'categorical'
          ? categorical(
              column.name,
              Array.from(column.codes, (code) => [...column.levels[code]].toReversed().join('')),
            )
          : column,
      ),
    )
  const mapped =
    (slope: number): Change =>
    (of) =>
      table(
        of.name,
        of.columns.map((column) =>
          column.kind === 'numeric'
            ? numeric(
                column.name,
                column.values.map((value) => slope * value + 5),
              )
            : column,
        ),
      )
  const changed = (change: Change, released = tables().released) =>
    release({
      original: change(tables().original, 11),
      released: change(released, 12),
      holdout: change(tables().holdout, 13),
    })

  it.each<[string, Change]>([
    ['rows in another order', shuffled],
    ['columns in another order', turned],
    ['levels with other names', renamed],
    ['numbers on another scale', mapped(3)],
    ['all of it', (of, seed) => mapped(0.5)(renamed(turned(shuffled(of, seed), seed), seed), seed)],
  ])('gives the same bits: %s', async (_, change) => {
    const options = { attacks: 200 }
    expect(await find(changed(change), options)).toEqual(await find(release(tables()), options))
  })

  it('leaks all there is to leak as the original in another order', async () => {
    const { original, holdout } = tables()
    const found = await find(release({ original, holdout, released: shuffled(original, 5) }))
    for (const { leakage } of [found, ...(found.looks ?? [])]) expect(leakage?.value ?? 1).toBe(1)
    expect(found.effect?.value).toBe(found.effect?.ceiling)
  })

  it('does not depend on what else is released', async () => {
    const { original, released, holdout } = tables()
    const together = release({ original, released: [people('other', 90, 4), released], holdout })
    const [, second] = (await singlingOut(together, { attacks: 200 })).releases
    const alone = await find(release({ original, released, holdout }), { attacks: 200 })
    expect({ ...second, warnings: [] }).toEqual({ ...alone, warnings: [] })
  })

  describe('with numbers of the other sign', () => {
    /** Two in three people have no gain, which is also the least: the median is an end. */
    const gainful = (seed: number) => {
      const of = people('people', 150, seed)
      const random = stream(seed, 'gain')
      const gain = Array.from({ length: of.rows }, () => (random.below(3) > 0 ? 0 : random.below(1000)))
      return table(of.name, [...of.columns, numeric('gain', gain)])
    }
    const counts = async (slope: number, options: Options, round = 0) => {
      const [original, released, holdout] = [1, 2, 3].map((k) => mapped(slope)(gainful(10 * round + k), 0))
      const { main, control, comparison } = await attackOf(
        release({ original, released, holdout }),
        'multivariate',
        options,
      )
      return { main, control, atEqualSize: comparison?.attack ?? Number.NaN }
    }

    it('all predicates together single out the same', async () => {
      const all = async (slope: number, definition: 'scrim' | 'anonymeter') => {
        const { main, control, atEqualSize } = await counts(slope, { attacks: 100_000, definition })
        return [main.attacks, main.successes, control?.successes, Number(atEqualSize.toFixed(9))]
      }
      expect(await all(-1, 'scrim')).toEqual(await all(1, 'scrim'))
      expect(await all(-1, 'anonymeter')).not.toEqual(await all(1, 'anonymeter'))
    })

    it('some of them do on average', async () => {
      const rates: number[] = []
      const differences: number[] = []
      for (let round = 0; round < 20; round++) {
        const [plain, reflected] = [await counts(1, { attacks: 200 }, round), await counts(-1, { attacks: 200 }, round)]
        rates.push(plain.main.rate)
        differences.push(reflected.main.rate - plain.main.rate)
      }
      const se = (standardDeviation(differences) ?? Number.NaN) / Math.sqrt(differences.length)
      expect(Math.abs(mean(differences) ?? Number.NaN)).toBeLessThan(3 * se)
      expect(se).toBeLessThan(0.1 * (mean(rates) ?? 0))
    })
  })
})

describe('what cannot be attacked', () => {
  it('is a release in which no record stands out', async () => {
    // All combinations of four columns: any three columns are shared by two records.
    const all = Array.from({ length: 16 }, (_, k) => [1, 2, 4, 8].map((bit) => (k & bit ? 'yes' : 'no')))
    const released = tableOfRows('released', ['a', 'b', 'c', 'd'], all)
    const { releases } = await singlingOut(release({ original: released, released }))
    expect(releases[0]).toMatchObject({
      status: 'not applicable',
      reason: { text: 'released has no record that a predicate isolates' },
    })
  })

  it('by one kind of predicates may be by the other', async () => {
    const released = tableOfRows(
      'released',
      ['sex', 'job'],
      [
        ['m', 'clerk'],
        ['m', 'baker'],
        ['f', 'clerk'],
        ['f', 'baker'],
      ],
    )
    const found = await find(release({ original: ORIGINAL, released, holdout: HOLDOUT }))
    expect(found.details.attacks.map(({ mode }) => mode)).toEqual(['multivariate'])
    expect(found.warnings).toContain('no univariate predicate holds for a single released record')
  })
})

describe.skipIf(reference() === undefined)("riskutility's vignette", () => {
  const load = async (released: string) => {
    const [original, holdout, one] = await Promise.all(
      ['train', 'holdout', released].map((name) => referenceTable('golden', 'vignette', `${name}.csv`)),
    )
    return release({ original, holdout, released: one })
  }

  // All predicates of all records, counted by looking at every row, outside scrim. In the published way one predicate less
  // isolates: one of the synthetic records has the median of a column.
  it.each([
    ['synthetic', 'anonymeter', 3, 224, 34, 28, 27.9116309646],
    ['near-copy', 'anonymeter', 3, 274, 93, 41, 45.2603356529],
    ['synthetic', 'anonymeter', 2, 33, 7, 3, 3.64672988704],
    ['near-copy', 'anonymeter', 2, 52, 14, 10, 8.38612785298],
    ['synthetic', 'scrim', 3, 225, 34, 28, 28.2321821024],
    ['near-copy', 'scrim', 3, 274, 93, 41, 45.2603356529],
    ['synthetic', 'scrim', 2, 33, 7, 3, 3.64672988704],
    ['near-copy', 'scrim', 2, 52, 14, 10, 8.38612785298],
  ] as const)(
    '%s by %s: all isolating predicates of %d columns',
    async (released, definition, nColumns, isolating, inT, inH, expected) => {
      const attack = await attackOf(await load(released), 'multivariate', { definition, nColumns, attacks: 5000 })
      expect(attack.main).toMatchObject({ attacks: isolating, successes: inT })
      expect(attack.control?.successes).toBe(inH)
      expect(attack.comparison?.attack).toBeCloseTo(expected, 8)
    },
  )

  it.each([
    ['synthetic', 502, 2, 2, 0.857142857143],
    ['near-copy', 500, 2, 3, 1.34496055388],
  ])('%s: all univariate predicates', async (released, isolating, inT, inH, expected) => {
    const attack = await attackOf(await load(released), 'univariate')
    expect(attack.main).toMatchObject({ attacks: isolating, successes: inT })
    expect(attack.control?.successes).toBe(inH)
    expect(attack.comparison?.attack).toBeCloseTo(expected, 8)
  })

  it("riskutility's rates are those of all 5,000 predicates, up to chance", async () => {
    const attack = await attackOf(await load('synthetic'), 'multivariate', {
      definition: 'riskutility',
      attacks: 5000,
    })
    expect(Math.abs(attack.main.rate - 0.0666)).toBeLessThan(4 * Math.sqrt((0.0666 * 0.9334) / 5000))
    expect(Math.abs((attack.control?.rate ?? 0) - 0.1518)).toBeLessThan(4 * Math.sqrt((0.1518 * 0.8482) / 5000))
  })

  it('does not see a near copy that was made from the holdout too', async () => {
    // The near copy was made from all 500 records, so people in and outside the release are alike.
    const { effect, looks } = await find(await load('near-copy'))
    for (const one of [effect, ...(looks ?? []).map((look) => look.effect)]) expect(one?.p).toBeGreaterThan(0.05)
  })
})

describe.skipIf(reference() === undefined)('Adult, synthesized by CTGAN', () => {
  const loaded = reference() === undefined ? null : loadAdult()

  it('all univariate predicates', async () => {
    const found = await find(await adult(loaded), { mode: 'univariate' })
    const [attack] = found.details.attacks
    expect(attack.main).toMatchObject({ attacks: 35_900, successes: 1660 })
    expect(attack.main.rate).toBeCloseTo(0.04624, 5)
    expect(attack.control).toMatchObject({ successes: 760 })
    expect(attack.control?.rate).toBeCloseTo(0.02117, 5)
    expect(attack.comparison?.attack).toBeCloseTo(758.03, 2)
    expect(attack.comparison?.residualAtSize).toBeCloseTo(-0.00006, 5)
    expect(found.effect?.p).toBeGreaterThan(0.1)
    expect(found.leakage?.upper).toBeLessThan(0.02)
    const tried = attack.columns.filter(({ predicates }) => predicates > 0)
    expect(tried.map(({ column, predicates }) => [column, predicates])).toEqual([
      ['capital_gain', 1196],
      ['capital_loss', 128],
      ['fnlwgt', 34_571],
      ['hr_per_week', 5],
    ])
  })

  it('predicates of four columns single out as often as in five published runs', async () => {
    const found = await find(await adult(loaded), { mode: 'multivariate', nColumns: 4, attacks: 2500 })
    const [attack] = found.details.attacks
    // 63, 84, 64, 60, 68 of 500 in the original; 50, 37, 61, 57, 54 in the control; naive 24, 14, 16, 27, 23;
    // 246.9 expected at equal size. Two binomial samples of 2,500.
    const near = (successes: number, published: number) =>
      expect(Math.abs(successes - published)).toBeLessThan(4 * Math.sqrt(2 * published))
    near(attack.main.successes, 339)
    near(attack.control?.successes ?? 0, 259)
    near(attack.naive.successes, 104)
    near(attack.comparison?.attack ?? 0, 246.9)
    expect(found.effect?.p).toBeGreaterThan(0.05)
    expect(found.leakage?.upper).toBeLessThan(0.2)
  })

  it.skipIf(!isLong)("anonymeter's fitted correction makes a risk of the same predicates", async () => {
    const attack = await attackOf(await adult(loaded), 'multivariate', {
      definition: 'anonymeter',
      nColumns: 4,
      attacks: 500,
    })
    expect(attack.published?.anonymeter.sizeFactor).toBeGreaterThan(0.3)
    expect(attack.published?.anonymeter.sizeFactor).toBeLessThan(1.2)
    expect(attack.published?.anonymeter.risk).toBeGreaterThan(attack.comparison?.residualAtSize ?? 1)
  })
})

function loadAdult(): Promise<Table[]> {
  return Promise.all(
    ['train', 'control', 'syn_ctgan'].map((name) => referenceTable('data', 'adult', `adults_${name}.csv`)),
  )
}

async function adult(loaded: Promise<Table[]> | null): Promise<Release> {
  const [original, holdout, released] = (await loaded) ?? []
  return release({ original, holdout, released })
}

const REGIONS = ['north', 'south', 'east', 'west']

/** Draws from one population: income depends on age. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const age = Array.from({ length: rows }, () => 18 + random.below(60))
  return table(name, [
    numeric('age', age),
    categorical(
      'sex',
      age.map(() => (random.below(2) === 0 ? 'f' : 'm')),
    ),
    categorical(
      'region',
      age.map(() => REGIONS[random.below(4)]),
    ),
    numeric(
      'income',
      age.map((years) => Math.round(1000 + 30 * years + drawNormal(random, 0, 400))),
    ),
  ])
}

/** Rows of the second table where chosen, of the first elsewhere. */
function mix(first: Table, second: Table, choose: (row: number) => boolean): Table {
  return table(
    first.name,
    first.columns.map((column, j) => {
      const other = second.columns[j]
      if (column.kind === 'categorical' && other.kind === 'categorical')
        return categorical(
          column.name,
          Array.from(column.codes, (code, row) => (choose(row) ? other.levels[other.codes[row]] : column.levels[code])),
        )
      if (column.kind !== 'numeric' || other.kind !== 'numeric') throw new Error('the tables differ')
      return numeric(
        column.name,
        column.values.map((value, row) => (choose(row) ? other.values[row] : value)),
      )
    }),
  )
}
