import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { oncePer } from '../once.js'
import { real, whole } from '../option-kinds.js'
import type { Stream } from '../random/stream.js'
import { findColumn, type Table, table } from '../table/table.js'
import { drawLaplace } from './cells/private-counts.js'
import { type Domain, domainOf, domainSchema, drawnColumn, type Guessed } from './domain.js'
import type { FittedSynthesizer, Streams, Synthesizer } from './synthesizer.js'

/**
 * A Bayesian network of low degree, in the manner of PrivBayes (Zhang, Cormode, Procopiuc, Srivastava and Xiao 2017): the
 * first column comes first, then again and again the column X and the set Π of at most `degree` columns before it that
 * depend on each other most,
 *
 *   R(X, Π) = 1/2 Σ |n(x, π) - n(x) n(π) / n|,
 *
 * and each X is drawn from n(x, π) given its π. Numbers are cut into `bins` of equal width and drawn evenly within them.
 *
 * With `epsilon` the release is ε-differentially private for one person more or less. 30 % of ε choose the d - 1 further
 * columns by the exponential mechanism, with sensitivity 2: one person moves n(x, π) by 1 and n(x) n(π) / n by less than 3
 * in all. 70 % are for the d tables, each cell with Laplace noise of scale d / 0.7 ε. What is drawn from them costs nothing.
 * The domains are taken as known: levels, and the `domains` of numbers; those that are not given are read off the data and
 * are not private. Nor is the noise free of the last bits of doubles (Mironov 2012).
 *
 * Blind to what more than `degree` + 1 columns have in common, and to numbers within their bins.
 */
const options = z.object({
  degree: whole(2, { min: 0, max: 4 }).describe('most columns that one depends on'),
  mostCells: whole(2000, { min: 1, max: 1_000_000 }).describe(
    'most cells of the table of a column and those before it',
  ),
  bins: whole(16, { min: 1, max: 1000 }).describe('bins of equal width of numbers'),
  epsilon: real(null, { above: 0 }).describe(
    'privacy budget of each synthesis, neighbours being tables with a person more or less; null for no noise',
  ),
  domains: z
    .record(z.string(), domainSchema)
    .default({})
    .describe('by column what everybody may know: {"lower": 0, "upper": 100, "decimals": 0, "missing": false}'),
})

type Options = z.output<typeof options>

export const bayesianNetwork = {
  id: 'bayesian-network',
  title: 'Bayesian network of low degree',
  options,
  fit(data: Table, chosen: Options, random: Streams): FittedSynthesizer {
    if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
    const unknown = Object.keys(chosen.domains).filter((name) => findColumn(data, name) === undefined)
    if (unknown.length > 0) throw new UserError(unknown.map((name) => `domains: ${data.name} has no column "${name}"`))
    const { variables, dependenceOf } = learnedOf(data, chosen)
    const nodes = networkOf(variables, dependenceOf, chosen, random)
    return {
      sample: (rows, own) => sample(data, nodes, rows, own),
      logProb: (records) => logProbability(data, nodes, records),
      describe: () => ({
        variables: nodes.map(({ variable, parents }) => ({
          variable: variable.domain.name,
          part: 'value',
          method: parents.length === 0 ? 'table of its values' : 'table given the columns it depends on',
          donors: data.rows,
          parents: parents.map(({ domain }) => domain.name),
          levels: variable.domain.size,
        })),
        ...(chosen.epsilon === null ? {} : { epsilon: chosen.epsilon, neighbours: 'add-remove' }),
        warnings: chosen.epsilon === null ? [] : notPrivate(variables),
      }),
    }
  },
  fitsAnew: ({ epsilon }: Options) => epsilon !== null,
} satisfies Synthesizer<typeof options>

interface Variable {
  readonly place: number
  readonly domain: Domain
  readonly guessed: Guessed
  /** Of each original record. */
  readonly codes: Int32Array
}

type Counted = Pick<Variable, 'domain' | 'codes'>
type Dependence = (variable: Variable, parents: readonly Variable[]) => number

/** What all fits of the same data share: each private synthesis chooses its network anew, from the same dependences. */
const learnedOf = oncePer((data: Table, { domains, bins, epsilon }: Options) => {
  const variables = data.columns.map((column, place): Variable => {
    const { domain, guessed } = domainOf(column, domains[column.name], bins)
    return { place, domain, guessed, codes: domain.codesOf(column) }
  })
  return { variables, dependenceOf: epsilon === null ? dependence : rememberedDependence(variables.length) }
})

/** The order of the parents is part of the key, because sums in another order differ in their last bits. */
function rememberedDependence(variables: number): Dependence {
  const known = new Map<number, number>()
  return (variable, parents) => {
    const key =
      parents.reduce((before, { place }) => before * (variables + 1) + place + 1, 0) * variables + variable.place
    const score = known.get(key) ?? dependence(variable, parents)
    known.set(key, score)
    return score
  }
}

function notPrivate(variables: readonly Variable[]): string[] {
  const guessed = variables.filter((variable) => variable.guessed).map(({ domain }) => `"${domain.name}"`)
  return guessed.length === 0
    ? []
    : [`the domains of ${guessed.join(', ')} were read off the data and are not private; give them as domains`]
}

interface Node {
  readonly variable: Variable
  readonly parents: readonly Variable[]
  /** n(x, π), noise included, never below 0: the cell of π times the size of the domain, plus x. */
  readonly counts: Float64Array
  /** n(x), for a π that does not occur. */
  readonly margin: Float64Array
}

const STRUCTURE_SHARE = 0.3
/** By how much one person can move R. */
const SCORE_SENSITIVITY = 2

function networkOf(
  variables: readonly Variable[],
  dependenceOf: Dependence,
  { degree, mostCells, epsilon }: Options,
  random: Streams,
): Node[] {
  const [first, ...others] = variables
  const steps = others.length
  const structure = epsilon === null || steps === 0 ? null : (STRUCTURE_SHARE * epsilon) / steps
  const scale = epsilon === null ? 0 : variables.length / (epsilon * (steps === 0 ? 1 : 1 - STRUCTURE_SHARE))
  const choose = random('structure')
  const noise = random('noise')
  const chosen: { variable: Variable; parents: readonly Variable[] }[] = [{ variable: first, parents: [] }]
  while (chosen.length < variables.length) {
    const known = chosen.map(({ variable }) => variable)
    const left = others.filter((variable) => !known.includes(variable))
    const candidates = left.flatMap((variable) =>
      subsets(known, degree)
        .filter((parents) => cellsOf(parents) * variable.domain.size <= mostCells)
        .map((parents) => ({ variable, parents })),
    )
    // A column of many levels has no table that is small enough: it stands alone.
    const possible = candidates.length > 0 ? candidates : [{ variable: left[0], parents: [] }]
    chosen.push(mostDependent(possible, dependenceOf, structure, choose))
  }
  return chosen.map(({ variable, parents }) => nodeOf(variable, parents, scale, noise))
}

/** The candidate with the largest R; by the exponential mechanism, as the largest of R with Gumbel noise, where it must be private. */
function mostDependent(
  candidates: readonly Pick<Node, 'variable' | 'parents'>[],
  dependenceOf: Dependence,
  epsilon: number | null,
  random: Stream,
): Pick<Node, 'variable' | 'parents'> {
  let best = candidates[0]
  let highest = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    const score = dependenceOf(candidate.variable, candidate.parents)
    const drawn =
      epsilon === null ? score : (epsilon * score) / (2 * SCORE_SENSITIVITY) - math.log(-math.log(random.openUniform()))
    if (drawn <= highest) continue
    best = candidate
    highest = drawn
  }
  return best
}

/** All subsets of at most so many, the empty one first. */
function subsets(from: readonly Variable[], most: number): (readonly Variable[])[] {
  if (most === 0 || from.length === 0) return [[]]
  const [first, ...rest] = from
  return [...subsets(rest, most), ...subsets(rest, most - 1).map((set) => [first, ...set])]
}

function cellsOf(parents: readonly Counted[]): number {
  return parents.reduce((product, { domain }) => product * domain.size, 1)
}

function countsOf({ domain, codes }: Counted, parents: readonly Counted[]): Float64Array {
  const counts = new Float64Array(cellsOf(parents) * domain.size)
  for (let row = 0; row < codes.length; row++) {
    let cell = 0
    for (const parent of parents) cell = cell * parent.domain.size + parent.codes[row]
    counts[cell * domain.size + codes[row]]++
  }
  return counts
}

/** R(X, Π). */
export function dependence(variable: Counted, parents: readonly Counted[]): number {
  if (parents.length === 0) return 0
  const counts = countsOf(variable, parents)
  const { size } = variable.domain
  const n = variable.codes.length
  const margin = marginOf(counts, size)
  let sum = 0
  for (let from = 0; from < counts.length; from += size) {
    let cell = 0
    for (let x = 0; x < size; x++) cell += counts[from + x]
    for (let x = 0; x < size; x++) sum += Math.abs(counts[from + x] - (margin[x] * cell) / n)
  }
  return sum / 2
}

function nodeOf(variable: Variable, parents: readonly Variable[], scale: number, random: Stream): Node {
  const exact = countsOf(variable, parents)
  const counts = scale === 0 ? exact : exact.map((count) => Math.max(0, count + drawLaplace(random, scale)))
  return { variable, parents, counts, margin: marginOf(counts, variable.domain.size) }
}

function marginOf(counts: Float64Array, size: number): Float64Array {
  const margin = new Float64Array(size)
  for (let cell = 0; cell < counts.length; cell++) margin[cell % size] += counts[cell]
  return margin
}

/** Weights of the levels given a cell of the parents; the margin where the cell is empty, even where that is empty too. */
function weightsGiven({ counts, margin }: Node, cell: number): Float64Array {
  const weights = counts.subarray(cell * margin.length, (cell + 1) * margin.length)
  return weights.some((weight) => weight > 0) ? weights : weightsElsewhere(margin)
}

const weightsElsewhere = (margin: Float64Array) => (margin.some((weight) => weight > 0) ? margin : margin.map(() => 1))

function sample(data: Table, nodes: readonly Node[], rows: number, random: Streams): Table {
  const made = new Map<Variable, Int32Array>()
  for (const node of nodes) made.set(node.variable, drawCodes(node, made, rows, random(node.variable.domain.name)))
  const columns = data.columns.flatMap(({ name }) => {
    const node = nodes.find(({ variable }) => variable.domain.name === name)
    if (node === undefined) return []
    const codes = made.get(node.variable) ?? new Int32Array(rows)
    return [drawnColumn(node.variable.domain, codes, random(`${name}/value`))]
  })
  return table(`${data.name} (synthetic)`, columns)
}

function drawCodes(node: Node, made: ReadonlyMap<Variable, Int32Array>, rows: number, random: Stream): Int32Array {
  const parents = node.parents.map((parent) => made.get(parent) ?? new Int32Array(rows))
  const { counts, margin } = node
  const size = margin.length
  const totals = Float64Array.from({ length: counts.length / size }, (_, cell) => totalOf(counts, cell * size, size))
  const elsewhere = weightsElsewhere(margin)
  const totalElsewhere = totalOf(elsewhere, 0, size)
  const codes = new Int32Array(rows)
  for (let row = 0; row < rows; row++) {
    let cell = 0
    for (let k = 0; k < parents.length; k++) cell = cell * node.parents[k].domain.size + parents[k][row]
    const isKnown = totals[cell] > 0
    const weights = isKnown ? counts : elsewhere
    const from = isKnown ? cell * size : 0
    let left = random.uniform() * (isKnown ? totals[cell] : totalElsewhere)
    let code = 0
    let last = 0
    for (; code < size; code++) {
      const weight = weights[from + code]
      if (weight > 0) last = code
      left -= weight
      if (left < 0) break
    }
    codes[row] = left < 0 ? code : last
  }
  return codes
}

function totalOf(weights: Float64Array, from: number, size: number): number {
  let sum = 0
  for (let x = 0; x < size; x++) sum += weights[from + x]
  return sum
}

function logProbability(data: Table, nodes: readonly Node[], records: Table): Float64Array {
  const logs = new Float64Array(records.rows)
  const codes = new Map<Variable, Int32Array>()
  for (const { variable } of nodes) {
    const { domain } = variable
    const column = findColumn(records, domain.name)
    if (column === undefined) throw new UserError(`${records.name} has no column "${domain.name}"`)
    codes.set(variable, domain.codesWithin(column))
    const within = domain.logWithin(column)
    for (let row = 0; row < logs.length; row++) logs[row] += within[row]
  }
  for (const node of nodes) {
    const values = codes.get(node.variable) ?? new Int32Array(data.rows)
    for (let row = 0; row < logs.length; row++) {
      const parents = node.parents.map((parent) => codes.get(parent)?.[row] ?? -1)
      if (logs[row] === Number.NEGATIVE_INFINITY || values[row] < 0 || parents.some((code) => code < 0)) {
        logs[row] = Number.NEGATIVE_INFINITY
        continue
      }
      const cell = parents.reduce((at, code, k) => at * node.parents[k].domain.size + code, 0)
      const weights = weightsGiven(node, cell)
      logs[row] += math.log(weights[values[row]] / weights.reduce((sum, weight) => sum + weight, 0))
    }
  }
  return logs
}
