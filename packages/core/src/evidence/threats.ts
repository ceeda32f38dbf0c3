/**
 * What can happen to a person through a release. Each is decided by one calibrated measure, or by several where none sees all that the
 * others see; the others that look at the same threat support or contradict the decision.
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
  /** What the release does, as a sentence, with TARGET in it where it is about one. */
  readonly finding: string
  /** Who is assumed to do it, and with what. */
  readonly attacker: string
  /** What helps against it in general; KEY is the column that drives it, where one is known. */
  readonly remedy: string
}

export const THREAT_TEXT: Readonly<Record<Threat, ThreatText>> = {
  attribute: {
    title: 'attribute inference',
    question: "Does the release give away a person's target to somebody who knows their keys?",
    finding: "it reveals TARGET beyond what other people's records would",
    attacker: 'somebody who knows the keys of a person and guesses the target from released records with the same keys',
    remedy: 'make KEY coarser, or let the synthesizer see larger groups of records with the same keys',
  },
  memorisation: {
    title: 'memorisation in bulk',
    question: 'Are released records closer to the people in the data than people are to each other?',
    finding: 'released records are closer to real people than people are to each other',
    attacker: 'somebody who compares released records with what is known about people in all columns',
    remedy: 'synthesise from larger groups (a larger minbucket), smooth numbers, or add noise',
  },
  'memorisation-tail': {
    title: 'memorisation of single records',
    question: 'Does anybody have a near-duplicate in the release?',
    finding: 'the release has near-duplicates of people that resemble nobody else',
    attacker: 'somebody who looks for the one released record that fits a person far better than any other person does',
    remedy: 'leave out or coarsen the records concerned, above all by KEY; release no value that only one record has',
  },
  membership: {
    title: 'membership',
    question: 'Can one tell who was in the data?',
    finding: 'it reveals who was in the data',
    attacker: 'somebody who has the full records of candidates, some in the data and some not, and the release',
    remedy: 'synthesise from larger groups, or add noise; a formal guarantee needs differential privacy',
  },
  'singling-out': {
    title: 'singling out',
    question: 'Does the release describe somebody whom no one else matches?',
    finding: 'descriptions drawn from it single people out because they were in the data',
    attacker: 'somebody who draws descriptions from the release and looks whether exactly one person matches',
    remedy: 'merge rare values of KEY with others',
  },
  linkability: {
    title: 'linkability',
    question: 'Can two files about the same people be joined through the release?',
    finding: 'two files about the same people can be joined through it because they were in the data',
    attacker:
      'somebody who has two files with different columns about the same people and joins them through the release',
    remedy: 'make KEY coarser, or release fewer columns together',
  },
  identity: {
    title: 'identity',
    question: 'Can a released record be traced to the person it was made from?',
    finding: 'people can be traced to their released record',
    attacker:
      'somebody who knows the values of a person in all columns, with errors, and looks for the nearest released record',
    remedy: 'make KEY coarser, swap or suppress more; a synthesis has no record to trace',
  },
}
