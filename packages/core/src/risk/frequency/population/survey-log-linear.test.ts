import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { populationUniqueness } from '../population-uniqueness.js'
import type { Clique } from './log-linear.js'
import { fitSurveyModel, type SurveyModel } from './survey-log-linear.js'

/** Forty records in 28 of 60 cells, 17 of them unique, with unequal weights. */
const i = Array.from({ length: 40 }, (_, k) => k)
const COLUMNS = {
  a: i.map((k) => (k * 7) % 4),
  b: i.map((k) => (k * k + Math.floor(k / 5)) % 5),
  c: i.map((k) => Math.floor(k / 3) % 3),
}
const WEIGHTS = i.map((k) => 2 + ((k * 7) % 11))

function cellsOf(weights: readonly number[]) {
  const { a, b, c } = COLUMNS
  const ids = new Map<string, { codes: number[]; f: number; F: number }>()
  for (const row of i) {
    const codes = [a[row], b[row], c[row]]
    const cell = ids.get(codes.join()) ?? { codes, f: 0, F: 0 }
    ids.set(codes.join(), { codes, f: cell.f + 1, F: cell.F + weights[row] })
  }
  const cells = [...ids.values()]
  return {
    cells: {
      codes: [0, 1, 2].map((key) => Int32Array.from(cells, ({ codes }) => codes[key])),
      counts: Float64Array.from(cells, ({ f }) => f),
    },
    population: Float64Array.from(cells, ({ F }) => F),
  }
}

/** Σ e^(-ν) over the sample uniques. */
function tau1(
  model: SurveyModel,
  cliques: readonly Clique[] = [],
  definition: 'standard' | 'sdcmicro' = 'standard',
  weights: readonly number[] = WEIGHTS,
): number {
  const { cells, population } = cellsOf(weights)
  const fit = fitSurveyModel(model, cells, population, cliques, definition)
  if ('problem' in fit) throw new Error(fit.problem)
  return fit.nu.reduce((total, nu, cell) => total + (cells.counts[cell] === 1 ? Math.exp(-nu) : 0), 0)
}

const AB: readonly Clique[] = [[0, 1], [2]]
const CLASSES = 28

describe('log-linear models with survey weights', () => {
  it('are Poisson regressions, as R fits them with glm over the full grid', () => {
    // offset(log(f / F)); the response F; and the predictor log(F / f).
    expect(tau1('ce')).toBeCloseTo(0.885387909618, 8)
    expect(tau1('pml')).toBeCloseTo(0.628753097644, 8)
    expect(tau1('weighted')).toBeCloseTo(1.47495257199, 8)
    expect(tau1('ce', AB)).toBeCloseTo(0.842558388346, 8)
    expect(tau1('pml', AB)).toBeCloseTo(0.620135631926, 8)
    expect(tau1('weighted', AB)).toBeCloseTo(1.50011925062, 8)
  })

  it("are sdcMicro 5.8.2's modRisk on request: its gr1 is tau1 over the classes", () => {
    const gr1 = (model: SurveyModel, cliques: readonly Clique[] = []) => tau1(model, cliques, 'sdcmicro') / CLASSES
    expect(gr1('ce')).toBeCloseTo(0.278843423349, 7)
    expect(gr1('pml')).toBeCloseTo(0.358425292601, 7)
    expect(gr1('weighted')).toBeCloseTo(0.369841856091, 7)
    expect(gr1('ce', AB)).toBeCloseTo(0.286261960418, 7)
    expect(gr1('pml', AB)).toBeCloseTo(0.326120772773, 7)
    expect(gr1('weighted', AB)).toBeCloseTo(0.322443448766, 7)
  })

  it('are all the same model where weights are equal', () => {
    const equal = i.map(() => 5)
    for (const model of ['ce', 'weighted'] as const)
      expect(tau1(model, AB, 'standard', equal)).toBeCloseTo(tau1('pml', AB, 'standard', equal), 9)
  })

  it('are methods of population uniqueness, with its model of the keys', async () => {
    const data = tableOf('t', {
      ...Object.fromEntries(Object.entries(COLUMNS).map(([name, codes]) => [name, codes.map((code) => `${code}`)])),
      weight: WEIGHTS,
    })
    const own = release({ original: data, released: data, keys: ['a', 'b', 'c'], weight: 'weight' })
    const model = { logLinear: 'cliques' as const, cliques: [['a', 'b'], ['c']], bootstrap: 0 }
    const { original } = await populationUniqueness(own, { ...model, method: 'ce' })
    expect(original?.details).toMatchObject({ method: 'ce', classes: CLASSES, sampleUniques: 17 })
    expect(original?.details?.tau1).toBeCloseTo(0.842558388346, 8)
    const poisson = original?.details?.methods.find(({ method }) => method === 'poisson')
    expect(poisson?.tau1).toBeCloseTo(1.20301974395, 8)
    const modRisk = (await populationUniqueness(own, { ...model, method: 'poisson', definition: 'sdcmicro' })).original
    expect((modRisk?.details?.tau1 ?? 0) / CLASSES).toBeCloseTo(0.317503072451, 7)
    await expect(populationUniqueness(own, { cliques: [['a', 'b']] })).rejects.toThrow(/cliques are used by logLinear/)
  })

  it('say why where a model cannot be fitted, and show the default then', async () => {
    const many = {
      codes: [0, 1, 2].map(() => Int32Array.from({ length: 300 }, (_, k) => k)),
      counts: new Float64Array(300).fill(1),
    }
    const population = Float64Array.from({ length: 300 }, (_, k) => 2 + (k % 3))
    for (const model of ['ce', 'weighted'] as const)
      expect(fitSurveyModel(model, many, population, [], 'standard')).toEqual({
        problem: 'the grid of all keys has too many cells for this model',
      })
    expect(fitSurveyModel('pml', many, population, [], 'standard')).toHaveProperty('nu')
    const column = i.flatMap((k) => Array.from({ length: 8 }, (_, j) => `${k * 8 + j}`))
    const data = tableOf('t', {
      a: column,
      b: column,
      c: column.map((_, k) => `${k % 300}`),
      weight: column.map((_, k) => 2 + (k % 3)),
    })
    const own = release({ original: data, released: data, keys: ['a', 'b', 'c'], weight: 'weight' })
    const found = (await populationUniqueness(own, { method: 'ce', bootstrap: 0 })).releases[0]
    expect(found.details?.method).not.toBe('ce')
    expect(found.warnings.join()).toContain('ce could not be fitted (the grid of all keys has too many cells')
  })
})
