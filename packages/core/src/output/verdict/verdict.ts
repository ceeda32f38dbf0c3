import type { Finding } from '../rules/finding.js'

/** What a checker is advised to do with an output, or with all of a request. */
export const VERDICTS = ['release', 'review', 'refuse'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What the embedded data say: how much more an outsider can infer about people in the data than about others. */
export const RISK_LEVELS = ['none', 'inconclusive', 'elevated', 'high', 'not assessed'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** What the rules say: `broken` is a rule that fails, `identified` that somebody can be identified by arithmetic. */
export type RulesLevel = 'pass' | 'look' | 'broken' | 'identified'

export function rulesLevel(findings: readonly Finding[]): RulesLevel {
  if (findings.some(({ status }) => status === 'refuse')) return 'identified'
  if (findings.some(({ status }) => status === 'fail')) return 'broken'
  return findings.length > 0 ? 'look' : 'pass'
}

/**
 * Rules and measured risk together. Whether somebody can be identified is no matter of evidence. A broken rule is refused until it is mended, and
 * reviewed where no marginal risk was found; kept rules with an elevated risk are what rules cannot see, typically several outputs together.
 */
export function decide(rules: RulesLevel, risk: RiskLevel): { readonly verdict: Verdict; readonly why: string } {
  if (rules === 'identified') return { verdict: 'refuse', why: 'one person, or a few, can be identified from it' }
  if (rules === 'broken')
    return risk === 'none'
      ? { verdict: 'review', why: 'a rule is broken, but no marginal risk was found: decide with this evidence' }
      : { verdict: 'refuse', why: 'a rule is broken: change it and ask again' }
  if (risk === 'elevated' || risk === 'high')
    return {
      verdict: 'review',
      why: 'no rule is broken, but more can be inferred about people in the data than about others',
    }
  if (rules === 'look') return { verdict: 'review', why: 'a person has to check' }
  if (risk === 'inconclusive')
    return { verdict: 'review', why: 'no rule is broken, but whether there is a marginal risk is not settled' }
  return risk === 'none'
    ? { verdict: 'release', why: 'no rule is broken and no marginal risk was found' }
    : { verdict: 'release', why: 'no rule is broken; the risk was not measured' }
}

export function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS[Math.max(0, ...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))]
}

/** The whole matrix, for a report. */
export const DECISIONS: readonly { readonly rules: string; readonly risk: string; readonly verdict: Verdict }[] = [
  { rules: 'kept', risk: 'none found, or not measured', verdict: 'release' },
  { rules: 'kept', risk: 'elevated, high or not settled', verdict: 'review' },
  { rules: 'need a look', risk: 'any', verdict: 'review' },
  { rules: 'broken', risk: 'none found', verdict: 'review' },
  { rules: 'broken', risk: 'any other, or not measured', verdict: 'refuse' },
  { rules: 'somebody can be identified', risk: 'any', verdict: 'refuse' },
]
