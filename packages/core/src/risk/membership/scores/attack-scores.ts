import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import { bitSpace } from '../../../neighbors/in-bits/bits.js'
import type { Side } from '../../../neighbors/release-space.js'
import { doneElsewhere } from '../../../neighbors/tasks.js'
import { tableOfPart } from '../../../table/classes.js'
import { selectRows, type Table } from '../../../table/table.js'
import { membershipScores } from '../../shared-information/membership-score.js'
import type { Attacked, Options } from '../membership-audit.js'
import { classifierScores } from './classifier-scores.js'
import {
  kth,
  type LookedAt,
  logRatios,
  type Neighbourhood,
  type RealRecords,
  radiusRatios,
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

const QUICK: readonly Attack[] = ['shared values', 'closeness', 'log-ratio']

/** Shared information compares each record looked at with all: seconds for so many pairs, a minute for a file of 30,000. */
const MOST_COMPARED = 5e7

/** The scores asked for, of the records looked at. */
export async function attack(
  subject: Subject,
  all: RealRecords,
  looked: LookedAt,
  near: Neighbourhood,
  chosen: Options,
  context: Context,
): Promise<Attacked> {
  const isLong = looked.ids.length * (all.ids.length + all.space.released.ids.length) > MOST_COMPARED
  const asked = new Set(chosen.attacks ?? (isLong ? QUICK : ['shared information', ...QUICK]))
  const scores: NamedScores[] = []
  const leftOut =
    chosen.attacks === null && isLong ? ['shared information was left out: it takes long on large files'] : []
  const add = (name: Attack, of: Float64Array) => scores.push({ name, scores: of })
  if (asked.has('shared information'))
    add('shared information', await sharedInformationScores(subject, all, looked, context))
  if (asked.has('shared values')) {
    const values = valuesCompared(subject, looked)
    const records = values.rows.reduce((sum, of) => sum + of.length, 0)
    add('shared values', await doneElsewhere(context, sharedValuesTask, values, records))
  }
  if (asked.has('closeness'))
    add(
      'closeness',
      kth(near.toRelease, near, 1).map((distance) => -distance),
    )
  if (asked.has('log-ratio')) add('log-ratio', logRatios(near, 1))
  const radius = asked.has('radius') ? await usualRadius(context, all) : null
  if (radius !== null) add('radius', await radiusRatios(context, looked, radius))
  if (asked.has('classifier')) {
    const rank = await classifierRanks(subject, all, chosen, context)
    if (typeof rank === 'string') leftOut.push(`left out: ${rank}`)
    else
      add(
        'classifier',
        Float64Array.from(looked.places, (place) => rank[place]),
      )
  }
  if (scores.length === 0) throw new NotApplicable(leftOut.join('; '))
  return { scores, radius, leftOut }
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
