import { z } from 'zod'
import { NotApplicable, unknownName } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { findLearner, learners } from '../../learners/learners.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, releaseSpace, type Side } from '../../neighbors/release-space.js'
import { choice, columnNames, real, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { total } from '../../stats/sums.js'
import { type JointCodes, jointCodes, type Part, remember, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Column } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { findColumn, type Table } from '../../table/table.js'
import { closeGuesses, equalGuesses, naiveGuesses, type Tolerance } from './guesses/correct-guesses.js'
import { byCellLabel, bySecretLabel, inferenceCharts } from './guesses/group-charts.js'
import { GUESS_WIDTH, guesses, guessesTask } from './guesses/guesses.js'
import { type Guessed, modelGuesses, type People } from './guesses/model-guesses.js'
import { type CellGroup, cellGroups, type SecretGroup, secretGroups } from './guesses/secret-groups.js'
import { type AttackCounts, attackFinding, residualSentence, residualThresholds } from './residual/attack.js'
import { attackAll, comparableColumns, onRows, targetOptions, victims } from './targets.js'

/**
 * Inference (Article 29 Working Party 2014; Giomi et al. 2023): somebody knows other columns of a person and takes the
 * secret of the released record that is nearest on them. A person counts with the share of the equally near records whose
 * secret is right: equal, or for numbers |g - s| ≤ 0.05 |g|.
 * What holds for people outside the release as well is no disclosure, hence the control, and two guesses without any
 * knowledge. Blind to attackers with a better model than the one chosen, and to secrets that are not a target.
 */
const { variables: _, ...comparison } = distanceOptions

const options = z.object({
  aux: columnNames(1).describe(
    'columns that the attacker knows; all but the secret, which is the target, when not given',
  ),
  guess: choice(['nn1', 'knn', 'model'], 'nn1').describe(
    'nn1: the secret of the nearest record; knn: the most frequent or the median of the k nearest; model: what a model of the release predicts',
  ),
  learner: z.string().default('rf').describe('the model: rf, rf-tuned, gbm, cart, logit, multinomial, l1, lm or prior'),
  k: whole(5, { min: 1, max: 1000 }).describe('how many records knn looks at'),
  regression: choice(['auto', 'always', 'never'], 'auto').describe(
    'whether a guess need only be close; auto: for numbers, not for dates and categories',
  ),
  tolerance: real(0.05, { min: 0, below: 1 }).describe('how close, as a part of toleranceBase'),
  toleranceBase: choice(['guess', 'secret', 'range'], 'guess').describe(
    'what the tolerance is a part of: the guess, the secret, or the range of the real values',
  ),
  ...targetOptions,
  ...comparison,
})

type Options = z.output<typeof options>

export const inference = measure({
  id: 'inference',
  title: 'Inference',
  summary: 'share of people whose secret is that of the released record nearest to them',
  family: 'article29',
  threat: 'attribute',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['target'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'what several released records tell together, unless it guesses by a model',
  fooledBy: {
    'append noise': 'the nearest record is sought in all columns, noise too',
  },
  options,
  check: targetProblems,
  compute,
  citations: ['giomi2023', 'article29'],
  records: {
    inferred: { riskier: 'higher', meaning: '1: the secret is inferred from the nearest released record' },
  },
  literature: residualThresholds,
  sentence: ({ details }) =>
    `the secret ${details.secret} is guessed right for ${percent(details.main.rate)} of people (best guess without knowledge ${percent(Math.max(...details.naive.map(({ rate }) => rate)))}); ${residualSentence(details)}`,
  tables: ({ details }) => [
    findingTable('groups', 'By group of the secret', details.groups, [
      [column.text('secret'), ({ secret }) => secret],
      [column.count('records'), ({ records }) => records],
      [column.share('main'), ({ rate }) => rate],
      [column.share('control'), ({ controlRate }) => controlRate],
      [column.share('residual'), ({ residual }) => residual],
      [column.p('p'), ({ p }) => p],
    ]),
  ],
  charts: ({ details }, { name, targets }) => inferenceCharts(details, name, targets),
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { release, target: secret } = subject
  const aux = chosen.aux ?? comparableColumns(release, chosen).filter((name) => name !== secret)
  const {
    space,
    joint,
    released,
    tolerance,
    correct,
    victims: people,
    inside,
    outside,
  } = await guessFrom(subject, chosen, aux, context)
  const naive = naiveGuesses(inside.secrets, released, correct)
  const { warnings, details, ...finding } = attackFinding(
    {
      main: counts(inside.right),
      control: outside === undefined ? null : counts(outside.right),
      naive: [
        { what: 'a released record at random', rate: naive.random },
        { what: 'one guess for all', rate: naive.constant },
      ],
    },
    space.training.fileRows,
    await guessedByOriginal(subject, chosen, aux, context),
  )
  const bySecret = secretGroups(joint, inside, outside ?? null)
  const byCell = release.keys.length === 0 ? null : cellGroups(release, inside, outside ?? null)
  const perRow = (scores: Float64Array) => onRows(space.training, people.inside, scores)
  const { control } = details
  return {
    ...finding,
    ...(control === null ? {} : { added: () => perRow(inside.right.map((chance) => chance - control.rate)) }),
    details: {
      ...details,
      secret,
      aux,
      guess: chosen.guess,
      /** Null when a guess must be equal. */
      tolerance: tolerance && { value: tolerance.value, base: tolerance.base },
      /** How many attacked people had more nearest records than were asked for, in the release and outside it. */
      tied: { main: inside.tied, control: outside?.tied ?? null },
      groups: bySecret,
      /** By cell of the keys; null without keys. */
      cells: byCell,
    },
    warnings: [...space.warnings, ...people.warnings, ...warnings, ...groupWarnings(bySecret, byCell ?? [])],
    records: () => ({ inferred: perRow(inside.right) }),
  }
}

export type Details = Awaited<ReturnType<typeof compute>>['details']

/** The attack on people in and outside the release by somebody who has one part of it. */
async function guessFrom(subject: Subject, chosen: Options, aux: readonly string[], context: Context) {
  const { release, target: secret } = subject
  const space = releaseSpace(subject, { ...chosen, variables: [...aux] })
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
  const tolerance = toleranceFor(joint, chosen, others === null ? [own] : [own, others])
  const correct = tolerance === null ? equalGuesses(joint.cardinality + 1) : closeGuesses(joint, tolerance)

  const chosenPeople = await victims(release, space, chosen.attacks, context)
  const groups = [
    attacked(release.original, space.training, own, chosenPeople.inside),
    ...(release.holdout && space.holdout && others && chosenPeople.outside
      ? [attacked(release.holdout, space.holdout, others, chosenPeople.outside)]
      : []),
  ]
  const fromRelease = { from: tableOfPart(release, subject.part), rows: space.released.rows, secrets: released }
  const guessed =
    chosen.guess === 'model'
      ? await modelGuesses(context, chosen.learner, joint, aux, tolerance, fromRelease, groups)
      : await neighbourGuesses(
          context,
          await guesses(context, space, released, correct, chosen.guess, chosen.k),
          groups,
        )
  const [inside, outside] = groups.map((people, group) => ({ ...people, ...guessed[group] }))
  return { space, joint, released, tolerance, correct, victims: chosenPeople, inside, outside }
}

/**
 * People guessed right when the original itself is released: not all where people who agree on everything else
 * have other secrets.
 */
function guessedByOriginal(
  { release, target }: Subject,
  chosen: Options,
  aux: readonly string[],
  context: Context,
): Promise<AttackCounts['main']> {
  const key = JSON.stringify([target, chosen, aux, context.seed])
  return remember(release, `guessed by the original ${key}`, async () => {
    const { inside } = await guessFrom({ release, part: 'original', target }, chosen, aux, context)
    return counts(inside.right)
  })
}

function targetProblems(release: Release, chosen: Options): readonly string[] {
  const { targets, original } = release
  const { aux, regression } = chosen
  const known = aux?.find((name) => targets.includes(name))
  const category = targets.find((name) => findColumn(original, name)?.kind === 'categorical')
  return [
    ...distanceProblems(release, { ...chosen, variables: aux }),
    ...(known === undefined ? [] : [`the attacker cannot know the secret "${known}"`]),
    ...(regression === 'always' && category !== undefined
      ? [`regression needs numbers, but "${category}" holds categories`]
      : []),
    ...(chosen.guess === 'model' ? learnerProblems(release, chosen) : []),
  ]
}

function learnerProblems({ targets, original }: Release, { learner: id, regression }: Options): readonly string[] {
  const learner = findLearner(id)
  if (learner === undefined)
    return [
      unknownName(
        'learner',
        id,
        learners.map((one) => one.id),
      ),
    ]
  return targets.flatMap((name) => {
    const kind = isClosenessEnough(findColumn(original, name)?.kind, regression) ? 'numbers' : 'classes'
    return learner.responses.includes(kind) ? [] : [`the learner ${id} cannot predict ${kind}, which "${name}" is`]
  })
}

function isClosenessEnough(kind: Column['kind'] | undefined, regression: Options['regression']): boolean {
  return regression === 'always' || (regression === 'auto' && kind === 'numeric')
}

/** Null when a guess must be equal. */
function toleranceFor(
  joint: JointCodes,
  { regression, tolerance, toleranceBase }: Options,
  real: readonly Int32Array[],
): Tolerance | null {
  if (!isClosenessEnough(joint.kind, regression)) return null
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
  const pick = (values: Int32Array) => records.map((record) => values[record])
  return { from, rows: pick(side.rows), points: pick(side.ids), secrets: pick(secrets) }
}

async function neighbourGuesses(
  context: Context,
  attack: Awaited<ReturnType<typeof guesses>>,
  groups: readonly AttackedPeople[],
): Promise<Guessed[]> {
  const targets = groups.map(({ points, secrets }) => ({ first: points, second: secrets }))
  const found = await attackAll(context, guessesTask, attack, targets, GUESS_WIDTH)
  return found.map((scores) => ({ right: everyOther(scores, 0), tied: total(everyOther(scores, 1)) }))
}

function counts(right: Float64Array): AttackCounts['main'] {
  return { successes: total(right), attacks: right.length }
}

/** One of the two numbers that the attack gives for each target. */
function everyOther(scores: Float64Array, first: 0 | 1): Float64Array {
  return scores.filter((_, place) => place % GUESS_WIDTH === first)
}

const SIGNIFICANT = 0.01
/** Residual risk of a group that is worth a remark. */
const WORTH_SAYING = 0.1

/** Groups with evidence of their own, allowing for how many were looked at (Bonferroni). */
function groupWarnings(bySecret: readonly SecretGroup[], byCell: readonly CellGroup[]): string[] {
  const groups = [...bySecret.map(bySecretLabel), ...byCell.map(byCellLabel)]
  return groups
    .filter(
      ({ p, residual }) =>
        p !== null && residual !== null && p < SIGNIFICANT / groups.length && residual >= WORTH_SAYING,
    )
    .map(
      ({ label, rate, controlRate }) =>
        `among people with ${label} the guess is right for ${percent(rate)}, outside the release for ${percent(controlRate ?? 0)}`,
    )
}
