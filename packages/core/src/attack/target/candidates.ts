import { UserError, unknownName } from '../../errors.js'
import { count, grouped } from '../../print.js'
import type { Stream } from '../../random/stream.js'
import { quantileSorted } from '../../stats/quantile.js'
import {
  cellBook,
  prefixBook,
  type Records,
  recordAt,
  recordLabel,
  recordsOf,
  type Variable,
  valueCount,
} from '../generator/records.js'

/**
 * What the unknown record may be. Every world is the known records plus one candidate (or, for membership, the mean over
 * several).
 *
 *   cells        all combinations of the levels that occur
 *   attribute    the true record with the sensitive variable at each of its levels
 *   neighbours   the truth, other original records and draws from the marginals, half each
 *   membership   the truth present, against the truth replaced by somebody else
 *   list         records that the user gives
 */
export const CANDIDATE_KINDS = ['cells', 'attribute', 'neighbours', 'membership', 'list'] as const
type CandidateKind = (typeof CANDIDATE_KINDS)[number]

export interface CandidateOptions {
  readonly kind?: CandidateKind | undefined
  /** `attribute`: the variable that the attacker wants to learn. */
  readonly sensitive?: string | undefined
  /** `attribute` with numbers: quantile points to try, if there are more distinct values. */
  readonly grid?: number | undefined
  /** `neighbours`: number of candidates, the truth included. */
  readonly size?: number | undefined
  /** `membership`: records that the truth may have been replaced by. */
  readonly replacements?: number | undefined
}

export interface CandidateSet {
  readonly kind: CandidateKind
  readonly worlds: readonly CandidateWorld[]
  /** The world of the truth; null where it is not among them. */
  readonly truth: number | null
}

interface CandidateWorld {
  readonly label: string
  /** Records that are equally likely in this world; nearly always one. */
  readonly records: readonly Int32Array[]
}

const MOST_CELLS = 4096
const GRID = 50
const NEIGHBOURS = 200
const REPLACEMENTS = 20

export interface CandidateSource {
  readonly variables: readonly Variable[]
  readonly original: Records
  /** Records that were not used, to replace a member by. */
  readonly holdout: Records | null
  /** Records of kind `list`. */
  readonly list: Records | null
}

function defaultKind(variables: readonly Variable[], { sensitive }: CandidateOptions): CandidateKind {
  if (cellCount(variables) <= MOST_CELLS) return 'cells'
  return sensitive === undefined ? 'neighbours' : 'attribute'
}

function cellCount(variables: readonly Variable[]): number {
  return variables.reduce((product, { codes }) => product * codes, 1)
}

/** The candidates for the record of `row`. `random` is used for neighbours and membership only. */
export function candidateSet(
  source: CandidateSource,
  row: number,
  options: CandidateOptions,
  random: Stream,
): CandidateSet {
  const kind = options.kind ?? defaultKind(source.variables, options)
  const truth = recordAt(source.original, row)
  const chosen =
    kind === 'membership'
      ? membership(source, row, truth, options, random)
      : named(kind, source, row, truth, options, random)
  if (chosen.worlds.length < 2)
    throw new UserError(
      `there is only ${count(chosen.worlds.length, 'candidate')} for record ${row + 1}: nothing to guess`,
    )
  return chosen
}

function named(
  kind: CandidateKind,
  source: CandidateSource,
  row: number,
  truth: Int32Array,
  options: CandidateOptions,
  random: Stream,
): CandidateSet {
  const { variables } = source
  const records = recordsOfKind(kind, source, row, truth, options, random)
  const at = records.findIndex((record) => record.every((code, j) => code === truth[j]))
  const worlds = records.map((record) => ({ label: recordLabel(variables, record), records: [record] }))
  return { kind, worlds, truth: at < 0 ? null : at }
}

function recordsOfKind(
  kind: CandidateKind,
  source: CandidateSource,
  row: number,
  truth: Int32Array,
  options: CandidateOptions,
  random: Stream,
): Int32Array[] {
  switch (kind) {
    case 'cells':
      return cells(source.variables)
    case 'attribute':
      return attribute(source, truth, options)
    case 'neighbours':
      return neighbours(source, row, truth, options.size ?? NEIGHBOURS, random)
    default:
      return listed(source)
  }
}

function cells(variables: readonly Variable[]): Int32Array[] {
  const all = cellCount(variables)
  if (all > MOST_CELLS)
    throw new UserError(
      `the variables have ${count(all, 'combination')} of levels, at most ${grouped(MOST_CELLS)} can be candidates; choose fewer variables, or candidates attribute or neighbours`,
    )
  return Array.from({ length: all }, (_, cell) => {
    const record = new Int32Array(variables.length)
    let rest = cell
    for (let j = variables.length - 1; j >= 0; j--) {
      record[j] = rest % variables[j].codes
      rest = Math.floor(rest / variables[j].codes)
    }
    return record
  })
}

function attribute(
  { variables, original }: CandidateSource,
  truth: Int32Array,
  options: CandidateOptions,
): Int32Array[] {
  const { sensitive, grid = GRID } = options
  if (sensitive === undefined) throw new UserError('candidates attribute need the sensitive variable to be named')
  const names = variables.map(({ name }) => name)
  const j = names.indexOf(sensitive)
  if (j < 0) throw new UserError(unknownName('sensitive variable', sensitive, names))
  return sensitiveCodes(variables[j], original.codes[j], truth[j], grid).map((code) => {
    const record = truth.slice()
    record[j] = code
    return record
  })
}

/** All codes of a variable, or those of quantile points where there are too many numbers; the truth is always there. */
function sensitiveCodes(variable: Variable, codes: Int32Array, truth: number, grid: number): number[] {
  const all = Array.from({ length: variable.codes }, (_, code) => code)
  if (variable.kind === 'levels' || valueCount(variable) <= grid) return all
  const observed = codes.filter((code) => code !== variable.missing).sort()
  const points = Array.from({ length: grid }, (_, k) => Math.round(quantileSorted(observed, k / (grid - 1)) ?? 0))
  return [...new Set([...points, ...(variable.missing < 0 ? [] : [variable.missing]), truth])].sort((a, b) => a - b)
}

function neighbours(
  { variables, original }: CandidateSource,
  row: number,
  truth: Int32Array,
  size: number,
  random: Stream,
): Int32Array[] {
  const book = cellBook(variables)
  const fresh: Int32Array[] = []
  const offer = (record: Int32Array) => {
    const known = book.cells.length
    if (book.idOf(recordsOf([record], variables.length), 0) === known) fresh.push(record)
  }
  const enough = 20 * size
  offer(truth)
  for (let draws = 0; fresh.length < 1 + (size - 1) / 2 && draws < enough; draws++) {
    const other = random.below(original.rows)
    if (other !== row) offer(recordAt(original, other))
  }
  for (let draws = 0; fresh.length < size && draws < enough; draws++)
    offer(Int32Array.from(original.codes, (codes) => codes[random.below(original.rows)]))
  return fresh
}

function listed({ variables, list }: CandidateSource): Int32Array[] {
  if (list === null) throw new UserError('candidates list need the records to be given')
  const book = cellBook(variables)
  return Array.from({ length: list.rows }, (_, row) => {
    const record = recordAt(list, row)
    if (book.idOf(list, row) < row)
      throw new UserError(`the list of candidates has a record twice: ${recordLabel(variables, record)}`)
    return record
  })
}

function membership(
  { variables, original, holdout }: CandidateSource,
  row: number,
  truth: Int32Array,
  { replacements = REPLACEMENTS }: CandidateOptions,
  random: Stream,
): CandidateSet {
  const from = holdout ?? original
  const others = Array.from({ length: replacements }, () => {
    const other = random.below(holdout === null ? from.rows - 1 : from.rows)
    return recordAt(from, holdout === null && other >= row ? other + 1 : other)
  })
  return {
    kind: 'membership',
    worlds: [
      { label: `${recordLabel(variables, truth)} present`, records: [truth] },
      { label: 'replaced', records: others },
    ],
    truth: 0,
  }
}

export const PRIORS = ['uniform', 'population'] as const
export type Prior = (typeof PRIORS)[number] | readonly number[]

/** Prior weight of each world: equal, or by how often its records occur among the known ones (+ one half), or as given. */
export function priorOf(prior: Prior, set: CandidateSet, original: Records, row: number): number[] {
  const weights =
    prior === 'uniform' || set.kind === 'membership'
      ? set.worlds.map(() => 1)
      : prior === 'population'
        ? frequencies(set, original, row)
        : [...prior]
  if (weights.length !== set.worlds.length)
    throw new UserError(`the prior has ${count(weights.length, 'weight')} for ${count(set.worlds.length, 'candidate')}`)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (!weights.every((weight) => weight >= 0) || !(total > 0 && total < Infinity))
    throw new UserError('prior weights must not be negative, and their sum must be positive')
  return weights.map((weight) => weight / total)
}

const HALF = 0.5

function frequencies({ worlds }: CandidateSet, original: Records, row: number): number[] {
  const { cellOf, counts } = countedCells(original)
  const ownCell = cellOf(recordAt(original, row))
  return worlds.map(({ records: [record] }) => {
    const cell = cellOf(record)
    return HALF + (counts.get(cell) ?? 0) - (cell === ownCell ? 1 : 0)
  })
}

interface CountedCells {
  readonly cellOf: (record: Int32Array) => number
  readonly counts: ReadonlyMap<number, number>
}

/** Cells of the original, counted once for all of its records. */
const counted = new WeakMap<Records, CountedCells>()

function countedCells(original: Records): CountedCells {
  const known = counted.get(original)
  if (known !== undefined) return known
  const prefixes = prefixBook(original.codes.length)
  const cellOf = (record: Int32Array) => record.reduce((prefix, code, j) => prefixes(j, prefix, code), 0)
  const counts = new Map<number, number>()
  for (let row = 0; row < original.rows; row++) {
    const cell = cellOf(recordAt(original, row))
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
  }
  const cells = { cellOf, counts }
  counted.set(original, cells)
  return cells
}
