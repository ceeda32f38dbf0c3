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
  /** What the release does to PEOPLE, as a sentence with that word and, where it is about one, TARGET in it. */
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
    finding:
      "it gives away TARGET beyond what other people's records tell, as if the records of PEOPLE stood in it as they are",
    attacker:
      'somebody who knows the keys of a person, holds the release and guesses the target from the released records with these keys',
    remedy: 'make KEY coarser, or let the synthesizer see larger groups of records with the same keys',
  },
  memorisation: {
    title: 'memorisation in bulk',
    question: 'Are released records nearer to the people in the data than people are to each other?',
    finding: 'it is closer to people than they are to each other, as if the records of PEOPLE stood in it as they are',
    attacker: 'somebody who holds the release and compares its records with what is known of people in all columns',
    remedy: 'synthesise from larger groups (a larger minbucket), smooth numbers, or add noise',
  },
  'memorisation-tail': {
    title: 'memorisation of single records',
    question: 'Does somebody have a near twin in the release?',
    finding:
      'people have a near twin in it whom no other person explains, as if the records of PEOPLE stood in it as they are',
    attacker: 'somebody who looks for the one released record that fits a person far better than any other person does',
    remedy:
      'leave out or coarsen the records concerned, most of all by KEY; let no value of one record alone be released',
  },
  membership: {
    title: 'membership',
    question: 'Can one tell who was in the data?',
    finding: 'it shows that people were in the data, as if the records of PEOPLE stood in it as they are',
    attacker: 'somebody who has the full records of candidates, in and outside the data, and holds the release',
    remedy: 'synthesise from larger groups, or add noise; a formal guarantee needs differential privacy',
  },
  'singling-out': {
    title: 'singling out',
    question: 'Does the release describe somebody whom nobody else fits?',
    finding:
      'descriptions made from it single people out because they were in the data, as if the records of PEOPLE stood in it as they are',
    attacker: 'somebody who makes descriptions from the release and looks whether exactly one person fits them',
    remedy: 'merge or top-code rare levels of KEY',
  },
  linkability: {
    title: 'linkability',
    question: 'Can two files about the same people be joined through the release?',
    finding:
      'two files about people can be joined through it because they were in the data, as if the records of PEOPLE stood in it as they are',
    attacker: 'somebody who has two files with different columns of the same people and joins them through the release',
    remedy: 'make KEY coarser, or release fewer columns together',
  },
  identity: {
    title: 'identity',
    question: 'Can a released record be traced to the person it was made from?',
    finding: 'people can be traced to their released record, as if the records of PEOPLE stood in it as they are',
    attacker:
      'somebody who knows the values of a person in all columns, with errors, and looks for the nearest released record',
    remedy: 'make KEY coarser, swap or suppress more; a synthesis has no record to trace',
  },
}
