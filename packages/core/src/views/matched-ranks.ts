import { ascendingOrder } from '@scrim/kernels'
import { sampleWithoutReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { meanRanks } from '../stats/ranks.js'
import { largestGap, mergeSamples, sampleOf, smirnovP } from '../stats/two-samples.js'
import type { DateColumn, NumericColumn } from '../table/column.js'
import type { Release } from '../table/release.js'
import { columnOf, selectRows, type Table, table } from '../table/table.js'
import { view } from './view.js'

/**
 * Incomes times 1.08, standardised, under a root: a release on another scale is far from the original and tells as much as
 * before, since whoever knows how incomes are distributed reads them by their rank. So a number y of a column that is
 * distributed differently becomes Q_B(F_Y(y)): the number of the same rank among some of the originals, ties by their mean
 * rank. Any increasing change of a column is undone by it.
 *
 * The release is made to fit the people in B, so only the others, A, are asked about: B is a random half of the original, and
 * A the rest, in its own numbers. The map is made from B and the release alone. For an honest release it knows nothing of A,
 * so that the people of A are no nearer to it than to each other, whatever the map is; with ranks among all originals they
 * would be, since each is one of those that the release is made to fit.
 *
 * Blind to numbers turned round (a decreasing change). The ranks of a sample are uncertain by 1 / √n, and so a copy comes to lie
 * near its original, not on it: what is found are copies of many, not of a few.
 */
export const matchedRanks = view<Rescaled>({
  id: 'matched-ranks',
  undoes: 'numbers on another scale',
  what: 'with numbers replaced by those of the same rank, about half of the people',
  detect(release, { seed }) {
    const columns = rescaledColumns(release)
    return columns.size === 0 ? undefined : { columns, seed }
  },
  apply(release, { columns, seed }) {
    const [asked, fitted] = halves(release.original, seed)
    return {
      ...release,
      // Row i of the release is then no longer made from row i of the original.
      type: release.type === 'perturbed' ? 'unknown' : release.type,
      original: asked,
      ungrouped: null,
      released: release.released.map((file) => fittedTo(file, fitted, columns)),
    }
  },
})

interface Rescaled {
  readonly columns: ReadonlySet<string>
  readonly seed: number
}

/** Sampling explains a difference as large in any column of one honest release in a hundred. */
const LEVEL = 0.01

function rescaledColumns({ variables, original, released: [released] }: Release): ReadonlySet<string> {
  const numbers = variables.flatMap((name) => {
    const [ours, theirs] = [columnOf(original, name), columnOf(released, name)]
    return ours.kind === 'categorical' || theirs.kind === 'categorical' ? [] : [{ name, ours, theirs }]
  })
  const differs = ({ ours, theirs }: (typeof numbers)[number]) => differenceP(ours, theirs) < LEVEL / numbers.length
  return new Set(numbers.filter(differs).map(({ name }) => name))
}

type Numbers = NumericColumn | DateColumn

/** Of the hypothesis that both are samples of one distribution; cautious with ties. */
function differenceP(ours: Numbers, theirs: Numbers): number {
  const merged = mergeSamples(sampleOf(ours.values), sampleOf(theirs.values))
  return merged === null ? 1 : smirnovP({ ...largestGap(merged), m: merged.m, n: merged.n })
}

function halves(original: Table, seed: number): [Table, Table] {
  const fitted = sampleWithoutReplacement(stream(seed, 'views/matched-ranks'), original.rows, original.rows >> 1).sort()
  const isFitted = new Set(fitted)
  const asked = Int32Array.from({ length: original.rows }, (_, row) => row).filter((row) => !isFitted.has(row))
  return [selectRows(original, asked), selectRows(original, fitted)]
}

function fittedTo(file: Table, fitted: Table, columns: ReadonlySet<string>): Table {
  const changed = file.columns.map((column) => {
    if (column.kind === 'categorical' || !columns.has(column.name)) return column
    const model = columnOf(fitted, column.name)
    return model.kind === 'categorical' ? column : { ...column, values: sameRanks(column.values, model.values) }
  })
  return { ...table(file.name, changed), rows: file.rows }
}

/** For each value that of the same rank in `model`: the least one that has at least the same share below and at it. */
function sameRanks(values: Float64Array, model: Float64Array): Float64Array {
  const { values: sorted } = sampleOf(model)
  const known = ascendingOrder(values).length
  if (sorted.length === 0) return values
  return meanRanks(values).map((rank) => sorted[Math.ceil(((rank - 0.5) / known) * sorted.length) - 1] ?? rank)
}
