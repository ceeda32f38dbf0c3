import { z } from 'zod'
import { panelLevels } from '../../chart/comparison.js'
import type { UtilityScale } from '../../evidence/usefulness.js'
import { choice, whole } from '../../option-kinds.js'
import { count, significant } from '../../print.js'
import { aitchisonDistance } from '../../stats/information/information.js'
import { largestFirst } from '../../stats/sorted.js'
import { total } from '../../stats/sums.js'
import { everyCategory, everyColumn } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type ColumnDistance,
  columnsChart,
  columnsTable,
  columnwise,
  furthest,
  worstColumn,
} from './columns/by-column.js'
import { homogeneity } from './columns/column-tests.js'
import { type LevelPair, levelPairs, MISSING_LABEL, sharesOf } from './columns/columns.js'

/** Measures of how far the shares of categories lie apart, which differ in the distance only. */
const options = z.object({
  ...utilityOptions,
  groups: whole(0, { min: 0, max: 1000 }).describe(
    'classes into which numbers are cut, at quantiles of the original; 0: numbers are left out',
  ),
  missing: choice(['level', 'drop'], 'level').describe(
    'level: missing is a category; drop: shares are those of the known values',
  ),
})

/** A distance between shares, and what a sample gives. */
interface Distance {
  distance(p: Float64Array, q: Float64Array): number
  /** For a sample of m records from these shares. */
  expected(shares: Float64Array, m: number): number
}

interface CategoryDistance extends Distance {
  readonly id: string
  readonly title: string
  readonly summary: string
  /** As a sentence calls it: "total variation". */
  readonly said: string
  readonly scale?: UtilityScale
  readonly axis: string
  readonly range?: readonly [number, number]
}

const MOST_LEVELS = 12

type Options = z.output<typeof options>

export function categoryDistance({ distance, expected, axis, said, ...about }: CategoryDistance) {
  return utilityMeasure({
    ...about,
    orientation: 'distance',
    nothing: 'uniform',
    unit: 'distance',
    blindTo: 'all relations between columns, and numbers unless they are cut into classes',
    options,
    countedColumns: (chosen, release) => (chosen.groups > 0 ? everyColumn : everyCategory)(chosen, release),
    ...distancesOf({ distance, expected }, (pair, { groups, missing }) =>
      levelPairs(pair, groups).map((levels) => (missing === 'drop' ? known(levels) : levels)),
    ),
    sentence: ({ value, details: { columns } }) => {
      const worst = worstColumn(columns)
      return `the ${said} of categories is ${significant(value ?? 0, 2)} on average over ${count(columns.length, 'column')}; ${worst.name} ${significant(worst.value, 2)}`
    },
    tables: ({ details: { columns } }) => [columnsTable(columns)],
    charts: ({ details: { columns, shares } }, { name }) => [
      columnsChart({ name: about.id, title: `${about.title}: ${name}`, x: axis }, columns),
      panelLevels(
        { name: 'shares', title: `Shares of categories: ${name}`, x: '', y: 'share' },
        shares.flatMap((column) =>
          column.levels.flatMap(({ level, original, released }) => [
            { panel: column.name, file: 'original' as const, level, share: original },
            { panel: column.name, file: 'release' as const, level, share: released },
          ]),
        ),
      ),
    ],
  })
}

/** What is computed of the categories that `levelsOf` counts. */
export function distancesOf(
  { distance, expected }: Distance,
  levelsOf: (pair: Pair, options: Options) => readonly LevelPair[],
) {
  const distanceOf = ({ original, released }: LevelPair) => distance(sharesOf(original), sharesOf(released))
  return columnwise({
    items: (pair: Pair, chosen: Options) => ({
      pairs: levelsOf(pair, chosen).filter(({ original, released }) => total(original) > 0 && total(released) > 0),
    }),
    value: distanceOf,
    column: (levels) => ({
      name: levels.name,
      value: distanceOf(levels),
      levels: levels.labels.length,
      /** Distance of the shares as compositions, half a record added to each category. */
      aitchison: compositional(levels),
      expected: expected(sharesOf(levels.original), levels.n2),
      p: homogeneity(levels)?.p ?? null,
    }),
    test: 'X²',
    details: (columns, pairs) => ({ columns, shares: sharesOfWorst(pairs, columns) }),
    warnings: rareLevelWarnings,
  })
}

/** Counts of effective records, so that half of one is half of one. */
function compositional({ original, released, n1, n2 }: LevelPair): number | null {
  const added = (counts: Float64Array, records: number) => {
    const all = total(counts)
    return counts.map((count) => (count * records) / all + 0.5)
  }
  return aitchisonDistance(added(original, n1), added(released, n2))
}

function known(pair: LevelPair): LevelPair {
  const kept = pair.labels.flatMap((label, k) => (label === MISSING_LABEL ? [] : [k]))
  const [original, released] = [pair.original, pair.released].map((counts) => Float64Array.from(kept, (k) => counts[k]))
  const part = (counts: Float64Array, all: Float64Array) => (total(all) > 0 ? total(counts) / total(all) : 0)
  return {
    name: pair.name,
    labels: kept.map((k) => pair.labels[k]),
    original,
    released,
    n1: pair.n1 * part(original, pair.original),
    n2: pair.n2 * part(released, pair.released),
  }
}

/** Of the columns that differ most: categories, most frequent first. */
function sharesOfWorst(pairs: readonly LevelPair[], columns: readonly ColumnDistance[]) {
  return furthest(pairs, columns).map((pair) => {
    const { name } = pair
    const [p, q] = [sharesOf(pair.original), sharesOf(pair.released)]
    const order = largestFirst([...p.keys()], (k) => p[k] + q[k])
    const levels = order.slice(0, MOST_LEVELS).map((k) => ({ level: pair.labels[k], original: p[k], released: q[k] }))
    const rest = order.slice(MOST_LEVELS)
    if (rest.length === 0) return { name, levels }
    const over = (shares: Float64Array) => rest.reduce((sum, k) => sum + shares[k], 0)
    return { name, levels: [...levels, { level: `${rest.length} others`, original: over(p), released: over(q) }] }
  })
}
