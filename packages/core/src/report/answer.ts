import type { Assessment, Fact, Opinion, ReleaseAssessment, ThreatAssessment } from '../assess/assessment.js'
import { isAlarm, type Level } from '../assess/judge.js'
import { arePeopleCounted, isOpen } from '../assess/sentences.js'
import type { UsefulnessLevel, UtilityAssessment, UtilityRow } from '../assess/usefulness.js'
import { type Discretion, INTERNAL, leakageText } from '../discretion.js'
import { THREAT_TEXT } from '../evidence/threats.js'
import { count, fixed, grouped, inUnit, percent, pText, sampleText, significant } from '../print.js'
import { SIGNIFICANCE } from '../stats/levels.js'
import { byReason, reasonText, settlingText } from './findings/reasons.js'
import { type TableView, tableView } from './findings/table-view.js'

/**
 * The answer as a person reads it, in plain values: the command line lays it out on a screen, the report and the page as
 * components. Nothing here knows of columns, flags or HTML.
 */
export interface AnswerView {
  /** What is to be known before all else: that a release is the original. */
  readonly first: readonly string[]
  readonly subject: string
  /** What keys and targets are, where the file says so: `sex: Sex of the person`. */
  readonly labels: readonly string[]
  readonly releases: readonly ReleaseView[]
  /** Over several releases of one synthesizer. */
  readonly together: string | null
  readonly notes: readonly string[]
  readonly failed: readonly string[]
}

export interface ReleaseView {
  readonly name: string
  readonly level: Level
  readonly recommendation: string
  readonly sentence: string
  readonly threats: readonly ThreatRow[]
  /** What each leakage is worked out from, a line for each threat. */
  readonly restsOn: readonly string[]
  readonly drivers: readonly string[]
  /** Columns that carry the leakage, a line for each threat. */
  readonly columns: readonly string[]
  readonly supports: readonly string[]
  readonly contradicts: readonly string[]
  /** Threats through which nothing could leak, with the reason. */
  readonly nothingToTell: readonly string[]
  readonly untested: readonly string[]
  readonly settles: readonly string[]
  readonly structure: readonly string[]
  readonly utility: UtilityView | null
  /** What the records of a perturbed release look like, behind the threat that it is evidence for. */
  readonly behind: readonly string[]
}

/** How useful a release is. */
export interface UtilityView {
  readonly level: UsefulnessLevel
  /** "USABLE: 62 %" */
  readonly score: string
  readonly relations: string
  readonly columns: string
  readonly sentence: string
  /** "12 % (pmse) to 45 % (wasserstein)" of the original. */
  readonly samples: string | null
  readonly worstColumns: readonly string[]
  readonly worstPairs: readonly string[]
  readonly incomplete: readonly string[]
  readonly measures: readonly UtilityMeasureRow[]
}

interface UtilityMeasureRow {
  readonly measure: string
  readonly value: string
  readonly honest: string
  readonly ratio: string
  readonly place: string
  readonly sample: string
  readonly p: string
  readonly sentence: string
}

interface ThreatRow {
  readonly title: string
  readonly level: Level
  readonly leakage: string
  readonly bounds: string
  readonly exposure: string
  readonly people: string
  readonly decidedBy: string
}

const NONE = '-'
/** The answer fits on a screen: groups per threat, and over all threats, worst first. */
const DRIVERS_EACH = 2
const MOST_DRIVERS = 6

export function answerView(assessment: Assessment): AnswerView {
  return {
    first: assessment.releases.flatMap(({ likeness }) => (likeness === null ? [] : [`${likeness}.`])),
    subject: subjectText(assessment),
    labels: labelTexts(assessment),
    releases: assessment.releases.map((one) => releaseView(one, assessment)),
    together: togetherText(assessment),
    notes: assessment.notes,
    failed: assessment.failed.map(({ measure, reason }) => `${measure}: ${reasonText(reason)}`),
  }
}

export function labelTexts({ labels = {} }: Assessment): string[] {
  return Object.entries(labels).map(([name, label]) => `${name}: ${label}`)
}

function subjectText({ original, holdout, releases, keys, numericKeys, targets, type }: Assessment): string {
  const names = releases.length > 3 ? `${releases.length} releases` : releases.map(({ name }) => name).join(', ')
  const allKeys = [...keys, ...numericKeys]
  return [
    `${original.name} (${original.of === undefined ? '' : `${grouped(original.records)} of `}${count(original.of ?? original.records, 'record')}) and ${names}`,
    allKeys.length === 0 ? 'no keys' : `keys ${allKeys.join(', ')}`,
    targets.length === 0 ? 'no target' : `target ${targets.join(', ')}`,
    holdout === null ? 'no holdout' : `holdout ${holdout.name} (${grouped(holdout.records)})`,
    `type ${type}`,
  ].join('; ')
}

function releaseView(release: ReleaseAssessment, { original, targets, type }: Assessment): ReleaseView {
  const tested = release.threats.filter(({ level }) => level !== 'NOT ASSESSED')
  const open = release.threats.filter((threat) => isOpen(threat, type))
  const named = targets.length > 1
  const text = (threat: ThreatAssessment) => titleOf(threat, named)
  const told = ({ reason, items }: { readonly reason: string; readonly items: readonly ThreatAssessment[] }) =>
    `${items.map(text).join(', ')}: ${reason}`
  return {
    name: release.name,
    level: release.verdict.level,
    recommendation: release.verdict.recommendation,
    sentence: release.verdict.sentence,
    threats: tested.map((threat) => threatRow(threat, text(threat))),
    restsOn: tested.flatMap((threat) => restsOnText(threat, text(threat), original.records)),
    drivers: tested.flatMap((threat) => driverTexts(threat, text(threat))).slice(0, MOST_DRIVERS),
    columns: tested.flatMap((threat) => columnsText(threat, text(threat))),
    supports: tested.flatMap((threat) => opinions(threat, text(threat), threat.supports)),
    contradicts: tested.flatMap((threat) => contradictions(threat, text(threat))),
    nothingToTell: byReason(
      tested.filter(({ reason }) => reason !== null),
      ({ reason }) => reason,
    ).map(told),
    untested: byReason(open, ({ reason }) => reason).map(told),
    settles: [
      ...new Set(
        release.threats.flatMap(({ settles, level }) =>
          settles !== null && level === 'INCONCLUSIVE' ? [settlingText(settles)] : [],
        ),
      ),
    ],
    structure: release.structure.map(({ sentence, title }) => `${title}: ${sentence}`),
    utility: release.utility === null ? null : utilityView(release.utility),
    behind: release.threats.flatMap((threat) => threat.structure.map((fact) => factText(text(threat), fact))),
  }
}

/** `numbers` say how exactly values may be known; for readers outside two digits are enough, and shares step by people. */
export function utilityView(utility: UtilityAssessment, numbers = INTERNAL, originals = 0): UtilityView {
  const { level, score, relations, columns, samples, sentence, incomplete, worstColumns, worstPairs } = utility
  const share = (value: number | null) => (value === null ? NONE : percent(value, 0))
  return {
    level,
    score: share(score),
    relations: share(relations),
    columns: share(columns),
    sentence,
    samples: samples === null ? null : samplesText(samples),
    worstColumns: worstColumns.map(({ name, ratio }) => `${name} ${fixed(ratio, 1)}`),
    worstPairs: worstPairs.map(({ variables, ratio }) => `${variables.join(' by ')} ${fixed(ratio, 1)}`),
    incomplete,
    measures: utility.measures.map((row) => utilityRow(row, numbers, originals)),
  }
}

/** Every measure of utility beside what an honest sample gives. */
export function utilityTable({ measures }: Pick<UtilityView, 'measures'>): TableView {
  return tableView(
    'Every measure of utility',
    ['measure', 'value', 'honest sample', 'ratio', 'place', 'as good as', 'p'],
    measures.map((row) => [row.measure, row.value, row.honest, row.ratio, row.place, row.sample, row.p]),
  )
}

/** Every threat that was tested, with what its verdict rests on. */
export function threatsTable({ threats }: Pick<ReleaseView, 'threats'>): TableView {
  return tableView(
    'Threats',
    ['threat', { title: 'verdict', as: 'verdict' }, 'leakage', 'bounds', 'exposure', 'people', 'decided by'],
    threats.map((row) => [row.title, row.level, row.leakage, row.bounds, row.exposure, row.people, row.decidedBy]),
  )
}

function samplesText({ smallest, largest }: NonNullable<UtilityAssessment['samples']>): string {
  const text = ({ measure, fraction }: typeof smallest) => `${sampleText(fraction)} (${measure})`
  return smallest.measure === largest.measure ? text(smallest) : `${text(smallest)} to ${text(largest)}`
}

function utilityRow(row: UtilityRow, numbers: Discretion, originals: number): UtilityMeasureRow {
  const { measure, target, value, unit, honest, ratio, place, sample, p, sentence } = row
  const isExact = numbers.audience === 'internal'
  const text = (number: number) => {
    if (isExact) return inUnit(number, unit)
    return unit === 'share' || unit === 'difference'
      ? numbers.share(number, originals)
      : inUnit(significant(number, 2), unit)
  }
  return {
    measure: target === null ? measure : `${measure} (${target})`,
    value: value === null ? NONE : text(value),
    honest: honest === null ? NONE : text(honest),
    ratio: ratio === null ? NONE : String(significant(ratio, isExact ? 3 : 2)),
    place: place === null ? NONE : percent(place, 0),
    sample: sample === null ? NONE : sampleText(sample),
    p: p === null ? NONE : pText(p, isExact ? 3 : 2),
    sentence,
  }
}

function factText(threat: string, { title, value, unit, original, sentence }: Fact): string {
  const beside = value === null || original === null ? '' : `; the original ${inUnit(original, unit)}`
  return `${threat}, ${title}: ${sentence}${beside}`
}

function titleOf({ threat, target }: Pick<ThreatAssessment, 'threat' | 'target'>, named: boolean): string {
  return named && target !== null ? `${THREAT_TEXT[threat].title} (${target})` : THREAT_TEXT[threat].title
}

function threatRow(threat: ThreatAssessment, title: string): ThreatRow {
  const { level, leakage, interval, exposure, people, decidedBy } = threat
  return {
    title,
    level,
    leakage: leakage === null ? NONE : INTERNAL.leakage(leakage, 0),
    bounds: interval === null ? NONE : boundsText(interval, 0),
    exposure: exposure === null ? NONE : percent(exposure, 0),
    people: people === null || !isShown(threat) ? NONE : grouped(people),
    decidedBy: decidedBy ?? NONE,
  }
}

/** "membership: value-reuse, against sharing with other originals: 44.2 %, fair 40.7 %; the original 46.5 %, fair 40 %". */
function restsOnText(threat: ThreatAssessment, title: string, originals: number): string[] {
  const { decidedBy, look, value, unit, controls } = threat
  if (decidedBy === null || value === null || unit === null || controls === null) return []
  const { fair, everything } = controls
  const number = (of: number | undefined) => (of === undefined ? '' : inUnit(of, unit))
  const fairText = (of: string) => (of === '' ? '' : `, fair ${of}`)
  const itsFair = number(everything?.fair)
  const figures = [
    `${decidedBy}, ${look ?? 'as it is'}: ${number(value)}${fairText(number(fair?.value))}`,
    ...(everything === undefined
      ? []
      : [`the original ${number(everything.value)}${itsFair === number(fair?.value) ? '' : fairText(itsFair)}`]),
    ...noAlarmTexts(threat, INTERNAL, originals),
    ...countedTexts(threat, originals),
  ]
  return [`${title}: ${figures.join('; ')}`]
}

/** Whether leakage was shown at all: nobody is counted for what may be chance. */
export function isShown({ level, adjustedP }: Pick<ThreatAssessment, 'level' | 'adjustedP'>): boolean {
  return isAlarm(level) || (adjustedP ?? 1) < SIGNIFICANCE
}

/** Why it is no alarm although the bounds lie above 0 or reach the limit of HIGH, or not HIGH although they do. */
export function noAlarmTexts(threat: ThreatAssessment, numbers: Discretion, originals: number): string[] {
  const { level, interval, p, correction, limits } = threat
  if (level === 'MODERATE' && interval !== null && interval.lower >= limits.high)
    return [
      `at the level that all comparisons share alike, the lower bound does not reach the ${percent(limits.high, 0)} of HIGH`,
    ]
  if (isAlarm(level) || p === null) return []
  if (isShown(threat)) return [`significant, but below the ${percent(limits.matters, 0)} from which it matters`]
  const few = fewTexts(threat, numbers, originals)
  if (p < SIGNIFICANCE) return [`not significant among ${grouped(Math.round(correction ?? 1))} comparisons`, ...few]
  return (interval?.lower ?? 0) > 0 ? [`not significant (p = ${significant(p, 2)})`, ...few] : few
}

/** Where people are not leakage × all people: a look at released records, or names and numbers that stand in the release. */
export function countedTexts(threat: ThreatAssessment, originals: number): string[] {
  return isShown(threat) && arePeopleCounted(threat, originals)
    ? ['people are counted: this leakage is not a share of all people']
    : []
}

/** Why it is LOW although the upper bound of the leakage reaches the high limit: few people could be concerned. */
function fewTexts(
  { level, interval, shareOfPeople, limits }: ThreatAssessment,
  numbers: Discretion,
  originals: number,
): string[] {
  if (level !== 'LOW' || shareOfPeople === null || (interval?.upper ?? 0) < limits.high) return []
  return [`beyond what others explain, it concerns at most ${numbers.atMost(shareOfPeople.upper, originals)} of people`]
}

/** Bounds of a place between two controls: what lies beyond the original or below the least is cut off. */
function boundsText({ lower, upper }: { readonly lower: number; readonly upper: number }, least = -1): string {
  const number = (value: number) => Math.round(100 * Math.min(1, Math.max(least, value))).toString()
  return `${number(lower)} to ${number(upper)} %`
}

function driverTexts({ drivers, level }: ThreatAssessment, title: string): string[] {
  if (!isAlarm(level)) return []
  return drivers
    .slice(0, DRIVERS_EACH)
    .map(
      (driver) =>
        `${title}: ${driver.column} ${driver.level} (${count(driver.people, 'person', 'people')}): adds ${percent(driver.mean)} each${meanBounds(driver)}, ${percent(driver.overall)} overall`,
    )
}

function meanBounds({ lower, upper }: ThreatAssessment['drivers'][number]): string {
  return lower === null || upper === null ? '' : ` (${boundsText({ lower, upper })})`
}

const COLUMNS_EACH = 3

/** The columns that surely carry something: "age 45 points (30 to 60)". */
function columnsText({ columns, leakage }: ThreatAssessment, title: string): string[] {
  const sure = columns.filter(({ lower }) => lower > 0).slice(0, COLUMNS_EACH)
  if (sure.length === 0 || leakage === null) return []
  const points = (share: number) => Math.round(100 * share).toString()
  const each = sure.map(
    ({ column, share, lower, upper }) => `${column} ${points(share)} (${points(lower)} to ${points(upper)})`,
  )
  return [`${title} (${points(leakage)} points), lost without: ${each.join(', ')}`]
}

/** Measures that agree are named together; one sentence of each would bury those that do not. */
function opinions({ level }: ThreatAssessment, title: string, opinionsOn: readonly Opinion[]): string[] {
  if (opinionsOn.length === 0) return []
  const names = [...new Set(opinionsOn.map(({ measure }) => measure))]
  return [`${title} ${level}: ${names.join(', ')}`]
}

/** Those that contradict for one reason are one line; what each of them says is with the measures. */
function contradictions({ level, decidedBy, contradicts }: ThreatAssessment, title: string): string[] {
  const reasons = [...new Set(contradicts.map(({ why }) => why))]
  return reasons.map((why) => {
    const names = [...new Set(contradicts.filter((one) => one.why === why).map(({ measure }) => measure))]
    const several = names.length > 1
    const does = isAlarm(level) ? (several ? 'see nothing' : 'sees nothing') : several ? 'alarm' : 'alarms'
    return `${title}: ${names.join(', ')} ${does}; ${decidedBy ?? 'no measure'} decides${why === null ? '' : `; ${why}`}`
  })
}

function togetherText({ syntheses, releases }: Assessment): string | null {
  if (syntheses === null) return null
  const means = syntheses.threats.flatMap(({ threat, target, mean }) =>
    mean === null ? [] : [`${titleOf({ threat, target }, target !== null)} ${leakageText(mean, 1)}`],
  )
  return `${releases.length} releases: the worst is ${syntheses.worst} (${syntheses.level}). Mean leakage: ${means.join(', ') || 'none known'}.`
}
