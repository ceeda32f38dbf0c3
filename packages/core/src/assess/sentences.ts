import { THREAT_TEXT, THREATS } from '../evidence/threats.js'
import { count, percent } from '../print.js'
import type { Release } from '../table/release.js'
import type { ThreatAssessment } from './assessment.js'
import { isAlarm, type Level } from './judge.js'

/** What a custodian can repeat. No verdict claims formal privacy; it speaks of the keys and attackers that were tried. */
const RECOMMENDATION: Readonly<Record<Level, string>> = {
  HIGH: 'Do not release it.',
  MODERATE: 'Release it under controlled access only, or reduce the leakage first.',
  INCONCLUSIVE: 'Do not decide on this evidence: there is too little of it.',
  LOW: 'On this evidence it is suitable for wider release.',
  'NOT ASSESSED': 'Nothing can be said about it yet.',
}

export function recommendation(level: Level): string {
  return RECOMMENDATION[level]
}

/** What was found about the threat that decides, and what was not tested. */
export function verdictSentence(name: string, release: Release, threats: readonly ThreatAssessment[]): string {
  const [worst] = threats
  return [finding(name, release, worst, threats), untested(release, threats)].filter((part) => part !== '').join(' ')
}

function finding(
  name: string,
  release: Release,
  worst: ThreatAssessment,
  threats: readonly ThreatAssessment[],
): string {
  const { level } = worst
  if (level === 'NOT ASSESSED') return `No threat could be tested on ${name}.`
  if (isAlarm(level)) return capitalised(`${reveals(release, worst)}.`)
  const tested = threats.filter((one) => one.level !== 'NOT ASSESSED').length
  if (level === 'INCONCLUSIVE')
    return `No leakage is shown, but ${title(worst)} up to ${percent(Math.min(1, worst.interval?.upper ?? 1), 0)} of what the original itself would give cannot be ruled out.`
  return `It says no more about the people in it than about others in ${tested === 1 ? 'the threat' : `any of the ${tested} threats`} tested: leakage is at most ${percent(largestBound(threats), 0)} of the original's.`
}

/** How many people, with the leakage and its bounds. */
function reveals({ original }: Release, one: ThreatAssessment): string {
  const { threat, target, people, leakage, interval } = one
  const whom =
    people === null || people === 0
      ? 'people'
      : `about ${people.toLocaleString('en-US')} of ${count(original.rows, 'person', 'people')}`
  const found = THREAT_TEXT[threat].finding
    .replace('PEOPLE', whom)
    .replace('TARGET', target === null ? 'the target' : `the ${target}`)
  return `${found}: leakage ${leakageText(leakage, interval)}`
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function leakageText(leakage: number | null, interval: ThreatAssessment['interval']): string {
  if (leakage === null) return 'unknown'
  return interval === null
    ? percent(leakage)
    : `${percent(leakage, 0)} (${percent(Math.max(-1, interval.lower), 0)} to ${percent(Math.min(1, interval.upper), 0)})`
}

function title({ threat, target }: ThreatAssessment): string {
  return target === null ? THREAT_TEXT[threat].title : `${THREAT_TEXT[threat].title} (${target})`
}

function largestBound(threats: readonly ThreatAssessment[]): number {
  return Math.min(1, Math.max(0, ...threats.flatMap(({ interval }) => interval?.upper ?? [])))
}

/** Threats that could be tested but were not; nobody is traced to a record of a synthetic release. */
export function isOpen({ level, threat }: ThreatAssessment, type: Release['type']): boolean {
  return level === 'NOT ASSESSED' && !(threat === 'identity' && type === 'synthetic')
}

function untested({ type }: Release, threats: readonly ThreatAssessment[]): string {
  const open = new Set(threats.filter((one) => isOpen(one, type)).map(({ threat }) => threat))
  if (open.size === 0 || open.size === THREATS.length) return ''
  return `Not tested: ${THREATS.filter((threat) => open.has(threat))
    .map((threat) => THREAT_TEXT[threat].title)
    .join(', ')}.`
}

export function settlingText(
  by: { readonly need: 'holdout' } | { readonly outsiders: number } | { readonly records: number },
): string {
  if ('need' in by) return 'a holdout: people of the same population who were not used to make the release'
  if ('outsiders' in by) return `about ${count(by.outsiders, 'person', 'people')} outside the release`
  return `about ${count(by.records, 'record')}`
}
