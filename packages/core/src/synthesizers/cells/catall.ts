import { z } from 'zod'
import { real } from '../../option-kinds.js'
import { aliasTable, drawCategory, drawDirichlet } from '../../stats/draws.js'
import { logGamma } from '../../stats/special.js'
import type { Table } from '../../table/table.js'
import type { FittedSynthesizer, Streams, Synthesizer } from '../synthesizer.js'
import {
  CELL_OPTIONS,
  type CellDistribution,
  type CrossTable,
  cellCounts,
  crossTable,
  fittedCells,
  occupiedBy,
  requireFewCells,
} from './cross-table.js'
import { PRIVACY_OPTIONS, privateCounts } from './private-counts.js'

/**
 * The saturated model: records are drawn from the cells of the full cross table,
 *
 *   P(cell) = (n_cell + a) / (n + a C),  a = priorn / C,  C the cells that can be,
 *
 * as synthpop's `catall` does. Every association of any order is kept, and so is every unique combination: without noise
 * this is a resample of the original in which a share priorn / (n + priorn) of the records comes from anywhere.
 */
const options = z.object({
  priorn: real(1, { min: 0 }).describe('weight of a uniform table, in records, spread over all cells that can be'),
  ...CELL_OPTIONS,
  ...PRIVACY_OPTIONS,
})

export const catallSynthesizer = {
  id: 'catall',
  title: 'Saturated cross table',
  options,
  fit(data: Table, chosen: z.output<typeof options>, random: Streams): FittedSynthesizer {
    const cross = crossTable(data, chosen)
    const prior = chosen.priorn / (cross.cells - cross.zeros.cells)
    const details = { priorn: chosen.priorn }
    if (chosen.noise === 'none') return fittedCells(cross, resampled(cross, chosen.priorn), { method: METHOD, details })
    requireFewCells(cross.cells, 'catall with noise')
    const counts = cellCounts(cross).map((value) => value + prior)
    const names = cross.variables.map(({ name }) => name)
    const noisy = privateCounts([counts], names, chosen, random('noise'))
    return fittedCells(cross, weighted(cross, noisy.counts[0]), {
      method: METHOD,
      warnings: noisy.warnings,
      details: { ...details, ...noisy.details },
    })
  },
  fitsAnew: ({ noise }: z.output<typeof options>) => noise !== 'none',
} satisfies Synthesizer<typeof options>

const METHOD = 'cell of the cross table'

/** Without holding all cells: the cell of an original record, or now and then any cell that can be. */
function resampled({ occupied, cells, zeros }: CrossTable, priorn: number): CellDistribution {
  const counts = new Map<number, number>()
  for (const cell of occupied) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const n = occupied.length
  const prior = priorn / (cells - zeros.cells)
  return {
    draw: (random) => {
      if (random.uniform() * (n + priorn) >= priorn) return occupied[random.below(n)]
      let cell = random.below(cells)
      while (zeros.has(cell)) cell = random.below(cells)
      return cell
    },
    probability: (cell) => (zeros.has(cell) ? 0 : ((counts.get(cell) ?? 0) + prior) / (n + priorn)),
  }
}

/** Cells with probabilities in proportion to weights; structural zeros have none. */
export function weighted({ zeros }: CrossTable, weightsGiven: Float64Array): CellDistribution {
  const weights = zeros.cells === 0 ? weightsGiven : weightsGiven.map((weight, cell) => (zeros.has(cell) ? 0 : weight))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const alias = aliasTable(weights)
  return { draw: (random) => drawCategory(random, alias), probability: (cell) => weights[cell] / total }
}

/**
 * The saturated model with drawn parameters: cell probabilities from Dirichlet(n_cell + a), then records from them. Of a set
 * with counts s the attacker thus knows, all probabilities averaged,
 *
 *   P(s) = Γ(A) / Γ(A + N) Π Γ(n_c + a + s_c) / Γ(n_c + a),  A = n + a C,  N = Σ s_c
 *
 * (times the number of orders). The larger a, the less a single record shows; it is the oracle with which the
 * strong-attacker game is checked. Each synthesis draws parameters of its own.
 */
const dirichletOptions = z.object({
  a: real(null, { above: 0 }).describe('added to every cell that can be; null for 1 / their number'),
  ...CELL_OPTIONS,
})

export const catallDirichletSynthesizer = {
  id: 'catall-dirichlet',
  title: 'Saturated cross table with Dirichlet draws',
  options: dirichletOptions,
  fit(data: Table, { a: given, ...chosen }: z.output<typeof dirichletOptions>, random: Streams): FittedSynthesizer {
    const cross = crossTable(data, chosen)
    requireFewCells(cross.cells, 'catall-dirichlet')
    const possible = cross.cells - cross.zeros.cells
    const a = given ?? 1 / possible
    const counts = cellCounts(cross)
    return {
      ...fittedCells(
        cross,
        weighted(
          cross,
          drawDirichlet(
            random('parameters'),
            counts.map((n) => n + a),
          ),
        ),
        {
          method: METHOD,
          details: { a },
        },
      ),
      logProbOfSet: (records) => logDirichletMultinomial(cross, counts, a, records),
    }
  },
  fitsAnew: () => true,
} satisfies Synthesizer<typeof dirichletOptions>

function logDirichletMultinomial(cross: CrossTable, counts: Float64Array, a: number, records: Table): number {
  const { counts: drawn, logWithin } = occupiedBy(cross, records)
  const total = cross.occupied.length + a * (cross.cells - cross.zeros.cells)
  let log = logWithin + logGamma(total) - logGamma(total + records.rows)
  for (const [cell, n] of drawn) {
    if (cell < 0 || cross.zeros.has(cell)) return Number.NEGATIVE_INFINITY
    log += logGamma(counts[cell] + a + n) - logGamma(counts[cell] + a)
  }
  return log
}
