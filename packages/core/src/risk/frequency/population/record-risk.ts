import { z } from 'zod'
import { unknownName } from '../../../errors.js'
import { choice, real } from '../../../option-kinds.js'
import { jointCodes, type Part, rowsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { type FileClasses, type Frequencies, frequencies, missingOptions, withClasses } from '../counts/frequencies.js'
import { approximateReciprocal, negativeBinomialReciprocal, poissonReciprocal } from './expected-reciprocal.js'
import { allPairs, type Cells, type Clique, fitLogLinear, type LogLinearFit } from './log-linear.js'
import { classFractions, type Sampling, samplingOf, samplingOptions } from './sampling.js'

/**
 * The chance that a record is re-identified by its key, by each of the known estimators. What they differ in is what
 * they take for F, the number of persons in the population with that key:
 *
 * - `sample`: F = f, the file is the population. r = 1/f.
 * - `plugin`: r = 1/F; exact when F was counted in a population table, too low when F is an estimate (Jensen).
 * - `nb`: r = E(1/F | f) with F | f ~ f + NegBin(f, p) (Benedetti and Franconi 1998; Franconi and Polettini 2004).
 * - `approx`: the same, with sdcMicro's approximation for f > 2.
 * - `poisson`: r = E(1/F | f) with F | f ~ f + Poisson(ν), ν = (1 - π) μ/π, μ the expected count under a log-linear
 *   model of the keys (Skinner and Holmes 1998; Skinner and Shlomo 2008).
 * - `riskutility`: as riskutility 0.2.0 defines it; see `riskutilityRisk`.
 */
export const recordRiskOptions = {
  method: choice(['auto', 'nb', 'approx', 'sample', 'plugin', 'poisson', 'riskutility'], 'auto').describe(
    'estimator; auto is plugin with a population table, nb with weights or a sampling fraction, else sample',
  ),
  logLinear: choice(['independence', 'two-way', 'cliques'], 'independence').describe(
    'model of the keys for poisson: independence, all two-way interactions, or the cliques given',
  ),
  cliques: z
    .array(z.array(z.string()).min(1))
    .default([])
    .describe('for logLinear cliques: lists of keys that interact'),
  riskutilityMethod: choice(['both', 'sample', 'model'], 'both').describe(
    "riskutility's own method option, for method riskutility",
  ),
  qual: real(1, { above: 0 }).describe('factor for data quality; the product is cut at 1'),
  ...samplingOptions,
  ...missingOptions,
}

type RecordRiskOptions = z.output<z.ZodObject<typeof recordRiskOptions>>
type RiskMethod = Exclude<RecordRiskOptions['method'], 'auto'>

/** Options that contradict each other or name keys that there are not, one sentence each. */
export function recordRiskProblems(
  { keys }: Release,
  { logLinear, cliques }: Pick<RecordRiskOptions, 'logLinear' | 'cliques'>,
): string[] {
  if (logLinear !== 'cliques') return cliques.length === 0 ? [] : ['cliques are used by logLinear cliques only']
  if (cliques.length === 0) return ['logLinear cliques needs the option cliques, lists of keys that interact']
  const unknown = cliques.flat().filter((name) => !keys.includes(name))
  return unknown.map((name) => `option cliques: ${unknownName('key', name, keys)}`)
}

export interface RecordRisk {
  /** Per row of the file; NaN for a dropped record. */
  readonly risk: Float64Array
  readonly method: RiskMethod
  readonly own: Frequencies
  readonly sampling: Sampling
  /** For `poisson`: the fit, and per row the expected number of further persons with the key. */
  readonly model: PopulationModel | null
  readonly notes: readonly string[]
}

export interface PopulationModel {
  readonly fit: LogLinearFit
  readonly nu: Float64Array
}

export function recordRisk(release: Release, part: Part, options: RecordRiskOptions): RecordRisk {
  const counted = frequencies(release, part, release.keys, options)
  const known = samplingOf(release, part, counted, options)
  const method = options.method === 'auto' ? defaultMethod(known) : options.method
  const needsClasses = method === 'poisson' || method === 'riskutility'
  const { own, notes } = needsClasses
    ? withClasses(release, part, release.keys, counted, options)
    : { own: counted, notes: [] }
  const sampling =
    own.policy === counted.policy ? known : samplingOf(release, part, own, { ...options, missing: own.policy })
  const model =
    method === 'poisson' ? populationModel(release, part, own, sampling, cliquesOf(release.keys, options)) : null
  const risk = estimate(release, part, method, own, sampling, model, options)
  for (let row = 0; row < risk.length; row++) risk[row] = Math.min(1, options.qual * risk[row])
  const all = [...notes, ...sampling.notes, ...(model?.fit.notes ?? [])]
  if (method === 'plugin' && sampling.source !== 'population' && sampling.source !== 'none')
    all.push('1/F of an estimated F is too low on average; nb corrects for that')
  return { risk, method, own, sampling, model, notes: all }
}

function defaultMethod({ source }: Sampling): RiskMethod {
  return source === 'population' ? 'plugin' : source === 'none' ? 'sample' : 'nb'
}

function estimate(
  release: Release,
  part: Part,
  method: RiskMethod,
  keyCounts: Frequencies,
  sampling: Sampling,
  model: PopulationModel | null,
  options: RecordRiskOptions,
): Float64Array {
  const { f } = keyCounts
  switch (method) {
    case 'sample':
      return f.map((size) => 1 / size)
    case 'plugin':
      return sampling.populationFrequency.map((size) => 1 / size)
    case 'nb':
      return oncePerPair(f, classFractions(keyCounts, sampling), negativeBinomialReciprocal)
    case 'approx':
      return oncePerPair(f, classFractions(keyCounts, sampling), approximateReciprocal)
    case 'poisson':
      return oncePerPair(f, model?.nu ?? f, poissonReciprocal)
    case 'riskutility':
      return riskutilityRisk(release, part, keyCounts, sampling, options.riskutilityMethod)
  }
}

/** E(1/F | f) of the negative binomial model per row. */
export function negativeBinomialRisk(keyCounts: Frequencies, sampling: Sampling): Float64Array {
  return oncePerPair(keyCounts.f, classFractions(keyCounts, sampling), negativeBinomialReciprocal)
}

/**
 * Equal pairs (f, parameter) come in runs and repeat; a small direct-mapped table of the latest ones saves most of the
 * series without sorting or hashing objects.
 */
function oncePerPair(
  f: Float64Array,
  parameter: Float64Array,
  reciprocal: (f: number, parameter: number) => number,
): Float64Array {
  const slots = 1 << 16
  const knownF = new Float64Array(slots)
  const knownParameter = new Float64Array(slots)
  const known = new Float64Array(slots)
  const bits = new Float64Array(1)
  const words = new Int32Array(bits.buffer)
  return f.map((size, row) => {
    if (Number.isNaN(size)) return Number.NaN
    bits[0] = parameter[row]
    const slot =
      (Math.imul(words[0] ^ Math.imul(words[1], 0x9e3779b1) ^ Math.imul(size * 16, 0x85ebca6b), 0xc2b2ae35) >>> 16) &
      (slots - 1)
    if (knownF[slot] !== size || knownParameter[slot] !== parameter[row]) {
      knownF[slot] = size
      knownParameter[slot] = parameter[row]
      known[slot] = reciprocal(size, parameter[row])
    }
    return known[slot]
  })
}

/** ν per row: how many persons with the key are expected outside the sample. */
export function populationModel(
  release: Release,
  part: Part,
  keyCounts: Frequencies,
  sampling: Sampling,
  cliques: readonly Clique[],
): PopulationModel {
  const { fit, expected } = fitKeys(release, part, keyCounts, cliques)
  const fraction = classFractions(keyCounts, sampling)
  return { fit, nu: expected.map((mu, row) => ((1 - fraction[row]) * mu) / fraction[row]) }
}

/** The occupied cells of the keys of a file, and of each the first row. */
export function keyCells(
  release: Release,
  part: Part,
  classes: FileClasses,
): { readonly cells: Cells; readonly firstRow: Int32Array } {
  const firstRow = new Int32Array(classes.count)
  for (let row = classes.ids.length - 1; row >= 0; row--) if (classes.ids[row] >= 0) firstRow[classes.ids[row]] = row
  const codes = release.keys.map((name) => {
    const joint = jointCodes(release, name)
    const column = rowsOfPart(release, joint, joint.codes, part)
    return firstRow.map((row) => column[row])
  })
  return { cells: { codes, counts: classes.sizes }, firstRow }
}

/** The log-linear fit of the keys of a file, and its expected count per row (NaN for a dropped record). */
function fitKeys(release: Release, part: Part, { classes }: Frequencies, cliques: readonly Clique[]) {
  if (classes === null) throw new Error('a log-linear model needs classes')
  const fit = fitLogLinear(keyCells(release, part, classes).cells, cliques)
  return { fit, expected: Float64Array.from(classes.ids, (id) => (id < 0 ? Number.NaN : fit.expected[id])) }
}

export function cliquesOf(
  keys: readonly string[],
  { logLinear, cliques }: Pick<RecordRiskOptions, 'logLinear' | 'cliques'>,
): Clique[] {
  if (logLinear === 'independence') return []
  if (logLinear === 'two-way') return allPairs(keys.length)
  return cliques.map((clique) => clique.map((name) => keys.indexOf(name)))
}

/**
 * riskutility 0.2.0: `sample` 1/f; `model` 1/max(1, fitted independence count of the sample), or with weights
 * 1/max(1, sum of weights); `both` the smaller of the two. The fitted count is one of the sample, not of the population,
 * and the smaller of two unrelated numbers can only understate.
 */
function riskutilityRisk(
  release: Release,
  part: Part,
  keyCounts: Frequencies,
  sampling: Sampling,
  which: RecordRiskOptions['riskutilityMethod'],
): Float64Array {
  const sample = keyCounts.f.map((size) => 1 / size)
  if (which === 'sample') return sample
  const size = sampling.source === 'weights' ? keyCounts.weighted : fitKeys(release, part, keyCounts, []).expected
  const model = size.map((expected) => 1 / Math.max(1, expected))
  return which === 'model' ? model : model.map((risk, row) => Math.min(risk, sample[row]))
}
