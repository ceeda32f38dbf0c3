import type { Settling } from '../../assess/assessment.js'
import { type Discretion, INTERNAL } from '../../discretion.js'
import { count, grouped, percent } from '../../print.js'
import type { Need, Reason } from '../../reason.js'

/** The words of reasons, and of what would settle an open question. Nothing reads them back: whoever decides asks the code. */

export const NEED_TEXT: Readonly<Record<Need, string>> = {
  keys: 'key variables',
  'numeric keys': 'numeric key variables',
  target: 'a target',
  holdout: 'a holdout: people who were not used to make the release',
  population: 'the population, or a register of it',
  weight: 'a weight column',
  household: 'a household column',
  'paired rows': 'a perturbed release, in which row i derives from row i of the original',
  generator: 'the synthesizer that made the release',
  rules: 'edit rules: what records must keep',
}

/** Stands for words of a measure, which may have exact counts and values in them. */
const HELD_BACK = 'on these data it cannot be computed'

/** To stand behind the name of a threat or measure and a colon, as exact as readers may know what counts so many `people`. */
export function reasonText(reason: Reason, numbers: Discretion = INTERNAL, people = 0): string {
  switch (reason.code) {
    case 'needs':
      return `needs ${reason.needs.map((need) => NEED_TEXT[need]).join(' and ')}`
    case 'no-outsiders':
      return 'there is no holdout to compare with'
    case 'used-holdout':
      return `the holdout seems to have been used for the release${numbers.withValues(`: ${percent(reason.nearer, 0)} of its records are nearer to a released record than to each other, ${percent(reason.expected, 0)} would be by chance`, '')}; comparisons with it prove nothing`
    case 'nothing-matches':
      return `the ${reason.role} "${reason.column}" has no value in common in ${reason.original} and ${reason.released}, so that no record can match`
    case 'incomplete':
      return `only ${numbers.count(reason.complete, reason.records)} of ${count(reason.records, 'record')} of ${reason.file} are complete (${numbers.share(reason.complete / reason.records, reason.records)}); below half of them nothing is said`
    case 'no-fair-control':
      return 'there is no fair control'
    case 'unknown-ceiling':
      return 'what the original itself would give is not known'
    case 'no-scale':
      return 'on these data even the original itself could not be told apart from what other people give away'
    case 'no-length':
      return 'on these data the two ends of its scale coincide'
    case 'too-few':
      return 'there are too few records: even the original itself would not be detected'
    case 'nothing-to-tell':
      return `even the original itself would tell no more than ${numbers.audience === 'internal' ? percent(reason.atMost) : numbers.atMost(reason.atMost, people)} of people apart`
    case 'nothing-compared':
      return 'nothing could be compared'
    case 'unexplained-columns':
      return `what ${reason.columns.join(', ')} of ${reason.file} ${reason.columns.length === 1 ? 'holds' : 'hold'} cannot be tested: texts that nothing in the original explains`
    case 'columns-left-out':
      return `most columns were left out, since their types do not fit: ${reason.columns.join(', ')}`
    case 'sample':
      return `only ${grouped(reason.records)} of ${grouped(reason.of)} records were looked at, and a copy is found only where both it and its person are among them`
    case 'not-run':
      return `${reason.measure} was not run`
    case 'not-asked':
      return 'nobody asked for it'
    case 'no-decider':
      return 'no measure decides it'
    case 'failed':
      return numbers.withValues(reason.message, 'what it said is kept inside')
    case 'data':
      return numbers.withValues(reason.text, HELD_BACK)
  }
}

export function settlingText(by: Settling): string {
  switch (by.code) {
    case 'holdout':
      return 'a holdout: people of the same population who were not used to make the release'
    case 'outsiders':
      return `about ${count(by.people, 'person', 'people')} outside the release`
    case 'records':
      return `about ${count(by.records, 'record')}`
    case 'explain-columns':
      return `leave ${by.columns.join(', ')} out of the release, or say that the texts are made up: ${by.columns.map((column) => `answer ${by.file}:${column}=different`).join(', ')}`
    case 'no-number':
      return by.instead === 'holdout'
        ? 'no number of records that could be had; a holdout of people outside the release may, otherwise coarser columns or controlled access'
        : 'no number of records that could be had: make columns coarser, or give controlled access'
  }
}

/** A document as it is written to a file: its reasons have their words beside their codes. */
export function jsonText(document: object): string {
  return `${JSON.stringify(document, withWords, 2).replace(OBEYED, escaped)}\n`
}

/** Control characters that JSON may hold as they are: written as escapes they say the same, and no terminal obeys them. */
const OBEYED = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function withWords(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('code' in value)) return value
  if (key === 'reason' || key === 'notAssessed') return { ...value, text: reasonText(value as Reason) }
  return key === 'settles' ? { ...value, text: settlingText(value as Settling) } : value
}

/** Those with the same reason together, in the order in which they come. */
export function byReason<Item>(
  items: readonly Item[],
  reasonFor: (item: Item) => Reason | null,
): readonly { readonly reason: string; readonly items: readonly Item[] }[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const reason = reasonFor(item)
    const text = reason === null ? 'no reason given' : reasonText(reason)
    groups.set(text, [...(groups.get(text) ?? []), item])
  }
  return [...groups].map(([reason, same]) => ({ reason, items: same }))
}
