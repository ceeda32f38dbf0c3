import type { SampledTable, SampledTables } from '../../../case/with-counts.js'
import type { Subject } from '../../../measure.js'
import type { ComparedColumn } from '../../../neighbors/scan/distance-scan.js'
import type { Where } from '../../../neighbors/tasks.js'
import { joinedCodes } from '../../../stats/joined.js'
import type { Scanned } from '../../../stored/stored-table.js'
import { remember } from '../../../table/classes.js'
import { jointColumns, pointsOf, rowsOf } from '../../../table/coded-records.js'
import type { Release } from '../../../table/release.js'
import type { Table } from '../../../table/table.js'
import {
  comparedColumns,
  comparedOtherwise,
  inOneForm,
  isUsualDistance,
  peopleWith,
  queriesOf,
} from '../../distance/others/scanned-neighbours.js'
import type { Options } from '../membership-audit.js'
import { type Attacked, attacksAsked, QUICK, sampleWarning, scoresByDistance } from './attack-scores.js'
import { areaOfShares, type Neighbourhood, placesLookedAt, settled } from './real-records.js'
import { sharesOfCounts, valueSets } from './shared-values.js'

/** What is asked, with all that the answer depends on. */
export function auditKey(part: Subject['part'], options: Options, seed: number): string {
  const { attacks, sample, variables, distance, missing, scale, weights } = options
  return `membership ${JSON.stringify([part, attacks, sample, variables, distance, missing, scale, weights, seed])}`
}

/**
 * Where tables are samples of larger ones: attacks on the same people as in memory, by what all records of these tables say of them, which
 * is how near the nearest are and how many have their values; or, in words, why it cannot be had. No record but theirs is named.
 */
export async function scannedScores(
  release: Release,
  { original, released, holdout }: SampledTables,
  part: number,
  options: Options,
  seed: number,
  most: number,
  where: Where,
): Promise<(Attacked & { readonly records: readonly [original: number, released: number] }) | string> {
  if (holdout === undefined || release.holdout === null) return 'there is no holdout'
  const files = [original, holdout, released[part]]
  const [training, others, made] = files.map(({ stored }) => stored.schema.rows)
  const places = placesLookedAt(training, others, options.sample, seed)
  const [members, outsiders] = places.map(({ length }) => length)
  const { asked, leftOut } = attacksAsked(options, members + outsiders, training + others + made)
  if (!isUsualDistance(options) || [...asked].some((name) => !QUICK.includes(name)))
    return 'it is asked for with options that no scan has'
  if (release.household !== null) return 'people of one household are looked at together, which no scan does'
  const names = [...new Set(options.variables ?? release.variables)]
  const opened = [release.original, release.holdout, release.released[part]]
  const odd = comparedOtherwise(
    names,
    files.map((file, k) => [opened[k], file]),
  )
  if (odd !== undefined) return odd
  const columns = await comparedColumns(names, release, files.slice(0, 2), files.slice(2))
  if (typeof columns === 'string') return columns
  if (columns.length === 0) return 'there is no column to compare records by'
  const people = inOneForm(await peopleWith(places, files.slice(0, 2), names), names)
  if (typeof people === 'string') return people
  const { queries, ids } = differentPeople(columns, people)
  const sets = asked.has('shared values') ? valueSets(columns.length) : []
  const question = { columns, queries, clip: true, counted: [...sets, [...columns.keys()]], isNamed: false } as const
  const scan = ({ stored }: SampledTable, k: number) => stored.scan({ ...question, k }, most, where)
  // One more, since everybody is a record of one of the two.
  const [inOriginal, inHoldout] = await remember(release, `people ${auditKey('original', options, seed)}`, async () => [
    await scan(original, 2),
    await scan(holdout, 2),
  ])
  const looked = { ids, members, columns: columns.length, sets: sets.length, inOriginal, inHoldout }
  return {
    ...attackedIn({ ...looked, inReleased: await scan(released[part], 1) }, asked),
    training: { rows: places[0], fileRows: training },
    warnings: [...sampleWarning([members, outsiders], training + others), ...leftOut],
    records: [training, made],
  }
}

/** The people looked at, each different one once. */
function differentPeople(columns: readonly ComparedColumn[], people: readonly Table[]) {
  const names = columns.map(({ name }) => name)
  const { ids, count } = pointsOf(jointColumns(people, names), rowsOf(people))
  const all = joinedCodes(ids)
  const first = new Int32Array(count)
  for (let at = all.length - 1; at >= 0; at--) first[all[at]] = at
  const queries = queriesOf(columns, people).map((values) => Array.from(first, (at) => values[at]))
  return { queries, ids: all }
}

/** What all records say of the people looked at. */
interface Looked {
  /** Which of the different people each is, training records first. */
  readonly ids: Int32Array
  readonly members: number
  /** How many columns are compared, and how many sets of these; all of them are one more set. */
  readonly columns: number
  readonly sets: number
  readonly inOriginal: Scanned
  readonly inHoldout: Scanned
  readonly inReleased: Scanned
}

function attackedIn(looked: Looked, asked: ReturnType<typeof attacksAsked>['asked']) {
  const { members, sets, inOriginal, inHoldout } = looked
  const near = neighbourhoodIn(looked)
  const haveAll = (person: number, ...files: readonly Scanned[]) => countIn(looked, files, person, sets)
  const shares = ofEach(looked, (person) => haveAll(person, inOriginal) / haveAll(person, inOriginal, inHoldout))
  return {
    scores: [
      ...(sets === 0 ? [] : [{ name: 'shared values' as const, scores: sharedValuesIn(looked) }]),
      ...scoresByDistance(asked, near),
    ],
    members,
    households: null,
    isolation: near.toOthers,
    bestArea: areaOfShares(shares, members),
    radius: null,
  }
}

function neighbourhoodIn(looked: Looked): Neighbourhood {
  const { columns, inOriginal, inHoldout, inReleased } = looked
  const distances = (sums: Float64Array) => settled(sums.map((sum) => sum / columns))
  // The nearest record of somebody's own file is their own.
  const toOthers = ofEach(looked, (person, isMember) =>
    Math.min(inOriginal.least[2 * person + (isMember ? 1 : 0)], inHoldout.least[2 * person + (isMember ? 0 : 1)]),
  )
  return {
    most: 1,
    toRelease: distances(ofEach(looked, (person) => inReleased.least[person])),
    toOthers: distances(toOthers),
  }
}

function sharedValuesIn(looked: Looked): Float64Array {
  const { sets, inOriginal, inHoldout, inReleased } = looked
  const real = [inOriginal, inHoldout]
  return sharesOfCounts(
    looked.ids,
    sets,
    (person, set) => countIn(looked, [inReleased], person, set),
    (person, set) => countIn(looked, real, person, set),
  )
}

/** How many records of some files have the values of a person in a set of columns. */
function countIn({ sets }: Looked, files: readonly Scanned[], person: number, set: number): number {
  return files.reduce((sum, { equal }) => sum + equal[person * (sets + 1) + set], 0)
}

function ofEach({ ids, members }: Looked, value: (person: number, isMember: boolean) => number): Float64Array {
  return Float64Array.from(ids, (person, at) => value(person, at < members))
}
