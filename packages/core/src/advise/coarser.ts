import { math } from '@scrim/kernels'
import type { JsonObject } from '../json.js'
import { significant } from '../print.js'
import { quantileSorted } from '../stats/quantile.js'
import type { CategoricalColumn, Column } from '../table/column.js'

/** How a key could be made coarser: options of the method `recode`, and what that gives in a few words. */
export interface Coarser {
  readonly what: string
  readonly options: JsonObject
}

const FEWEST_LEVELS = 3
const NUMBER_CLASSES = [10, 5] as const
/** Of records: levels that fewer have are merged. */
const RARE = [0.05, 0.1] as const

/** The ways from the finest to the coarsest; of the original, so that every file gets the same classes. */
export function coarserWays(column: Column): readonly Coarser[] {
  if (column.kind !== 'categorical') return groupedNumbers(column.name, column.values)
  const present = [...new Set(column.codes)].filter((code) => code >= 0)
  if (present.length < FEWEST_LEVELS) return []
  const levels = present.sort((a, b) => a - b).map((code) => column.levels[code])
  const ordered = column.ordered ? levels : byNumber(levels)
  return ordered === null ? mergedRare(column, present) : mergedNeighbours(column.name, ordered)
}

/**
 * Classes of about equal numbers of people between round breaks; the outer breaks lie a step beyond the inner ones, because
 * the outer classes are open and the extremes are nobody's business.
 */
function groupedNumbers(name: string, values: Float64Array): Coarser[] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  const distinct = new Set(sorted).size
  return NUMBER_CLASSES.flatMap((n) => {
    if (distinct < 2 * n) return []
    const at = (share: number) => quantileSorted(sorted, share) ?? 0
    const step = math.pow(10, Math.floor(math.log10(Math.max(1e-9, (at(0.9) - at(0.1)) / n))))
    const inner = Array.from({ length: n - 1 }, (_, k) => tidy(Math.round(at((k + 1) / n) / step) * step))
    const breaks = [...new Set(inner)].sort((a, b) => a - b)
    if (breaks.length < 2) return []
    const all = [tidy(breaks[0] - step), ...breaks, tidy(breaks[breaks.length - 1] + step)]
    return [
      {
        what: `${name} in ${breaks.length + 1} classes`,
        options: { groups: { [name]: `fixed:${all.join('|')}` } },
      },
    ]
  })
}

const tidy = (value: number) => significant(value, 10)

/** Levels in the order of the numbers that they begin with, as "20 to 24"; null where one begins with none. */
function byNumber(levels: readonly string[]): readonly string[] | null {
  const numbers = levels.map((level) => Number.parseFloat(level.replace(/^[<>=[(\s]+/, '')))
  if (numbers.some((number) => Number.isNaN(number))) return null
  const order = [...levels.keys()].sort((a, b) => numbers[a] - numbers[b] || a - b)
  return order.map((k) => levels[k])
}

function mergedNeighbours(name: string, levels: readonly string[]): Coarser[] {
  const sizes = levels.length >= 8 ? [2, 4] : [2]
  return sizes.map((size) => {
    const groups = Array.from(
      { length: Math.floor(levels.length / size) },
      (_, k, last = Math.floor(levels.length / size) - 1) =>
        levels.slice(k * size, k === last ? levels.length : (k + 1) * size),
    )
    return {
      what: `${name} in ${groups.length} classes`,
      options: { merge: { [name]: Object.fromEntries(groups.map((members) => [nameOf(members), members])) } },
    }
  })
}

const RANGE = /^(.*?\d)(\D+)(\d+\D*)$/

/** "20 to 24" and "25 to 29" are "20 to 29". */
function nameOf(members: readonly string[]): string {
  const [first, last] = [members[0], members[members.length - 1]]
  const [, from, between] = RANGE.exec(first) ?? []
  const [, , , to] = RANGE.exec(last) ?? []
  return from !== undefined && to !== undefined ? `${from}${between}${to}` : `${first} to ${last}`
}

function mergedRare({ name, codes, levels }: CategoricalColumn, present: readonly number[]): Coarser[] {
  const counts = new Int32Array(levels.length)
  for (const code of codes) if (code >= 0) counts[code]++
  const seen = new Set<number>()
  return RARE.flatMap((share) => {
    const rare = present.filter((code) => counts[code] < share * codes.length)
    if (rare.length < 2 || rare.length === present.length || seen.has(rare.length)) return []
    seen.add(rare.length)
    const label = ['other', 'others', 'all other'].find((text) => !levels.includes(text)) ?? 'the rest'
    const options = { merge: { [name]: { [label]: rare.map((code) => levels[code]) } } }
    return [{ what: `${name}: ${rare.length} rare levels as one`, options }]
  })
}
