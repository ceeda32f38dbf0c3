import { groupRows } from '@scrim/kernels'
import { sum } from '../../../stats/sums.js'

/**
 * Expected sample counts of the occupied cells under a log-linear model of the keys, fitted by maximum likelihood.
 *
 * A model is a list of cliques (its generators). It is decomposable when the cliques can be strung on a tree in which
 * every variable keeps together; the fit is then a ratio of margins, μ = Π n(clique) / Π n(separator), and only occupied
 * margins are needed (Lauritzen 1996, 4.4). Any other model, such as all two-way interactions, is fitted by iterative
 * proportional fitting over the full grid, empty cells included.
 */
export interface LogLinearFit {
  /** Expected count per cell. */
  readonly expected: Float64Array
  readonly model: 'independence' | 'decomposable' | 'iterative'
  readonly gridCells: number
  readonly emptyCells: number
  readonly iterations: number
  readonly converged: boolean
  readonly notes: readonly string[]
}

/** The occupied cells of a cross-classification: one code per variable and cell, and the number of records in it. */
export interface Cells {
  readonly codes: readonly Int32Array[]
  readonly counts: ArrayLike<number>
}

/** Variables that interact, by position. A variable in no clique is independent of all others. */
export type Clique = readonly number[]

const LARGEST_GRID = 1e7
const MOST_ITERATIONS = 200
/** Margins are met to this share of all records. */
const TOLERANCE = 1e-10

export function fitLogLinear(cells: Cells, cliques: readonly Clique[]): LogLinearFit {
  const { compact, sizes, gridCells, emptyCells, generators } = layOut(cells, cliques)
  const common = { gridCells, emptyCells, iterations: 0, converged: true, notes: [] }
  const separators = junctionSeparators(generators, sizes.length)
  if (separators !== undefined) {
    const model = generators.every((clique) => clique.length === 1) ? 'independence' : 'decomposable'
    return { ...common, model, expected: ratioOfMargins(compact, generators, separators) }
  }
  if (gridCells > LARGEST_GRID) {
    const notes = [
      `the grid of all keys has ${gridCells} cells, more than ${LARGEST_GRID}: the independence model was fitted instead`,
    ]
    const singles = sizes.map((_, variable) => [variable])
    return {
      ...common,
      model: 'independence',
      notes,
      expected: ratioOfMargins(compact, singles, new Array(sizes.length - 1).fill([])),
    }
  }
  return { ...common, ...proportionalFitting(compact, generators, sizes, gridCells), model: 'iterative' }
}

/** What a cell's expected count is a multiple of, beside the model: per occupied cell, and one value for all empty ones. */
export interface Exposure {
  readonly ofCell: Float64Array
  readonly elsewhere: number
}

/**
 * The same with μ = exposure · exp(model), as a Poisson regression with the logarithm of the exposure for offset: iterative
 * proportional fitting keeps the ratios that it starts from, so it starts from the exposure. Null where the grid is
 * larger than `largestGrid`.
 */
export function fitWithExposure(
  cells: Cells,
  cliques: readonly Clique[],
  exposure: Exposure,
  largestGrid = LARGEST_GRID,
): LogLinearFit | null {
  const { compact, sizes, gridCells, emptyCells, generators } = layOut(cells, cliques)
  if (gridCells > largestGrid) return null
  const fitted = proportionalFitting(compact, generators, sizes, gridCells, exposure)
  return { ...fitted, model: 'iterative', gridCells, emptyCells }
}

export function allPairs(variables: number): Clique[] {
  return Array.from({ length: variables }, (_, a) => a).flatMap((a) =>
    Array.from({ length: variables - a - 1 }, (_, k) => [a, a + k + 1]),
  )
}

/** The variables with dense codes, the largest last, so that the grid is walked in long runs, and the model's generators. */
function layOut(cells: Cells, cliques: readonly Clique[]) {
  const coded = cells.codes.map((column, variable) => {
    const codes = dense(column)
    return { variable, codes, size: codes.reduce((a, b) => Math.max(a, b), -1) + 1 }
  })
  coded.sort((a, b) => a.size - b.size)
  const place = new Int32Array(coded.length)
  for (const [position, { variable }] of coded.entries()) place[variable] = position
  const sizes = coded.map(({ size }) => size)
  const gridCells = sizes.reduce((product, size) => product * size, 1)
  const placed = cliques.map((clique) => clique.map((variable) => place[variable]))
  return {
    compact: { codes: coded.map(({ codes }) => codes), counts: cells.counts },
    sizes,
    gridCells,
    emptyCells: gridCells - cells.counts.length,
    generators: maximal([...placed, ...sizes.map((_, variable) => [variable])]),
  }
}

/** Codes renumbered so that every one occurs; missing (-1) is a code like the others. */
function dense(codes: Int32Array): Int32Array {
  const shifted = codes.map((code) => code + 1)
  const used = new Int32Array(shifted.reduce((a, b) => Math.max(a, b), 0) + 1)
  for (const code of shifted) used[code] = 1
  let next = 0
  for (let code = 0; code < used.length; code++) used[code] = used[code] === 1 ? next++ : -1
  return shifted.map((code) => used[code])
}

/** The cliques that are not part of another one. */
function maximal(cliques: readonly Clique[]): Clique[] {
  const sorted = cliques.map((clique) => [...new Set(clique)].sort((a, b) => a - b)).sort((a, b) => b.length - a.length)
  const kept: Clique[] = []
  for (const clique of sorted) {
    if (!kept.some((larger) => clique.every((variable) => larger.includes(variable)))) kept.push(clique)
  }
  return kept
}

/**
 * The separators of a junction tree, or undefined when the model is not decomposable. A maximum spanning tree of the
 * cliques, weighted by what they share, is a junction tree exactly when its weight is Σ|C| minus the number of variables.
 */
function junctionSeparators(cliques: readonly Clique[], variables: number): Clique[] | undefined {
  const separators: Clique[] = []
  const inTree = [cliques[0]]
  const waiting = cliques.slice(1)
  while (waiting.length > 0) {
    let best: Clique = []
    let next = 0
    for (const [k, candidate] of waiting.entries()) {
      for (const member of inTree) {
        const shared = candidate.filter((variable) => member.includes(variable))
        if (shared.length > best.length) {
          best = shared
          next = k
        }
      }
    }
    separators.push(best)
    inTree.push(...waiting.splice(next, 1))
  }
  const weight = separators.reduce((sum, separator) => sum + separator.length, 0)
  const demanded = cliques.reduce((sum, clique) => sum + clique.length, 0) - variables
  return weight === demanded ? separators : undefined
}

function ratioOfMargins(cells: Cells, cliques: readonly Clique[], separators: readonly Clique[]): Float64Array {
  let expected = new Float64Array(cells.counts.length).fill(1)
  for (const clique of cliques) {
    const margin = marginOf(cells, clique)
    expected = expected.map((product, cell) => product * margin[cell])
  }
  for (const separator of separators) {
    const margin = marginOf(cells, separator)
    expected = expected.map((product, cell) => product / margin[cell])
  }
  return expected
}

/** Per cell: the number of records that agree with it on the variables of `clique`. */
function marginOf({ codes, counts }: Cells, clique: Clique): Float64Array {
  const columns = clique.map((variable) => ({
    codes: codes[variable],
    cardinality: codes[variable].reduce((a, b) => Math.max(a, b), -1) + 1,
  }))
  const { ids, count } = groupRows(columns, counts.length)
  const sums = new Float64Array(count)
  for (let cell = 0; cell < ids.length; cell++) sums[ids[cell]] += counts[cell]
  return Float64Array.from(ids, (id) => sums[id])
}

function proportionalFitting(
  cells: Cells,
  cliques: readonly Clique[],
  sizes: readonly number[],
  gridCells: number,
  exposure: Exposure | null = null,
) {
  const strides = stridesOf(sizes)
  const addresses = new Int32Array(cells.counts.length)
  for (const [variable, column] of cells.codes.entries()) {
    for (let cell = 0; cell < addresses.length; cell++) addresses[cell] += column[cell] * strides[variable]
  }
  const observed = new Float64Array(gridCells)
  for (let cell = 0; cell < addresses.length; cell++) observed[addresses[cell]] = cells.counts[cell]
  const targets = cliques.map((clique) => gridMargin(observed, clique, sizes))
  const fitted = observed.fill(exposure?.elsewhere ?? 1)
  if (exposure !== null) for (const [cell, address] of addresses.entries()) fitted[address] = exposure.ofCell[cell]
  const total = sum(cells.counts)
  let iterations = 0
  let converged = false
  while (!converged && iterations < MOST_ITERATIONS) {
    let farthest = 0
    for (const [k, clique] of cliques.entries()) {
      const current = gridMargin(fitted, clique, sizes)
      const margin = targets[k]
      for (let at = 0; at < current.length; at++) {
        farthest = Math.max(farthest, Math.abs(margin[at] - current[at]))
        current[at] = current[at] === 0 ? 0 : margin[at] / current[at]
      }
      scaleBy(fitted, current, clique, sizes)
    }
    iterations++
    converged = farthest < TOLERANCE * total
  }
  const notes = converged ? [] : [`iterative proportional fitting had not converged after ${MOST_ITERATIONS} rounds`]
  return { expected: Float64Array.from(addresses, (address) => fitted[address]), iterations, converged, notes }
}

function stridesOf(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1)
  for (let variable = sizes.length - 2; variable >= 0; variable--)
    strides[variable] = strides[variable + 1] * sizes[variable + 1]
  return strides
}

function gridMargin(grid: Float64Array, clique: Clique, sizes: readonly number[]): Float64Array {
  const margin = new Float64Array(clique.reduce((product, variable) => product * sizes[variable], 1))
  eachRun(clique, sizes, (from, to, at, step) => {
    for (let cell = from; cell < to; cell++, at += step) margin[at] += grid[cell]
  })
  return margin
}

function scaleBy(grid: Float64Array, factor: Float64Array, clique: Clique, sizes: readonly number[]): void {
  eachRun(clique, sizes, (from, to, at, step) => {
    for (let cell = from; cell < to; cell++, at += step) grid[cell] *= factor[at]
  })
}

/**
 * Walks the grid in runs along the last variable: cells `from` to `to` belong to the margin's cells `at`, `at + step`, ...
 * An odometer over the other variables carries the margin's address along, so no cell is ever decoded.
 */
function eachRun(
  clique: Clique,
  sizes: readonly number[],
  run: (from: number, to: number, at: number, step: number) => void,
): void {
  const marginStride = new Array<number>(sizes.length).fill(0)
  let stride = 1
  for (const variable of [...clique].reverse()) {
    marginStride[variable] = stride
    stride *= sizes[variable]
  }
  const last = sizes.length - 1
  const total = sizes.reduce((product, size) => product * size, 1)
  const digits = new Int32Array(sizes.length)
  let at = 0
  for (let from = 0; from < total; from += sizes[last]) {
    run(from, from + sizes[last], at, marginStride[last])
    for (let variable = last - 1; variable >= 0; variable--) {
      at += marginStride[variable]
      if (++digits[variable] < sizes[variable]) break
      at -= sizes[variable] * marginStride[variable]
      digits[variable] = 0
    }
  }
}
