import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { measureChecks } from './contract/check-measure.js'
import { UserError } from './errors.js'
import { THREATS } from './evidence/threats.js'
import type { AnyMeasure } from './measure.js'
import { measures } from './measures.js'
import { release } from './table/release.js'
import { tableOf } from './table/table.js'

const FEW_TREES = { rf: { trees: 50 } }

/** What holds for any measure holds for a small game too. */
const LESS_WORK: Readonly<Record<string, object>> = {
  'strong-attack': { records: 4, releases: 2 },
  'feature-importance': { resamples: 0, shuffles: 3 },
  'population-uniqueness': { bootstrap: 4 },
  'singling-out': { attacks: 200 },
  mia: { trees: 50 },
  'rf-proximity': { trees: 100 },
  nnaa: { permutations: 199 },
  nndr: { permutations: 199, repeats: 5 },
  rapid: { hyper: FEW_TREES, bootstrap: 50, permutations: 99 },
  'rapid-cv': { hyper: FEW_TREES },
  'model-performance': { resamples: 2, draws: 50 },
  'interval-overlap': { resamples: 2, draws: 50 },
}

const lessWork = ({ id, role }: AnyMeasure): object => LESS_WORK[id] ?? (role === 'utility' ? { resamples: 2 } : {})

/**
 * The headline of these is the largest of several figures of one forest, for which no interval is known; another order of
 * rows or keys grows another forest.
 */
const NO_STANDARD_ERROR: ReadonlySet<string> = new Set(['rapid-attribution', 'rapid-importance', 'rapid-threshold'])

describe.each(measures.map((measure) => [measure.id, measure] as const))('%s', (_, measure) => {
  const checks = measureChecks(measure, { options: lessWork(measure), overSeeds: NO_STANDARD_ERROR.has(measure.id) })
  it.each(checks.map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run())
})

it('each threat has a measure that decides; more where each sees what the others do not: distance and bits, a key, all that is known, names', () => {
  const deciding = measures.filter(({ role }) => role === 'decides').map(({ threat }) => threat)
  expect(deciding.toSorted()).toEqual(
    [...THREATS, 'identity', 'identity', 'membership', 'memorisation', 'memorisation-tail'].toSorted(),
  )
})

it('only measures that draw are excused from holding their own standard error', () => {
  for (const id of NO_STANDARD_ERROR) expect(measures.find((measure) => measure.id === id)?.stochastic, id).toBe(true)
})

it('ids are unique, and each has its page', () => {
  expect(new Set(measures.map(({ id }) => id)).size).toBe(measures.length)
  for (const { id } of measures)
    expect(existsSync(new URL(`../../../docs/measures/${id}.md`, import.meta.url)), `docs/measures/${id}.md`).toBe(true)
})

it('there is no release without rows', () => {
  const people = tableOf('people', { sex: ['f', 'm'] })
  expect(() => release({ original: people, released: tableOf('nobody', { sex: [] }) })).toThrow(UserError)
})
