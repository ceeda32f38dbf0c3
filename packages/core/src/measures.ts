import type { AnyMeasure } from './measure.js'
import { attribution } from './risk/attribution/attribution.js'
import { disclosure } from './risk/attribution/disclosure.js'
import { kAnonymity } from './risk/frequency/k-anonymity.js'

/** The one list of all measures: the command line, reports, docs and tests read it. */
export const measures: readonly AnyMeasure[] = [kAnonymity, disclosure, attribution]
