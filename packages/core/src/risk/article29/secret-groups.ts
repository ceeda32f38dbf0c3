import { MISSING_LABEL } from '../../learners/design-matrix.js'
import { type JointColumn, labelsOf } from '../../table/joint.js'
import { quantileClasses } from '../inference/key-levels.js'
import { attackFinding } from './attack.js'

/** Success among people with the same secret: an attack that fails on the whole may succeed on a few. */
export type SecretGroup = {
  readonly secret: string
  readonly records: number
  readonly rate: number
  /** Null without a holdout, and with fewer than ten people in it. */
  readonly controlRate: number | null
  readonly residual: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly p: number | null
}

/** People with their secret (a code plus one, 0 is missing) and how the attack on them went. */
interface Attacked {
  readonly secrets: Int32Array
  readonly right: Float64Array
}

const SMALLEST_GROUP = 10
const MOST_GROUPS = 30
const QUARTERS = 4
const OTHERS = '(other values)'

/** Numbers in quarters; values that fewer than ten people share are put together, and so are those beyond the thirty commonest. */
export function secretGroups(joint: JointColumn, inside: Attacked, outside: Attacked | null): SecretGroup[] {
  const { groupOf, labels } = groupsOf(joint, inside.secrets)
  const main = totals(inside, groupOf, labels.length)
  const control = outside === null ? null : totals(outside, groupOf, labels.length)
  return labels.flatMap((secret, group) => {
    if (main[group].attacks < SMALLEST_GROUP) return []
    const enough = control !== null && control[group].attacks >= SMALLEST_GROUP ? control[group] : null
    const { details } = attackFinding({ main: main[group], control: enough, naive: [] })
    return [
      {
        secret,
        records: main[group].attacks,
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

function totals({ secrets, right }: Attacked, groupOf: Int32Array, groups: number) {
  const sums = Array.from({ length: groups }, () => ({ successes: 0, attacks: 0 }))
  for (let person = 0; person < secrets.length; person++) {
    const sum = sums[groupOf[secrets[person]]]
    sum.successes += right[person]
    sum.attacks++
  }
  return sums
}

/** The group of every secret, common ones first, others last. */
function groupsOf(joint: JointColumn, secrets: Int32Array) {
  const classes =
    joint.kind === 'categorical'
      ? null
      : quantileClasses(
          joint,
          secrets.map((secret) => secret - 1),
          QUARTERS,
        )
  const names = [MISSING_LABEL, ...(classes?.labels ?? labelsOf(joint))]
  const classOf = Int32Array.from({ length: joint.cardinality + 1 }, (_, secret) =>
    secret === 0 || classes === null ? secret : classes.bins[secret - 1] + 1,
  )
  const people = new Int32Array(names.length)
  for (const secret of secrets) people[classOf[secret]]++
  const common = Array.from(people.keys())
    .sort((a, b) => people[b] - people[a] || a - b)
    .slice(0, MOST_GROUPS)
    .filter((one) => people[one] >= SMALLEST_GROUP)
  // A remainder of a few people would be told by the others and the total.
  const rest = () => secrets.length - common.reduce((sum, one) => sum + people[one], 0)
  while (rest() > 0 && rest() < SMALLEST_GROUP && common.length > 0) common.pop()
  if (classes !== null) common.sort((a, b) => a - b)
  const groupOfClass = new Int32Array(names.length).fill(common.length)
  for (const [group, one] of common.entries()) groupOfClass[one] = group
  return { groupOf: classOf.map((one) => groupOfClass[one]), labels: [...common.map((one) => names[one]), OTHERS] }
}
