import { ascendingOrder } from '@scrim/kernels'
import { z } from 'zod'
import { real } from '../option-kinds.js'
import type { Stream } from '../random/stream.js'
import { mean } from '../stats/sums.js'
import { type CategoricalColumn, type Column, isMissing } from '../table/column.js'
import { anonymiser, columnsToMask, type Maskable, variablesOption, withColumns } from './method/anonymiser.js'
import { type NumberColumn, withValues } from './method/number-columns.js'

/**
 * Rank swapping (Moore 1996): the values of a variable are sorted, and each is swapped with one whose rank is at most p
 * percent of the records away, so that the distribution of the variable stays exactly what it was while its relations to
 * others fade. Variables are swapped independently of each other.
 *
 * In the order of the ranks, a rank i that is not swapped yet draws a partner from (i, i + w] with w = ⌊n p / 100⌋; if it
 * is taken, the nearest free one to the left, then to the right, within that window; with none free the value stays.
 * Equal values are ranked by their row. A missing value stays missing and has no rank.
 */
const options = z.object({
  variables: variablesOption(
    'numeric, date or ordered columns to swap; null for such keys, without keys all such columns',
  ),
  p: real(5, { above: 0, max: 100 }).describe('how far two swapped values may be apart, in percent of the records'),
  topPercent: real(0, { min: 0, max: 50 }).describe('largest values that are first set to their mean, percent'),
  bottomPercent: real(0, { min: 0, max: 50 }).describe('smallest values that are first set to their mean, percent'),
})

type Options = z.output<typeof options>

type OrderedColumn = NumberColumn | CategoricalColumn

const ORDERED: Maskable<OrderedColumn> = {
  what: 'numeric or ordered',
  hint: 'choose such columns with the option variables, or declare their type, for example a=ordered:low<high',
  accepts: (column: Column): column is OrderedColumn => column.kind !== 'categorical' || column.ordered,
}

type RankSwappingDescription = {
  readonly p: number
  readonly variables: readonly {
    readonly variable: string
    /** Values that have a rank. */
    readonly ranked: number
    /** How many ranks two swapped values may be apart. */
    readonly window: number
    /** Values that found no partner. */
    readonly unswapped: number
    /** Values first set to the mean of the smallest and of the largest. */
    readonly bottom: number
    readonly top: number
  }[]
}

export const rankSwapping = anonymiser({
  id: 'rank-swapping',
  title: 'Rank swapping',
  summary: 'Swaps values between records of close rank; the distribution of each variable stays as it is.',
  options,
  apply(data, roles, chosen, context) {
    const columns = columnsToMask(data, roles, chosen.variables, ORDERED)
    const swapped = columns.map((column) => swapColumn(column, chosen, context.random(column.name)))
    const still = swapped.filter(({ about }) => about.window === 0).map(({ about }) => `"${about.variable}"`)
    return {
      table: withColumns(
        data,
        swapped.map(({ column }) => column),
      ),
      description: { p: chosen.p, variables: swapped.map(({ about }) => about) },
      notes:
        still.length === 0
          ? []
          : [`nothing is swapped in ${still.join(', ')}: ${chosen.p} % of the records is less than one rank`],
    }
  },
})

interface Swapped {
  readonly column: Column
  readonly about: RankSwappingDescription['variables'][number]
}

function swapColumn(column: OrderedColumn, { p, topPercent, bottomPercent }: Options, random: Stream): Swapped {
  const values = column.kind === 'categorical' ? Float64Array.from(column.codes) : column.values.slice()
  const order = ascendingOrder(values).filter((row) => !isMissing(column, row))
  const n = order.length
  const ends =
    column.kind === 'categorical' ? { bottom: 0, top: 0 } : levelEnds(values, order, { topPercent, bottomPercent })
  const window = Math.floor((n * p) / 100)
  const { partner, unswapped } = partners(n, window, random)
  const result = values.slice()
  for (let rank = 0; rank < n; rank++) result[order[rank]] = values[order[partner[rank]]]
  return {
    column:
      column.kind === 'categorical' ? { ...column, codes: Int32Array.from(result) } : withValues(column, result, false),
    about: { variable: column.name, ranked: n, window, unswapped, ...ends },
  }
}

/** Sets the smallest and the largest values to their means, in place. */
function levelEnds(
  values: Float64Array,
  order: Int32Array,
  { topPercent, bottomPercent }: Pick<Options, 'topPercent' | 'bottomPercent'>,
): { bottom: number; top: number } {
  const n = order.length
  const bottom = Math.floor((n * bottomPercent) / 100)
  const top = Math.floor((n * topPercent) / 100)
  for (const ranks of [order.subarray(0, bottom), order.subarray(n - top)]) {
    const centre = mean(Float64Array.from(ranks, (row) => values[row]))
    if (centre !== null) for (const row of ranks) values[row] = centre
  }
  return { bottom, top }
}

/** For each rank the rank whose value it takes; its own when it found no partner. */
export function partners(n: number, window: number, random: Stream): { partner: Int32Array; unswapped: number } {
  const partner = new Int32Array(n).fill(-1)
  let unswapped = 0
  for (let rank = 0; rank < n; rank++) {
    if (partner[rank] >= 0) continue
    const last = Math.min(n - 1, rank + window)
    const place = last > rank ? nearestFree(partner, rank + 1 + random.below(last - rank), rank, last) : rank
    if (place === rank) unswapped++
    partner[rank] = place
    partner[place] = rank
  }
  return { partner, unswapped }
}

/** The free rank in (low, high] nearest to `wanted`, to the left first; `low` when all are taken. */
function nearestFree(partner: Int32Array, wanted: number, low: number, high: number): number {
  for (let rank = wanted; rank > low; rank--) if (partner[rank] < 0) return rank
  for (let rank = wanted + 1; rank <= high; rank++) if (partner[rank] < 0) return rank
  return low
}
