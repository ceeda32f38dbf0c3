import { NotApplicable } from '../../errors.js'
import { theOriginal } from '../../evidence/controls.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Context, Finding, Subject } from '../../measure.js'
import { toRows } from '../../neighbors/release-space.js'
import { count } from '../../print.js'
import { countUp, sampleWithoutReplacement } from '../../random/sampling.js'
import { wilson } from '../../stats/intervals.js'
import { quantileSorted } from '../../stats/quantile.js'
import { tableOfPart } from '../../table/classes.js'
import { jointColumns, pointsOf, rowsOf } from '../../table/coded-records.js'
import type { JointColumn } from '../../table/joint.js'
import { selectRows, type Table } from '../../table/table.js'
import { type Costs, fillCosts } from './costs/costs.js'
import { type LinkedFiles, linkedFiles } from './costs/linked-files.js'
import { tieAt } from './matching/guesses.js'
import { gowerCosts } from './methods/gower.js'
import { attackOptions, givenFor, type Options } from './options.js'
import type { Details } from './record-linkage.js'
import { average } from './truth/found.js'

/**
 * Linkage with a release in which nobody has a record, as a synthetic one: the intruder does not know that, and claims the
 * nearest record to be the person's. The claim is right where that record agrees with the person on everything else too, all
 * variables outside the keys, numbers up to the tenth of the original that they are in: then the intruder has learnt the
 * truth. How often, and how often with the nearest record of
 * another person of the original, which says what such records tell about people in general?
 */
export type Claims = {
  readonly people: number
  /** People to whom one record alone is nearest: whom an intruder would claim. */
  readonly claimed: number
  /** Share of people whose nearest record, one at random if several are, agrees on everything else; the same with other people’s records. */
  readonly right: number
  readonly rightOfOthers: number
  /** What the original itself would give. */
  readonly rightOfOriginal: number
  /** Share of claims that are right. */
  readonly precision: number | null
  readonly others: readonly string[]
}

const CLAIMS_OF = 2000

/** Nobody's record is known: what would be claimed, and how often rightly. */
export function claimsFinding(
  { release, part }: Subject,
  names: readonly string[],
  chosen: Options,
  context: Context,
): Finding<Details> {
  const { original } = release
  const released = tableOfPart(release, part)
  const others = release.variables.filter((name) => !names.includes(name))
  if (release.attacker !== null || others.length === 0)
    throw new NotApplicable(
      release.attacker !== null
        ? 'nobody knows who of the attacker’s file is who: an identifier is needed, and it must be in the release unless that is perturbed'
        : 'nobody has a record in this release, and there is no other column by which a claim could be right',
    )
  const n = original.rows
  const rows = n <= CLAIMS_OF ? countUp(n) : sampleWithoutReplacement(context.random('people'), n, CLAIMS_OF).sort()
  const query = selectRows(original, rows)
  const files = {
    released: linkedFiles(query, released, names, chosen),
    original: linkedFiles(query, original, names, chosen),
  }
  const { weights, missing, span } = attackOptions(chosen, 'deterministic')
  const costsIn = (linked: LinkedFiles) =>
    gowerCosts(linked, {
      weights: linked.keys.map(({ name }) => (weights === 'information' ? 1 : (givenFor(weights, name) ?? 1))),
      missing,
      span,
      original: 'query',
    })
  const costs = { released: costsIn(files.released), original: costsIn(files.original) }
  const { claims, effect, interval, perPerson } = claimsOf(files, costs, { query, released, original }, others, rows)
  return {
    value: claims.right,
    interval,
    controls: {
      fair: {
        value: claims.rightOfOthers,
        se: null,
        what: 'the nearest record of another person',
        basis: 'leave-one-out',
      },
      everything: theOriginal(claims.rightOfOriginal),
    },
    effect,
    notAssessed:
      'nobody has a record of their own in it, so that none can be found; whether it repeats people’s records is for memorisation to say',
    added: () => toRows({ rows, fileRows: n }, perPerson),
    details: {
      variables: names,
      method: 'deterministic',
      matching: 'independent',
      truth: 'none',
      people: n,
      lookedFor: rows.length,
      records: released.rows,
      withoutTruth: rows.length,
      summary: null,
      weightedValue: null,
      unknownMembership: null,
      suite: [],
      about: {},
      insider: null,
      matched: null,
      importance: [],
      claims,
    },
    warnings:
      rows.length < n ? [`${count(rows.length, 'person', 'people')} were looked for, drawn at random from ${n}`] : [],
  }
}

/** `inOriginal` are the costs of the original against itself, `rows` the people looked for. */
function claimsOf(
  files: { readonly released: LinkedFiles; readonly original: LinkedFiles },
  costs: { readonly released: Costs; readonly original: Costs },
  tables: { readonly query: Table; readonly released: Table; readonly original: Table },
  others: readonly string[],
  rows: Int32Array,
) {
  const truth = restOf([tables.query, tables.released, tables.original], others)
  const [own, released, original] = truth
  const inRelease = agreement(files.released, costs.released, own, released, null)
  const inOriginal = agreement(files.original, costs.original, own, original, rows)
  const n = own.length
  const right = average(inRelease.share)
  const rightOfOthers = average(inOriginal.shareOfOthers)
  let [claimed, rightClaims] = [0, 0]
  for (let row = 0; row < n; row++) {
    if (inRelease.tied[row] !== 1) continue
    claimed++
    rightClaims += inRelease.share[row]
  }
  // People with the same keys have the same nearest records.
  const keys = files.released.query.classes
  return {
    claims: {
      people: n,
      claimed,
      right,
      rightOfOthers,
      rightOfOriginal: average(inOriginal.share),
      precision: claimed === 0 ? null : rightClaims / claimed,
      others,
    },
    effect: shareEffect(right * keys, keys, rightOfOthers * keys, keys),
    interval: wilson(right * keys, keys),
    perPerson: inRelease.share.map((share, row) => share - inOriginal.shareOfOthers[row]),
  }
}

/** Values of everything else, as one number per record that means the same in all tables. */
function restOf(tables: readonly Table[], names: readonly string[]): readonly Int32Array[] {
  const columns = jointColumns(tables, names).map((column) => inTenths(column, tables))
  return pointsOf(columns, rowsOf(tables)).ids
}

/** Numbers by the tenth of the last table, the original, that they are in; categories as they are. */
function inTenths({ codes, cardinality, numbers }: JointColumn, tables: readonly Table[]) {
  if (numbers.length === 0) return { codes, cardinality }
  const from = codes.length - tables[tables.length - 1].rows
  const known = Float64Array.from(
    codes.subarray(from).filter((code) => code >= 0),
    (code) => numbers[code],
  ).sort()
  const cuts = Array.from({ length: 9 }, (_, k) => quantileSorted(known, (k + 1) / 10) ?? 0)
  const tenth = Array.from(numbers, (value) => cuts.filter((cut) => value > cut).length)
  return { codes: codes.map((code) => (code < 0 ? -1 : tenth[code])), cardinality: 10 }
}

/** Per person: share of the nearest records that agree on the rest, and how many are nearest; `self` is the person's own row among them. */
function agreement(
  files: LinkedFiles,
  costs: Costs,
  people: Int32Array,
  rest: Int32Array,
  self: Int32Array | null,
): { readonly share: Float64Array; readonly shareOfOthers: Float64Array; readonly tied: Float64Array } {
  const { query, search } = files
  const n = people.length
  const recordsLike = recordsByRest(people, rest, search)
  const [share, shareOfOthers, tied] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  const out = new Float64Array(search.classes)
  const rowsOf: number[][] = Array.from({ length: query.classes }, () => [])
  for (let row = 0; row < n; row++) rowsOf[query.ids[row]].push(row)
  for (let a = 0; a < query.classes; a++) {
    fillCosts(costs, a, out)
    const near = nearestClasses(out, search.counts, null)
    for (const row of rowsOf[a]) {
      const alike = (classes: readonly number[]) => recordsLike(people[row], classes)
      tied[row] = near.records
      share[row] = near.records === 0 ? 0 : alike(near.classes) / near.records
      if (self === null) continue
      // Without the person: themselves taken from their class, which may then be empty.
      const mine = search.ids[self[row]]
      const isNear = near.classes.includes(mine)
      const others = isNear && near.records === 1 ? nearestClasses(out, search.counts, mine) : near
      const taken = isNear && others === near ? 1 : 0
      const left = others.records - taken
      shareOfOthers[row] = left <= 0 ? 0 : (alike(others.classes) - taken) / left
    }
  }
  return { share, shareOfOthers, tied }
}

/** How many records of some classes have the rest that one of the people has; only such records are counted. */
function recordsByRest(
  people: Int32Array,
  rest: Int32Array,
  { ids, classes }: LinkedFiles['search'],
): (ofPerson: number, within: readonly number[]) => number {
  const isAsked = new Uint8Array(people.reduce((most, of) => Math.max(most, of), -1) + 1)
  for (const of of people) isAsked[of] = 1
  const counts = new Map<number, number>()
  for (let row = 0; row < rest.length; row++) {
    if (isAsked[rest[row]] !== 1) continue
    const place = rest[row] * classes + ids[row]
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return (ofPerson, within) => within.reduce((sum, c) => sum + (counts.get(ofPerson * classes + c) ?? 0), 0)
}

function nearestClasses(out: Float64Array, counts: Int32Array, without: number | null) {
  let least = Number.POSITIVE_INFINITY
  for (let c = 0; c < out.length; c++) if (c !== without && out[c] < least) least = out[c]
  const classes: number[] = []
  let records = 0
  for (let c = 0; c < out.length; c++)
    if (c !== without && out[c] <= tieAt(least)) {
      classes.push(c)
      records += counts[c]
    }
  return { classes, records }
}
