import { math } from '@scrim/kernels'
import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'

/**
 * Autoencoder of mixed records: numbers in [0, 1] and entity embeddings of categories (Guo and Berkhahn 2016) go through a
 * layer of rectifiers to a short linear code and back; the code keeps what most of the record can be rebuilt from.
 * Loss: squared error of numbers (through a sigmoid) and cross-entropy of categories, by their shares of the columns;
 * Adam with 1e-3, batches of 32, at most 50 epochs, a fifth held back, and the weights with the least loss there are kept.
 * A missing number enters as the mean with a mark; a missing or unknown category as the mean embedding. Neither is rebuilt.
 */
export interface MixedRows {
  readonly rows: number
  /** In [0, 1]; NaN is missing. */
  readonly numbers: readonly Float64Array[]
  /** -1 is missing. */
  readonly codes: readonly Int32Array[]
}

export interface AutoencoderOptions {
  readonly cardinalities: readonly number[]
  /** Length of the code; by `codeLength` when null. */
  readonly latent: number | null
  readonly epochs: number
}

export interface Autoencoder {
  readonly latent: number
  readonly epochs: number
  readonly loss: number
  /** Rows times `latent`. */
  encode(of: MixedRows): Float64Array
}

const LEARNING_RATE = 1e-3
const BATCH = 32
const HELD_BACK = 0.2
const PATIENCE = 5
const WIDEST_EMBEDDING = 50

interface Shape {
  readonly numbers: number
  readonly cardinalities: readonly number[]
  /** Width of each embedding, and where it lies in the input and in the parameters. */
  readonly widths: readonly number[]
  readonly input: number
  readonly hidden: number
  readonly latent: number
  readonly output: number
  readonly embeddings: readonly number[]
  readonly layers: readonly { readonly from: number; readonly to: number; readonly at: number }[]
  readonly parameters: number
}

export function fitAutoencoder(data: MixedRows, options: AutoencoderOptions, random: Stream): Autoencoder {
  const shape = shapeOf(data, options)
  const means = data.numbers.map(meanOfKnown)
  const parameters = startingParameters(shape, random)
  const order = permutation(random, data.rows)
  const held = data.rows < 2 ? 0 : Math.max(1, Math.floor(HELD_BACK * data.rows))
  const validation = order.slice(0, held)
  const training = order.slice(held)
  const net = network(shape, parameters)
  const adam = adamOf(parameters)
  let best = { loss: Number.POSITIVE_INFINITY, parameters: parameters.slice(), epoch: 0 }
  let epochs = 0
  while (epochs < options.epochs && epochs - best.epoch < PATIENCE) {
    epochs++
    const turn = permutation(random, training.length)
    for (let from = 0; from < training.length; from += BATCH) {
      const size = Math.min(BATCH, training.length - from)
      net.gradient.fill(0)
      for (let k = 0; k < size; k++) net.learn(data, means, training[turn[from + k]], 1 / size)
      adam(net.gradient)
    }
    const looked = held > 0 ? validation : training
    let loss = 0
    for (const row of looked) loss += net.loss(data, means, row) / looked.length
    if (loss < best.loss) best = { loss, parameters: parameters.slice(), epoch: epochs }
  }
  parameters.set(best.parameters)
  averageUnknown(shape, parameters)
  return {
    latent: shape.latent,
    epochs,
    loss: Number.isFinite(best.loss) ? best.loss : 0,
    encode(records) {
      const codes = new Float64Array(records.rows * shape.latent)
      for (let row = 0; row < records.rows; row++) codes.set(net.encode(records, means, row), row * shape.latent)
      return codes
    },
  }
}

/** A third of the inputs, at least two. */
export function codeLength(numbers: number, cardinalities: readonly number[]): number {
  const inner = embeddingWidths(cardinalities).reduce((a, b) => a + b, 0) + numbers
  return Math.max(2, Math.floor(inner / 3))
}

function embeddingWidths(cardinalities: readonly number[]): readonly number[] {
  return cardinalities.map((levels) => Math.min(WIDEST_EMBEDDING, Math.floor(levels / 2) + 1))
}

function shapeOf(data: MixedRows, { cardinalities, latent: wanted }: AutoencoderOptions): Shape {
  const numbers = data.numbers.length
  const widths = embeddingWidths(cardinalities)
  const inner = widths.reduce((a, b) => a + b, 0) + numbers
  const latent = wanted ?? codeLength(numbers, cardinalities)
  const hidden = Math.max(latent + 2, Math.floor((2 * inner) / 3))
  // A mark per number says that it is missing.
  const input = inner + numbers
  const output = numbers + cardinalities.reduce((a, b) => a + b, 0)
  let at = 0
  const take = (count: number) => {
    const from = at
    at += count
    return from
  }
  const embeddings = cardinalities.map((levels, v) => take((levels + 1) * widths[v]))
  const layers = [
    { from: input, to: hidden },
    { from: hidden, to: latent },
    { from: latent, to: hidden },
    { from: hidden, to: output },
  ].map((layer) => ({ ...layer, at: take((layer.from + 1) * layer.to) }))
  return { numbers, cardinalities, widths, input, hidden, latent, output, embeddings, layers, parameters: at }
}

function startingParameters({ cardinalities, widths, embeddings, layers, parameters }: Shape, random: Stream) {
  const start = new Float64Array(parameters)
  for (const [v, levels] of cardinalities.entries())
    for (let k = 0; k < (levels + 1) * widths[v]; k++) start[embeddings[v] + k] = drawNormal(random, 0, 0.5)
  for (const { from, to, at } of layers)
    for (let k = 0; k < from * to; k++) start[at + k] = drawNormal(random, 0, Math.sqrt(2 / from))
  return start
}

function meanOfKnown(values: Float64Array): number {
  let [sum, known] = [0, 0]
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value
      known++
    }
  return known === 0 ? 0.5 : sum / known
}

/** Forward and backward passes of one record at a time, in buffers that are used again. */
function network(shape: Shape, p: Float64Array) {
  const { numbers, cardinalities, widths, embeddings, layers } = shape
  const gradient = new Float64Array(p.length)
  const x = new Float64Array(shape.input)
  const [h, z, g, y] = layers.map(({ to }) => new Float64Array(to))
  const [dx, dh, dz, dg, dy] = [x, h, z, g, y].map((of) => new Float64Array(of.length))

  function read({ numbers: values, codes }: MixedRows, means: readonly number[], row: number): void {
    for (let v = 0; v < numbers; v++) {
      const value = values[v][row]
      x[v] = Number.isNaN(value) ? means[v] : value
      x[numbers + v] = Number.isNaN(value) ? 1 : 0
    }
    let at = 2 * numbers
    for (let v = 0; v < cardinalities.length; v++) {
      const from = embeddingOf(v, codes[v][row])
      for (let k = 0; k < widths[v]; k++) x[at++] = p[from + k]
    }
  }

  function embeddingOf(v: number, code: number): number {
    const known = code >= 0 && code < cardinalities[v] ? code : cardinalities[v]
    return embeddings[v] + known * widths[v]
  }

  function encode(data: MixedRows, means: readonly number[], row: number): Float64Array {
    read(data, means, row)
    forward(layers[0], p, x, h, true)
    forward(layers[1], p, h, z, false)
    return z
  }

  /** The loss of a record; fills dy with its derivative by the outputs. */
  function loss(data: MixedRows, means: readonly number[], row: number): number {
    encode(data, means, row)
    forward(layers[2], p, z, g, true)
    forward(layers[3], p, g, y, false)
    dy.fill(0)
    const columns = numbers + cardinalities.length
    let total = 0
    for (let v = 0; v < numbers; v++) {
      const value = data.numbers[v][row]
      if (Number.isNaN(value)) continue
      const made = 1 / (1 + math.exp(-y[v]))
      total += (made - value) ** 2 / columns
      dy[v] = (2 * (made - value) * made * (1 - made)) / columns
    }
    let at = numbers
    for (let v = 0; v < cardinalities.length; at += cardinalities[v++]) {
      const code = data.codes[v][row]
      if (code < 0 || code >= cardinalities[v]) continue
      total += crossEntropy(at, cardinalities[v], code, columns)
    }
    return total
  }

  function crossEntropy(at: number, levels: number, code: number, columns: number): number {
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < levels; k++) most = Math.max(most, y[at + k])
    let sum = 0
    for (let k = 0; k < levels; k++) sum += math.exp(y[at + k] - most)
    for (let k = 0; k < levels; k++) dy[at + k] = (math.exp(y[at + k] - most) / sum - (k === code ? 1 : 0)) / columns
    return (most + math.log(sum) - y[at + code]) / columns
  }

  function learn(data: MixedRows, means: readonly number[], row: number, share: number): void {
    loss(data, means, row)
    for (let k = 0; k < dy.length; k++) dy[k] *= share
    backward(layers[3], p, gradient, g, dy, dg)
    for (let k = 0; k < dg.length; k++) if (g[k] <= 0) dg[k] = 0
    backward(layers[2], p, gradient, z, dg, dz)
    backward(layers[1], p, gradient, h, dz, dh)
    for (let k = 0; k < dh.length; k++) if (h[k] <= 0) dh[k] = 0
    backward(layers[0], p, gradient, x, dh, dx)
    let at = 2 * numbers
    for (let v = 0; v < cardinalities.length; v++) {
      const from = embeddingOf(v, data.codes[v][row])
      for (let k = 0; k < widths[v]; k++) gradient[from + k] += dx[at++]
    }
  }

  return { gradient, encode, loss, learn }
}

type Layer = Shape['layers'][number]

function forward(
  { from, to, at }: Layer,
  p: Float64Array,
  input: Float64Array,
  output: Float64Array,
  cut: boolean,
): void {
  for (let j = 0; j < to; j++) {
    let sum = p[at + from * to + j]
    const row = at + j * from
    for (let i = 0; i < from; i++) sum += p[row + i] * input[i]
    output[j] = cut && sum < 0 ? 0 : sum
  }
}

function backward(
  { from, to, at }: Layer,
  p: Float64Array,
  gradient: Float64Array,
  input: Float64Array,
  byOutput: Float64Array,
  byInput: Float64Array,
): void {
  byInput.fill(0)
  for (let j = 0; j < to; j++) {
    const by = byOutput[j]
    if (by === 0) continue
    gradient[at + from * to + j] += by
    const row = at + j * from
    for (let i = 0; i < from; i++) {
      gradient[row + i] += by * input[i]
      byInput[i] += by * p[row + i]
    }
  }
}

/** Kingma and Ba (2015). */
function adamOf(p: Float64Array): (gradient: Float64Array) => void {
  const first = new Float64Array(p.length)
  const second = new Float64Array(p.length)
  let step = 0
  return (gradient) => {
    step++
    const [c1, c2] = [1 - math.pow(0.9, step), 1 - math.pow(0.999, step)]
    for (let k = 0; k < p.length; k++) {
      first[k] = 0.9 * first[k] + 0.1 * gradient[k]
      second[k] = 0.999 * second[k] + 0.001 * gradient[k] ** 2
      p[k] -= (LEARNING_RATE * (first[k] / c1)) / (Math.sqrt(second[k] / c2) + 1e-8)
    }
  }
}

function averageUnknown({ cardinalities, widths, embeddings }: Shape, p: Float64Array): void {
  for (const [v, levels] of cardinalities.entries())
    for (let k = 0; k < widths[v]; k++) {
      let sum = 0
      for (let level = 0; level < levels; level++) sum += p[embeddings[v] + level * widths[v] + k]
      p[embeddings[v] + levels * widths[v] + k] = levels === 0 ? 0 : sum / levels
    }
}
