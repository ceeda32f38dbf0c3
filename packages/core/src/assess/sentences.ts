import type { Discretion } from '../discretion.js'
import { THREAT_TEXT, THREATS, type Threat } from '../evidence/threats.js'
import { estimated, fixed, percent } from '../print.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import type { NotCovered, Release } from '../table/release.js'
import type { Claimed, ReleaseAssessment, ThreatAssessment } from './assessment.js'
import { isAlarm, type Level } from './judge.js'

/** What a custodian can repeat. No verdict claims formal privacy; it speaks of the keys and attackers that were tried. */
const RECOMMENDATION: Readonly<Record<Level, string>> = {
  HIGH: 'Do not release it.',
  MODERATE: 'Release it under controlled access only, or reduce the leakage first.',
  INCONCLUSIVE: 'Do not decide on this evidence: there is too little of it.',
  LOW: 'On this evidence it is suitable for wider release.',
  'NOT ASSESSED': 'Nothing can be said about it yet.',
}

type Tested = Pick<ThreatAssessment, 'threat' | 'level' | 'decidedBy'>

/** What only people outside the release can show. */
const NEED_OUTSIDERS = ['membership', 'singling-out', 'linkability'] as const

/** LOW speaks for wider release only where everything that needs people outside was tested too. */
export function recommendation(level: Level, threats: readonly Tested[]): string {
  const untested = untestedOutside(threats).map((threat) => THREAT_TEXT[threat].title)
  if (level !== 'LOW' || untested.length === 0) return RECOMMENDATION[level]
  return `Nothing that could be tested speaks against wider release; ${listed(untested)} ${untested.length === 1 ? 'was' : 'were'} not tested.`
}

/** Threats that need people outside the release, and were not assessed. */
export function untestedOutside(threats: readonly Tested[]): readonly Threat[] {
  return NEED_OUTSIDERS.filter((threat) =>
    threats.every((one) => one.threat !== threat || one.level === 'NOT ASSESSED'),
  )
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** What was found about the threat that decides, and what was not tested. */
export function verdictSentence(assessed: Assessed, threats: readonly ThreatAssessment[], numbers: Discretion): string {
  const { onlyByNumbers, claim } = assessed
  const sentence = [
    finding(assessed, threats, numbers),
    untested(assessed, threats),
    notCoveredText(assessed.notCovered),
    onlyByNumbers === null ? '' : onlyByNumbersText(onlyByNumbers),
  ]
    .filter((part) => part !== '')
    .join(' ')
  return claim === undefined ? sentence : withClaimText(sentence, claim)
}

/** A broken claim comes first; one that is not contradicted says nothing for the release. */
export function withClaimText(sentence: string, { epsilon, delta, verdict, audit }: Claimed): string {
  const stated = `epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}`
  if (audit === null)
    return `${sentence} Stated was ${stated}, which was not checked: that takes a holdout, or an audit of the generator (audit-dp).`
  const least = `epsilon is at least ${fixed(audit.bound, 2)} (confidence ${percent(BOUND_LEVEL)})`
  return verdict === 'broken'
    ? `The claim of differential privacy is broken: ${stated} was stated, and ${least}. ${sentence}`
    : `${sentence} Stated was ${stated}; this release alone shows that ${least}, of at most ${fixed(audit.most, 2)} that it could show, which does not prove the claim.`
}

/** What the sentence is about. */
interface Assessed {
  readonly name: string
  readonly type: Release['type']
  readonly originals: number
  readonly notCovered: readonly NotCovered[]
  readonly onlyByNumbers: OnlyByNumbers | null
  readonly claim?: Claimed | undefined
}

type OnlyByNumbers = NonNullable<ReleaseAssessment['onlyByNumbers']>

/** That people are traced by numbers alone, and what it is without them. */
export function onlyByNumbersText({ columns, with: level, identity, overall }: OnlyByNumbers): string {
  const [are, them] = columns.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${capitalised(THREAT_TEXT.identity.title)} is ${level} only because ${listed(columns)} ${are} counted as known to an attacker; without ${them} it would be ${identity}, and the release ${overall}.`
}

const NOT_COVERED_TEXT: Readonly<Record<NotCovered['code'], string>> = {
  unexplained: 'texts that nothing explains',
  'other-type': 'of another type',
  'only-released': 'only in the release',
  lacking: 'not in the release',
}

const SHOWN = 5

/** The first of a list of columns, and how many more there are. */
export function firstNames(columns: readonly string[]): string {
  const more = columns.length > SHOWN ? ` and ${columns.length - SHOWN} more` : ''
  return `${columns.slice(0, SHOWN).join(', ')}${more}`
}

/** What the answer is not about, in one clause. */
function notCoveredText(notCovered: readonly NotCovered[]): string {
  const parts = notCovered.map(({ code, columns }) => `${firstNames(columns)} (${NOT_COVERED_TEXT[code]})`)
  return parts.length === 0 ? '' : `Not covered: ${parts.join('; ')}.`
}

function finding({ name, originals }: Assessed, threats: readonly ThreatAssessment[], numbers: Discretion): string {
  const [worst] = threats
  const { level } = worst
  const most = (upper: number) => numbers.atMost(upper, originals)
  if (level === 'NOT ASSESSED') return `No threat could be tested on ${name}.`
  if (isAlarm(level)) return capitalised(`${reveals(originals, worst, numbers)}.`)
  const tested = new Set(threats.flatMap((one) => (one.level === 'NOT ASSESSED' ? [] : [one.threat]))).size
  const { reason } = worst
  if (level === 'INCONCLUSIVE' && reason?.code === 'unexplained-columns')
    return `No leakage is shown, but what ${reason.columns.join(', ')} may hold cannot be tested.`
  if (level === 'INCONCLUSIVE' && reason?.code === 'sample')
    return `No leakage is shown in a sample of ${numbers.size(reason.records)} of ${numbers.size(reason.of)} records; what a sample cannot show is not ruled out.`
  if (level === 'INCONCLUSIVE')
    return `No leakage is shown, but ${title(worst)} up to ${most(worst.interval?.upper ?? 1)} of what the original itself would give cannot be ruled out.`
  return `It says no more about the people in it than about others in ${tested === 1 ? 'the threat' : `any of the ${tested} threats`} tested: beyond what others explain it concerns at most ${most(largestShare(threats))} of them.`
}

/** How many people, with the leakage and its bounds. */
export function reveals(originals: number, assessed: ThreatAssessment, numbers: Discretion): string {
  const { threat, target, people, leakage, interval, says } = assessed
  const scale = `leakage ${leakageText(leakage, interval, originals, numbers)}`
  if (says !== null && numbers.audience === 'internal') return `${says}: ${scale}`
  const whom =
    people === null || people === 0
      ? 'people'
      : `${estimated(numbers.count(people, originals))} of ${numbers.size(originals)} ${originals === 1 ? 'person' : 'people'}`
  const found = THREAT_TEXT[threat].finding.replace('TARGET', target === null ? 'the target' : `the ${target}`)
  const many = arePeopleCounted(assessed, originals)
    ? `${whom} by count`
    : `as if the records of ${whom} had been released unchanged`
  return `${found}, ${many}: ${scale}`
}

/** Whether the people are counted one by one, so that they are not the leakage as a share of all. */
export function arePeopleCounted(
  { people, leakage }: Pick<ThreatAssessment, 'people' | 'leakage'>,
  originals: number,
): boolean {
  if (people === null || people === 0 || leakage === null) return false
  return Math.abs(people - originals * Math.min(1, Math.max(0, leakage))) > 1
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function leakageText(
  leakage: number | null,
  interval: ThreatAssessment['interval'],
  originals: number,
  numbers: Discretion,
): string {
  if (leakage === null) return 'unknown'
  const share = numbers.leakage(leakage, originals)
  return interval === null ? share : `${share} (${numbers.leakageBounds(interval, originals)})`
}

function title({ threat, target }: ThreatAssessment): string {
  return target === null ? THREAT_TEXT[threat].title : `${THREAT_TEXT[threat].title} (${target})`
}

function largestShare(threats: readonly ThreatAssessment[]): number {
  const shares = threats.flatMap(({ shareOfPeople, reason }) =>
    reason?.code === 'nothing-to-tell' ? reason.atMost : (shareOfPeople?.upper ?? []),
  )
  return Math.min(1, Math.max(0, ...shares))
}

/** Threats that could be tested but were not; nobody is traced to a record of a synthetic release. */
export function isOpen({ level, threat }: ThreatAssessment, type: Release['type']): boolean {
  return level === 'NOT ASSESSED' && !(threat === 'identity' && type === 'synthetic')
}

function untested({ type }: Assessed, threats: readonly ThreatAssessment[]): string {
  const open = new Set(threats.filter((one) => isOpen(one, type)).map(({ threat }) => threat))
  if (open.size === 0 || open.size === THREATS.length) return ''
  const titles = THREATS.filter((threat) => open.has(threat)).map((threat) => THREAT_TEXT[threat].title)
  return `Not tested: ${titles.join(', ')}.`
}
