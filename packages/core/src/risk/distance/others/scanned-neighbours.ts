import type { SampledTable, SampledTables } from '../../../case/with-counts.js'
import type { DistanceOptions } from '../../../neighbors/release-space.js'
import type { ComparedColumn, DistanceQuestion } from '../../../neighbors/scan/distance-scan.js'
import type { Where } from '../../../neighbors/tasks.js'
import { holdsNumbers, plainValues, type StoredTable } from '../../../stored/stored-table.js'
import type { Column } from '../../../table/column.js'
import { reconcile } from '../../../table/reconcile.js'
import type { Neighbours, Release } from '../../../table/release.js'
import { columnOf, findColumn, type Table, table } from '../../../table/table.js'
import { type LeaveOneOutOptions, lookedAt, neighboursKept } from './leave-one-out.js'

/**
 * Where tables are samples of larger ones: looks at some records of these, among all of both, as `neighbourhoods` does in memory. What
 * comes back are the few records near them, on which every number is that of all; or, in words, why it cannot be had.
 */
export async function scannedNeighbours(
  release: Release,
  { original, released: all }: SampledTables,
  part: number,
  options: LeaveOneOutOptions,
  seed: number,
  most: number,
  where: Where,
): Promise<Neighbours | string> {
  const released = all[part]
  const names = [...new Set(options.variables ?? release.variables)]
  const odd = comparedOtherwise(names, [
    [release.original, original],
    [release.released[part], released],
  ])
  if (odd !== undefined) return odd
  const columns = await comparedColumns(names, release, [original], [released])
  if (typeof columns === 'string') return columns
  const sizes = [original.stored.schema.rows, released.stored.schema.rows] as const
  const [rows, releasedRows] = lookedAt(...sizes, options.sample, seed)
  const asked = await original.stored.rows(rows, names)
  const releasedAsked = await released.stored.rows(releasedRows, names)
  const kept = neighboursKept(...sizes)
  // One more, since everybody is a record of the original too.
  const ofOriginal = await original.stored.scan(questionOf(columns, [asked, releasedAsked], kept + 1), most, where)
  const ofReleased = await released.stored.scan(questionOf(columns, [asked], kept), most, where)
  const tables = inOneForm([ofOriginal.records, ofReleased.records, asked, releasedAsked], names)
  if (typeof tables === 'string') return tables
  const width = columns.length
  const equal = columns.map(
    ({ name }, j) => [name, Float64Array.from(rows, (_, at) => ofOriginal.equal[at * width + j])] as const,
  )
  return {
    original: tables[0],
    released: tables[1],
    lookedAt: [tables[2], tables[3]],
    records: sizes,
    equal: new Map(equal),
  }
}

/** In words, of a column that is compared otherwise than any engine has it: in tables as they were opened, and as they are stored. */
export function comparedOtherwise(
  names: readonly string[],
  files: readonly (readonly [opened: Table, sampled: SampledTable])[],
): string | undefined {
  const odd = names.find((name) => files.some(([opened, sampled]) => !isComparable(name, opened, sampled)))
  return odd === undefined ? undefined : `"${odd}" is compared otherwise than it is written, or has an order`
}

/** Grouped numbers, matched levels and other changes are made when a Case is opened, and no engine knows of them. */
function isComparable(name: string, opened: Table, { table: read, stored }: SampledTable): boolean {
  const [ours, theirs] = [columnOf(opened, name), findColumn(read, name)]
  if (theirs === undefined || opened.rows !== read.rows) return false
  if (stored.schema.hasTokens === true || holdsNumbers(stored, name) !== (ours.kind !== 'categorical')) return false
  if (ours.kind === 'categorical') return theirs.kind === 'categorical' && !ours.ordered && isSameLevel(ours, theirs)
  return ours.kind === theirs.kind && ours.values.every((value, row) => Object.is(value, theirs.values[row]))
}

export function noNumbers(name: string): string {
  return `"${name}" has values that are no numbers, or whole numbers of more than 15 digits`
}

type Levels = Extract<Column, { kind: 'categorical' }>

function isSameLevel(ours: Levels, theirs: Levels): boolean {
  return ours.codes.every((code, row) => ours.levels[code] === theirs.levels[theirs.codes[row]])
}

/** In the order of `space`: what is equal or not, then the numbers, by their ranges among the records of real people. */
export async function comparedColumns(
  names: readonly string[],
  release: Release,
  real: readonly SampledTable[],
  others: readonly SampledTable[],
): Promise<readonly ComparedColumn[] | string> {
  const isNumber = (name: string) => columnOf(release.original, name).kind !== 'categorical'
  const numbers = names.filter(isNumber)
  const ranges: Awaited<ReturnType<StoredTable['ranges']>>[] = []
  for (const { stored } of [...real, ...others]) ranges.push(await stored.ranges(numbers))
  const odd = numbers.find((_, k) => ranges.some((own) => own[k]?.some((end) => !Number.isFinite(end))))
  if (odd !== undefined) return noNumbers(odd)
  const columns = names.map((name): ComparedColumn => {
    const ends = isNumber(name) ? ranges.slice(0, real.length).flatMap((own) => own[numbers.indexOf(name)] ?? []) : []
    const [low, high] = [Math.min(...ends), Math.max(...ends)]
    return { name, range: low < high ? [low, high] : null }
  })
  return [...columns.filter(({ range }) => range === null), ...columns.filter(({ range }) => range !== null)]
}

/** Scans know distances as they are unless told otherwise. */
export function isUsualDistance({
  missing,
  distance,
  scale,
  weights,
}: Pick<DistanceOptions, 'distance' | 'scale' | 'weights'> & { readonly missing: string }): boolean {
  return missing === 'match' && distance === 'gower' && scale === 'range' && Object.keys(weights).length === 0
}

/** Some people of each file, by their numbers in it. */
export async function peopleWith(
  numbers: readonly Int32Array[],
  files: readonly SampledTable[],
  names: readonly string[],
): Promise<readonly Table[]> {
  const people: Table[] = []
  for (const [k, { stored }] of files.entries()) people.push(await stored.rows(numbers[k], names))
  return people
}

function questionOf(columns: readonly ComparedColumn[], asked: readonly Table[], k: number): DistanceQuestion {
  return { columns, queries: queriesOf(columns, asked), k }
}

/** The values of records that are asked about. */
export function queriesOf(columns: readonly ComparedColumn[], asked: readonly Table[]): DistanceQuestion['queries'] {
  return columns.map(({ name }) => asked.flatMap((records) => plainValues(columnOf(records, name))))
}

/** The same columns of each, with the same levels. */
export function inOneForm(tables: readonly Table[], names: readonly string[]): readonly Table[] | string {
  const columns: (readonly Column[])[] = []
  for (const name of names) {
    const alike = reconcile(
      tables.map((one) => columnOf(one, name)),
      tables.map((one) => one.name),
    )
    if (typeof alike === 'string') return alike
    columns.push(alike)
  }
  return tables.map((one, k) =>
    table(
      one.name,
      columns.map((alike) => alike[k]),
      one.times,
    ),
  )
}
