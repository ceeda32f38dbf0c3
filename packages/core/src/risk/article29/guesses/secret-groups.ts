import { MISSING_LABEL } from '../../../learners/coding/design-matrix.js'
import { jointCodes, keyClasses, rowsOfPart } from '../../../table/classes.js'
import { type JointColumn, labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { quantileClasses } from '../../inference/effects/key-levels.js'
import { attackFinding } from '../residual/attack.js'

/** Success among some of the people: an attack that fails on the whole may succeed on a few. */
type GroupSuccess = {
  readonly records: number
  readonly rate: number
  /** Null without a holdout, and with fewer than ten people in it. */
  readonly controlRate: number | null
  readonly residual: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly p: number | null
}

/** People with the same secret. */
export type SecretGroup = GroupSuccess & { readonly secret: string }

/** People with the same values of all keys. */
export type CellGroup = GroupSuccess & { readonly cell: string }

/** People by row and secret (a code plus one, 0 is missing), and how the attack on them went. */
interface Attacked {
  readonly rows: Int32Array
  readonly secrets: Int32Array
  readonly right: Float64Array
}

interface Grouped {
  readonly by: Int32Array
  readonly right: Float64Array
}

const SMALLEST_GROUP = 10
const MOST_GROUPS = 30
const QUARTERS = 4

/** Numbers in quarters; values that few people have are put together. */
export function secretGroups(joint: JointColumn, inside: Attacked, outside: Attacked | null): SecretGroup[] {
  const classes =
    joint.kind === 'categorical'
      ? null
      : quantileClasses(
          joint,
          inside.secrets.map((secret) => secret - 1),
          QUARTERS,
        )
  const names = [MISSING_LABEL, ...(classes?.labels ?? labelsOf(joint))]
  const classOf = ({ secrets, right }: Attacked) => ({
    by: secrets.map((secret) => (secret === 0 || classes === null ? secret : classes.bins[secret - 1] + 1)),
    right,
  })
  return groupSuccesses(classOf(inside), outside && classOf(outside), names.length, classes !== null).map(
    ({ group, ...success }) => ({ secret: group === null ? '(other values)' : names[group], ...success }),
  )
}

/** Cells that few people are in are put together. */
export function cellGroups(release: Release, inside: Attacked, outside: Attacked | null): CellGroup[] {
  const cells = keyClasses(release, release.keys)
  const cellsOf = (part: 'original' | 'holdout', { rows, right }: Attacked) => {
    const of = rowsOfPart(release, cells, cells.ids, part)
    return { by: rows.map((row) => of[row]), right }
  }
  const people = cellsOf('original', inside)
  const found = groupSuccesses(people, outside && cellsOf('holdout', outside), cells.count, false)
  return found.map(({ group, ...success }) => ({
    cell: group === null ? '(other cells)' : cellName(release, inside.rows[people.by.indexOf(group)]),
    ...success,
  }))
}

/** The keys of a row of the original. */
function cellName(release: Release, row: number): string {
  return release.keys
    .map((key) => {
      const joint = jointCodes(release, key)
      const code = rowsOfPart(release, joint, joint.codes, 'original')[row]
      return code < 0 ? MISSING_LABEL : labelsOf(joint)[code]
    })
    .join(', ')
}

/**
 * By common class, the largest first or in their order; `group` is null for all others together: classes with fewer than
 * ten people, and those beyond the thirty largest.
 */
function groupSuccesses(inside: Grouped, outside: Grouped | null, classes: number, inOrder: boolean) {
  const common = commonClasses(inside.by, classes)
  if (inOrder) common.sort((a, b) => a - b)
  const groupOf = new Int32Array(classes).fill(common.length)
  for (const [group, one] of common.entries()) groupOf[one] = group
  const main = totals(inside, groupOf, common.length + 1)
  const control = outside === null ? null : totals(outside, groupOf, common.length + 1)
  return main.flatMap((own, group) => {
    if (own.attacks < SMALLEST_GROUP) return []
    const enough = control !== null && control[group].attacks >= SMALLEST_GROUP ? control[group] : null
    const { details } = attackFinding({ main: own, control: enough, naive: [] }, own.attacks, null)
    return [
      {
        group: group < common.length ? common[group] : null,
        records: own.attacks,
        rate: details.main.rate,
        controlRate: details.control?.rate ?? null,
        residual: details.residual?.value ?? null,
        lower: details.residual?.interval?.lower ?? null,
        upper: details.residual?.interval?.upper ?? null,
        p: details.residual?.p ?? null,
      },
    ]
  })
}

function totals({ by, right }: Grouped, groupOf: Int32Array, groups: number) {
  const sums = Array.from({ length: groups }, () => ({ successes: 0, attacks: 0 }))
  for (let person = 0; person < by.length; person++) {
    const sum = sums[groupOf[by[person]]]
    sum.successes += right[person]
    sum.attacks++
  }
  return sums
}

function commonClasses(by: Int32Array, classes: number): number[] {
  const people = new Int32Array(classes)
  for (const one of by) people[one]++
  const common = Array.from(people.keys())
    .sort((a, b) => people[b] - people[a] || a - b)
    .slice(0, MOST_GROUPS)
    .filter((one) => people[one] >= SMALLEST_GROUP)
  // A remainder of a few people would be told by the others and the total.
  const rest = () => by.length - common.reduce((sum, one) => sum + people[one], 0)
  while (rest() > 0 && rest() < SMALLEST_GROUP && common.length > 0) common.pop()
  return common
}
