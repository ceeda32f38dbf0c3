import { byId } from '../errors.js'
import { localSuppression } from './local-suppression.js'
import type { Anonymiser } from './method/anonymiser.js'
import { microaggregation } from './microaggregation.js'
import { noise } from './noise.js'
import { pram } from './pram.js'
import { rankSwapping } from './rank-swapping.js'
import { recode } from './recode.js'
import { recordSwapping } from './record-swapping.js'
import { riskSuppression } from './risk-suppression.js'
import { sdc } from './sdc.js'
import { shuffling } from './shuffling.js'
import { topCoding } from './top-coding.js'

/** The one list of all anonymisers. */
export const anonymisers = [
  recode,
  topCoding,
  localSuppression,
  riskSuppression,
  pram,
  microaggregation,
  rankSwapping,
  recordSwapping,
  shuffling,
  noise,
  sdc,
] as const satisfies readonly Anonymiser[]

export function findAnonymiser(id: string): Anonymiser {
  return byId<Anonymiser>('method', id, anonymisers)
}
