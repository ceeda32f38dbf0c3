import { z } from 'zod'
import { UserError } from '../errors.js'
import { choice, flag, real } from '../option-kinds.js'
import type { Stream } from '../random/stream.js'
import { type Transition, transitionMatrices } from '../risk/linkage/methods/pram.js'
import { aliasTable, drawCategory } from '../stats/draws.js'
import { sum } from '../stats/sums.js'
import { type CategoricalColumn, type Column, MISSING_CODE } from '../table/column.js'
import { findColumn, type Table } from '../table/table.js'
import { anonymiser, columnsToMask, type Maskable, variablesOption, withColumns } from './method/anonymiser.js'
import { type Strata, type StratumName, strataOption, strataProblems, stratify } from './method/strata.js'

/**
 * Post-randomisation (Gouweleeuw, Kooiman, Willenborg and de Wolf 1998): a value of level i becomes level j with
 * probability R_ij. The matrices are part of the result: who links masked records to people needs them, and so does who
 * corrects estimates.
 *
 * P has diagonal d_i ~ U(pd, 1) and equal off-diagonals. `plain` uses P itself. `invariant` makes the expected margin
 * what it was: with level shares p, Q_kj = P_jk p_j / Σ_i p_i P_ik and R = PQ, so that pᵀR = pᵀ. Both are then mixed
 * with staying put, αR + (1 - α) I. Levels that do not occur take no part. With strata, shares and matrices are those of
 * each stratum, so that its margin is kept too.
 *
 * Values move independently of the other variables: combinations that cannot be (a widowed child) may appear.
 */
const options = z.object({
  variables: variablesOption(
    'categorical columns to randomise; null for the categorical keys, without keys all such columns',
  ),
  strata: strataOption,
  matrix: choice(['invariant', 'plain'], 'invariant').describe('invariant keeps the expected margin, plain does not'),
  pd: real(0.8, { min: 0, max: 1 }).describe('least probability that a value stays, before alpha'),
  fixedDiagonal: flag(false).describe('all probabilities of staying are pd, instead of drawn from [pd, 1]'),
  alpha: real(0.5, { min: 0, max: 1 }).describe('weight of the matrix against leaving every value as it is'),
  transitions: transitionMatrices.describe(
    'matrices to use as they are: {"sex": {"levels": ["f", "m"], "matrix": [[0.9, 0.1], [0.2, 0.8]]}}',
  ),
})

type Options = z.output<typeof options>

const LEVELS: Maskable<CategoricalColumn> = {
  what: 'categorical',
  hint: 'recode it first, or declare its type in types: a=categorical',
  accepts: (column: Column): column is CategoricalColumn => column.kind === 'categorical',
}

/** A matrix of more levels than this is neither computed in passing nor read by anybody. */
const MOST_LEVELS = 500
const ROW_SUM_TOLERANCE = 1e-9

export type PramVariable = {
  readonly variable: string
  readonly strata: readonly PramStratum[]
}

type PramStratum = {
  /** The values of the stratum variables; null without strata. */
  readonly stratum: StratumName | null
  /** Values that are there. */
  readonly n: number
  /** Levels that occur; rows and columns of the matrix, with their shares before. */
  readonly levels: readonly string[]
  readonly shares: readonly number[]
  /** Row i: the probabilities of what level i becomes. */
  readonly matrix: Matrix
  /** Share of values that change, 1 - Σ p_i R_ii, and how many did. */
  readonly expectedChanged: number
  readonly changed: number
}

export type Matrix = readonly (readonly number[])[]

export const pram = anonymiser({
  id: 'pram',
  title: 'Post-randomisation (PRAM)',
  summary: 'Redraws levels with known probabilities; the transition matrices are kept.',
  options,
  apply(data, roles, chosen, context) {
    const columns = columnsToMask(data, roles, chosen.variables, LEVELS)
    const problems = optionProblems(data, columns, chosen)
    if (problems.length > 0) throw new UserError(problems)
    const strata = stratify(data, chosen.strata)
    const masked = columns.map((column) => randomise(column, strata, chosen, context.random(column.name)))
    return {
      table: withColumns(
        data,
        masked.map(({ column }) => column),
      ),
      description: {
        matrix: chosen.matrix,
        variables: masked.map(({ about }) => about),
        transitions: Object.fromEntries(masked.flatMap(({ about }) => transitionOf(about))),
      },
      notes: masked.flatMap(({ about }) => stillNote(about)),
    }
  },
})

/** As the option `transitions` reads it, here and in record-linkage; where strata have matrices of their own there is none for all. */
function transitionOf({
  variable,
  strata,
}: PramVariable): readonly (readonly [string, { levels: readonly string[]; matrix: Matrix }])[] {
  return strata.length === 1 ? [[variable, { levels: strata[0].levels, matrix: strata[0].matrix }]] : []
}

function optionProblems(
  data: Table,
  columns: readonly CategoricalColumn[],
  { strata, transitions }: Options,
): string[] {
  const names = columns.map(({ name }) => name)
  const problems = strataProblems(data, strata, names, 'randomised')
  for (const { name, levels } of columns) {
    if (levels.length > MOST_LEVELS)
      problems.push(`"${name}" has ${levels.length} levels, pram takes at most ${MOST_LEVELS}; recode it first`)
  }
  for (const [name, given] of Object.entries(transitions)) {
    const column = columns.find((one) => one.name === name)
    if (column !== undefined) problems.push(...matrixProblems(column, given))
    else
      problems.push(
        `transitions names "${name}", which is not randomised${findColumn(data, name) === undefined ? `; ${data.name} has no such column` : ''}`,
      )
  }
  return problems
}

function matrixProblems(column: CategoricalColumn, { levels, matrix }: Transition): string[] {
  const where = `the transition matrix of "${column.name}"`
  const size = levels.length
  if (new Set(levels).size < size) return [`${where} names a level twice`]
  if (matrix.length !== size || matrix.some((row) => row.length !== size))
    return [`${where} must have ${size} rows of ${size} probabilities, one per level`]
  const bad = matrix.findIndex((row) => Math.abs(sum(row) - 1) > ROW_SUM_TOLERANCE)
  if (bad >= 0) return [`${where}: the row of "${levels[bad]}" sums to ${sum(matrix[bad])}, not to 1`]
  const occurring = new Set(column.codes)
  const absent = column.levels.find((level, code) => occurring.has(code) && !levels.includes(level))
  return absent === undefined ? [] : [`${where} has no row for "${absent}"`]
}

function randomise(
  column: CategoricalColumn,
  strata: Strata,
  chosen: Options,
  random: Stream,
): { readonly column: CategoricalColumn; readonly about: PramVariable } {
  const transition = Object.hasOwn(chosen.transitions, column.name) ? chosen.transitions[column.name] : undefined
  const levels = transition === undefined ? column.levels : [...new Set([...column.levels, ...transition.levels])]
  const codes = column.codes.slice()
  const about = strata.rows.map((rows, k): PramStratum => {
    const counts = new Float64Array(levels.length)
    for (const row of rows) if (codes[row] !== MISSING_CODE) counts[codes[row]]++
    const n = sum(counts)
    const taking =
      transition === undefined
        ? Array.from(levels.keys()).filter((code) => counts[code] > 0)
        : transition.levels.map((level) => levels.indexOf(level))
    const shares = taking.map((code) => (n === 0 ? 0 : counts[code] / n))
    const matrix = transition?.matrix ?? drawMatrix(shares, chosen, random)
    const changed = redraw(codes, rows, taking, matrix, random)
    return {
      stratum: strata.names[k],
      n,
      levels: taking.map((code) => levels[code]),
      shares,
      matrix,
      expectedChanged: n === 0 ? 0 : Math.max(0, 1 - sum(shares.map((share, i) => share * matrix[i][i]))),
      changed,
    }
  })
  return { column: { ...column, levels, codes }, about: { variable: column.name, strata: about } }
}

function drawMatrix(shares: readonly number[], { matrix, pd, fixedDiagonal, alpha }: Options, random: Stream): Matrix {
  const size = shares.length
  if (size === 1) return [[1]]
  const plain = shares.map((_, i) => {
    const stay = fixedDiagonal ? pd : pd + (1 - pd) * random.uniform()
    return shares.map((_, j) => (i === j ? stay : (1 - stay) / (size - 1)))
  })
  const moving = matrix === 'plain' ? plain : invariantMatrix(plain, shares)
  return moving.map((row, i) => row.map((probability, j) => alpha * probability + (i === j ? 1 - alpha : 0)))
}

/** R = PQ with Q_kj = P_jk p_j / Σ_i p_i P_ik, the chance that what became k had been j: pᵀR = pᵀ. */
export function invariantMatrix(plain: Matrix, shares: readonly number[]): Matrix {
  const reached = shares.map((_, k) => sum(shares.map((share, i) => share * plain[i][k])))
  return plain.map((row) =>
    shares.map((share, j) => {
      let total = 0
      for (let k = 0; k < row.length; k++) if (reached[k] > 0) total += (row[k] * plain[j][k] * share) / reached[k]
      return total
    }),
  )
}

/** Redraws the values of some rows in place and counts those that changed. */
function redraw(
  codes: Int32Array,
  rows: Int32Array,
  taking: readonly number[],
  matrix: Matrix,
  random: Stream,
): number {
  const draws = matrix.map((row) => aliasTable(row))
  const placeOf = new Map(taking.map((code, place) => [code, place]))
  let changed = 0
  for (const row of rows) {
    const place = placeOf.get(codes[row])
    if (place === undefined) continue
    const drawn = taking[drawCategory(random, draws[place])]
    if (drawn !== codes[row]) changed++
    codes[row] = drawn
  }
  return changed
}

function stillNote({ variable, strata }: PramVariable): string[] {
  const still = strata.filter(({ n, levels }) => n > 0 && levels.length === 1).length
  if (still === 0) return []
  return strata.length === 1
    ? [`"${variable}" has one level only and is left as it is`]
    : [`"${variable}" has one level only in ${still} of ${strata.length} strata and is left as it is there`]
}
