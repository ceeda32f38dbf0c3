import type { JsonObject } from '../json.js'
import type { Context, Finding, Subject } from '../measure.js'
import { type CodedTable, codedTable } from './article29/canonical-tables.js'
import { alsoInColumns } from './narrow-looks.js'

/**
 * Incomes in thousands, ages in months, regions under other names: values that the original does not have, in a column that
 * tells as much as before. To a program every record then differs from every other in that column, and a copy is far from its
 * original. Whoever sees that a column is another one altogether leaves it out; so must a measure. A column is unfamiliar when
 * its distribution in the release is farther than one half from that in the original: by the total variation of levels, by
 * the largest difference of the distribution functions of numbers. The choice looks at one column at a time: an honest sample
 * stays exchangeable with the originals in whichever columns are left. A column that was changed by less stays, as does one
 * whose values were dealt out to each other (see `table/renamed-levels.ts`).
 */
export function alsoInFamiliarColumns<Options extends { readonly variables: unknown }, Details extends JsonObject>(
  compute: (subject: Subject, options: Options, context: Context) => Promise<Finding<Details>>,
) {
  return alsoInColumns<Options, Details>('without columns that have other values', compute, familiarColumns)
}

const FAR = 0.5

function familiarColumns({ release, part }: Subject): ReadonlySet<string> {
  const [ours, theirs] = (['original', part] as const).map((of) => codedTable(release, of).columns)
  return new Set(ours.flatMap((column, j) => (distanceOfShares(column, theirs[j]) > FAR ? [] : [column.name])))
}

type CodedColumn = CodedTable['columns'][number]

function distanceOfShares(ours: CodedColumn, theirs: CodedColumn): number {
  const [a, b] = [sharesOf(ours), sharesOf(theirs)]
  let [sum, total, largest] = [0, 0, 0]
  for (let code = 0; code < a.length; code++) {
    sum += a[code] - b[code]
    total += Math.abs(a[code] - b[code])
    largest = Math.max(largest, Math.abs(sum))
  }
  return ours.numeric ? largest : total / 2
}

/** Of each code, a missing value being the first. */
function sharesOf({ codes, cardinality }: CodedColumn): Float64Array {
  const shares = new Float64Array(cardinality + 1)
  for (const code of codes) shares[code < 0 ? 0 : code + 1] += 1 / codes.length
  return shares
}
