import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import type { Control } from '../../evidence/evidence.js'
import { type ChartSubject, type Context, type Finding, measure, type Subject } from '../../measure.js'
import {
  distanceOptions,
  distanceProblems,
  type ReleaseSpace,
  releaseSpace,
  type Side,
  toRows,
} from '../../neighbors/release-space.js'
import { percent } from '../../print.js'
import { type JointCodes, jointCodes, type Part, remember, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import {
  type AttackCounts,
  type AttackDetails,
  attackChart,
  attackDetails,
  attackEvidence,
  ofOriginalItself,
  residualSentence,
  residualThresholds,
} from './attack.js'
import { type CorrectGuesses, closeGuesses, equalGuesses, naiveGuesses, type Tolerance } from './correct-guesses.js'
import { GUESS_WIDTH, guesses, guessesTask } from './guesses.js'
import { type Guessed, learnerProblems, modelGuesses, type People } from './model-guesses.js'
import { type CellGroup, cellGroups, type SecretGroup, secretGroups } from './secret-groups.js'
import { attackAll, attackedRecords, comparableColumns, targetOptions } from './targets.js'

/**
 * Inference (Article 29 Working Party 2014; Giomi et al. 2023): somebody knows other columns of a person and takes the
 * secret of the released record that is nearest on them. A person counts with the share of the equally near records whose
 * secret is right: equal, or for numbers |g - s| ≤ 0.05 |g|.
 * What holds for people outside the release as well is no disclosure, hence the control, and two guesses without any
 * knowledge. Blind to attackers with a better model than the one chosen, and to secrets that are not a target.
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
    .enum(['nn1', 'knn', 'model'])
    .default('nn1')
    .describe(
      'nn1: the secret of the nearest record; knn: the most frequent or the median of the k nearest; model: what a model of the release predicts',
    ),
  learner: z.string().default('rf').describe('the model: rf, rf-tuned, gbm, cart, logit, multinomial, l1, lm or prior'),
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
  /** By cell of the keys; null without keys. */
  readonly cells: readonly CellGroup[] | null
}

export const inference = measure({
  id: 'inference',
  version: 1,
  title: 'Inference',
  summary: 'share of people whose secret is that of the released record nearest to them',
  family: 'article29',
  threat: 'attribute',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['target'],
  unit: 'share',
  blindTo: 'attackers with a better model than the nearest record',
  options,
  check,
  compute,
  thresholds: { literature: residualThresholds },
  sentence: ({ details }) =>
    `the secret ${details.secret} is guessed right for ${percent(details.main.rate)} of people (best guess without knowledge ${percent(Math.max(...details.naive.map(({ rate }) => rate)))}); ${residualSentence(details)}`,
  charts: ({ details }, { name, targets }) => [
    attackChart(details, `Inference of ${details.secret}: ${name}`),
    groupChart(
      { name: 'groups', title: `By value of ${details.secret}: ${name}`, label: details.secret },
      details.groups.map(({ secret, ...group }) => ({ label: secret, ...group })),
      details,
    ),
    ...(details.cells === null
      ? []
      : [
          groupChart(
            { name: 'cells', title: `Inference of ${details.secret} by cell of the keys: ${name}`, label: 'cell' },
            details.cells.map(({ cell, ...group }) => ({ label: cell, ...group })),
            details,
          ),
        ]),
    ...secretsChart(targets, name),
  ],
})

function check(release: Release, chosen: Options): string[] {
  const { targets, original } = release
  const known = (chosen.aux ?? []).filter((name) => targets.includes(name))
  const kinds = targets.map((name) => columnOf(original, name).kind)
  const categories = targets.filter((_, k) => chosen.regression === 'always' && kinds[k] === 'categorical')
  const responses = new Set(
    kinds.map((kind) => (mustBeEqual(kind, chosen.regression) ? ('classes' as const) : ('numbers' as const))),
  )
  return [
    ...known.map((name) => `the attacker cannot know the secret "${name}"`),
    ...distanceProblems(release, { ...chosen, variables: chosen.aux }),
    ...categories.map((name) => `regression needs numbers, but "${name}" holds categories`),
    ...(chosen.guess === 'model' ? learnerProblems(chosen.learner, responses) : []),
  ]
}

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release, target: secret } = subject
  const aux = chosen.aux ?? comparableColumns(release, chosen).filter((name) => name !== secret)
  const space = releaseSpace(subject, { ...chosen, variables: aux })
  const joint = jointCodes(release, secret)
  const own = secretsOf(release, joint, 'original', space.training)
  if (own.every((code) => code === own[0]))
    throw new NotApplicable(`the secret "${secret}" is constant in the original`)
  const others = space.holdout && secretsOf(release, joint, 'holdout', space.holdout)
  const tolerance = toleranceFor(joint, chosen, others === null ? [own] : [own, others])
  const correct = tolerance === null ? equalGuesses(joint.cardinality + 1) : closeGuesses(joint, tolerance)
  const scene: Scene = { chosen, aux, joint, tolerance, correct }

  const records = attackedRecords(space.training, chosen.attacks, context, 'targets')
  const controls = space.holdout && attackedRecords(space.holdout, chosen.attacks, context, 'controls')
  const groups = [
    attacked(release.original, space.training, own, records),
    ...(release.holdout && space.holdout && others && controls
      ? [attacked(release.holdout, space.holdout, others, controls)]
      : []),
  ]
  const { guessed, released } = await guessFrom(subject, space, scene, groups, context)
  const [inside, outside] = groups.map((people, group) => ({ ...people, ...guessed[group] }))

  const naive = naiveGuesses(inside.secrets, released, correct)
  const details = attackDetails({
    main: counts(inside.right),
    control: outside === undefined ? null : counts(outside.right),
    naive: [
      { what: 'a released record at random', rate: naive.random },
      { what: 'one guess for all', rate: naive.constant },
    ],
  })
  const ofOriginal = await guessedFromOriginal(subject, scene, own, context)
  const { warnings, ...finding } = attackEvidence(details, ofOriginal, space.training.ids.length)
  const bySecret = secretGroups(joint, inside, outside ?? null)
  const byCell = release.keys.length === 0 ? null : cellGroups(release, inside, outside ?? null)
  const inferred = () => {
    const scores = new Float64Array(own.length).fill(Number.NaN)
    for (const [at, record] of records.entries()) scores[record] = inside.right[at]
    return toRows(space.training, scores)
  }
  return {
    ...finding,
    added: () => inferred().map((score) => score - (details.control?.rate ?? 0)),
    details: {
      ...details,
      secret,
      aux,
      guess: chosen.guess,
      tolerance: tolerance && { value: tolerance.value, base: tolerance.base },
      tied: { main: inside.tied, control: outside?.tied ?? null },
      groups: bySecret,
      cells: byCell,
    },
    warnings: [...space.warnings, ...warnings, ...groupWarnings(bySecret, byCell ?? [])],
    records: () => ({ inferred: inferred() }),
  }
}

/** What is guessed from what, and which guesses are right; the same whatever is released. */
interface Scene {
  readonly chosen: Options
  readonly aux: readonly string[]
  readonly joint: JointCodes
  readonly tolerance: Tolerance | null
  readonly correct: CorrectGuesses
}

function secretsOf(release: Release, joint: JointCodes, part: Part, side: Side): Int32Array {
  const codes = rowsOfPart(release, joint, joint.codes, part)
  return side.rows.map((row) => codes[row] + 1)
}

/** The attack on some groups of people with one released table. */
async function guessFrom(
  { release, part }: Subject,
  space: ReleaseSpace,
  { chosen, aux, joint, tolerance, correct }: Scene,
  groups: readonly AttackedPeople[],
  context: Context,
): Promise<{ readonly guessed: readonly Guessed[]; readonly released: Int32Array }> {
  const released = secretsOf(release, joint, part, space.released)
  const fromRelease = { from: tableOfPart(release, part), rows: space.released.rows, secrets: released }
  const guessed =
    chosen.guess === 'model'
      ? await modelGuesses(context, chosen.learner, joint, aux, tolerance, fromRelease, groups)
      : await neighbourGuesses(context, guesses(space, released, correct, chosen.guess, chosen.k), groups)
  return { guessed, released }
}

/** On so many people it is tried what the original itself would give. */
const ASKED_OF_ORIGINAL = 2000

/** The same attack with the original as the release; once for all releases. */
function guessedFromOriginal(
  { release, target }: Subject,
  scene: Scene,
  own: Int32Array,
  context: Context,
): Promise<Control> {
  const key = JSON.stringify([target, scene.chosen, scene.aux, context.seed])
  return remember(release, `guesses from the original ${key}`, async () => {
    const itself = { release, part: 'original', target } as const
    const space = releaseSpace(itself, { ...scene.chosen, variables: [...scene.aux] })
    const asked = attackedRecords(space.training, ASKED_OF_ORIGINAL, context, 'original itself')
    const people = attacked(release.original, space.training, own, asked)
    const [{ right }] = (await guessFrom(itself, space, scene, [people], context)).guessed
    return ofOriginalItself(total(right), right.length)
  })
}

function mustBeEqual(kind: JointCodes['kind'], regression: Options['regression']): boolean {
  return regression === 'never' || (regression === 'auto' && kind !== 'numeric')
}

/** Null when a guess must be equal. */
function toleranceFor(
  joint: JointCodes,
  { regression, tolerance, toleranceBase }: Options,
  real: readonly Int32Array[],
): Tolerance | null {
  if (mustBeEqual(joint.kind, regression)) return null
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const secrets of real) {
    for (const secret of secrets) {
      if (secret === 0) continue
      low = Math.min(low, secret)
      high = Math.max(high, secret)
    }
  }
  const range = high === 0 ? 0 : joint.numbers[high - 1] - joint.numbers[low - 1]
  return { value: tolerance, base: toleranceBase, range }
}

interface AttackedPeople extends People {
  /** What is known about each of them, as a point. */
  readonly points: Int32Array
}

function attacked(from: Table, side: Side, secrets: Int32Array, records: Int32Array): AttackedPeople {
  const pick = (of: Int32Array) => records.map((record) => of[record])
  return { from, rows: pick(side.rows), points: pick(side.ids), secrets: pick(secrets) }
}

async function neighbourGuesses(
  context: Context,
  attack: ReturnType<typeof guesses>,
  groups: readonly AttackedPeople[],
): Promise<Guessed[]> {
  const targets = groups.map(({ points, secrets }) => ({ first: points, second: secrets }))
  const found = await attackAll(context, guessesTask, attack, targets, GUESS_WIDTH)
  return found.map((scores) => ({ right: everyOther(scores, 0), tied: total(everyOther(scores, 1)) }))
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

/** Groups in which people are given away beyond chance, allowing for how many were looked at (Bonferroni). */
function groupWarnings(bySecret: readonly SecretGroup[], byCell: readonly CellGroup[]): string[] {
  const groups = [
    ...bySecret.map(({ secret, ...group }) => ({ label: secret, ...group })),
    ...byCell.map(({ cell, ...group }) => ({ label: cell, ...group })),
  ]
  return groups
    .filter(({ p }) => p !== null && p < SIGNIFICANT / groups.length)
    .map(
      ({ label, rate, controlRate }) =>
        `among people with ${label} the guess is right for ${percent(rate)}, outside the release for ${percent(controlRate ?? 0)}`,
    )
}

type LabelledGroup = Omit<SecretGroup, 'secret'> & { readonly label: string }

function groupChart(
  { name, title, label }: { readonly name: string; readonly title: string; readonly label: string },
  groups: readonly LabelledGroup[],
  { control }: Details,
) {
  if (control === null)
    return barChart(
      { name, title, x: label, y: 'guessed right' },
      groups.map((group) => ({ label: group.label, value: group.rate })),
    )
  return intervalChart(
    { name, title, x: 'residual risk', y: label },
    groups.flatMap((group) =>
      group.residual === null
        ? []
        : [{ label: group.label, value: group.residual, lower: group.lower, upper: group.upper }],
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
