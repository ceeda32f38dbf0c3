import { binomialPmf } from '../stats/distributions.js'
import { type CodesOfColumn, codedTable } from '../table/canonical-tables.js'
import type { Release } from '../table/release.js'
import { view, withoutColumns } from './view.js'

/**
 * Incomes in thousands, ages in months, regions under other names: values that the original does not have, in a column that
 * tells as much as before. To a program every record then differs from every other in that column, and a copy is far from its
 * original. Whoever sees that a column is another one altogether leaves it out. A column is unfamiliar when its distribution in
 * the release is farther from that in the original than two samples are, by more than half of what is left to the largest
 * distance: d > d₀ + (1 - d₀) / 2, with d the total variation of levels, or the largest difference between the distribution
 * functions of numbers, and d₀ its mean over random divisions of all records (exact for levels; 0 for numbers, where it is
 * small). The choice looks at one column at a time: an honest sample stays exchangeable with the originals in whichever columns
 * are left. A column that was changed by less stays, as does one whose values were dealt out to each other.
 */
export const familiarColumns = view<ReadonlySet<string>>({
  id: 'familiar-columns',
  undoes: 'columns in other units or under other names',
  what: 'without columns that have other values',
  detect(release) {
    const unfamiliar = unfamiliarColumns(release)
    const isSome = unfamiliar.size > 0 && release.variables.length - unfamiliar.size >= FEWEST_COLUMNS
    return isSome ? unfamiliar : undefined
  },
  apply: withoutColumns,
})

/** With one column alone records are hardly compared. */
export const FEWEST_COLUMNS = 2

const FAR = 0.5

function unfamiliarColumns(release: Release): ReadonlySet<string> {
  const [ours, theirs] = ([`original`, 0] as const).map((part) => codedTable(release, part).columns)
  return new Set(ours.flatMap((column, j) => (isFar(column, theirs[j]) ? [column.name] : [])))
}

function isFar(ours: CodesOfColumn, theirs: CodesOfColumn): boolean {
  const [a, b] = [countsOf(ours), countsOf(theirs)]
  const [n, m] = [ours.codes.length, theirs.codes.length]
  let [sum, total, largest] = [0, 0, 0]
  for (let code = 0; code < a.length; code++) {
    const difference = a[code] / n - b[code] / m
    sum += difference
    total += Math.abs(difference)
    largest = Math.max(largest, Math.abs(sum))
  }
  if (ours.numeric) return largest > FAR
  const expected = expectedVariation(a, b, n, m)
  return total / 2 > expected + FAR * (1 - expected)
}

/** How often each code occurs, a missing value being the first. */
function countsOf({ codes, cardinality }: CodesOfColumn): Float64Array {
  const counts = new Float64Array(cardinality + 1)
  for (const code of codes) counts[code < 0 ? 0 : code + 1]++
  return counts
}

/** Levels with more records than this vary by less than a normal curve says anyway. */
const MANY = 50

/** Mean total variation when each record falls to the original with chance n / (n + m). */
function expectedVariation(a: Float64Array, b: Float64Array, n: number, m: number): number {
  const share = n / (n + m)
  const known = new Map<number, number>()
  let total = 0
  for (let code = 0; code < a.length; code++) {
    const count = a[code] + b[code]
    const deviation = known.get(count) ?? meanDeviation(count, share, n, m)
    known.set(count, deviation)
    total += deviation
  }
  return total / 2
}

function meanDeviation(count: number, share: number, n: number, m: number): number {
  if (count > MANY) return Math.sqrt((2 / Math.PI) * count * share * (1 - share)) * (1 / n + 1 / m)
  let mean = 0
  for (let k = 0; k <= count; k++) mean += binomialPmf(k, count, share) * Math.abs(k / n - (count - k) / m)
  return mean
}
