import { columnNames, columnOf, valueAt } from '@scrim/core'
import { expect, it } from 'vitest'
import { DEPENDENCY, rateTolerance, toleranceFor } from './published.js'
import { rapidStudyDesign, simulatedFiles, studyRapid } from './rapid.js'

const small = rapidStudyDesign({ seed: 1, quick: true, files: 1, kappas: [0, 10], n: 150, trees: 10 })

it('compares every figure with what was published', async () => {
  const steps: string[] = []
  const { tables, figures, checks, charts } = await studyRapid(small, {
    progress: (done, total, what) => steps.push(`${done}/${total} ${what}`),
  })
  expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['dependency', 4],
    ['thresholds', 18],
    ['attackers', 6],
    ['keys', 10],
    ['attribution', 17],
    ['continuous', 6],
  ])
  for (const row of tables.flatMap(({ rows }) => rows)) {
    const { files, observed, published, apart, difference, tolerance, within } = row
    expect(files).toBe(1)
    expect([published === null, apart === null].sort()).toEqual([false, true])
    expect(difference).toBeCloseTo(observed - (published ?? apart ?? 0), 12)
    expect(within).toBe(tolerance === null ? null : Math.abs(difference) <= tolerance)
  }
  expect(figures[0].rows.map(([setting, files]) => [setting, files])).toContainEqual(['kappa 10, cart', 1])
  expect(steps).toHaveLength(1 + 3 + 10 + 1 + 2)
  expect(steps[0]).toBe('0/17 kappa 0, file 1, rf')
  expect(checks).toContainEqual({ what: 'RAPID increases with kappa', holds: true })
  expect(charts.map(({ name }) => name)).toEqual([
    'dependency',
    'thresholds',
    'threshold-band',
    'spread',
    'attacker-spread',
    'attackers',
    'keys-alone',
    'keys-without',
    'attribution',
    'coefficients',
    'continuous',
  ])
})

it('uses the files it is given and leaves out what is not there', async () => {
  const simulated = simulatedFiles(small)
  const { tables } = await studyRapid(small, {}, async (kappa, file) =>
    kappa === 0 ? simulated(kappa, file) : undefined,
  )
  expect(tables.map(({ name }) => name)).toEqual(['dependency', 'thresholds', 'continuous'])
})

it('simulates the ages of the figures, each file anew, and releases as many records', async () => {
  const files = simulatedFiles({ seed: 1, n: 300 })
  const [first, again, second] = await Promise.all([files(10, 1), files(10, 1), files(10, 2)])
  expect(again).toEqual(first)
  expect(second).not.toEqual(first)
  expect(first?.released.rows).toBe(300)
  expect(first && columnNames(first.released)).toEqual(first && columnNames(first.original))
  const ages = first
    ? Array.from({ length: 300 }, (_, row) => Number(valueAt(columnOf(first.original, 'age'), row)))
    : []
  expect(Math.max(...ages)).toBeLessThanOrEqual(90)
})

it('the whole study has the settings of the paper', () => {
  const design = rapidStudyDesign({ seed: 1 })
  expect(design).toMatchObject({ n: 1000, trees: 500, files: { dependency: 20, attribution: 50, attackers: 50 } })
  expect(design.kappas).toEqual(DEPENDENCY.map(({ kappa }) => kappa))
})

it('tolerances are those stated at 20 files, and wider for fewer', () => {
  expect([0, 1, 5, 10, 20, 100].map((kappa) => toleranceFor(rateTolerance(kappa), 20))).toEqual([
    0.05, 0.045, 0.03, 0.02, 0.018, 0.018,
  ])
  expect(toleranceFor(rateTolerance(0), 5)).toBeCloseTo(0.006 + 0.044 * Math.sqrt(2), 12)
  expect(toleranceFor(rateTolerance(0), 500)).toBe(0.05)
})
