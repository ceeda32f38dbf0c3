import { carriedIdentifiers, digestIn } from '../../case/identifiers/carried-identifiers.js'
import { textsOf } from '../../case/matching/texts.js'
import { hasColumn, type SampledTable, type SampledTables, underOtherNames } from '../../case/with-counts.js'
import type { Subject } from '../../measure.js'
import { grouped } from '../../print.js'
import { unlessTooMany } from '../../stored/stored-table.js'
import type { Column } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { columnOf, table } from '../../table/table.js'

/** That no value in all records of a release is, or has inside, an identifier of anybody in the original. */
export interface NothingCarried {
  readonly records: readonly [originals: number, released: number]
  readonly looked: string
  /** How many comparisons were made. */
  readonly compared: number
}

export function identifiersKey(part: Subject['part']): string {
  return `identifiers ${part}`
}

/**
 * Where tables are samples of larger ones: compares all values of the columns of the original that say who somebody is with all values of
 * the release, each once. Or says in words why it cannot be had: it can show that nobody is named, while of how many is of the sample.
 */
export async function scannedIdentifiers(
  release: Release,
  { original, released: all }: SampledTables,
  part: number,
  _options: object,
  _seed: number,
  most: number,
): Promise<NothingCarried | string | undefined> {
  const seen = release.identifiers[part]
  if (seen === undefined || seen.compared === 0) return undefined
  const released = all[part]
  const ours = seen.identifiers.map((name) => columnOf(original.table, name))
  const theirs = released.table.columns.filter((column) => isCompared(column, ours))
  if (!release.released[part].columns.every(({ name }) => hasColumn(released.stored, name)))
    return underOtherNames(released)
  const identifiers = await valuesOf(original, ours, most)
  const columns = await valuesOf(released, theirs, most)
  if (identifiers === undefined || columns === undefined)
    return `the columns that are compared have more than ${grouped(most)} values`
  const digests = columns.find((column) => digestIn(textsOf(column)) !== undefined)
  if (digests !== undefined) return `"${digests.name}" has digests, which may be of several columns`
  const nobody = table(original.table.name, [])
  const found = carriedIdentifiers({
    original: nobody,
    released: { columns },
    holdout: undefined,
    identifiers,
    digested: [],
  })
  const [carried] = found.columns
  if (carried !== undefined) return `"${carried.column}" of somebody stands in "${carried.releasedColumn}"`
  return {
    records: [original.stored.schema.rows, released.stored.schema.rows],
    looked: 'identifiers of people were compared in',
    compared: found.compared,
  }
}

/** Of numbers only where an identifier may be one, and of dates never. */
function isCompared({ kind, name }: Column, identifiers: readonly Column[]): boolean {
  if (kind !== 'numeric') return kind === 'categorical'
  return identifiers.some(
    (column) =>
      column.name === name ||
      textsOf(column)
        .forms()
        .every((form) => /^\d+$/.test(form)),
  )
}

async function valuesOf({ stored }: SampledTable, columns: readonly Column[], most: number) {
  const sets = columns.map(({ name }) => [name])
  const counted = await unlessTooMany(stored.countsTogether(sets, new Map(), most))
  return counted?.map((counts) => counts.columns[0])
}
