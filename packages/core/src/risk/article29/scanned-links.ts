import type { SampledTable, SampledTables } from '../../case/with-counts.js'
import { NotApplicable } from '../../errors.js'
import { type Context, randomOf, type Subject } from '../../measure.js'
import type { ComparedColumn } from '../../neighbors/scan/distance-scan.js'
import { spaceElsewhere, type Where } from '../../neighbors/tasks.js'
import { countUp } from '../../random/sampling.js'
import { type StoredTable, unlessTooMany } from '../../stored/stored-table.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Table, table } from '../../table/table.js'
import {
  comparedColumns,
  comparedOtherwise,
  inOneForm,
  isUsualDistance,
  peopleWith,
  queriesOf,
} from '../distance/others/scanned-neighbours.js'
import { type ColumnSets, columnSets, varies } from './column-sets.js'
import type { Options } from './linkability.js'
import { type Attack, CURVE_TO } from './links.js'
import { attackedPlaces, attackedWarning, isOrderNeeded } from './targets.js'

/** Of the released records, and of the originals, those among the nearest to the people attacked: on them linkability is that of all. */
export interface ScannedLinks {
  readonly columns: ColumnSets
  /** How many records both have. */
  readonly records: readonly [original: number, released: number]
  /** How many different records the release has. */
  readonly different: number
  readonly nearReleased: Table
  readonly nearOriginals: Table
  /** The people attacked, in the release and outside it. */
  readonly people: readonly Table[]
  /** The numbers of those in the release. */
  readonly rows: Int32Array
  /** Two records that have the ranges of all numbers between them. */
  readonly ends: Table
  readonly warnings: readonly string[]
}

/** What is asked, with all that the answer depends on. */
export function linksKey(part: Subject['part'], options: Options, seed: number): string {
  const { columnsA, columnsB, k, ties, attacks, missing, distance, scale, weights } = options
  return `links ${JSON.stringify([part, columnsA, columnsB, k, ties, attacks, missing, distance, scale, weights, seed])}`
}

/**
 * Where tables are samples of larger ones: asks all different records of both which are among the k nearest to the people attacked, on
 * either set of columns; or says in words why it cannot be had.
 */
export async function scannedLinks(
  release: Release,
  { original, released: all, holdout }: SampledTables,
  part: number,
  options: Options & { readonly definition?: string },
  seed: number,
  most: number,
  where: Where,
): Promise<ScannedLinks | string> {
  if (holdout === undefined || release.holdout === null) return 'without a holdout nothing rests on it'
  if (!isScannable(options)) return 'it is asked for with options that no scan has'
  const columns = await setsOfAll(release, original.stored, options)
  if (typeof columns === 'string') return columns
  const sets = [columns.columnsA, columns.columnsB]
  const names = [...new Set(sets.flat())]
  const real = [original, holdout]
  const odd = comparedOtherwise(names, [
    [release.original, original],
    [release.holdout, holdout],
    [release.released[part], all[part]],
  ])
  if (odd !== undefined) return odd
  const compared = await comparedColumns(names, release, real, [all[part]])
  if (typeof compared === 'string') return compared
  const sizes = real.map(({ stored }) => stored.schema.rows)
  const isWhole = real.every(({ stored, table }) => table.rows === stored.schema.rows)
  if (!isWhole && isOrderNeeded(sizes, options.attacks)) return 'who is looked at depends on the order of all people'
  const files = sizes.map((fileRows) => ({ rows: countUp(fileRows), fileRows }))
  const attacked = await attackedPlaces(release, files, options.attacks, randomOf('linkability', seed), where)
  const people = await peopleWith(attacked, real, names)
  const by = sets.map((set) => compared.flatMap(({ name }, j) => (set.includes(name) ? [j] : [])))
  const near = async ({ stored }: SampledTable, asked: readonly Table[], k: number) => {
    const question = { columns: compared, queries: queriesOf(compared, asked), k, by, clip: true, once: true }
    return (await stored.scan(question, most, where)).records
  }
  const nearOriginals = await remember(release, `near originals ${linksKey('original', options, seed)}`, () =>
    near(original, people.slice(0, 1), options.k),
  )
  const nearReleased = await near(all[part], people, Math.max(CURVE_TO, options.k))
  const tables = inOneForm([nearReleased, nearOriginals, ...people], names)
  if (typeof tables === 'string') return tables
  return {
    columns,
    records: [sizes[0], all[part].stored.schema.rows],
    different: await all[part].stored.countDistinct(names),
    nearReleased: tables[0],
    nearOriginals: tables[1],
    people: tables.slice(2),
    rows: attacked[0],
    ends: endsOf(compared, tables[0]),
    warnings: attackedWarning(
      attacked.map(({ length }) => length),
      sizes,
    ),
  }
}

/** Whom it is tried on, among those that the scan named of a file. */
export async function scannedAttack(
  { columns: { columnsA, columnsB }, people, ends, records, rows, warnings }: ScannedLinks,
  near: Table,
  context: Context,
): Promise<Attack> {
  const tables = [near, ...people, ends]
  const [a, b] = await Promise.all(
    [columnsA, columnsB].map(async (names) => {
      const { ids, ...points } = await spaceElsewhere(context, tables, [...new Set(names)], [tables.length - 1])
      return { ...points, ids, released: { ids: ids[0] } }
    }),
  )
  const groups = people.map((_, k) => ({ first: a.ids[k + 1], second: b.ids[k + 1] }))
  return { a, b, groups, rows, people: records[0], warnings }
}

/** Scans know no order of the records. */
function isScannable({ definition, ties, ...comparison }: Parameters<typeof scannedLinks>[3]) {
  return (definition === undefined || definition === 'scrim') && ties === 'expected' && isUsualDistance(comparison)
}

/** The sets of columns by what varies among all people; in words, why there are none. */
async function setsOfAll(release: Release, original: StoredTable, options: Options): Promise<ColumnSets | string> {
  const varying = new Set<string>()
  for (const name of release.variables)
    if (varies(release, name) || (await unlessTooMany(original.counts([name], 1)))?.rows !== 1) varying.add(name)
  try {
    return columnSets(release, options, (name) => varying.has(name))
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error
    return error.message
  }
}

function endsOf(columns: readonly ComparedColumn[], { name, columns: like }: Table): Table {
  const rangeOf = new Map(columns.map((column) => [column.name, column.range]))
  return table(
    name,
    like.map((column) =>
      column.kind === 'categorical'
        ? { ...column, codes: Int32Array.of(-1, -1) }
        : { ...column, values: Float64Array.from(rangeOf.get(column.name) ?? [Number.NaN, Number.NaN]) },
    ),
  )
}
