import type { SampledTable, SampledTables } from '../../case/with-counts.js'
import { randomOf, type Subject } from '../../measure.js'
import { rowsLookedAt } from '../../random/sampling.js'
import { tooManyCombinations, unlessTooMany } from '../../stored/stored-table.js'
import { remember } from '../../table/classes.js'
import { numbersOf } from '../../table/column.js'
import { type Release, scanFor } from '../../table/release.js'
import type { Table } from '../../table/table.js'
import { comparedColumns, comparedOtherwise, inOneForm } from '../distance/others/scanned-neighbours.js'
import type { Options } from './options.js'
import { type LookedFor, lookedForAmong } from './truth/looked-for.js'
import { type BothFiles, comparedRows } from './truth/row-order.js'
import { chosenOrKeys, truthKind } from './truth/sides.js'

/** The people looked for, and all records of both files by their keys: on them a linkage is that of all. */
export interface ScannedPeople extends LookedFor {
  /** Some rows of both with all columns, by which rows are seen to correspond. */
  readonly compared: BothFiles
  /** Of the people looked for. */
  readonly weights: Float64Array | null
  /** How much of the population the original is. */
  readonly ofPopulation: number | null
}

interface Asked {
  readonly variables: readonly string[] | null
  readonly sample: number | null
}

/** What is asked, with all that the answer depends on. */
export function peopleKey(id: Linkage) {
  return (part: Subject['part'], { variables, sample }: Asked, seed: number) =>
    `people ${JSON.stringify([id, part, variables, sample, seed])}`
}

type Linkage = 'reidentification' | 'record-linkage'

const METHODS_OF_KEYS = ['suite', 'deterministic', 'ranks', 'probabilistic']

/** Whether a linkage by row needs no more of all records than how many have which keys. */
export function isOfKeys(release: Release, released: Table, options: Options): boolean {
  const { method, matching, direction, sample } = options
  return (
    truthKind(release, released, options) === 'row' &&
    METHODS_OF_KEYS.includes(method) &&
    matching === 'independent' &&
    direction === 'forward' &&
    sample !== null
  )
}

export function scannedFor({ release, part }: Subject, options: Options, seed: number): ScannedPeople | undefined {
  if (typeof part !== 'number' || !isOfKeys(release, release.released[part], options)) return undefined
  return scanFor<ScannedPeople>(release, peopleKey('record-linkage')(part, options, seed))
}

type Ask<Options> = (
  ...asked: readonly [Release, SampledTables, part: number, options: Options, seed: number, most: number]
) => Promise<ScannedPeople | string | undefined>

export const scannedReidentification: Ask<Asked> = (...asked) => scannedPeople('reidentification', ...asked)

export const scannedLinkage: Ask<Options> = async (release, tables, part, options, seed, most) => {
  const truth = truthKind(release, release.released[part], options)
  // Nobody is looked for.
  if (truth === 'none') return undefined
  if (truth === 'identifier') return 'whose record is whose is told by an identifier'
  if (!isOfKeys(release, release.released[part], options)) return 'it is asked for with options that no counts have'
  return scannedPeople('record-linkage', release, tables, part, options, seed, most)
}

const NO_ROWS = 'row i of it is not known to be row i of the original'

/**
 * Where tables are samples of larger ones: counts all records of both by the keys, and asks for those of the people looked for; or says
 * in words why it cannot be had.
 */
async function scannedPeople(
  id: Linkage,
  release: Release,
  { original, released: all, population }: SampledTables,
  part: number,
  asked: Asked,
  seed: number,
  most: number,
): Promise<ScannedPeople | string> {
  const files = [original, all[part]] as const
  const [n, others] = files.map(({ stored }) => stored.schema.rows)
  if (n !== others) return NO_ROWS
  const { variables, weight } = release
  const odd =
    comparedOtherwise(variables, [
      [release.original, original],
      [release.released[part], all[part]],
    ]) ?? (weight === null ? undefined : comparedOtherwise([weight], [[release.original, original]]))
  if (odd !== undefined) return odd
  const columns = await comparedColumns(variables, release, [original], [all[part]])
  if (typeof columns === 'string') return columns
  const names = chosenOrKeys(release, asked.variables)
  const random = randomOf(id, seed)
  const rows = rowsLookedAt(n, asked.sample, () => random('people'))
  const counts = rows.length === n ? [] : await countsOf(release, files, part, names, most)
  if (typeof counts === 'string') return counts
  const people = await rowsOf(files, rows, names)
  const keys = inOneForm([...people, ...counts], names)
  if (typeof keys === 'string') return keys
  const compared = inOneForm(await rowsOf(files, comparedRows(n, random), variables), variables)
  if (typeof compared === 'string') return compared
  return {
    ...lookedForAmong(rows, n, [keys[0], keys[1]], counts.length === 0 ? null : [keys[2], keys[3]]),
    compared: [compared[0], compared[1]],
    weights: weight === null ? null : numbersOf((await original.stored.rows(rows, [weight])).columns[0]),
    ofPopulation: population === undefined ? null : n / population.stored.schema.rows,
  }
}

async function rowsOf(files: readonly SampledTable[], rows: Int32Array, names: readonly string[]): Promise<Table[]> {
  const found: Table[] = []
  for (const { stored } of files) found.push(await stored.rows(rows, names))
  return found
}

/** Of each file once, whatever looks at it. */
async function countsOf(
  release: Release,
  files: readonly SampledTable[],
  part: number,
  names: readonly string[],
  most: number,
): Promise<readonly Table[] | string> {
  const counts: Table[] = []
  for (const [k, { stored, table }] of files.entries()) {
    const key = `counted ${JSON.stringify([k === 0 ? 'original' : part, names, most])}`
    const counted = await remember(release, key, () => unlessTooMany(stored.counts(names, most)))
    if (counted === undefined) return tooManyCombinations(table, most)
    counts.push(counted)
  }
  return counts
}
