import { fitAutoencoder, type MixedRows } from '../../../learners/autoencoder.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { quantileSorted } from '../../../stats/quantile.js'
import type { Costs } from '../costs.js'
import type { Key, LinkedFiles, Side } from '../linked-files.js'

/**
 * Linkage in the code of an autoencoder that was trained on the original here: d = min(1, ‖z_i - z_j‖ / θ), θ the 97.5 %
 * quantile of the distances between people of the original (the largest one of fewer than 40). What the code leaves out, it
 * cannot link by, so it is usually weaker than a distance on the keys themselves. Stochastic: one seed, one result.
 */
export interface EmbeddingOptions {
  readonly latent: number | null
  readonly epochs: number
  readonly original: 'query' | 'search'
}

export interface Embedded {
  readonly costs: Costs
  readonly latent: number
  readonly epochs: number
  readonly loss: number
}

/** People that the network learns from, and pairs of them for the unit, at most. */
const LEARNT_FROM = 10_000
const PAIRS = 20_000
const FEW = 40

export function embeddingCosts(
  files: LinkedFiles,
  { latent, epochs, original }: EmbeddingOptions,
  random: (purpose: string) => Stream,
): Embedded {
  const numbers = files.keys.filter(({ numbers: values }) => values.length > 0)
  const others = files.keys.filter(({ numbers: values }) => values.length === 0)
  const ranges = numbers.map((key) => rangeOf(key, original))
  const rowsOf = (side: 'query' | 'search', classes: ArrayLike<number>): MixedRows => ({
    rows: classes.length,
    numbers: numbers.map((key, v) =>
      Float64Array.from(classes, (k) => scaled(key[side][k] < 0 ? Number.NaN : key.numbers[key[side][k]], ranges[v])),
    ),
    codes: others.map((key) => Int32Array.from(classes, (k) => key[side][k])),
  })
  const people = files[original]
  const learners = learntFrom(people, random('learn from'))
  const model = fitAutoencoder(
    rowsOf(original, learners),
    { cardinalities: others.map(({ cardinality }) => cardinality), latent, epochs },
    random('autoencoder'),
  )
  const all = (of: Side) => Int32Array.from({ length: of.classes }, (_, k) => k)
  const query = model.encode(rowsOf('query', all(files.query)))
  const search = model.encode(rowsOf('search', all(files.search)))
  const unit = unitOf(original === 'query' ? query : search, model.latent, people, random('unit'))
  const round = { width: model.latent, query, search, factor: 1, unit, cap: 1, partial: null }
  return {
    costs: { keys: [], divideBy: null, round, leaves: null, searches: files.search.classes },
    latent: model.latent,
    epochs: model.epochs,
    loss: model.loss,
  }
}

/** Classes of people, each as often as it has records. */
function learntFrom({ ids }: Side, random: Stream): ArrayLike<number> {
  if (ids.length <= LEARNT_FROM) return ids
  return Int32Array.from(sampleWithoutReplacement(random, ids.length, LEARNT_FROM).sort(), (row) => ids[row])
}

function rangeOf(key: Key, original: 'query' | 'search'): { readonly low: number; readonly high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const code of key[original]) {
    if (code < 0) continue
    low = Math.min(low, key.numbers[code])
    high = Math.max(high, key.numbers[code])
  }
  return { low, high }
}

function scaled(value: number, { low, high }: { readonly low: number; readonly high: number }): number {
  if (Number.isNaN(value)) return value
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5
}

function unitOf(z: Float64Array, width: number, { ids }: Side, random: Stream): number {
  const n = ids.length
  const distances: number[] = []
  const add = (i: number, j: number) => {
    let squares = 0
    for (let k = 0; k < width; k++) squares += (z[ids[i] * width + k] - z[ids[j] * width + k]) ** 2
    distances.push(Math.sqrt(squares))
  }
  if ((n * (n - 1)) / 2 <= PAIRS) for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) add(i, j)
  else for (let k = 0; k < PAIRS; k++) add(random.below(n), random.below(n))
  const sorted = Float64Array.from(distances).sort()
  const unit = n < FEW ? (sorted[sorted.length - 1] ?? 0) : (quantileSorted(sorted, 0.975) ?? 0)
  return unit > 0 ? unit : 1
}
