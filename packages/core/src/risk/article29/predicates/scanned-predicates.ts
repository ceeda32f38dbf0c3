import type { SampledTables } from '../../../case/with-counts.js'
import { randomOf } from '../../../measure.js'
import type { Where } from '../../../neighbors/tasks.js'
import type { Release } from '../../../table/release.js'
import { columnOf } from '../../../table/table.js'
import { comparedOtherwise, noNumbers } from '../../distance/others/scanned-neighbours.js'
import type { Options } from '../singling-out.js'
import { type AmongAll, areMany, searchAmongAll } from './drawn-search.js'
import { modesOf, OWN_RECIPE } from './predicate-attack.js'

/**
 * Where tables are samples of larger ones: puts predicates to all records of these, as `singling-out` does in memory; or says in words why
 * it cannot be had.
 */
export async function scannedPredicates(
  release: Release,
  { original, released: all, holdout }: SampledTables,
  part: number,
  options: Options & { readonly definition?: string },
  seed: number,
  most: number,
  where: Where,
): Promise<AmongAll | string> {
  const { variables } = release
  if (holdout === undefined || release.holdout === null) return 'without a holdout nothing rests on it'
  if ((options.definition ?? OWN_RECIPE.name) !== OWN_RECIPE.name)
    return 'it is asked for with options that no scan has'
  const odd = comparedOtherwise(variables, [
    [release.original, original],
    [release.holdout, holdout],
    [release.released[part], all[part]],
  ])
  if (odd !== undefined) return odd
  const files = { original: original.stored, released: all[part].stored, holdout: holdout.stored }
  const stored = Object.values(files)
  const sizes = stored.map(({ schema }) => schema.rows)
  if (!areMany(sizes, options)) return 'files of so few records are drawn from in an order of all'
  const numbers = variables.filter((name) => columnOf(release.original, name).kind !== 'categorical')
  for (const file of stored) {
    const ranges = await file.ranges(numbers)
    const odd = numbers.find((_, k) => ranges[k]?.some((end) => !Number.isFinite(end)))
    if (odd !== undefined) return noNumbers(odd)
  }
  const random = randomOf('singling-out', seed)
  return searchAmongAll(release, files, modesOf(options), options, { seed, random, most, where })
}
