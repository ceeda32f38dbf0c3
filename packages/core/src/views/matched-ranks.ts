import { ascendingOrder, rowsByGroup } from '@scrim/kernels'
import { permutation, sampleWithoutReplacement } from '../random/sampling.js'
import { type Stream, stream } from '../random/stream.js'
import { largestGap, mergeSamples, sampleOf, smirnovP } from '../stats/samples/two-samples.js'
import type { DateColumn, NumericColumn } from '../table/column.js'
import { type HouseholdCodes, householdCodes } from '../table/household-codes.js'
import type { Release } from '../table/release.js'
import { columnOf, selectRows, type Table, table } from '../table/table.js'
import { view } from './view.js'

/**
 * Incomes times 1.08, standardised, under a root: a release on another scale is far from the original and tells as much as
 * before, since whoever knows how incomes are distributed reads them by their rank. So a number y of a column that is
 * distributed differently becomes Q_B(F_Y(y)): the number of the same rank among some of the originals, B. That undoes any
 * increasing change of a column.
 *
 * B is a random half of the original; the questions are about the other half, A, whose numbers stay as they are. The map is
 * made from B and the release alone, so an honest release knows no more about A than before, whatever the map: its records are
 * no nearer to people of A than these are to each other. Ranks among all originals would fit the release to the very people
 * who are asked about, and alarm on honest releases.
 *
 * Blind to a decreasing change. Ranks in samples are uncertain by about 1 / √n, so that a copy comes to lie near its original
 * and not on it: this finds copies of many people, not of a few.
 */
export const matchedRanks = view<Rescaled>({
  id: 'matched-ranks',
  undoes: 'numbers on another scale',
  what: 'with numbers replaced by those of the same rank, about half of the people',
  detect(release, { seed }) {
    const columns = rescaledColumns(release)
    return columns.size === 0 ? undefined : { columns, seed }
  },
  apply(release, rescaled) {
    const [asked, fitted] = halves(release, rescaled.seed)
    return {
      ...release,
      // Row i of the release is then no longer made from row i of the original.
      type: release.type === 'perturbed' ? 'unknown' : release.type,
      original: asked,
      ungrouped: null,
      released: release.released.map((file) => fittedTo(file, fitted, rescaled)),
    }
  },
})

interface Rescaled {
  readonly columns: ReadonlySet<string>
  readonly seed: number
}

/** One honest release in a hundred differs as much in some column. */
const LEVEL = 0.01
/** In a very large file sampling explains next to nothing, but ranks that moved by less hide nobody. */
const HARMLESS = 0.02

function rescaledColumns({ variables, original, released: [released] }: Release): ReadonlySet<string> {
  const numbers = variables.flatMap((name) => {
    const [ours, theirs] = [columnOf(original, name), columnOf(released, name)]
    return ours.kind === 'categorical' || theirs.kind === 'categorical' ? [] : [{ name, ours, theirs }]
  })
  const differing = numbers.filter(({ ours, theirs }) => isRescaled(ours, theirs, LEVEL / numbers.length))
  return new Set(differing.map(({ name }) => name))
}

type Numbers = NumericColumn | DateColumn

/** By Kolmogorov and Smirnov's test, which is cautious with ties. */
function isRescaled(ours: Numbers, theirs: Numbers, level: number): boolean {
  const merged = mergeSamples(sampleOf(ours.values), sampleOf(theirs.values))
  if (merged === null) return false
  const { m, n } = merged
  const { d } = largestGap(merged)
  return d > HARMLESS && smirnovP({ d, m, n }) < level
}

function halves({ original, household }: Release, seed: number): [Table, Table] {
  const random = stream(seed, 'views/matched-ranks/halves')
  const fitted =
    household === null
      ? sampleWithoutReplacement(random, original.rows, original.rows >> 1)
      : halfOfHouseholds(householdCodes(original, household), random)
  const isFitted = new Set(fitted.sort())
  const asked = Int32Array.from({ length: original.rows }, (_, row) => row).filter((row) => !isFitted.has(row))
  return [selectRows(original, asked), selectRows(original, fitted)]
}

/**
 * Half of the rows, the last household whole: people who share numbers with those of B would be near to the release by that
 * alone, and nobody outside would.
 */
function halfOfHouseholds({ ids, households }: HouseholdCodes, random: Stream): Int32Array {
  const { rows, start } = rowsByGroup(ids, households)
  const fitted: number[] = []
  for (const chosen of permutation(random, households)) {
    if (fitted.length >= ids.length >> 1) break
    for (const row of rows.subarray(start[chosen], start[chosen + 1])) fitted.push(row)
  }
  return Int32Array.from(fitted)
}

function fittedTo(file: Table, fitted: Table, { columns, seed }: Rescaled): Table {
  const changed = file.columns.map((column) => {
    if (column.kind === 'categorical' || !columns.has(column.name)) return column
    const model = columnOf(fitted, column.name)
    if (model.kind === 'categorical') return column
    return {
      ...column,
      values: sameRanks(column.values, model.values, stream(seed, `views/matched-ranks/${column.name}`)),
    }
  })
  return { ...table(file.name, changed), rows: file.rows }
}

/**
 * For each value the one of the same rank in `model`. Equal values stay equal and take one of their ranks at random. With
 * mean ranks, numbers that many people give would attract those around them, and the release would heap more than a sample.
 */
function sameRanks(values: Float64Array, model: Float64Array, random: Stream): Float64Array {
  const { values: sorted } = sampleOf(model)
  if (sorted.length === 0) return values
  const order = ascendingOrder(values)
  const changed = new Float64Array(values.length).fill(Number.NaN)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    const share = (from + random.uniform() * (to - from)) / order.length
    for (let k = from; k < to; k++) changed[order[k]] = sorted[Math.floor(share * sorted.length)]
  }
  return changed
}
