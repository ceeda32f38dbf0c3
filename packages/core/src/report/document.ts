import type { Assessment, Fact, ReleaseAssessment, ThreatAssessment } from '../assess/assessment.js'
import { isAlarm, type Level } from '../assess/judge.js'
import { isOpen, reveals, verdictSentence } from '../assess/sentences.js'
import { barChart, type Chart } from '../chart/chart.js'
import { type Audience, type Discretion, discretionFor, withoutSeeds } from '../discretion.js'
import { THREAT_TEXT } from '../evidence/threats.js'
import type { Json, JsonObject } from '../json.js'
import type { AnyMeasure, Result } from '../measure.js'
import { estimated, fixed, grouped, inUnit, inWords, significant, type Unit } from '../print.js'
import type { Reason } from '../reason.js'
import type { Release } from '../table/release.js'
import { countedTexts, isShown, labelTexts, noAlarmTexts, type UtilityView, utilityView } from './answer.js'
import { literatureText } from './findings/evidence-table.js'
import { type ExposedRecords, exposedRecords, type RecordsShown } from './findings/exposed-records.js'
import { byTarget, decidingLook, isFurtherLook } from './findings/findings.js'
import { findingTableView, tablesOf } from './findings/measure-tables.js'
import { reasonText, settlingText } from './findings/reasons.js'
import { type TableView, tableUnlessEmpty, tableView } from './findings/table-view.js'
import { overviewChart } from './pictures/overview-chart.js'
import { picturesOf } from './pictures/pictures.js'
import { type PictureGroup, utilityPictures } from './pictures/utility-pictures.js'

/**
 * The assessment as a document: what a custodian files, a committee reads and a lawyer keeps, in plain values. The
 * components of the report lay it out; nothing here knows of HTML. For a publishable report every number goes through
 * `discretion.ts`, and what measures say in their own words and pictures, which is exact, is left out.
 */
export interface DocumentView {
  readonly audience: Audience
  readonly title: string
  readonly subject: string
  /** What keys and targets are, where the file says so: `sex: Sex of the person`. */
  readonly labels: readonly string[]
  readonly releases: readonly ReleaseDocument[]
  readonly together: string | null
  readonly methods: readonly Method[]
  readonly files: readonly FileRow[]
  /** What is needed to repeat the run, by name. */
  readonly run: readonly (readonly [string, string])[]
  readonly notes: readonly string[]
}

export interface ReleaseDocument {
  readonly name: string
  readonly level: Level
  readonly recommendation: string
  readonly sentence: string
  /** The worst findings, each with what helps. */
  readonly worst: readonly WorstFinding[]
  /** All threats on one scale. */
  readonly overview: Chart | null
  readonly utility: UtilityView | null
  /** Columns, associations and the worst pairs of original and release, side by side. */
  readonly utilityPictures: readonly PictureGroup[]
  readonly threats: readonly ThreatDocument[]
  readonly untested: readonly { readonly question: string; readonly reason: string }[]
  readonly structure: TableView | null
  readonly evidence: TableView
  /** What measures have in tables of their own. */
  readonly tables: readonly MeasureTables[]
}

export interface MeasureTables {
  readonly measure: string
  readonly title: string
  readonly tables: readonly TableView[]
}

interface WorstFinding {
  readonly level: Level
  readonly text: string
  readonly remedy: string
}

export interface ThreatDocument {
  readonly title: string
  readonly question: string
  readonly level: Level
  readonly answer: string
  readonly attacker: string
  readonly leakage: string
  readonly bounds: string
  /** How many are concerned, where leakage was shown. */
  readonly people: string | null
  /** Why it is no alarm although the bounds lie above 0, or that people are counted and no share. */
  readonly remark: string | null
  readonly decidedBy: string
  /** How the measure that decided looked: "against people outside the release"; null where there is nothing to say. */
  readonly look: string | null
  /** The value of the deciding measure among its controls, the release first. */
  readonly scale: readonly { readonly what: string; readonly value: string; readonly isRelease: boolean }[]
  readonly pictures: readonly Chart[]
  readonly drivers: TableView | null
  /** How much of the leakage is gone without each column. */
  readonly columns: TableView | null
  readonly remedy: string | null
  readonly supports: readonly string[]
  readonly contradicts: readonly { readonly measures: string; readonly why: string | null }[]
  readonly structure: TableView | null
  readonly settles: string | null
  /** The most exposed people, one by one; only for readers inside. */
  readonly exposed: ExposedRecords | null
}

export interface Method {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly role: string
  readonly blindTo: string | null
  readonly literature: readonly string[]
  /** Options that were not the usual ones, or all of them where asked. */
  readonly options: string
}

export interface FileRow {
  readonly role: string
  readonly name: string
  /** Null where there are too few to tell readers outside. */
  readonly rows: number | null
  readonly columns: number
  readonly sha256: string
}

/** Who ran what, when, on which files. */
export interface Provenance {
  readonly version: string
  readonly date: string
  readonly command: string | null
  /** What the command took from a file of settings. */
  readonly config?: ConfigSaid | null
  readonly files: readonly FileRow[]
  readonly seconds: number | null
}

export interface ConfigSaid {
  readonly name: string
  readonly sha256: string
  readonly says: string
}

const WORST = 3
const NONE = '–'

export function documentView(
  assessment: Assessment,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  provenance: Provenance,
  audience: Audience,
  /** The tables: for pictures of columns, and for readers inside the most exposed records. */
  shown: RecordsShown | null = null,
): DocumentView {
  const { releases, type, seed } = assessment
  const source = {
    assessment,
    results,
    registry,
    numbers: discretionFor(audience),
    originals: assessment.original.records,
    release: shown?.release ?? null,
  }
  const why = (reason: Reason) => reasonText(reason, source.numbers, source.originals)
  const known = results.flatMap((result) => registry.find(({ id }) => id === result.measure) ?? [])
  return {
    audience,
    title: `Disclosure risk of ${releases.map(({ name }) => name).join(', ')}`,
    subject: [...subjectParts(assessment, source.numbers), `type: ${type}`].join(' · '),
    labels: labelTexts(assessment),
    releases: releases.map((_, index) => releaseDocument(index, source, audience === 'internal' ? shown : null)),
    together:
      assessment.syntheses === null
        ? null
        : `Of ${releases.length} releases the worst is ${assessment.syntheses.worst}: ${assessment.syntheses.level}.`,
    methods: methodsOf(known, results, audience),
    files: filesFor(audience, provenance),
    run: runRows(provenance, seed),
    notes: [
      ...notesFor(audience, assessment),
      ...assessment.failed.map(({ measure, reason }) => `${titleIn(registry, measure)} failed: ${why(reason)}`),
      ...notRunTexts(
        assessment.notRun.map(({ measure, reason }) => ({ title: titleIn(registry, measure), why: why(reason) })),
      ),
    ],
  }
}

function titleIn(registry: readonly AnyMeasure[], id: string): string {
  return registry.find((measure) => measure.id === id)?.title ?? id
}

/** Each reason once, with all measures that it kept from running. */
function notRunTexts(all: readonly { readonly title: string; readonly why: string }[]): readonly string[] {
  return [...new Set(all.map(({ why }) => why))].map((reason) => {
    const titles = all.filter(({ why }) => why === reason).map(({ title }) => title)
    return `Not run: ${titles.join(', ')} (${reason})`
  })
}

/** Who and what it is about: people, those outside, keys and targets. */
export function subjectParts(
  {
    original,
    holdout,
    keys,
    numericKeys,
    targets,
  }: Readonly<Pick<Assessment, 'original' | 'holdout'> & Record<'keys' | 'numericKeys' | 'targets', readonly string[]>>,
  numbers: Discretion,
): string[] {
  const allKeys = [...keys, ...numericKeys]
  return [
    `${numbers.size(original.records)}${original.of === undefined ? '' : ` of ${numbers.size(original.of)}`} people in ${original.name}`,
    holdout === null ? 'no holdout' : `${numbers.size(holdout.records)} people outside (holdout)`,
    allKeys.length === 0 ? 'no keys' : `keys: ${allKeys.join(', ')}`,
    targets.length === 0 ? 'no target' : `target: ${targets.join(', ')}`,
  ]
}

/** What is said about the data, as far as readers may know it. */
export function notesFor(audience: Audience, { notes, publishableNotes }: Assessment): readonly string[] {
  return audience === 'internal' ? notes : publishableNotes
}

/** Where files lie is nobody's business outside, nor is how many people exactly a very small one has. */
export function filesFor(audience: Audience, { files }: Provenance): readonly FileRow[] {
  return audience === 'internal'
    ? files
    : files.map((file) => ({
        ...file,
        name: withoutFolder(file.name),
        rows: file.rows !== null && discretionFor(audience).mayName(file.rows) ? file.rows : null,
      }))
}

/** Which files went in, with their hashes. */
export function filesTable(files: readonly FileRow[]): TableView {
  return tableView(
    'Files',
    ['file', 'role', 'records', 'columns', { title: 'SHA-256', as: 'code' }],
    files.map(({ name, role, rows, columns, sha256 }) => [
      name,
      role,
      rows === null ? discretionFor('publishable').size(0) : grouped(rows),
      String(columns),
      sha256,
    ]),
  )
}

function withoutFolder(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

/** Short, and fit for every reader: what else a file of settings may hold, such as levels, is named but not told. */
const TOLD = ['keys', 'numericKeys', 'target', 'targets', 'weight', 'household', 'type', 'profile', 'measures', 'seed']

/** A file of settings in words, for who wants to repeat the run. */
export function configSays(settings: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(settings)
  const isTold = ([field, value]: [string, unknown]) =>
    TOLD.includes(field) && (typeof value !== 'object' || Array.isArray(value))
  const texts = given
    .filter(isTold)
    .map(([field, value]) => `${inWords(field)} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
  const others = given.filter((one) => !isTold(one)).map(([field]) => inWords(field))
  return [...texts, ...(others.length === 0 ? [] : [`and ${others.join(', ')}`])].join('; ')
}

/** What is needed to repeat the run. The seed is that of the attacks; that of a synthesis is nobody's business. */
export function runRows(
  { version, date, command, config, seconds }: Provenance,
  seed: number,
): (readonly [string, string])[] {
  return [
    ['scrim', version],
    ['run on', date],
    ...(command === null ? [] : [['command', command] as const]),
    ...(config == null
      ? []
      : [[`from ${config.name}`, config.says] as const, [`SHA-256 of ${config.name}`, config.sha256] as const]),
    ['seed of the assessment', String(seed)],
    ...(seconds === null ? [] : [['run time', `${fixed(seconds, 1)} s`] as const]),
  ]
}

export function methodsOf(
  measures: readonly AnyMeasure[],
  results: readonly Result[],
  audience: Audience,
): readonly Method[] {
  return measures
    .map((measure) => methodOf(measure, results))
    .map((method) => (audience === 'internal' ? method : { ...method, options: withoutSeeds(method.options) }))
}

/** What the document of a release is made from, and how exactly its readers may know numbers of so many `originals`. */
interface Source {
  readonly assessment: Assessment
  readonly results: readonly Result[]
  readonly registry: readonly AnyMeasure[]
  readonly numbers: Discretion
  readonly originals: number
  readonly release: Release | null
}

function releaseDocument(index: number, source: Source, shown: RecordsShown | null): ReleaseDocument {
  const { assessment, results, registry, numbers, originals } = source
  const { type, original, targets } = assessment
  const release = assessment.releases[index]
  const { name, threats, notCovered, onlyByNumbers, claim } = release
  const tested = threats.filter(({ level }) => level !== 'NOT ASSESSED')
  const discreet = discreetRelease(release, source)
  return {
    name,
    level: release.verdict.level,
    recommendation: release.verdict.recommendation,
    sentence: verdictSentence({ name, type, originals, notCovered, onlyByNumbers, claim }, threats, numbers),
    worst: tested
      .filter(({ level }) => isAlarm(level))
      .slice(0, WORST)
      .map((threat) => ({
        level: threat.level,
        text: capitalised(reveals(originals, threat, numbers)),
        remedy: capitalised(remedyOf(threat)),
      })),
    overview: tested.length === 0 ? null : overviewChart({ original, targets, releases: [discreet] }),
    utility: release.utility === null ? null : utilityView(release.utility, numbers, originals),
    utilityPictures:
      release.utility === null ? [] : utilityPictures(index, results, source.release, numbers, release.utility),
    threats: tested.map((threat) => ({
      ...threatDocument(threat, index, source),
      exposed: shown === null ? null : exposedRecords(threat, index, results, registry, shown),
    })),
    untested: threats
      .filter((threat) => isOpen(threat, type))
      .map((threat) => ({
        question: questionOf(threat, source),
        reason: threat.reason === null ? 'no reason given' : reasonText(threat.reason, numbers, originals),
      })),
    structure: factTable(release.structure, source),
    evidence: evidenceTable(index, source),
    tables: measureTables(index, source),
  }
}

function measureTables(index: number, { results, registry, numbers, originals }: Source): readonly MeasureTables[] {
  return results.flatMap((result) => {
    const measure = registry.find(({ id }) => id === result.measure)
    const release = result.releases[index]
    if (measure === undefined || release === undefined) return []
    const tables = tablesOf(measure, { ...result, releases: [release], pooled: null }).flatMap(
      (table) => findingTableView(table, numbers, originals) ?? [],
    )
    return tables.length === 0 ? [] : [{ measure: measure.id, title: measure.title, tables }]
  })
}

/** The release with its leakage as exact as it may be drawn. */
function discreetRelease(release: ReleaseAssessment, { originals, numbers }: Source): ReleaseAssessment {
  return {
    ...release,
    threats: release.threats.map((threat) => ({
      ...threat,
      leakage: threat.leakage === null ? null : numbers.shareValue(threat.leakage, originals),
      interval: threat.interval === null ? null : numbers.boundValues(threat.interval, originals),
    })),
  }
}

function threatDocument(threat: ThreatAssessment, index: number, source: Source): Omit<ThreatDocument, 'exposed'> {
  const { results, registry, numbers, originals } = source
  const { level, leakage, interval, people, decidedBy, value, unit, controls, drivers, supports, contradicts } = threat
  const text = THREAT_TEXT[threat.threat]
  const figure = (number: number) => figureText(number, unit, source)
  const reasons = [...new Set(contradicts.map(({ why }) => why))]
  const measure = registry.find(({ id }) => id === decidedBy)
  const result = results.find((one) => one.measure === decidedBy)
  return {
    title: text.title,
    question: questionOf(threat, source),
    level,
    answer: answerOf(threat, source),
    attacker: text.attacker,
    leakage: leakage === null ? NONE : numbers.leakage(leakage, originals),
    bounds: interval === null ? NONE : numbers.leakageBounds(interval, originals),
    people:
      people === null || !isShown(threat)
        ? null
        : `${estimated(numbers.count(people, originals))} of ${numbers.size(originals)}`,
    remark: [...noAlarmTexts(threat, numbers, originals), ...countedTexts(threat, originals)].join('; ') || null,
    decidedBy: measure?.title ?? NONE,
    look: threat.look,
    scale: [
      ...(value === null ? [] : [{ what: 'this release', value: figure(value), isRelease: true }]),
      ...[controls?.nothing, controls?.fair, controls?.everything].flatMap((control, k, all) =>
        // Where the fair control is chance, it is said once.
        control === undefined || all.findIndex((other) => other?.what === control.what) < k
          ? []
          : [{ what: control.what, value: figure(control.value), isRelease: false }],
      ),
      ...(controls?.everything?.fair === undefined
        ? []
        : [{ what: 'its fair control', value: figure(controls.everything.fair), isRelease: false }]),
    ],
    pictures:
      numbers.audience === 'publishable' || measure === undefined || result === undefined
        ? []
        : picturesOfLook(measure, result, index, threat, source.assessment),
    drivers: tableUnlessEmpty(
      'Who drives it: what the release adds about each of them',
      ['group', 'people', 'each', 'bounds', 'overall'],
      drivers
        .filter(({ people }) => numbers.mayName(people))
        .map((driver) => [
          `${driver.column} ${driver.level}`,
          numbers.count(driver.people, originals),
          numbers.share(driver.mean, driver.people),
          driver.lower === null || driver.upper === null
            ? NONE
            : numbers.bounds({ lower: driver.lower, upper: driver.upper }, driver.people),
          numbers.share(driver.overall, originals),
        ]),
    ),
    columns: tableUnlessEmpty(
      'Which columns carry it: leakage that goes away without the column',
      ['column', 'points', 'bounds'],
      threat.columns.map(({ column, share, ...bounds }) => [
        column,
        numbers.share(share, originals, 0),
        numbers.bounds(bounds, originals),
      ]),
    ),
    remedy: isAlarm(level) ? capitalised(remedyOf(threat)) : null,
    supports: [...new Set(supports.map(({ measure: id }) => titleIn(registry, id)))],
    contradicts: reasons.map((why) => ({
      measures: [
        ...new Set(contradicts.filter((one) => one.why === why).map(({ measure: id }) => titleIn(registry, id))),
      ].join(', '),
      why,
    })),
    structure: factTable(threat.structure, source),
    settles: threat.settles === null ? null : settlingText(threat.settles),
  }
}

/** With its target where there are several. */
function questionOf({ threat, target }: ThreatAssessment, { assessment }: Source): string {
  return withTarget(THREAT_TEXT[threat].question, assessment.targets.length > 1 ? target : null)
}

function answerOf(threat: ThreatAssessment, { originals, numbers }: Source): string {
  const { level, interval, shareOfPeople, reason } = threat
  if (isAlarm(level)) return `Yes: ${reveals(originals, threat, numbers)}.`
  if (level === 'INCONCLUSIVE')
    return `Not known: up to ${numbers.atMost(interval?.upper ?? 1, originals)} of what the original itself would give cannot be ruled out.`
  if (reason !== null) return `No: ${reasonText(reason, numbers, originals)}.`
  return `No more than about other people: beyond what they explain it concerns at most ${numbers.atMost(shareOfPeople?.upper ?? 1, originals)} of people.`
}

/** The charts of the measure that decided, of the very look that did; where that is a further look, what it compares. */
function picturesOfLook(
  measure: AnyMeasure,
  result: Result,
  index: number,
  threat: ThreatAssessment,
  assessment: Assessment,
): readonly Chart[] {
  const deciding = decidingLook(threat, [result], index)
  if (deciding === null) return []
  const { finding, look } = deciding
  if (look === null) {
    const isOneOfSeveral = result.releases[index].targets !== undefined
    const own = isOneOfSeveral ? { ...finding, targets: [finding] } : finding
    return picturesOf(measure, { ...result, releases: [own], pooled: null }, assessment, false).map(
      ({ chart }) => chart,
    )
  }
  const { nothing, fair, everything } = look.controls
  return [
    barChart({ name: 'look', title: `${measure.title}, ${threat.look}: ${finding.name}`, x: '', y: measure.unit }, [
      { label: 'this release', value: look.value },
      ...[nothing, fair, everything].flatMap((control) =>
        control === undefined ? [] : [{ label: control.what, value: control.value, series: 'original' as const }],
      ),
    ]),
  ]
}

/** The column that drives the threat takes its place in the advice. */
function remedyOf({ threat, drivers }: ThreatAssessment): string {
  return THREAT_TEXT[threat].remedy.replace('KEY', drivers[0]?.column ?? 'the keys')
}

function figureText(value: number, unit: Unit | null, { originals, numbers }: Source): string {
  if (unit === 'share' || unit === 'difference') return numbers.share(value, originals)
  if (unit === 'count') return numbers.count(value, originals)
  // A mean score over people that is nearly 0 would tell of one of them.
  const rounded = unit === 'score' ? Number(fixed(value, 2)) : significant(value, 2)
  return unit === null ? String(value) : inUnit(rounded, unit)
}

function factTable(facts: readonly Fact[], source: Source): TableView | null {
  return tableUnlessEmpty(
    'Structure of the file',
    ['fact', 'this release', 'the original'],
    facts.map(({ title, target, value, unit, original }) => [
      withTarget(title, target),
      ...[value, original].map((number) => (number === null ? NONE : figureText(number, unit, source))),
    ]),
  )
}

/** Measures that decide are shown by the look that did. */
function evidenceTable(index: number, source: Source): TableView {
  const { results, registry, numbers, originals, assessment } = source
  const { threats } = assessment.releases[index]
  const rows = results.flatMap((result) => {
    const measure = registry.find(({ id }) => id === result.measure)
    const release = result.releases[index]
    if (measure === undefined || release === undefined || measure.role === 'utility') return []
    return byTarget(release).flatMap(({ status, value, leakage, controls, target }) => {
      if (status !== 'ok' || value === null) return []
      const decided = threats.find((threat) => threat.decidedBy === measure.id && threat.target === target)
      const isOtherLook = decided !== undefined && isFurtherLook(decided)
      const notes = [...(target === null ? [] : [target]), ...(isOtherLook ? [decided.look ?? ''] : [])]
      const shown = isOtherLook
        ? { value: decided.value ?? value, leakage: decided.leakage, controls: decided.controls }
        : { value, leakage: leakage?.value ?? null, controls }
      const { fair, everything } = shown.controls ?? {}
      const beside = [fair?.value, everything?.value, shown.leakage === null ? undefined : everything?.fair]
      return [
        [
          notes.length === 0 ? measure.title : { text: measure.title, note: `(${notes.join('; ')})` },
          measure.role,
          figureText(shown.value, measure.unit, source),
          ...beside.map((number) => (number === undefined ? NONE : figureText(number, measure.unit, source))),
          shown.leakage === null ? NONE : numbers.leakage(shown.leakage, originals),
        ],
      ]
    })
  })
  const terms = ['measure', 'role'].map((title) => ({ title, as: 'term' as const }))
  return tableView('Every measure', [...terms, 'value', 'fair', 'original', 'its fair', 'leakage'], rows)
}

export function withTarget(title: string, target: string | null): string {
  return target === null ? title : `${title} (${target})`
}

function methodOf(measure: AnyMeasure, results: readonly Result[]): Method {
  const options = results.find((result) => result.measure === measure.id)?.options ?? {}
  return {
    id: measure.id,
    title: measure.title,
    summary: measure.summary,
    role: measure.role,
    blindTo: measure.blindTo ?? null,
    literature: literatureText(measure),
    options: optionsText(options),
  }
}

function optionsText(options: JsonObject): string {
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined || isNothing(value) ? [] : [`${inWords(name)} ${plain(value)}`]))
    .join(', ')
}

function isNothing(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
