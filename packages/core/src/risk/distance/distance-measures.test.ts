import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import type { AnyMeasure } from '../../measure.js'
import { type Stream, stream } from '../../random/stream.js'
import { type Column, categorical, numeric } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { dcr } from './dcr.js'
import { hittingRate } from './hitting-rate.js'
import { identicalMatches } from './identical-matches.js'
import { nndr } from './nndr.js'

/** What the measures that compare training with holdout records must do whatever the data: stay silent, and speak up. */
const FEW_LABELLINGS = { permutations: 199 }
const LEAST_P = 1 / 200
const measures: readonly (readonly [string, AnyMeasure, object])[] = [
  ['dcr', dcr, {}],
  ['nndr', nndr, FEW_LABELLINGS],
  ['identical-matches', identicalMatches, {}],
  ['hitting-rate', hittingRate, {}],
]

/** Two numbers that depend on each other and two categories; coarse numbers coincide. */
function people(name: string, rows: number, random: Stream, coarse = false): Table {
  const many = <T>(draw: () => T) => Array.from({ length: rows }, draw)
  const bell = () => random.uniform() + random.uniform() + random.uniform() - 1.5
  const x = many(bell)
  const y = x.map((of) => of + bell())
  const cut = (of: number) => (coarse ? Math.round(4 * of) : of)
  return table(name, [
    numeric('x', x.map(cut)),
    numeric('y', y.map(cut)),
    categorical(
      'a',
      many(() => 'abc'[random.below(3)]),
    ),
    categorical(
      'b',
      many(() => 'pq'[random.below(2)]),
    ),
  ])
}

const mapNumbers = (of: Table, change: (value: number) => number): Table =>
  table(
    of.name,
    of.columns.map((column) => (column.kind === 'numeric' ? { ...column, values: column.values.map(change) } : column)),
  )

/** The first records of one table in place of the first of another. */
const withFirst = (into: Table, from: Table, count: number): Table =>
  table(
    into.name,
    into.columns.map((column, j): Column => {
      const other = from.columns[j]
      if (column.kind === 'numeric' && other.kind === 'numeric')
        return { ...column, values: column.values.map((value, row) => (row < count ? other.values[row] : value)) }
      if (column.kind === 'categorical' && other.kind === 'categorical')
        return categorical(
          column.name,
          Array.from(column.codes, (code, row) => (row < count ? other.levels[other.codes[row]] : column.levels[code])),
        )
      throw new Error('the tables have other columns')
    }),
  )

const effectOf = async (measure: AnyMeasure, input: ReleaseInput, options: object) => {
  const { effect, reason } = (await measure.run(release(input), options)).releases[0]
  if (effect === undefined) throw new Error(reason?.text)
  return effect
}

describe.each(measures)('%s', (_, measure, options) => {
  it('stays silent on honest releases: equal sizes, and coarse data with a small holdout', async () => {
    const replicates = repeats(40, 100)
    let [found, surely, sum] = [0, 0, 0]
    for (let k = 0; k < replicates; k++) {
      const random = stream(k, 'honest')
      const coarse = k % 2 === 1
      const draw = (name: string, rows: number) => people(name, rows, random, coarse)
      const input = { original: draw('t', 200), holdout: draw('h', coarse ? 80 : 200), released: draw('s', 200) }
      const { p, value, lower } = await effectOf(measure, input, options)
      if (p < 0.01) found++
      if (lower > 0) surely++
      sum += value
    }
    expect(found / replicates).toBeLessThanOrEqual(0.04)
    expect(surely / replicates).toBeLessThanOrEqual(0.1)
    expect(Math.abs(sum / replicates)).toBeLessThan(0.02)
  })

  it.each([
    ['as many people outside', 200],
    ['a small holdout', 60],
  ])('finds a release that is the original, with %s', async (_sizes, nH) => {
    const random = stream(1, 'copy')
    const original = people('t', 200, random)
    const result = await measure.run(
      release({ original, released: original, holdout: people('h', nH, random) }),
      options,
    )
    const { leakage } = result.releases[0]
    expect(result.value).toBeGreaterThan(0.99)
    expect(Math.abs((leakage?.value ?? 0) - 1)).toBeLessThan(0.02)
    expect(leakage?.lower).toBeGreaterThan(0.8)
    expect(leakage?.p).toBeLessThanOrEqual(LEAST_P)
  })

  it('is the surer of a release that is the original the more people there are outside', async () => {
    const original = people('t', 200, stream(1, 'copy'))
    const lower = async (nH: number) => {
      const holdout = people('h', nH, stream(2, 'outside'))
      const found = (await measure.run(release({ original, released: original, holdout }), options)).releases[0]
      return (found.effect?.lower ?? 0) / (found.effect?.ceiling ?? 1 - (found.controls?.fair?.value ?? 0))
    }
    const [few, some, many] = [await lower(5), await lower(30), await lower(200)]
    if (measure !== identicalMatches) expect(few).toBeLessThan(0.05 ** (1 / 5) + 0.01)
    expect(some).toBeGreaterThanOrEqual(few)
    expect(many).toBeGreaterThanOrEqual(some)
  })

  it('finds near-copies, unless it looks at identical records only', async () => {
    const random = stream(2, 'near-copy')
    const original = people('t', 200, random)
    const released = mapNumbers(original, (value) => value + 0.02 * (random.uniform() - 0.5))
    const { p, lower } = await effectOf(measure, { original, released, holdout: people('h', 200, random) }, options)
    if (measure === identicalMatches) expect({ p, lower }).toEqual({ p: 1, lower: expect.closeTo(-0.0133, 3) })
    else {
      expect(p).toBeLessThanOrEqual(LEAST_P)
      expect(lower).toBeGreaterThan(0.2)
    }
  })

  it.each<[string, Partial<ReleaseInput>]>([
    ['one row each', { original: rows(1), released: rows(1, 's'), holdout: rows(1, 'h') }],
    ['one released row', { released: rows(1, 's') }],
    ['two holdout rows', { holdout: rows(2, 'h') }],
    ['constant columns', { original: constant('t'), released: constant('s'), holdout: constant('h') }],
    ['a constant release', { released: constant('s') }],
    ['a constant holdout', { holdout: constant('h') }],
    ['nothing but missing values in the release', { released: missing('s') }],
    ['nothing but missing values', { original: missing('t'), released: missing('s'), holdout: missing('h') }],
    ['three syntheses', { released: [rows(30, 's'), rows(20, 's2'), rows(40, 't')] }],
    ['no holdout', { holdout: undefined }],
    ['a holdout that is the original', { holdout: rows(40, 't') }],
  ])('is sound with %s', async (_case, input) => {
    const usual = { original: rows(40, 't'), released: rows(40, 's'), holdout: rows(30, 'h') }
    const result = await measure.run(release({ ...usual, ...input }), options)
    expect(['ok', 'not applicable'], result.reason?.code).toContain(result.status)
    expect(nonFinitePath(JSON.parse(JSON.stringify(result)))).toBeUndefined()
    for (const finding of result.releases) {
      expect(finding.status, finding.reason?.code).not.toBe('failed')
      if (finding.value === null || finding.details === null) continue
      expect(finding.value).toBeGreaterThanOrEqual(0)
      expect(finding.value).toBeLessThanOrEqual(1)
      expect(finding.interval?.lower).toBeLessThanOrEqual(finding.value)
      expect(finding.interval?.upper).toBeGreaterThanOrEqual(finding.value)
      expect(finding.sentence).not.toMatch(/NaN|undefined|null|Infinity/)
      if (input.holdout === undefined && 'holdout' in input && measure === hittingRate)
        expect(finding.notAssessed).toEqual({ code: 'no-outsiders' })
      const charts = measure.charts(
        { ...finding, details: finding.details },
        { name: 's', original: null, targets: [] },
      )
      expect(charts.length).toBeGreaterThan(0)
      for (const chart of charts) expect(nonFinitePath(chart.spec)).toBeUndefined()
    }
  })

  it('gives the same numbers wherever it runs', async () => {
    const of = release({ original: rows(40, 't'), released: rows(40, 's'), holdout: rows(30, 'h') })
    expect(await measure.run(of, options, { tasks: shuffledRunner(3) })).toEqual(await measure.run(of, options))
  })

  it('keeps to complete records when asked, and says how many are left out', async () => {
    const original = withFirst(rows(40, 't'), missing('t', 40), 5)
    const of = release({ original, released: rows(40, 's'), holdout: rows(30, 'h') })
    const result = await measure.run(of, { ...options, missing: 'drop' }, { records: true })
    expect(result.releases[0].warnings).toContain('5 incomplete records of t left out')
    expect(result.releases[0].details).toMatchObject({ records: { training: 35, holdout: 30, released: 40 } })
    for (const scores of Object.values(result.releases[0].records ?? {})) expect(scores.length).toBe(40)
  })
})

describe('5 % of the training records inside independent data', () => {
  const random = stream(3, 'some copies')
  const original = people('t', 400, random)
  const holdout = people('h', 400, random)
  const released = withFirst(people('s', 400, random), original, 20)

  it('are found by identical-matches, with people outside or without', async () => {
    for (const input of [
      { original, released, holdout },
      { original, released },
    ]) {
      const { effect, leakage } = (await identicalMatches(release(input))).releases[0]
      expect(effect?.value).toBeCloseTo(0.05, 12)
      expect(leakage?.value).toBeCloseTo(0.05, 12)
      expect(effect?.p).toBeLessThan(1e-4)
    }
  })

  it('are too few for dcr, which takes some 10,000 records to show 5 %', async () => {
    const { p, lower, upper } = await effectOf(dcr, { original, holdout, released }, {})
    expect(p).toBeGreaterThan(0.01)
    expect(lower).toBeLessThan(0.025)
    expect(upper).toBeGreaterThan(0.025)
  })
})

it.each([
  ['nndr', nndr],
  ['hitting-rate', hittingRate],
] as const)('%s finds 15 percent of near-copies inside independent data', async (_, measure) => {
  const random = stream(4, 'some near-copies')
  const original = people('t', 400, random)
  const near = mapNumbers(original, (value) => value + 0.005 * (random.uniform() - 0.5))
  const released = withFirst(people('s', 400, random), near, 60)
  for (const rowsOfHoldout of [400, 200]) {
    const holdout = people('h', rowsOfHoldout, random)
    const { p, value, lower } = await effectOf(measure, { original, holdout, released }, {})
    expect(p).toBeLessThan(0.01)
    expect(value).toBeGreaterThan(0.05)
    expect(lower).toBeGreaterThan(0)
  }
})

function rows(count: number, name = 't'): Table {
  return people(name, count, stream(9, name), true)
}

function constant(name: string, count = 40): Table {
  return selectRows(rows(count, name), new Int32Array(count))
}

function missing(name: string, count = 40): Table {
  return table(
    name,
    rows(count, name).columns.map((column) =>
      column.kind === 'categorical'
        ? { ...column, codes: column.codes.map(() => -1) }
        : { ...column, values: column.values.map(() => Number.NaN) },
    ),
  )
}
