import {
  type Auc,
  accused,
  auc,
  aucArea,
  bestTest,
  domainsOf,
  epsilonLowerBound,
  findSynthesizer,
  GAME_ATTACKS,
  type GameAttack,
  INTERVAL_LEVEL,
  inline,
  largestEpsilonBound,
  mean,
  mia,
  mostIsolated,
  normalQuantile,
  openCase,
  PERSON_ATTACKS,
  type PersonAttack,
  type PlayedGame,
  percentileInterval,
  permutation,
  personScores,
  playShadowGame,
  SHADOW_ATTACKS,
  type Stream,
  type Synthesizer,
  sampleWithReplacement,
  selectRows,
  stream,
  synthesize,
  type Table,
  table,
  UserError,
  type WorldScores,
} from '@scrim/core'
import type { AttackedGenerator, MembershipDesign } from './design.js'

/**
 * The two games of the study, on one data set and one generator.
 *
 * release game       a release of n people is attacked once: who of them and of n others was in it? Repeated with other people.
 * leave-one-out game releases with and without one person, of the most isolated and of random people (`attack/shadow`).
 */
export interface Setting {
  readonly data: string
  readonly generator: AttackedGenerator
  readonly game: 'release' | 'shadow'
}

export type Who = 'everybody' | 'most isolated' | 'random'

export interface AttackRow {
  readonly who: Who
  readonly attack: string
  readonly auc: number
  readonly lower: number
  readonly upper: number
  /** One threshold for all people; null where that is how the AUC was found. */
  readonly pooled: number | null
  /** True-positive rates at false-positive rates of 0.1 % and 1 %, one threshold for all. */
  readonly at01: number
  readonly at1: number
}

interface Difference {
  readonly value: number
  readonly lower: number
  readonly upper: number
}

interface DifferenceRow {
  readonly who: Who
  /** The shadow attack with the largest AUC, and how much more it has than two attacks on one release. */
  readonly attack: string
  readonly fromShared: Difference
  readonly fromValues: Difference
  /** The single feature that tells most, and its AUC on its own. */
  readonly feature: string
  readonly featureAuc: number
}

interface EpsilonRow {
  readonly attack: string
  readonly stated: number
  readonly bound: number
  readonly most: number
}

interface TimeRow {
  readonly what: string
  readonly seconds: number
  /** How often in these seconds. */
  readonly times: number
}

export interface PlayedSetting {
  readonly data: string
  readonly generator: string
  readonly game: Setting['game']
  readonly rows: readonly AttackRow[]
  readonly differences: readonly DifferenceRow[]
  readonly epsilons: readonly EpsilonRow[]
  readonly times: readonly TimeRow[]
  /** Why it was not played. */
  readonly failed: string | null
}

export async function playSetting(setting: Setting, design: MembershipDesign, people: Table): Promise<PlayedSetting> {
  const head = { data: setting.data, generator: setting.generator.name, game: setting.game }
  const none = { rows: [], differences: [], epsilons: [], times: [], failed: null }
  try {
    const found = await (setting.game === 'release' ? playReleases : playShadows)(setting, design, people)
    return { ...head, ...none, ...found }
  } catch (error) {
    if (error instanceof UserError) return { ...head, ...none, failed: error.message }
    throw error
  }
}

/** Seconds by what they were spent on. */
function stopwatch() {
  const spent = new Map<string, { seconds: number; times: number }>()
  return {
    async clock<Made>(what: string, work: () => Promise<Made>): Promise<Made> {
      const start = Date.now()
      const made = await work()
      const before = spent.get(what) ?? { seconds: 0, times: 0 }
      spent.set(what, { seconds: before.seconds + (Date.now() - start) / 1000, times: before.times + 1 })
      return made
    },
    times: (): TimeRow[] => [...spent].map(([what, { seconds, times }]) => ({ what, seconds, times })),
  }
}

interface Made {
  readonly synthesizer: Synthesizer
  readonly options: object
}

/** A private generator is told the domains of the whole file. */
function madeBy({ generator }: Setting, people: Table): Made {
  const { own, method, options, epsilon } = generator
  return {
    synthesizer: own ?? findSynthesizer(method),
    options: epsilon === null ? options : { ...options, domains: domainsOf(people.columns) },
  }
}

/** Half of the people at most are in a release. */
function sizeOf(design: MembershipDesign, people: Table): number {
  const n = Math.min(design.n, Math.floor(people.rows / 2))
  if (n < LEAST_PEOPLE)
    throw new UserError(`${people.name} has ${people.rows} records, and the study needs ${2 * LEAST_PEOPLE}`)
  return n
}

const LEAST_PEOPLE = 20
const ISOLATED_SHARE = 0.1
const CRITICAL_Z = normalQuantile((1 + INTERVAL_LEVEL) / 2)
const CLASSIFIER = 'classifier'

async function playReleases(
  setting: Setting,
  design: MembershipDesign,
  people: Table,
): Promise<Pick<PlayedSetting, 'rows' | 'times'>> {
  const { seed } = design
  const { synthesizer, options } = madeBy(setting, people)
  const n = sizeOf(design, people)
  const watch = stopwatch()
  const where = { tasks: inline }
  const found = new Map<string, Auc[]>()
  const add = (who: Who, attack: string, inside: Float64Array, outside: Float64Array) => {
    const area = auc(inside, outside)
    if (area !== null) noted(found, `${who}/${attack}`, area)
  }
  for (let repeat = 0; repeat < design.releases; repeat++) {
    const own = stream(seed, `membership/${setting.data}/people`, repeat)
    const chosen = permutation(own, people.rows).subarray(0, 2 * n)
    const real = selectRows(people, chosen)
    const rows = (from: number) => Int32Array.from({ length: n }, (_, k) => from + k)
    const [members, others] = [selectRows(real, rows(0)), selectRows(real, rows(n))]
    const releaseSeed = stream(seed, `membership/${setting.data}/${setting.generator.name}`, repeat).uint32()
    const released = aligned(
      real,
      await watch.clock('one release', () => synthesize(synthesizer, members, { seed: releaseSeed, options })),
    )
    const all = Int32Array.from({ length: 2 * n }, (_, row) => row)
    const scores = await personScores(real, released, all, seed, where, (attack, work) => watch.clock(attack, work))
    const isolated = await mostIsolated(real, Math.ceil(2 * n * ISOLATED_SHARE), where)
    for (const attack of PERSON_ATTACKS) {
      const score = scores[attack]
      add('everybody', attack, score.subarray(0, n), score.subarray(n))
      const of = (isMember: boolean) =>
        Float64Array.from(
          isolated.filter((row) => row < n === isMember),
          (row) => score[row],
        )
      add('most isolated', attack, of(true), of(false))
    }
    const classified = await watch.clock(CLASSIFIER, () => classifierAuc(members, released, others, seed))
    if (classified !== null) noted(found, `everybody/${CLASSIFIER}`, classified)
  }
  return { rows: [...found].map(([key, areas]) => meanRow(key, areas)), times: watch.times() }
}

function noted<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value])
}

/** With the columns of the people in their order; a release made elsewhere may lack one, and then cannot be compared. */
function aligned(people: Table, released: Table): Table {
  return table(
    released.name,
    people.columns.map(({ name }) => {
      const column = released.columns.find((one) => one.name === name)
      if (column === undefined) throw new UserError(`the release has no column "${name}"`)
      return column
    }),
  )
}

/** Of the measure `mia`; null where it does not apply. */
async function classifierAuc(original: Table, released: Table, holdout: Table, seed: number): Promise<Auc | null> {
  const { release } = openCase({ type: 'synthetic' }, { original, released, holdout })
  const { releases } = await mia(release, { trees: 100 }, { seed })
  return releases[0].details?.headline ?? null
}

/** The mean over releases; its interval from DeLong's variances, which count people, not releases. */
function meanRow(key: string, areas: readonly Auc[]): AttackRow {
  const [who, attack] = key.split('/') as [Who, string]
  const value = mean(areas.map((area) => area.auc)) ?? 0.5
  const half =
    (CRITICAL_Z *
      Math.sqrt(areas.reduce((sum, { standardError, nullSd }) => sum + (standardError || nullSd) ** 2, 0))) /
    areas.length
  const rate = (k: number) => mean(areas.map(({ lowFalsePositives }) => lowFalsePositives[k].truePositiveRate)) ?? 0
  return {
    who,
    attack,
    auc: value,
    lower: Math.max(0, value - half),
    upper: Math.min(1, value + half),
    pooled: null,
    at01: rate(0),
    at1: rate(1),
  }
}

async function playShadows(
  setting: Setting,
  design: MembershipDesign,
  people: Table,
): Promise<Pick<PlayedSetting, 'rows' | 'differences' | 'epsilons' | 'times'>> {
  const { seed, shadows, tests, queries, trees } = design
  const { synthesizer, options } = madeBy(setting, people)
  const n = sizeOf(design, people)
  const known = selectRows(
    people,
    permutation(stream(seed, `membership/${setting.data}/people`, 0), people.rows).subarray(0, n),
  )
  const isolated = await mostIsolated(known, design.people, { tasks: inline })
  const random = permutation(stream(seed, `membership/${setting.data}/random people`), n)
    .filter((row) => !isolated.includes(row))
    .slice(0, design.people)
  const watch = stopwatch()
  const game = await playShadowGame(
    {
      people: known,
      rows: Int32Array.from([...isolated, ...random]),
      synthesizer,
      options,
      shadows,
      tests,
      queries,
      trees,
      seed: stream(seed, `membership/${setting.data}/${setting.generator.name}/shadows`).uint32(),
    },
    { tasks: inline, clock: (what, work) => watch.clock(what, work) },
  )
  const groups = [
    { who: 'most isolated' as const, played: game.people.slice(0, isolated.length) },
    { who: 'random' as const, played: game.people.slice(isolated.length) },
  ]
  const resampled = groups.map(({ who, played }) => ({
    who,
    played,
    ...resample(played, design, stream(seed, `membership/bootstrap ${who}`)),
  }))
  return {
    rows: resampled.flatMap(({ who, played, observed, replicates }) =>
      GAME_ATTACKS.map((attack) => worldRow(who, attack, played, observed, replicates)),
    ),
    differences: resampled.map(({ who, played, observed, replicates }) =>
      difference(who, played, observed, replicates),
    ),
    epsilons: setting.generator.epsilon === null ? [] : epsilonRows(game, setting.generator.epsilon),
    times: watch.times(),
  }
}

type Played = PlayedGame['people']
type MeanAucs = Readonly<Record<GameAttack, number>>

/** AUC of each attack, on average over people; once as observed, and of people and releases drawn again. */
function resample(
  played: Played,
  { bootstrap, tests }: MembershipDesign,
  random: Stream,
): { readonly observed: MeanAucs; readonly replicates: readonly MeanAucs[] } {
  const all = Int32Array.from({ length: tests }, (_, k) => k)
  const means = (people: ArrayLike<number>, inside: Int32Array, outsides: readonly Int32Array[]): MeanAucs =>
    attackRecord((attack) => {
      const areas = Array.from(people, (person, k) => areaOf(played[person].scores[attack], inside, outsides[k]))
      return mean(areas) ?? 0.5
    })
  const replicates = Array.from({ length: bootstrap }, () => {
    const people = sampleWithReplacement(random, played.length, played.length)
    // Releases with the person are the same ones for everybody, so they are drawn once.
    const inside = sampleWithReplacement(random, tests, tests)
    return means(
      people,
      inside,
      Array.from(people, () => sampleWithReplacement(random, tests, tests)),
    )
  })
  return {
    observed: means(
      played.map((_, k) => k),
      all,
      played.map(() => all),
    ),
    replicates,
  }
}

function attackRecord(areaOfAttack: (attack: GameAttack) => number): MeanAucs {
  return Object.fromEntries(GAME_ATTACKS.map((attack) => [attack, areaOfAttack(attack)])) as MeanAucs
}

function areaOf({ inside, outside }: WorldScores, ofInside: Int32Array, ofOutside: Int32Array): number {
  const pick = (scores: Float64Array, at: Int32Array) => {
    const picked = new Float64Array(at.length)
    for (let k = 0; k < at.length; k++) picked[k] = scores[at[k]]
    return picked
  }
  return aucArea(pick(inside, ofInside), pick(outside, ofOutside))
}

function worldRow(
  who: Who,
  attack: GameAttack,
  played: Played,
  observed: MeanAucs,
  replicates: readonly MeanAucs[],
): AttackRow {
  const joined = (side: keyof WorldScores) =>
    Float64Array.from(played.flatMap(({ scores }) => [...scores[attack][side]]))
  const pooled = auc(joined('inside'), joined('outside'))
  return {
    who,
    attack,
    auc: observed[attack],
    ...bootstrapEnds(
      replicates.map((one) => one[attack]),
      observed[attack],
    ),
    pooled: pooled?.auc ?? 0.5,
    at01: pooled?.lowFalsePositives[0].truePositiveRate ?? 0,
    at1: pooled?.lowFalsePositives[1].truePositiveRate ?? 0,
  }
}

/** The middle 95 % of the replicates, widened to hold what was observed. */
function bootstrapEnds(
  replicates: readonly number[],
  observed: number,
): { readonly lower: number; readonly upper: number } {
  const ends = percentileInterval(replicates)
  return { lower: Math.min(observed, ends?.lower ?? observed), upper: Math.max(observed, ends?.upper ?? observed) }
}

function difference(who: Who, played: Played, observed: MeanAucs, replicates: readonly MeanAucs[]): DifferenceRow {
  const best = SHADOW_ATTACKS.reduce((top, attack) => (observed[attack] > observed[top] ? attack : top))
  const from = (attack: PersonAttack): Difference => {
    const less = (aucs: MeanAucs) => aucs[best] - aucs[attack]
    return { value: less(observed), ...bootstrapEnds(replicates.map(less), less(observed)) }
  }
  const features = played.flatMap(({ bestFeatures }) => bestFeatures).filter(({ set }) => best.endsWith(set))
  const top = features.reduce((most, one) => (one.auc > most.auc ? one : most))
  return {
    who,
    attack: best,
    fromShared: from('shared information'),
    fromValues: from('information and values'),
    feature: top.feature,
    featureAuc: top.auc,
  }
}

/**
 * For each attack the largest bound over people: half of the test releases choose threshold and side, the other half is
 * counted, at a level that all people and attacks share.
 */
function epsilonRows({ people }: PlayedGame, stated: number): EpsilonRow[] {
  const comparisons = people.length * GAME_ATTACKS.length
  return GAME_ATTACKS.map((attack) => {
    const bounds = people.map(({ scores }) => {
      const { inside, outside } = scores[attack]
      const half = Math.floor(inside.length / 2)
      const { test } = bestTest(inside.subarray(0, half), outside.subarray(0, half))
      return epsilonLowerBound(accused(test, inside.subarray(half), outside.subarray(half)), 0, comparisons)
    })
    const counted = people[0].scores[attack].inside.length - Math.floor(people[0].scores[attack].inside.length / 2)
    return {
      attack,
      stated,
      bound: Math.max(...bounds),
      most: largestEpsilonBound(counted, counted, 0, comparisons),
    }
  })
}
