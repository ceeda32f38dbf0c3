import { z } from 'zod'
import { barChart, barsOver, lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { flag, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Release } from '../../table/release.js'
import { selectRows } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type Attack, attackRelease, type Scored, scoredAt } from './attack/attack.js'
import { attackOptions, attackProblems } from './attack/attackers.js'
import type { Scene } from './attack/scene.js'
import {
  type Dependence,
  fall,
  type KeyImportance,
  type People,
  permutedFigures,
  replayOf,
  substitutions,
} from './effects/substitution.js'
import { flagOptions, flagsOf, RAPID, tauProblems, worstAttack } from './rates/evaluation.js'

/**
 * What each key is worth to the attacker: how far RAPID falls when the key is taken from him by permuting it among the real
 * people, the model kept (Breiman 2001; Fisher, Rudin and Dominici 2019):
 *
 *   drop_j = RAPID - mean over permutations of RAPID with column j permuted
 *
 * A key with few values needs no drawing: the mean over all permutations is the sum over its values v of share(v) times RAPID
 * when everybody has v. Beside it the model's own importance, the dependence of predictions and risk on each key's value and,
 * on request, RAPID of attackers who know one key only or all but one.
 * Keys that can stand in for each other share their importance, and permuting makes people who do not exist.
 */
const options = z.object({
  ...attackOptions,
  ...flagOptions,
  draws: whole(5, { min: 1 }).describe('permutations of a key that has more than 30 values'),
  maxRecords: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(10_000)
    .describe('look at this many people at most, drawn at random; null for all'),
  retrain: flag(false).describe('also train attackers who know each key alone, and all keys but one: two fits per key'),
})

export type Options = z.output<typeof options>

export const rapidImportance = measure({
  id: 'rapid-importance',
  title: 'RAPID: importance of keys',
  summary: 'largest fall of RAPID when one key is permuted among people',
  ...RAPID,
  role: 'diagnoses',
  unit: 'difference',
  blindTo: 'keys that stand in for each other, and people who do not exist, whom permuting makes',
  profile: 'full',
  options,
  check: (release, chosen) => [...attackProblems(release, chosen), ...tauProblems(chosen)],
  compute,
  sentence: ({ details: { keys, rate } }) =>
    keys.length === 0
      ? 'no key varies in the release, so the attacker uses none'
      : `without ${keys[0].key} the share of people at risk falls from ${percent(rate)} to ${percent(rate - keys[0].drop)}`,
  tables: ({ details }) => [
    findingTable('keys', 'What the attacker loses without a key', details.keys, [
      [column.text('key'), ({ key }) => key],
      [column.share('at risk less'), ({ drop }) => drop],
      [column.number('log loss more'), ({ logLossRise }) => logLossRise],
      [column.number('error more'), ({ errorRise }) => errorRise],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      { name: 'importance', title: `Fall of RAPID without a key: ${name}`, x: 'key permuted', y: 'share of records' },
      details.keys.map(({ key, drop }) => ({ label: key, value: drop })),
    ),
    ...(details.subsets === null
      ? []
      : [
          barChart(
            {
              name: 'subsets',
              title: `RAPID with one key, and with all but one: ${name}`,
              grey: 'this key alone',
              blue: 'all keys but this one',
              x: '',
              y: 'share of records',
            },
            barsOver(details.subsets, 'key', { alone: 'original', without: 'release' }),
            [{ value: details.rate, label: 'all keys' }],
          ),
        ]),
    ...details.dependence.map((one, k) => dependenceChart(one, `dependence-${k + 1}`, name)),
  ],
})

/** Lines over a number, with the probabilities of the classes; bars over levels. */
function dependenceChart({ key, kind, points }: Dependence, file: string, name: string) {
  const labels = { name: file, title: `If everybody had the same ${key}: ${name}`, x: key }
  if (kind !== 'numeric')
    return barChart(
      { ...labels, y: 'share at risk' },
      points.map(({ value, atRisk }) => ({ label: String(value), value: atRisk })),
    )
  return lineChart(
    { ...labels, y: 'share, probability' },
    points.flatMap(({ value, probabilities, atRisk }) =>
      typeof value !== 'number'
        ? []
        : [
            { x: value, y: atRisk, series: 'at risk' },
            ...Object.entries(probabilities ?? {}).map(([level, y]) => ({ x: value, y, series: `P(${level})` })),
          ],
    ),
  )
}

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { scene, attacks } = await attackRelease(subject, chosen, context)
  const { attack } = worstAttack(attacks, chosen)
  const people = chosenPeople(scene, attack.members, chosen, context)
  const replay = replayOf(scene, attack, people, chosen)
  const own = replay.figures(people.predictions)
  const keys: KeyImportance[] = []
  const dependence: Dependence[] = []
  for (const [k, key] of scene.keys.entries()) {
    throwIfAborted(context.signal)
    const substituted = await substitutions(k, people, replay, context)
    const without = substituted.mean ?? (await permutedFigures(k, people, replay, chosen, context))
    keys.push({ key, ...fall(own, without), draws: substituted.mean === null ? chosen.draws : null, model: null })
    dependence.push({ key, kind: people.features.columns[k].kind, points: substituted.points })
    context.progress(k + 1, scene.keys.length)
  }
  const byModel = modelImportance(attack)
  const ranked = keys
    .map((one) => ({ ...one, model: byModel.get(one.key) ?? null }))
    .sort((a, b) => b.drop - a.drop || (b.logLossRise ?? b.errorRise ?? 0) - (a.logLossRise ?? a.errorRise ?? 0))
  return {
    value: Math.max(0, ranked[0]?.drop ?? 0),
    interval: null,
    details: {
      target: people.predictions.kind,
      attacker: attack.attacker,
      /** People looked at. */
      records: people.rows.length,
      rate: own.rate,
      logLoss: own.logLoss,
      meanError: own.meanError,
      /** Largest drop first. */
      keys: ranked,
      subsets: chosen.retrain ? await keySubsets(subject, scene, attack, chosen, context) : null,
      dependence,
    },
    warnings: [
      ...scene.warnings,
      ...(people.rows.length < attack.members.rows.length
        ? [`looked at ${people.rows.length} of ${attack.members.rows.length} people, drawn at random`]
        : []),
    ],
  }
}

/** Everybody, or a random sample of people. */
function chosenPeople(scene: Scene, members: Scored, { maxRecords }: Options, context: Context): People {
  const { features } = scene.people('original')
  const n = members.rows.length
  if (maxRecords === null || n <= maxRecords) return { ...members, features }
  const drawn = sampleWithoutReplacement(context.random('people'), n, maxRecords).sort()
  return { ...scoredAt(members, drawn), features: selectRows(features, drawn) }
}

function modelImportance({ model }: Attack): ReadonlyMap<string, number> {
  const largest = Math.max(0, ...model.importance.map(({ value }) => value))
  return new Map(model.importance.map(({ name, value }) => [name, largest > 0 ? value / largest : 0]))
}

/** RAPID of the same attacker with one key, and with all keys but one. */
async function keySubsets(
  { release, part, target }: Subject,
  { keys }: Scene,
  { attacker }: Attack,
  chosen: Options,
  context: Context,
) {
  const rateWith = async (known: readonly string[]) => {
    const narrow: Release = {
      ...release,
      keys: release.keys.filter((key) => known.includes(key)),
      numericKeys: release.numericKeys.filter((key) => known.includes(key)),
    }
    const subject = { release: narrow, part, target }
    const { attacks } = await attackRelease(subject, { ...chosen, attackers: [attacker] }, context)
    return flagsOf(attacks[0].members, chosen).rate
  }
  const found: { key: string; alone: number; without: number | null }[] = []
  for (const key of keys) {
    throwIfAborted(context.signal)
    const others = keys.filter((other) => other !== key)
    found.push({ key, alone: await rateWith([key]), without: others.length === 0 ? null : await rateWith(others) })
  }
  return found
}
