import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UserError } from './errors.js'
import { type Json, nonFinitePath } from './json.js'
import type { AnyMeasure, Result } from './measure.js'
import { measures } from './measures.js'
import { permutation } from './random/sampling.js'
import { type Stream, stream } from './random/stream.js'
import { type Column, categorical, numeric } from './table/column.js'
import { type ReleaseInput, release } from './table/release.js'
import { selectRows, type Table, table } from './table/table.js'

/**
 * The battery that every registered measure goes through: what must hold for any of them, whatever it measures.
 */
const REGIONS = ['north', 'south', 'west', 'east', 'centre', 'coast', 'isles']
const DISEASES = ['none', 'mild', 'severe']

/** People with dependent columns; with `missing`, one value in eight is missing. */
function people(name: string, rows: number, random: Stream, missing = false): Table {
  const draw = <T>(make: () => T): (T | null)[] =>
    Array.from({ length: rows }, () => {
      const value = make()
      return missing && random.below(8) === 0 ? null : value
    })
  const age = draw(() => 20 + 10 * random.below(5))
  return table(name, [
    categorical(
      'sex',
      draw(() => (random.below(2) === 0 ? 'm' : 'f')),
    ),
    numeric('age', age),
    categorical(
      'region',
      draw(() => REGIONS[random.below(7)]),
    ),
    categorical(
      'disease',
      age.map((years) =>
        years === null && missing ? null : DISEASES[Math.min(2, Math.floor((years ?? 20) / 30) + random.below(2))],
      ),
    ),
    numeric(
      'income',
      draw(() => 1000 + random.below(5000)),
    ),
    numeric(
      'weight',
      Array.from({ length: rows }, () => 1 + random.below(9)),
    ),
    categorical(
      'household',
      Array.from({ length: rows }, (_, row) => `h${row >> 1}`),
    ),
  ])
}

const roles = { keys: ['sex', 'age', 'region'], target: 'disease', weight: 'weight', household: 'household' }
const original = people('original', 80, stream(7, 'original'))
const independent = people('independent', 80, stream(7, 'independent'))
const holdout = people('holdout', 40, stream(7, 'holdout'))
const usual: ReleaseInput = {
  original,
  released: independent,
  holdout,
  generator: { method: 'independent', options: {} },
  ...roles,
}

const run = (measure: AnyMeasure, input: Partial<ReleaseInput> = {}, seed = 1): Promise<Result> =>
  measure.run(release({ ...usual, ...input }), {}, { seed })

/** The figures that must not move: headline, the original's headline, and each release's. */
const headline = (result: Result) => [
  result.value,
  result.original?.value ?? null,
  ...result.releases.map((finding) => finding.value),
]

/** A measure that draws over rows gives another draw for another order: near, not equal. */
function expectSame(measure: AnyMeasure, found: Result, expected: Result): void {
  const digits = measure.stochastic ? 0.5 : 9
  for (const [k, value] of headline(expected).entries()) {
    const other = headline(found)[k]
    if (value === null) expect(other).toBeNull()
    else expect(other).toBeCloseTo(value, digits)
  }
}

function expectSound(measure: AnyMeasure, result: Result): void {
  expect(['ok', 'not applicable'], `${result.reason}`).toContain(result.status)
  expect(nonFinitePath(result as unknown as Json)).toBeUndefined()
  expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  const [low, high] = measure.range ?? [0, 1]
  for (const finding of [...result.releases, ...(result.original === null ? [] : [result.original])]) {
    expect(finding.status, finding.reason).not.toBe('failed')
    if (finding.value === null) expect(finding.reason, 'a value that is null has a reason').toBeTruthy()
    else {
      expect(finding.value).toBeGreaterThanOrEqual(low - 1e-12)
      expect(finding.value).toBeLessThanOrEqual(high + 1e-12)
    }
    if (finding.interval !== null && finding.value !== null) {
      expect(finding.interval.lower).toBeLessThanOrEqual(finding.value + 1e-12)
      expect(finding.interval.upper).toBeGreaterThanOrEqual(finding.value - 1e-12)
    }
    expect(finding.sentence).not.toMatch(/NaN|undefined|null|Infinity/)
    expect(finding.sentence.length).toBeGreaterThan(0)
  }
}

const mapColumns = (of: Table, change: (column: Column) => Column): Table => table(of.name, of.columns.map(change))
const renamed = (column: Column): Column =>
  column.kind === 'categorical' && column.name !== 'household'
    ? { ...column, levels: column.levels.map((level) => `~${level}|x`) }
    : column
const constant = (column: Column): Column => {
  if (column.name === 'weight' || column.name === 'household') return column
  return column.kind === 'categorical'
    ? { ...column, codes: column.codes.map(() => 0) }
    : { ...column, values: column.values.map(() => 3) }
}
const withoutValues = (column: Column): Column => {
  if (column.name === 'weight' || column.name === 'household') return column
  return column.kind === 'categorical'
    ? { ...column, codes: column.codes.map(() => -1) }
    : { ...column, values: column.values.map(() => Number.NaN) }
}

const aged = (column: Column): Column =>
  column.name === 'age' && column.kind === 'numeric' ? { ...column, kind: 'date', unit: 'day' } : column
const ODD_NAMES: Readonly<Record<string, string>> = {
  sex: 'sex, or "gender"',
  age: '__proto__',
  region: 'a | b',
  disease: 'constructor',
}
const oddlyNamed = (column: Column): Column => ({ ...column, name: ODD_NAMES[column.name] ?? column.name })

it('ids are unique, and each has its page', () => {
  expect(new Set(measures.map((one) => one.id)).size).toBe(measures.length)
  for (const { id } of measures)
    expect(existsSync(new URL(`../../../docs/measures/${id}.md`, import.meta.url)), `docs/measures/${id}.md`).toBe(true)
})

describe.each(measures.map((one) => [one.id, one] as const))('%s', (_, measure) => {
  it('gives a sound, JSON-safe result with pictures', async () => {
    const result = await run(measure)
    expectSound(measure, result)
    expect(result).toMatchObject({ measure: measure.id, version: measure.version, status: 'ok', seed: 1 })
    const { original: own, releases } = result
    for (const finding of releases) {
      if (finding.details === null) throw new Error(finding.reason)
      const about = {
        name: finding.name,
        original: own?.details ? { ...own, details: own.details } : null,
        targets: [],
      }
      const charts = measure.charts({ ...finding, details: finding.details }, about)
      expect(charts.length).toBeGreaterThan(0)
      expect(new Set(charts.map((chart) => chart.name)).size).toBe(charts.length)
      for (const chart of charts) expect(nonFinitePath(chart.spec)).toBeUndefined()
    }
  })

  it('keeps per-record scores to itself unless asked, one per row', async () => {
    expect((await run(measure)).releases[0]).not.toHaveProperty('records')
    const { records } = (await measure.run(release(usual), {}, { records: true })).releases[0]
    for (const scores of Object.values(records ?? {})) expect(scores.length).toBe(80)
  })

  it('gives the same result for the same seed', async () => {
    expect(await run(measure)).toEqual(await run(measure))
  })

  it('does not depend on the order of rows', async () => {
    const order = permutation(stream(3, 'rows'), 80)
    const shuffled = { original: selectRows(original, order), released: selectRows(independent, order) }
    expectSame(measure, await run(measure, shuffled), await run(measure))
  })

  it('does not depend on the order of columns or keys', async () => {
    const turned = {
      original: table('original', original.columns.toReversed()),
      released: table('independent', independent.columns.toReversed()),
      keys: roles.keys.toReversed(),
    }
    expectSame(measure, await run(measure, turned), await run(measure))
  })

  it('does not depend on the names of levels', async () => {
    const tables = {
      original: mapColumns(original, renamed),
      released: mapColumns(independent, renamed),
      holdout: mapColumns(holdout, renamed),
    }
    expectSame(measure, await run(measure, tables), await run(measure))
  })

  it('finds a copy of the original at least as risky as an independent file', async () => {
    const copy = await run(measure, { released: original })
    const fresh = await run(measure)
    expectSound(measure, copy)
    if (measure.scope === 'file') expect(copy.value).toBeCloseTo(copy.original?.value ?? Number.NaN, 12)
    else if (
      copy.releases[0].verdict !== undefined &&
      measure.orientation === 'risk' &&
      copy.value !== null &&
      fresh.value !== null
    )
      expect(copy.value).toBeGreaterThanOrEqual(fresh.value - 1e-12)
  })

  it.each<[string, Partial<ReleaseInput>]>([
    [
      'one row',
      {
        original: selectRows(original, [0]),
        released: selectRows(independent, [0]),
        holdout: selectRows(holdout, [0]),
      },
    ],
    ['one released row', { released: selectRows(independent, [0]) }],
    [
      'constant columns',
      {
        original: mapColumns(original, constant),
        released: mapColumns(independent, constant),
        holdout: mapColumns(holdout, constant),
      },
    ],
    ['a constant release', { released: mapColumns(independent, constant) }],
    [
      'missing values',
      { original: people('o', 60, stream(1, 'o'), true), released: people('s', 70, stream(1, 's'), true) },
    ],
    [
      'missing values in a perturbed release',
      { original: people('o', 60, stream(1, 'o')), released: people('s', 60, stream(1, 's'), true), type: 'perturbed' },
    ],
    ['a release without a single value', { released: mapColumns(independent, withoutValues) }],
    ['no holdout and no weights', { holdout: undefined, weight: undefined }],
    ['a synthetic release', { type: 'synthetic' }],
    ['three syntheses', { released: [independent, people('second', 50, stream(1, 'second')), original] }],
    ['a numeric target', { target: 'income' }],
    ['several targets', { target: ['disease', 'income'] }],
    ['levels that only the release has', { released: mapColumns(independent, renamed) }],
    ['dates', { original: mapColumns(original, aged), released: mapColumns(independent, aged), holdout: undefined }],
    [
      'awkward column names',
      {
        original: mapColumns(original, oddlyNamed),
        released: mapColumns(independent, oddlyNamed),
        holdout: mapColumns(holdout, oddlyNamed),
        keys: roles.keys.map((name) => ODD_NAMES[name] ?? name),
        target: 'constructor',
      },
    ],
    ['one key', { keys: ['region'] }],
  ])('is sound with %s', async (_name, input) => {
    expectSound(measure, await run(measure, input))
  })

  it('refuses tables without rows, unknown options, and runs without what it needs', async () => {
    expect(() => release({ ...usual, released: selectRows(independent, []) })).toThrow(UserError)
    await expect(measure.run(release(usual), { noSuchOption: 1 })).rejects.toThrow('unknown option "noSuchOption"')
    if (measure.needs.length === 0) return
    const bare = await measure.run(release({ original, released: independent }))
    expect(bare).toMatchObject({ status: 'not applicable', value: null })
    expect(bare.reason).toContain(`${measure.id} needs`)
  })

  it('does not judge the structure of a synthetic file', async () => {
    const { releases } = await run(measure, { type: 'synthetic' })
    if (measure.scope === 'file') expect(releases[0].verdict?.level).toBe('NOT ASSESSED')
  })

  it('has its literature: thresholds with a source, options with a description', () => {
    for (const threshold of measure.thresholds.literature) expect(threshold.source).toBeTruthy()
    for (const [name, option] of Object.entries(measure.options.shape))
      expect((option as { description?: string }).description, name).toBeTruthy()
  })
})
