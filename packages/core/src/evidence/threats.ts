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
  /** What the release does to PEOPLE, as a sentence with that word and, where it is about one, TARGET in it. */
  readonly finding: string
}

export const THREAT_TEXT: Readonly<Record<Threat, ThreatText>> = {
  attribute: {
    title: 'attribute inference',
    question: "Does the release give away a person's target to somebody who knows their keys?",
    finding: "it gives away TARGET of PEOPLE beyond what other people's records tell",
  },
  memorisation: {
    title: 'memorisation in bulk',
    question: 'Are released records nearer to the people in the data than people are to each other?',
    finding: 'it is closer to PEOPLE than people are to each other',
  },
  'memorisation-tail': {
    title: 'memorisation of single records',
    question: 'Does somebody have a near twin in the release?',
    finding: 'PEOPLE have a near twin in it whom no other person explains',
  },
  membership: {
    title: 'membership',
    question: 'Can one tell who was in the data?',
    finding: 'it shows of PEOPLE that they were in the data',
  },
  'singling-out': {
    title: 'singling out',
    question: 'Does the release describe somebody whom nobody else fits?',
    finding: 'descriptions made from it single out PEOPLE because they were in the data',
  },
  linkability: {
    title: 'linkability',
    question: 'Can two files about the same people be joined through the release?',
    finding: 'two files about PEOPLE can be joined through it because they were in the data',
  },
  identity: {
    title: 'identity',
    question: 'Can a released record be traced to the person it was made from?',
    finding: 'PEOPLE can be traced to their released record',
  },
}
