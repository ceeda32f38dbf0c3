import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, columnNames, whole } from '../../option-kinds.js'
import { count, inUnit, percent } from '../../print.js'
import { permutation } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { studentTCdf } from '../../stats/distributions.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { fisherMidP } from '../../stats/tests/two-shares.js'
import { stackColumns } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { columnOf, selectRows, type Table, table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type Pair, pairOf, reducedPair } from '../pair.js'
import { type AnyUtilityMeasure, unknownColumns, utilityOptions } from '../utility-measure.js'
import { type Subgroup, subgroupsBy } from './subgroups.js'

/**
 * Is the release as good for everybody? Any measure of utility within any groups. Small groups look worse by chance, so every
 * value is compared with what it is when the group's records of both files are shuffled into two files of the same sizes
 * (a permutation test in three stages: a few shuffles for every group, ten times as many where these leave doubt, and where the value
 * is beyond all but a few of these, yet not far beyond, as many as it takes; Holm's adjustment over the groups). The headline is the share of originals who are in a group that the release describes worse than chance allows
 * (5 %), or that it has lost: that has nobody left, or significantly fewer people and too few to compare.
 *
 * Groups are the keys one by one unless columns are named, and their crossings on request; numbers are cut into quarters.
 * The columns that make the groups are not compared. Groups of fewer than 30 originals are not looked at. Blind to
 * differences between groups that the measure does not see.
 */
export function subgroupUtility(measures: readonly AnyUtilityMeasure[]) {
  const ids = measures.map(({ id }) => id) as [string, ...string[]]
  const options = z.object({
    ...utilityOptions,
    measure: choice(ids, 'energy-distance').describe('the measure of utility that is computed within groups'),
    with: z.record(z.string(), z.json()).default({}).describe('options of that measure'),
    groups: columnNames().describe('columns that make the groups; the keys when not given, or all categories'),
    crossings: whole(1, { min: 1, max: 3 }).describe('how many columns are crossed: 2 for groups by two columns too'),
    fewest: whole(30, { min: 5 }).describe('groups with fewer originals are not looked at'),
  })

  return measure({
    id: 'subgroup-utility',
    title: 'Utility in subgroups',
    summary: 'share of people in groups that the release describes worse than chance allows, or has lost',
    family: 'utility',
    role: 'utility',
    orientation: 'distance',
    scope: 'pair',
    needs: [],
    needsWith: ({ measure: id }) => measureOf(measures, id).needs,
    unit: 'share',
    profile: 'full',
    stochastic: true,
    blindTo: 'what the measure used within the groups does not see',
    options,
    check: (release: Release, { groups, variables }) =>
      unknownColumns([...(groups ?? []), ...(variables ?? [])], release.variables),
    compute: (subject, chosen, context) => compute(subject, chosen, measureOf(measures, chosen.measure), context),
    sentence: ({ details }) => sentence(details),
    tables: ({ details }) => [
      findingTable('groups', 'By group', details.groups, [
        [column.text('group'), ({ label }) => label],
        [column.count('original'), ({ original }) => original],
        [column.count('release'), ({ release }) => release],
        [column.number('value'), ({ value }) => value],
        [column.number('by chance'), ({ chance }) => chance],
        [column.p('adjusted p'), ({ adjustedP }) => adjustedP],
      ]),
    ],
    charts: ({ details }, { name }) => [
      barChart(
        {
          name: 'groups',
          red: 'release, worse than chance allows or lost',
          title: `${details.title} within groups: ${name}`,
          grey: 'by chance',
          x: '',
          y: details.title,
        },
        details.groups
          .filter(({ value }) => value !== null)
          .slice(0, MOST_SHOWN)
          .flatMap(({ label, value, chance, flagged }) => [
            { label, value: chance ?? 0, series: 'original' as const },
            { label, value: value ?? 0, series: 'release' as const, alarm: flagged },
          ]),
      ),
    ],
  })
}

const MOST_SHOWN = 15
const MOST_ROWS = 3000
const FEWEST_RELEASED = 5
/** Groups below this p-value are shuffled so many times as often: a judgement in the tail needs more than a few draws. */
const SUSPECT = 0.1
const SECOND_LOOK = 10
/** Shuffles as large after which there is no need of more (Besag and Clifford 1991), and shuffles per group that Holm adjusts for. */
const ENOUGH_AS_LARGE = 10
const THIRD_LOOK = 100
const MOST_SHUFFLES = 5000
/** A value so far beyond chance, as a part of the level for one of all groups, is not looked at again. */
const FAR_BEYOND = 0.1

type Options = {
  readonly variables: readonly string[] | null
  readonly resamples: number
  readonly with: object
  readonly groups: readonly string[] | null
  readonly crossings: number
  readonly fewest: number
}

type GroupDetail = {
  readonly label: string
  readonly original: number
  readonly release: number
  /** Null where the group is lost or the measure has no value in it. */
  readonly value: number | null
  /** What shuffled files give. */
  readonly chance: number | null
  readonly p: number | null
  readonly adjustedP: number | null
  readonly flagged: boolean
  readonly lost: boolean
}

function measureOf(measures: readonly AnyUtilityMeasure[], id: string): AnyUtilityMeasure {
  const found = measures.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no measure ${id}`)
  return found
}

function sentence({ groups, flaggedPeople, records, measure: id, unit }: Details): string {
  const flagged = groups.filter((group) => group.flagged)
  const lost = flagged.filter((group) => group.lost)
  const [worst] = groups
  const least = worst.lost
    ? `${worst.label} is lost`
    : `worst is ${worst.label} (${id} ${inUnit(worst.value ?? 0, unit)}, by chance ${inUnit(worst.chance ?? 0, unit)})`
  if (flagged.length === 0)
    return `none of ${count(groups.length, 'group')} is described worse than chance allows; ${least}`
  return `${percent(flaggedPeople / records)} of people are in ${count(flagged.length, 'group')} of ${groups.length} that ${flagged.length === 1 ? 'is' : 'are'} described worse than chance allows${lost.length > 0 ? ` or lost (${lost.length})` : ''}; ${least}`
}

async function compute(
  { release, part, target }: Subject,
  chosen: Options,
  inner: AnyUtilityMeasure,
  context: Context,
) {
  const whole = pairOf({ release, part, target: target === '' ? (release.targets[0] ?? '') : target }, chosen.variables)
  const pair = reducedPair(whole, MOST_ROWS, (purpose) => context.random(purpose))
  const sets = groupingsOf(pair, chosen)
  if (sets.length === 0) throw new NotApplicable('there is no column that makes groups')
  const all = sets.flatMap((columns) => subgroupsBy(columns, pair.original, pair.released))
  const looked = all.filter(({ original }) => original.length >= chosen.fewest)
  if (looked.length === 0) throw new NotApplicable(`no group has ${chosen.fewest} originals`)
  const found: Omit<GroupDetail, 'adjustedP' | 'flagged'>[] = []
  for (const [k, group] of looked.entries()) {
    throwIfAborted(context.signal)
    found.push(await lookAt(group, pair, chosen, inner, context, { k, of: looked.length }))
    context.progress(k + 1, looked.length)
  }
  const adjusted = holm(found.map(({ p }) => p ?? 1))
  const groups = found.map((group, k) => {
    const flagged = group.p !== null && adjusted[k] < SIGNIFICANCE
    return { ...group, lost: group.lost && flagged, adjustedP: group.p === null ? null : adjusted[k], flagged }
  })
  const isFlagged = new Uint8Array(pair.original.rows)
  for (const [k, { flagged }] of groups.entries()) if (flagged) for (const row of looked[k].original) isFlagged[row] = 1
  const flaggedPeople = isFlagged.reduce((sum, flag) => sum + flag, 0)
  return {
    value: flaggedPeople / pair.original.rows,
    interval: null,
    controls: {
      honest: { value: 0, se: null, what: `an honest sample, but for chance at the ${percent(SIGNIFICANCE, 0)} level` },
    },
    details: {
      measure: inner.id,
      title: inner.title,
      unit: inner.unit,
      overall: await inner.valueFor(pair, innerOptions(chosen), asOf(inner.id, context)),
      /** Worst first. */
      groups: groups.sort((a, b) => (a.p ?? 1) - (b.p ?? 1)),
      flaggedPeople,
      records: pair.original.rows,
      /** Groups that only the release has. */
      invented: all.filter(({ original }) => original.length === 0).map(({ label }) => label),
      tooSmall: all.length - looked.length,
    },
  }
}

type Details = Awaited<ReturnType<typeof compute>>['details']

/** With the random numbers that the measure itself has: its value for the whole file is then the one that it gives alone. */
function asOf(id: string, context: Context): Context {
  return { ...context, random: (purpose, index) => stream(context.seed, `${id}/${purpose}`, index) }
}

function innerOptions(chosen: Options): object {
  return { ...chosen.with, resamples: 0 }
}

/** Single columns, and their crossings up to the size asked for. */
function groupingsOf({ variables, release, original }: Pair, { groups, crossings }: Options): string[][] {
  const named = groups ?? release.keys.filter((name) => variables.includes(name))
  const columns = named.length > 0 ? named : variables.filter((name) => columnOf(original, name).kind === 'categorical')
  let sets = columns.map((name) => [name])
  const all = [...sets]
  for (let size = 2; size <= crossings; size++) {
    sets = sets.flatMap((set) =>
      columns.filter((_, k) => k > columns.indexOf(set[set.length - 1])).map((name) => [...set, name]),
    )
    all.push(...sets)
  }
  return all
}

async function lookAt(
  group: Subgroup,
  pair: Pair,
  chosen: Options,
  inner: AnyUtilityMeasure,
  context: Context,
  place: { readonly k: number; readonly of: number },
): Promise<Omit<GroupDetail, 'adjustedP' | 'flagged'>> {
  const { label, original, released } = group
  const sizes = { label, original: original.length, release: released.length }
  if (released.length < FEWEST_RELEASED) {
    const p = fisherMidP(released.length, pair.released.rows, original.length, pair.original.rows)
    return { ...sizes, value: null, chance: null, p, lost: true }
  }
  const variables = pair.variables.filter((name) => !group.columns.includes(name))
  const names = [...variables, ...(pair.weight === null ? [] : [pair.weight])]
  const slice = (file: Table, rows: Int32Array) =>
    selectRows(
      table(
        file.name,
        file.columns.filter(({ name }) => names.includes(name)),
      ),
      rows,
    )
  const [x, y] = [slice(pair.original, original), slice(pair.released, released)]
  const within = sliced(pair, x, y, variables)
  const value = await inner.valueFor(within, innerOptions(chosen), context)
  if (value === null) return { ...sizes, value: null, chance: null, p: null, lost: false }
  const sign = inner.orientation === 'utility' ? -1 : 1
  const shuffled: number[] = []
  let asLarge = 0
  const shuffle = async (until: number, enough = Number.POSITIVE_INFINITY) => {
    for (let draw = shuffled.length; draw < until && asLarge < enough; draw++) {
      const dealt = shuffledPair(within, context.random(`shuffle ${place.k}`, draw))
      const drawn = await inner.valueFor(dealt, innerOptions(chosen), context)
      if (drawn === null) return
      shuffled.push(sign * drawn)
      if (sign * drawn >= sign * value) asLarge++
    }
  }
  const found = (p: number | null) => ({ ...sizes, value, chance: signedMean(shuffled, sign), p, lost: false })
  const roughly = () => placeOf(sign * value, shuffled)
  await shuffle(chosen.resamples)
  const first = roughly()
  if (first === null || first >= SUSPECT) return found(first)
  await shuffle(SECOND_LOOK * chosen.resamples)
  const far = roughly()
  if (far !== null && far < (FAR_BEYOND * SIGNIFICANCE) / place.of) return found(far)
  await shuffle(Math.min(MOST_SHUFFLES, THIRD_LOOK * place.of), ENOUGH_AS_LARGE)
  return found((1 + asLarge) / (1 + shuffled.length))
}

function signedMean(values: readonly number[], sign: number): number | null {
  const centre = mean(values)
  return centre === null ? null : sign * centre
}

function sliced({ release, target }: Pair, original: Table, released: Table, variables: readonly string[]): Pair {
  const keep = (names: readonly string[]) => names.filter((name) => variables.includes(name))
  const part: Release = {
    ...release,
    original,
    released: [released],
    variables,
    keys: keep(release.keys),
    numericKeys: keep(release.numericKeys),
    targets: keep(release.targets),
  }
  return pairOf({ release: part, part: 0, target: variables.includes(target) ? target : '' })
}

/** The records of both files, dealt out anew. */
function shuffledPair(pair: Pair, random: ReturnType<Context['random']>): Pair {
  const { original, released } = pair
  const common = original.columns.filter(({ name }) => released.columns.some((column) => column.name === name))
  const pooled = table(
    'shuffled',
    common.map((column) => stackColumns([column, columnOf(released, column.name)])),
  )
  const order = permutation(random, pooled.rows)
  const x = selectRows(pooled, order.subarray(0, original.rows))
  const y = selectRows(pooled, order.subarray(original.rows))
  return sliced(pair, x, y, pair.variables)
}

/**
 * One-sided p-value of a value among others like it, by Student's t, of distances by their logarithm; null with fewer than two.
 * A sum of weighted chi-squares, which most distances are by chance, has a lighter tail than a logarithmic normal: it is cautious.
 */
function placeOf(observed: number, shuffled: readonly number[]): number | null {
  const isDistance = observed > 0 && shuffled.every((drawn) => drawn > 0)
  const value = isDistance ? math.log(observed) : observed
  const others = isDistance ? shuffled.map(math.log) : shuffled
  const [centre, sd] = [mean(others), standardDeviation(others)]
  if (centre === null || sd === null) return null
  if (sd === 0) return value > centre ? 0 : 1
  const n = others.length
  return studentTCdf(-(value - centre) / (sd * Math.sqrt(1 + 1 / n)), n - 1)
}
