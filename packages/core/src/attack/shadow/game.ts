import { UserError } from '../../errors.js'
import { forest } from '../../learners/forest.js'
import { fitContext } from '../../learners/learner.js'
import type { Where } from '../../neighbors/tasks.js'
import { stream } from '../../random/stream.js'
import { PERSON_ATTACKS, type PersonAttack, personScores } from '../../risk/membership/scores/person-scores.js'
import { mean } from '../../stats/sums.js'
import { placements } from '../../stats/tests/auc.js'
import { type Synthesizer, synthesizeSets } from '../../synthesizers/synthesizer.js'
import { type Column, numeric } from '../../table/column.js'
import { findColumn, selectRows, type Table, table } from '../../table/table.js'
import { inline, throwIfAborted } from '../../tasks/task.js'
import { FEATURE_SETS, type FeatureSet, type ReleaseFeatures, releaseFeatures } from './features.js'

/**
 * The leave-one-out game: releases are made of all records and of all but one person's, as long in both worlds, and an
 * attacker who knows everybody else's records is to tell which is which. With `shadows` releases of each world a forest learns
 * to tell them apart by features of the release (`features.ts`); `tests` further releases of each world are scored by it and,
 * the same ones, by the attacks that need no shadow models (`person-scores.ts`).
 *
 * Releases with the person are made of all records, so they are the same ones for everybody who is asked about.
 */
export interface ShadowGame {
  readonly people: Table
  /** Rows of the people asked about. */
  readonly rows: Int32Array
  readonly synthesizer: Synthesizer
  readonly options?: object | undefined
  /** The world without a person: one record fewer (the default), or that of the next person once more in its place. */
  readonly neighbours?: Neighbours | undefined
  /** Records of a release; as many as there are people when not given. */
  readonly size?: number | undefined
  readonly shadows: number
  readonly tests: number
  readonly queries: number
  readonly trees: number
  readonly seed: number
}

export const NEIGHBOURS = ['add-remove', 'replace'] as const
export type Neighbours = (typeof NEIGHBOURS)[number]

export const SHADOW_ATTACKS = ['shadow, queries', 'shadow, histogram', 'shadow, correlations'] as const
export type GameAttack = PersonAttack | (typeof SHADOW_ATTACKS)[number]
export const GAME_ATTACKS: readonly GameAttack[] = [...PERSON_ATTACKS, ...SHADOW_ATTACKS]
const SHADOW_OF: Readonly<Record<FeatureSet, GameAttack>> = {
  queries: 'shadow, queries',
  histogram: 'shadow, histogram',
  correlations: 'shadow, correlations',
}

/** Scores of the test releases, with and without the person; higher looks more like with. */
export interface WorldScores {
  readonly inside: Float64Array
  readonly outside: Float64Array
}

/** The feature of a set that tells shadow releases apart best, and the AUC that it alone has on the test releases. */
export interface BestFeature {
  readonly set: FeatureSet
  readonly feature: string
  readonly auc: number
}

interface PlayedPerson {
  readonly row: number
  readonly scores: Readonly<Record<GameAttack, WorldScores>>
  readonly bestFeatures: readonly BestFeature[]
}

export interface PlayedGame {
  readonly people: readonly PlayedPerson[]
  /** How many releases were made. */
  readonly releases: number
}

/** What is spent on what, where somebody times it. */
export type Clock = <Made>(what: Spent, work: () => Promise<Made>) => Promise<Made>
type Spent = 'releases' | 'shadow models' | PersonAttack

export interface GameHow extends Where {
  readonly clock?: Clock | undefined
}

const untimed: Clock = (_, work) => work()

export async function playShadowGame(game: ShadowGame, where: GameHow = { tasks: inline }): Promise<PlayedGame> {
  const { people, rows, shadows, tests, queries, seed } = game
  const clock = where.clock ?? untimed
  const worlds = rows.length + 1
  const made = async (data: Table, world: number) => {
    throwIfAborted(where.signal)
    where.progress?.(world, worlds)
    return clock('releases', () => releasesOf(game, data, world, where))
  }
  const features = Array.from(rows, (row) => releaseFeatures(people, row, queries, stream(seed, 'shadow/queries', row)))
  const inside = await made(people, 0)
  const seenInside = await lookAt(inside, people, rows, features, shadows, seed, where, clock)
  const played: PlayedPerson[] = []
  for (const [k, row] of rows.entries()) {
    const others = withoutPerson(people.rows, row, game.neighbours)
    const outside = await made(selectRows(people, others), k + 1)
    const scores = await lookAt(
      outside,
      people,
      rows.subarray(k, k + 1),
      features.slice(k, k + 1),
      shadows,
      seed,
      where,
      clock,
    )
    played.push(
      await clock('shadow models', () => scoreWorlds(game, row, features[k], seenInside[k], scores[0], where)),
    )
  }
  return { people: played, releases: worlds * (shadows + tests) }
}

/** Rows of the world without a person. */
function withoutPerson(rows: number, row: number, neighbours: Neighbours = 'add-remove'): Int32Array {
  const next = row === rows - 1 ? 0 : row + 1
  return neighbours === 'replace'
    ? Int32Array.from({ length: rows }, (_, at) => (at === row ? next : at))
    : Int32Array.from({ length: rows - 1 }, (_, at) => (at < row ? at : at + 1))
}

async function releasesOf(game: ShadowGame, data: Table, world: number, where: Where): Promise<readonly Table[]> {
  const { people, synthesizer, options, size = people.rows, shadows, tests, seed } = game
  const { sets } = await synthesizeSets(synthesizer, data, {
    sets: shadows + tests,
    rows: size,
    seed: stream(seed, 'shadow/releases', world).uint32(),
    ...(options === undefined ? {} : { options }),
    tasks: where.tasks,
  })
  return sets
}

/** What all releases of a world say of one person: features of all, single scores of the test releases. */
interface Seen {
  readonly features: readonly Readonly<Record<FeatureSet, Float64Array>>[]
  readonly scores: Readonly<Record<PersonAttack, Float64Array>>
}

async function lookAt(
  sets: readonly Table[],
  people: Table,
  rows: Int32Array,
  features: readonly ReleaseFeatures[],
  shadows: number,
  seed: number,
  where: Where,
  clock: Clock,
): Promise<Seen[]> {
  const aligned = sets.map((set) => alignedTo(people, set))
  const scored: Readonly<Record<PersonAttack, Float64Array>>[] = []
  for (const released of aligned.slice(shadows))
    scored.push(await personScores(people, released, rows, seed, where, clock))
  const seen: Seen[] = []
  // One after the other, so that the clock of each runs alone.
  for (const [k, feature] of features.entries())
    seen.push({
      features: await clock('shadow models', async () => aligned.map((released) => feature.of(released))),
      scores: recordOf(PERSON_ATTACKS, (attack) => Float64Array.from(scored, (scores) => scores[attack][k])),
    })
  return seen
}

/** With the columns and levels of the people; a level that nobody has is missing. A release made elsewhere may have others. */
function alignedTo(people: Table, set: Table): Table {
  const columns = people.columns.map((named): Column => {
    const column = findColumn(set, named.name)
    if (column === undefined) throw new UserError(`${set.name} has no column "${named.name}"`)
    if ((column.kind === 'categorical') !== (named.kind === 'categorical'))
      throw new UserError(`${set.name}: "${named.name}" is ${column.kind}, in ${people.name} it is ${named.kind}`)
    if (column.kind !== 'categorical' || named.kind !== 'categorical' || column.levels === named.levels) return column
    const place = column.levels.map((level) => named.levels.indexOf(level))
    return { ...named, codes: column.codes.map((code) => (code < 0 ? code : place[code])) }
  })
  return table(set.name, columns)
}

async function scoreWorlds(
  { shadows, trees, seed }: ShadowGame,
  row: number,
  { names }: ReleaseFeatures,
  inside: Seen,
  outside: Seen,
  where: Where,
): Promise<PlayedPerson> {
  const single = recordOf(
    PERSON_ATTACKS,
    (attack): WorldScores => ({ inside: inside.scores[attack], outside: outside.scores[attack] }),
  )
  const learned: [GameAttack, WorldScores][] = []
  const bestFeatures: BestFeature[] = []
  for (const set of FEATURE_SETS) {
    const [of, not] = [inside, outside].map(({ features }) => features.map((feature) => feature[set]))
    const scores = await classify(of, not, shadows, trees, seed, `${set} of ${row}`, where)
    learned.push([SHADOW_OF[set], scores])
    const best = bestFeature(of, not, shadows)
    bestFeatures.push({ set, feature: names[set][best.at], auc: best.auc })
  }
  return {
    row,
    scores: { ...single, ...(Object.fromEntries(learned) as Record<(typeof SHADOW_ATTACKS)[number], WorldScores>) },
    bestFeatures,
  }
}

/** The probability that a forest gives to the world with the person, of the test releases. */
async function classify(
  inside: readonly Float64Array[],
  outside: readonly Float64Array[],
  shadows: number,
  trees: number,
  seed: number,
  purpose: string,
  where: Where,
): Promise<WorldScores> {
  const training = [...inside.slice(0, shadows), ...outside.slice(0, shadows)]
  const model = await forest.fit(
    featureTable(training),
    { kind: 'classes', codes: Int32Array.from(training, (_, k) => (k < shadows ? 1 : 0)), levels: ['without', 'with'] },
    forest.options.parse({ trees }),
    {
      ...fitContext({ seed, tasks: where.tasks, signal: where.signal, progress: undefined }, `shadow/${purpose}`),
      outOfBag: false,
    },
  )
  const scoresOf = async (features: readonly Float64Array[]) => {
    const both = await model.predictProbabilities(featureTable(features))
    return Float64Array.from(features, (_, k) => both[2 * k + 1])
  }
  return { inside: await scoresOf(inside.slice(shadows)), outside: await scoresOf(outside.slice(shadows)) }
}

function featureTable(rows: readonly Float64Array[]): Table {
  return table(
    'features',
    Array.from(rows[0], (_, f) =>
      numeric(
        `f${f}`,
        rows.map((row) => row[f]),
      ),
    ),
  )
}

function bestFeature(
  inside: readonly Float64Array[],
  outside: readonly Float64Array[],
  shadows: number,
): { readonly at: number; readonly auc: number } {
  const aucOf = (feature: number, from: number, to: number) => {
    const ofSide = (features: readonly Float64Array[]) =>
      Float64Array.from(features.slice(from, to), (one) => one[feature])
    return mean(placements(ofSide(inside), ofSide(outside)).members) ?? 0.5
  }
  let at = 0
  let most = 0
  for (let feature = 0; feature < inside[0].length; feature++) {
    const distance = Math.abs(aucOf(feature, 0, shadows) - 0.5)
    if (distance <= most) continue
    at = feature
    most = distance
  }
  const auc = aucOf(at, shadows, inside.length)
  return { at, auc: aucOf(at, 0, shadows) < 0.5 ? 1 - auc : auc }
}

function recordOf<Key extends string, Value>(keys: readonly Key[], made: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, made(key)])) as Record<Key, Value>
}
