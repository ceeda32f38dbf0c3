import { NotApplicable } from '../../../errors.js'
import { kendallTau, meanRanks, rankCorrelation } from '../../../stats/samples/ranks.js'
import type { Pair } from '../../pair.js'
import { completeColumns, numbersIn } from '../../univariate/columns/columns.js'
import { comparedColumns } from '../pairs/compared.js'

/**
 * Two empirical copulas on a common grid. Ranks over n + 1 (ties share their mean rank) put each file on the unit square,
 * whatever its marginals; C(u, v) is the share of records at or below u in one and v in the other. Counted into squares and
 * added up along both axes: O(n + G²).
 */
const GRID = 50

/** The grid square that each value falls into by its rank: the first grid point at or above it. */
export function rankSquares(values: Float64Array, grid = GRID): Int32Array {
  const ranks = meanRanks(values)
  let known = 0
  for (const rank of ranks) if (!Number.isNaN(rank)) known++
  const scale = (grid - 1) / (known + 1)
  return Int32Array.from(ranks, (rank) => (Number.isNaN(rank) ? -1 : Math.ceil(rank * scale - 1e-9)))
}

/** C at the grid points 0, 1/(G-1), ..., 1, row after row; records with a missing value are left out. */
export function empiricalCopula(a: Int32Array, b: Int32Array, grid = GRID): Float64Array {
  const copula = new Float64Array(grid * grid)
  let records = 0
  for (let row = 0; row < a.length; row++) {
    if (a[row] < 0 || b[row] < 0) continue
    copula[a[row] * grid + b[row]]++
    records++
  }
  for (let i = 0; i < grid; i++)
    for (let j = 0; j < grid; j++) {
      const at = i * grid + j
      copula[at] +=
        (i > 0 ? copula[at - grid] : 0) + (j > 0 ? copula[at - 1] : 0) - (i > 0 && j > 0 ? copula[at - grid - 1] : 0)
    }
  return records === 0 ? copula : copula.map((count) => count / records)
}

/** Mean squared difference over the grid. */
export function copulaDistance(first: Float64Array, second: Float64Array): number {
  let squares = 0
  for (let k = 0; k < first.length; k++) squares += (first[k] - second[k]) ** 2
  return squares / first.length
}

/** Between perfect dependence and independence, on the grid of 50: what a distance is compared with. */
export const FROM_PERFECT_TO_NONE = distanceOfPerfect(GRID)

function distanceOfPerfect(grid: number): number {
  let squares = 0
  for (let i = 0; i < grid; i++)
    for (let j = 0; j < grid; j++) {
      const [u, v] = [i / (grid - 1), j / (grid - 1)]
      squares += (Math.min(u, v) - u * v) ** 2
    }
  return squares / (grid * grid)
}

type CopulaPair = {
  readonly a: string
  readonly b: string
  readonly value: number
  /** Mean squared difference of the copulas. */
  readonly cvm: number
  /** Rank correlations in both files, of records that have both; null where one is constant. */
  readonly spearman: Both
  readonly kendall: Both
}

type Both = { readonly original: number | null; readonly released: number | null }

type Distance = Pick<CopulaPair, 'a' | 'b' | 'value' | 'cvm'>

export function rankCorrelations(
  { original, released }: Pair,
  { a, b }: Distance,
): Pick<CopulaPair, 'spearman' | 'kendall'> {
  const [x, y] = [original, released].map((file) => {
    const known = completeColumns([numbersIn(file, a), numbersIn(file, b)])
    return { spearman: rankCorrelation(known[0], known[1]), kendall: kendallTau(known[0], known[1]) }
  })
  return {
    spearman: { original: x.spearman, released: y.spearman },
    kendall: { original: x.kendall, released: y.kendall },
  }
}

export function copulaPairs(pair: Pair, inUnits: (cvm: number) => number, known: 'pairwise' | 'complete') {
  const names = comparedColumns(pair, 'numbers').filter((name) =>
    [pair.original, pair.released].every((file) => numbersIn(file, name).some((value) => !Number.isNaN(value))),
  )
  if (names.length < 2) throw new NotApplicable('it takes two numeric columns with values in both files')
  const files = [pair.original, pair.released].map((file) => {
    const columns = names.map((name) => numbersIn(file, name))
    return (known === 'complete' ? completeColumns(columns) : columns).map((values) => rankSquares(values))
  })
  if (files.some((squares) => squares[0].length === 0)) throw new NotApplicable('no record is complete')
  return { names, pairs: pairDistances(names, files, inUnits) }
}

/** @param files columns of each file as grid squares */
export function pairDistances(
  names: readonly string[],
  files: readonly (readonly Int32Array[])[],
  inUnits: (cvm: number) => number,
): Distance[] {
  const pairs: Distance[] = []
  for (let i = 0; i < names.length; i++)
    for (let j = i + 1; j < names.length; j++) {
      const [x, y] = files.map((file) => empiricalCopula(file[i], file[j]))
      const cvm = copulaDistance(x, y)
      pairs.push({ a: names[i], b: names[j], value: inUnits(cvm), cvm })
    }
  return pairs
}
