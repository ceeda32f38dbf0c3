import { codeLength, fitAutoencoder, type MixedRows } from '../../../learners/fitting/autoencoder.js'
import { whole } from '../../../option-kinds.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { quantileSorted } from '../../../stats/quantile.js'
import { type Block, filesOfBlock, putBlock } from '../costs/blocks.js'
import { keyCosts } from '../costs/costs.js'
import type { Key, LinkedFiles, Side } from '../costs/linked-files.js'

/**
 * Linkage in the code of an autoencoder that was trained on the original here: d = min(1, ‖z_i - z_j‖ / θ), θ the 97.5 %
 * quantile of the distances between people of the original (the largest one of fewer than 40). What the code leaves out, it
 * cannot link by, so it is usually weaker than a distance on the keys themselves. Stochastic: one seed, one result. Records are
 * compared within blocks, and so may the network be trained: one for each block of at least 30 people (five for each number
 * of the code), one of all people for the others.
 */
export const embeddingOptions = {
  latent: whole(null, { min: 1 }).describe('embedding: length of the code'),
  epochs: whole(50, { min: 1 }).describe('embedding: passes through the data at most'),
}

export interface EmbeddingOptions {
  readonly latent: number | null
  readonly epochs: number
  readonly original: 'query' | 'search'
}

/** People that the network learns from, and pairs of them for the unit, at most. */
const LEARNT_FROM = 10_000
const PAIRS = 20_000
const FEW = 40
/** People of a block of its own at least, and for each number of the code. */
const FEWEST = 30
const FEWEST_PER_NUMBER = 5

/** `blocks` that do not overlap, to be learnt one by one; null to learn from all people at once. */
export function embeddingCosts(
  files: LinkedFiles,
  options: EmbeddingOptions,
  blocks: readonly Block[] | null,
  random: (purpose: string, index?: number) => Stream,
) {
  const { original } = options
  const { numbers, others } = keysOf(files)
  const cardinalities = others.map(({ cardinality }) => cardinality)
  const latent = options.latent ?? codeLength(numbers.length, cardinalities)
  const fewest = Math.max(FEWEST, FEWEST_PER_NUMBER * latent)
  const parts = (blocks ?? []).map((block, k) => ({ block, k, own: filesOfBlock(files, block) }))
  const large = parts.filter(({ own }) => own[original].ids.length >= fewest && own.search.classes > 0)
  const all = large.length < parts.length || blocks === null ? trained(files, { ...options, latent }, random) : null
  const query = all?.query ?? new Float64Array(files.query.classes * latent)
  const search = all?.search ?? new Float64Array(files.search.classes * latent)
  const networks = all === null ? [] : [{ ...all, people: files[original].ids.length }]
  for (const { block, k, own } of large) {
    const found = trained(own, { ...options, latent }, (purpose) => random(purpose, k + 1))
    putBlock(found.query, block.queries, latent, query)
    putBlock(found.search, block.searches, latent, search)
    networks.push({ ...found, people: own[original].ids.length })
  }
  const people = networks.reduce((sum, one) => sum + one.people, 0)
  return {
    costs: {
      ...keyCosts([], files.search.classes),
      round: { width: latent, query, search, factor: 1, unit: 1, cap: 1, partial: null },
    },
    latent,
    /** Networks trained, the most passes through the data of any, and the mean of their losses by people. */
    networks: networks.length,
    epochs: Math.max(...networks.map(({ epochs }) => epochs)),
    loss: networks.reduce((sum, one) => sum + (one.people / people) * one.loss, 0),
  }
}

/** Codes of all classes of both files in units of θ, from a network that is trained on the original's. */
function trained(
  files: LinkedFiles,
  { latent, epochs, original }: EmbeddingOptions & { readonly latent: number },
  random: (purpose: string) => Stream,
) {
  const { numbers, others } = keysOf(files)
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
  const inUnits = (codes: Float64Array) => codes.map((value) => value / unit)
  return { query: inUnits(query), search: inUnits(search), epochs: model.epochs, loss: model.loss }
}

function keysOf({ keys }: LinkedFiles) {
  return {
    numbers: keys.filter(({ numbers }) => numbers.length > 0),
    others: keys.filter(({ numbers }) => numbers.length === 0),
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
