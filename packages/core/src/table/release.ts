import { groupRows } from '@scrim/kernels'
import { type Note, note } from '../discretion.js'
import { UserError, unknownName } from '../errors.js'
import { count, estimated, grouped } from '../print.js'
import { type AttackerColumns, attackerProblems, namedAsOurs } from './attackers-file.js'
import { type Column, type NumericColumn, sharedColumn, valueAt } from './column.js'
import { type EditRule, parseEditRules, type RulesText } from './edit-rules.js'
import { binNumbers, type Grouping } from './grouping.js'
import { codeJointly } from './joint.js'
import { type ClassedColumn, numbersInClasses } from './numbers-in-classes.js'
import { reconcile } from './reconcile.js'
import {
  type ColumnSet,
  type CountedRecords,
  columnNames,
  columnOf,
  findColumn,
  setKey,
  type Table,
  table,
  withMargins,
} from './table.js'

/**
 * An original, one or more released tables, and what the columns are for. Built once by `release`, which matches the
 * columns by name, reconciles their types and levels, and tells everything that is wrong in one error; measures trust it.
 */
export interface Release {
  readonly original: Table
  readonly released: readonly Table[]
  /** Records of the same population that were not used to make the release. */
  readonly holdout: Table | null
  /** The population (or an identification file) with the key columns. */
  readonly population: Table | null
  /** What an attacker holds: a file on people with columns of its own, named here as in the original. */
  readonly attacker: Table | null
  /** Columns that all of original, releases and holdout have, without weight, household and identifier. */
  readonly variables: readonly string[]
  readonly keys: readonly string[]
  readonly numericKeys: readonly string[]
  readonly targets: readonly string[]
  readonly weight: string | null
  readonly household: string | null
  /** The column that says who is who in several files: the truth about a linkage, never known to an attacker. */
  readonly identifier: string | null
  readonly type: ReleaseType
  /** What made the releases, where it is known: measures of the generator make more of them. */
  readonly generator: Generator | null
  /** Attackers who are not scrim's, by the name that options call them. */
  readonly ownAttackers?: OwnAttackers | undefined
  /** What records must keep, as the user gave it; empty when nothing was given. */
  readonly rules: readonly EditRule[]
  /** What is to be said about the files. */
  readonly notes: readonly Note[]
  /** Per release: that it is the original, or most of it; where nobody has looked, an empty list. */
  readonly likeness: readonly (Likeness | null)[]
  /** Per release: identifiers of people in the original that stand in it; where nobody has looked, an empty list. */
  readonly identifiers: readonly Carrying[]
  /** Per release: what no measure looks at. */
  readonly notCovered: readonly (readonly NotCovered[])[]
  /** Numbers of the original that are compared in the classes in which the releases have them. */
  readonly inClasses: readonly ClassedColumn[]
  /** Where tables are samples of larger ones: how large these are. What was counted in all of their records has `countsFor`. */
  readonly sample?: SampleSizes | undefined
  /** Of a release whose tables were counted: the columns that they were counted by, which are all that there are. */
  readonly countedBy?: readonly string[] | undefined
  /** The tables before numbers were grouped, and how they were; null where nothing was. */
  readonly ungrouped: { readonly tables: Tables; readonly groups: Groups } | null
}

/** The release for another thread: rules and makers hold functions, which no thread can be sent. */
export function sendable(release: Release): Release {
  return { ...release, rules: [], generator: null }
}

/** Records that are looked at, of all that there are. */
export interface SampleSize {
  readonly records: number
  readonly of: number
}

interface SampleSizes {
  readonly original: SampleSize
  readonly released: readonly SampleSize[]
}

/** What was counted in all records of a release of samples. */
export interface Counts {
  /** By its keys and a target each. */
  readonly byKeys: readonly Release[]
  /** By sets of columns, file by file. */
  readonly byColumns?: { readonly original: CountedRecords; readonly released: readonly CountedRecords[] } | undefined
}

const counted = new WeakMap<Release, Counts>()

/** Keeps, beside a release of sampled records, what was counted in all of them. */
export function keepCounts(release: Release, counts: Partial<Counts>): void {
  counted.set(release, { byKeys: [], ...counted.get(release), ...counts })
}

/** What was counted of this very release by sets of columns: for another thread, where it is another one. */
export function columnCounts(release: Release): Counts['byColumns'] {
  return counted.get(release)?.byColumns
}

/** All records of this very release, counted by its keys and a target, or by its keys alone; what is made of it has no counts. */
export function countsFor(release: Release, target: string): Release | undefined {
  return counted.get(release)?.byKeys.find(({ targets }) => target === '' || targets.includes(target))
}

/** This very release with all of its records counted by these sets of columns, and the sets that they are not counted by. */
export function withCounted(
  release: Release,
  sets: readonly ColumnSet[],
): { readonly release: Release; readonly lacking: readonly ColumnSet[] } | undefined {
  const counts = columnCounts(release)
  const lacking = sets.filter((set) => counts?.original.by[setKey(set)] === undefined)
  if (counts === undefined || lacking.length === sets.length) return undefined
  const keys = new Set(withMargins(sets).map(setKey))
  const withSets = (file: Table, { records, by }: CountedRecords) => ({
    ...file,
    counted: { records, by: Object.fromEntries(Object.entries(by).filter(([key]) => keys.has(key))) },
  })
  const original = withSets(release.original, counts.original)
  const released = release.released.map((file, k) => withSets(file, counts.released[k]))
  return { release: { ...release, original, released }, lacking }
}

/** The same release with more to be said about its files. */
export function withNotes(release: Release, notes: readonly Note[]): Release {
  const noted = { ...release, notes: [...notes, ...release.notes] }
  const counts = counted.get(release)
  if (counts !== undefined) keepCounts(noted, counts)
  return noted
}

/**
 * Of records that were looked at among all, those that are near them, so that what is measured on these is measured on all: tables of the
 * columns compared, with the same levels.
 */
export interface Neighbours {
  readonly original: Table
  readonly released: Table
  /** The records of both that were looked at. */
  readonly lookedAt: readonly [original: Table, released: Table]
  /** How many records both have. */
  readonly records: readonly [original: number, released: number]
  /** By column: how many originals have the value of each original looked at. */
  readonly equal: ReadonlyMap<string, ArrayLike<number>>
}

const scanned = new WeakMap<Release, ReadonlyMap<string, object>>()

/** Keeps, beside a release of sampled records, what scans of all records found, by what was asked. */
export function keepScans(release: Release, scans: ReadonlyMap<string, object>): void {
  scanned.set(release, scans)
}

/** What a scan of all records found for this very release: of the type that its question has. */
export function scanFor<Found extends object>(release: Release, question: string): Found | undefined {
  return scanned.get(release)?.get(question) as Found | undefined
}

/** That a release is the original, or most of it: a fact about two files that needs no measure (`case/likeness.ts`). */
export interface Likeness {
  readonly sentence: string
  /** Every record of the original is in the release, and most of them are unlike all others: nothing is protected. */
  readonly isCopy: boolean
}

/** Identifiers of people that a release carries (`case/carried-identifiers.ts`). */
export interface Carrying {
  /** Columns of the original that say who somebody is. */
  readonly identifiers: readonly string[]
  /** How many comparisons were made. */
  readonly compared: number
  readonly columns: readonly CarriedIdentifier[]
}

export interface CarriedIdentifier {
  /** The column of the original, or the columns that a digest was made of. */
  readonly column: string
  readonly releasedColumn: string
  readonly written: WrittenAs
  /** Released records that carry an identifier of somebody in the original. */
  readonly records: IdentifierSide
  /** People of the original whose identifier the release carries. */
  readonly people: IdentifierSide
  /** Where it is a digest of several columns: whose values each released record carries. */
  readonly digested?: Digested
}

export interface Digested {
  readonly columns: readonly string[]
  /** For each released record a record of the original with the digested values; -1 where there is none. */
  readonly person: Int32Array
}

export type WrittenAs = 'as it is' | 'otherwise' | 'inside a text' | 'MD5' | 'SHA-1' | 'SHA-256'

export interface IdentifierSide {
  readonly carrying: number
  readonly of: number
  /** As how many independent ones they count: those with the same value stand or fall together. */
  readonly effective: number
  /** What chance gives, where that is known from, and as how many independent people. */
  readonly byChance: number
  readonly basis: 'leave-one-out' | 'chance' | 'outsiders'
  readonly chanceFrom: number
}

/**
 * Columns that the answer is not about. `lacking`: the release does not have them; `only-released`: the original does not;
 * `other-type`: their types do not fit; `unexplained`: texts in which anything about people could be hidden.
 */
export interface NotCovered {
  readonly code: (typeof NOT_COVERED)[number]
  readonly columns: readonly string[]
}

export const NOT_COVERED = ['unexplained', 'other-type', 'only-released', 'lacking'] as const

type Groups = Readonly<Record<string, Grouping>>

/** A synthesizer by name, with its options as given. */
export interface Generator {
  readonly method: string
  readonly options: object
  /** The synthesizer itself, where it is none of scrim's. */
  readonly own?: object
}

/** A learner each, or a table with what somebody predicted for every record of the original. */
export type OwnAttackers = Readonly<Record<string, object>>

/** `perturbed`: row i of the release derives from row i of the original; `synthetic`: rows do not correspond. */
export type ReleaseType = 'synthetic' | 'perturbed' | 'unknown'

export interface ReleaseInput {
  readonly original: Table
  readonly released: Table | readonly Table[]
  readonly holdout?: Table | undefined
  readonly population?: Table | undefined
  readonly attacker?: Table | undefined
  readonly attackerColumns?: AttackerColumns | undefined
  readonly keys?: readonly string[] | undefined
  readonly numericKeys?: readonly string[] | undefined
  readonly target?: string | readonly string[] | undefined
  readonly weight?: string | undefined
  readonly household?: string | undefined
  readonly identifier?: string | undefined
  readonly type?: ReleaseType | undefined
  readonly generator?: Generator | undefined
  readonly ownAttackers?: OwnAttackers | undefined
  /** Rules that records must keep, one per line. */
  readonly rules?: RulesText | undefined
  readonly likeness?: readonly (Likeness | null)[] | undefined
  readonly identifiers?: readonly Carrying[] | undefined
  /** Per release: columns of texts in which anything could be hidden. */
  readonly unexplained?: readonly (readonly string[])[] | undefined
  /** Numeric columns to be grouped into classes, for every measure alike. */
  readonly groups?: Groups | undefined
}

export function release(input: ReleaseInput): Release {
  const released = Array.isArray(input.released) ? (input.released as readonly Table[]) : [input.released as Table]
  const roles = {
    keys: input.keys ?? [],
    numericKeys: input.numericKeys ?? [],
    targets: typeof input.target === 'string' ? [input.target] : (input.target ?? []),
    weight: input.weight ?? null,
    household: input.household ?? null,
    identifier: input.identifier ?? null,
  }
  const misnamed = attackerProblems(input.original, input.attacker, input.attackerColumns)
  if (misnamed.length > 0) throw new UserError(misnamed)
  const tables: Tables = {
    original: input.original,
    released,
    holdout: input.holdout ?? null,
    population: input.population ?? null,
    attacker: input.attacker === undefined ? null : namedAsOurs(input.attacker, input.attackerColumns ?? {}),
  }
  const problems = [...sizeProblems(tables), ...roleProblems(roles), ...columnProblems(tables, roles)]
  if (problems.length > 0) throw new UserError(problems)

  const notes: Note[] = []
  const groups = input.groups ?? {}
  const misfits = new Set<string>()
  const inClasses: ClassedColumn[] = []
  const asGiven = reconcileTables(tables, roles, problems, notes, misfits, inClasses)
  const reconciled = groupTables(asGiven, groups, problems)
  problems.push(...valueProblems(reconciled, roles))
  if (problems.length > 0) throw new UserError(problems)

  const notVariables = new Set([roles.weight, roles.household, roles.identifier])
  const variables = columnNames(reconciled.original).filter(
    (name) => !notVariables.has(name) && samePeople(reconciled).every((of) => findColumn(of, name) !== undefined),
  )
  const type = input.type ?? 'unknown'
  const compared = variables.map((name) => columnOf(reconciled.original, name))
  const rules = input.rules === undefined ? [] : parseEditRules(input.rules, table(reconciled.original.name, compared))
  const ungrouped = Object.keys(groups).length === 0 ? null : { tables: asGiven, groups }
  const built = {
    ...reconciled,
    ...roles,
    variables,
    type,
    generator: input.generator ?? null,
    ownAttackers: input.ownAttackers,
    likeness: input.likeness ?? [],
    identifiers: input.identifiers ?? [],
    notCovered: released.map((one, part) =>
      columnsNotCovered(
        input.original,
        one,
        misfits,
        new Set(input.unexplained?.[part] ?? []),
        new Set(input.identifiers?.[part]?.identifiers ?? []),
      ),
    ),
    rules,
    notes,
    inClasses,
    ungrouped,
  }
  if (built.holdout !== null) notes.push(...holdoutNotes(built.original, built.holdout, variables))
  return built
}

function columnsNotCovered(
  original: Table,
  released: Table,
  misfits: ReadonlySet<string>,
  unexplained: ReadonlySet<string>,
  identifiers: ReadonlySet<string>,
): readonly NotCovered[] {
  const isOriginals = (name: string) => findColumn(original, name) !== undefined
  const columns: Readonly<Record<NotCovered['code'], readonly string[]>> = {
    unexplained: [...unexplained],
    'other-type': columnNames(released).filter((name) => misfits.has(name) && !unexplained.has(name)),
    'only-released': columnNames(released).filter(
      (name) => !isOriginals(name) && !unexplained.has(name) && !identifiers.has(name),
    ),
    lacking: columnNames(original).filter((name) => findColumn(released, name) === undefined && !identifiers.has(name)),
  }
  return NOT_COVERED.flatMap((code) => (columns[code].length === 0 ? [] : [{ code, columns: columns[code] }]))
}

/** The same release with numbers grouped as synthpop does: breaks of all files together, plain quantiles unless another style was chosen. */
export function groupedAsSynthpop(release: Release): Release {
  if (release.ungrouped === null) return release
  const { tables, groups } = release.ungrouped
  const pooled = Object.entries(groups).map(([name, grouping]): [string, Grouping] => [
    name,
    { ...grouping, style: grouping.style === 'quantile' ? 'synthpop' : grouping.style, pooled: true },
  ])
  return { ...release, ...groupTables(tables, Object.fromEntries(pooled), []), ungrouped: null }
}

interface Tables {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | null
  readonly population: Table | null
  readonly attacker: Table | null
}

type Roles = Pick<Release, 'keys' | 'numericKeys' | 'targets' | 'weight' | 'household' | 'identifier'>

/** The tables whose records are described by all columns; a population has the keys only. */
function samePeople({ original, released, holdout }: Tables): Table[] {
  return [original, ...released, ...(holdout === null ? [] : [holdout])]
}

function allTables(tables: Tables): Table[] {
  const { population, attacker } = tables
  return [...samePeople(tables), ...(population === null ? [] : [population]), ...(attacker === null ? [] : [attacker])]
}

function sizeProblems(tables: Tables): string[] {
  const problems = allTables(tables)
    .filter((one) => one.rows === 0)
    .map((one) => `${one.name} has no records`)
  if (tables.released.length === 0) problems.push('there is no released table to compare with the original')
  return problems
}

function roleProblems({ keys, numericKeys, targets, weight, household, identifier }: Roles): string[] {
  const problems: string[] = []
  const usedAs = new Map<string, string>()
  const claim = (name: string, role: string) => {
    const other = usedAs.get(name)
    if (other === role) problems.push(`"${name}" is given twice as ${role}`)
    else if (other !== undefined) problems.push(`"${name}" cannot be both ${other} and ${role}`)
    else usedAs.set(name, role)
  }
  for (const name of keys) claim(name, 'a key')
  for (const name of numericKeys) claim(name, 'a numeric key')
  for (const name of targets) claim(name, 'a target')
  if (weight !== null) claim(weight, 'the weight')
  if (household !== null) claim(household, 'the household')
  if (identifier !== null) claim(identifier, 'the identifier')
  return problems
}

function columnProblems(tables: Tables, roles: Roles): string[] {
  const problems: string[] = []
  const demand = (file: Table, name: string, role: string) => {
    if (findColumn(file, name) === undefined) {
      problems.push(`${file.name} has no column "${name}" (${role}): ${unknownName('column', name, columnNames(file))}`)
    }
  }
  for (const of of samePeople(tables)) {
    for (const name of roles.keys) demand(of, name, 'a key')
    for (const name of roles.numericKeys) demand(of, name, 'a numeric key')
    for (const name of roles.targets) demand(of, name, 'a target')
  }
  if (tables.population !== null) for (const name of roles.keys) demand(tables.population, name, 'a key')
  if (roles.weight !== null) demand(tables.original, roles.weight, 'the weight')
  if (roles.household !== null) demand(tables.original, roles.household, 'the household')
  if (roles.identifier !== null) demand(tables.original, roles.identifier, 'the identifier')
  const inOriginal = new Set(columnNames(tables.original))
  for (const one of tables.released) {
    if (!columnNames(one).some((name) => inOriginal.has(name))) {
      problems.push(`${tables.original.name} and ${one.name} have no column in common`)
    }
  }
  return problems
}

/** Reconciles every column of the original with its namesakes; a column without a role that does not fit is left out. */
function reconcileTables(
  tables: Tables,
  roles: Roles,
  problems: string[],
  notes: Note[],
  misfits: Set<string>,
  inClasses: ClassedColumn[],
): Tables {
  const inRole = new Set([
    ...roles.keys,
    ...roles.numericKeys,
    ...roles.targets,
    roles.weight,
    roles.household,
    roles.identifier,
  ])
  const all = allTables(tables)
  const kept: Column[][] = all.map(() => [])
  for (const name of columnNames(tables.original)) {
    const owners = all.map((_, k) => k).filter((k) => findColumn(all[k], name) !== undefined)
    const owned = owners.map((k) => columnOf(all[k], name))
    const coarse = numbersInClasses(owned, (at) => owners[at] >= 1 && owners[at] <= tables.released.length)
    if (coarse !== null) {
      inClasses.push(coarse.classed)
      notes.push(note(() => inClassesText(coarse.classed)))
    }
    const columns = reconcile(
      coarse?.columns ?? owned,
      owners.map((k) => all[k].name),
    )
    if (typeof columns !== 'string')
      for (const [k, column] of columns.entries()) kept[owners[k]].push(sharedColumn(column))
    else if (inRole.has(name)) problems.push(columns)
    else {
      misfits.add(name)
      notes.push(
        note(
          (numbers) => `left out: ${numbers.withValues(columns, `the type of "${name}" is not the same in all files`)}`,
        ),
      )
    }
  }
  for (const one of tables.released) {
    const extra = columnNames(one).filter((name) => findColumn(tables.original, name) === undefined)
    if (extra.length > 0)
      notes.push(
        note(() => `${one.name} has columns that ${tables.original.name} has not, left out: ${extra.join(', ')}`),
      )
  }
  const rebuilt = all.map((one, k) => table(one.name, kept[k], one.times))
  const m = tables.released.length
  return {
    original: rebuilt[0],
    released: rebuilt.slice(1, 1 + m),
    holdout: tables.holdout === null ? null : rebuilt[1 + m],
    population: tables.population === null ? null : rebuilt[all.indexOf(tables.population)],
    attacker: tables.attacker === null ? null : rebuilt[all.length - 1],
  }
}

function inClassesText({ column, original, released }: ClassedColumn): string {
  return `the release has "${column}" in ${count(released, 'class', 'classes')}: the ${grouped(original)} numbers of the original are compared in these, and what the classes hide or lose counts neither in leakage nor in utility`
}

/** Replaces numeric columns by their classes in all tables; the classes are the same everywhere. */
function groupTables(tables: Tables, groups: Groups, problems: string[]): Tables {
  const grouped = new Map<Column, Column>()
  for (const [name, grouping] of Object.entries(groups)) {
    const column = findColumn(tables.original, name)
    if (column === undefined)
      problems.push(`cannot group "${name}": ${unknownName('column', name, columnNames(tables.original))}`)
    else if (column.kind === 'categorical') problems.push(`cannot group "${name}": it is not numeric`)
    else groupColumn(tables, name, grouping, grouped)
  }
  const replace = (file: Table) =>
    table(
      file.name,
      file.columns.map((column) => grouped.get(column) ?? column),
      file.times,
    )
  return {
    original: replace(tables.original),
    released: tables.released.map(replace),
    holdout: tables.holdout && replace(tables.holdout),
    population: tables.population && replace(tables.population),
    attacker: tables.attacker && replace(tables.attacker),
  }
}

function groupColumn(tables: Tables, name: string, grouping: Grouping, grouped: Map<Column, Column>): void {
  const owners = allTables(tables).filter((one) => findColumn(one, name) !== undefined)
  const columns = owners.map((one) => columnOf(one, name))
  const { codes, numbers } = codeJointly(columns)
  const pooled = grouping.pooled || grouping.style === 'synthpop' || grouping.style === 'riskutility'
  const counts = new Float64Array(numbers.length)
  let seen = 0
  for (const { rows, times } of pooled ? [tables.original, ...tables.released] : [tables.original])
    for (let row = 0; row < rows; row++, seen++) if (codes[seen] >= 0) counts[codes[seen]] += times?.[row] ?? 1
  const { bins, labels } = binNumbers({ numbers, counts }, grouping)
  let at = 0
  for (const [k, column] of columns.entries()) {
    const binned = codes.subarray(at, at + owners[k].rows).map((code) => (code < 0 ? -1 : bins[code]))
    grouped.set(column, { kind: 'categorical', name, codes: binned, levels: labels, ordered: true })
    at += owners[k].rows
  }
}

function valueProblems(tables: Tables, roles: Roles): string[] {
  const problems: string[] = []
  for (const name of roles.numericKeys) {
    const column = findColumn(tables.original, name)
    if (column !== undefined && column.kind === 'categorical')
      problems.push(
        `the numeric key "${name}" is not numeric; make it a key or declare its type in types: ${name}=numeric`,
      )
  }
  problems.push(...allTables(tables).flatMap(hugeNumbers))
  if (roles.weight === null) return problems
  for (const one of allTables(tables)) {
    const weights = findColumn(one, roles.weight)
    if (weights === undefined) continue
    if (weights.kind !== 'numeric') problems.push(`the weight "${roles.weight}" of ${one.name} is not numeric`)
    else problems.push(...weightProblems(one, weights))
  }
  return problems
}

/** Their squares, and sums of these, are numbers still. */
const LARGEST = 1e150

function hugeNumbers(data: Table): string[] {
  return data.columns.flatMap((column) => {
    if (column.kind === 'categorical') return []
    const row = column.values.findIndex((value) => Math.abs(value) > LARGEST)
    return row < 0
      ? []
      : [
          `column "${column.name}" of ${data.name} has ${column.values[row]} in row ${row + 1}; numbers beyond ${LARGEST} cannot be squared: correct it, or rescale the column`,
        ]
  })
}

function weightProblems(data: Table, weights: NumericColumn): string[] {
  const bad = weights.values.findIndex((weight) => !(weight > 0 && weight < Number.POSITIVE_INFINITY))
  if (bad < 0) return []
  const text = valueAt(weights, bad) ?? 'missing'
  return [
    `the weight "${weights.name}" of ${data.name} must be a positive number in every row; row ${bad + 1} has ${text}`,
  ]
}

/**
 * A holdout that was used to make the release is no control. Complete records may coincide by chance, so the share of
 * holdout records found in the original is compared with the share of original records that have a twin there. Twins come and
 * go together, so the latter varies by Σ c² / n² over groups of c equal records.
 */
function holdoutNotes(original: Table, holdout: Table, variables: readonly string[]): Note[] {
  const columns = variables.map((name) => codeJointly([columnOf(original, name), columnOf(holdout, name)]))
  const { ids, count } = groupRows(columns, original.rows + holdout.rows)
  const inOriginal = new Int32Array(count)
  for (let row = 0; row < original.rows; row++) inOriginal[ids[row]]++
  let shared = 0
  for (let row = original.rows; row < ids.length; row++) if (inOriginal[ids[row]] > 0) shared++
  let [twins, squares] = [0, 0]
  for (const equal of inOriginal) {
    if (equal < 2) continue
    twins += equal
    squares += equal ** 2
  }
  const chance = twins / original.rows
  const noise = 3 * Math.sqrt((chance * (1 - chance)) / holdout.rows + squares / original.rows ** 2)
  if (shared === 0 || shared / holdout.rows <= chance + noise) return []
  return [
    note((numbers) => {
      const people = (n: number) => numbers.count(n, holdout.rows)
      return `${people(shared)} of ${grouped(holdout.rows)} holdout records also occur in the original (by chance ${estimated(people(Math.round(chance * holdout.rows)))}): a holdout must not have been used for the release`
    }),
  ]
}
