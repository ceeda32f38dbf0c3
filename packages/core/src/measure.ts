import { z } from 'zod'
import type { Chart } from './chart/chart.js'
import { NotApplicable, reasonOf, UserError } from './errors.js'
import type { WorkKey } from './evidence/bibliography.js'
import { byShare, type ColumnShare, columnShare } from './evidence/column-shares.js'
import { type Driver, driversOf } from './evidence/drivers.js'
import {
  type Controls,
  ceilingOf,
  type Effect,
  exposureOf,
  type Leakage,
  type Look,
  leakageOf,
  type ShareOfPeople,
  shareOfPeople,
  tracedControls,
} from './evidence/evidence.js'
import type { FindingTable } from './evidence/finding-table.js'
import type { Threat } from './evidence/threats.js'
import type { Trick } from './evidence/tricks.js'
import type { UtilityEvidence } from './evidence/usefulness.js'
import { type Json, type JsonObject, nonFinitePath } from './json.js'
import { usedHoldout } from './neighbors/used-holdout.js'
import { parseOptions } from './options.js'
import { count, grouped, type Unit } from './print.js'
import { type Stream, stream } from './random/stream.js'
import type { Because, Need, Reason } from './reason.js'
import { type Interval, tInterval } from './stats/intervals.js'
import { SIGNIFICANCE } from './stats/levels.js'
import { mean, standardDeviation } from './stats/sums.js'
import { type Part, type Subject, tableOfPart } from './table/classes.js'
import { nothingMatches } from './table/overlap.js'
import { countsFor, type Release, type SampleSize, withCounted } from './table/release.js'
import type { ColumnSet } from './table/table.js'
import { type AbortSignalLike, inline, type TaskRunner, throwIfAborted } from './tasks/task.js'

export type { Need } from './reason.js'
export type { Subject } from './table/classes.js'

/**
 * A measure is one value with everything that the command line, the report, the map, the page and the docs need: what it
 * is, what it needs, its options, its computation, its thresholds and its pictures. It is also a function:
 * `await disco(release, { ... })`. It gives evidence and judges nothing; the one judge is `assess/judge.ts`.
 *
 * `scope` says what is computed: `file` measures one table, so the original is measured beside every release; `pair`
 * measures a release against the original. `orientation` is the only place that says whether higher is worse.
 */
export interface MeasureDeclaration<Options extends z.ZodObject, Details extends JsonObject> {
  readonly id: string
  /** 1 unless said otherwise; raised where the same data give another number. */
  readonly version?: number
  readonly title: string
  /** One line for listings: what the number says. */
  readonly summary: string
  readonly family: Family
  /** What it is evidence for; only a measure of risk has one. */
  readonly threat?: Threat
  readonly role: Role
  readonly orientation: Orientation
  readonly scope: 'file' | 'pair'
  /** What is measured: the file, or the generator that makes such files (then `assess` needs to be told of it). */
  readonly about?: 'release' | 'generator'
  /** The smallest profile of `assess` that runs it, `standard` unless said otherwise; what decides always runs. */
  readonly profile?: 'standard' | 'full'
  readonly needs: readonly Need[]
  /** What it needs with these options, where that is less than `needs`. */
  needsWith?(options: z.output<Options>, release: Release): readonly Need[]
  readonly unit: Unit
  /** Bounds of the headline; from 0 to 1 unless said otherwise. */
  readonly range?: readonly [number, number]
  /** What it cannot see, to complete "it is blind to"; said where it contradicts the measure that decides. */
  readonly blindTo?: string
  /** Tricks that make a leaking release look better to it, and why. */
  readonly fooledBy?: Readonly<Partial<Record<Trick, string>>>
  /** Whether the value rests on random draws over rows: another order of rows or keys is then another draw. */
  readonly stochastic?: boolean
  /** What the interval of the headline allows for; a measure with an interval says so, and docs/coverage.md shows how well. */
  readonly varies?: readonly Varying[]
  /** Whether it needs nobody outside the release, and with a holdout has a further look at them. */
  readonly alsoOutside?: boolean
  /** In how many ways it looks at people outside, where it needs them; 1 unless said otherwise. */
  readonly looksOutside?: number
  /** Whether it finds people by name: what chance does not explain is HIGH however few they are, and is told in its own sentence. */
  readonly namesPeople?: boolean
  /** Whether it asks about the release as it is alone, and not through views. */
  readonly asItIs?: boolean
  /** Whether it takes long on a release and cannot be cut into tasks: on several threads it is one task, beside the measures that can. */
  readonly alone?: (release: Release) => boolean
  /** Whether it looks at every column that is no key where nobody names a target. */
  readonly everyTarget?: boolean
  /** Whether several syntheses are also attacked together, as somebody can who holds them all. */
  readonly pools?: boolean
  /**
   * Whether it depends, with these options, only on how often the keys and a target occur together: where tables are samples, it is
   * asked about the counts of all records. Its rows then stand for several records each (`timesOfPart`).
   */
  isOfCounts?(options: z.output<Options>): boolean
  /**
   * The sets of columns whose values, counted together, are all that it depends on with these options: where tables are samples, it is
   * asked about these counts of all records, which it finds by `countedBy`. None where it depends on more.
   */
  countedColumns?(options: z.output<Options>, release: Release): readonly ColumnSet[]
  /** Where some of these are sets of classes: the class of each value of a number, in the original and then in the one release. */
  classesOfNumber?(options: z.output<Options>, release: Release, name: string): ArrayLike<number>
  readonly options: Options
  /** What is wrong with these options on this release, one sentence each: a mistake of the user's, told before the run. */
  check?(release: Release, options: z.output<Options>): readonly string[]
  compute(subject: Subject, options: z.output<Options>, context: Context): Finding<Details> | Promise<Finding<Details>>
  /** The works it goes back to; without any it is scrim's own. */
  readonly citations?: readonly WorkKey[]
  /** The scores of single records, the one that people are ordered by first. A name ending in `*` stands for all that begin so. */
  readonly records?: Readonly<Record<string, RecordScore>>
  /** Cuts that the literature uses, shown beside the value. */
  readonly literature?: readonly Threshold[]
  /** The finding in a sentence that a custodian understands. */
  sentence(finding: Published<Details>): string
  charts(finding: Published<Details>, about: ChartSubject<Details>): readonly Chart[]
  /** Pictures of several releases together, such as a curve with its band over syntheses of the same original. */
  chartsOver?(findings: readonly Published<Details>[]): readonly Chart[]
  /** What its users look up, in rows and columns. */
  tables?(finding: Published<Details>, about: TableSubject): readonly FindingTable[]
}

/** What a picture is of: the name of the release, and the same finding for the original where the measure looks at one file. */
export interface ChartSubject<Details extends JsonObject> {
  /** Of the release, with the target where there are several. */
  readonly name: string
  readonly original: Published<Details> | null
  /** All targets, riskiest first, when there are several. */
  readonly targets: readonly ReleaseFinding<Details>[]
}

/** What a table is of. */
interface TableSubject {
  readonly target: string | null
}

type Family =
  | 'frequency'
  | 'attribution'
  | 'inference'
  | 'distance'
  | 'membership'
  | 'article29'
  | 'linkage'
  | 'generator'
  | 'utility'
  | 'outputs'
/**
 * `decides`: calibrated against a fair control; one per threat, or several where none sees all that the others see. `supports`: a published measure that looks at the same
 * threat. `structure`: a fact about a file. `diagnoses`: says why. `utility`: says how useful the release is.
 */
export type Role = 'decides' | 'supports' | 'structure' | 'diagnoses' | 'utility'
/**
 * `people`: others of the population, in the release and outside it. `release`: other records drawn by the same generator, as
 * fitted. `attacker`: the attacker's own random numbers.
 */
type Varying = 'people' | 'release' | 'attacker'
/** What a higher value means: more disclosure, a more useful release, or one that is further from the original. */
export type Orientation = 'risk' | 'utility' | 'distance'
/** Whether a higher value is worse, for the people or for the users of the data. */
export const higherIsWorse = (orientation: Orientation): boolean => orientation !== 'utility'
interface Threshold {
  readonly value: number
  readonly meaning: string
  readonly source: string
}

export interface Context {
  readonly seed: number
  /** Random numbers for a purpose within this measure; the same for any number of threads. */
  readonly random: (purpose: string, index?: number) => Stream
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignalLike | undefined
  /** Where heavy work runs: on this thread or on several. */
  readonly tasks: TaskRunner
}

export interface Finding<Details extends JsonObject = JsonObject> {
  /** The headline, or null with `reason`. */
  readonly value: number | null
  /** Why these data give no number, in the measure's own words. */
  readonly reason?: string
  /** Null when the value is exact given the file, or cannot be had; `details` or `warnings` say which. */
  readonly interval: Interval | null
  /** What the same attack reaches with other releases of the same original. */
  readonly controls?: Controls
  /** By how much the value exceeds the fair control. */
  readonly effect?: Effect
  /** How many people are concerned, where the measure counts them one by one; null where the effect does not count people, leakage × all people when not given. */
  readonly people?: number | null | undefined
  /** Share of people of whom the original itself would reveal more; the ceiling of the effect when not given. */
  readonly reach?: number | undefined
  readonly peoplePerEffect?: number | undefined
  /** It looks for a part of the threat only: it can alarm and cannot reassure. */
  readonly narrow?: boolean
  /** Further comparisons for the same threat, with other fair controls. */
  readonly looks?: readonly Look[]
  /** Why this finding can speak neither for nor against the release, e.g. because there is nobody to compare with. */
  readonly notAssessed?: Because
  /** What the release adds about each original record, NaN where unknown: who drives the effect. Only groups are published. */
  readonly added?: () => ArrayLike<number>
  /** The same for somebody who does without a key: where that is cheap, the keys that drive the effect are found by it. */
  readonly addedWithout?: (key: string) => ArrayLike<number>
  /** Where tables are samples: all of their records were looked at nevertheless. What is added about single ones is left out then. */
  readonly isOfAll?: boolean
  /** What every measure of utility says besides its value. */
  readonly utility?: UtilityEvidence
  readonly details: Details
  /** What the details were made of, for figures that other software makes of the same; in no result. */
  readonly workings?: object
  readonly warnings?: readonly string[]
  /** One number per row of the measured table (of the original, for a pair), NaN where there is none; made and published only when asked for. */
  readonly records?: () => RecordScores
}

/** A finding as it may be shown: without the scores of single records. */
export type Published<Details extends JsonObject = JsonObject> = Omit<
  Finding<Details>,
  'records' | 'added' | 'addedWithout' | 'isOfAll' | 'reason' | 'notAssessed' | 'workings'
>

/** What a score of single records says, and which end of it is the riskier one; null where neither is. */
export interface RecordScore {
  readonly riskier: 'higher' | 'lower' | null
  readonly meaning: string
}

export type RecordScores = Readonly<Record<string, ArrayLike<number>>>

export type Status = 'ok' | 'not applicable' | 'failed'

/** What a run gives: JSON-safe, the same shape for every measure. */
export interface Result<Details extends JsonObject = JsonObject> {
  readonly measure: string
  readonly version: number
  readonly status: Status
  readonly reason?: Reason
  /** Of the release; with several syntheses their mean. */
  readonly value: number | null
  readonly interval: Interval | null
  readonly orientation: Orientation
  readonly seed: number
  readonly options: JsonObject
  /** The same figure for the original, where the measure looks at one file. */
  readonly original: ReleaseFinding<Details> | null
  readonly releases: readonly ReleaseFinding<Details>[]
  /** The attack on all syntheses together, for measures that have it and when there are several. */
  readonly pooled: ReleaseFinding<Details> | null
  readonly details: OverSyntheses
  readonly warnings: readonly string[]
}

export interface OverSyntheses extends JsonObject {
  readonly count: number
  readonly mean: number | null
  readonly sd: number | null
  readonly min: number | null
  readonly max: number | null
  readonly worst: string | null
}

export interface ReleaseFinding<Details extends JsonObject = JsonObject>
  extends Omit<Published<Details>, 'details' | 'warnings' | 'looks'> {
  readonly name: string
  readonly reason?: Reason
  readonly notAssessed?: Reason
  /** Place between independent marginals and the original; null where the scale has no ends. */
  readonly exposure: number | null
  /** Place between the fair control and the original; null with `notAssessed`, or where nothing is compared. */
  readonly leakage: Leakage | null
  readonly shareOfPeople?: ShareOfPeople | null
  readonly looks?: readonly ScaledLook[]
  /** The same question about the release with something undone; only by `assess`, for measures that decide. */
  readonly views?: readonly ViewFinding<Details>[]
  /** Groups of people about whom more is revealed than about others. */
  readonly drivers: readonly Driver[]
  /** How much of the leakage each key carries, largest first; only where that is cheap to know and there is an effect. */
  readonly columns?: readonly ColumnShare[]
  readonly status: Status
  readonly target: string | null
  /** The records that were looked at, where these are a sample. */
  readonly sample?: SampleSize
  readonly records?: RecordScores
  /** What the release adds about each original record, NaN where unknown; only with `records`. */
  readonly addedByRecord?: ArrayLike<number>
  /** Null unless the status is ok. */
  readonly details: Details | null
  readonly warnings: readonly string[]
  readonly sentence: string
  /** With several targets: each, riskiest first; the fields above are then those of the riskiest. */
  readonly targets?: readonly ReleaseFinding<Details>[]
}

type ScaledLook = Omit<Look, 'added'> & {
  readonly leakage: Leakage | null
  readonly shareOfPeople: ShareOfPeople | null
  readonly drivers: readonly Driver[]
  /** What it adds about each original record; only with `records`. */
  readonly addedByRecord?: ArrayLike<number>
}

interface ViewFinding<Details extends JsonObject = JsonObject> {
  readonly view: string
  /** To complete "the same question, asked ...". */
  readonly what: string
  readonly finding: ReleaseFinding<Details>
}

export interface RunOptions {
  readonly seed?: number
  /** Keep one score per record in the result. */
  readonly records?: boolean
  /** Is told what each release adds about each original record, which no result holds. */
  readonly added?: (about: AddedTo) => void
  readonly progress?: (done: number, total: number) => void
  readonly signal?: AbortSignalLike
  readonly tasks?: TaskRunner
}

/** What a release adds about each original record beyond the fair control, NaN where unknown. */
export interface AddedTo {
  readonly measure: string
  readonly target: string | null
  readonly part: Part
  readonly scores: ArrayLike<number>
}

export const DEFAULT_SEED = 1

interface Declared<Options extends z.ZodObject, Details extends JsonObject>
  extends MeasureDeclaration<Options, Details> {
  readonly version: number
  readonly thresholds: { readonly literature: readonly Threshold[] }
}

export interface Measure<Options extends z.ZodObject, Details extends JsonObject> extends Declared<Options, Details> {
  (release: Release, options?: z.input<Options>, how?: RunOptions): Promise<Result<Details>>
  run(release: Release, options?: object, how?: RunOptions): Promise<Result<Details>>
}

/** A measure whose options and details are not known to the compiler, as the registry hands it out. */
export interface AnyMeasure extends Declared<z.ZodObject, JsonObject> {
  run(release: Release, options?: object, how?: RunOptions): Promise<Result>
}

export function measure<Options extends z.ZodObject, Details extends JsonObject>(
  declaration: MeasureDeclaration<Options, Details>,
): Measure<Options, Details> {
  const { version = 1, literature = [] } = declaration
  const declared = { ...declaration, version, thresholds: { literature } }
  const run = (release: Release, options: object = {}, how: RunOptions = {}) =>
    runMeasure(declared, release, options, how)
  return Object.assign((...args: Parameters<typeof run>) => run(...args), declared, { run })
}

/** The random numbers of a measure, wherever it draws. */
export function randomOf(id: string, seed: number): Context['random'] {
  return (purpose, index) => stream(seed, `${id}/${purpose}`, index)
}

async function runMeasure<Options extends z.ZodObject, Details extends JsonObject>(
  declared: Declared<Options, Details>,
  asked: Release,
  input: object,
  run: RunOptions,
): Promise<Result<Details>> {
  const release = withTargetsFor(declared, asked)
  const options = parseOptions(declared.id, declared.options, input)
  const declaration = { ...declared, needs: needsFor(declared, options, release) }
  const seed = run.seed ?? DEFAULT_SEED
  const head = {
    measure: declaration.id,
    version: declaration.version,
    orientation: declaration.orientation,
    seed,
    options: options as JsonObject,
    warnings: release.notes.map(({ internal }) => internal),
  }
  const unmet = unmetNeeds(declaration, release)
  if (unmet !== undefined) return { ...head, ...noFindings('not applicable', unmet) }
  checkOptions(declaration, release, options)
  const context: Context = {
    seed,
    random: randomOf(declaration.id, seed),
    progress: run.progress ?? (() => {}),
    signal: run.signal,
    tasks: run.tasks ?? inline,
  }
  const find = (part: Part) => findAllTargets(declaration, release, part, options, context, run)
  const original = declaration.scope === 'file' ? await find('original') : null
  const releases: ReleaseFinding<Details>[] = []
  for (const part of release.released.keys()) releases.push(await find(part))
  const pooled = declaration.pools && releases.length > 1 ? await find('all') : null
  const details = overSyntheses(declaration.orientation, releases)
  const only = releases.length === 1 ? releases[0] : undefined
  const failure = releases.find((finding) => finding.status !== 'ok')
  const bad = failure !== undefined && releases.every((finding) => finding.status !== 'ok') ? failure : undefined
  const reason = bad?.reason ?? only?.reason
  return {
    ...head,
    status: bad?.status ?? 'ok',
    ...(reason === undefined ? {} : { reason }),
    value: details.mean,
    interval: only === undefined ? meanInterval(releases) : only.interval,
    original,
    releases,
    pooled,
    details,
  }
}

/** The release as the measure looks at it alone: with every other column for a target where it does that and nobody names one. */
export function withTargetsFor({ everyTarget }: Pick<AnyMeasure, 'everyTarget'>, release: Release): Release {
  const { targets, variables, keys, numericKeys } = release
  if (!everyTarget || targets.length > 0 || keys.length === 0) return release
  return { ...release, targets: variables.filter((name) => !keys.includes(name) && !numericKeys.includes(name)) }
}

/** The part of a result that says why there is none. */
export function noFindings(status: Exclude<Status, 'ok'>, reason: Reason) {
  const details = overSyntheses('risk', [])
  return { status, reason, value: null, interval: null, original: null, releases: [], pooled: null, details }
}

export interface OptionDescription {
  readonly name: string
  readonly description: string
  readonly default: Json
}

/** The options of a measure with their defaults, as declared. */
export function optionsOf(declaration: Pick<AnyMeasure, 'options'>): readonly OptionDescription[] {
  const defaults = declaration.options.parse({}) as JsonObject
  return Object.entries(declaration.options.shape).map(([name, schema]) => ({
    name,
    description: (schema instanceof z.ZodType ? schema.description : undefined) ?? '',
    default: defaults[name] ?? null,
  }))
}

/** Contradictory options are the user's mistake, told before anything is computed. */
export function checkOptions<Options extends z.ZodObject, Details extends JsonObject>(
  declaration: Pick<MeasureDeclaration<Options, Details>, 'id' | 'check'>,
  release: Release,
  options: z.output<Options>,
): void {
  const problems = declaration.check?.(release, options) ?? []
  if (problems.length > 0) throw new UserError(problems.map((problem) => `${declaration.id}: ${problem}`))
}

/** What a measure needs with these options. */
export function needsFor<Options extends z.ZodObject, Details extends JsonObject>(
  declaration: Pick<MeasureDeclaration<Options, Details>, 'needs' | 'needsWith'>,
  options: z.output<Options>,
  release: Release,
): readonly Need[] {
  return declaration.needsWith?.(options, release) ?? declaration.needs
}

/** Why the measure cannot run on this release, or undefined. */
export function unmetNeeds(declaration: { readonly needs: readonly Need[] }, release: Release): Reason | undefined {
  const missing = missingNeeds(declaration, release)
  return missing.length === 0 ? undefined : { code: 'needs', needs: [...missing] }
}

/** What the measure needs and the release does not have. */
export function missingNeeds({ needs }: { readonly needs: readonly Need[] }, release: Release): readonly Need[] {
  const present: Record<Need, boolean> = {
    keys: release.keys.length > 0,
    'numeric keys': release.numericKeys.length > 0,
    target: release.targets.length > 0,
    holdout: release.holdout !== null,
    population: release.population !== null,
    weight: release.weight !== null,
    household: release.household !== null,
    'paired rows': release.type === 'perturbed',
    generator: release.generator !== null,
    rules: release.rules.length > 0,
  }
  return needs.filter((need) => !present[need])
}

type Keep = Pick<RunOptions, 'records' | 'added'>

async function findAllTargets<Options extends z.ZodObject, Details extends JsonObject>(
  declaration: MeasureDeclaration<Options, Details>,
  release: Release,
  part: Part,
  options: z.output<Options>,
  context: Context,
  keep: Keep,
): Promise<ReleaseFinding<Details>> {
  const perTarget = declaration.needs.includes('target')
  const targets = perTarget ? release.targets : ['']
  const findings: ReleaseFinding<Details>[] = []
  for (const target of targets) {
    throwIfAborted(context.signal)
    const name = part === 'all' ? 'all releases together' : tableOfPart(release, part).name
    const head = { name, target: perTarget ? target : null }
    findings.push(await findOne(declaration, { release, part, target }, options, context, head, keep))
  }
  if (findings.length === 1) return findings[0]
  const sign = higherIsWorse(declaration.orientation) ? -1 : 1
  const order = (finding: ReleaseFinding) => (finding.value === null ? Number.POSITIVE_INFINITY : sign * finding.value)
  findings.sort((a, b) => order(a) - order(b) || 0)
  return { ...findings[0], targets: findings }
}

async function findOne<Options extends z.ZodObject, Details extends JsonObject>(
  declaration: MeasureDeclaration<Options, Details>,
  subject: Subject,
  options: z.output<Options>,
  context: Context,
  head: { name: string; target: string | null },
  keep: Keep,
): Promise<ReleaseFinding<Details>> {
  const counts = declaration.isOfCounts?.(options) === true ? countsFor(subject.release, subject.target) : undefined
  const byColumns = withCounted(subject.release, declaration.countedColumns?.(options, subject.release) ?? [])
  const seenAs = { ...subject, release: counts ?? byColumns?.release ?? subject.release }
  try {
    const {
      records,
      added,
      addedWithout,
      looks: seen,
      warnings,
      reason,
      notAssessed,
      workings: _workings,
      isOfAll = counts !== undefined || byColumns?.lacking.length === 0,
      ...computed
    } = await declaration.compute(seenAs, options, context)
    const sample = isOfAll ? undefined : sampleOf(subject)
    const isScanned = isOfAll && seenAs.release === subject.release
    const finding = traced(computed)
    const apart = declaration.scope === 'pair' ? nothingMatches(declaration.needs, seenAs) : null
    const silent = apart ?? notAssessed
    const looks = apart === null ? (isScanned ? seen?.map(lookIn(subject)) : seen)?.map(traced) : undefined
    const broken = nonFinitePath({ ...finding, looks } as unknown as JsonObject)
    if (broken !== undefined) throw new Error(`${declaration.id} gave a number that is not finite at ${broken}`)
    const scores = isScanned ? undefined : added?.()
    const isRecorded = keep.records === true && !isOfAll
    if (scores !== undefined && counts === undefined)
      keep.added?.({ measure: declaration.id, target: head.target, part: subject.part, scores })
    const kept = {
      ...(isRecorded && records !== undefined ? { records: records() } : {}),
      ...(isRecorded && scores !== undefined ? { addedByRecord: scores } : {}),
    }
    const sentence =
      finding.value === null
        ? (reason ?? 'no value')
        : `${declaration.sentence(finding)}${sampleText(sample, byColumns !== undefined)}`
    return {
      ...head,
      status: 'ok',
      ...finding,
      ...(reason === undefined ? {} : { reason: reasonOf(reason) }),
      ...scaled(
        seenAs,
        subject,
        finding,
        silent,
        looks,
        isRecorded,
        await usedOutsiders(subject, finding, looks, context),
      ),
      drivers: scores === undefined ? [] : driversOf(seenAs.release, scores),
      ...sharesOf(seenAs.release, finding, scores, addedWithout),
      ...(sample === undefined ? {} : { sample }),
      warnings: [...(warnings ?? []), ...notCounted(byColumns?.lacking ?? [])],
      sentence,
      ...kept,
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const why =
      error instanceof NotApplicable
        ? { status: 'not applicable' as const, reason: error.reason }
        : { status: 'failed' as const, reason: { code: 'failed' as const, message } }
    const nothing = { value: null, interval: null, exposure: null, leakage: null, drivers: [], details: null }
    return { ...head, ...why, ...nothing, warnings: [], sentence: message }
  }
}

/** How many records of a part are looked at, where these are a sample; of the original where the part is not one. */
function sampleOf({ release: { sample }, part }: Subject): SampleSize | undefined {
  if (sample === undefined) return undefined
  const released = typeof part === 'number' ? sample.released[part] : undefined
  return released !== undefined && released.records < released.of ? released : sample.original
}

/** A look at all records, in the terms of a release of samples: of single records it knows nothing, and numbers of people are of the sample. */
function lookIn({ release: { sample } }: Subject): (look: Look) => Look {
  const share = sample === undefined ? 1 : sample.original.records / sample.original.of
  return ({ added: _, people, ...look }) => ({
    ...look,
    ...(people === undefined ? {} : { people: people === null ? null : Math.round(people * share) }),
  })
}

function sampleText(sample: SampleSize | undefined, isPart: boolean): string {
  if (sample === undefined) return ''
  return ` (${isPart ? 'in part ' : ''}of a sample of ${grouped(sample.records)} of ${count(sample.of, 'record')})`
}

const MOST_NAMED = 5

function notCounted(lacking: readonly ColumnSet[]): string[] {
  if (lacking.length === 0) return []
  const alone = new Set(lacking.flatMap(({ columns }) => (columns.length === 1 ? columns : [])))
  const told = lacking.filter(({ columns }) => columns.length === 1 || !columns.some((name) => alone.has(name)))
  const names = told.slice(0, MOST_NAMED).map(({ columns }) => columns.join(' by '))
  const more = told.length > MOST_NAMED ? ` and ${told.length - MOST_NAMED} more` : ''
  return [`not counted in all records, so that only the sample is looked at: ${names.join(', ')}${more}`]
}

/** With the controls that the leakage can be worked out from. */
function traced<Seen extends Pick<Finding, 'controls' | 'effect'>>(seen: Seen): Seen {
  return seen.controls === undefined ? seen : { ...seen, controls: tracedControls(seen.controls, seen.effect) }
}

function sharesOf(
  { keys, original: { times } }: Release,
  { controls = {}, effect }: Pick<Finding, 'controls' | 'effect'>,
  added: ArrayLike<number> | undefined,
  addedWithout: Finding['addedWithout'],
): Pick<ReleaseFinding, 'columns'> {
  const ceiling = ceilingOf(controls, effect)
  if (added === undefined || addedWithout === undefined || effect === undefined || ceiling === undefined) return {}
  if (effect.p >= SIGNIFICANCE || keys.length < 2) return {}
  return {
    columns: keys
      .flatMap((key) => columnShare(key, added, addedWithout(key), effect, ceiling, times) ?? [])
      .sort(byShare),
  }
}

const restsOnOutsiders = ({ fair }: Controls): boolean => fair?.basis === 'outsiders'

/** Why outsiders prove nothing, asked only where something rests on them. */
async function usedOutsiders(
  { release, part }: Subject,
  { controls = {} }: Pick<Finding, 'controls'>,
  looks: readonly Look[] | undefined,
  context: Context,
): Promise<Reason | null> {
  const isAsked = [controls, ...(looks ?? []).map((look) => look.controls)].some(restsOnOutsiders)
  return isAsked ? usedHoldout(release, part, context) : null
}

/**
 * Exposure and leakage of a finding and of its further looks, of what was seen of the subject that was asked about. What rests on outsiders who turn out to have been used for the
 * release proves nothing: it is not assessed, here and nowhere else.
 */
function scaled(
  { release }: Subject,
  asked: Subject,
  finding: Pick<Finding, 'value' | 'controls' | 'effect' | 'people' | 'reach' | 'peoplePerEffect'>,
  silent: Because | undefined,
  looks: readonly Look[] | undefined,
  isRecorded: boolean,
  usedAt: Reason | null,
) {
  const { value, controls = {}, effect } = finding
  const used = (of: Controls) => (restsOnOutsiders(of) ? usedAt : null)
  const scale = leakageOf(controls, effect)
  const exposure = value === null ? null : exposureOf(value, controls)
  const reason = used(controls) ?? silent ?? (effect !== undefined && scale.place === null ? scale.reason : undefined)
  const leakage = reason === undefined ? scale.place : null
  const isValid = used(controls) === null && silent === undefined
  return {
    exposure,
    leakage,
    shareOfPeople: isValid ? shareOfPeople(controls, effect, finding) : null,
    ...(effect === undefined ? {} : concerned(asked.release, finding.people, leakage)),
    ...(reason === undefined ? {} : { notAssessed: reasonOf(reason) }),
    ...(looks === undefined
      ? {}
      : {
          looks: looks.map(({ added, ...look }) => {
            const scores = added?.()
            const isProof = used(look.controls) === null
            const place = isProof ? leakageOf(look.controls, look.effect).place : null
            return {
              ...look,
              drivers: scores === undefined ? [] : driversOf(release, scores),
              ...(isRecorded && scores !== undefined ? { addedByRecord: scores } : {}),
              leakage: place,
              shareOfPeople: isProof ? shareOfPeople(look.controls, look.effect, look) : null,
              ...concerned(asked.release, look.people, place),
            }
          }),
        }),
  }
}

/**
 * How many people are concerned: leakage × all people, as many as if their own records stood in the release as they are, so that a copy
 * concerns everybody. A measure that counts them one by one knows better.
 */
function concerned({ original }: Release, people: Look['people'], leakage: Leakage | null): { people?: number | null } {
  if (people !== undefined) return {}
  return { people: leakage === null ? null : Math.round(original.rows * Math.min(1, Math.max(0, leakage.value))) }
}

function overSyntheses(orientation: Orientation, releases: readonly ReleaseFinding[]): OverSyntheses {
  const found = releases.filter((finding) => finding.value !== null)
  const values = found.flatMap((finding) => finding.value ?? [])
  if (values.length === 0) return { count: releases.length, mean: null, sd: null, min: null, max: null, worst: null }
  const min = Math.min(...values)
  const max = Math.max(...values)
  return {
    count: releases.length,
    mean: mean(values),
    sd: standardDeviation(values),
    min,
    max,
    worst: found[values.indexOf(higherIsWorse(orientation) ? max : min)].name,
  }
}

/** A t interval for the mean needs three syntheses to say anything. */
function meanInterval(releases: readonly ReleaseFinding[]): Interval | null {
  const values = releases.flatMap((finding) => (finding.value === null ? [] : [finding.value]))
  return values.length < 3 ? null : tInterval(values)
}
