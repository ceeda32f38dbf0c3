/**
 * What can happen to a person through a release. One measure decides each, calibrated against people outside; the others
 * that look at the same threat support or contradict it.
 */
export const THREATS = [
  'attribute',
  'memorisation',
  'memorisation-tail',
  'membership',
  'singling-out',
  'linkability',
  'identity',
] as const

export type Threat = (typeof THREATS)[number]

export interface ThreatText {
  readonly title: string
  /** As a custodian asks. */
  readonly question: string
  /** What is learnt, to follow "more ... than": "of whom the target is guessed", ... */
  readonly concerns: string
}

export const THREAT_TEXT: Readonly<Record<Threat, ThreatText>> = {
  attribute: {
    title: 'attribute inference',
    question: "Does the release give away a person's target to somebody who knows their keys?",
    concerns: 'whose target the release gives away',
  },
  memorisation: {
    title: 'memorisation in bulk',
    question: 'Are released records nearer to the people in the data than people are to each other?',
    concerns: 'whose record the release imitates',
  },
  'memorisation-tail': {
    title: 'memorisation of single records',
    question: 'Does somebody have a near twin in the release?',
    concerns: 'who have a near twin in the release',
  },
  membership: {
    title: 'membership',
    question: 'Can one tell who was in the data?',
    concerns: 'whose being in the data shows',
  },
  'singling-out': {
    title: 'singling out',
    question: 'Does the release describe somebody whom nobody else fits?',
    concerns: 'whom a description made from the release singles out',
  },
  linkability: {
    title: 'linkability',
    question: 'Can two files about the same people be joined through the release?',
    concerns: 'whose records can be linked through the release',
  },
  identity: {
    title: 'identity',
    question: 'Can a released record be traced to the person it was made from?',
    concerns: 'whose released record can be traced to them',
  },
}
