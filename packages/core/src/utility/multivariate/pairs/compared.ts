import { weightSums } from '../../../stats/sums.js'
import { columnOf } from '../../../table/table.js'
import { type Pair, weightsIn } from '../../pair.js'
import { type MixedRecords, mixedRecords } from './mixed-records.js'

/** The columns that are compared: all, or numbers and dates only. */
export function comparedColumns({ original, variables }: Pair, which: 'all' | 'numbers'): string[] {
  return variables.filter((name) => which === 'all' || columnOf(original, name).kind !== 'categorical')
}

export function pairRecords(pair: Pair, names: readonly string[], standardise: boolean): MixedRecords {
  return mixedRecords(pair.original, pair.released, names, {
    standardise,
    weights: [weightsIn(pair.original, pair.weight), weightsIn(pair.released, pair.weight)],
  })
}

/** (Σ w)² / Σ w² of either file. */
export function effectiveSizes({ weights, split }: MixedRecords): { readonly n1: number; readonly n2: number } {
  const size = (side: Float64Array) => {
    const { sum, squares } = weightSums(side)
    return squares > 0 ? (sum * sum) / squares : 0
  }
  return { n1: size(weights.subarray(0, split)), n2: size(weights.subarray(split)) }
}
