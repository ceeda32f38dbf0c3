import { describe, expect, it } from 'vitest'
import { scoreOf, tstr } from '../../peers/utility/predictive/tstr.js'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { selectRows } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { people, permuteColumns } from '../../testing/scenes/people.js'
import { featureImportance } from './feature-importance.js'
import { modelPerformance } from './model-performance.js'

const everybody = people(1200, stream(9, 'people'))
const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, k) => from + k)
const original = selectRows(everybody, rows(0, 600))
const fresh = selectRows(everybody, rows(600, 1200))
const independent = permuteColumns(fresh, stream(9, 'permuted'))
const how = { resamples: 0, learner: 'linear' } as const

describe('an honest sample, and one without relations', () => {
  it('predict the originals as well as they do, and not at all', async () => {
    const both = await tstr(release({ original, released: [fresh, independent], target: 'age' }), how)
    const [good, bad] = both.releases
    expect(good.value).toBeGreaterThan(0.85)
    expect(good.value).toBeLessThan(1.15)
    expect(good.interval?.lower).toBeLessThan(1)
    expect(bad.value).toBeLessThan(0.15)
    expect(good.details?.metric).toBe('R²')
  })

  it('have no structure of their own', async () => {
    const both = await modelPerformance(release({ original, released: [fresh, independent], target: 'age' }), how)
    expect(both.releases[0].value).toBeLessThan(0.1)
    // Models of the original find relations in the original that the second file does not have: it predicts badly there.
    expect(both.releases[1].details?.tsts).toBeLessThan(0.05)
  })

  it('name the same columns, and others', async () => {
    const both = await featureImportance(release({ original, released: [fresh, independent], target: 'age' }), how)
    expect(both.releases[0].value).toBeGreaterThan(0.7)
    expect(both.releases[1].value).toBeLessThan(0.4)
    expect(both.releases[0].details?.columns).toHaveLength(7)
  })

  it('have nothing to keep where nothing predicts', async () => {
    const { releases } = await tstr(release({ original: independent, released: fresh, target: 'sex' }), how)
    expect(releases[0]).toMatchObject({
      value: null,
      reason: { text: expect.stringContaining('no better than chance') },
    })
  })
})

it('a structure that is made up is noticed', async () => {
  const made = {
    ...independent,
    columns: independent.columns.map((column) => {
      const weight = independent.columns.find(({ name }) => name === 'weight')
      return column.name === 'age' && column.kind === 'numeric' && weight?.kind === 'numeric'
        ? { ...column, values: weight.values.map((value) => value / 20) }
        : column
    }),
  }
  const { releases } = await modelPerformance(release({ original, released: made, target: 'age' }), how)
  expect(releases[0].details?.tsts).toBeGreaterThan(0.9)
  expect(releases[0].value).toBeGreaterThan(0.8)
})

it('people outside are predicted where they are given', async () => {
  const holdout = selectRows(people(300, stream(9, 'outside')), rows(0, 300))
  const { releases } = await tstr(release({ original, released: fresh, holdout, target: 'age' }), how)
  expect(releases[0].details).toMatchObject({ tested: 300, testedOn: 'holdout' })
  expect(releases[0].value).toBeGreaterThan(0.8)
})

it('a subsample of the original is not tested on itself', async () => {
  const part = selectRows(original, rows(0, 300))
  const { releases } = await tstr(release({ original, released: part, target: 'age' }), how)
  expect(releases[0].details).toMatchObject({ tested: 300, trained: 300 })
})

it('a larger release earns nothing by its size', async () => {
  const twice = selectRows(fresh, [...rows(0, 600), ...rows(0, 600)])
  const { releases } = await tstr(release({ original, released: twice, target: 'age' }), how)
  expect(releases[0].details).toMatchObject({ trained: 600 })
  expect(releases[0].details?.tstrAll).not.toBeNull()
})

describe('as riskutility has it', () => {
  it('scores an area of 0.75 by hand, and 1 for a constant number', () => {
    const [truth, second] = [Int32Array.of(0, 0, 1, 1), [0.1, 0.4, 0.35, 0.8]]
    const probabilities = Float64Array.from(second.flatMap((p) => [1 - p, p]))
    expect(scoreOf({ kind: 'classes', truth, probabilities, levels: ['no', 'yes'] })).toBeCloseTo(0.75, 12)
    expect(scoreOf({ kind: 'numbers', truth: Float64Array.of(2, 2), predicted: Float64Array.of(1, 3) })).toBe(1)
    expect(scoreOf({ kind: 'numbers', truth: Float64Array.of(1, 2), predicted: Float64Array.of(9, 9) })).toBe(0)
  })

  it('tests on three tenths of the originals and does not subtract chance', async () => {
    const own = { ...how, definition: 'riskutility' } as const
    const both = await tstr(release({ original, released: [fresh, independent], target: 'sex' }), own)
    const [good, bad] = both.releases.map(({ details }) => details)
    expect(good?.metric).toBe('AUC')
    expect(good?.tested).toBeGreaterThan(100)
    expect(good?.tested).toBeLessThanOrEqual(180)
    expect(good?.ratio).toBeCloseTo((good?.tstr ?? 0) / (good?.trtr ?? 1), 12)
    expect(bad?.ratio).toBeGreaterThan(0.4)
  })
})

describeReference('the running example of riskutility', async () => {
  const files = release({
    original: await referenceTable('golden', 'vignette', 'original.csv'),
    released: await referenceTable('golden', 'vignette', 'synthetic.csv'),
    target: 'income',
  })
  it('has nothing to keep, where a ratio of two negative R² was called excellent', async () => {
    const { value, details, reason } = (await tstr(files, how)).releases[0]
    expect(value).toBeNull()
    expect(details?.trtr).toBeLessThan(0.02)
    expect(details?.tstr).toBeLessThan(0.02)
    expect(reason?.text).toContain('no better than chance')
  })
})
