import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import { bitSpace } from '../../../neighbors/in-bits/bits.js'
import type { Side } from '../../../neighbors/release-space.js'
import { doneElsewhere } from '../../../neighbors/tasks.js'
import { count } from '../../../print.js'
import { tableOfPart } from '../../../table/classes.js'
import { selectRows, type Table } from '../../../table/table.js'
import { membershipScores } from '../../shared-information/membership-score.js'
import type { Options } from '../membership-audit.js'
import { classifierScores } from './classifier-scores.js'
import {
  bestArea,
  kth,
  type LookedAt,
  logRatios,
  lookAt,
  type Neighbourhood,
  neighbourhood,
  type RealRecords,
  radiusRatios,
  realRecords,
  usualRadius,
} from './real-records.js'
import { sharedValuesTask, valuesCompared } from './shared-values.js'

/** The scores by which a battery of membership attacks ranks people. */
export const ATTACKS = [
  'shared information',
  'shared values',
  'closeness',
  'log-ratio',
  'radius',
  'classifier',
] as const

type Attack = (typeof ATTACKS)[number]

/** What its percentiles are called in a file of records. */
export const COLUMN_OF: Readonly<Record<Attack, string>> = {
  'shared information': 'sharedInformationPercentile',
  'shared values': 'sharedValuesPercentile',
  closeness: 'closenessPercentile',
  'log-ratio': 'logRatioPercentile',
  radius: 'radiusPercentile',
  classifier: 'classifierPercentile',
}

export interface NamedScores {
  readonly name: Attack
  /** Training records first. */
  readonly scores: Float64Array
}

/** In bits, over the columns and the records that the other attacks compare. */
function sharedInformationScores(
  { release, part }: Subject,
  { space }: RealRecords,
  { training, holdout, places }: LookedAt,
  context: Context,
): Promise<Float64Array> {
  const names = space.columns.map(({ name }) => name)
  const rows = (of: Table, side: Side) => (side.rows.length === of.rows ? of : selectRows(of, side.rows))
  const tables = [
    rows(release.original, training),
    rows(tableOfPart(release, part), space.released),
    rows(tableOfPart(release, 'holdout'), holdout),
  ]
  return membershipScores(bitSpace(tables, names), places, context)
}

export const QUICK: readonly Attack[] = ['shared values', 'closeness', 'log-ratio']

/** Shared information compares each record looked at with all: seconds for so many pairs, a minute for a file of 30,000. */
const MOST_COMPARED = 5e7

/** What attacks make of the real records that are looked at, training records first. */
export interface Attacked {
  readonly scores: readonly NamedScores[]
  /** How many are training records, and where these stand in their file. */
  readonly members: number
  readonly training: Pick<Side, 'rows' | 'fileRows'>
  /** Who lives together; null where nobody said. */
  readonly households: Int32Array | null
  /** How far each is from the nearest other real record. */
  readonly isolation: Float64Array
  /** The AUC that no attack on these records exceeds. */
  readonly bestArea: number
  /** Of the radius attack, when that was tried. */
  readonly radius: number | null
  readonly warnings: readonly string[]
}

/** The attacks asked for, on files of so many records. */
export function attacksAsked({ attacks }: Pick<Options, 'attacks'>, looked: number, records: number) {
  const isLong = looked * records > MOST_COMPARED
  return {
    asked: new Set<Attack>(attacks ?? (isLong ? QUICK : ['shared information', ...QUICK])),
    leftOut: attacks === null && isLong ? ['shared information was left out: it takes long on large files'] : [],
  }
}

/** Attacks that need to know the nearest records alone. */
export function scoresByDistance(asked: ReadonlySet<Attack>, near: Neighbourhood): NamedScores[] {
  const closeness = () => kth(near.toRelease, near, 1).map((distance) => -distance)
  return [
    ...(asked.has('closeness') ? [{ name: 'closeness' as const, scores: closeness() }] : []),
    ...(asked.has('log-ratio') ? [{ name: 'log-ratio' as const, scores: logRatios(near, 1) }] : []),
  ]
}

/** That some of all people are looked at, where they are. */
export function sampleWarning(looked: readonly [training: number, others: number], people: number): string[] {
  const [training, others] = looked
  if (training + others === people) return []
  return [`a sample of ${count(training, 'training record')} and ${count(others, 'record')} of others was looked at`]
}

/** The scores asked for, of the records looked at. */
export async function attack(subject: Subject, chosen: Options, context: Context): Promise<Attacked> {
  const all = realRecords(subject, chosen)
  const looked = lookAt(all, chosen.sample, context.seed)
  const near = await neighbourhood(context, looked, 1)
  const { asked, leftOut } = attacksAsked(chosen, looked.ids.length, all.ids.length + all.space.released.ids.length)
  const { members, places, training, households } = looked
  const scores: NamedScores[] = []
  const add = (name: Attack, of: Float64Array) => scores.push({ name, scores: of })
  if (asked.has('shared information'))
    add('shared information', await sharedInformationScores(subject, all, looked, context))
  if (asked.has('shared values')) {
    const values = valuesCompared(subject, looked)
    const records = values.rows.reduce((sum, of) => sum + of.length, 0)
    add('shared values', await doneElsewhere(context, sharedValuesTask, values, records))
  }
  scores.push(...scoresByDistance(asked, near))
  const radius = asked.has('radius') ? await usualRadius(context, all) : null
  if (radius !== null) add('radius', await radiusRatios(context, looked, radius))
  if (asked.has('classifier')) {
    const rank = await classifierRanks(subject, all, chosen, context)
    if (typeof rank === 'string') leftOut.push(`left out: ${rank}`)
    else
      add(
        'classifier',
        Float64Array.from(places, (place) => rank[place]),
      )
  }
  if (scores.length === 0) throw new NotApplicable(leftOut.join('; '))
  return {
    scores,
    members,
    training: { ...training, rows: places.subarray(0, members).map((place) => training.rows[place]) },
    households,
    isolation: kth(near.toOthers, near, 1),
    bestArea: bestArea(looked),
    radius,
    warnings: [...all.space.warnings, ...sampleWarning([members, places.length - members], all.ids.length), ...leftOut],
  }
}

/** Or why there are none: too few records for folds leave the other scores to decide. */
async function classifierRanks(
  subject: Subject,
  records: RealRecords,
  { trees, folds }: Options,
  context: Context,
): Promise<Float64Array | string> {
  try {
    return (await classifierScores(subject, records, { trees, folds, learnsFrom: 'everybody' }, context)).rank
  } catch (error) {
    if (error instanceof NotApplicable) return error.message
    throw error
  }
}
