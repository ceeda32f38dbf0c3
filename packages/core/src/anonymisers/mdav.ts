import { z } from 'zod'
import { UserError } from '../errors.js'
import { median } from '../stats/quantile.js'
import { mean, standardDeviation, sum } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { throwIfAborted } from '../tasks/task.js'
import {
  type Anonymiser,
  type AnonymiserContext,
  type AnonymiserRoles,
  columnsToMask,
  type Masked,
  variablesOption,
  withColumns,
} from './anonymiser.js'
import { NUMBERS, type NumberColumn, withValues } from './number-columns.js'

/**
 * Microaggregation by maximum distance to average vector (Domingo-Ferrer and Torra 2005): records are put into groups of
 * k to 2k - 1 that lie close together, and every value becomes the mean of its group, so that each released combination
 * of the masked variables belongs to at least k records and all means stay.
 *
 * While 3k records or more are left: r is the one farthest from their centroid; r and its k - 1 nearest are a group; then
 * q, the one farthest from r, and its k - 1 nearest. Of fewer than 3k but 2k or more, one group around the farthest; what
 * remains is the last group. Distances are Euclidean after dividing each variable by its standard deviation; among equal
 * distances the first record wins. A missing value takes no part in the distance and stays missing; a mean is that of the
 * values that are there.
 *
 * Blind to what is not masked: other columns may still single somebody out. Takes n²/k distances.
 */
const options = z.object({
  variables: variablesOption(
    'numeric columns to group on and to replace; null for the numeric keys, without keys all numeric columns',
  ),
  k: z.number().int().min(2).default(3).describe('fewest records in a group'),
  measure: z.enum(['mean', 'median']).default('mean').describe('what the values of a group are replaced by'),
  standardise: z.boolean().default(true).describe('divide each variable by its standard deviation before distances'),
  round: z.boolean().default(false).describe('round to the decimals that the variable had; means then move a little'),
})

type Options = z.output<typeof options>

export type MdavDescription = {
  readonly variables: readonly string[]
  readonly k: number
  readonly groups: number
  readonly smallestGroup: number
  readonly largestGroup: number
  /** Records without a value in any of the variables; they belong to no group. */
  readonly leftOut: number
  /** Means that rest on fewer than k values because the others of the group are missing. */
  readonly thinMeans: number
  /** Share of the sum of squares (of the standardised values) that is lost. */
  readonly informationLoss: number
}

export const mdav = {
  id: 'mdav',
  title: 'Microaggregation (MDAV)',
  summary: 'Replaces numbers by the mean of groups of at least k close records.',
  options,
  apply(data: Table, roles: AnonymiserRoles, chosen: Options, context: AnonymiserContext): Masked<MdavDescription> {
    const columns = columnsToMask(data, roles, chosen.variables, NUMBERS)
    const grouped = groupByMdav(columns, chosen, context)
    const { groupOf, sizes } = grouped
    const masked = columns.map((column) => replaceByGroup(column, groupOf, sizes.length, chosen))
    const thinMeans = masked.reduce(
      (total, { counts }) => total + counts.filter((n) => n > 0 && n < chosen.k).length,
      0,
    )
    const leftOut = groupOf.reduce((total, group) => total + (group < 0 ? 1 : 0), 0)
    return {
      table: withColumns(
        data,
        masked.map(({ column }) => column),
      ),
      description: {
        variables: columns.map(({ name }) => name),
        k: chosen.k,
        groups: sizes.length,
        smallestGroup: sizes.reduce((a, b) => Math.min(a, b)),
        largestGroup: sizes.reduce((a, b) => Math.max(a, b)),
        leftOut,
        thinMeans,
        informationLoss: lostShare(columns, masked),
      },
      notes:
        thinMeans === 0
          ? []
          : [
              `${thinMeans} group means rest on fewer than ${chosen.k} values because the other values of the group are missing; a mean of one value is that value`,
            ],
    }
  },
} satisfies Anonymiser<typeof options, MdavDescription>

interface MdavGroups {
  /** Per row its group, -1 for a row without any value. */
  readonly groupOf: Int32Array
  readonly sizes: readonly number[]
}

/** The groups of MDAV for the rows of some columns. */
export function groupByMdav(
  columns: readonly NumberColumn[],
  { k, standardise }: Pick<Options, 'k' | 'standardise'>,
  context: Pick<AnonymiserContext, 'progress' | 'signal'>,
): MdavGroups {
  const rows = columns[0].values.length
  const present = Int32Array.from({ length: rows }, (_, row) => row).filter((row) =>
    columns.some(({ values }) => !Number.isNaN(values[row])),
  )
  if (present.length < k)
    throw new UserError(`mdav needs at least k = ${k} records with values, there are ${present.length}`)
  const left = remaining(columns, present, standardise)
  const groupOf = new Int32Array(rows).fill(-1)
  const sizes: number[] = []
  const close = (size: number) => {
    for (const row of takeNearest(left, size)) groupOf[row] = sizes.length
    sizes.push(size)
  }
  while (left.count >= 2 * k) {
    throwIfAborted(context.signal)
    context.progress(present.length - left.count, present.length)
    const last = left.count < 3 * k
    moveToCentroid(left)
    moveTo(left, farthest(left))
    close(k)
    if (last) break
    // The point is still r.
    moveTo(left, farthest(left))
    close(k)
  }
  close(left.count)
  return { groupOf, sizes }
}

/** Records not yet in a group, their values side by side in the order of the rows, and the point that distances are taken from. */
interface Remaining {
  count: number
  readonly width: number
  readonly rows: Int32Array
  readonly values: Float64Array
  readonly distances: Float64Array
  readonly point: Float64Array
}

function remaining(columns: readonly NumberColumn[], rows: Int32Array, standardise: boolean): Remaining {
  const width = columns.length
  const values = new Float64Array(rows.length * width)
  for (const [j, column] of columns.entries()) {
    const own = Float64Array.from(rows, (row) => column.values[row])
    const there = own.filter((value) => !Number.isNaN(value))
    const centre = mean(there) ?? 0
    const scale = standardise ? standardDeviation(there) || 1 : 1
    for (let i = 0; i < own.length; i++) values[i * width + j] = (own[i] - centre) / scale
  }
  return {
    count: rows.length,
    width,
    rows: rows.slice(),
    values,
    distances: new Float64Array(rows.length),
    point: new Float64Array(width),
  }
}

/** Squared distance of every record left to the point; hot, n²/k of them in all. */
function measureDistances({ count, width, values, distances, point }: Remaining): void {
  for (let i = 0, at = 0; i < count; i++) {
    let total = 0
    for (let j = 0; j < width; j++, at++) {
      const difference = values[at] - point[j]
      if (!Number.isNaN(difference)) total += difference * difference
    }
    distances[i] = total
  }
}

function moveToCentroid({ count, width, values, point }: Remaining): void {
  for (let j = 0; j < width; j++) {
    let total = 0
    let n = 0
    for (let i = 0, at = j; i < count; i++, at += width) {
      const value = values[at]
      if (!Number.isNaN(value)) {
        total += value
        n++
      }
    }
    point[j] = n === 0 ? Number.NaN : total / n
  }
}

function moveTo({ width, values, point }: Remaining, place: number): void {
  for (let j = 0; j < width; j++) point[j] = values[place * width + j]
}

function farthest(left: Remaining): number {
  measureDistances(left)
  let best = 0
  for (let i = 1; i < left.count; i++) if (left.distances[i] > left.distances[best]) best = i
  return best
}

/** The rows of the `size` records nearest to the point, which are then no longer left. */
function takeNearest(left: Remaining, size: number): Int32Array {
  measureDistances(left)
  const places = nearestPlaces(left, size).sort()
  const taken = places.map((place) => left.rows[place])
  const { width, rows, values } = left
  let to = places[0]
  for (let p = 0; p < size; p++) {
    const from = places[p] + 1
    const until = p + 1 < size ? places[p + 1] : left.count
    values.copyWithin(to * width, from * width, until * width)
    rows.copyWithin(to, from, until)
    to += until - from
  }
  left.count -= size
  return taken
}

function nearestPlaces({ count, distances }: Remaining, size: number): Int32Array {
  const places = new Int32Array(size)
  let held = 0
  for (let i = 0; i < count; i++) {
    const distance = distances[i]
    if (held === size && distance >= distances[places[size - 1]]) continue
    let at = held === size ? size - 1 : held++
    while (at > 0 && distances[places[at - 1]] > distance) {
      places[at] = places[at - 1]
      at--
    }
    places[at] = i
  }
  return places
}

interface Replaced {
  readonly column: NumberColumn
  /** Values that each group's mean rests on. */
  readonly counts: readonly number[]
}

function replaceByGroup(
  column: NumberColumn,
  groupOf: Int32Array,
  groups: number,
  { measure, round }: Pick<Options, 'measure' | 'round'>,
): Replaced {
  const members: number[][] = Array.from({ length: groups }, () => [])
  for (const [row, value] of column.values.entries()) if (!Number.isNaN(value)) members[groupOf[row]].push(value)
  const centres = members.map((values) => (measure === 'mean' ? mean(values) : median(values)) ?? Number.NaN)
  const values = column.values.map((value, row) => (Number.isNaN(value) ? value : centres[groupOf[row]]))
  return { column: withValues(column, values, round), counts: members.map((values) => values.length) }
}

function lostShare(before: readonly NumberColumn[], after: readonly Replaced[]): number {
  const shares = before.flatMap(({ values }, j) => {
    const there = values.filter((value) => !Number.isNaN(value))
    const centre = mean(there) ?? 0
    const total = sum(there.map((value) => (value - centre) ** 2))
    const now = after[j].column.values
    const lost = sum(values.map((value, row) => (Number.isNaN(value) ? 0 : (value - now[row]) ** 2)))
    return total > 0 ? [lost / total] : []
  })
  return mean(shares) ?? 0
}
