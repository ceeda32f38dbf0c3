import { peopleOutside, theOriginal } from '../../../evidence/controls.js'
import type { Interval } from '../../../stats/intervals.js'
import { type Exchangeability, shareInterval } from '../../../stats/tests/exchangeability.js'

/** Of the real records that released ones point at, the share that are training records, and what labels at random give. */
export type TrainingShare = {
  readonly share: number
  readonly expected: number
  readonly excess: number
  readonly excessInterval: Interval
  readonly sd: number
  readonly z: number
  readonly p: number
  readonly pMethod: Exchangeability['pMethod']
  /** The excess that the test would have found with a chance of 80 %. */
  readonly minimalDetectable: number
}

/** `ofOriginal` is the share if the release were the original. */
export function trainingShare(test: Exchangeability, ofOriginal: number) {
  const { share, expected, sd, z, p, pMethod, excess, minimalDetectable, bounds } = test
  return {
    value: share,
    interval: shareInterval(test),
    controls: {
      fair: peopleOutside(expected),
      everything: theOriginal(ofOriginal),
    },
    effect: {
      value: share - expected,
      se: sd,
      lower: bounds.lower * (1 - expected),
      upper: bounds.upper * (1 - expected),
      p,
    },
    details: { share, expected, excess, excessInterval: test.interval, sd, z, p, pMethod, minimalDetectable },
  }
}
