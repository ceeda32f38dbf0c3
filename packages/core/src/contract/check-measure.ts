import { nonFinitePath } from '../json.js'
import type { AnyMeasure, RecordScores, Result } from '../measure.js'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { riskiestFirst, scoreMeaning } from '../report/findings/record-scores.js'
import { normalQuantile } from '../stats/distributions.js'
import type { Interval } from '../stats/intervals.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { release } from '../table/release.js'
import { selectRows, table } from '../table/table.js'
import { findingsOf, must, mustBeSound, ROUNDING } from './sound.js'
import {
  COPY,
  constant,
  halfCopied,
  holdout,
  inAllFiles,
  independent,
  inRelease,
  isAlone,
  isCopied,
  NUMERIC_TARGET,
  oddlyNamed,
  original,
  people,
  ROLES,
  ROWS,
  renamedLevels,
  subject,
  type Variation,
  withDates,
  withoutValues,
} from './subjects.js'

/**
 * The contract of measures: what must hold for any of them, whatever it measures. Every measure of scrim is held to it, and
 * somebody else's can be, with any test runner:
 *
 *   await checkMeasure(myMeasure)                                   throws everything that does not hold
 *   for (const { name, run } of measureChecks(myMeasure)) it(name, run)   one test each
 */
export async function checkMeasure(measure: AnyMeasure, settings: CheckSettings = {}): Promise<void> {
  const broken: string[] = []
  for (const { name, run } of measureChecks(measure, settings))
    await run().catch((error: unknown) => broken.push(`${name}: ${error instanceof Error ? error.message : error}`))
  if (broken.length > 0) throw new Error([`${measure.id} breaks the contract of measures:`, ...broken].join('\n  '))
}

export interface CheckSettings {
  /** Options with which the measure is fast: fewer trees, fewer permutations. */
  readonly options?: object
  /**
   * The headline draws, and no interval is known for it; what another seed does stands for the standard error. As such headlines
   * jump between few values, six of these are allowed.
   */
  readonly overSeeds?: boolean
}

export interface MeasureCheck {
  readonly name: string
  readonly run: () => Promise<void>
}

export function measureChecks(measure: AnyMeasure, settings: CheckSettings = {}): readonly MeasureCheck[] {
  const run = (variation: Variation = {}, seed = 1): Promise<Result> =>
    measure.run(subject(measure, variation), settings.options ?? {}, { seed })
  const recordsOf = async (variation: Variation = {}): Promise<RecordScores> => {
    const { releases } = await measure.run(subject(measure, variation), settings.options ?? {}, { records: true })
    return releases[0]?.records ?? {}
  }
  const usualResult = once(() => run())
  const resultOfCopy = once(() => run(COPY))
  const spreadOverSeeds = once(async () => {
    const values: number[] = []
    for (const seed of SEEDS) values.push((await run({}, seed)).value ?? Number.NaN)
    return standardDeviation(values) ?? Number.NaN
  })

  /**
   * A measure that draws over rows gives another draw for another order: as near as two draws with its own standard error
   * are, four of these. All others, and those without an interval, give the same number.
   */
  const mustBeUnmoved = async (variation: Variation) => {
    const other = headlines(await run(variation))
    const overSeeds = settings.overSeeds ? await spreadOverSeeds() : 0
    for (const [k, { value, interval }] of headlines(await usualResult()).entries()) {
      const moved = other[k].value
      if (value === null || moved === null) must(moved === value, `${moved} for ${value}`)
      else {
        const se = measure.stochastic && interval !== null ? standardError(value, interval) : overSeeds
        const times = settings.overSeeds ? 6 : 4
        must(Math.abs(moved - value) <= Math.max(times * Math.SQRT2 * se, 1e-9), `${moved} for ${value}`)
      }
    }
  }

  const isEvidence = measure.role === 'decides' || measure.role === 'supports'
  const checks: Readonly<Record<string, () => void | Promise<void>>> = {
    async 'gives a sound, JSON-safe result with pictures'() {
      const result = await usualResult()
      mustBeSound(measure, result)
      if (settings.overSeeds) must(result.interval === null, 'has an interval, and needs no spread over seeds')
      must(result.status === 'ok', `is ${result.status}: ${JSON.stringify(result.reason)}`)
      must(result.measure === measure.id && result.version === measure.version && result.seed === 1, 'says whose it is')
      for (const finding of result.releases) {
        mustHaveCharts(measure, result, finding)
        mustHaveWholeTables(measure, finding)
      }
    },
    async 'keeps per-record scores to itself unless asked, one per row'() {
      const [finding] = (await usualResult()).releases
      must(!('records' in finding) && !('added' in finding), 'gives scores of records that nobody asked for')
      for (const [name, scores] of Object.entries(await recordsOf()))
        must(scores.length === ROWS, `${name} has ${scores.length} scores`)
    },
    async 'declares every score of records that it gives, and gives every one that it declares'() {
      const scoreNames = [await recordsOf(), await recordsOf(NUMERIC_TARGET)].flatMap(Object.keys)
      for (const score of scoreNames) must(scoreMeaning(measure, score) !== undefined, `${score} is not declared`)
      for (const declared of Object.keys(measure.records ?? {}))
        must(
          scoreNames.some((score) => scoreMeaning(measure, score) === scoreMeaning(measure, declared)),
          `${declared} is not given`,
        )
    },
    'puts those first who are most at risk, with classes': () => mustPutTheRiskiestFirst({}),
    'puts those first who are most at risk, with a numeric target': () => mustPutTheRiskiestFirst(NUMERIC_TARGET),
    async 'gives the same result for the same seed'() {
      must(JSON.stringify(await run()) === JSON.stringify(await usualResult()), 'another result')
    },
    'does not depend on the order of rows'() {
      const order = permutation(stream(3, 'rows'), ROWS)
      return mustBeUnmoved({ original: selectRows(original, order), released: selectRows(independent, order) })
    },
    'does not depend on the order of columns or keys': () =>
      mustBeUnmoved({
        original: table('original', original.columns.toReversed()),
        released: table('independent', independent.columns.toReversed()),
        keys: ROLES.keys.toReversed(),
      }),
    'does not depend on the names of levels': () => mustBeUnmoved(inAllFiles(renamedLevels)),
    async 'finds a copy of the original at least as risky as an independent file'() {
      const [copy, fresh] = [await resultOfCopy(), await usualResult()]
      mustBeSound(measure, copy)
      if (measure.scope === 'file')
        must(Math.abs((copy.value ?? 0) - (copy.original?.value ?? Number.NaN)) < ROUNDING, 'two values of one file')
      else if (measure.orientation === 'risk' && copy.value !== null && fresh.value !== null && isEvidence)
        must(copy.value >= fresh.value - slackOf(measure, fresh), `${copy.value} for a copy, ${fresh.value} without`)
    },
    async 'finds that the original itself leaks all there is to leak'() {
      // A measure of the generator makes its own releases, whatever the file is.
      if (!isEvidence || measure.about === 'generator') return
      const [finding] = (await resultOfCopy()).releases
      for (const { leakage } of [finding, ...(finding.looks ?? [])])
        if (leakage !== null)
          must(Math.abs(leakage.value - 1) <= 3 * (leakage.se ?? 0) + 1e-9, `leakage ${leakage.value} of a copy`)
    },
    async 'refuses unknown options, and runs without what it needs'() {
      const refusal = await measure.run(subject(measure), { noSuchOption: 1 }).catch(String)
      must(String(refusal).includes('unknown option "noSuchOption"'), 'takes any option')
      if (measure.needs.length === 0) return
      const { status, value, reason } = await measure.run(release({ original, released: independent }))
      must(status === 'not applicable' && value === null && reason?.code === 'needs', 'runs without what it needs')
    },
    'says what it is evidence for, and in which unit'() {
      must(Boolean(measure.unit), 'no unit')
      must((measure.threat !== undefined) === (measure.orientation === 'risk'), 'a threat belongs to a measure of risk')
      must((measure.role === 'structure') === (measure.scope === 'file'), 'structure is what looks at one file')
      must(measure.orientation !== 'risk' || Boolean(measure.blindTo), 'does not say what it is blind to')
      must((measure.about === 'generator') === measure.needs.includes('generator'), 'needs the generator it is about')
    },
    'has its literature: thresholds with a source, options with a description'() {
      for (const threshold of measure.thresholds.literature)
        must(Boolean(threshold.source), 'a threshold without source')
      for (const [name, option] of Object.entries(measure.options.shape))
        must(Boolean((option as { description?: string }).description), `option ${name} has no description`)
    },
  }
  const variations = Object.entries(VARIATIONS).map(
    ([name, variation]): MeasureCheck => ({
      name: `is sound with ${name}`,
      run: async () => mustBeSound(measure, await run(variation)),
    }),
  )
  return [...Object.entries(checks).map(([name, check]) => ({ name, run: async () => check() })), ...variations]

  async function mustPutTheRiskiestFirst(variation: Variation): Promise<void> {
    // A measure of the generator makes its own releases.
    if (measure.about === 'generator') return
    const scores = await recordsOf({ ...variation, released: measure.scope === 'file' ? original : halfCopied })
    if (!Object.keys(scores).some((name) => (scoreMeaning(measure, name)?.riskier ?? null) !== null)) return
    const order = riskiestFirst(measure, scores)
    const isAtRisk = measure.scope === 'file' ? isAlone : isCopied
    const places = [...order.keys()]
    const atRisk = mean(places.filter((place) => isAtRisk(order[place])))
    const others = mean(places.filter((place) => !isAtRisk(order[place])))
    must((atRisk ?? 0) < (others ?? 0), `those at risk have place ${atRisk} on average, the others ${others}`)
  }
}

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]

const VARIATIONS: Readonly<Record<string, Variation>> = {
  'one row': {
    original: selectRows(original, [0]),
    released: selectRows(independent, [0]),
    holdout: selectRows(holdout, [0]),
  },
  'one released row': { released: selectRows(independent, [0]) },
  'constant columns': inAllFiles(constant),
  'a constant release': inRelease(constant),
  'missing values': {
    original: people('o', 60, stream(1, 'o'), true),
    released: people('s', 70, stream(1, 's'), true),
  },
  'missing values in a perturbed release': {
    original: people('o', 60, stream(1, 'o')),
    released: people('s', 60, stream(1, 's'), true),
    type: 'perturbed',
  },
  'a release without a single value': inRelease(withoutValues),
  'no holdout and no weights': { holdout: undefined, weight: undefined },
  'a synthetic release': { type: 'synthetic' },
  'three syntheses': { released: [independent, people('second', 50, stream(1, 'second')), original] },
  'a numeric target': NUMERIC_TARGET,
  'several targets': { target: ['disease', 'income'] },
  'levels that only the release has': inRelease(renamedLevels),
  dates: { ...inAllFiles(withDates), holdout: undefined },
  'awkward column names': oddlyNamed,
  'one key': { keys: ['region'] },
}

function once<T>(compute: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () => {
    known ??= compute()
    return known
  }
}

/** The figures that must not move: headline, the original's headline, and each release's. */
const headlines = (result: Result) =>
  [result, ...findingsOf(result)].map(({ value, interval }) => ({ value, interval }))

function standardError(value: number, { lower, upper, level }: Interval): number {
  return Math.max(upper - value, value - lower) / normalQuantile((1 + level) / 2)
}

/** A model that fresh records happen to teach well may know 80 people better than one of their own records. */
function slackOf(measure: AnyMeasure, { value, interval }: Result): number {
  return measure.stochastic && value !== null && interval !== null ? standardError(value, interval) : ROUNDING
}

/** A table that is declared is whole: every cell has a column, and no number is none. */
function mustHaveWholeTables(measure: AnyMeasure, finding: Result['releases'][number]): void {
  if (finding.details === null) return
  const tables = measure.tables?.({ ...finding, details: finding.details }, finding) ?? []
  must(new Set(tables.map((table) => table.name)).size === tables.length, 'has two tables of one name')
  for (const { name, columns, rows } of tables) {
    must(
      rows.every((row) => row.length === columns.length),
      `table ${name} has a row of another length than its columns`,
    )
    must(!rows.flat().some((cell) => typeof cell === 'number' && !Number.isFinite(cell)), `table ${name} is not finite`)
  }
}

function mustHaveCharts(measure: AnyMeasure, result: Result, finding: Result['releases'][number]): void {
  if (finding.details === null) throw new Error(finding.reason?.text)
  const { original: ofOriginal } = result
  const charts = measure.charts(
    { ...finding, details: finding.details },
    {
      name: finding.name,
      original: ofOriginal?.details ? { ...ofOriginal, details: ofOriginal.details } : null,
      targets: [],
    },
  )
  must(charts.length > 0, 'has no picture')
  must(new Set(charts.map((chart) => chart.name)).size === charts.length, 'has two pictures of one name')
  for (const { name, spec } of charts) must(nonFinitePath(spec) === undefined, `picture ${name} is not finite`)
}
