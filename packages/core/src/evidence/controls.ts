import type { Control, FairControl } from './evidence.js'

/** The controls that many measures share. An error of null says that the value is exact. */
export function theOriginal(value: number, se: number | null = null): Control {
  return { value, se, what: 'the original itself' }
}

export function honestSample(value: number, se: number | null = null): FairControl {
  return { value, se, what: 'an honest sample', basis: 'leave-one-out' }
}

export function peopleOutside(value: number, se: number | null = null): FairControl {
  return { value, se, what: 'people outside the release', basis: 'outsiders' }
}

/** What is reached without any knowledge: both what nothing gives and what is fair. */
export function recordAtRandom(value: number): { readonly nothing: Control; readonly fair: FairControl } {
  const control = { value, se: null, what: 'a record at random' }
  return { nothing: control, fair: { ...control, basis: 'chance' } }
}
