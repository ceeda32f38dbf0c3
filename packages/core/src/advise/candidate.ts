import { findAnonymiser } from '../anonymisers/anonymisers.js'
import { anonymise } from '../anonymisers/method/anonymiser.js'
import { readTable } from '../files/read.js'
import type { Types } from '../files/types.js'
import { toCsv } from '../files/write.js'
import type { JsonObject } from '../json.js'
import { stream } from '../random/stream.js'
import { synthesize } from '../synthesizers/synthesizer.js'
import { findSynthesizer } from '../synthesizers/synthesizers.js'
import { type Column, categorical, columnLength, isMissing, valueAt } from '../table/column.js'
import type { Release } from '../table/release.js'
import { columnOf, findColumn, type Table } from '../table/table.js'
import type { AbortSignalLike, TaskRunner } from '../tasks/task.js'
import { type Change, RECODINGS, type Step, stepsOf } from './change.js'

/** The tables as they were read from their files. */
export interface AdvisedFiles {
  readonly original: Table
  readonly released: Table
  readonly holdout: Table | undefined
  readonly population: Table | undefined
  /** Declared types of columns, which also hold for files made on the way. */
  readonly types?: Types | undefined
}

/**
 * A release with a plan carried out. `files` are what the risk is measured on: whoever attacks a recoded release recodes what
 * they know in the same way, so that original, holdout and population are recoded with it. `usable` is what somebody can
 * make of the release on the scale of the plain original, for its utility: a value that was grouped or merged is drawn from
 * those that its class stands for, all equally likely, since the release does not tell which it was.
 */
export interface Candidate {
  readonly files: AdvisedFiles
  readonly usable: Table
  readonly made: readonly MadeStep[]
}

/** A step with the table that it gives, and as it is when read again from a CSV file. */
interface MadeStep {
  readonly step: Step
  readonly written: Table
  readonly read: Table
}

export interface Making {
  readonly seed: number
  readonly roles: Pick<Release, 'keys' | 'numericKeys' | 'weight' | 'household'>
  readonly tasks?: TaskRunner | undefined
  readonly signal?: AbortSignalLike | undefined
}

export async function carryOut(plan: readonly Change[], files: AdvisedFiles, making: Making): Promise<Candidate> {
  let now = files
  const classes: Classes = new Map()
  const made: MadeStep[] = []
  for (const wanted of stepsOf(plan)) {
    const step = { ...wanted, options: optionsFor(wanted, now.released) }
    const types = typesAfter(step, now.types)
    const written = await apply(step, now.released, files.original, making)
    const read = await asRead(written, types)
    made.push({ step, written, read })
    const before = now
    now = { ...now, released: read, types }
    if (RECODINGS.includes(step.method)) now = await recodeOthers(wanted, now)
    if (step.method === 'recode')
      for (const name of recodedColumns(step)) classes.set(name, classesOf(name, before, now))
  }
  return { files: now, usable: unfolded(now.released, files.original, classes, making.seed), made }
}

async function apply(step: Step, released: Table, original: Table, making: Making): Promise<Table> {
  const { seed, roles, tasks, signal } = making
  const { method, options } = step
  if (step.command === 'synthesize') {
    const rows = released.rows
    return synthesize(findSynthesizer(method), original, { seed, options, rows, tasks, signal })
  }
  const anonymiser = findAnonymiser(method)
  const forSynthetic = anonymiser.ofSynthetic === true ? { original } : {}
  return anonymise(anonymiser, released, { seed, options, roles, signal, ...forSynthetic }).table
}

/** What a file with this table gives when it is read again: that is what the next command, and the assessment, will see. */
function asRead(table: Table, types: Types | undefined): Promise<Table> {
  const known = Object.entries(types ?? {}).filter(([name]) => findColumn(table, name) !== undefined)
  return readTable(table.name, new TextEncoder().encode(toCsv(table)), {
    format: 'csv',
    types: Object.fromEntries(known),
  })
}

/** The options as this table can take them: a rule for levels or columns that it does not have is left out. */
export function optionsFor({ method, options }: Step, table: Table): JsonObject {
  const has = (name: string) => findColumn(table, name)
  const those = (record: unknown, keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries((record ?? {}) as JsonObject).filter(([name]) => keep(name)))
  if (method === 'top-coding') return { ...options, bounds: those(options.bounds, (name) => has(name) !== undefined) }
  if (method !== 'recode') return options
  const merge = Object.entries((options.merge ?? {}) as Merges).flatMap(([name, groups]) => {
    const column = has(name)
    if (column?.kind !== 'categorical') return []
    const levelsHere = Object.entries(groups).flatMap(([label, members]): [string, readonly string[]][] => {
      const present = members.filter((level) => column.levels.includes(level))
      return present.length === 0 ? [] : [[label, present]]
    })
    return levelsHere.length === 0 ? [] : [[name, Object.fromEntries(levelsHere)] as const]
  })
  const groups = those(options.groups, (name) => ['numeric', 'date'].includes(has(name)?.kind ?? ''))
  return {
    ...(Object.keys(groups).length === 0 ? {} : { groups }),
    ...(merge.length === 0 ? {} : { merge: Object.fromEntries(merge) }),
  }
}

type Merges = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

async function recodeOthers(step: Step, files: AdvisedFiles): Promise<AdvisedFiles> {
  const recoded = (table: Table) => recodedAlike(step, table, files.types)
  return {
    ...files,
    original: await recoded(files.original),
    holdout: files.holdout && (await recoded(files.holdout)),
    population: files.population && (await recoded(files.population)),
  }
}

function recodedAlike(step: Step, table: Table, types: Types | undefined): Promise<Table> | Table {
  const options = optionsFor(step, table)
  if (Object.values(options).every((rules) => Object.keys(rules as JsonObject).length === 0)) return table
  return asRead(anonymise(findAnonymiser(step.method), table, { seed: 0, options }).table, types)
}

function recodedColumns({ options }: Step): string[] {
  return [...Object.keys((options.groups ?? {}) as JsonObject), ...Object.keys((options.merge ?? {}) as JsonObject)]
}

/** A recoded column is no longer what it was declared to be. */
function typesAfter(step: Step, types: Types | undefined): Types | undefined {
  if (types === undefined || step.method !== 'recode') return types
  const gone = recodedColumns(step)
  return Object.fromEntries(Object.entries(types).filter(([name]) => !gone.includes(name)))
}

type Value = string | number
/** Per recoded column and class: the values that it stands for. */
type Classes = Map<string, ReadonlyMap<Value, readonly Value[]>>

function classesOf(name: string, before: AdvisedFiles, after: AdvisedFiles): ReadonlyMap<Value, readonly Value[]> {
  const coarseOf = new Map<Value, Set<Value>>()
  for (const role of ['original', 'released'] as const) {
    const plain = columnOf(before[role], name)
    const coarse = columnOf(after[role], name)
    for (let row = 0; row < columnLength(plain); row++) {
      const value = rawValue(plain, row)
      const label = rawValue(coarse, row)
      if (value === null || label === null) continue
      const values = coarseOf.get(label)
      if (values === undefined) coarseOf.set(label, new Set([value]))
      else values.add(value)
    }
  }
  return new Map([...coarseOf].map(([label, values]) => [label, [...values].sort(ascending)]))
}

const ascending = (a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** Dates as numbers of days. */
function rawValue(column: Column, row: number): Value | null {
  return column.kind === 'date' && !isMissing(column, row) ? column.values[row] : valueAt(column, row)
}

/** The release on the scale of the plain original. */
function unfolded(released: Table, original: Table, classes: Classes, seed: number): Table {
  const columns = released.columns.map((column): Column => {
    const values = classes.get(column.name)
    if (values === undefined) return column
    const plain = columnOf(original, column.name)
    const random = stream(seed, `advise/unfold ${column.name}`)
    const drawn = Array.from({ length: released.rows }, (_, row) => {
      const label = rawValue(column, row)
      const from = label === null ? undefined : values.get(label)
      return from === undefined ? null : from[random.below(from.length)]
    })
    if (plain.kind === 'categorical')
      return categorical(
        column.name,
        drawn.map((value) => (value === null ? null : String(value))),
        { levels: labelsIn(values), ordered: plain.ordered },
      )
    return { ...plain, values: Float64Array.from(drawn, (value) => (value === null ? Number.NaN : Number(value))) }
  })
  return { ...released, columns }
}

function labelsIn(values: ReadonlyMap<Value, readonly Value[]>): string[] {
  return [...new Set([...values.values()].flat().map(String))].sort(ascending)
}
