import { columnOf, recompute, requestTable } from '@scrim/core'
import { expect, it } from 'vitest'
import { CENSUS_VARIABLES, simulateCensus } from './census.js'
import { CENSUS_REQUEST, outputRiskDesign, studyOutputRisk } from './output-risk.js'
import { PUBLISHED_DIFFERENCES, PUBLISHED_ERRORS } from './published.js'

it('census-like records have the variables and levels of the paper, and a model of 23 coefficients', () => {
  const data = simulateCensus({ n: 4000, seed: 1 })
  expect(data.columns.map(({ name }) => name)).toEqual([...CENSUS_VARIABLES])
  const levels = data.columns.flatMap((column) => (column.kind === 'categorical' ? [column.levels.length] : []))
  expect(levels).toEqual([7, 10, 2, 5, 2, 2])
  const age = columnOf(data, 'AGE')
  expect(
    age.kind === 'numeric' && age.values.every((value) => Number.isInteger(value) && value >= 0 && value <= 95),
  ).toBe(true)
  // Patterns of the covariates: 96 ages and the levels of five categories.
  expect(96 * 7 * 10 * 2 * 5 * 2).toBe(134_400)
  const [model] = CENSUS_REQUEST.outputs
  const values = recompute(model, requestTable(CENSUS_REQUEST, data))
  expect(values).toHaveLength(23)
  const area = values.find(({ element }) => element === 'AREAP=58')
  expect(Math.abs((area?.value ?? 9) + 0.3754)).toBeLessThan(4 * (area?.standardError ?? 0))
  expect(() => simulateCensus({ n: 1.5, seed: 1 })).toThrow('n must be a whole number from 2 on, but it is 1.5')
})

it('O4, O5: what the paper prints', () => {
  // Of the 23 printed differences.
  expect(PUBLISHED_ERRORS.whole).toBe(Number((0.0093 / 23).toFixed(4)))
  expect(PUBLISHED_ERRORS.halves).toBe(Number((0.0165 / 23).toFixed(4)))
  const [first, second] = PUBLISHED_DIFFERENCES.halves
  expect((first + second) / 2).toBeCloseTo(0.008575, 6)
})

it('runs the three experiments and random halves', async () => {
  const design = {
    ...outputRiskDesign({ seed: 1, quick: true, n: 800, runs: 1 }),
    generations: 10,
    phase: 5,
    splits: 2,
    proposals: 1000,
  }
  const steps: string[] = []
  const { tables, figures, checks, charts } = await studyOutputRisk(design, {
    progress: (_, __, what) => steps.push(what),
  })
  expect(steps).toEqual(['all records', 'two halves', 'two halves of a half', 'random halves'])
  expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['errors', 3],
    ['tcap', 3],
    ['folds', 6],
    ['trajectory', 3],
  ])
  expect(tables[0].rows.map(({ setting, files, published }) => [setting, files, published])).toEqual([
    ['all records', 1, 0.4],
    ['two halves', 2, 0.7],
    ['two halves of a half', 2, 0.2],
  ])
  expect(figures.flatMap(({ header }) => header)).not.toContain('published')
  expect(figures.map(({ rows }) => rows.length)).toEqual([23, 4, 3])
  expect(checks).toHaveLength(6)
  expect(new Set(charts.map(({ name }) => name)).size).toBe(charts.length)
  expect(charts.map(({ name }) => name)).toContain('trajectory')
})
