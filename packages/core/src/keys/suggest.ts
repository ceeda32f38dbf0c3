import { fixed, grouped, percent } from '../print.js'
import { median } from '../stats/quantile.js'
import type { Column } from '../table/column.js'
import type { Table } from '../table/table.js'
import { columnWords } from './column-words.js'
import { contentsOf, type DirectIdentifier, directIdentifiers } from './direct-identifiers.js'
import {
  HOUSEHOLD,
  KNOWN_TO_OTHERS,
  OUTCOME,
  SAMPLING_WEIGHT,
  SENSITIVE,
  type Topical,
  topicOf,
} from './roles-by-name.js'
import {
  bestSets,
  type ColumnSet,
  countSet,
  minimalSets,
  type Uniqueness,
  type UniquenessOptions,
  uniquenessOf,
} from './uniqueness.js'

/**
 * Which columns are keys, which are targets? Nobody can know that from a table alone: a key is what somebody outside may know
 * about a person, and only people who know the data and the world around them can say. What a table does tell are columns that
 * look like identifiers, names that speak, and how many people each column and each set of columns singles out. From these a
 * start is made in which everything is marked as a guess.
 */
export interface Suggestion {
  readonly table: string
  readonly rows: number
  readonly identifiers: readonly DirectIdentifier[]
  readonly keys: readonly SuggestedKey[]
  readonly targets: readonly Guess[]
  readonly weight: Guess | null
  readonly household: Guess | null
  /** Every column that sets are made of, by how much uniqueness it adds. */
  readonly columns: readonly ColumnUniqueness[]
  /** Columns that are in no set, and why. */
  readonly leftOut: readonly Guess[]
  /** The suggested keys together. */
  readonly together: ColumnSet | null
  /** All sets up to this size were counted. */
  readonly largest: number
  /** Per size the sets that single out most people. */
  readonly best: readonly ColumnSet[]
  /** The smallest sets that single out at least `share` of the people: no part of them does. */
  readonly share: number
  readonly minimal: readonly ColumnSet[]
}

export interface Guess {
  readonly column: string
  readonly reason: string
}

interface SuggestedKey extends Guess {
  /** What the guess rests on. */
  readonly by: 'name' | 'uniqueness'
}

interface ColumnUniqueness extends Omit<ColumnSet, 'columns'> {
  readonly column: string
  /** Mean growth of the share of unique people when it joins other columns. */
  readonly added: number
}

export interface SuggestOptions extends UniquenessOptions {
  /** A set singles people out when at least this share of them is unique on it. */
  readonly share?: number
}

const SHARE = 0.5
const MOST_KEYS = 7
const FEWEST_KEYS = 3
const MOST_TARGETS = 3
const SHOWN_PER_SIZE = 5
const SHOWN_MINIMAL = 20
/** Topics after these are known to few. */
const USUAL_TOPICS = 8

export function suggestRoles(table: Table, options: SuggestOptions = {}): Suggestion {
  const { share = SHARE } = options
  const identifiers = directIdentifiers(table)
  const isIdentifier = new Set(identifiers.map(({ column }) => column))
  const rest = table.columns.filter((column) => !isIdentifier.has(column.name)).map(described)
  const household = householdOf(rest)
  const weight = weightOf(rest)
  const targets = targetsOf(rest.filter(({ name }) => name !== weight?.column && name !== household?.column))
  const leftOut: Guess[] = []
  const candidates = rest.filter((column) => {
    if ([weight, household, ...targets].some((role) => role?.column === column.name)) return false
    const reason = whyNoKey(column, table.rows)
    if (reason !== undefined) leftOut.push({ column: column.name, reason })
    return reason === undefined
  })
  const order = [...candidates].sort((a, b) => rankOf(a) - rankOf(b) || b.distinct - a.distinct)
  const names = order.map(({ name }) => name)
  const implied = impliedColumns(uniquenessOf(table, names, { largest: 2 }), table.rows)
  for (const [column, by] of implied) leftOut.push({ column, reason: `says next to nothing that ${by} does not say` })
  const telling = names.filter((name) => !implied.has(name))
  const counted = uniquenessOf(table, telling, options)
  for (const column of telling.slice(counted.columns.length))
    leftOut.push({ column, reason: `at most ${counted.columns.length} columns are combined` })
  const columns = bestSets(counted, 1, telling.length)
    .map(({ columns: [column], ...numbers }) => ({ column, added: counted.added.get(column) ?? 0, ...numbers }))
    .sort((a, b) => b.added - a.added || b.separation - a.separation)
  const keys = keysOf(order, columns)
  return {
    table: table.name,
    rows: table.rows,
    identifiers,
    keys,
    targets,
    weight,
    household,
    columns,
    leftOut,
    together:
      keys.length === 0 || table.rows === 0
        ? null
        : countSet(
            table,
            keys.map(({ column }) => column),
          ),
    largest: counted.largest,
    best: Array.from({ length: counted.largest }, (_, k) => bestSets(counted, k + 1, SHOWN_PER_SIZE)).flat(),
    share,
    minimal: minimalSets(counted, share).slice(0, SHOWN_MINIMAL),
  }
}

interface Described {
  readonly name: string
  readonly column: Column
  readonly words: string
  readonly known: Topical | undefined
  readonly sensitive: Topical | undefined
  readonly distinct: number
  readonly present: number
}

function rankOf({ known }: Described): number {
  return known?.rank ?? KNOWN_TO_OTHERS.length
}

function described(column: Column): Described {
  const words = columnWords(column.name)
  // Files of surveys call a column V12 and say in its label what it is.
  const label = columnWords(column.codebook?.label ?? '')
  const known = topicOf(words, KNOWN_TO_OTHERS) ?? topicOf(label, KNOWN_TO_OTHERS)
  const sensitive = known === undefined ? (topicOf(words, SENSITIVE) ?? topicOf(label, SENSITIVE)) : undefined
  const { distinct, present } = contentsOf(column)
  return { name: column.name, column, words, known, sensitive, distinct, present }
}

/** A number that somebody would have to measure: few outside know it exactly. */
const MANY_NUMBERS = 100
const SHARE_OF_NUMBERS = 0.1

function whyNoKey({ column, distinct, known }: Described, rows: number): string | undefined {
  if (distinct < 2) return 'it has one value only'
  if (known !== undefined || column.kind === 'categorical') return undefined
  const isWhole = column.values.every((value) => Number.isNaN(value) || Number.isInteger(value))
  if (!isWhole) return 'a measured number, which few outside know exactly'
  return distinct > MANY_NUMBERS && distinct > SHARE_OF_NUMBERS * rows
    ? `a number with ${grouped(distinct)} values, which few outside know exactly`
    : undefined
}

function householdOf(columns: readonly Described[]): Guess | null {
  const likely = columns.find(
    ({ words, distinct, present }) =>
      HOUSEHOLD.test(words) && distinct > SHARE_OF_NUMBERS * present && 1.05 * distinct < present,
  )
  if (likely === undefined) return null
  const each = fixed(likely.present / likely.distinct, 1)
  return { column: likely.name, reason: `by its name, with ${each} records per value` }
}

/** Kilograms of people. */
const [LIGHT, HEAVY] = [35, 150]
const MEASURED_BODY = /^ (height|bmi|body height|stature|grosse) $/

function weightOf(columns: readonly Described[]): Guess | null {
  const likely = columns.find(({ column, words, distinct }) => {
    if (column.kind !== 'numeric' || distinct < 2 || !SAMPLING_WEIGHT.test(words)) return false
    const values = column.values.filter((value) => !Number.isNaN(value))
    if (values.some((value) => value <= 0)) return false
    const middle = median(values) ?? 0
    const mayBeBody = middle >= LIGHT && middle <= HEAVY && values.every((value) => value < 2 * HEAVY)
    return !(mayBeBody || (words === ' weight ' && columns.some((other) => MEASURED_BODY.test(other.words))))
  })
  return likely === undefined ? null : { column: likely.name, reason: 'named like a sampling weight, and all positive' }
}

/** Of each topic the column that says it most plainly, and every outcome. */
function targetsOf(columns: readonly Described[]): readonly Guess[] {
  const topical = columns
    .flatMap(({ name, sensitive, distinct }) =>
      sensitive === undefined || distinct < 2 ? [] : [{ name, ...sensitive }],
    )
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
  return topical
    .filter(({ about, rank }, k) => about === OUTCOME || topical[k - 1]?.rank !== rank)
    .slice(0, MOST_TARGETS)
    .map(({ name, about }) => ({ column: name, reason: `its name refers to ${about}` }))
}

/** First one column of each topic, then further ones that add most; without speaking names those that add most. */
function keysOf(described: readonly Described[], columns: readonly ColumnUniqueness[]): readonly SuggestedKey[] {
  const added = new Map(columns.map((column) => [column.column, column.added]))
  const candidates = described.filter(({ name }) => added.has(name))
  const more = (a: Described, b: Described) => (added.get(b.name) ?? 0) - (added.get(a.name) ?? 0)
  const named = candidates.filter((column) => rankOf(column) < USUAL_TOPICS)
  const first = firstOfEachTopic(named)
  const further = named.filter((column) => !first.includes(column)).sort(more)
  const byName = [...first, ...further].slice(0, MOST_KEYS)
  const isPlain = ({ column, distinct }: Described) => column.kind === 'categorical' || distinct <= MANY_NUMBERS
  const others = candidates.filter((column) => !byName.includes(column) && isPlain(column)).sort(more)
  const byUse = others.slice(0, Math.max(0, FEWEST_KEYS - byName.length))
  return [
    ...byName.map(({ name, known }) => ({
      column: name,
      by: 'name' as const,
      reason: `${known?.about}: others may know it`,
    })),
    ...byUse.map(({ name }) => ({
      column: name,
      by: 'uniqueness' as const,
      reason: `makes ${percent(added.get(name) ?? 0)} of people unique when combined with other columns; its name says nothing`,
    })),
  ]
}

function firstOfEachTopic(named: readonly Described[]): Described[] {
  const best = new Map<number, Described>()
  for (const column of named) {
    const other = best.get(column.known?.rank ?? 0)
    if (other === undefined || (column.known?.place ?? 0) < (other.known?.place ?? 0))
      best.set(column.known?.rank ?? 0, column)
  }
  return [...best].sort(([a], [b]) => a - b).map(([, column]) => column)
}

/** Of what two independent columns would tell apart. */
const NEXT_TO_NOTHING = 0.02
/** A column with a value for every tenth record implies any other by chance. */
const RECORDS_PER_VALUE = 10

/** Columns that another one implies: of the pairs that the other leaves together they tell next to none apart. */
function impliedColumns({ sets }: Uniqueness, rows: number): ReadonlyMap<string, string> {
  const single = new Map(sets.filter(({ columns }) => columns.length === 1).map((set) => [set.columns[0], set]))
  const implied = new Map<string, string>()
  for (const { columns, separation } of sets) {
    const pair = columns.map((column) => single.get(column))
    if (columns.length !== 2) continue
    for (const [by, of] of [pair, [pair[1], pair[0]]]) {
      if (by === undefined || of === undefined || implied.has(by.columns[0])) continue
      const expected = (1 - by.separation) * of.separation
      const isCoarse = RECORDS_PER_VALUE * by.distinction * rows <= rows
      if (!isCoarse || expected === 0 || separation - by.separation > NEXT_TO_NOTHING * expected) continue
      implied.set(of.columns[0], by.columns[0])
      break
    }
  }
  return implied
}

/** Roles to start from, as a configuration, with what each guess rests on. */
export function suggestedRoles({ identifiers, keys, targets, weight, household }: Suggestion) {
  const say =
    (role: string) =>
    ({ column, reason }: Guess) =>
      [column, `${role}? ${reason}`] as const
  return {
    keys: keys.map(({ column }) => column),
    target: targets.map(({ column }) => column),
    ...(weight === null ? {} : { weight: weight.column }),
    ...(household === null ? {} : { household: household.column }),
    guesses: Object.fromEntries([
      ...identifiers.map(({ column, reason, advice }) => [column, `direct identifier? ${reason}; ${advice}`] as const),
      ...keys.map(say('key')),
      ...targets.map(say('target')),
      ...(weight === null ? [] : [say('weight')(weight)]),
      ...(household === null ? [] : [say('household')(household)]),
    ]),
  }
}
