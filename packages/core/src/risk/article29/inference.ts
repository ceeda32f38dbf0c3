import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable, UserError } from '../../errors.js'
import { type ChartSubject, type Context, type Finding, measure, type Subject } from '../../measure.js'
import { distanceOptions, releaseSpace, type Side, toRows } from '../../neighbors/release-space.js'
import { percent } from '../../print.js'
import { jointCodes, type Part, rowsOfPart } from '../../table/classes.js'
import { CONTROL_LIMITS } from '../control-verdict.js'
import {
  type AttackCounts,
  type AttackDetails,
  attackChart,
  attackFinding,
  residualSentence,
  residualThresholds,
} from './attack.js'
import { type CorrectGuesses, closeGuesses, equalGuesses, naiveGuesses } from './correct-guesses.js'
import { GUESS_WIDTH, guesses, guessesTask } from './guesses.js'
import { type SecretGroup, secretGroups } from './secret-groups.js'
import { attackAll, attackedRecords, comparableColumns, type Targets, targetOptions } from './targets.js'

/**
 * Inference (Article 29 Working Party 2014; Giomi et al. 2023): somebody knows other columns of a person and takes the
 * secret of the released record that is nearest on them. A person counts with the share of the equally near records whose
 * secret is right: equal, or for numbers |g - s| ≤ 0.05 |g|.
 * What holds for people outside the release as well is no disclosure, hence the control, and two guesses without any
 * knowledge. Blind to attackers with a better model than the nearest record, and to secrets that are not a target.
 */
const { variables: _, ...comparison } = distanceOptions

const options = z.object({
  aux: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe('columns that the attacker knows; all but the secret, which is the target, when not given'),
  guess: z
    .enum(['nn1', 'knn'])
    .default('nn1')
    .describe('nn1: the secret of the nearest record; knn: the most frequent or the median of the k nearest'),
  k: z.int().min(1).max(1000).default(5).describe('how many records knn looks at'),
  regression: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe('whether a guess need only be close; auto: for numbers, not for dates and categories'),
  tolerance: z.number().min(0).lt(1).default(0.05).describe('how close, as a part of toleranceBase'),
  toleranceBase: z
    .enum(['guess', 'secret', 'range'])
    .default('guess')
    .describe('what the tolerance is a part of: the guess, the secret, or the range of the real values'),
  ...targetOptions,
  ...comparison,
})

type Options = z.output<typeof options>

type Details = AttackDetails & {
  readonly secret: string
  readonly aux: readonly string[]
  readonly guess: Options['guess']
  /** Null when a guess must be equal. */
  readonly tolerance: { readonly value: number; readonly base: Options['toleranceBase'] } | null
  /** How many attacked people had more nearest records than were asked for, in the release and outside it. */
  readonly tied: { readonly main: number; readonly control: number | null }
  readonly groups: readonly SecretGroup[]
}

export const inference = measure({
  id: 'inference',
  version: 1,
  title: 'Inference',
  summary: 'share of people whose secret is that of the released record nearest to them',
  family: 'article29',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['target'],
  options,
  compute,
  thresholds: { literature: residualThresholds },
  sentence: ({ details }) =>
    `the secret ${details.secret} is guessed right for ${percent(details.main.rate)} of people (best guess without knowledge ${percent(Math.max(...details.naive.map(({ rate }) => rate)))}); ${residualSentence(details)}`,
  charts: ({ details }, { name, targets }) => [
    attackChart(details, `Inference of ${details.secret}: ${name}`),
    groupChart(details, name),
    ...secretsChart(targets, name),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release, target: secret } = subject
  if (chosen.aux?.includes(secret)) throw new UserError(`inference: the attacker cannot know the secret "${secret}"`)
  const aux = chosen.aux ?? comparableColumns(release, chosen).filter((name) => name !== secret)
  const space = releaseSpace(subject, { ...chosen, variables: aux })
  const joint = jointCodes(release, secret)
  const secretsOf = (part: Part, side: Side) => {
    const codes = rowsOfPart(release, joint, joint.codes, part)
    return side.rows.map((row) => codes[row] + 1)
  }
  const own = secretsOf('original', space.training)
  if (own.every((code) => code === own[0]))
    throw new NotApplicable(`the secret "${secret}" is constant in the original`)
  const others = space.holdout && secretsOf('holdout', space.holdout)
  const released = secretsOf(subject.part, space.released)
  const correct = correctGuesses(joint, chosen, others === null ? [own] : [own, others])

  const records = attackedRecords(space.training, chosen.attacks, context, 'targets')
  const controls = space.holdout && attackedRecords(space.holdout, chosen.attacks, context, 'controls')
  const everybody = [
    targets(space.training, own, records),
    ...(space.holdout && others && controls ? [targets(space.holdout, others, controls)] : []),
  ]
  const attack = guesses(space, released, correct, chosen.guess, chosen.k)
  const found = await attackAll(context, guessesTask, attack, everybody, GUESS_WIDTH)
  const [inside, outside] = found.map((scores, group) => ({
    secrets: everybody[group].second,
    right: everyOther(scores, 0),
    tied: total(everyOther(scores, 1)),
  }))

  const naive = naiveGuesses(inside.secrets, released, correct)
  const { warnings, details, ...finding } = attackFinding({
    main: counts(inside.right),
    control: outside === undefined ? null : counts(outside.right),
    naive: [
      { what: 'a released record at random', rate: naive.random },
      { what: 'one guess for all', rate: naive.constant },
    ],
  })
  const groups = secretGroups(joint, inside, outside ?? null)
  return {
    ...finding,
    details: {
      ...details,
      secret,
      aux,
      guess: chosen.guess,
      tolerance: correct.numeric ? { value: chosen.tolerance, base: chosen.toleranceBase } : null,
      tied: { main: inside.tied, control: outside?.tied ?? null },
      groups,
    },
    warnings: [...space.warnings, ...warnings, ...groupWarnings(groups)],
    records: () => {
      const inferred = new Float64Array(own.length).fill(Number.NaN)
      for (const [at, record] of records.entries()) inferred[record] = inside.right[at]
      return { inferred: toRows(space.training, inferred) }
    },
  }
}

function correctGuesses(
  joint: ReturnType<typeof jointCodes>,
  { regression, tolerance, toleranceBase }: Options,
  real: readonly Int32Array[],
): CorrectGuesses {
  if (regression === 'always' && joint.kind === 'categorical')
    throw new UserError(`inference: regression needs numbers, but "${joint.name}" holds categories`)
  if (regression === 'never' || (regression === 'auto' && joint.kind !== 'numeric'))
    return equalGuesses(joint.cardinality + 1)
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const secrets of real) {
    for (const secret of secrets) {
      if (secret === 0) continue
      low = Math.min(low, secret)
      high = Math.max(high, secret)
    }
  }
  const range = high === 0 ? 0 : joint.numbers[high - 1] - joint.numbers[low - 1]
  return closeGuesses(joint, tolerance, toleranceBase, range)
}

function targets(side: Side, secrets: Int32Array, records: Int32Array): Targets {
  return { first: records.map((record) => side.ids[record]), second: records.map((record) => secrets[record]) }
}

function counts(right: Float64Array): AttackCounts['main'] {
  return { successes: total(right), attacks: right.length }
}

function total(numbers: Float64Array): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** One of the two numbers that the attack gives for each target. */
function everyOther(scores: Float64Array, first: 0 | 1): Float64Array {
  return scores.filter((_, place) => place % GUESS_WIDTH === first)
}

const SIGNIFICANT = 0.01

/** Groups with evidence of their own, allowing for how many were looked at (Bonferroni). */
function groupWarnings(groups: readonly SecretGroup[]): string[] {
  return groups
    .filter(
      ({ p, residual }) =>
        p !== null && residual !== null && p < SIGNIFICANT / groups.length && residual >= CONTROL_LIMITS.residual.delta,
    )
    .map(
      ({ secret, rate, controlRate }) =>
        `among people with ${secret} the guess is right for ${percent(rate)}, outside the release for ${percent(controlRate ?? 0)}`,
    )
}

function groupChart({ groups, secret, control }: Details, name: string) {
  const title = `By value of ${secret}: ${name}`
  if (control === null)
    return barChart(
      { name: 'groups', title, x: secret, y: 'guessed right' },
      groups.map((group) => ({ label: group.secret, value: group.rate })),
    )
  return intervalChart(
    { name: 'groups', title, x: 'residual risk', y: secret },
    groups.flatMap((group) =>
      group.residual === null
        ? []
        : [{ label: group.secret, value: group.residual, lower: group.lower, upper: group.upper }],
    ),
  )
}

/** With several secrets: all of them in one picture. */
function secretsChart(findings: ChartSubject<Details>['targets'], name: string) {
  const estimates = findings.flatMap(({ details }) => {
    const residual = details?.residual
    if (details === null || !residual) return []
    const { value, interval } = residual
    return [{ label: details.secret, value, lower: interval?.lower ?? null, upper: interval?.upper ?? null }]
  })
  if (findings.length < 2 || estimates.length === 0) return []
  return [
    intervalChart(
      { name: 'secrets', title: `Inference of each secret: ${name}`, x: 'residual risk', y: 'secret' },
      estimates,
    ),
  ]
}
